//! The dialog on one request: its state, and the machine that takes an event and returns effects.
//!
//! Owns where the person is (question, list or field, prompt) and what the keys do. What was
//! entered is the core's [`RequestDraft`]; drawing is [`crate::view`]; carrying effects out is
//! [`crate::terminal`]. Time comes in as the time since the dialog began.
//!
//! Invariants: no key but those of a prompt ends the request, and Ctrl-C always does; nothing here
//! drops a text that a person wrote.

mod by_line;
mod company;
mod deadline;
mod elsewhere;
mod ending;
mod external;
mod guard;
mod keys;
mod list;
mod options;
mod overlay;
mod plan;
mod pointer;
mod prompt;
mod question;
mod review;
mod save;
mod submit;
mod text_entry;
mod viewport;

use std::time::Duration;

use askwell_core::draft::Entered;
use askwell_core::messages::Messages;
use askwell_core::{Outcome, Question, RequestDraft, ValidRequest, limits};
use termina::event::KeyEventKind;

use crate::editor::Editor;
use crate::event::{Effect, Event};
use crate::keymap;

use company::Company;
use deadline::Countdown;
pub(crate) use deadline::{SOON, step};
pub(crate) use elsewhere::Other;
use external::External;
pub use external::TextEditor;
pub(crate) use guard::Guard;
pub use options::{DialogOptions, OfferedDraft};
pub(crate) use overlay::{Overlay, OverlayKind};
pub(crate) use prompt::{Choice, Prompt, PromptKind};
pub(crate) use question::{Focus, QuestionState, Row};
pub(crate) use save::SaveState;
use save::Saving;
pub(crate) use text_entry::apply as apply_edit;
pub(crate) use viewport::Scroll;
pub use viewport::Viewport;

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Screen {
    Question(usize),
    Review { at: usize },
}

/// What is on the screen as a whole: another one shares nothing with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Scene {
    screen: Screen,
    prompt: bool,
    overlay: bool,
    collapsed: bool,
    scroll: usize,
    /// The option whose preview is shown, and its first line.
    preview: Option<(usize, usize)>,
    as_question: bool,
}

/// Whether the request can still be answered here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Open,
    Sending,
    Ended,
}

/// One line about what just happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Status {
    Note(String),
    Error(String),
}

/// The dialog on one request.
pub struct Dialog {
    pub(crate) request: ValidRequest,
    pub(crate) messages: Messages,
    pub(crate) options: DialogOptions,
    pub(crate) draft: RequestDraft,
    /// The comment of a cancellation, as far as it was written.
    pub(crate) comment: Editor,
    pub(crate) questions: Vec<QuestionState>,
    pub(crate) screen: Screen,
    /// The question that the review was opened on, to which Esc goes back.
    reviewed_from: usize,
    pub(crate) prompt: Option<Prompt>,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) status: Option<Status>,
    pub(crate) collapsed: bool,
    /// A plan is shown as an ordinary question.
    pub(crate) as_question: bool,
    /// What is told beside the draft.
    pub(crate) aside: Option<String>,
    /// The host of the request does not answer.
    pub(crate) host_gone: bool,
    pub(crate) phase: Phase,
    pub(crate) now: Duration,
    pub(crate) viewport: Viewport,
    guard: Guard,
    saving: Saving,
    countdown: Countdown,
    company: Company,
    restored: bool,
    /// When a prompt was brought up last.
    prompted: Duration,
    /// The screen changed within the keys of one read: what follows was typed without seeing it.
    moved_in_read: bool,
    /// What the person's own editor is open on.
    external: Option<External>,
}

impl Dialog {
    /// A dialog on a request, at its first question.
    pub fn new(request: ValidRequest, options: DialogOptions) -> Self {
        let prompt = options.offered.is_some().then(|| Prompt::new(PromptKind::Offered));
        let mut dialog = Self {
            messages: Messages::new(options.lang).in_ascii(options.ascii),
            draft: RequestDraft::from_states(&request, &options.draft),
            comment: Editor::new().with_limit(limits::COMMENT),
            questions: request.questions.iter().map(QuestionState::new).collect(),
            screen: Screen::Question(0),
            reviewed_from: 0,
            prompt,
            overlay: None,
            status: None,
            collapsed: false,
            as_question: false,
            aside: None,
            host_gone: false,
            phase: Phase::Open,
            now: Duration::ZERO,
            viewport: Viewport { field_width: 60, list_page: 5, ..Viewport::default() },
            guard: Guard::default(),
            saving: Saving::default(),
            countdown: Countdown::default(),
            company: Company::default(),
            restored: false,
            prompted: Duration::ZERO,
            moved_in_read: false,
            external: None,
            request,
            options,
        };
        dialog.show_texts();
        dialog.hold_kept();
        dialog.meet_company();
        dialog.open(0);
        dialog.moved_in_read = false;
        dialog
    }

    /// The request that is asked.
    pub fn request(&self) -> &ValidRequest {
        &self.request
    }

    /// What was entered so far.
    pub fn draft(&self) -> &RequestDraft {
        &self.draft
    }

    /// All that was entered, as it is kept.
    pub fn entered(&self) -> Entered {
        let comment = self.comment.text().to_owned();
        Entered { states: self.draft.states(&self.request), comment }
    }

    /// Whether everything that was entered is known to be saved.
    pub fn is_saved(&self) -> bool {
        self.saving.is_all_saved()
    }

