//! The page of one request: its card while it waits, and how it ended from then on.

use axum::extract::{Path, State as Extracted};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use askwell_core::wire::{DraftView, RequestId, RequestView};
use askwell_core::{ErrorCode, RequestDraft, State, ValidRequest};

use super::card::{Card, Notice};
use super::inbox::{self, Beside, Lists};
use super::layout::{self, Page, Switch};
use super::settled::Settled;
use super::visit::Visit;
use super::{failures, head, prompt};
use crate::app::App;
use crate::failure::Failure;

/// A request as it stands, and what the person had entered.
pub(super) struct Standing {
    pub view: RequestView,
    pub request: ValidRequest,
    pub draft: DraftView,
}

impl Standing {
    pub async fn read(visit: &Visit, id: &str) -> Result<Self, Failure> {
        let id: RequestId = id.parse().map_err(|_| missing())?;
        let (host, caller) = (&visit.app.host, &visit.session.caller);
        let view = host.get(caller, id).await?;
        let draft = host.draft(caller, id).await?;
        let request = view.request.clone().validate()?;
        Ok(Self { view, request, draft })
    }

    pub fn is_pending(&self) -> bool {
        self.view.state == State::Pending
    }

    /// The draft as the host has it.
    pub fn stored(&self) -> RequestDraft {
        RequestDraft::from_states(&self.request, &self.draft.states())
    }

    /// The card with this draft in it.
    pub fn card<'a>(&'a self, visit: &'a Visit, draft: &'a RequestDraft) -> Card<'a> {
        Card {
            texts: visit.texts,
            view: &self.view,
            request: &self.request,
            stored: &self.draft,
            draft,
            token: visit.session.form_token(),
            now: visit.now(),
            as_question: visit.query("view") == Some("question"),
            notice: None,
            errors: Vec::new(),
            offers: false,
        }
    }

    pub fn settled<'a>(&'a self, visit: &'a Visit, typed: Vec<&'a str>) -> Settled<'a> {
        Settled {
            texts: visit.texts,
            view: &self.view,
            request: &self.request,
            draft: &self.draft,
            typed,
            now: visit.now(),
        }
    }
}

fn missing() -> Failure {
    Failure::new(ErrorCode::NotFound, "there is no such request")
}

/// `GET /r/{id}`
pub(super) async fn show(
    Extracted(app): Extracted<App>,
    visit: Visit,
    Path(id): Path<String>,
) -> Response {
    let shown = request(&app, &visit, &id).await;
    shown.unwrap_or_else(|failure| failures::page(&app, &visit.place(), &failure))
}

async fn request(app: &App, visit: &Visit, id: &str) -> Result<Response, Failure> {
    if visit.query("part") == Some("others") {
        let id: RequestId = id.parse().map_err(|_| missing())?;
        let view = app.host.get(&visit.session.caller, id).await?;
        let others = head::others(visit.texts, &view, visit.now());
        return Ok(layout::part(app, StatusCode::OK, others));
    }
    let standing = Standing::read(visit, id).await?;
    let stored = standing.stored();
    let main = match standing.is_pending() {
        true => {
            let mut card = standing.card(visit, &stored);
            card.offers = visit.query("offer") != Some("no");
            let told = [("saved", "page-saved"), ("extended", "page-extended")];
            let told = told.into_iter().find(|(name, _)| visit.query(name).is_some());
            card.notice = told.map(|(_, id)| Notice::Done(visit.texts.get(id)));
            match visit.query("dismiss") {
                Some(_) => card.with(&prompt::dismiss(&card, "")),
                None => card.render(),
            }
        }
        false => standing.settled(visit, Vec::new()).render(),
    };
    if visit.query("part") == Some("card") {
        return Ok(layout::part(app, StatusCode::OK, main));
    }
    respond(visit, &standing, StatusCode::OK, &main).await
}

/// The page of this request with this in its middle.
pub(super) async fn respond(
    visit: &Visit,
    standing: &Standing,
    status: StatusCode,
    main: &Markup,
) -> Result<Response, Failure> {
    let texts = visit.texts;
    let lists = Lists::read(visit).await?;
    let first = standing.request.questions.first();
    let title = first.map(|question| inbox::title(&question.question)).unwrap_or_default();
    let (switch, beside) = match standing.is_pending() {
        true => (Switch::Card, Beside::Card(standing.view.id)),
        false => (Switch::Links(visit.here()), Beside::Ended(standing.view.id)),
    };
    let page = Page { texts, kind: "request", title, waiting: Some(visit.waiting()), switch };
    let content = html! {
        div.page {
            nav #inbox .list aria-label=(texts.get("page-inbox")) data-part="list" {
                (lists.render(visit, beside))
            }
            main #main { (visit.notice(standing.is_pending()).await) (main) }
        }
    };
    let moment = visit.moment(lists.pending.event_id);
    Ok(page.respond_as_of(&visit.app, status, moment, &content))
}
