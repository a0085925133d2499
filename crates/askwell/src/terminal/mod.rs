//! The person at this process's own terminal, as a provider.
//!
//! Owns when the dialog is opened, withdrawn and over, and what becomes of its draft. The dialog
//! itself is `askwell_tui`. Invariants: one dialog at a time, in the order of the calls; nothing is
//! read from stdin or written to stdout; a draft goes only when its answer has arrived.

mod edited;
mod seat;
mod turn;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use askwell_core::draft::Entered;
use askwell_core::messages::Lang;
use askwell_core::{AskError, Outcome, ValidRequest};
use askwell_tui::{
    Dialog, DialogOptions, DraftSink, Ended, Event, OfferedDraft, Session, TextEditor, Unavailable,
};

pub use edited::{EditedTexts, editor_of_this_user};

use crate::drafts::{DraftFolder, DraftRun, DraftSaver};
use crate::{Cancel, Provider};

/// Asks in the dialog on the controlling terminal. Without a terminal that a person could see and
/// use there is [`AskError::NoProvider`], at once.
///
/// ```no_run
/// use askwell::terminal::Terminal;
/// use askwell::{Askwell, Cancel, Question, Request};
///
/// let request = Request::new([Question::new("name", "Project name?")]).validate()?;
/// let answers = Askwell::new().with(Terminal::new())?.ask(&request, &Cancel::new())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Terminal {
    options: DialogOptions,
    drafts: Option<DraftFolder>,
}

impl Terminal {
    /// The dialog in English and in colours. Drafts are kept in this user's folder.
    pub fn new() -> Self {
        let options = DialogOptions { editor: editor_of_this_user(), ..DialogOptions::default() };
        Self { options, drafts: DraftFolder::of_this_user() }
    }

    /// In another language.
    #[must_use]
    pub fn lang(mut self, lang: Lang) -> Self {
        self.options.lang = lang;
        self
    }

    /// Without colours.
    #[must_use]
    pub fn no_color(mut self, no_color: bool) -> Self {
        self.options.no_color = no_color;
        self
    }

    /// With its own chrome in ASCII.
    #[must_use]
    pub fn ascii(mut self, ascii: bool) -> Self {
        self.options.ascii = ascii;
        self
    }

    /// By plain lines, written and read one after the other, with nothing drawn. A terminal that
    /// can't be drawn on (`TERM=dumb`) has them anyway.
    #[must_use]
    pub fn plain(mut self, plain: bool) -> Self {
        self.options.plain = plain;
        self
    }

    /// Keeps drafts in another folder, and offers them back when the same is asked again.
    #[must_use]
    pub fn drafts(mut self, folder: DraftFolder) -> Self {
        self.drafts = Some(folder);
        self
    }

    /// Keeps no drafts: what was entered is gone with the dialog.
    #[must_use]
    pub fn without_drafts(mut self) -> Self {
        self.drafts = None;
        self
    }

    /// Below the prompt, so that what is above stays readable, instead of on a screen of its own:
    /// where the window has rows enough. A short summary remains.
    #[must_use]
    pub fn in_place(mut self, in_place: bool) -> Self {
        self.options.in_place = in_place;
        self
    }

    /// Leaves the mouse to the terminal.
    #[must_use]
    pub fn no_mouse(mut self, no_mouse: bool) -> Self {
        self.options.no_mouse = no_mouse;
        self
    }

    /// With another editor for texts than that of the environment.
    #[must_use]
    pub fn editor(mut self, editor: Option<TextEditor>) -> Self {
        self.options.editor = editor;
        self
    }

    /// Panics at the first draw, to prove that the terminal is restored.
    #[doc(hidden)]
    #[must_use]
    pub fn panic_on_draw(mut self, panic: bool) -> Self {
        self.options.panic_on_draw = panic;
        self
    }

