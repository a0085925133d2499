//! A request that has ended, read-only: how, when, by which provider and by whom, what was answered,
//! what came too late, and what the reading person had entered and did not send.

use maud::{Markup, html};

use askwell_core::facts as told;
use askwell_core::messages::Messages;
use askwell_core::outcome::Outcome;
use askwell_core::text::{holds, is_blank, sanitize, sanitize_line, split_recommended};
use askwell_core::wire::{DraftView, LateText, ProviderName, Receipt, RequestView, UnixMillis};
use askwell_core::{Answer, Draft, Question, State, ValidRequest};
use serde_json::Value;

use super::card::context;
use super::phrase::{facts, phrase};
use super::question::{eyebrow, kept_texts, readonly};
use super::{head, markdown, time};

/// A request that has ended.
pub(super) struct Settled<'a> {
    pub texts: &'a Messages,
    pub view: &'a RequestView,
    pub request: &'a ValidRequest,
    /// What the person had entered.
    pub draft: &'a DraftView,
    /// What was posted to it, and came too late.
    pub typed: Vec<&'a str>,
    pub now: UnixMillis,
}

impl Settled<'_> {
    pub fn render(&self) -> Markup {
        let Self { texts, view, now, .. } = *self;
        let outcome = view.typed_outcome(self.request);
        html! {
            article #card .card.settled data-request=(view.id) data-state=(view.state.as_str()) {
                header.card-head {
                    h1 #card-name .visually-hidden { (texts.get("page-card")) }
                    div.meta {
                        span.meta-line { (head::asker(texts, view)) }
                        " "
                        span.meta-line { (head::asked(texts, view, now)) }
                    }
                }
                div.card-body {
                    p.outcome data-outcome=(view.state.as_str()) { (self.ending()) }
                    (self.words(outcome.as_ref()))
                    (self.typed())
                    (context(texts, view))
                    @for (index, question) in self.request.questions.iter().enumerate() {
                        (self.question(index, question, outcome.as_ref()))
                    }
                    @if !view.late.is_empty() {
                        section.late {
                            h2 { (texts.get("page-late")) }
                            @for late in &view.late { (self.late(late)) }
                        }
                    }
                }
                footer.card-foot {
                    span.sp {}
                    a.button href="/" { (texts.get("page-to-inbox")) }
                }
            }
        }
    }

    fn ending(&self) -> Markup {
        let Self { texts, view, now, .. } = *self;
        html! {
            strong { (texts.get(told::standing(view.state))) }
            @if let Some(receipt) = &view.receipt {
                @let when = html! { (time::ago(texts, receipt.at, now)) " (" (time::at(receipt.at)) ")" };
                @let is_awaited = matches!(view.state, State::Answered | State::Cancelled);
                @let picked_up = is_awaited.then(|| match receipt.picked_up_at {
                    Some(_) => html! { (texts.get("page-picked-up")) },
                    None => html! { (texts.get("page-not-picked-up")) },
                });
                " · "
                (facts(by(texts, view.state, receipt).into_iter().chain([when]).chain(picked_up)))
            }
        }
    }

    /// What belongs to an outcome that is no answer.
    fn words(&self, outcome: Option<&Outcome>) -> Markup {
        let texts = self.texts;
        html! {
            @match outcome {
                Some(Outcome::Cancelled { comment: Some(comment) }) => {
                    div.said {
                        p.said-name { (texts.get("page-comment")) }
                        blockquote.given-text dir="auto" { (sanitize(comment)) }
                    }
                },
                Some(Outcome::Aborted { reason }) => {
                    div.said {
                        p.said-name { (texts.get("page-reason")) }
                        p dir="auto" { (sanitize(reason)) }
                    }
                },
                _ => {},
            }
        }
    }

    fn typed(&self) -> Markup {
        html! {
            @if !self.typed.is_empty() { (typed(self.texts, "page-typed", &self.typed)) }
        }
    }

    fn question(&self, index: usize, question: &Question, outcome: Option<&Outcome>) -> Markup {
        let texts = self.texts;
        let answer = match outcome {
            Some(Outcome::Answered(answers)) => answers.get(&question.id),
            _ => None,
        };
        let detail = question.detail.as_deref().filter(|detail| !is_blank(detail));
        html! {
            section.given data-question=(question.id) aria-labelledby={ "title-" (index) } {
                (eyebrow(question))
                h2.title id={ "title-" (index) } dir="auto" { (sanitize(&question.question)) }
                @if let Some(detail) = detail {
                    details.given-detail {
                        summary { (texts.get("page-detail")) }
                        div dir="auto" { (markdown::document(detail, 2)) }
                    }
                }
                @if let Some(answer) = answer { (given(texts, answer)) }
                (self.entered(index, question, answer))
            }
        }
    }

    /// What the person had entered here and is in no answer.
    fn entered(&self, index: usize, question: &Question, answer: Option<&Answer>) -> Markup {
        let texts = self.texts;
        let entry = &self.draft.questions[index];
        let draft = Draft::from_state(question, &entry.state);
        let sent = answer.and_then(|answer| answer.custom.as_deref()).unwrap_or_default();
        let text = draft.custom();
        let is_unsent = !is_blank(text) && !holds(sent, text.trim());
        // With an answer there, ticks of a draft say nothing that anybody could miss.
        let labels: Vec<&str> = match answer {
            Some(_) => Vec::new(),
            None => entry.state.chosen.iter().map(String::as_str).collect(),
        };
        html! {
            @if is_unsent || !labels.is_empty() {
                div.unsent {
                    p.unsent-name { (texts.get("page-entered")) }
                    (label_list(&labels))
                    @if is_unsent {
                        (readonly("kept-text", &texts.get("page-entered"), text))
                    }
                }
            }
            (kept_texts(texts, entry))
        }
    }

    fn late(&self, late: &LateText) -> Markup {
        let texts = self.texts;
        let items = late.response.get("answers").and_then(Value::as_array);
        let comment = late.response.get("comment").and_then(Value::as_str);
        let title = |id: &str| {
            let question = self.request.questions.iter().find(|question| question.id == id);
            question.map_or(id, |question| &question.question).to_owned()
        };
        html! {
            div.late-item {
                p {
                    (facts(head::person(&late.by).into_iter().chain([
                        provider(texts, late.provider), time::ago(texts, late.at, self.now)])))
                }
                @for item in items.into_iter().flatten() {
                    @let (id, labels, text) = read_item(item);
                    p.late-question dir="auto" { (sanitize_line(&title(id))) }
                    (label_list(&labels))
                    @if let Some(text) = text {
                        (readonly("kept-text", &texts.get("page-late"), text))
                    }
                }
                @if let Some(comment) = comment {
                    (readonly("kept-text", &texts.get("page-late"), comment))
                }
            }
        }
    }
}

