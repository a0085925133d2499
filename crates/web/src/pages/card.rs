//! The card of a pending request: one form, whatever it shows (its questions, a plan, the review, a
//! question back to the person), with the strip of who asks above and what can be done below.
//!
//! Invariant: every form of a card holds all that was entered, shown or not.

use maud::{Markup, html};

use askwell_core::messages::Messages;
use askwell_core::text::{is_blank, sanitize_line};
use askwell_core::wire::{DraftView, RequestView, UnixMillis};
use askwell_core::{PlanReview, RequestDraft, ValidRequest};

use super::phrase::phrase;
use super::question::{Section, header};
use super::{head, markdown, time};

/// More questions than this are counted, not dotted.
const DOTS: usize = 12;

/// A pending request, and what was entered.
pub(super) struct Card<'a> {
    pub texts: &'a Messages,
    pub view: &'a RequestView,
    pub request: &'a ValidRequest,
    /// As the host has it.
    pub stored: &'a DraftView,
    /// As it is shown.
    pub draft: &'a RequestDraft,
    /// The token of the form.
    pub token: &'a str,
    pub now: UnixMillis,
    /// Whether a plan is shown as an ordinary question.
    pub as_question: bool,
    /// What to say above the questions.
    pub notice: Option<Notice>,
    /// What keeps questions from being sent, by their places.
    pub errors: Vec<(usize, String)>,
    /// Whether an earlier draft of the same questions is offered.
    pub offers: bool,
}

/// What is said above the questions.
pub(super) enum Notice {
    /// It went well.
    Done(String),
    /// It did not.
    Failed(String),
}

/// What a card shows in place of another.
pub(super) struct Face {
    /// Which one it is, for scripts and styles.
    pub view: &'static str,
    pub body: Markup,
    pub foot: Markup,
}

