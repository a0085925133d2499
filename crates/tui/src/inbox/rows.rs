//! The rows of the list: what waits by who asks, then those whose asker is away, then what has
//! ended.

use std::collections::{HashMap, HashSet};

use askwell_core::State;
use askwell_core::facts;
use askwell_core::wire::{RequestId, RequestSummary};

use super::requests::Requests;

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// Nothing, where there is room for it.
    Blank,
    /// The name of a part.
    Part(&'static str),
    /// Who asks, as this one of those that wait says.
    Asker(usize),
    /// One of those that wait.
    Waiting(usize),
    /// One that has ended.
    Settled(usize),
    /// There are more that have ended.
    More,
}

/// What a row that can be highlighted stands for, wherever it moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Waiting(RequestId),
    Settled(RequestId),
    More,
}

impl Row {
    /// What it stands for.
    pub(crate) fn target(self, requests: &Requests) -> Option<Target> {
        match self {
            Self::Waiting(at) => Some(Target::Waiting(requests.waiting()[at].id)),
            Self::Settled(at) => Some(Target::Settled(requests.settled()[at].id)),
            Self::More => Some(Target::More),
            Self::Blank | Self::Part(_) | Self::Asker(_) => None,
        }
    }
}

/// The rows that a search shows.
pub(crate) fn rows(requests: &Requests, search: &str) -> Vec<Row> {
    let wanted = search.trim().to_lowercase();
    let found = |request: &RequestSummary| wanted.is_empty() || matches(request, &wanted);
    let waiting = requests.waiting().iter().enumerate().filter(|(_, request)| found(request));
    let above: HashSet<RequestId> = waiting.clone().map(|(_, request)| request.id).collect();
    let (away, here): (Vec<_>, Vec<_>) =
        waiting.partition(|(_, request)| request.away_since.is_some() && is_pending(request));
    let mut rows = Vec::new();
    by_asker(&here, &mut rows);
    if !away.is_empty() {
        part("page-away-list", &mut rows);
        by_asker(&away, &mut rows);
    }
    let settled = requests.settled().iter().enumerate();
    // One that the person has not put away yet stands above.
    let settled = settled.filter(|(_, request)| !above.contains(&request.id));
    // What the host has searched through is more than is seen here.
    let searched = !wanted.is_empty() && requests.search().trim().to_lowercase() == wanted;
    let settled: Vec<Row> = settled
        .filter(|(_, request)| searched || found(request))
        .map(|(at, _)| Row::Settled(at))
        .collect();
    let more = requests.more_settled().is_some() && (wanted.is_empty() || searched);
    if !settled.is_empty() || more {
        part("page-earlier", &mut rows);
        rows.extend(settled);
        rows.extend(more.then_some(Row::More));
    }
    rows
}

fn is_pending(request: &RequestSummary) -> bool {
    request.state == State::Pending
}

fn part(name: &'static str, rows: &mut Vec<Row>) {
    if !rows.is_empty() {
        rows.push(Row::Blank);
    }
    rows.push(Row::Part(name));
}

/// Each asker with its requests, in the order of the first of them.
fn by_asker(requests: &[(usize, &RequestSummary)], rows: &mut Vec<Row>) {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = HashMap::new();
    for (at, request) in requests {
        let group = *known.entry(facts::who(request)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(*at);
    }
    for group in groups {
        if !matches!(rows.last(), None | Some(Row::Part(_))) {
            rows.push(Row::Blank);
        }
        rows.extend(group.first().map(|first| Row::Asker(*first)));
        rows.extend(group.into_iter().map(Row::Waiting));
    }
}

/// Whether a request holds the text, in whatever case, where it is seen.
fn matches(request: &RequestSummary, wanted: &str) -> bool {
    let who = facts::who(request);
    let texts = [
        Some(request.question.as_str()),
        request.header.as_deref(),
        Some(who.verified),
        who.name.as_deref(),
        who.folder,
    ];
    texts.into_iter().flatten().any(|text| text.to_lowercase().contains(wanted))
}
