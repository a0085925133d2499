//! Who is elsewhere, and since when.

use askwell_core::wire::UnixMillis;
use rusqlite::{Connection, Transaction};

use crate::StoreError;

pub(super) fn set(
    tx: &Connection,
    person: &str,
    since: Option<UnixMillis>,
) -> Result<(), StoreError> {
    match since {
        Some(since) => tx
            .prepare_cached("INSERT OR REPLACE INTO elsewhere (person, since) VALUES (?, ?)")?
            .execute((person, since))?,
        None => tx.prepare_cached("DELETE FROM elsewhere WHERE person = ?")?.execute([person])?,
    };
    Ok(())
}

pub(super) fn all(tx: &Transaction<'_>) -> Result<Vec<(String, UnixMillis)>, StoreError> {
    let mut statement = tx.prepare_cached("SELECT person, since FROM elsewhere")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