impl Card<'_> {
    /// The plan, where the request is one and is shown as such.
    pub fn plan(&self) -> Option<PlanReview<'_>> {
        self.request.plan_review().filter(|_| !self.as_question)
    }

    /// The card with its questions.
    pub fn render(&self) -> Markup {
        match self.plan() {
            Some(plan) => self.with(&super::plan::face(self, &plan)),
            None => self.with(&self.questions()),
        }
    }

    /// The card with this face.
    pub fn with(&self, face: &Face) -> Markup {
        let id = self.view.id;
        let action = match self.as_question {
            true => format!("/r/{id}?view=question"),
            false => format!("/r/{id}"),
        };
        html! {
            form #card .card method="post" action=(action) novalidate autocomplete="off"
                data-request=(id) data-revision=(self.stored.revision) data-auto-next="on"
                data-state="pending" data-view=(face.view) aria-labelledby="card-name" {
                input type="hidden" name="token" value=(self.token);
                (self.head())
                div.card-body {
                    (self.said())
                    (face.body)
                }
                footer.card-foot { (face.foot) }
            }
        }
    }

    fn head(&self) -> Markup {
        let Self { texts, view, now, .. } = *self;
        let count = self.request.questions.len();
        let dismiss = texts.with("page-dismiss", [("count", count.into())]);
        html! {
            header.card-head {
                h1 #card-name .visually-hidden { (texts.get("page-card")) }
                div.meta {
                    span.meta-line { (head::asker(texts, view)) }
                    " "
                    span.meta-line {
                        (head::words_go_to(texts, view))
                        (head::standing(texts, view, now))
                        @if let Some(deadline) = view.deadline_at {
                            span.deadline data-soon[time::is_soon(deadline, now)] {
                                (time::deadline(texts, deadline, now))
                                " "
                                button.link type="submit" name="do" value="extend" data-act="extend"
                                    title=(texts.get("page-extend-what")) {
                                    (texts.get("page-extend"))
                                }
                            }
                        }
                    }
                }
                button.icon-button.js type="button" data-act="collapse" aria-expanded="true"
                    aria-label=(texts.get("page-js-collapse")) hidden { "⌄" }
                button.icon-button type="submit" name="do" value="dismiss" data-act="dismiss"
                    aria-label=(dismiss) title=(dismiss) { "×" }
            }
        }
    }

    /// What is said above everything else in the card.
    fn said(&self) -> Markup {
        let texts = self.texts;
        html! {
            @match &self.notice {
                Some(Notice::Done(text)) => p.notice role="status" { (text) },
                Some(Notice::Failed(text)) => p.notice.failed role="alert" { (text) },
                None => {},
            }
            @if !self.errors.is_empty() {
                div #errors .errors role="alert" tabindex="-1" autofocus {
                    p { (texts.get("page-errors")) }
                    ul {
                        @for (index, error) in &self.errors {
                            li { a href={ "#q" (index) } { (self.name(*index)) } ": " (error) }
                        }
                    }
                    @if self.request.questions.len() > 1 {
                        button.button.quiet.no-js type="submit" name="do" value="skip-rest" {
                            (texts.get("page-skip-rest"))
                        }
                    }
                }
            }
            @if self.offers && let Some(offered) = &self.stored.offered {
                div.offer data-offer {
                    p {
                        @let time = time::ago(texts, offered.edited_at, self.now);
                        (phrase(texts, "page-offer", [("time", time)]))
                    }
                    button.button type="submit" name="do" value="restore" {
                        (texts.get("offered-restore"))
                    }
                    " "
                    button.button.quiet type="submit" name="do" value="start-empty" {
                        (texts.get("offered-empty"))
                    }
                }
            }
        }
    }

    /// What led to the request, folded away.
    pub fn context(&self) -> Markup {
        context(self.texts, self.view)
    }

    fn questions(&self) -> Face {
        let sections = self.request.questions.iter().enumerate().map(|(index, question)| {
            let error = self.errors.iter().find(|(at, _)| *at == index);
            let section = Section {
                texts: self.texts,
                index,
                question,
                draft: self.draft.get(index),
                entry: &self.stored.questions[index],
                error: error.map(|(_, error)| error.as_str()),
            };
            section.render()
        });
        let body = html! {
            (self.context())
            @for section in sections { (section) }
            section #review .review hidden {}
        };
        Face { view: "questions", body, foot: self.foot() }
    }

    fn foot(&self) -> Markup {
        let texts = self.texts;
        let total = self.request.questions.len();
        let is_plan = self.request.plan_review().is_some();
        let primary = if total > 1 { "page-review" } else { "page-send" };
        html! {
            @if total > 1 {
                button.icon-button.js type="button" data-act="previous"
                    aria-label=(texts.get("page-previous")) { "‹" }
                (self.progress(total))
                button.icon-button.js type="button" data-act="next-question"
                    aria-label=(texts.get("page-next")) { "›" }
            }
            @if is_plan {
                button.link type="submit" name="do" value="view-plan" { (texts.get("page-as-plan")) }
            }
            span.sp {}
            span.saved data-status role="status" {}
            button.button.quiet.js type="button" data-act="skip" aria-pressed="false" {
                (texts.get("page-js-skip"))
            }
            button.button.quiet.no-js type="submit" name="do" value="save" {
                (texts.get("page-save"))
            }
            button.button.primary type="submit" name="do" value="submit" data-act="primary" {
                (texts.get(primary))
            }
        }
    }

    fn progress(&self, total: usize) -> Markup {
        let questions = self.request.questions.iter().zip(self.draft.iter());
        html! {
            span.progress.js data-progress {
                @if total <= DOTS {
                    span.dots aria-hidden="true" {
                        @for (index, (question, draft)) in questions.enumerate() {
                            i data-index=(index) class=[draft.is_finished(question).then_some("done")] {}
                        }
                    }
                }
                span.position {
                    (self.texts.with("position", [("at", 1.into()), ("total", total.into())]))
                }
            }
        }
    }

    /// A question's name on one line: its header, where it has one, and its text.
    pub fn name(&self, index: usize) -> Markup {
        let question = &self.request.questions[index];
        html! {
            @if let Some(header) = header(question) {
                bdi.name-header dir="auto" { (sanitize_line(header)) } " "
            }
            bdi dir="auto" { (sanitize_line(&question.question)) }
        }
    }
}

/// What led to a request, folded away.
pub(super) fn context(texts: &Messages, view: &RequestView) -> Markup {
    html! {
        @if let Some(context) = view.request.context.as_deref().filter(|it| !is_blank(it)) {
            details.context data-context {
                summary {
                    (texts.with("page-context", [("lines", context.lines().count().into())]))
                }
                div.context-body dir="auto" { (markdown::document(context, 2)) }
            }
        }
    }
}
