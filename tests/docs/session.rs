//! The shell of somebody who tries a page from its beginning to its end: a home of their own with
//! the program on the path, and everything that a block has set still there in the next one.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Screen, TestEnvironment, TestTerminal, deadline};

use super::page::root;
use crate::terminal::takes_keys;

/// What came of a block.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

pub struct Session {
    askwell: TestEnvironment,
    home: PathBuf,
}

impl Session {
    pub fn start() -> Self {
        let askwell = TestEnvironment::new(env!("CARGO_BIN_EXE_askwell"));
        let home = askwell.root().join("home");
        let folder = askwell.program().parent().unwrap().display().to_string();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
        let below = |name: &str| home.join(name).into_os_string();
        let askwell = askwell
            .env("PATH", path)
            .env("USER", "ann")
            .env("SHELL", "/bin/sh")
            .env("ASKWELL_PORT", "0")
            .env("XDG_STATE_HOME", below(".local/state"))
            .env("XDG_CONFIG_HOME", below(".config"));
        let session = Self { askwell, home };
        fs::create_dir_all(session.work()).unwrap();
        symlink(root().join("examples"), session.work().join("examples")).unwrap();
        for (name, example) in [
            ("request.json", "release.json"),
            ("release.json", "release.json"),
            ("recorded.json", "release.answers.json"),
        ] {
            fs::copy(root().join("examples").join(example), session.work().join(name)).unwrap();
        }
        session
    }

    pub fn askwell(&self) -> &TestEnvironment {
        &self.askwell
    }

    /// The folder in which the commands run.
    pub fn work(&self) -> PathBuf {
        self.home.join("askwell")
    }

    /// Writes a file; `~` is the home.
    pub fn write(&self, name: &str, text: &str) {
        let path = match name.strip_prefix("~/") {
            Some(name) => self.home.join(name),
            None => self.work().join(name),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs a block without a terminal.
    #[track_caller]
    pub fn run(&self, block: &str) -> Ran {
        let script = self.script(block);
        let file = |name: &str| File::create(self.askwell.root().join(name)).unwrap();
        let mut child = Command::new("setsid")
            .args(["--wait", "sh"])
            .arg(script)
            .env_clear()
            .envs(self.askwell.variables())
            .current_dir(self.work())
            .stdin(Stdio::null())
            // Files and no pipes: what a block leaves in the background keeps them open.
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .unwrap();
        let until = Instant::now() + deadline();
        let code = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code().unwrap_or(-1);
            }
            assert!(Instant::now() < until, "it never ends:\n{block}{}", self.printed("stderr"));
            thread::sleep(Duration::from_millis(2));
        };
        Ran { code, stdout: self.printed("stdout"), stderr: self.printed("stderr") }
    }

    /// Runs a block in a terminal, in which a person does these steps. What it has written to the
    /// terminal takes the place of standard error.
    #[track_caller]
    pub fn run_with_person(&self, block: &str, steps: &str) -> Ran {
        let script = self.script(block);
        let line = format!("sh {}", script.display());
        let terminal = self.askwell.shell(line).current_dir(self.work());
        let out = self.askwell.root().join("stdout");
        let terminal = terminal.stdout_to(&out).size(100, 30).spawn();
        let mut before: Option<Screen> = None;
        for step in steps.split(';') {
            let (text, keys) = step.split_once('→').unwrap();
            see(&terminal, text.trim(), before.as_ref());
            before = Some(terminal.picture());
            terminal.keys(keys.trim());
        }
        let code = terminal.wait_code();
        let written = String::from_utf8_lossy(&terminal.raw_output()).replace('\r', "");
        Ran { code, stdout: self.printed("stdout"), stderr: written }
    }

    /// Replaces what differs from one machine to the next by what the pages have.
    pub fn as_on_a_page(&self, text: &str) -> String {
        let program = self.askwell.program().to_str().unwrap();
        text.replace(program, "/home/ann/bin/askwell")
            .replace(self.home.to_str().unwrap(), "/home/ann")
    }

    fn printed(&self, name: &str) -> String {
        let printed = fs::read(self.askwell.root().join(name)).unwrap_or_default();
        self.as_on_a_page(&String::from_utf8_lossy(&printed))
    }

    /// The block between what the blocks before it have set and what the next one finds.
    fn script(&self, block: &str) -> PathBuf {
        let (script, kept) = (self.askwell.root().join("script"), self.askwell.root().join("kept"));
        let kept = kept.display();
        let text = format!(
            "set -a\n[ ! -e {kept} ] || . {kept}\ncd \"$PWD\"\n\
             trap 'status=$?; export -p > {kept}; exit $status' EXIT\n{block}"
        );
        fs::write(&script, text).unwrap();
        script
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.askwell.run(["stop"]));
    }
}

/// Waits until a person would see the text and may press keys: in a dialog, or at a prompt. A prompt that
/// reads as it did before the last keys is the same one for as long as nothing on the screen has changed.
#[track_caller]
fn see(terminal: &TestTerminal, text: &str, before: Option<&Screen>) {
    terminal.wait_until(text, |screen: &Screen| {
        let row = usize::from(screen.cursor.0);
        let was = before == Some(screen);
        let prompted = (screen.row(row).ends_with(text) && !was)
            || (screen.row(row.saturating_sub(1)).ends_with(text) && before.is_none());
        prompted || (screen.contains(text) && takes_keys(screen))
    });
}
