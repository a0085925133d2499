//! `askwell open`: links that sign a browser in, printed, opened or drawn for a phone.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;

use askwell_testkit::{Run, TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use serde_json::Value;

use super::{Host, R1, askwell};
use crate::cli::assert_refused;

/// A link: the name and port of its host, and its code.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    name: String,
    port: u16,
    code: String,
}

impl Link {
    #[track_caller]
    fn read(text: &str) -> Self {
        let rest = text.trim().strip_prefix("http://").unwrap_or_else(|| panic!("{text:?}"));
        let (authority, code) = rest.split_once("/sign-in?code=").unwrap();
        let (name, port) = authority.rsplit_once(':').unwrap();
        let (name, code) = (name.to_owned(), code.to_owned());
        Self { name, port: port.parse().unwrap(), code }
    }

    /// Presses the button. The page that comes then, and the cookie.
    #[track_caller]
    fn press(&self) -> (String, String) {
        let body = format!("code={}", self.code);
        let (status, head) = self.send("POST /sign-in", "", &body);
        assert_eq!(status, 303, "{head}");
        let header = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
            line.unwrap_or_else(|| panic!("{head}")).to_owned()
        };
        let cookie = header("set-cookie");
        (header("location"), cookie.split(';').next().unwrap().to_owned())
    }

    /// Status and head of what comes.
    fn send(&self, line: &str, cookie: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(deadline())).unwrap();
        let text = format!(
            "{line} HTTP/1.1\r\nhost: {name}:{port}\r\norigin: http://{name}:{port}\r\n\
             cookie: {cookie}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len(),
            name = self.name,
            port = self.port,
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let head = reply.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), head)
    }
}

fn port(host: &Host) -> u64 {
    host.json(["status", "--format", "json"])["host"]["port"].as_u64().unwrap()
}

#[track_caller]
fn assert_done(run: &Run, told: &[&str]) {
    assert_eq!(run.code(), 0, "{run}");
    for text in told {
        assert!(run.stderr.contains(text), "not told: {text:?}\n{run}");
    }
}

#[test]
fn a_printed_link_signs_a_browser_in_as_a_device_that_can_be_revoked() {
    let host = Host::start();
    let id = host.post(R1);

    let run = host.run(["open", &id, "--print"]);

    assert_done(&run, &["once, within ten minutes"]);
    let link = Link::read(&run.stdout);
    assert!(link.name.ends_with(".localhost"), "{run}");
    assert_eq!(u64::from(link.port), port(&host));
    let (next, cookie) = link.press();
    assert_eq!(next, format!("/r/{id}"));
    assert_eq!(link.send("GET /devices", &cookie, "").0, 200);
    assert_eq!(link.send("POST /sign-in", "", &format!("code={}", link.code)).0, 410);

    let list = host.run(["token", "list"]).stdout;
    let device = list.lines().find(|line| line.contains("device, last used within the hour"));
    let device = device.unwrap_or_else(|| panic!("{list}")).split(' ').next().unwrap();
    assert_eq!(list.matches(" · device").count(), 1, "{list}");
    assert_eq!(host.run(["token", "revoke", device]).code(), 0);
    assert_eq!(link.send("GET /devices", &cookie, "").0, 401);
}

#[test]
fn without_a_desktop_and_over_ssh_the_link_is_printed() {
    let host = Host::start();
    let run = host.run(["open"]);
    assert_done(&run, &["there is no desktop here"]);
    assert_eq!(Link::read(&run.stdout).press().0, "/");

    let ssh = host
        .askwell
        .clone()
        .env("SSH_CONNECTION", "198.51.100.1 50000 203.0.113.7 2222")
        .env("DISPLAY", "localhost:10.0")
        .env("USER", "me");
    let port = port(&host);
    let tunnel = format!("ssh -N -L {port}:127.0.0.1:{port} -p 2222 me@203.0.113.7");
    let run = ssh.run(["open"]);
    assert_done(&run, &["over SSH", &tunnel]);
    Link::read(&run.stdout);

    let document = ssh.run(["open", "--format", "json"]).json();
    assert_eq!((&document["opened"], &document["tunnel"]), (&false.into(), &tunnel.into()));
    assert!(document["expiresAt"].is_i64());
    assert_eq!(Link::read(document["url"].as_str().unwrap()).press().0, "/");
}

