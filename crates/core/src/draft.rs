//! What a person has entered and not submitted. Pure: operations in, state out; what is sent is
//! [`Draft::answer`].
//!
//! Invariant: a text that a person wrote is never dropped, whatever else happens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{self, Answer, Answers, BadResponse, canonical_custom};
use crate::request::{Question, ValidRequest};
use crate::text::is_blank;

/// A person's unfinished answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    choices: Choices,
    custom: String,
}

/// All of a draft but its text: what an undo of a choice puts back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    chosen: Vec<bool>,
    custom_on: bool,
    skipped: bool,
}

/// A draft on the wire and on disk: state, never a toggle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftState {
    /// The id of the question.
    pub id: String,
    /// The chosen labels, in the order of the options.
    pub chosen: Vec<String>,
    /// The text as it stands in the field.
    pub custom: String,
    /// Whether the text counts.
    pub custom_on: bool,
    /// Whether the question is marked skipped.
    pub skipped: bool,
}

/// All that a person has entered in a request, as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entered {
    /// The draft of each question.
    pub states: Vec<DraftState>,
    /// A comment that was begun for putting the request aside.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

impl Entered {
    /// Whether nothing was entered anywhere.
    pub fn is_untouched(&self) -> bool {
        let untouched = |state: &DraftState| {
            state.chosen.is_empty() && state.custom.is_empty() && !state.skipped
        };
        self.comment.is_empty() && self.states.iter().all(untouched)
    }
}

impl From<Vec<DraftState>> for Entered {
    fn from(states: Vec<DraftState>) -> Self {
        Self { states, comment: String::new() }
    }
}

impl Draft {
    /// An untouched draft.
    pub fn new(question: &Question) -> Self {
        Self {
            choices: Choices {
                chosen: vec![false; question.options.len()],
                custom_on: false,
                skipped: false,
            },
            custom: String::new(),
        }
    }

    /// Chooses the option at `index`: toggles it where several may be chosen, replaces the choice
    /// otherwise. A choice on a single-select question switches written text off, and keeps it.
    pub fn choose(&mut self, question: &Question, index: usize) {
        if index >= self.choices.chosen.len() {
            return;
        }
        self.choices.skipped = false;
        if question.is_multi_select() {
            self.choices.chosen[index] = !self.choices.chosen[index];
        } else {
            self.choices.chosen.fill(false);
            self.choices.chosen[index] = true;
            self.choices.custom_on = false;
        }
    }

    /// Chooses every option in `indices`, or none of them. Multi-select only; the text is left alone.
    pub fn choose_all(
        &mut self,
        question: &Question,
        indices: impl IntoIterator<Item = usize>,
        chosen: bool,
    ) {
        if question.is_multi_select() {
            self.choices.skipped = false;
            for index in indices {
                if let Some(option) = self.choices.chosen.get_mut(index) {
                    *option = chosen;
                }
            }
        }
    }

    /// The field now holds `text`. A change switches it on; blank text is off. The last thing the
    /// person did wins, so on a single-select question a text overrides the choice, which stands
    /// again when the text is emptied.
    pub fn write(&mut self, question: &Question, text: &str) {
        if question.allow_custom && text != self.custom {
            self.choices.skipped = false;
            text.clone_into(&mut self.custom);
            self.choices.custom_on = !is_blank(text);
        }
    }

    /// Switches the text on or off as part of the answer, and keeps it. Blank text can't be
    /// switched on; where only text can answer it can't be switched off.
    pub fn toggle_custom(&mut self, question: &Question) {
        if !is_blank(&self.custom) {
            self.choices.skipped = false;
            self.choices.custom_on = !self.choices.custom_on || question.is_free_text();
        }
    }

    /// Marks the question skipped, or takes that back. What was entered is kept.
    pub fn set_skipped(&mut self, skipped: bool) {
        self.choices.skipped = skipped;
    }

    /// Makes a kept text part of the answer, with the ticks of a multi-select question. Takes a
    /// skip back.
    pub fn send_kept(&mut self) {
        if self.kept_text().is_some() {
            self.choices.skipped = false;
            self.choices.custom_on = true;
        }
    }

    /// The choices and switches as they are now.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// Puts back choices and switches of an earlier state; the text stays as it is now.
    pub fn restore_choices(&mut self, question: &Question, earlier: Choices) {
        self.choices = earlier;
        self.choices.custom_on =
            !is_blank(&self.custom) && (self.choices.custom_on || question.is_free_text());
    }

    /// Whether the option at `index` is chosen, even where a text overrides it or a skip hides it.
    pub fn is_chosen(&self, index: usize) -> bool {
        self.choices.chosen.get(index).copied().unwrap_or(false)
    }

    /// Whether the option at `index` would be sent.
    pub fn is_sent(&self, question: &Question, index: usize) -> bool {
        self.is_chosen(index)
            && !self.choices.skipped
            && (question.is_multi_select() || !self.choices.custom_on)
    }

    /// The places of the options that would be sent, in order.
    pub fn sent<'a>(&'a self, question: &'a Question) -> impl Iterator<Item = usize> + 'a {
        (0..self.choices.chosen.len()).filter(|index| self.is_sent(question, *index))
    }

    /// The places of the options that are chosen and would not be sent: a text overrides them, or a
    /// skip hides them.
    pub fn kept_choices<'a>(&'a self, question: &'a Question) -> impl Iterator<Item = usize> + 'a {
        (0..self.choices.chosen.len())
            .filter(|index| self.is_chosen(*index) && !self.is_sent(question, *index))
    }

    /// The text as it stands in the field.
    pub fn custom(&self) -> &str {
        &self.custom
    }

