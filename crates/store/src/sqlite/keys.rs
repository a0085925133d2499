//! Idempotency keys: when a request is an earlier one.

use askwell_core::State;
use askwell_core::wire::{CredentialId, RequestId};
use rusqlite::Connection;

use super::codec::{by_a_person, optional, request_id, row_of, state};
use crate::{Digest, StoreError};

/// What a key makes of a request.
pub(super) enum Claimed {
    /// A new one. The draft of this earlier one is offered.
    New { draft_of: Option<i64> },
    /// This earlier one.
    Join(i64),
    /// Nothing: the key was used for other questions.
    Conflict,
    /// Nothing: the earlier one is not to be joined any more.
    Moved,
}

/// The asker's own key: pending or ended by a person, it is that one; otherwise a new one.
pub(super) fn explicit(
    tx: &Connection,
    credential: i64,
    key: &str,
    questions: &Digest,
) -> Result<Claimed, StoreError> {
    let found = optional(
        tx.prepare_cached(
            "SELECT r.seq, r.state, t.questions FROM explicit_key AS k
             JOIN request AS r ON r.seq = k.request JOIN request_text AS t ON t.request = r.seq
             WHERE k.credential = ? AND k.key = ?",
        )?
        .query_row((credential, key.as_bytes()), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, Digest>(2)?))
        }),
    )?;
    let Some((row, code, asked)) = found else { return Ok(Claimed::New { draft_of: None }) };
    let state = state(code)?;
    Ok(if asked != *questions {
        Claimed::Conflict
    } else if state == State::Pending || by_a_person(state) {
        Claimed::Join(row)
    } else {
        Claimed::New { draft_of: Some(row) }
    })
}

/// A consumer's key, whose earlier waiter is gone: pending, or ended by a person and not picked up.
pub(super) fn join(
    tx: &Connection,
    credential: i64,
    key: &str,
    id: RequestId,
    questions: &Digest,
) -> Result<Claimed, StoreError> {
    let Some(row) = row_of(tx, id)? else { return Ok(Claimed::Moved) };
    let asked = optional(
        tx.prepare_cached(
            "SELECT t.questions FROM derived_key AS k JOIN request_text AS t ON t.request = k.request
             WHERE k.credential = ? AND k.key = ? AND k.request = ?",
        )?
        .query_row((credential, key.as_bytes(), row), |row| row.get::<_, Digest>(0)),
    )?;
    Ok(match asked {
        None => Claimed::Moved,
        Some(asked) if asked != *questions => Claimed::Conflict,
        Some(_) => Claimed::Join(row),
    })
}

pub(super) fn derived(
    tx: &Connection,
    credential: CredentialId,
    key: &str,
) -> Result<Vec<RequestId>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT r.id FROM derived_key AS k
         JOIN credential AS c ON c.seq = k.credential JOIN request AS r ON r.seq = k.request
         WHERE c.id = ? AND k.key = ? ORDER BY k.request",
    )?;
    let ids = statement
        .query_map((credential.as_bytes(), key.as_bytes()), |row| row.get(0).map(request_id))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

pub(super) fn keep_explicit(
    tx: &Connection,
    credential: i64,
    key: &[u8],
    row: i64,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT OR REPLACE INTO explicit_key (credential, key, request) VALUES (?, ?, ?)",
    )?
    .execute((credential, key, row))?;
    Ok(())
}

pub(super) fn keep_derived(
    tx: &Connection,
    credential: i64,
    key: &[u8],
    row: i64,
) -> Result<(), StoreError> {
    tx.prepare_cached("INSERT INTO derived_key (credential, key, request) VALUES (?, ?, ?)")?
        .execute((credential, key, row))?;
    Ok(())
}

/// Only what may be joined stays in the table, so that it stays small.
pub(super) fn forget_derived(tx: &Connection, row: i64) -> Result<(), StoreError> {
    tx.prepare_cached(
        "DELETE FROM derived_key WHERE (credential, key, request) IN (
           SELECT r.credential, t.derived_key, r.seq FROM request AS r
           JOIN request_text AS t ON t.request = r.seq
           WHERE r.seq = ? AND t.derived_key IS NOT NULL)",
    )?
    .execute([row])?;
    Ok(())
}