/// The same with a desktop, on which links are opened by this script.
fn with_desktop(askwell: &TestEnvironment, script: &str) -> TestEnvironment {
    let path = askwell.root().join("bin/xdg-open");
    askwell.write(&path, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let search = std::env::var("PATH").unwrap();
    let search = format!("{}:{search}", path.parent().unwrap().display());
    askwell.clone().env("PATH", search).env("WAYLAND_DISPLAY", "wayland-0")
}

#[test]
fn on_a_desktop_the_browser_is_opened_and_gets_nothing_of_ours() {
    let host = Host::start();
    let folder = host.askwell.root();
    let seen = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let script = format!("cd {}; echo \"$1\" >url; env >env", folder.display());
    let desktop = with_desktop(&host.askwell, &script).env("ASKWELL_LOG", "warn");

    let run = desktop.run(["open"]);

    assert_done(&run, &["opened in the browser", "askwell open --print"]);
    assert_eq!(run.stdout, "");
    let chinese = desktop.clone().env("LC_ALL", "zh_CN.UTF-8");
    assert_done(&chinese.run(["open"]), &["已在浏览器中打开", "askwell open --print"]);
    assert_eq!(Link::read(&seen("url")).press().0, "/");
    assert!(!seen("env").contains("ASKWELL_LOG") && seen("env").contains("WAYLAND_DISPLAY"));
    let document = desktop.run(["open", "--format", "json"]).json();
    assert_eq!((&document["opened"], &document["tunnel"]), (&true.into(), &Value::Null));
    // It is opened nowhere else, whatever was asked for.
    fs::remove_file(folder.join("url")).unwrap();
    desktop.run(["open", "--print"]);
    assert!(!folder.join("url").exists());

    let broken = with_desktop(&host.askwell, "exit 3");
    let run = broken.run(["open"]);
    assert_done(&run, &["no browser could be opened", "xdg-open", "3"]);
    Link::read(&run.stdout);
    // One that stays for as long as the browser does.
    let lasting = with_desktop(&host.askwell, "exec sleep 20");
    assert_done(&lasting.run(["open"]), &["opened in the browser"]);
}

#[test]
fn a_host_is_started_for_it_and_a_request_has_to_be_there() {
    let here = askwell().env("ASKWELL_PORT", "0");
    let in_ci = here.clone().env("CI", "true");
    assert_refused(&in_ci.run(["open"]), 3, &["NO_PROVIDER", "askwell serve"]);
    assert_refused(&here.run(["open", "x"]), 2, &["is not the id of a request"]);
    assert_refused(&here.run(["open", "--phone", "--print"]), 2, &["--phone", "--print"]);

    let run = here.run(["open"]);

    assert_done(&run, &["no desktop"]);
    Link::read(&run.stdout).press();
    let unknown = "01a0c450-6c00-7bab-abab-abababababab";
    assert_refused(&here.run(["open", unknown]), 1, &["NOT_FOUND", unknown]);
    // Who reads the log of one in the background is not signed in by it.
    assert!(!here.run(["logs"]).stdout.contains("sign-in?code"));
    assert_eq!(here.run(["stop"]).code(), 0);
}

#[test]
fn for_a_phone_a_host_has_to_be_in_its_reach() {
    let askwell = askwell();
    let told = [
        "this machine only",
        "askwell serve --bind",
        "another terminal: askwell open --phone",
        "--public-url",
    ];
    assert_refused(&askwell.run(["open", "--phone"]), 1, &told);
    assert!(!askwell.state().join("askwell/askwell.db").exists());

    let host = Host::start_in(askwell);

    assert_refused(&host.run(["open", "--phone"]), 1, &told);
}

#[test]
fn a_phone_gets_a_code_and_its_owner_is_told_what_that_opens() {
    let behind_tls = Host::start_in(askwell().env("ASKWELL_PUBLIC_URL", "https://ask.example.com"));
    let run = behind_tls.run(["open", "--phone"]);
    assert_done(&run, &["https://ask.example.com", "every question and answer", "askwell token"]);
    assert!(!run.stderr.contains("without TLS"), "{run}");
    // The code is the last, so that it stays in view.
    let (link, code) = run.stdout.split_once('\n').unwrap();
    assert!(link.starts_with("https://ask.example.com/sign-in?code="), "{run}");
    assert!(code.lines().count() > 15 && code.contains('█') && !code.contains('\x1b'), "{run}");
    // On this machine it is the same address.
    assert!(behind_tls.run(["open"]).stdout.starts_with("https://ask.example.com/sign-in"));

    let in_the_open = Host::start_in(askwell().env("ASKWELL_BIND", "0.0.0.0"));
    let run = in_the_open.run(["open", "--phone", "--format", "json"]);
    if run.code() != 0 {
        // A machine without a network.
        assert_refused(&run, 1, &["--bind"]);
        return;
    }
    let document = run.json();
    assert_eq!(document["tls"], false);
    let link = Link::read(document["url"].as_str().unwrap());
    assert!(!link.name.contains("localhost") && link.name != "0.0.0.0", "{document}");
    // It is called by the address that the phone uses.
    assert_eq!(link.press().0, "/");
    assert_done(&in_the_open.run(["open", "--phone"]), &["HTTP without TLS", &link.name]);
}

#[test]
fn in_a_usual_terminal_the_code_is_whole_in_view() {
    let host = Host::start_in(askwell().env("ASKWELL_PUBLIC_URL", "https://ask.example.com"));
    let terminal = host.askwell.terminal(["open", "--phone"]).size(80, 24).spawn();

    terminal.wait_exit();

    let screen = terminal.screen();
    let is_code = |row: &&str| row.chars().filter(|it| "█▀▄".contains(*it)).count() > 8;
    let code: Vec<&str> = screen.lines().filter(is_code).collect();
    assert!((13..=23).contains(&code.len()), "{screen}");
    assert!(screen.contains("/sign-in?code="), "{screen}");
}

#[test]
fn who_opens_a_host_to_a_network_is_told_so() {
    let askwell = askwell().env("ASKWELL_PORT", "0").env("ASKWELL_BIND", "0.0.0.0");
    let terminal = askwell.terminal(["serve"]).size(200, 24).spawn();

    terminal.wait_until("it listens", |screen| screen.contains("Ctrl-C stops it"));

    let screen = terminal.screen();
    for told in ["listens on 0.0.0.0:", "every address of this machine", "others on the network"] {
        assert!(screen.contains(told), "{told:?}\n{screen}");
    }
    assert!(!screen.contains("listens on http://127.0.0.1"), "{screen}");
}

#[test]
fn in_a_terminal_the_host_says_how_to_sign_in() {
    let askwell = askwell().env("ASKWELL_PORT", "0");
    let terminal = askwell.terminal(["serve"]).size(200, 24).spawn();

    terminal.wait_until("the link is told", |screen| screen.contains("/sign-in?code="));
    let screen = terminal.screen();
    let line = screen.lines().find(|row| row.contains("/sign-in?code=")).unwrap();
    let link = Link::read(&line[line.find("http://").unwrap()..]);

    terminal.wait_until("it listens", |screen| screen.contains("Ctrl-C stops it"));
    assert_eq!(link.press().0, "/");
}
