//! Credentials: of the token only its hash.

use askwell_core::wire::{Credential, CredentialId, Device, UnixMillis};
use rusqlite::{Connection, Row, Transaction};

use super::codec::{credential_id, optional, role};
use crate::{Digest, StoreError, StoredCredential};

const COLUMNS: &str = "id, role, name, person, created_at, revoked_at, used_at, token";

pub(super) fn add(tx: &Connection, new: &StoredCredential) -> Result<(), StoreError> {
    let credential = &new.credential;
    tx.prepare_cached(
        "INSERT INTO credential (id, token, role, name, person, created_at, revoked_at, used_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute((
        credential.id.as_bytes(),
        new.token,
        credential.role.as_str(),
        &credential.name,
        &credential.person,
        credential.created_at,
        credential.revoked_at,
        credential.device.map(|device| device.used_at),
    ))?;
    Ok(())
}

pub(super) fn revoke(
    tx: &Connection,
    id: CredentialId,
    at: UnixMillis,
) -> Result<bool, StoreError> {
    let revoked = tx
        .prepare_cached("UPDATE credential SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL")?
        .execute((at, id.as_bytes()))?;
    Ok(revoked == 1)
}

/// A device was used. Other credentials are left as they are.
pub(super) fn used(tx: &Connection, id: CredentialId, at: UnixMillis) -> Result<(), StoreError> {
    tx.prepare_cached("UPDATE credential SET used_at = max(used_at, ?) WHERE id = ?")?
        .execute((at, id.as_bytes()))?;
    Ok(())
}

pub(super) fn all(tx: &Transaction<'_>) -> Result<Vec<StoredCredential>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM credential ORDER BY seq");
    let mut statement = tx.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    let mut credentials = Vec::new();
    while let Some(row) = rows.next()? {
        credentials.push(read(row)?);
    }
    Ok(credentials)
}

pub(super) fn by_token(tx: &Connection, token: &Digest) -> Result<Option<Credential>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM credential WHERE token = ?");
    let found = optional(tx.prepare_cached(&sql)?.query_row([token], |row| Ok(read(row))))?;
    Ok(found.transpose()?.map(|found| found.credential))
}

fn read(row: &Row<'_>) -> Result<StoredCredential, StoreError> {
    let word: String = row.get(1)?;
    Ok(StoredCredential {
        credential: Credential {
            id: credential_id(row.get(0)?),
            role: role(&word)?,
            name: row.get(2)?,
            person: row.get(3)?,
            created_at: row.get(4)?,
            revoked_at: row.get(5)?,
            device: row.get::<_, Option<_>>(6)?.map(|used_at| Device { used_at }),
        },
        token: row.get(7)?,
    })
}
