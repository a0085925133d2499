//! The inbox: what waits for the person, and what has ended, as the page `/` and as the list beside a
//! request.

use axum::extract::State as Extracted;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use askwell_core::text::{is_blank, sanitize_line, split_recommended};
use askwell_core::wire::{
    EventId, HistoryQuery, ListQuery, Page as Requests, RequestId, RequestSummary, UnixMillis,
};
use askwell_core::{PLAN_REVIEW, State, facts as told};

use super::action::Way;
use super::layout::{self, Page, Switch, lead, see_other};
use super::phrase::{facts, phrase, theirs};
use super::visit::Visit;
use super::{failures, head, settled, time};
use crate::app::App;
use crate::failure::Failure;

/// Ended requests beside what waits.
const RECENT: u32 = 5;
/// Ended requests on a page of their own.
const ENDED: u32 = 50;

/// What a list stands beside.
#[derive(Debug, Clone, Copy)]
pub(super) enum Beside {
    /// Nothing: it is the page.
    Nothing,
    /// The card of a pending request.
    Card(RequestId),
    /// A request that has ended.
    Ended(RequestId),
}

impl Beside {
    /// Whether leaving must take along what was entered.
    fn is_card(self) -> bool {
        matches!(self, Self::Card(_))
    }

    fn is(self, id: RequestId) -> bool {
        matches!(self, Self::Card(own) | Self::Ended(own) if own == id)
    }
}

/// What a list shows.
pub(super) struct Lists {
    pub pending: Requests,
    settled: Requests,
}

impl Lists {
    /// The first page of each, for the place beside a request.
    pub async fn read(visit: &Visit) -> Result<Self, Failure> {
        Self::after(visit, None).await
    }

    async fn after(visit: &Visit, after: Option<String>) -> Result<Self, Failure> {
        let (host, caller) = (&visit.app.host, &visit.session.caller);
        let query = ListQuery { after, ..ListQuery::default() };
        let mut pending = host.list(caller, &query).await?;
        // Stable: within each the order stays.
        pending.requests.sort_by_key(|request| request.away_since.is_some());
        let query = HistoryQuery { limit: Some(RECENT), ..HistoryQuery::default() };
        let settled = host.history(caller, &query).await?;
        Ok(Self { pending, settled })
    }

    /// What a person would turn to next.
    pub fn next(&self, but: RequestId) -> Option<RequestId> {
        let mut ids = self.pending.requests.iter().map(|request| request.id);
        ids.find(|id| *id != but)
    }

    /// The list as it stands in its place.
    pub fn render(&self, visit: &Visit, beside: Beside) -> Markup {
        let texts = visit.texts;
        let rows = Rows { visit, now: self.pending.now, beside };
        let waiting = visit.waiting();
        let (away, here): (Vec<_>, Vec<_>) =
            self.pending.requests.iter().partition(|request| request.away_since.is_some());
        html! {
            @if waiting == 0 { (empty(visit)) }
            p.list-count data-waiting=(waiting) data-now=(self.pending.now) hidden[waiting == 0] {
                (texts.with("page-waiting", [("count", waiting.into())]))
            }
            @for group in by_asker(&here) {
                h2.item-who { (who(visit, group[0])) }
                (rows.render(&group, false))
            }
            @if !away.is_empty() {
                h2 { (texts.get("page-away-list")) }
                (rows.render(&away, true))
            }
            @if let Some(next) = &self.pending.next {
                a.more.scripted[beside.is_card()] href=(address("after", next)) {
                    (texts.get("page-more"))
                }
                @if beside.is_card() {
                    noscript {
                        button.more type="submit" form="card" name="do" value=(Way::Inbox.button()) {
                            (texts.get("page-more"))
                        }
                    }
                }
            }
            @if !self.settled.requests.is_empty() {
                h2 { (texts.get("page-earlier")) }
                (rows.render(&self.settled.requests.iter().collect::<Vec<_>>(), true))
                @if self.settled.next.is_some() {
                    @let words = html! { (texts.get("page-all-earlier")) };
                    (lead("more", "more", Way::Ended, beside.is_card(), &words))
                }
            }
        }
    }
}

/// `GET /`
pub(super) async fn show(Extracted(app): Extracted<App>, visit: Visit) -> Response {
    let shown = inbox(&app, &visit).await;
    shown.unwrap_or_else(|failure| failures::page(&app, &visit.place(), &failure))
}

