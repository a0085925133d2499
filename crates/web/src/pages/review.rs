//! The review: every question with the answer that would be sent, before it is sent.

use maud::{Markup, html};

use askwell_core::text::{sanitize, split_recommended};

use super::card::{Card, Face};
use super::entered;

pub(super) fn face(card: &Card<'_>) -> Face {
    let body = html! {
        (entered::hidden(card.request, &card.stored.questions, card.draft))
        input type="hidden" name="reviewed" value="on";
        section #review .review { (list(card)) }
    };
    Face { view: "review", body, foot: foot(card) }
}

/// What stands in the section of the review.
pub(super) fn list(card: &Card<'_>) -> Markup {
    html! {
        h2.title { (card.texts.get("review-title")) }
        ol.review-list {
            @for index in 0..card.request.questions.len() { (item(card, index)) }
        }
    }
}

fn item(card: &Card<'_>, index: usize) -> Markup {
    let texts = card.texts;
    let (question, draft) = (&card.request.questions[index], card.draft.get(index));
    let state = match (draft.is_skipped(), draft.is_finished(question)) {
        (true, _) => "skipped",
        (false, true) => "answered",
        (false, false) => "open",
    };
    html! {
        li.review-item data-goto=(index) data-state=(state) {
            p.review-question { (card.name(index)) }
            @match state {
                "skipped" => p.review-state { (texts.get("review-skipped")) },
                "open" => p.review-state { (texts.get("review-open")) },
                _ => {},
            }
            @for option in draft.sent(question) {
                p.review-answer dir="auto" {
                    (sanitize(split_recommended(&question.options[option].label).0))
                }
            }
            @if draft.custom_counts() {
                blockquote.review-text dir="auto" { (sanitize(draft.custom())) }
            }
            @for option in draft.kept_choices(question) {
                p.review-kept {
                    (texts.get("page-not-sent")) " "
                    bdi dir="auto" {
                        (sanitize(split_recommended(&question.options[option].label).0))
                    }
                }
            }
            @if let Some(kept) = draft.kept_text() {
                p.review-kept {
                    (texts.get("page-not-sent")) " " bdi dir="auto" { (sanitize(kept)) }
                }
            }
            button.link.review-edit type="submit" name="do" value={ "edit-" (index) } {
                (texts.get("page-edit"))
                span.visually-hidden { ": " (card.name(index)) }
            }
        }
    }
}

fn foot(card: &Card<'_>) -> Markup {
    let texts = card.texts;
    let open = card.draft.unfinished(card.request).len();
    html! {
        button.button.quiet type="submit" name="do" value="back" { (texts.get("back")) }
        span.sp {}
        @if open > 0 {
            button.button type="submit" name="do" value="skip-rest" {
                (texts.get("page-skip-rest"))
            }
        } @else {
            button.button.primary type="submit" name="do" value="submit" {
                (texts.get("page-send"))
            }
        }
    }
}
