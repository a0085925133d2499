//! Pages of requests. A list of pages shows the store as its first page found it, less what has
//! ended since: no later page holds what came after the event with which the list began.

use askwell_core::State;
use askwell_core::text::is_blank;
use askwell_core::wire::{ListFilter, Receipt, RequestSummary, UnixMillis};
use rusqlite::{Connection, Row, Transaction, named_params};

use super::codec::{from_json, provider, request_id, state};
use super::requests::Fixed;
use super::{drafts, events};
use crate::{HistoryRead, ListPage, ListRead, StoreError};

/// The columns of a summary, of `r` (request), `c` (credential) and `o` (outcome).
pub(super) const SUMMARY: &str = "r.id AS id, r.state AS state, r.created_at AS created_at, \
     r.deadline_at AS deadline_at, r.away_since AS away_since, c.name AS name, \
     r.summary AS summary, r.picked_up_at AS picked_up_at, o.at AS at, o.provider AS provider, \
     o.by AS by, r.attached AS attached";
/// How many they are.
pub(super) const SUMMARY_COLUMNS: usize = 12;

pub(super) fn summary(row: &Row<'_>) -> Result<RequestSummary, StoreError> {
    let fixed: Fixed =
        from_json("a summary", row.get_ref(6)?.as_bytes().map_err(rusqlite::Error::from)?)?;
    let receipt = match row.get::<_, Option<i64>>(8)? {
        None => None,
        Some(at) => {
            let word: Option<String> = row.get(9)?;
            Some(Receipt {
                at,
                provider: word.as_deref().map(provider).transpose()?,
                by: row.get(10)?,
                picked_up_at: row.get(7)?,
            })
        }
    };
    Ok(RequestSummary {
        id: request_id(row.get(0)?),
        state: state(row.get(1)?)?,
        header: fixed.header,
        question: fixed.question,
        questions: fixed.questions,
        intent: fixed.intent,
        credential: row.get(5)?,
        asker: fixed.asker,
        created_at: row.get(2)?,
        deadline_at: row.get(3)?,
        attached: row.get(11)?,
        away_since: row.get(4)?,
        draft_edited_at: None,
        answering: Vec::new(),
        receipt,
    })
}

pub(super) fn list(tx: &Transaction<'_>, read: &ListRead) -> Result<ListPage, StoreError> {
    let (event, after) = match read.after {
        Some((event, after)) => (event, after),
        None => (events::last(tx)?, 0),
    };
    // The partial index that holds what is asked for and no more.
    let (index, which) = match (read.filter, read.credential) {
        (ListFilter::Pending, None) => ("request_pending", "r.state = 0"),
        (ListFilter::Pending, Some(_)) => ("request_open", "r.open = 1 AND r.state = 0"),
        (ListFilter::Open, _) => ("request_open", "r.open = 1"),
    };
    let mine = if read.credential.is_some() { "c.id = :credential" } else { ":credential IS NULL" };
    let session = match &read.session {
        Some(_) => "JOIN request_text AS t ON t.request = r.seq AND t.session = :session",
        None => "",
    };
    let named = if read.session.is_some() { "" } else { "AND :session IS NULL" };
    let sql = format!(
        "SELECT {SUMMARY}, r.seq, d.edited_at, r.draft_edited_at FROM request AS r INDEXED BY {index}
         JOIN credential AS c ON c.seq = r.credential {session}
         LEFT JOIN outcome AS o ON o.event = r.ended
         LEFT JOIN draft AS d ON d.request = r.seq AND d.person = :person
         WHERE {which} AND {mine} {named} AND r.seq > :after AND r.event <= :event
         ORDER BY r.seq LIMIT :limit"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(named_params! {
        ":credential": read.credential.as_ref().map(|id| id.as_bytes()),
        ":session": read.session.as_deref().map(str::as_bytes),
        ":person": read.person,
        ":after": after,
        ":event": event,
        ":limit": read.limit,
    })?;
    let (mut requests, mut last): (_, i64) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let mut request = summary(row)?;
        last = row.get(SUMMARY_COLUMNS)?;
        request.draft_edited_at = row.get(SUMMARY_COLUMNS + 1)?;
        let edited: Option<UnixMillis> = row.get(SUMMARY_COLUMNS + 2)?;
        // Only where anybody is at it at all: a list of thousands stays one statement.
        if let Some(since) = read.others_since
            && request.state == State::Pending
            && edited.is_some_and(|edited| edited > since)
        {
            let beside = read.person.as_deref().unwrap_or_default();
            request.answering = drafts::answering(tx, last, beside, since)?;
        }
        requests.push(request);
    }
    let next = (requests.len() == read.limit as usize).then_some(last.unsigned_abs());
    Ok(ListPage { requests, event, next })
}

/// How many ended requests one page of a search looks through.
const LOOKED_THROUGH: usize = 5_000;

pub(super) fn history(tx: &Transaction<'_>, read: &HistoryRead) -> Result<ListPage, StoreError> {
    let sql = format!(
        "SELECT {SUMMARY}, o.event, t.text, o.outcome, r.seq FROM outcome AS o
         JOIN request AS r ON r.seq = o.request JOIN request_text AS t ON t.request = r.seq
         JOIN credential AS c ON c.seq = r.credential
         WHERE o.event < :before ORDER BY o.event DESC"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let before = read.before.unwrap_or(i64::MAX.unsigned_abs());
    let mut rows = statement.query(named_params! { ":before": before })?;
    let search = read.search.as_deref().filter(|search| !is_blank(search));
    let (mut requests, mut next) = (Vec::new(), None);
    for looked in 1.. {
        let Some(row) = rows.next()? else { break };
        if search.map_or(Ok(true), |search| holds(tx, row, search))? {
            requests.push(summary(row)?);
        }
        if requests.len() == read.limit as usize || looked == LOOKED_THROUGH {
            next = Some(row.get(SUMMARY_COLUMNS)?);
            break;
        }
    }
    Ok(ListPage { requests, event: events::last(tx)?, next })
}

/// Whether a request, its outcome or what came late holds the text, in whatever case.
fn holds(tx: &Connection, row: &Row<'_>, search: &str) -> Result<bool, StoreError> {
    let bytes = |column| row.get_ref(column)?.as_bytes().map_err(rusqlite::Error::from);
    for column in [SUMMARY_COLUMNS + 1, SUMMARY_COLUMNS + 2] {
        if text_holds(bytes(column)?, search)? {
            return Ok(true);
        }
    }
    let seq: i64 = row.get(SUMMARY_COLUMNS + 3)?;
    let mut statement = tx.prepare_cached("SELECT response FROM late WHERE request = ?")?;
    let mut rows = statement.query([seq])?;
    while let Some(row) = rows.next()? {
        if text_holds(row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?, search)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Looks into the strings of a JSON document: not at its names, not at its escapes.
fn text_holds(json: &[u8], search: &str) -> Result<bool, StoreError> {
    fn found(value: &serde_json::Value, search: &str) -> bool {
        match value {
            serde_json::Value::String(text) => text.to_lowercase().contains(search),
            serde_json::Value::Array(items) => items.iter().any(|item| found(item, search)),
            serde_json::Value::Object(fields) => fields.values().any(|value| found(value, search)),
            _ => false,
        }
    }
    Ok(found(&from_json("a text", json)?, search))
}