async fn inbox(app: &App, visit: &Visit) -> Result<Response, Failure> {
    let texts = visit.texts;
    if visit.query("next").is_some() {
        let lists = Lists::read(visit).await?;
        return Ok(see_other(&next_place(&lists, None, "")));
    }
    let (title, event, content) = match visit.query("ended") {
        Some(after) => {
            let (event, content) = history(visit, after).await?;
            (texts.get("page-earlier"), event, content)
        }
        None => {
            let lists = Lists::after(visit, visit.query("after").map(str::to_owned)).await?;
            let list = lists.render(visit, Beside::Nothing);
            if visit.query("part") == Some("list") {
                return Ok(layout::part(app, StatusCode::OK, list));
            }
            let content = html! {
                h1.visually-hidden { (texts.get("page-inbox")) }
                nav #inbox .list aria-label=(texts.get("page-inbox")) data-part="list" { (list) }
            };
            (texts.get("page-inbox"), lists.pending.event_id, content)
        }
    };
    let page = Page {
        texts,
        kind: "inbox",
        title,
        waiting: Some(visit.waiting()),
        switch: Switch::Links(visit.here()),
    };
    let notice = visit.notice(false).await;
    let content = html! { div.page { main #main { (notice) (content) } } };
    Ok(page.respond_as_of(app, StatusCode::OK, visit.moment(event), &content))
}

/// A page of what has ended.
async fn history(visit: &Visit, after: &str) -> Result<(EventId, Markup), Failure> {
    let texts = visit.texts;
    let search = visit.query("search").unwrap_or_default();
    let query = HistoryQuery {
        search: Some(search.to_owned()).filter(|search| !search.is_empty()),
        after: Some(after.to_owned()).filter(|after| !after.is_empty()),
        limit: Some(ENDED),
    };
    let found = visit.app.host.history(&visit.session.caller, &query).await?;
    let more = found.next.as_ref().map(|next| {
        let mut pairs = form_urlencoded::Serializer::for_suffix("/?".to_owned(), 2);
        if !search.is_empty() {
            pairs.append_pair("search", search);
        }
        pairs.append_pair("ended", next).finish()
    });
    let requests: Vec<&RequestSummary> = found.requests.iter().collect();
    let content = html! {
        h1 { (texts.get("page-earlier")) }
        form.search method="get" action="/" role="search" {
            input type="hidden" name="ended" value="";
            input type="search" name="search" value=(search) dir="auto"
                placeholder=(texts.get("page-search-in")) aria-label=(texts.get("page-search-in"));
            button.button type="submit" { (texts.get("page-search")) }
        }
        nav.list aria-label=(texts.get("page-earlier")) {
            @if requests.is_empty() { p.empty { (texts.get("page-nothing-found")) } }
            (Rows { visit, now: found.now, beside: Beside::Nothing }.render(&requests, true))
            @if let Some(more) = more { a.more href=(more) { (texts.get("page-more")) } }
        }
    };
    Ok((found.event_id, content))
}

/// Where a person goes after one request.
pub(super) fn next_place(lists: &Lists, done: Option<RequestId>, how: &str) -> String {
    let place = match lists.next(done.unwrap_or(RequestId::from_bytes([0; 16]))) {
        Some(next) => format!("/r/{next}"),
        None => "/".to_owned(),
    };
    match done {
        Some(done) => format!("{place}?{how}={done}"),
        None => place,
    }
}

fn address(name: &str, value: &str) -> String {
    form_urlencoded::Serializer::for_suffix("/?".to_owned(), 2).append_pair(name, value).finish()
}

/// The requests of each asker together, in the order of each one's first.
fn by_asker<'a>(requests: &[&'a RequestSummary]) -> Vec<Vec<&'a RequestSummary>> {
    let mut groups: Vec<Vec<&RequestSummary>> = Vec::new();
    for request in requests {
        let is_same = |group: &&mut Vec<&RequestSummary>| told::who(group[0]) == told::who(request);
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(request),
            None => groups.push(vec![request]),
        }
    }
    groups
}

/// The rows of a list.
struct Rows<'a> {
    visit: &'a Visit,
    now: UnixMillis,
    beside: Beside,
}

