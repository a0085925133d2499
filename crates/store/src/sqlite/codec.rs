//! How our types stand in columns.

use askwell_core::State;
use askwell_core::wire::{CredentialId, ProviderName, RequestId, Role};
use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StoreError;

/// Something stands in the store that we never wrote.
pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Internal(format!("the store holds {what} that can't be read"))
}

pub(super) fn state_code(state: State) -> i64 {
    match state {
        State::Pending => 0,
        State::Answered => 1,
        State::Cancelled => 2,
        State::Aborted => 3,
        State::Expired => 4,
    }
}

pub(super) fn state(code: i64) -> Result<State, StoreError> {
    Ok(match code {
        0 => State::Pending,
        1 => State::Answered,
        2 => State::Cancelled,
        3 => State::Aborted,
        4 => State::Expired,
        _ => return Err(damaged("a state")),
    })
}

/// Whether the asker of a request that ended so should get to know it when it asks again: a person
/// has spoken.
pub(super) fn by_a_person(state: State) -> bool {
    matches!(state, State::Answered | State::Cancelled)
}

pub(super) fn provider(word: &str) -> Result<ProviderName, StoreError> {
    ProviderName::from_wire(word).ok_or_else(|| damaged("a provider"))
}

pub(super) fn role(word: &str) -> Result<Role, StoreError> {
    Role::from_wire(word).ok_or_else(|| damaged("a role"))
}

pub(super) fn request_id(bytes: [u8; 16]) -> RequestId {
    RequestId::from_bytes(bytes)
}

pub(super) fn credential_id(bytes: [u8; 16]) -> CredentialId {
    CredentialId::from_bytes(bytes)
}

pub(super) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Internal(error.to_string()))
}

pub(super) fn from_json<T: DeserializeOwned>(what: &str, json: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(json).map_err(|_| damaged(what))
}

/// The row of a request.
pub(super) fn row_of(tx: &Connection, id: RequestId) -> Result<Option<i64>, StoreError> {
    optional(
        tx.prepare_cached("SELECT seq FROM request WHERE id = ?")?
            .query_row([id.as_bytes()], |row| row.get(0)),
    )
}

/// No row is not a failure.
pub(super) fn optional<T>(result: rusqlite::Result<T>) -> Result<Option<T>, StoreError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
