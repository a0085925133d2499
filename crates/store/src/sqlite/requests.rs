//! Requests: filing one, reading one, and what may change while it is pending.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{RequestId, RequestSummary};
use rusqlite::{Connection, Row, named_params};

use super::codec::{credential_id, optional, request_id, row_of, state, to_json};
use super::{events, keys, settle};
use crate::{EndedRow, Extended, Filed, Head, KeyClaim, NewRequest, Presence, Record, StoreError};

/// The columns of a [`Head`].
const HEAD: &str = "r.id, c.id, r.state, r.created_at, r.deadline_at, r.attached, r.away_since, \
                    r.draft_writes, r.draft_edited_at";

pub(super) fn file(tx: &Connection, request: &NewRequest) -> Result<Filed, StoreError> {
    let credential = optional(
        tx.prepare_cached("SELECT seq FROM credential WHERE id = ?")?
            .query_row([request.credential.as_bytes()], |row| row.get::<_, i64>(0)),
    )?;
    let credential = credential
        .ok_or_else(|| StoreError::Internal("a request of an unknown credential".to_owned()))?;
    let claimed = match &request.key {
        None => keys::Claimed::New { draft_of: None },
        Some(KeyClaim::Explicit(key)) => keys::explicit(tx, credential, key, &request.questions)?,
        Some(KeyClaim::Derived { join: None, .. }) => keys::Claimed::New { draft_of: None },
        Some(KeyClaim::Derived { key, join: Some(join) }) => {
            keys::join(tx, credential, key, *join, &request.questions)?
        }
    };
    let draft_of = match claimed {
        keys::Claimed::New { draft_of } => draft_of,
        keys::Claimed::Join(row) => return Ok(Filed::Joined(head_by_row(tx, row)?)),
        keys::Claimed::Conflict => return Ok(Filed::Conflict),
        keys::Claimed::Moved => return Ok(Filed::Moved),
    };
    let event = insert(tx, request, credential, draft_of)?;
    Ok(Filed::New { event })
}

fn insert(
    tx: &Connection,
    request: &NewRequest,
    credential: i64,
    draft_of: Option<i64>,
) -> Result<u64, StoreError> {
    tx.prepare_cached(
        "INSERT INTO request (id, credential, event, created_at, deadline_at, attached, summary)
         VALUES (:id, :credential, 0, :created_at, :deadline_at, :attached, :summary)",
    )?
    .execute(named_params! {
        ":id": request.id.as_bytes(),
        ":credential": credential,
        ":created_at": request.summary.created_at,
        ":deadline_at": request.summary.deadline_at,
        ":attached": request.summary.attached,
        ":summary": to_json(&Fixed::of(&request.summary))?,
    })?;
    let row = tx.last_insert_rowid();
    let event = events::requested(tx, row)?;
    tx.prepare_cached("UPDATE request SET event = ? WHERE seq = ?")?.execute((event, row))?;
    let (explicit, derived) = match &request.key {
        None => (None, None),
        Some(KeyClaim::Explicit(key)) => (Some(key.as_bytes()), None),
        Some(KeyClaim::Derived { key, .. }) => (None, Some(key.as_bytes())),
    };
    tx.prepare_cached(
        "INSERT INTO request_text
           (request, text, session, questions, matches, explicit_key, derived_key, draft_of)
         VALUES (:row, :text, :session, :questions, :matches, :explicit, :derived, :draft_of)",
    )?
    .execute(named_params! {
        ":row": row,
        ":text": request.text,
        ":session": request.session.as_deref().map(str::as_bytes),
        ":questions": request.questions,
        ":matches": request.matches.concat(),
        ":explicit": explicit,
        ":derived": derived,
        ":draft_of": draft_of,
    })?;
    if let Some(key) = explicit {
        keys::keep_explicit(tx, credential, key, row)?;
    }
    if let Some(key) = derived {
        keys::keep_derived(tx, credential, key, row)?;
    }
    Ok(event)
}

/// The part of a summary that never changes. The rest is in columns.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Fixed {
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<String>,
    #[serde(rename = "q")]
    pub(super) question: String,
    #[serde(rename = "n")]
    pub(super) questions: u32,
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub(super) intent: Option<String>,
    #[serde(rename = "a", default, skip_serializing_if = "Option::is_none")]
    pub(super) asker: Option<askwell_core::Asker>,
}

