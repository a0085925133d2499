//! What happens on the stage, a line a step.

use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::process::{Child, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use askwell::inbox::wire::{NewSignIn, RequestId, Role};
use askwell::messages::{Lang, Messages};
use askwell::text::wrap;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::agent::Agent;
use super::enter;
use super::stage::Stage;
use crate::cli::open;
use crate::report::{self, Exit, Failure};
use crate::settings::DialogSettings;

fn script(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("en.json"),
        Lang::Zh => include_str!("zh.json"),
    }
}

/// How long a person sees that what is on the screen was answered elsewhere.
const SEEN: Duration = Duration::from_millis(1500);

/// How long the host stays for a browser that has just sent the last answer, and is yet to show that.
const LINGERS: Duration = Duration::from_secs(3);

/// One performance.
pub struct Play<'a> {
    /// Where.
    pub stage: &'a Stage,
    /// The words.
    pub messages: Messages,
    /// How the dialog is shown.
    pub dialog: DialogSettings,
    /// Whether a browser may be opened.
    pub opens: bool,
}

/// What the play waits for.
enum Happening {
    /// The agent has got something.
    Got(Result<Value, Failure>),
    /// The dialog has closed.
    Closed(io::Result<Output>),
    /// The dialog had its time to see how it ended, and close.
    Late,
    /// The person pressed Enter, where the play told of it.
    Enter,
    /// The person wants it to end.
    Signal(i32),
}

/// What the agent has received, and whether it was answered in this terminal.
struct Got {
    answer: Value,
    here: bool,
}

/// The agent, on a thread of its own.
struct Asking {
    requests: Sender<Value>,
}

