//! The dialog for who reads and writes lines: screen readers, slow links, terminals that can't be
//! drawn on. A line comes in, text goes out; nothing is drawn twice, and no byte of it moves a cursor.
//!
//! Owns what a line means ([`command`], [`plan`]) and what is read out ([`show`], [`prompts`], on a [`page`]).
//! The machine behind it is the same [`Dialog`], so that drafts, prompts, deadlines and other
//! screens are as in the drawn one. Carrying it out is [`crate::terminal`].
//!
//! Invariants: no end of input cancels or sends anything; what was typed before a confirmation could
//! be read is never taken for one.

mod answering;
pub(crate) mod command;
mod notices;
pub(crate) mod page;
mod plan;
mod prompts;
mod show;
mod typed;

use std::time::Duration;

use askwell_core::draft::DraftState;

use crate::dialog::{Dialog, Phase, PromptKind, SOON, SaveState, Screen, TextEditor};
use crate::event::{Effect, Event};

pub(crate) use answering::SAID_BACK;
use page::Page;
pub(crate) use show::NAME;
pub(crate) use typed::{LONGEST, text_of, typed};

/// A dialog by lines.
pub struct Plain {
    dialog: Dialog,
    page: Page,
    entry: Entry,
    /// What was read out last, so that it is read out again only when asked for.
    shown: Option<Place>,
    /// The question or the review that was read out whole last.
    read: Option<Screen>,
    /// Told before the next prompt, so that it does not come between what is being typed.
    notices: Vec<String>,
    /// What came from elsewhere to each question and was not told yet.
    unread: Vec<Option<DraftState>>,
    /// The drafts of each question before its changes.
    undo: Vec<Vec<DraftState>>,
    /// The cursor stands after a prompt.
    at_prompt: bool,
    /// What was typed before now does not count.
    flush: bool,
    warned: bool,
    told: SaveState,
}

/// What a line is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Command,
    /// A line of the text of this question.
    Text(usize),
    /// A line of the comment of a cancellation.
    Comment,
}

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Screen(Screen),
    Prompt(std::mem::Discriminant<PromptKind>),
}

impl Plain {
    /// Begins: who asks, and the first question or prompt.
    pub fn new(dialog: Dialog, columns: usize) -> Self {
        let questions = dialog.request().questions.len();
        let mut plain = Self {
            page: Page::new(columns),
            entry: Entry::Command,
            shown: None,
            read: None,
            notices: Vec::new(),
            unread: vec![None; questions],
            undo: vec![Vec::new(); questions],
            at_prompt: false,
            flush: true,
            warned: false,
            told: SaveState::default(),
            dialog,
        };
        plain.warned = plain.is_soon();
        plain.show_asker();
        plain.show_company();
        plain.settle();
        plain
    }

    /// The dialog behind it.
    pub fn into_dialog(self) -> Dialog {
        self.dialog
    }

    /// The same, to look at.
    pub fn dialog(&self) -> &Dialog {
        &self.dialog
    }

    /// The columns of the window, which may have changed.
    pub fn set_columns(&mut self, columns: usize) {
        self.page.set_columns(columns);
    }

    /// Whether what was typed so far is to be thrown away before anything more is written.
    pub fn flushes(&mut self) -> bool {
        std::mem::take(&mut self.flush)
    }

    /// What is to be written. `typed_ahead`: lines were thrown away.
    pub fn take_output(&mut self, typed_ahead: bool) -> String {
        let text = self.page.take();
        if !typed_ahead {
            return text;
        }
        self.page.own(&self.dialog.messages.get("keys-dropped"));
        self.page.take() + &text
    }

    /// Has this told before the next prompt.
    pub(crate) fn notice(&mut self, text: String) {
        self.notices.push(text);
    }

    /// The person's own editor, where one is set.
    pub fn editor(&self) -> Option<&TextEditor> {
        self.dialog.options().editor.as_ref()
    }

    /// Whether lines are read now.
    pub fn takes_lines(&self) -> bool {
        let is_open = self.dialog.phase == Phase::Open && !self.dialog.is_at_editor();
        is_open || self.has_ended()
    }

    /// When [`Event::Tick`] is due, if nothing comes before.
    pub fn next_tick(&self) -> Option<Duration> {
        let left = self.dialog.time_left().filter(|_| !self.warned);
        let warning = left.map(|left| self.dialog.now + left.saturating_sub(SOON));
        [self.dialog.next_due(), warning].into_iter().flatten().min()
    }

    /// A line that was typed, without its end.
    pub fn line(&mut self, bytes: &[u8], now: Duration) -> Vec<Effect> {
        self.at_prompt = false;
        let mut effects = self.dialog.update(Event::Tick, now);
        if self.takes_lines() {
            match text_of(bytes) {
                Some(line) => self.text_line(&typed(line), &mut effects),
                None => self.page.own(&self.dialog.messages.get("plain-not-utf8")),
            }
            if bytes.len() >= LONGEST {
                self.page.own(&self.dialog.messages.get("plain-cut"));
            }
        }
        self.settled(effects, now)
    }

    fn text_line(&mut self, line: &str, effects: &mut Vec<Effect>) {
        // A text may have such a line all the same: with one dot more.
        let is_end = line == ".";
        let dots = line.len() > 1 && line.bytes().all(|byte| byte == b'.');
        let text = if dots { &line[1..] } else { line };
        match self.entry {
            Entry::Command if self.dialog.prompt.is_some() => self.prompt_line(line, effects),
            Entry::Command => self.command_line(line, effects),
            Entry::Text(index) if is_end => self.end_text(index, effects),
            Entry::Text(index) => self.dialog.add_line(index, text),
            Entry::Comment if is_end => self.end_comment(true, effects),
            Entry::Comment => self.dialog.add_comment_line(text),
        }
    }

