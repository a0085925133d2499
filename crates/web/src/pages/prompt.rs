//! Questions back to the person, before something is done that they may not mean: send without a
//! text that they wrote, skip what is open, put the whole request aside.
//!
//! Invariant: no way out of a prompt changes or loses what was entered.

use maud::{Markup, html};

use askwell_core::text::{sanitize, split_recommended};

use super::card::{Card, Face};
use super::entered;
use super::question::plain_area;

/// Some texts would stay unsent.
pub(super) fn unsent(card: &Card<'_>) -> Face {
    let texts = card.texts;
    let kept: Vec<(usize, &str)> = card.draft.kept_texts().collect();
    let body = html! {
        section.prompt {
            h2.title { (texts.with("unsent-title", [("count", kept.len().into())])) }
            ul.review-list {
                @for (index, text) in &kept { li.review-item {
                    @let (question, draft) = (&card.request.questions[*index], card.draft.get(*index));
                    p.review-question { (card.name(*index)) }
                    blockquote.review-text dir="auto" { (sanitize(text)) }
                    @for option in draft.sent(question) {
                        p.review-answer {
                            (texts.get("page-chosen")) " "
                            bdi dir="auto" {
                                (sanitize(split_recommended(&question.options[option].label).0))
                            }
                        }
                    }
                    @if draft.is_skipped() { p.review-state { (texts.get("review-skipped")) } }
                } }
            }
        }
    };
    let foot = html! {
        button.button.quiet type="submit" name="do" value="back" { (texts.get("unsent-back")) }
        span.sp {}
        button.button type="submit" name="do" value="send-without" {
            (texts.get("unsent-without"))
        }
        button.button type="submit" name="do" value="send-with" {
            (texts.get(send_with(card, &kept)))
        }
    };
    face(card, "unsent", &body, foot)
}

/// What sending a text means depends on what it would replace.
fn send_with(card: &Card<'_>, kept: &[(usize, &str)]) -> &'static str {
    let replaces = |(index, _): &(usize, &str)| {
        let question = &card.request.questions[*index];
        !question.is_multi_select() && card.draft.get(*index).sent(question).next().is_some()
    };
    match (kept.iter().any(replaces), kept.iter().all(replaces)) {
        (true, true) => "unsent-instead",
        (true, false) => "unsent-mixed",
        (false, _) => "unsent-with",
    }
}

/// The open questions are to be skipped.
pub(super) fn skip_rest(card: &Card<'_>) -> Face {
    let texts = card.texts;
    let open = card.draft.unfinished(card.request);
    let body = html! {
        section.prompt {
            h2.title { (texts.with("skip-rest-title", [("count", open.len().into())])) }
            ul.review-list {
                @for index in open { li.review-item { p.review-question { (card.name(index)) } } }
            }
        }
    };
    let foot = html! {
        button.button.quiet type="submit" name="do" value="back" { (texts.get("skip-rest-no")) }
        span.sp {}
        button.button.primary type="submit" name="do" value="skip-rest-yes" {
            (texts.get("skip-rest-yes"))
        }
    };
    face(card, "skip-rest", &body, foot)
}

/// The whole request is to be put aside.
pub(super) fn dismiss(card: &Card<'_>, comment: &str) -> Face {
    let texts = card.texts;
    let body = html! {
        section.prompt {
            h2.title { (texts.get("page-dismiss-title")) }
            @if !card.draft.is_untouched() { p { (texts.get("leave-draft")) } }
            label.opt.opt-text {
                span.reply-name { (texts.get("page-dismiss-comment")) }
                (plain_area("comment", 3, &texts.get("page-dismiss-comment"), comment))
            }
        }
    };
    let foot = html! {
        button.button.quiet type="submit" name="do" value="back" { (texts.get("leave-stay")) }
        span.sp {}
        button.button.primary type="submit" name="do" value="dismiss-yes" {
            (texts.get("page-dismiss-yes"))
        }
    };
    face(card, "dismiss", &body, foot)
}

fn face(card: &Card<'_>, view: &'static str, body: &Markup, foot: Markup) -> Face {
    let body = html! {
        (entered::hidden(card.request, &card.stored.questions, card.draft))
        input type="hidden" name="reviewed" value="on";
        (body)
    };
    Face { view, body, foot }
}
