//! `askwell hook`: what an agent writes to its hook and reads from it, with a real host and a person by
//! script in between.

mod by_rule;
mod forms;
mod leaving;
mod questions;
mod when;

use std::fs::File;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::{Signal, TestEnvironment, deadline};
use pretty_assertions::assert_eq;
use rustix::process::{Pid, kill_process};
use serde_json::{Value, json};

use crate::host::Host;

/// What Claude Code writes for these questions.
fn asks(questions: Value) -> Value {
    json!({
        "session_id": "s-1", "transcript_path": "/none/t.jsonl", "cwd": "/home/kim/shop",
        "prompt_id": "p-1", "permission_mode": "default", "effort": {"level": "high"},
        "hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion", "tool_use_id": "toolu_1",
        "tool_input": {"questions": questions, "metadata": {"source": "remember"}},
    })
}

/// One choice, and several of three whose labels hold what joins and quotes.
fn two_questions() -> Value {
    json!([
        {"question": "Which framework?", "header": "Stack", "multiSelect": false, "options": [
            {"label": "React", "description": "known", "preview": "<App/>"},
            {"label": "Svelte", "description": "small"},
        ]},
        {"question": "Which parts?", "header": "Parts", "multiSelect": true, "options": [
            {"label": "Auth", "description": "who"},
            {"label": "Search, fast", "description": "what"},
            {"label": "The \"old\" one", "description": "as it is"},
        ]},
    ])
}

/// A host with a person who is elsewhere, so that hooks ask in its inbox.
fn elsewhere() -> Host {
    let host = Host::start();
    host.json(["elsewhere", "on", "--format", "json"]);
    host
}

/// A hook that waits.
struct Hook {
    child: Child,
}

impl Hook {
    /// Runs it with this input; variables beside those of the environment.
    fn start(askwell: &TestEnvironment, input: &Value, arguments: &[&str]) -> Self {
        let mut command = Command::new(askwell.program());
        command.args(["hook", "claude-code"]).args(arguments);
        // No other host takes the place of the test's own.
        command.env_clear().envs(askwell.variables()).env("CI", "true");
        command.current_dir(askwell.work());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        Self { child }
    }

    /// The same on this host, until its request waits; the request's id.
    #[track_caller]
    fn asking(host: &Host, input: &Value) -> (Self, String) {
        let before = host.waiting();
        let mut hook = Self::start(&host.askwell, input, &[]);
        let until = Instant::now() + deadline();
        loop {
            if let Some(id) = host.waiting().into_iter().find(|id| !before.contains(id)) {
                return (hook, id);
            }
            if hook.child.try_wait().unwrap().is_some() {
                panic!("never asked: {:?}", hook.output());
            }
            assert!(Instant::now() < until, "never asked");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Closes the end that reads what it prints.
    fn closes_stdout(&mut self) {
        drop(self.child.stdout.take());
    }

    /// Exit code, standard output and standard error at the end.
    #[track_caller]
    fn output(&mut self) -> (i32, String, String) {
        let until = Instant::now() + deadline();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < until, "never ended");
            thread::sleep(Duration::from_millis(5));
        };
        let read = |pipe: Option<&mut dyn std::io::Read>| {
            let mut text = String::new();
            pipe.map(|pipe| pipe.read_to_string(&mut text).unwrap());
            text
        };
        let out = read(self.child.stdout.as_mut().map(|pipe| pipe as _));
        let err = read(self.child.stderr.as_mut().map(|pipe| pipe as _));
        (status.code().unwrap_or(-1), out, err)
    }

    /// What it says to the agent.
    #[track_caller]
    fn says(mut self) -> Value {
        let (code, out, err) = self.output();
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let document = out.strip_suffix('\n').unwrap();
        assert!(!document.contains('\n'), "{out}");
        serde_json::from_str::<Value>(document).unwrap()["hookSpecificOutput"].take()
    }

    /// It has no opinion.
    #[track_caller]
    fn says_nothing(mut self) -> String {
        let (code, out, err) = self.output();
        assert_eq!((code, out.as_str()), (0, ""), "{err}");
        err
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The hook's input with the answers in it.
fn allowed(input: &Value, answers: Value) -> Value {
    let mut updated = input["tool_input"].clone();
    updated["answers"] = answers;
    json!({
        "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": updated,
    })
}

fn denied(reason: &str) -> Value {
    json!({
        "hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    })
}

/// A transcript whose last words these are.
fn transcript(askwell: &TestEnvironment, words: &str) -> String {
    let path = askwell.work().join("transcript.jsonl");
    let mut file = File::create(&path).unwrap();
    let content = json!([{"type": "text", "text": words}]);
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion"}]);
    for content in [content, call] {
        let said = json!({"type": "assistant", "message": {"id": "m", "content": content}});
        writeln!(file, "{said}").unwrap();
    }
    path.to_str().unwrap().to_owned()
}
