//! Opening connections, and bringing a store to the version of this program.

use std::time::{Duration, Instant};

use rusqlite::{Connection, MAIN_DB, OpenFlags, TransactionBehavior};

use super::file::StoreFile;
use crate::StoreError;

/// "askw": tells our files from any other program's.
const APPLICATION: i64 = 0x6173_6b77;

/// One step for each version. A step is never changed once it was released.
const MIGRATIONS: &[&str] =
    &[include_str!("schema.sql"), include_str!("schema-2.sql"), include_str!("schema-3.sql")];

/// How long a statement waits for another program's lock.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is left of the write-ahead log after it was carried over, in bytes.
const LOG_AFTER_A_BURST: i64 = 16 * 1024 * 1024;

/// The connection that writes.
pub(super) fn writer(file: &StoreFile) -> Result<Connection, StoreError> {
    let connection = connect(file)?;
    // SQLite opens a file that may not be written without a word.
    if connection.is_readonly(MAIN_DB)? {
        return Err(StoreError::unavailable(
            format!("{} may not be written", file.path().display()),
            "Make the file writable, or choose another one.",
        ));
    }
    let deadline = Instant::now() + PATIENCE;
    // The switch to a write-ahead log does not wait for locks by itself.
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
            Ok(()) => break,
            Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(opening(file, error)),
        }
    }
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", LOG_AFTER_A_BURST)?;
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn reader(file: &StoreFile) -> Result<Connection, StoreError> {
    let connection = connect(file)?;
    for (pragma, value) in [("query_only", 1), ("cache_size", -512)] {
        connection.pragma_update(None, pragma, value).map_err(|error| opening(file, error))?;
    }
    Ok(connection)
}

fn connect(file: &StoreFile) -> Result<Connection, StoreError> {
    // Not CREATE: the file is there, and one that vanished must not come back empty.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection =
        Connection::open_with_flags(file.path(), flags).map_err(|error| opening(file, error))?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn opening(file: &StoreFile, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase) => foreign(file),
        _ => match StoreError::from(error) {
            StoreError::Unavailable { message, hint } => StoreError::Unavailable {
                message: format!("{}: {message}", file.path().display()),
                hint,
            },
            other => other,
        },
    }
}

fn foreign(file: &StoreFile) -> StoreError {
    StoreError::Foreign { path: file.path().display().to_string() }
}

/// Looks at a store and changes nothing of it: whether it is ours, known to this program, and whole.
pub(super) fn inspect(file: &StoreFile) -> Result<(), StoreError> {
    let connection = reader(file)?;
    let number = |pragma: &str| {
        let read = connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        read.map_err(|error| opening(file, error))
    };
    // One that was made and never written to is as good as none.
    if number("page_count")? == 0 {
        return Ok(());
    }
    if number("application_id")? != APPLICATION {
        return Err(foreign(file));
    }
    let (found, known) = (number("user_version")?, MIGRATIONS.len() as i64);
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    let said: String = connection
        .pragma_query_value(None, "quick_check", |row| row.get(0))
        .map_err(|error| opening(file, error))?;
    match said.as_str() {
        "ok" => Ok(()),
        fault => Err(StoreError::unavailable(
            format!("{} is damaged: {fault}", file.path().display()),
            "Put back a copy of it, or take out what can be read: sqlite3 FILE .recover",
        )),
    }
}

/// Brings the store to the newest version, in one transaction, and tells its epoch and its label.
pub(super) fn migrate(
    connection: &mut Connection,
    file: &StoreFile,
) -> Result<(u64, String), StoreError> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let number = |pragma: &str| tx.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let (version, application) = (number("user_version")?, number("application_id")?);
    let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let is_new = version == 0 && application == 0 && tables == 0;
    if !is_new && application != APPLICATION {
        return Err(foreign(file));
    }
    let known = MIGRATIONS.len() as i64;
    if version > known {
        return Err(StoreError::Newer { found: version, known });
    }
    for migration in MIGRATIONS.iter().skip(version as usize) {
        tx.execute_batch(migration)?;
    }
    if is_new {
        let random = || getrandom::u64().map_err(|error| StoreError::Internal(error.to_string()));
        let (epoch, label) = (random()?.cast_signed(), label(random()?));
        tx.execute("INSERT INTO store (one, epoch, label) VALUES (1, ?, ?)", (epoch, label))?;
        tx.pragma_update(None, "application_id", APPLICATION)?;
    }
    if version < known {
        tx.pragma_update(None, "user_version", known)?;
    }
    let (epoch, label) = tx.query_row("SELECT epoch, label FROM store", [], |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?))
    })?;
    tx.commit()?;
    Ok((epoch.cast_unsigned(), label))
}

/// Ten letters and digits that are not taken for each other, such as a host name may have.
fn label(random: u64) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    (0..10).map(|place| char::from(LETTERS[(random >> (5 * place)) as usize % 32])).collect()
}
