//! What a person entered in a card, as a browser without scripts posts it, and back into the fields
//! that it is posted from.
//!
//! Owns how a draft stands in form fields. What counts, what is sent and what is unfinished is the
//! core's draft. Invariant: a text that was posted is in the draft that comes out.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use maud::{Markup, html};

use askwell_core::draft::DraftState;
use askwell_core::text::{is_blank, normalize_line_ends};
use askwell_core::wire::{DraftEntry, EntryWrite};
use askwell_core::{Draft, Question, RequestDraft, ValidRequest};

use crate::form::Form;

/// The value of the radio or checkbox of the own text.
pub(super) const CUSTOM: &str = "custom";

/// The fields of a posted form.
#[derive(Debug, Default)]
pub(super) struct Posted(HashMap<String, Vec<String>>);

impl Posted {
    pub fn of(form: Form) -> Self {
        let mut fields: HashMap<String, Vec<String>> = HashMap::new();
        for (name, value) in form.into_fields() {
            let value = normalize_line_ends(&value).into_owned();
            fields.entry(name).or_default().push(value);
        }
        Self(fields)
    }

    /// The first value of a field; nothing where it was not posted.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).first().map(String::as_str)
    }

    /// The same with the choice of a question that a button makes: what stood there before counts
    /// no more.
    pub fn with_choice(&self, index: usize, value: &str) -> Self {
        let mut fields = self.0.clone();
        fields.insert(format!("q{index}.chosen"), vec![value.to_owned()]);
        for field in ["off", "skip"] {
            fields.remove(&format!("q{index}.{field}"));
        }
        Self(fields)
    }

    fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Every text that was written, in the order of its questions.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts: Vec<(usize, &str)> = Vec::new();
        for (name, values) in &self.0 {
            let place = match name.strip_suffix(".text").and_then(|it| it.strip_prefix('q')) {
                Some(index) => index.parse().ok(),
                None => (name == "comment").then_some(usize::MAX),
            };
            let Some(place) = place else { continue };
            let written = values.iter().filter(|text| !is_blank(text));
            texts.extend(written.map(|text| (place, text.as_str())));
        }
        texts.sort_unstable();
        texts.into_iter().map(|(_, text)| text).collect()
    }
}

/// One question as its fields stand.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Fields {
    chosen: Vec<usize>,
    custom_chosen: bool,
    text: String,
    skip: bool,
}

impl Fields {
    /// As a browser posts them.
    fn posted(posted: &Posted, index: usize) -> Self {
        let field = |name: &str| format!("q{index}.{name}");
        let mut chosen: Vec<usize> =
            posted.all(&field("chosen")).iter().filter_map(|value| value.parse().ok()).collect();
        chosen.sort_unstable();
        chosen.dedup();
        Self {
            chosen,
            custom_chosen: posted.all(&field("chosen")).iter().any(|value| value == CUSTOM),
            text: posted.get(&field("text")).unwrap_or_default().to_owned(),
            skip: posted.get(&field("skip")).is_some(),
        }
    }

    /// As a page shows them. A single choice that a text overrides has no place of its own there.
    fn of(question: &Question, draft: &Draft) -> Self {
        let is_on = draft.is_custom_on();
        let overridden = is_on && !question.is_multi_select();
        let chosen = (0..question.options.len()).filter(|index| draft.is_chosen(*index));
        Self {
            chosen: if overridden { Vec::new() } else { chosen.collect() },
            custom_chosen: is_on && !question.is_free_text(),
            text: as_posted(draft.custom()),
            skip: draft.is_skipped(),
        }
    }

    /// The state that they mean. `off`: the text was shown as one that is not sent.
    fn state(&self, question: &Question, stored: &DraftState, off: bool) -> DraftState {
        let text = if question.allow_custom { &self.text } else { &stored.custom };
        let multi = question.is_multi_select();
        // A text and no choice is the text; beside ticks it counts, ticked or not. A text beside
        // another single choice is for the person to decide.
        let wanted = self.custom_chosen || (!off && (multi || self.chosen.is_empty()));
        let custom_on = wanted && !is_blank(text);
        let labels =
            |index: &usize| question.options.get(*index).map(|option| option.label.clone());
        let state = DraftState {
            id: question.id.clone(),
            chosen: match custom_on && !multi {
                true => stored.chosen.clone(),
                false => self.chosen.iter().filter_map(labels).collect(),
            },
            custom: text.clone(),
            custom_on,
            skipped: self.skip,
        };
        Draft::from_state(question, &state).state(question)
    }
}

