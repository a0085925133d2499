//! Forgetting what has ended. What is pending is never touched.

use askwell_core::wire::{RequestId, UnixMillis};
use rusqlite::Connection;

use super::codec::{optional, request_id};
use crate::StoreError;

pub(super) fn ended_before(
    tx: &Connection,
    at: UnixMillis,
    limit: u32,
) -> Result<Vec<RequestId>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT r.id FROM outcome AS o JOIN request AS r ON r.seq = o.request
         WHERE o.at < ? ORDER BY o.event LIMIT ?",
    )?;
    let ids = statement.query_map((at, limit), |row| row.get(0).map(request_id))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Forgets these, and cuts the event log after the last event of any of them: a reader that stands
/// before it is told to read the list again.
pub(super) fn purge(tx: &Connection, ids: &[RequestId]) -> Result<u64, StoreError> {
    let (mut forgotten, mut last) = (0, None);
    for id in ids {
        let found: Option<(i64, i64)> = optional(
            tx.prepare_cached("SELECT seq, ended FROM request WHERE id = ? AND ended IS NOT NULL")?
                .query_row([id.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?))),
        )?;
        let Some((row, event)) = found else { continue };
        for sql in [
            "DELETE FROM explicit_key WHERE request = ?1 AND (credential, key) IN (
               SELECT r.credential, t.explicit_key FROM request AS r
               JOIN request_text AS t ON t.request = r.seq WHERE r.seq = ?1)",
            "DELETE FROM derived_key WHERE (credential, key, request) IN (
               SELECT r.credential, t.derived_key, r.seq FROM request AS r
               JOIN request_text AS t ON t.request = r.seq WHERE r.seq = ?1)",
            "DELETE FROM offer WHERE request = ?1",
            "DELETE FROM draft_kept WHERE request = ?1",
            "DELETE FROM draft_entry WHERE request = ?1",
            "DELETE FROM draft WHERE request = ?1",
            "DELETE FROM late WHERE request = ?1",
            "DELETE FROM outcome WHERE event = (SELECT ended FROM request WHERE seq = ?1)",
            "DELETE FROM request_text WHERE request = ?1",
            "DELETE FROM request WHERE seq = ?1",
        ] {
            tx.prepare_cached(sql)?.execute([row])?;
        }
        forgotten += 1;
        last = last.max(Some(event));
    }
    if let Some(last) = last {
        tx.prepare_cached("DELETE FROM event WHERE number <= ?")?.execute([last])?;
    }
    Ok(forgotten)
}