    /// Whether the text is switched on, even where a skip hides it.
    pub fn is_custom_on(&self) -> bool {
        self.choices.custom_on
    }

    /// Whether the text would be sent.
    pub fn custom_counts(&self) -> bool {
        self.choices.custom_on && !self.choices.skipped
    }

    /// Whether the question is marked skipped.
    pub fn is_skipped(&self) -> bool {
        self.choices.skipped
    }

    /// A text that is held and would not be sent.
    pub fn kept_text(&self) -> Option<&str> {
        (!is_blank(&self.custom) && !self.custom_counts()).then_some(self.custom.as_str())
    }

    /// Whether submitting may send this draft: something counts, or the question is skipped.
    pub fn is_finished(&self, question: &Question) -> bool {
        self.choices.skipped || self.choices.custom_on || self.sent(question).next().is_some()
    }

    /// Whether anything was entered.
    pub fn is_untouched(&self) -> bool {
        !self.choices.skipped && self.custom.is_empty() && !self.choices.chosen.contains(&true)
    }

    /// What submitting sends.
    pub fn answer(&self, question: &Question) -> Answer {
        Answer {
            id: question.id.clone(),
            selected: self
                .sent(question)
                .map(|index| question.options[index].label.clone())
                .collect(),
            custom: self.custom_counts().then(|| canonical_custom(&self.custom)),
        }
    }

    /// The draft as it goes over the wire and to disk.
    pub fn state(&self, question: &Question) -> DraftState {
        DraftState {
            id: question.id.clone(),
            chosen: question
                .options
                .iter()
                .zip(&self.choices.chosen)
                .filter(|(_, chosen)| **chosen)
                .map(|(option, _)| option.label.clone())
                .collect(),
            custom: self.custom.clone(),
            custom_on: self.choices.custom_on,
            skipped: self.choices.skipped,
        }
    }

    /// A draft from its state. What can't be true of the question is mended, and the text kept.
    pub fn from_state(question: &Question, state: &DraftState) -> Self {
        let mut draft = Self::new(question);
        let offered = question.label_index();
        let chosen = state.chosen.iter().filter_map(|label| offered.get(label.as_str()));
        let most = if question.is_multi_select() { usize::MAX } else { 1 };
        for &index in chosen.take(most) {
            draft.choices.chosen[index] = true;
        }
        draft.custom.clone_from(&state.custom);
        draft.choices.custom_on = question.allow_custom
            && !is_blank(&state.custom)
            && (state.custom_on || question.is_free_text());
        draft.choices.skipped = state.skipped;
        draft
    }
}

/// A person's unfinished answer to a whole request: one [`Draft`] for each question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestDraft {
    drafts: Vec<Draft>,
}

impl RequestDraft {
    /// An untouched draft of a request.
    pub fn new(request: &ValidRequest) -> Self {
        Self { drafts: request.questions.iter().map(Draft::new).collect() }
    }

    /// A draft from its states; questions without one are untouched.
    pub fn from_states(request: &ValidRequest, states: &[DraftState]) -> Self {
        let draft = |question: &Question| {
            let state = states.iter().find(|state| state.id == question.id);
            state.map_or_else(|| Draft::new(question), |state| Draft::from_state(question, state))
        };
        Self { drafts: request.questions.iter().map(draft).collect() }
    }

    /// The states of all questions, in order.
    pub fn states(&self, request: &ValidRequest) -> Vec<DraftState> {
        self.with_questions(request).map(|(question, draft)| draft.state(question)).collect()
    }

    /// The draft of the question at `index`.
    pub fn get(&self, index: usize) -> &Draft {
        &self.drafts[index]
    }

    /// The draft of the question at `index`, to change it.
    pub fn get_mut(&mut self, index: usize) -> &mut Draft {
        &mut self.drafts[index]
    }

    /// The drafts in the order of the questions.
    pub fn iter(&self) -> std::slice::Iter<'_, Draft> {
        self.drafts.iter()
    }

    /// Whether anything was entered anywhere.
    pub fn is_untouched(&self) -> bool {
        self.drafts.iter().all(Draft::is_untouched)
    }

    /// The places of the questions that stop the submission, in order.
    pub fn unfinished(&self, request: &ValidRequest) -> Vec<usize> {
        let unfinished = self.with_questions(request).enumerate();
        unfinished
            .filter(|(_, (question, draft))| !draft.is_finished(question))
            .map(|(index, _)| index)
            .collect()
    }

    /// The places and texts that are held and would not be sent, in order.
    pub fn kept_texts(&self) -> impl Iterator<Item = (usize, &str)> {
        let drafts = self.drafts.iter().enumerate();
        drafts.filter_map(|(index, draft)| draft.kept_text().map(|text| (index, text)))
    }

    /// Makes every kept text part of its answer.
    pub fn send_kept(&mut self) {
        self.drafts.iter_mut().for_each(Draft::send_kept);
    }

    /// The canonical answer.
    ///
    /// # Errors
    /// [`BadResponse`] where a question is unfinished or a text is over its bound.
    pub fn submit(&self, request: &ValidRequest) -> Result<Answers, BadResponse> {
        let finished = self
            .with_questions(request)
            .filter(|(question, draft)| draft.is_finished(question))
            .map(|(question, draft)| draft.answer(question))
            .collect();
        answer::validate(request, finished)
    }

    fn with_questions<'a>(
        &'a self,
        request: &'a ValidRequest,
    ) -> impl Iterator<Item = (&'a Question, &'a Draft)> {
        request.questions.iter().zip(&self.drafts)
    }
}