    /// Whether the offered draft was taken up.
    pub fn restored(&self) -> bool {
        self.restored
    }

    /// What the status line tells beside the draft; nothing else changes.
    pub(crate) fn set_aside(&mut self, aside: Option<String>) {
        self.aside = aside;
    }

    /// How it began.
    pub fn options(&self) -> &DialogOptions {
        &self.options
    }

    /// What the last drawing found out about sizes.
    pub fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Takes an event in and says what to do. `now` is the time since the dialog began.
    pub fn update(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        self.now = now;
        self.guard.tick(now);
        let mut effects = Vec::new();
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => {}
            // The keys are the editor's, the Ctrl-C that the terminal tells everybody of too.
            Event::Key(_) | Event::Paste(_) if self.external.is_some() => {}
            Event::Key(key) if keymap::is_interrupt(&key) => {
                let outcome = match self.options.stays_pending {
                    true => Outcome::Aborted { reason: "Ctrl-C".to_owned() },
                    false => Outcome::Cancelled { comment: None },
                };
                self.end(outcome, &mut effects);
            }
            Event::Key(key) => self.key(&key, &mut effects),
            Event::Pointed(target, how) => self.pointed(target, how, &mut effects),
            Event::Paste(text) => self.paste(&text),
            Event::Resize | Event::Tick => {}
            Event::DraftSaved(result) => self.saving.saved(result, now),
            Event::DraftElsewhere { base, state } => {
                self.draft_elsewhere(&base, state, &mut effects);
            }
            Event::SubmitAccepted => self.submit_accepted(&mut effects),
            Event::SubmitRejected(issues) => self.submit_rejected(issues),
            Event::Resolved(outcome) => self.resolved(outcome, &mut effects),
            Event::Deadline(left) => self.deadline_told(left),
            Event::Extended(result) => self.extended(result),
            Event::Answering { person, lasts } => self.joined(person, lasts),
            Event::HostReached(reached) => self.host_gone = !reached,
            Event::Expired => self.end(Outcome::Expired, &mut effects),
            Event::EditorClosed(result) => self.editor_closed(result, &mut effects),
            Event::Aborted { reason } => self.end(Outcome::Aborted { reason }, &mut effects),
        }
        self.count_down();
        if self.phase == Phase::Open && self.is_over(now) {
            self.end(Outcome::Expired, &mut effects);
        }
        if self.saving.is_due(now) {
            self.save(&mut effects);
        }
        effects
    }

    /// The keys that were read at once are all taken in; the next ones were typed seeing the
    /// screen as it is now.
    pub fn end_of_read(&mut self) {
        self.moved_in_read = false;
    }

    /// The dialog was drawn, with these sizes.
    pub fn drawn(&mut self, viewport: Viewport, now: Duration) {
        self.viewport = viewport;
        self.guard.drawn(now);
    }

    /// When [`Event::Tick`] is due, if nothing comes before.
    pub fn next_tick(&self) -> Option<Duration> {
        let company = self.company.next(self.now);
        let ticks = [self.next_count(), self.saving.due(), self.guard.opens_at(), company];
        ticks.into_iter().flatten().min()
    }

    /// Whether keys count yet.
    pub(crate) fn takes_keys(&self) -> bool {
        self.guard.is_open()
    }

    pub(crate) fn save_state(&self) -> &SaveState {
        self.saving.state()
    }

    pub(crate) fn scene(&self) -> Scene {
        let (scroll, preview) = match self.screen {
            Screen::Question(index) => {
                let state = &self.questions[index];
                let options = &self.request.questions[index].options;
                let previewed = match state.row {
                    Row::Option(option) if options[option].preview.is_some() => Some(option),
                    Row::Option(_) | Row::Custom => None,
                };
                let preview = previewed.map(|option| (option, state.preview_scroll(option)));
                (state.scroll, preview)
            }
            Screen::Review { .. } => (0, None),
        };
        Scene {
            screen: self.screen,
            prompt: self.prompt.is_some(),
            overlay: self.overlay.is_some(),
            collapsed: self.collapsed,
            scroll: scroll + self.overlay.map_or(0, |overlay| overlay.scroll),
            preview,
            as_question: self.as_question,
        }
    }

    pub(crate) fn question_at(&self, index: usize) -> &Question {
        &self.request.questions[index]
    }

    /// What is to be said of an option that may be taken for an earlier one.
    pub(crate) fn remark(&self, index: usize, option: usize) -> Option<String> {
        let other = self.questions[index].look_alike(self.question_at(index), option)?;
        Some(self.messages.with("looks-like", [("number", (other + 1).into())]))
    }

    fn note(&mut self, id: &str) {
        self.status = Some(Status::Note(self.messages.get(id)));
    }

    fn error(&mut self, id: &str) {
        self.status = Some(Status::Error(self.messages.get(id)));
    }

    /// Shows a question, with the highlight where the answer is.
    pub(crate) fn open(&mut self, index: usize) {
        self.screen = Screen::Question(index);
        self.moved_in_read = true;
        let question = &self.request.questions[index];
        self.questions[index].arrive(question, self.draft.get(index));
    }

    /// Every field shows the text of the draft.
    fn show_texts(&mut self) {
        for (state, draft) in self.questions.iter_mut().zip(self.draft.iter()) {
            state.editor.set_text(draft.custom());
            state.editor.to_end();
        }
    }
}
