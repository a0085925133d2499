//! The person's own editor beside a machine that waits for it: opening it when it is wanted, and what
//! happens until it is closed. Drawn or by lines, it is the same.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

use super::Session;
use super::external::{External, Look, Wanted};
use crate::dialog::TextEditor;
use crate::event::{EditorFault, EditorFaultKind, Effect, Event};
use crate::inbox::InboxEffect;

/// An effect that may be for the editor.
pub(super) trait ForEditor {
    /// What it is of a dialog's.
    fn of_dialog(&self) -> Option<&Effect>;
}

impl ForEditor for Effect {
    fn of_dialog(&self) -> Option<&Effect> {
        Some(self)
    }
}

impl ForEditor for InboxEffect {
    fn of_dialog(&self) -> Option<&Effect> {
        match self {
            Self::Dialog(_, effect) => Some(effect),
            _ => None,
        }
    }
}

/// The editor of a terminal, open or not.
#[derive(Default)]
pub(super) struct Editing {
    external: Option<External>,
    /// What it is to be opened on.
    wanted: Option<Wanted>,
    /// What a signal said while it was open: it is closed first.
    held: Vec<Event>,
    /// Files with what it wrote and the dialog could not take.
    pub(super) left: Vec<PathBuf>,
}

/// What a wait beside the editor brought.
pub(super) struct Beside<E> {
    /// What happened elsewhere.
    pub(super) events: Vec<E>,
    /// Once it is closed, what to tell when the terminal is taken back.
    pub(super) closed: Option<Closed>,
}

/// An editor that has left the terminal.
pub(super) struct Closed {
    pub(super) events: Vec<Event>,
    /// Without giving it back as it was.
    pub(super) died: bool,
}

impl Editing {
    /// Takes note of what these effects want of it.
    pub(super) fn heed<E: ForEditor>(&mut self, effects: &[E]) {
        for effect in effects.iter().filter_map(ForEditor::of_dialog) {
            match effect {
                Effect::OpenEditor { text, limit, name } => {
                    let (text, name) = (text.clone(), name.clone());
                    self.wanted = Some(Wanted { text, limit: *limit, name });
                }
                Effect::CloseEditor => self.external.iter_mut().for_each(External::close),
                _ => {}
            }
        }
    }

    /// Whether it is to be opened now.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.is_some()
    }

    /// Whether it has the terminal.
    pub(super) fn is_open(&self) -> bool {
        self.external.is_some()
    }

    /// Opens it. The terminal has to be as a shell has it.
    ///
    /// # Errors
    /// Why it does not open.
    pub(super) fn open<E: Send + 'static>(
        &mut self,
        editor: Option<&TextEditor>,
        session: &Session<E>,
    ) -> Result<(), EditorFault> {
        let Some(wanted) = self.wanted.take() else { return Ok(()) };
        let opened = match editor {
            Some(editor) => External::open(editor, &wanted, session.control.waker()),
            None => Err(EditorFault { kind: EditorFaultKind::Unset, kept: None }),
        };
        self.external = Some(opened?);
        Ok(())
    }

    /// Waits beside it until something happens. Keys are the editor's, those that the terminal makes
    /// signals of too.
    pub(super) fn wait<E: Send + 'static>(
        &mut self,
        session: &Session<E>,
        tick: Option<Duration>,
    ) -> io::Result<Beside<E>> {
        let mut beside = Beside { events: Vec::new(), closed: None };
        let Some(external) = &mut self.external else { return Ok(beside) };
        session.wakeups.wait([tick, external.patience()].into_iter().flatten().min())?;
        let caught = &session.signals;
        let stopped = caught.stopped();
        if caught.continued() {
            external.go_on();
        }
        for event in caught.take() {
            if let Event::Aborted { .. } = event {
                external.close();
                self.held.push(event);
            }
        }
        beside.events = session.wakeups.take();
        match external.look() {
            Look::Open if !stopped => {}
            Look::Open | Look::Stopped => kill_process(getpid(), Signal::STOP)?,
            Look::Closed { result, died } => {
                self.external = None;
                self.left.extend(result.as_ref().err().and_then(|it| it.kept.clone()));
                let closed = std::iter::once(Event::EditorClosed(result));
                let events = closed.chain(self.held.drain(..)).collect();
                beside.closed = Some(Closed { events, died });
            }
        }
        Ok(beside)
    }
}
