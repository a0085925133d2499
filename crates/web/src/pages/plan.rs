//! A plan as one decision over one document. The verbs are ours; the asker's labels stand beside
//! them, and are the values.

use maud::{Markup, html};

use askwell_core::PlanReview;
use askwell_core::text::{is_blank, sanitize};
use serde_json::json;

use super::card::{Card, Face};
use super::entered;
use super::markdown;
use super::question::{eyebrow, kept_texts, text_area};

pub(super) fn face(card: &Card<'_>, plan: &PlanReview<'_>) -> Face {
    Face { view: "plan", body: body(card, plan), foot: foot(card, plan) }
}

fn body(card: &Card<'_>, plan: &PlanReview<'_>) -> Markup {
    let texts = card.texts;
    let (question, draft, entry) = (plan.question, card.draft.get(0), &card.stored.questions[0]);
    let error = card.errors.first().map(|(_, error)| error.as_str());
    let described = question.options.iter().enumerate().filter_map(|(place, option)| {
        let description = option.description.as_deref().filter(|text| !is_blank(text))?;
        Some((place, description))
    });
    let described: Vec<_> = described.collect();
    html! {
        (card.context())
        section #q0 .question.plan data-question=(question.id) data-kind="plan" data-index="0"
            data-given=(json!(draft.state(question).chosen))
            aria-labelledby="title-0" {
            (entered::companions(0, question, entry, draft))
            (entered::hidden_choices(0, question, draft))
            (eyebrow(question))
            h2 #title-0 .title dir="auto" { (sanitize(&question.question)) }
            article #detail-0 .plan-document dir="auto" {
                (markdown::document(question.detail.as_deref().unwrap_or_default(), 2))
            }
            div.plan-answer {
                @if !described.is_empty() {
                    dl.plan-options {
                        @for (place, description) in described {
                            dt { (named(card, plan, place)) }
                            dd dir="auto" { (sanitize(description)) }
                        }
                    }
                }
                @if question.allow_custom {
                    label.opt.opt-text.reply {
                        span.reply-name { (texts.get("page-plan-reply")) }
                        (text_area(card.texts, 0, 2, "page-plan-reply", "page-plan-placeholder", draft.custom()))
                    }
                    p.note.js { (texts.get("page-plan-keys")) }
                }
            }
            p.question-error #error-0 role="alert" hidden[error.is_none()] {
                (error.unwrap_or_default())
            }
            (kept_texts(texts, entry))
            p.plan-other {
                button.link type="submit" name="do" value="view-question" {
                    (texts.get("page-as-question"))
                }
            }
        }
    }
}

fn foot(card: &Card<'_>, plan: &PlanReview<'_>) -> Markup {
    let texts = card.texts;
    html! {
        span.sp {}
        span.saved data-status role="status" {}
        @if plan.question.allow_custom {
            button.button.quiet.no-js type="submit" name="do" value="save" {
                (texts.get("page-save"))
            }
            button.button type="submit" name="do" value="reply" { (texts.get("page-reply")) }
        }
        @if let Some(decline) = plan.decline {
            (decision(card, plan, decline, "button"))
        }
        (decision(card, plan, plan.approve, "button primary"))
    }
}

fn decision(card: &Card<'_>, plan: &PlanReview<'_>, option: usize, class: &str) -> Markup {
    html! {
        button class=(class) type="submit" name="do" value={ "choose-" (option) } {
            (named(card, plan, option))
        }
    }
}

/// A verb of ours, with the asker's label where that says something else.
fn named(card: &Card<'_>, plan: &PlanReview<'_>, option: usize) -> Markup {
    let verb = if option == plan.approve { "page-approve" } else { "page-decline" };
    let verb = card.texts.get(verb);
    html! {
        (verb)
        @if let Some(label) = plan.label_beside(option, &verb) {
            " " q.label dir="auto" { (label) }
        }
    }
}
