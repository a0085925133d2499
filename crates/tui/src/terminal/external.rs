//! The person's own editor on the terminal while the dialog waits.
//!
//! It runs in our process group, which is the one in the foreground: Ctrl-Z stops both, and the
//! shell sees one job. Invariants: the text is in an owner-only file and nowhere else; what the
//! editor wrote is either taken or still there when it is closed.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use signal_hook::SigId;
use signal_hook::consts::SIGCHLD;

use crate::dialog::TextEditor;
use crate::editor;
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

/// What has become of the editor.
pub(super) enum Look {
    Open,
    /// It was stopped, and so should we be.
    Stopped,
    Closed(Result<String, EditorFault>),
}

impl External {
    /// Opens the editor on a text. The terminal has to be as a shell has it.
    pub(super) fn open(
        editor: &TextEditor,
        text: &str,
        limit: usize,
        waker: io::Result<OwnedFd>,
    ) -> Result<Self, EditorFault> {
        let failed = |error: io::Error| fault(EditorFaultKind::Start(error.to_string()));
        let watch = waker.and_then(|waker| {
            // Before it starts, so that its end is never missed.
            signal_hook::low_level::pipe::register(SIGCHLD, waker)
        });
        let watch = watch.map_err(failed)?;
        let opened = TextFile::write(&editor.folder, text).and_then(|file| {
            let process = start(editor, &file.path).inspect_err(|_| file.remove())?;
            Ok((file, process))
        });
        match opened {
            Ok((file, process)) => Ok(Self { process, file, limit, watch, until: None }),
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
                let ended = match (status.exit_status(), status.terminating_signal()) {
                    (Some(0), _) => Ok(()),
                    (Some(code), _) => Err(format!("exit status {code}")),
                    (None, signal) => Err(format!("signal {}", signal.unwrap_or_default())),
                };
                Look::Closed(self.file.take(ended, self.limit))
            }
            Ok(None) if self.until.is_some_and(|end| Instant::now() >= end) => {
                let kind = EditorFaultKind::Failed("still open".to_owned());
                Look::Closed(Err(EditorFault { kind, kept: Some(self.file.path.clone()) }))
            }
            Ok(None) => Look::Open,
            // Somebody else has waited for it.
            Err(_) => Look::Closed(self.file.take(Ok(()), self.limit)),
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

/// The file that the editor is given.
struct TextFile {
    path: PathBuf,
    /// What we wrote.
    begun: Vec<u8>,
}

impl TextFile {
    fn write(folder: &Path, text: &str) -> io::Result<Self> {
        let mut begun = text.as_bytes().to_vec();
        if !begun.is_empty() {
            // Editors end a last line that has no end; one newline is taken off again.
            begun.push(b'\n');
        }
        let (mut file, path) = make(folder)?;
        let made = Self { path, begun };
        file.write_all(&made.begun).inspect_err(|_| made.remove())?;
        Ok(made)
    }

    /// The text that the editor left, checked. The file goes, unless it holds what was not taken.
    fn take(&self, ended: Result<(), String>, limit: usize) -> Result<String, EditorFault> {
        let bytes = self.read(limit);
        let untouched = bytes.as_ref().is_ok_and(|bytes| *bytes == self.begun);
        let taken = ended.map_err(EditorFaultKind::Failed).and_then(|()| {
            let bytes = bytes.map_err(|error| EditorFaultKind::Unreadable(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| EditorFaultKind::NotText)?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let text = text.strip_suffix('\n').unwrap_or(text);
            let text = text.strip_suffix('\r').unwrap_or(text);
            editor::whole(text, limit).ok_or(EditorFaultKind::TooLong(limit))
        });
        match taken {
            Ok(text) => {
                self.remove();
                Ok(text)
            }
            Err(kind) if untouched => {
                self.remove();
                Err(fault(kind))
            }
            Err(kind) => {
                let kept = self.path.exists().then(|| self.path.clone());
                Err(EditorFault { kind, kept })
            }
        }
    }

    /// The bytes of the file: far more than the limit need not be read to know that they are.
    fn read(&self, limit: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // Every line end may be two bytes here.
        let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_mul(2).saturating_add(8);
        File::open(&self.path)?.take(most).read_to_end(&mut bytes)?;
        // A cut through a character is no other fault than the length.
        if bytes.len() as u64 == most {
            let whole = String::from_utf8_lossy(&bytes).into_owned();
            return Ok(whole.into_bytes());
        }
        Ok(bytes)
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// A new file of this user alone.
fn make(folder: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        number += 1;
        let path = folder.join(format!("edit-{}-{number}.txt", std::process::id()));
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match opened {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.is_dir() => {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            Err(error) => {
                return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
            }
        }
    }
}

fn fault(kind: EditorFaultKind) -> EditorFault {
    EditorFault { kind, kept: None }
}
