//! Telling outside: real hosts, programs that write down what they are told, and a service that does
//! what a test wants.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::starting::Background;
use super::{Host, R1, R2, askwell, takes_keys};

/// A post that was made.
#[derive(Debug, Clone, PartialEq)]
struct Post {
    path: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Post {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    fn document(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A service on this machine. It answers with these, one after the other, and then 200; or never.
struct Service {
    port: u16,
    posts: Arc<(Mutex<Vec<Post>>, Condvar)>,
}

impl Service {
    fn start() -> Self {
        Self::answering(&[])
    }

    fn answering(statuses: &'static [u16]) -> Self {
        Self::with(statuses, false)
    }

    /// It takes what is posted and never answers.
    fn hanging() -> Self {
        Self::with(&[], true)
    }

    fn with(statuses: &'static [u16], hangs: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let posts = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let taken = Arc::clone(&posts);
        thread::spawn(move || {
            let mut statuses = statuses.iter().copied();
            let mut held = Vec::new();
            for mut stream in listener.incoming().map_while(Result::ok) {
                let Some(post) = read_post(&stream) else { continue };
                taken.0.lock().unwrap().push(post);
                taken.1.notify_all();
                if hangs {
                    held.push(stream);
                    continue;
                }
                let status = statuses.next().unwrap_or(200);
                let head = format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n");
                let _ = stream.write_all(head.as_bytes());
            }
        });
        Self { port, posts }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// All posts, once there are so many.
    #[track_caller]
    fn wait_for(&self, count: usize) -> Vec<Post> {
        let (posts, more) = &*self.posts;
        let posts = posts.lock().unwrap();
        let (posts, waited) =
            more.wait_timeout_while(posts, deadline(), |posts| posts.len() < count).unwrap();
        assert!(!waited.timed_out(), "{count} posts never came: {posts:#?}");
        posts.clone()
    }
}

fn read_post(stream: &TcpStream) -> Option<Post> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(Some(0), |(_, length)| length.parse().ok())?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Post { path, headers, body: String::from_utf8(body).ok()? })
}

/// A program that writes down what it is told, each time into a file of its own.
struct Told(TestEnvironment);

impl Told {
    /// And then does this.
    fn then(askwell: &TestEnvironment, rest: &str) -> (Self, PathBuf) {
        let script = format!(
            "#!/bin/sh\ncd '{}'\nfor argument; do echo \"argument=$argument\"; done > told.$$\n\
             env | grep '^ASKWELL_[NO]' | sort >> told.$$\ncat >> told.$$\nmv told.$$ told-$$\n{rest}\n",
            askwell.work().display()
        );
        let path = askwell.write("tell.sh", script);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        (Self(askwell.clone()), path)
    }

    fn by(askwell: &TestEnvironment) -> (Self, PathBuf) {
        Self::then(askwell, "")
    }

    /// What it was told, once it was told so often.
    #[track_caller]
    fn wait_for(&self, count: usize) -> Vec<String> {
        let files = self.files(count);
        files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    }

    /// The process that was told, once one was.
    #[track_caller]
    fn process(&self) -> Pid {
        let file = self.files(1).remove(0);
        let (_, pid) = file.to_str().unwrap().rsplit_once('-').unwrap();
        Pid::from_raw(pid.parse().unwrap()).unwrap()
    }

    #[track_caller]
    fn files(&self, count: usize) -> Vec<PathBuf> {
        let until = Instant::now() + deadline();
        loop {
            let files = fs::read_dir(self.0.work()).unwrap().map(|it| it.unwrap().path());
            let told: Vec<_> = files.filter(|it| it.to_string_lossy().contains("/told-")).collect();
            if told.len() >= count {
                return told;
            }
            assert!(Instant::now() < until, "{count} never told: {told:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Everything at once, without the desktop of whoever runs the tests.
fn at_once() -> TestEnvironment {
    askwell().env("ASKWELL_NOTIFY_DELAY", "0").env("ASKWELL_NOTIFY_DESKTOP", "false")
}

fn ids(post: &Post) -> Vec<String> {
    let requests = post.document()["requests"].as_array().unwrap().clone();
    requests.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

/// HMAC as RFC 2104 has it.
fn hmac(secret: &[u8], text: &[u8]) -> String {
    let mut key = [0; 64];
    key[..secret.len()].copy_from_slice(secret);
    let with = |pad: u8| key.map(|byte| byte ^ pad);
    let inner = Sha256::new().chain_update(with(0x36)).chain_update(text).finalize();
    let outer = Sha256::new().chain_update(with(0x5c)).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Asserts that a post is signed with this secret.
#[track_caller]
fn assert_signed(post: &Post, secret: &str) {
    let signature = post.header("askwell-signature").unwrap();
    let time = signature.split(',').next().unwrap().strip_prefix("t=").unwrap();
    let expected = hmac(secret.as_bytes(), format!("{time}.{}", post.body).as_bytes());
    assert_eq!(signature, format!("t={time},v1={expected}"));
}

#[test]
fn b074_what_nobody_watches_is_told_once_by_each_way_and_never_again_after_a_restart() {
    let service = Service::start();
    let askwell = at_once()
        .env("ASKWELL_NOTIFY_WEBHOOK", service.url("/hook"))
        .env("ASKWELL_NOTIFY_NTFY", service.url("/topic"))
        .env("ASKWELL_NOTIFY_NTFY_TOKEN", "tk_1")
        // What is on this machine needs none.
        .env("HTTPS_PROXY", "http://127.0.0.1:9");
    let (told, script) = Told::by(&askwell);
    let host = Host::start_in(askwell.env("ASKWELL_NOTIFY_COMMAND", script));

    let first = host.post(R1);
    let (posts, by_command) = (service.wait_for(2), told.wait_for(1));

    let link = host.show(&first)["request"]["url"].as_str().unwrap().to_owned();
    let hook = posts.iter().find(|post| post.path == "/hook").unwrap();
    assert_eq!((hook.document()["count"].clone(), ids(hook)), (json!(1), vec![first.clone()]));
    assert_eq!(hook.document()["link"], json!(link));
    let secret = fs::read_to_string(host.askwell.state().join("askwell/webhook-secret")).unwrap();
    assert_signed(hook, secret.trim());
    let topic = posts.iter().find(|post| post.path == "/topic").unwrap();
    assert_eq!(topic.body, "A question waits for you.");
    let headers =
        ["title", "click", "priority", "authorization"].map(|it| topic.header(it).unwrap());
    assert_eq!(headers, ["local asks", &link, "default", "Bearer tk_1"]);
    let variables = [
        "ASKWELL_NOTICE_ASKER=local".to_owned(),
        "ASKWELL_NOTICE_COUNT=1".to_owned(),
        format!("ASKWELL_NOTICE_ID={first}"),
        format!("ASKWELL_NOTICE_LINK={link}"),
        "ASKWELL_NOTICE_TITLE=local asks".to_owned(),
    ];
    for variable in variables {
        assert!(by_command[0].lines().any(|line| line == variable), "{variable}: {by_command:?}");
    }
    assert!(!by_command[0].contains("tk_1"), "{by_command:?}");
    assert_eq!(by_command[0].lines().last(), Some(hook.body.as_str()));

    let host = host.stopped_and_started_again();
    let second = host.post(R2);

    let posts = service.wait_for(4);
    let hooks: Vec<_> = posts.iter().filter(|post| post.path == "/hook").map(ids).collect();
    assert_eq!(hooks, [vec![first], vec![second]]);
    told.wait_for(2);
    // The text of a question is in none of it.
    let everything = format!("{posts:?}{by_command:?}");
    assert!(!everything.contains("Which"), "{everything}");
}

#[test]
fn a_host_in_the_background_tells_by_the_proxy_of_who_started_it() {
    let proxy = Service::start();
    let here = at_once().env("ASKWELL_PORT", "0").env("HTTPS_PROXY", proxy.url(""));
    let here = Background(here.env("ASKWELL_NOTIFY_WEBHOOK", "http://hooks.example.com/hook"));

    let run = here.0.run(["ask", "r1.json", "--detach"]);

    assert_eq!(run.code(), 0, "{run}");
    assert_eq!(proxy.wait_for(1)[0].path, "hooks.example.com:80");
}

#[test]
fn b074_what_was_not_told_when_the_host_was_killed_is_told_by_the_next_one() {
    let service = Service::start();
    let askwell = at_once().env("ASKWELL_NOTIFY_WEBHOOK", service.url("/hook"));
    let host = Host::start_in(askwell.clone().env("ASKWELL_NOTIFY_DELAY", "1h"));
    let id = host.post(R1);
    host.kills();
    let Host { mut program, .. } = host;
    program.wait();

    let host = Host::start_in(askwell);

    assert_eq!(ids(&service.wait_for(1)[0]), [id.as_str()]);
    assert_eq!(host.waiting(), [id]);
}

#[test]
fn b074_an_open_inbox_is_told_by_its_bell_and_nobody_else_is_told() {
    let service = Service::start();
    let askwell = at_once().env("ASKWELL_NOTIFY_WEBHOOK", service.url("/hook"));
    let host = Host::start_in(askwell);
    let terminal = host.askwell.terminal(["inbox"]).spawn();
    terminal.wait_for("Nothing waits for you").wait_ready(takes_keys);
    assert!(!terminal.raw_output().contains(&7));

    let first = host.post(R1);
    terminal.wait_for("Which database?").wait_ready(takes_keys);
    terminal.keys("q");
    assert_eq!(terminal.wait_code(), 0);
    let rings = terminal.raw_output().iter().filter(|byte| **byte == 7).count();
    assert_eq!(rings, 1);

    // Whoever left has seen the first one; the second is told.
    let until = Instant::now() + deadline();
    while host.show(&first)["request"]["watching"] != json!(0) {
        assert!(Instant::now() < until, "the inbox watches on");
        thread::sleep(Duration::from_millis(5));
    }
    let second = host.post(R2);
    assert_eq!(ids(&service.wait_for(1)[0]), [second]);
}

#[test]
fn b127_the_bell_can_be_left_out() {
    let host = Host::start();
    let terminal = host.askwell.terminal(["inbox", "--no-bell"]).spawn();
    terminal.wait_for("Nothing waits for you");

    host.post(R1);

    terminal.wait_for("Which database?");
    assert!(!terminal.raw_output().contains(&7));
}

#[test]
fn b074_what_hangs_or_fails_delays_nobody_and_ends_with_the_host() {
    let (hangs, fails) = (Service::hanging(), Service::answering(&[500, 404]));
    let askwell = at_once()
        .env("ASKWELL_NOTIFY_WEBHOOK", hangs.url("/hook"))
        .env("ASKWELL_NOTIFY_NTFY", fails.url("/topic"));
    let (told, script) = Told::then(&askwell, "sleep 600");
    let host = Host::start_in(askwell.env("ASKWELL_NOTIFY_COMMAND", script));
    let (asking, id) = host.asking(R1, &[]);
    hangs.wait_for(1);
    fails.wait_for(1);
    let process = told.process();

    // All three are at it, and the question is asked and answered.
    assert_eq!(host.run(["answer", &id, "--select", "SQLite"]).code(), 0);
    assert_eq!(asking.outcome().0, Some(0));

    let Host { mut program, .. } = host;
    program.signal(Signal::TERM);
    assert_eq!(program.wait(), Some(0));
    let until = Instant::now() + deadline();
    while test_kill_process(process).is_ok() {
        assert!(Instant::now() < until, "the program lives on");
        thread::sleep(Duration::from_millis(5));
    }
    let log = program.rest();
    assert!(log.contains("not told yet") && log.contains("it answers 500"), "{log}");
    assert!(!log.contains("Which") && !log.contains("/topic"), "{log}");
}

#[test]
fn b074_a_service_that_is_busy_is_tried_again_and_told_only_while_the_request_waits() {
    let service = Service::answering(&[503]);
    let host = Host::start_in(at_once().env("ASKWELL_NOTIFY_WEBHOOK", service.url("/hook")));

    let id = host.post(R1);

    let posts = service.wait_for(2);
    let delivery = |post: &Post| post.header("askwell-delivery").unwrap().to_owned();
    assert_eq!(delivery(&posts[0]), delivery(&posts[1]));
    assert_eq!((ids(&posts[0]), ids(&posts[1])), (vec![id.clone()], vec![id]));
}

#[test]
fn b127_the_text_of_a_hostile_asker_is_plain_text_everywhere() {
    let service = Service::start();
    let askwell = at_once()
        .env("ASKWELL_NOTIFY_NTFY", service.url("/topic"))
        .env("ASKWELL_NOTIFY_TEXT", "true");
    let (told, script) = Told::by(&askwell);
    let command = json!([script, "$(id)", "two words"]).to_string();
    let host = Host::start_in(askwell.env("ASKWELL_NOTIFY_COMMAND", command));
    let hostile = "\u{7}\u{1b}]9;x\u{1b}\\;\r\nX-Evil: 1\"'`$(id)";
    let request = json!({
        "questions": [{"id": "q", "question": format!("Ship it?{hostile}")}],
        "asker": {"name": format!("codex{hostile}")},
    });

    host.post(&request.to_string());

    let by_command = told.wait_for(1).remove(0);
    let lines: Vec<&str> = by_command.lines().collect();
    assert_eq!(lines[..2], ["argument=$(id)", "argument=two words"]);
    assert!(!by_command.contains(|c: char| c.is_control() && c != '\n'), "{by_command:?}");
    let text = lines.iter().find_map(|it| it.strip_prefix("ASKWELL_NOTICE_TEXT=")).unwrap();
    assert!(text.starts_with("Ship it?") && text.ends_with("$(id)"), "{text:?}");
    let topic = service.wait_for(1).remove(0);
    assert!(topic.body.starts_with("Ship it?") && topic.header("x-evil").is_none(), "{topic:?}");
    assert!(topic.header("title").unwrap().starts_with("=?UTF-8?B?"), "{topic:?}");
    let Host { mut program, .. } = host;
    program.signal(Signal::TERM);
    program.wait();
    let log = program.rest();
    assert!(!log.contains("Ship it?"), "{log}");
}

#[test]
fn every_end_is_told_once_to_what_wakes_the_agent() {
    let service = Service::start();
    let askwell = at_once().env("ASKWELL_OUTCOME_WEBHOOK", service.url("/out"));
    let (told, script) = Told::by(&askwell);
    let host = Host::start_in(
        askwell.env("ASKWELL_ON_OUTCOME", script).env("ASKWELL_WEBHOOK_SECRET", "between us"),
    );
    let of_agent = R1.replacen('{', r#"{"asker":{"name":"codex","session":"s-1","cwd":"/w"},"#, 1);
    let answered = host.post(&of_agent);
    let (waits, cancelled) = host.asking(R2, &[]);
    let aborted = host.post(R1);
    let expired = host.post(&R1.replacen('{', r#"{"expiresInSeconds":1,"#, 1));

    host.run(["answer", &answered, "--select", "SQLite"]);
    host.run(["cancel", &cancelled, "--comment", "a secret comment"]);
    host.run(["abort", &aborted]);
    let posts = service.wait_for(4);
    let commands = told.wait_for(4);

    let of = |id: &str| posts.iter().find(|post| post.document()["id"] == id).unwrap().document();
    let ends = [
        (&answered, "answered", false),
        (&cancelled, "cancelled", true),
        (&aborted, "aborted", false),
        (&expired, "expired", false),
    ];
    for (id, state, attended) in ends {
        assert_eq!(
            (of(id)["state"].clone(), of(id)["attended"].clone()),
            (json!(state), json!(attended))
        );
        let variables = [
            format!("ASKWELL_OUTCOME_ID={id}"),
            format!("ASKWELL_OUTCOME_STATE={state}"),
            format!("ASKWELL_OUTCOME_ATTENDED={attended}"),
        ];
        let is_told =
            |told: &&String| variables.iter().all(|it| told.lines().any(|line| line == it));
        assert_eq!(commands.iter().filter(is_told).count(), 1, "{id} {state}: {commands:#?}");
    }
    let asker = json!({"credential": "local", "name": "codex", "session": "s-1", "cwd": "/w"});
    assert_eq!(of(&answered)["asker"], asker);
    posts.iter().for_each(|post| assert_signed(post, "between us"));
    let everything = format!("{posts:?}{commands:?}");
    for secret in ["SQLite", "a secret comment", "Which", "between us"] {
        assert!(!everything.contains(secret), "{secret} is in {everything}");
    }
    assert_eq!(waits.outcome().0, Some(130));

    let host = host.stopped_and_started_again();
    let last = host.post(R1);
    host.run(["abort", &last]);
    let posts = service.wait_for(5);
    assert_eq!(posts[4].document()["id"], json!(last));
    assert_eq!(told.wait_for(5).len(), 5);
}

#[test]
fn notices_are_tried_by_hand_and_no_secret_is_shown() {
    let service = Service::answering(&[200, 401]);
    let askwell = at_once()
        .env("ASKWELL_NOTIFY_WEBHOOK", service.url("/secret-path"))
        .env("ASKWELL_NOTIFY_NTFY", service.url("/secret-topic"))
        .env("ASKWELL_NOTIFY_NTFY_TOKEN", "tk_secret")
        .env("ASKWELL_WEBHOOK_SECRET", "top_secret")
        .env("ASKWELL_NOTIFY_COMMAND", "sh -c false");

    let run = askwell.run(["notify", "test"]);
    assert_eq!(run.code(), 1, "{run}");
    assert!(run.stdout.contains("WRONG command  sh: it ended badly"), "{run}");
    assert!(run.stdout.contains("/…: it answers 200"), "{run}");
    assert!(run.stdout.contains("it answers 401: it refuses us"), "{run}");
    assert!(run.stdout.contains("hint: look at the token or the secret"), "{run}");
    assert_eq!(service.wait_for(2)[0].document()["type"], json!("test"));

    let shown = [askwell.run(["config", "show"]), askwell.run(["doctor"]), run];
    for run in &shown {
        assert!(
            !run.to_string().contains("secret-") && !run.to_string().contains("_secret"),
            "{run}"
        );
    }
    let [config, doctor, _] = &shown;
    assert!(config.stdout.contains("notify.ntfy-token = (set)"), "{config}");
    assert!(doctor.stdout.contains("command: sh; webhook: http://127.0.0.1:"), "{doctor}");

    let none = at_once().run(["notify", "test"]);
    assert_eq!((none.code(), none.stdout.as_str()), (1, ""), "{none}");
    assert!(none.stderr.contains("nothing is set by which you could be told"), "{none}");
}

#[test]
fn a_setting_of_notices_that_does_not_fit_says_where_it_comes_from() {
    let askwell = askwell();
    let file = askwell.root().join("config/askwell/config.toml");
    for (text, told) in [
        (
            "[notify]\nwebhook = \"ftp://x\"",
            "notify.webhook is \"ftp://x\", which is not an address",
        ),
        ("[notify]\ncommand = []", "notify.command is \"[]\", which is not a program"),
        ("[notify]\nbel = true", "sets \"notify.bel\", which is no setting"),
        ("[outcome]\ntime-limit = \"soon\"", "outcome.time-limit is \"soon\""),
        ("notify = true", "sets \"notify\", which is no setting"),
    ] {
        askwell.write(&file, text);
        let run = askwell.run(["config", "show"]);
        assert_eq!(run.code(), 2, "{text}: {run}");
        assert!(run.stderr.contains(told), "{text}: {run}");
    }
    askwell.write(&file, "[notify]\ncommand = [\"tell\", \"two words\"]\ntext = true");
    let run = askwell.run(["config", "show"]);
    assert!(run.stdout.contains("notify.command = [\"tell\",\"two words\"]  (file)"), "{run}");
    assert!(run.stdout.contains("notify.text = true  (file)"), "{run}");
}
