//! The end of a request, and what came after it.

use askwell_core::State;
use askwell_core::wire::{Ended, LateText, Receipt, RequestId, UnixMillis};
use rusqlite::{Connection, named_params};

use super::codec::{
    by_a_person, from_json, optional, provider, row_of, state, state_code, to_json,
};
use super::{drafts, events, requests};
use crate::{Condition, EndedRow, LateRow, Settled, Settlement, StoreError};

pub(super) fn settle(tx: &Connection, settlement: &Settlement) -> Result<Settled, StoreError> {
    let Some(row) = row_of(tx, settlement.id)? else { return Ok(Settled::Missing) };
    let (deadline, away, writes) = match settlement.condition {
        Condition::Pending => (None, None, None),
        Condition::Deadline(at) => (Some(at), None, None),
        Condition::Away { since, draft_writes } => (None, Some(since), Some(draft_writes)),
    };
    let open = by_a_person(settlement.state) && settlement.receipt.picked_up_at.is_none();
    let won = tx
        .prepare_cached(
            "UPDATE request SET state = :state, open = :open, picked_up_at = :picked_up_at
             WHERE seq = :row AND state = 0
               AND (:deadline IS NULL OR deadline_at = :deadline)
               AND (:away IS NULL OR (away_since = :away AND draft_writes = :writes))",
        )?
        .execute(named_params! {
            ":state": state_code(settlement.state),
            ":open": open,
            ":picked_up_at": settlement.receipt.picked_up_at,
            ":row": row,
            ":deadline": deadline,
            ":away": away,
            ":writes": writes,
        })?;
    if won == 0 {
        return match ended(tx, row)? {
            None => Ok(Settled::NotDue),
            Some(ended) => {
                keep_late(tx, row, &ended, settlement.late.as_ref())?;
                Ok(Settled::Late(ended))
            }
        };
    }
    let event = events::resolved(tx, row)?;
    tx.prepare_cached(
        "INSERT INTO outcome (event, request, at, provider, by, outcome)
         VALUES (:event, :row, :at, :provider, :by, :outcome)",
    )?
    .execute(named_params! {
        ":event": event,
        ":row": row,
        ":at": settlement.receipt.at,
        ":provider": settlement.receipt.provider.map(|provider| provider.as_str()),
        ":by": settlement.receipt.by,
        ":outcome": to_json(&settlement.outcome)?,
    })?;
    tx.prepare_cached("UPDATE request SET ended = ? WHERE seq = ?")?.execute((event, row))?;
    if !open {
        requests::close_to_keys(tx, row)?;
    }
    if settlement.state != State::Answered {
        drafts::remember(tx, row)?;
    }
    Ok(Settled::Won { event })
}

/// How a row ended.
pub(super) fn ended(tx: &Connection, row: i64) -> Result<Option<EndedRow>, StoreError> {
    let found = optional(
        tx.prepare_cached(
            "SELECT r.state, o.at, o.provider, o.by, r.picked_up_at, o.outcome
             FROM request AS r JOIN outcome AS o ON o.event = r.ended WHERE r.seq = ?",
        )?
        .query_row([row], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get::<_, Option<String>>(2)?,
                row.get(3)?,
                row.get(4)?,
                row.get::<_, Vec<u8>>(5)?,
            ))
        }),
    )?;
    let Some((code, at, word, by, picked_up_at, outcome)) = found else { return Ok(None) };
    let provider = word.as_deref().map(provider).transpose()?;
    Ok(Some(Ended {
        state: state(code)?,
        receipt: Receipt { at, provider, by, picked_up_at },
        outcome: from_json("an outcome", &outcome)?,
    }))
}

pub(super) fn ended_by_id(tx: &Connection, id: RequestId) -> Result<Option<EndedRow>, StoreError> {
    row_of(tx, id)?.map_or(Ok(None), |row| ended(tx, row))
}

pub(super) fn pick_up(tx: &Connection, id: RequestId, at: UnixMillis) -> Result<(), StoreError> {
    let row = optional(
        tx.prepare_cached(
            "UPDATE request SET picked_up_at = ? WHERE id = ? AND state <> 0
               AND picked_up_at IS NULL RETURNING seq",
        )?
        .query_row((at, id.as_bytes()), |row| row.get(0)),
    )?;
    row.map_or(Ok(()), |row| requests::close_to_keys(tx, row))
}

/// Keeps a late response, unless it says what the outcome says or what another late one said: a
/// client that sends again because it did not hear us is no second voice.
fn keep_late(
    tx: &Connection,
    row: i64,
    ended: &EndedRow,
    response: Option<&LateRow>,
) -> Result<(), StoreError> {
    let Some(response) = response else { return Ok(()) };
    if response.response == ended.outcome {
        return Ok(());
    }
    tx.prepare_cached(
        "INSERT INTO late (request, at, provider, by, response)
         SELECT :row, :at, :provider, :by, :response WHERE NOT EXISTS (
           SELECT 1 FROM late WHERE request = :row AND by = :by AND response = :response)",
    )?
    .execute(named_params! {
        ":row": row,
        ":at": response.at,
        ":provider": response.provider.as_str(),
        ":by": response.by,
        ":response": to_json(&response.response)?,
    })?;
    Ok(())
}

/// The responses to a row that came too late.
pub(super) fn late(tx: &Connection, row: i64) -> Result<Vec<LateText>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT at, provider, by, response FROM late WHERE request = ? ORDER BY seq",
    )?;
    let mut rows = statement.query([row])?;
    let mut late = Vec::new();
    while let Some(row) = rows.next()? {
        late.push(LateText {
            at: row.get(0)?,
            provider: provider(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?)?,
            by: row.get(2)?,
            response: from_json("a late response", &row.get::<_, Vec<u8>>(3)?)?,
        });
    }
    Ok(late)
}

pub(super) fn late_by_id(tx: &Connection, id: RequestId) -> Result<Vec<LateText>, StoreError> {
    row_of(tx, id)?.map_or(Ok(Vec::new()), |row| late(tx, row))
}
