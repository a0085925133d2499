//! The person's own editor on the terminal while the dialog waits.
//!
//! It runs in our process group, which is the one in the foreground: Ctrl-Z stops both, and the
//! shell sees one job. Invariant: what the editor wrote is either taken or still there when it is
//! closed.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use signal_hook::SigId;
use signal_hook::consts::SIGCHLD;

use super::text_file::TextFile;
use crate::dialog::TextEditor;
use crate::event::{EditorFault, EditorFaultKind};

/// How long an editor that was told to end may take.
const LEAVE: Duration = Duration::from_secs(1);

/// An editor that is open.
pub(super) struct External {
    process: Pid,
    file: TextFile,
    limit: usize,
    /// Tells the loop that it has ended or stopped.
    watch: SigId,
    /// When it is left to itself.
    until: Option<Instant>,
}

/// What an editor is to be opened on.
pub(super) struct Wanted {
    pub(super) text: String,
    /// The most bytes that it may come back with.
    pub(super) limit: usize,
    /// What its file is called, but for what makes it the only one.
    pub(super) name: String,
}

/// What has become of the editor.
pub(super) enum Look {
    Open,
    /// It was stopped, and so should we be.
    Stopped,
    Closed {
        result: Result<String, EditorFault>,
        /// It can't have given the terminal back as it was.
        died: bool,
    },
}

impl External {
    /// Opens the editor on a text. The terminal has to be as a shell has it.
    pub(super) fn open(
        editor: &TextEditor,
        Wanted { text, limit, name }: &Wanted,
        waker: io::Result<OwnedFd>,
    ) -> Result<Self, EditorFault> {
        let failed = |error: io::Error| fault(EditorFaultKind::Start(error.to_string()));
        let watch = waker.and_then(|waker| {
            // Before it starts, so that its end is never missed.
            signal_hook::low_level::pipe::register(SIGCHLD, waker)
        });
        let watch = watch.map_err(failed)?;
        let opened = TextFile::write(&editor.folder, name, text).and_then(|file| {
            let process = start(editor, file.path()).inspect_err(|_| file.remove())?;
            Ok((file, process))
        });
        match opened {
            Ok((file, process)) => Ok(Self { process, file, limit: *limit, watch, until: None }),
            Err(error) => {
                signal_hook::low_level::unregister(watch);
                Err(failed(error))
            }
        }
    }

    /// How the editor stands.
    pub(super) fn look(&self) -> Look {
        let options = WaitOptions::NOHANG | WaitOptions::UNTRACED;
        match waitpid(Some(self.process), options) {
            Ok(Some((_, status))) if status.stopped() => Look::Stopped,
            Ok(Some((_, status))) => {
                let (ended, died) = match (status.exit_status(), status.terminating_signal()) {
                    (Some(0), _) => (Ok(()), false),
                    // A shell in between says so of a signal.
                    (Some(code), _) => (Err(format!("exit status {code}")), code > 128),
                    (None, signal) => (Err(format!("signal {}", signal.unwrap_or_default())), true),
                };
                Look::Closed { result: self.file.take(ended, self.limit), died }
            }
            Ok(None) if self.until.is_some_and(|end| Instant::now() >= end) => {
                let kind = EditorFaultKind::Failed("still open".to_owned());
                let kept = Some(self.file.path().to_owned());
                Look::Closed { result: Err(EditorFault { kind, kept }), died: true }
            }
            Ok(None) => Look::Open,
            // Somebody else has waited for it.
            Err(_) => Look::Closed { result: self.file.take(Ok(()), self.limit), died: false },
        }
    }

    /// Tells it to end.
    pub(super) fn close(&mut self) {
        if self.until.is_none() {
            self.until = Instant::now().checked_add(LEAVE);
            let _ = kill_process(self.process, Signal::TERM);
            self.go_on();
        }
    }

    /// Lets it go on after it was stopped.
    pub(super) fn go_on(&self) {
        let _ = kill_process(self.process, Signal::CONT);
    }

    /// The time until it is left to itself.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.until.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

impl Drop for External {
    fn drop(&mut self) {
        signal_hook::low_level::unregister(self.watch);
    }
}

/// Starts it by the shell, which knows how to read a command with arguments.
fn start(editor: &TextEditor, path: &Path) -> io::Result<Pid> {
    // One of our own: the dialog's does not block, which would be the editor's too.
    let tty = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    // The shell gives way to it, so that signals are the editor's; `env` takes variables before it.
    let mut line = OsString::from("exec env ");
    line.push(&editor.command);
    line.push(r#" "$@""#);
    let child = Command::new("/bin/sh")
        .arg("-c")
        .arg(line)
        .arg(&editor.command)
        .arg(path)
        .stdin(tty.try_clone()?)
        .stdout(tty.try_clone()?)
        .stderr(tty)
        .spawn()?;
    i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .ok_or_else(|| io::Error::other("it has no process id"))
}

pub(super) fn fault(kind: EditorFaultKind) -> EditorFault {
    EditorFault { kind, kept: None }
}
