//! One question of a card: its text, its options and the person's own words, as fields.
//!
//! The asker's words stand in elements of their own direction. What they are worth as values is in
//! no field: options are posted by their place.

use maud::{Markup, html};

use askwell_core::messages::Messages;
use askwell_core::text::{
    holds, is_blank, normalize_line_ends, sanitize, sanitize_line, split_recommended,
};
use askwell_core::wire::{DraftEntry, StoredText};
use askwell_core::{Draft, Question, QuestionOption, lint};

use super::entered::{self, CUSTOM};
use super::markdown;

/// Options whose number is a key.
const NUMBERED: usize = 9;

/// A question as a section of the card.
pub(super) struct Section<'a> {
    pub texts: &'a Messages,
    pub index: usize,
    pub question: &'a Question,
    pub draft: &'a Draft,
    pub entry: &'a DraftEntry,
    pub error: Option<&'a str>,
}

impl Section<'_> {
    pub fn render(&self) -> Markup {
        let Self { index, question, draft, .. } = *self;
        let chosen: Vec<String> = (0..question.options.len())
            .filter(|index| draft.is_chosen(*index))
            .map(|index| index.to_string())
            .collect();
        let on = |is: bool| if is { "on" } else { "off" };
        html! {
            section.question id={ "q" (index) } data-question=(question.id)
                data-question-json=[json_where_altered(&question.id)]
                data-kind=(self.kind()) data-index=(index) data-chosen=(chosen.join(" "))
                data-custom-on=(on(draft.is_custom_on())) data-skipped=(on(draft.is_skipped()))
                aria-labelledby={ "title-" (index) } {
                (entered::companions(index, question, self.entry, draft))
                (eyebrow(question))
                h2.title id={ "title-" (index) } dir="auto" { (sanitize(&question.question)) }
                (self.detail())
                div.answer-area {
                    (self.fields())
                    (self.previews())
                }
                (self.notes())
            }
        }
    }

    fn kind(&self) -> &'static str {
        match (self.question.is_free_text(), self.question.is_multi_select()) {
            (true, _) => "text",
            (false, true) => "multi",
            (false, false) => "single",
        }
    }

    fn detail(&self) -> Markup {
        html! {
            @if let Some(detail) = self.question.detail.as_deref().filter(|it| !is_blank(it)) {
                div.detail id={ "detail-" (self.index) } dir="auto" {
                    (markdown::document(detail, 2))
                }
            }
        }
    }

    /// The ids of what describes the fields.
    fn described_by(&self) -> String {
        let index = self.index;
        let has_detail = self.question.detail.as_deref().is_some_and(|detail| !is_blank(detail));
        let detail = has_detail.then(|| format!("detail-{index} "));
        format!("{}kept-{index} error-{index}", detail.unwrap_or_default())
    }

    fn fields(&self) -> Markup {
        let Self { texts, index, question, .. } = *self;
        let alike = lint::look_alikes(question);
        let input = if question.is_multi_select() { "checkbox" } else { "radio" };
        let hint = match (self.kind(), question.allow_custom) {
            ("text", _) => "page-hint-text",
            ("multi", true) => "page-hint-multi",
            ("multi", false) => "page-hint-multi-only",
            (_, true) => "page-hint-single",
            (_, false) => "page-hint-single-only",
        };
        html! {
            fieldset.options aria-describedby=(self.described_by())
                aria-invalid=[self.error.map(|_| "true")] {
                legend.visually-hidden {
                    @if let Some(header) = header(question) {
                        span dir="auto" { (sanitize_line(header)) } ": "
                    }
                    span dir="auto" { (sanitize_line(&question.question)) }
                    " " (texts.get(hint))
                }
                @for (place, option) in question.options.iter().enumerate() {
                    (self.option(input, place, option, alike[place]))
                }
                @if question.is_free_text() {
                    label.opt.opt-text {
                        (self.field(2, "page-your-answer", "placeholder-text"))
                    }
                } @else if question.allow_custom {
                    label.opt.opt-custom {
                        input type=(input) name={ "q" (index) ".chosen" } value=(CUSTOM)
                            aria-label=(texts.get("page-own-answer"))
                            checked[self.draft.is_custom_on()];
                        (self.field(1, "page-own-answer", "placeholder-custom"))
                    }
                }
            }
        }
    }

    /// `alike`: an earlier one that it could be taken for.
    fn option(
        &self,
        input: &str,
        place: usize,
        option: &QuestionOption,
        alike: Option<usize>,
    ) -> Markup {
        let Self { texts, index, question, draft, .. } = *self;
        let (label, recommended) = split_recommended(&option.label);
        let overridden = draft.is_custom_on() && !question.is_multi_select();
        let part = |part: &str| format!("q{index}-{part}{place}");
        let named = match recommended {
            true => format!("{} {}", part("t"), part("b")),
            false => part("t"),
        };
        let description = option.description.as_deref().filter(|text| !is_blank(text));
        let parts = [alike.map(|_| part("a")), description.map(|_| part("d"))];
        let described: Vec<String> = parts.into_iter().flatten().collect();
        let described = (!described.is_empty()).then(|| described.join(" "));
        html! {
            label.opt {
                input type=(input) name={ "q" (index) ".chosen" } value=(place)
                    data-label=(option.label) data-label-json=[json_where_altered(&option.label)]
                    aria-labelledby=(named) aria-describedby=[described]
                    checked[draft.is_chosen(place) && !overridden];
                span.t id=(part("t")) dir="auto" { (sanitize(label)) }
                @if recommended {
                    span.badge id=(part("b")) { (texts.get("page-recommended")) }
                }
                @if place < NUMBERED { kbd.js aria-hidden="true" { (place + 1) } }
                @if let Some(other) = alike {
                    span.alike id=(part("a")) {
                        (texts.with("looks-like", [("number", (other + 1).into())]))
                    }
                }
                @if let Some(description) = description {
                    span.d id=(part("d")) dir="auto" { (sanitize(description)) }
                }
            }
        }
    }

    fn field(&self, rows: u8, name: &str, placeholder: &str) -> Markup {
        text_area(self.texts, self.index, rows, name, placeholder, self.draft.custom())
    }

    fn previews(&self) -> Markup {
        let texts = self.texts;
        let options = self.question.options.iter().enumerate();
        let previews: Vec<(usize, &QuestionOption, &str)> = options
            .filter_map(|(place, option)| Some((place, option, option.preview.as_deref()?)))
            .filter(|(_, _, preview)| !is_blank(preview))
            .collect();
        html! {
            @if !previews.is_empty() {
                div.previews {
                    @for (place, option, preview) in previews {
                        div.preview data-preview=(place) {
                            p.preview-name {
                                (texts.get("page-preview")) " "
                                bdi dir="auto" { (sanitize_line(split_recommended(&option.label).0)) }
                            }
                            div.preview-body dir="auto" { (markdown::document(preview, 3)) }
                        }
                    }
                }
            }
        }
    }

    fn notes(&self) -> Markup {
        let Self { texts, index, draft, entry, .. } = *self;
        let kept = if draft.is_skipped() { "page-kept-skipped" } else { "page-kept" };
        html! {
            // Empty where it is hidden: as a description it would be read all the same.
            p.kept id={ "kept-" (index) } data-kept hidden[draft.kept_text().is_none()] {
                @if draft.kept_text().is_some() { (texts.get(kept)) }
            }
            p.question-error id={ "error-" (index) } role="alert" hidden[self.error.is_none()] {
                (self.error.unwrap_or_default())
            }
            (kept_texts(texts, entry))
            label.skip {
                input type="checkbox" name={ "q" (index) ".skip" } data-skip
                    checked[draft.is_skipped()];
                " " (texts.get("page-skip"))
            }
        }
    }
}