impl Fixed {
    fn of(summary: &RequestSummary) -> Self {
        Self {
            header: summary.header.clone(),
            question: summary.question.clone(),
            questions: summary.questions,
            intent: summary.intent.clone(),
            asker: summary.asker.clone(),
        }
    }
}

pub(super) fn pending(tx: &Connection, each: &mut dyn FnMut(Head)) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {HEAD} FROM request AS r INDEXED BY request_pending
         JOIN credential AS c ON c.seq = r.credential WHERE r.state = 0 ORDER BY r.seq"
    );
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        each(head(row)?);
    }
    Ok(())
}

fn head_by_row(tx: &Connection, row: i64) -> Result<Head, StoreError> {
    let sql = format!(
        "SELECT {HEAD} FROM request AS r JOIN credential AS c ON c.seq = r.credential
         WHERE r.seq = ?"
    );
    tx.prepare_cached(&sql)?.query_row([row], |row| Ok(head(row)))?
}

fn head(row: &Row<'_>) -> Result<Head, StoreError> {
    Ok(Head {
        id: request_id(row.get(0)?),
        credential: credential_id(row.get(1)?),
        state: state(row.get(2)?)?,
        created_at: row.get(3)?,
        deadline_at: row.get(4)?,
        presence: Presence { attached: row.get(5)?, away_since: row.get(6)? },
        draft_writes: row.get(7)?,
        draft_edited_at: row.get(8)?,
    })
}

pub(super) fn record(tx: &Connection, id: RequestId) -> Result<Option<Record>, StoreError> {
    let sql = format!(
        "SELECT {HEAD}, t.text, c.name, r.seq, r.ended FROM request AS r
         JOIN request_text AS t ON t.request = r.seq
         JOIN credential AS c ON c.seq = r.credential WHERE r.id = ?"
    );
    let found = tx.prepare_cached(&sql)?.query_row([id.as_bytes()], |row| {
        let rest = (row.get(9)?, row.get(10)?, row.get(11)?, row.get(12)?);
        Ok(head(row).map(|head| (head, rest)))
    });
    let Some(found) = optional(found)? else { return Ok(None) };
    let (head, (text, credential_name, row, ended)): (_, (_, _, i64, Option<i64>)) = found?;
    // What came late can only be there once it has ended.
    let (ended, late) = match ended {
        None => (None, Vec::new()),
        Some(_) => (settle::ended(tx, row)?, settle::late(tx, row)?),
    };
    Ok(Some(Record { head, text, credential_name, ended, late }))
}

pub(super) fn set_presence(
    tx: &Connection,
    id: RequestId,
    presence: Presence,
) -> Result<bool, StoreError> {
    let changed = tx
        .prepare_cached(
            "UPDATE request SET attached = ?, away_since = ? WHERE id = ? AND state = 0",
        )?
        .execute((presence.attached, presence.away_since, id.as_bytes()))?;
    Ok(changed == 1)
}

pub(super) fn extend(tx: &Connection, id: RequestId, by: Duration) -> Result<Extended, StoreError> {
    let Some(row) = row_of(tx, id)? else { return Ok(Extended::Missing) };
    if let Some(ended) = settle::ended(tx, row)? {
        return Ok(Extended::Ended(ended));
    }
    let deadline: Option<Option<i64>> = optional(
        tx.prepare_cached(
            "UPDATE request SET deadline_at = deadline_at + ? WHERE seq = ? AND state = 0
             RETURNING deadline_at",
        )?
        .query_row((by.as_millis() as i64, row), |row| row.get(0)),
    )?;
    Ok(deadline.flatten().map_or(Extended::Never, Extended::Until))
}

/// How a row stands, and how it ended.
pub(super) fn standing(tx: &Connection, row: i64) -> Result<(State, Option<EndedRow>), StoreError> {
    let ended = settle::ended(tx, row)?;
    Ok((ended.as_ref().map_or(State::Pending, |ended| ended.state), ended))
}

/// Whether a request may still be found by a derived key.
pub(super) fn close_to_keys(tx: &Connection, row: i64) -> Result<(), StoreError> {
    tx.prepare_cached("UPDATE request SET open = 0 WHERE seq = ?")?.execute([row])?;
    keys::forget_derived(tx, row)
}

#[cfg(test)]
mod tests {
    use askwell_core::State;

    use super::super::codec::state_code;

    #[test]
    fn pending_is_what_the_indexes_of_the_schema_say() {
        assert_eq!(state_code(State::Pending), 0);
    }
}