impl Play<'_> {
    /// Plays it to its end.
    pub fn run(&self) -> Result<Exit, Failure> {
        let script = serde_json::from_str::<Value>(script(self.messages.lang()))
            .map_err(|error| Failure::new(Exit::Failure, format!("the demo's script: {error}")))?;
        self.tell("demo-host", [])?;
        let (tell, happenings) = channel();
        listen_for_signals(tell.clone())?;

        let mut agent = Agent::start(self.stage.command())?;
        let tools = agent.tools()?.join(", ");
        self.tell("demo-agent", [("tools", tools)])?;
        let asking = Asking::start(agent, tell.clone())?;

        let (mut shown, mut was_here) = (false, false);
        for (act, step) in script["acts"].as_array().into_iter().flatten().zip([4, 6]) {
            let request = &act["request"];
            self.say(act["step"].as_str().unwrap_or_default())?;
            asking.ask(request.clone());
            let id = self.stage.waiting()?;
            if !shown {
                self.show_link(id)?;
                shown = true;
            }
            match self.wait(id, &tell, &happenings)? {
                Ok(got) => {
                    self.tell("demo-got", [("step", step.to_string())])?;
                    report::deliver_to_reader(&received(&got.answer))?;
                    was_here = got.here;
                }
                Err(signal) => {
                    // Below the ^C of the terminal.
                    if io::stdout().is_terminal() {
                        report::deliver_to_reader(b"\n")?;
                    }
                    self.tell("demo-ended", [])?;
                    return Ok(match signal {
                        SIGINT => Exit::Cancelled,
                        _ => Exit::Aborted,
                    });
                }
            }
        }
        self.tell("demo-next", [])?;
        if !was_here {
            thread::sleep(LINGERS);
        }
        Ok(Exit::Success)
    }

    /// Where the request is in a browser.
    fn show_link(&self, id: RequestId) -> Result<(), Failure> {
        let new = NewSignIn { next: Some(format!("/r/{id}")), ..NewSignIn::default() };
        let link = self.stage.client(Role::Answerer).sign_in(&new)?;
        if let Some(url) = &link.elsewhere_url {
            return open::phone::show(url);
        }
        let url = open::browser::reachable(&link.url);
        let opened = self.opens && open::browser::open(&url).is_ok();
        self.tell(if opened { "demo-opened" } else { "demo-link" }, [])?;
        report::deliver_to_reader(&report::plain_lines(&[format!("   {url}")]))?;
        match open::browser::tunnel(&url) {
            Some(tunnel) => self.tell("demo-tunnel", [("command", tunnel)]),
            None => Ok(()),
        }
    }

    /// Waits for the answer, here or elsewhere; the signal where it is to end.
    fn wait(
        &self,
        id: RequestId,
        tell: &Sender<Happening>,
        happenings: &Receiver<Happening>,
    ) -> Result<Result<Got, i32>, Failure> {
        let has_terminal = askwell_tui::check_terminal().is_ok();
        let mut dialog = match has_terminal {
            true => Some(self.open_dialog(id, tell)?),
            false => {
                self.tell("demo-waits", [])?;
                None
            }
        };
        let (mut got, mut here) = (None, false);
        let mut waiting = None;
        loop {
            match happenings.recv() {
                Ok(Happening::Got(Ok(answer))) => {
                    got = Some(answer);
                    // One that shows an answer from the browser waits for a key.
                    let tell = tell.clone();
                    thread::spawn(move || {
                        thread::sleep(SEEN);
                        tell.send(Happening::Late)
                    });
                }
                Ok(Happening::Late) => {
                    if got.is_some() {
                        close(dialog.take(), happenings);
                    }
                }
                Ok(Happening::Got(Err(failure))) => {
                    close(dialog, happenings);
                    return Err(failure);
                }
                Ok(Happening::Closed(closed)) => {
                    dialog = None;
                    let closed = closed.map_err(|error| failed_dialog(&error))?;
                    here = closed.status.success();
                    self.after_dialog(&closed)?;
                    if got.is_none() && closed.status.code() == Some(Exit::Pending as i32) {
                        self.tell("demo-left", [])?;
                        let tell = tell.clone();
                        // Without it there is still the browser.
                        waiting = enter::wait(move || drop(tell.send(Happening::Enter))).ok();
                    }
                }
                Ok(Happening::Enter) => {
                    waiting = None;
                    dialog = Some(self.open_dialog(id, tell)?);
                }
                // Ctrl-C beside plain lines is for them.
                Ok(Happening::Signal(SIGINT)) if dialog.is_some() => {}
                Ok(Happening::Signal(signal)) => {
                    close(dialog, happenings);
                    return Ok(Err(signal));
                }
                Err(_) => return Ok(Err(SIGTERM)),
            }
            if dialog.is_none()
                && let Some(answer) = got.take()
            {
                drop(waiting);
                return Ok(Ok(Got { answer, here }));
            }
        }
    }

    /// The dialog in this terminal, as `askwell answer` shows it.
    fn open_dialog(&self, id: RequestId, tell: &Sender<Happening>) -> Result<Pid, Failure> {
        let mut command = self.stage.command();
        command.args([
            "answer",
            &id.to_string(),
            "--in-place",
            "--lang",
            self.messages.lang().tag(),
        ]);
        command.args(self.dialog.plain.then_some("--plain"));
        command.args(self.dialog.no_mouse.then_some("--no-mouse"));
        let dialog =
            command.stderr(Stdio::piped()).spawn().map_err(|error| failed_dialog(&error))?;
        let pid = i32::try_from(dialog.id()).ok().and_then(Pid::from_raw);
        let tell = tell.clone();
        let waiting = move |dialog: Child| tell.send(Happening::Closed(dialog.wait_with_output()));
        let thread = thread::Builder::new().name("dialog".into());
        thread.spawn(move || waiting(dialog)).map_err(|error| failed_dialog(&error))?;
        pid.ok_or_else(|| failed_dialog(&"no process"))
    }

    /// What went wrong with it, where something did.
    fn after_dialog(&self, closed: &Output) -> Result<(), Failure> {
        match closed.status.code() {
            Some(1..=3) => {
                report::deliver_to_reader(&closed.stderr)?;
                self.tell("demo-waits", [])
            }
            _ => Ok(()),
        }
    }

    fn tell<const N: usize>(
        &self,
        id: &str,
        with: [(&'static str, String); N],
    ) -> Result<(), Failure> {
        self.say(&self.messages.with(id, with.map(|(name, value)| (name, value.into()))))
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        let columns = open::qr::Screen::of_stdout().columns.unwrap_or(usize::MAX);
        let rows: Vec<String> =
            wrap(text, columns).iter().map(|row| row.text(text).to_owned()).collect();
        report::deliver_to_reader(&report::plain_lines(&rows))
    }
}

/// Ends the dialog, which gives the terminal back, and waits until it has.
fn close(dialog: Option<Pid>, happenings: &Receiver<Happening>) {
    if let Some(pid) = dialog {
        // One that is gone is what is wanted.
        let _ = kill_process(pid, Signal::TERM);
        while !matches!(happenings.recv(), Ok(Happening::Closed(_)) | Err(_)) {}
    }
}

impl Asking {
    fn start(mut agent: Agent, tell: Sender<Happening>) -> Result<Self, Failure> {
        let (requests, asked) = channel::<Value>();
        let thread = thread::Builder::new().name("agent".into());
        let asks = move || {
            for request in asked {
                if tell.send(Happening::Got(agent.ask(&request))).is_err() {
                    return;
                }
            }
        };
        thread.spawn(asks).map_err(|error| {
            Failure::new(Exit::Failure, format!("the agent can't be played: {error}"))
        })?;
        Ok(Self { requests })
    }

    fn ask(&self, request: Value) {
        // Its thread is there as long as this is.
        let _ = self.requests.send(request);
    }
}

/// What the model got, an answer a line.
fn received(got: &Value) -> Vec<u8> {
    let Some(answers) = got["answers"].as_array() else {
        return [b"   ", &*report::json_line(got)].concat();
    };
    let lines: Vec<Vec<u8>> = answers
        .iter()
        .map(|answer| [b"     ", report::json_line(answer).trim_ascii_end()].concat())
        .collect();
    [b"   {\"answers\":[\n", &*lines.join(&b",\n"[..]), b"\n   ]}\n"].concat()
}

fn listen_for_signals(tell: Sender<Happening>) -> Result<(), Failure> {
    let failed =
        |error: io::Error| Failure::new(Exit::Failure, format!("signals can't be caught: {error}"));
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(failed)?;
    let tells = move || {
        for signal in signals.forever() {
            if tell.send(Happening::Signal(signal)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".into()).spawn(tells).map(drop).map_err(failed)
}

fn failed_dialog(why: &dyn Display) -> Failure {
    Failure::new(Exit::Failure, format!("the dialog can't be shown: {why}"))
}