/// The short name of a question's topic, above it.
pub(super) fn eyebrow(question: &Question) -> Markup {
    html! {
        @if let Some(header) = header(question) {
            p.eyebrow dir="auto" title=(sanitize_line(header)) { (sanitize_line(header)) }
        }
    }
}

pub(super) fn header(question: &Question) -> Option<&str> {
    question.header.as_deref().filter(|header| !is_blank(header))
}

/// Texts that lost against another screen and stand nowhere else, to be copied.
pub(super) fn kept_texts(texts: &Messages, entry: &DraftEntry) -> Markup {
    let kept = entry.kept.iter().filter(|kept| !holds(&entry.state.custom, &kept.text));
    let kept: Vec<&StoredText> = kept.collect();
    html! {
        @if !kept.is_empty() {
            details.kept-texts data-kept-texts {
                summary { (texts.with("page-kept-elsewhere", [("count", kept.len().into())])) }
                @for kept in kept {
                    (readonly("kept-text", &texts.get("page-kept-text"), &kept.text))
                }
            }
        }
    }
}

/// The field of the person's own words on a question.
pub(super) fn text_area(
    texts: &Messages,
    index: usize,
    rows: u8,
    name: &str,
    placeholder: &str,
    text: &str,
) -> Markup {
    html! {
        textarea name={ "q" (index) ".text" } rows=(rows) dir="auto" aria-label=(texts.get(name))
            data-text-json=[json_where_altered(&normalize_line_ends(text))]
            placeholder=(texts.get(placeholder)) { (content(text)) }
    }
}

/// A field of the person's own words on something else.
pub(super) fn plain_area(field: &str, rows: u8, name: &str, text: &str) -> Markup {
    html! {
        textarea name=(field) rows=(rows) dir="auto" aria-label=(name) { (content(text)) }
    }
}

/// A text of the person, to be read and copied.
pub(super) fn readonly(class: &str, name: &str, text: &str) -> Markup {
    html! {
        textarea class=(class) readonly rows="2" dir="auto" aria-label=(name) { (content(text)) }
    }
}

/// What a text area shall hold. The first line end in it is no part of its value.
fn content(text: &str) -> Markup {
    html! { "\n" (normalize_line_ends(text)) }
}

/// The same as JSON, where HTML would alter it on its way to a script.
fn json_where_altered(text: &str) -> Option<String> {
    let altered = text.contains(['\r', '\0']);
    altered.then(|| serde_json::Value::String(text.to_owned()).to_string())
}
