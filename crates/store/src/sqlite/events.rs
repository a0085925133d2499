//! The event log: what was asked and what ended, in commit order.
//!
//! Numbers are SQLite's AUTOINCREMENT, which counts in the transaction: none is given twice, and
//! one of a write that failed is given to the next.

use askwell_core::wire::RequestId;
use rusqlite::Connection;

use super::codec::{credential_id, optional, request_id, state};
use super::lists::{SUMMARY, SUMMARY_COLUMNS, summary};
use crate::{Log, LogEvent, LogKind, StoreError};

const REQUESTED: i64 = 0;
const RESOLVED: i64 = 1;

pub(super) fn requested(tx: &Connection, row: i64) -> Result<u64, StoreError> {
    append(tx, REQUESTED, row)
}

pub(super) fn resolved(tx: &Connection, row: i64) -> Result<u64, StoreError> {
    append(tx, RESOLVED, row)
}

fn append(tx: &Connection, kind: i64, row: i64) -> Result<u64, StoreError> {
    tx.prepare_cached("INSERT INTO event (kind, request) VALUES (?, ?)")?.execute((kind, row))?;
    Ok(tx.last_insert_rowid().unsigned_abs())
}

pub(super) fn last(tx: &rusqlite::Transaction<'_>) -> Result<u64, StoreError> {
    let last: Option<u64> = optional(
        tx.prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'event'")?
            .query_row([], |row| row.get(0)),
    )?;
    Ok(last.unwrap_or(0))
}

pub(super) fn after(tx: &Connection, after: u64, limit: u32) -> Result<Log, StoreError> {
    let sql = format!(
        "SELECT {SUMMARY}, e.number, e.kind, c.id FROM event AS e
         JOIN request AS r ON r.seq = e.request JOIN credential AS c ON c.seq = r.credential
         LEFT JOIN outcome AS o ON o.event = r.ended
         WHERE e.number > :after ORDER BY e.number LIMIT :limit"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query(rusqlite::named_params! { ":after": after, ":limit": limit })?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let kind = match row.get(SUMMARY_COLUMNS + 1)? {
            REQUESTED => LogKind::Requested(Box::new(summary(row)?)),
            _ => {
                let id: RequestId = row.get("id").map(request_id)?;
                LogKind::Resolved(id, state(row.get("state")?)?)
            }
        };
        events.push(LogEvent {
            number: row.get(SUMMARY_COLUMNS)?,
            credential: row.get(SUMMARY_COLUMNS + 2).map(credential_id)?,
            kind,
        });
    }
    let next = events.first().map_or(after + 1, |event: &LogEvent| event.number);
    Ok(Log { events, cut: next != after + 1 })
}
