//! How far readers of the event log have come.

use rusqlite::Connection;

use super::codec::optional;
use crate::StoreError;

pub(super) fn read(tx: &Connection, name: &str) -> Result<Option<u64>, StoreError> {
    optional(
        tx.prepare_cached("SELECT event FROM bookmark WHERE name = ?")?
            .query_row([name], |row| row.get(0)),
    )
}

pub(super) fn set(tx: &Connection, name: &str, event: Option<u64>) -> Result<(), StoreError> {
    match event {
        Some(event) => tx
            .prepare_cached("INSERT OR REPLACE INTO bookmark (name, event) VALUES (?, ?)")?
            .execute((name, event))?,
        None => tx.prepare_cached("DELETE FROM bookmark WHERE name = ?")?.execute([name])?,
    };
    Ok(())
}