/// Texts of the person, to be copied before they are gone from the screen.
pub(super) fn typed(texts: &Messages, why: &str, typed: &[&str]) -> Markup {
    html! {
        section.typed data-typed {
            h2 { (texts.get(why)) }
            @for text in typed { (readonly("kept-text", &texts.get("page-entered"), text)) }
        }
    }
}

fn given(texts: &Messages, answer: &Answer) -> Markup {
    let labels: Vec<&str> = answer.selected.iter().map(String::as_str).collect();
    html! {
        @if answer.is_skipped() { p.given-skipped { (texts.get("page-skipped")) } }
        (label_list(&labels))
        @if let Some(custom) = &answer.custom {
            blockquote.given-text dir="auto" { (sanitize(custom)) }
        }
    }
}

fn label_list(labels: &[&str]) -> Markup {
    html! {
        @if !labels.is_empty() {
            ul.given-labels {
                @for label in labels {
                    li dir="auto" { (sanitize(split_recommended(label).0)) }
                }
            }
        }
    }
}

/// An item of a response that nobody has checked.
fn read_item(item: &Value) -> (&str, Vec<&str>, Option<&str>) {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let labels = item.get("selected").and_then(Value::as_array);
    let labels = labels.into_iter().flatten().filter_map(Value::as_str).collect();
    (text("id").unwrap_or_default(), labels, text("custom").filter(|text| !is_blank(text)))
}

/// By whom and how it was ended.
pub(super) fn by(texts: &Messages, state: State, receipt: &Receipt) -> Vec<Markup> {
    // Who withdrew it is told with the reason.
    let by = receipt.by.as_deref().filter(|_| state != State::Aborted);
    let by = by.and_then(head::person).map(|by| phrase(texts, "page-by", [("name", by)]));
    by.into_iter().chain(receipt.provider.map(|it| provider(texts, it))).collect()
}

fn provider(texts: &Messages, provider: ProviderName) -> Markup {
    html! { (texts.get(told::provider(provider))) }
}