    /// Shows the request until it ends, for whoever has to pass the answer on before its draft may
    /// go. [`Provider::collect`] takes the answer for delivered when it returns it.
    ///
    /// # Errors
    /// [`AskError::NoProvider`] where nobody could see a dialog, [`AskError::Internal`] where the
    /// terminal fails.
    pub fn show(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Shown, AskError> {
        let deadline = request.expires_in_seconds.map(Duration::from_secs);
        let deadline = deadline.and_then(|time| Instant::now().checked_add(time));
        askwell_tui::check_terminal().map_err(|error| no_provider(&error))?;
        let _turn = match turn::wait(cancel, deadline) {
            Ok(turn) => turn,
            Err(outcome) => return Ok(Shown::unseen(outcome, request)),
        };
        let _seat = match seat::wait(cancel, deadline) {
            Ok(seat) => seat,
            Err(outcome) => return Ok(Shown::unseen(outcome, request)),
        };
        let session = Session::open().map_err(|error| no_provider(&error))?;
        let control = session.control();
        let _withdrawing = cancel.on_cancel(move |reason| {
            control.send(Event::Aborted { reason: reason.to_owned() });
        });

        let run = self.drafts.as_ref().map(|folder| folder.begin(request, &cwd()));
        let mut options = self.options.clone();
        options.forgets = run.is_none();
        options.deadline = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let offered = run.as_ref().and_then(DraftRun::offered);
        options.offered = offered
            .map(|offered| OfferedDraft { entered: offered.entered.clone(), age: offered.age });
        let edited = EditedTexts::find(options.editor.as_ref(), run.as_ref());
        options.kept = edited.kept(request, offered.map(|offered| &offered.entered));
        options.edit_key = edited.key();
        let sink = Sink(run.as_ref().map(DraftRun::saver));
        let dialog = Dialog::new(request.clone(), options);
        let ended = session
            .run(dialog, Box::new(sink))
            .map_err(|error| AskError::Internal { message: format!("the terminal: {error}") })?;
        let outcome = ended.outcome.clone();
        let comments = edited.comments();
        let draft = Some(ShownDraft {
            run,
            entered: ended.entered.clone(),
            sent_whole: matches!(outcome, Outcome::Answered(_))
                && ended.draft.kept_texts().next().is_none(),
            restored: ended.restored,
            edited,
        });
        let expires_in_seconds =
            request.expires_in_seconds.map(|seconds| seconds + ended.put_off.as_secs());
        let left = ended.left.iter().cloned().chain(comments).collect();
        Ok(Shown { outcome, expires_in_seconds, draft, left, _ended: Some(ended) })
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::new()
    }
}

impl Provider for Terminal {
    fn name(&self) -> &str {
        "terminal"
    }

    fn collect(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Outcome, AskError> {
        let shown = self.show(request, cancel)?;
        let (outcome, seconds) = (shown.outcome.clone(), shown.expires_in_seconds);
        shown.settle(true);
        match outcome {
            Outcome::Expired => Err(AskError::Expired { seconds }),
            outcome => Ok(outcome),
        }
    }
}

/// A request that was shown, and the draft of it. Dropping it keeps the draft.
#[derive(Debug)]
pub struct Shown {
    /// How it ended.
    pub outcome: Outcome,
    /// The time that the request had, with what the person has put it off.
    pub expires_in_seconds: Option<u64>,
    draft: Option<ShownDraft>,
    /// Files with what the person's own editor wrote and the dialog could not take.
    pub left: Vec<PathBuf>,
    /// Until the outcome is passed on no signal ends the process halfway.
    _ended: Option<Ended>,
}

#[derive(Debug)]
struct ShownDraft {
    /// Nothing where no drafts are kept.
    run: Option<DraftRun>,
    entered: Entered,
    /// Answered, and no text stayed behind.
    sent_whole: bool,
    restored: bool,
    edited: EditedTexts,
}

/// What became of a draft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settled {
    /// The file that holds what was entered and not sent.
    pub kept: Option<PathBuf>,
    /// Why the draft could not be saved, where that is so.
    pub failure: Option<String>,
    /// What was entered and not sent, and is in no file.
    pub lost: Option<Entered>,
}

impl Shown {
    /// It ended before it was shown.
    fn unseen(outcome: Outcome, request: &ValidRequest) -> Self {
        let expires_in_seconds = request.expires_in_seconds;
        Self { outcome, expires_in_seconds, draft: None, left: Vec::new(), _ended: None }
    }

    /// Says whether the outcome has reached the asker. The draft goes when it has and all of the
    /// text was sent; else it is kept.
    pub fn settle(self, delivered: bool) -> Settled {
        let Some(mut draft) = self.draft else { return Settled::default() };
        if delivered && matches!(self.outcome, Outcome::Cancelled { comment: Some(_) }) {
            // It has gone with the outcome.
            draft.entered.comment.clear();
        }
        if delivered && matches!(self.outcome, Outcome::Answered(_)) {
            std::mem::take(&mut draft.edited).remove();
        }
        let over = delivered && draft.sent_whole || draft.entered.is_untouched();
        let Some(mut run) = draft.run else {
            let lost = (!over).then_some(draft.entered);
            return Settled { lost, ..Settled::default() };
        };
        if delivered && over {
            let failure = run.failure();
            run.discard(draft.restored);
            return Settled { failure, ..Settled::default() };
        }
        let saved = run.saver().save(&draft.entered);
        if draft.restored {
            run.supersede();
        }
        let failure = run.failure();
        match saved {
            Ok(()) => {
                let kept = run.path().filter(|path| path.exists());
                Settled { kept, failure, lost: None }
            }
            // What is in the file is not all of it.
            Err(_) => Settled { kept: None, failure, lost: Some(draft.entered) },
        }
    }
}

/// Takes the drafts of a dialog.
struct Sink(Option<DraftSaver>);

impl DraftSink for Sink {
    fn save(&mut self, entered: &Entered) -> Result<(), String> {
        match &self.0 {
            Some(saver) => saver.save(entered).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}

fn no_provider(error: &Unavailable) -> AskError {
    AskError::NoProvider { reason: error.to_string() }
}

/// The folder that this process works in; empty where it is gone.
fn cwd() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}