    /// The end of what is typed (Ctrl-D): of a text that is being written, else the person leaves,
    /// as when the terminal is closed.
    pub fn end_of_input(&mut self, now: Duration) -> Vec<Effect> {
        let mut effects = self.dialog.update(Event::Tick, now);
        match self.entry {
            Entry::Text(index) => {
                self.begin_row();
                self.end_text(index, &mut effects);
            }
            Entry::Comment => {
                self.begin_row();
                self.end_comment(false, &mut effects);
            }
            Entry::Command => {
                let reason = "an end of input (Ctrl-D)".to_owned();
                effects.extend(self.dialog.update(Event::Aborted { reason }, now));
            }
        }
        self.settled(effects, now)
    }

    /// Something else that happened.
    pub fn event(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        let elsewhere = match &event {
            Event::DraftElsewhere { state, .. } => Some(state.clone()),
            _ => None,
        };
        let deadline = matches!(event, Event::Deadline(_));
        let company = matches!(event, Event::Answering { .. });
        let is_edited = matches!(event, Event::EditorClosed(_));
        if let Event::HostReached(reached) = event
            && reached == self.dialog.host_gone
        {
            let id = if reached { "inbox-host-back" } else { "inbox-no-host" };
            self.notices.push(self.dialog.messages.get(id));
        }
        if let Event::Resolved(_) = event {
            // What was still to be told is no news any more.
            self.notices.clear();
        }
        let mut effects = self.dialog.update(event, now);
        if is_edited {
            self.after_editor(&mut effects);
        }
        if let Some(state) = elsewhere {
            self.tell_elsewhere(state);
        }
        if deadline || company {
            self.notices.extend(self.dialog.take_status());
        }
        if deadline {
            self.notices.extend(self.time_left("time-left"));
        }
        self.tell_saving();
        if !self.warned && self.is_soon() && self.dialog.phase == Phase::Open {
            self.warned = true;
            self.begin_row();
            if let Some(left) = self.time_left("time-up-soon") {
                self.page.own(&left);
            }
        }
        self.settled(effects, now)
    }

    /// The terminal was somebody else's meanwhile.
    pub fn resumed(&mut self) {
        self.begin_row();
        self.show_again();
        self.settle();
    }

    fn settled(&mut self, mut effects: Vec<Effect>, now: Duration) -> Vec<Effect> {
        // Put off, it will be said again.
        self.warned &= self.is_soon();
        effects.extend(self.dialog.update(Event::Tick, now));
        let ended = effects.iter().find_map(|effect| match effect {
            Effect::End(outcome) => Some(outcome.clone()),
            _ => None,
        });
        match ended {
            Some(outcome) => self.tell_end(&outcome),
            None => self.settle(),
        }
        effects
    }

    /// Reads out what is new, and asks for the next line.
    fn settle(&mut self) {
        let over = self.dialog.phase == Phase::Ended && !self.has_ended();
        if over || self.dialog.is_at_editor() {
            return;
        }
        if let Some(status) = self.dialog.take_status() {
            self.begin_row();
            match self.dialog.screen {
                // The same in the words of keys.
                Screen::Question(index) if status == self.dialog.messages.get("elsewhere") => {
                    let at = (index + 1).into();
                    self.page.own(&self.dialog.messages.with("plain-elsewhere", [("at", at)]));
                }
                _ => self.page.own(&status),
            }
        }
        if self.dialog.phase == Phase::Sending {
            if self.shown.take().is_some() {
                self.begin_row();
                self.page.own(&self.dialog.messages.get("sending"));
            }
            return;
        }
        let prompt = self.dialog.prompt.as_ref().map(|prompt| &prompt.kind);
        match (self.entry, prompt) {
            (Entry::Text(_), None) | (Entry::Comment, Some(PromptKind::Comment)) => return,
            // What came up by itself ends the writing; what was written is in the draft.
            _ => self.entry = Entry::Command,
        }
        let place = match prompt {
            Some(kind) => Place::Prompt(std::mem::discriminant(kind)),
            None => Place::Screen(self.dialog.screen),
        };
        let fresh = self.shown != Some(place);
        if fresh {
            self.begin_row();
            self.shown = Some(place);
            self.show(place);
            self.flush = true;
        }
        if !self.at_prompt {
            for notice in std::mem::take(&mut self.notices) {
                self.page.own(&notice);
            }
            self.unread.fill(None);
            self.flush |= self.is_confirmation();
            let words = self.prompt_words(fresh);
            self.page.prompt(&words);
            self.at_prompt = true;
        }
    }

    fn show(&mut self, place: Place) {
        let read = match place {
            Place::Prompt(_) => return self.show_prompt(),
            Place::Screen(screen) => self.read.replace(screen) == Some(screen),
        };
        match self.dialog.screen {
            // Back from a prompt: the question still stands above.
            Screen::Question(index) if read => self.show_entered(index, 0),
            Screen::Question(index) => self.show_question(index),
            Screen::Review { .. } => self.show_review(),
        }
    }

    /// Has the place read out again, whole.
    fn show_again(&mut self) {
        (self.shown, self.read) = (None, None);
    }

    fn begin_row(&mut self) {
        if std::mem::take(&mut self.at_prompt) {
            self.page.leave_prompt();
        }
    }
}