/// Tells whether something is still as it was. No secret, and for our own eyes only.
fn mark(value: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// What a posted card says, beside what the host has.
#[derive(Debug)]
pub(super) struct Entered {
    /// What the screen showed: what submitting sends.
    pub shown: RequestDraft,
    /// The same, with what was entered elsewhere meanwhile where nothing was edited here.
    pub merged: RequestDraft,
    /// What was edited here and is not on the host yet.
    pub writes: Vec<EntryWrite>,
}

impl Entered {
    /// Reads the fields of a form. Questions that it does not show stand as on the host.
    pub fn read(request: &ValidRequest, stored: &[DraftEntry], posted: &Posted) -> Self {
        let (mut shown, mut merged, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (question, entry)) in request.questions.iter().zip(stored).enumerate() {
            let field = |name: &str| posted.get(&format!("q{index}.{name}"));
            let Some(base) = field("base") else {
                shown.push(entry.state.clone());
                merged.push(entry.state.clone());
                continue;
            };
            let fields = Fields::posted(posted, index);
            let off = field("off").is_some_and(|off| off == mark(&fields.text));
            let mut state = fields.state(question, &entry.state, off);
            let edited = field("shown").is_none_or(|shown| shown != mark(&fields));
            if same(&state, &entry.state) {
                state = entry.state.clone();
            } else if edited {
                let base = base.parse().unwrap_or(0);
                writes.push(EntryWrite { state: state.clone(), base });
            }
            merged.push(if edited { state.clone() } else { entry.state.clone() });
            shown.push(state);
        }
        Self {
            shown: RequestDraft::from_states(request, &shown),
            merged: RequestDraft::from_states(request, &merged),
            writes,
        }
    }
}

/// A text as a browser posts it that nobody has edited: its line ends are others, and U+0000 can't
/// stand in a page.
fn as_posted(text: &str) -> String {
    normalize_line_ends(text).replace('\0', "\u{fffd}")
}

fn same(posted: &DraftState, stored: &DraftState) -> bool {
    *posted == DraftState { custom: as_posted(&stored.custom), ..stored.clone() }
}

/// Fields that go with those of a question, shown or not: on what it was edited, and how it stood.
pub(super) fn companions(
    index: usize,
    question: &Question,
    entry: &DraftEntry,
    draft: &Draft,
) -> Markup {
    let stood = Fields::of(question, &Draft::from_state(question, &entry.state));
    let fields = Fields::of(question, draft);
    let is_off = !is_blank(&fields.text) && !fields.custom_chosen && !question.is_free_text();
    html! {
        input type="hidden" name={ "q" (index) ".base" } value=(entry.revision);
        input type="hidden" name={ "q" (index) ".shown" } value=(mark(&stood));
        @if is_off {
            input type="hidden" name={ "q" (index) ".off" } value=(mark(&fields.text));
        }
    }
}

/// The choices of a question that are not shown as fields.
pub(super) fn hidden_choices(index: usize, question: &Question, draft: &Draft) -> Markup {
    let fields = Fields::of(question, draft);
    html! {
        @for chosen in &fields.chosen {
            input type="hidden" name={ "q" (index) ".chosen" } value=(chosen);
        }
        @if fields.custom_chosen {
            input type="hidden" name={ "q" (index) ".chosen" } value=(CUSTOM);
        }
        @if fields.skip { input type="hidden" name={ "q" (index) ".skip" } value="on"; }
    }
}

/// Every field of a card that does not show its questions.
pub(super) fn hidden(
    request: &ValidRequest,
    entries: &[DraftEntry],
    draft: &RequestDraft,
) -> Markup {
    let questions = request.questions.iter().zip(entries).zip(draft.iter()).enumerate();
    html! {
        @for (index, ((question, entry), draft)) in questions {
            (companions(index, question, entry, draft))
            (hidden_choices(index, question, draft))
            @let text = as_posted(draft.custom());
            @if !text.is_empty() {
                input type="hidden" name={ "q" (index) ".text" } value=(text);
            }
        }
    }
}