impl Rows<'_> {
    /// `names`: whether each says who asks, where the place does not.
    fn render(&self, requests: &[&RequestSummary], names: bool) -> Markup {
        html! {
            @if !requests.is_empty() {
                ul.items {
                    @for request in requests { li { (self.row(request, names)) } }
                }
            }
        }
    }

    fn row(&self, request: &RequestSummary, names: bool) -> Markup {
        let current = self.beside.is(request.id).then_some("page");
        let way = Way::Request(request.id);
        let content = self.content(request, names);
        html! {
            a.item.scripted[self.beside.is_card()] href=(way.address()) data-request=(request.id)
                data-state=(request.state.as_str()) aria-current=[current] { (content) }
            @if self.beside.is_card() {
                noscript {
                    button.item type="submit" form="card" name="do" value=(way.button())
                        aria-current=[current] { (content) }
                }
            }
        }
    }

    fn content(&self, request: &RequestSummary, names: bool) -> Markup {
        let header = request.header.as_deref().filter(|header| !is_blank(header));
        html! {
            span.item-head {
                @if let Some(header) = header {
                    span.item-header dir="auto" { (sanitize_line(header)) } " "
                }
                b.item-title dir="auto" { (sanitize_line(&request.question)) }
            }
            " "
            span.item-sub {
                @if names { span.item-who { (who(self.visit, request)) } " " }
                span.item-facts { (facts(item_facts(self.visit, request, self.now))) }
            }
        }
    }
}

/// Who asks, by its own name and the verified one, and where.
fn who(visit: &Visit, request: &RequestSummary) -> Markup {
    let told::Who { verified, name, folder } = told::who(request);
    html! {
        (head::who_in_list(visit.texts, verified, name.as_deref()))
        @if let Some(folder) = folder {
            " · "
            span title=(sanitize_line(folder)) { (theirs(told::folder_name(folder))) }
        }
    }
}

fn item_facts(visit: &Visit, request: &RequestSummary, now: UnixMillis) -> Vec<Markup> {
    let texts = visit.texts;
    let mut facts = Vec::new();
    if request.intent.as_deref() == Some(PLAN_REVIEW) {
        facts.push(html! { (texts.get("page-plan-review")) });
    } else if request.questions > 1 {
        let count = [("count", request.questions.into())];
        facts.push(html! { (texts.with("page-questions", count)) });
    }
    match &request.receipt {
        None => {
            facts.push(time::age(texts, request.created_at, now));
            if let Some(deadline) = request.deadline_at {
                let left = time::left(texts, deadline, now);
                facts.push(
                    html! { span.deadline data-soon[time::is_soon(deadline, now)] { (left) } },
                );
            }
            match request.away_since {
                Some(since) => {
                    let time = time::age(texts, since, now);
                    facts.push(phrase(texts, "page-away-for", [("time", time)]));
                }
                None if request.attached => facts.push(html! { (texts.get("page-waits-now")) }),
                None => {}
            }
            if request.draft_edited_at.is_some() {
                facts.push(html! { span.begun { (texts.get("page-begun")) } });
            }
            facts.extend(head::answering_in_list(texts, &request.answering, now));
        }
        Some(receipt) => {
            facts.push(html! { span.state { (texts.get(told::standing(request.state))) } });
            facts.extend(settled::by(texts, request.state, receipt));
            facts.push(time::ago(texts, receipt.at, now));
            let awaited = matches!(request.state, State::Answered | State::Cancelled);
            if awaited && receipt.picked_up_at.is_none() {
                facts.push(html! { (texts.get("page-not-picked-up")) });
            }
        }
    }
    facts
}

fn empty(visit: &Visit) -> Markup {
    let texts = visit.texts;
    html! {
        div.empty {
            p.empty-title { (texts.get("page-empty")) }
            p.scripted { (texts.get("page-empty-what")) }
            noscript { p { (texts.get("page-empty-reload")) } }
            p { (texts.get("page-empty-try")) }
            pre tabindex="0" { code { "askwell ask --via inbox --question 'Ship it?' --option Yes --option No" } }
        }
    }
}

/// The title of a request, for the name of its page.
pub(super) fn title(question: &str) -> String {
    let line = sanitize_line(split_recommended(question).0).into_owned();
    askwell_core::text::truncate(&line, 80).into_owned()
}
