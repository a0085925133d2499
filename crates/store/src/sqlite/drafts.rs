//! Drafts: one for each person, shared by all screens of that person.
//!
//! Invariant: a text that a person wrote is in the draft or kept beside it. A write on an old base
//! is refused and its text kept; the write that then replaces the text against which it lost keeps
//! that one as well.

use askwell_core::draft::{DraftState, Entered};
use askwell_core::text::{holds, is_blank};
use askwell_core::wire::{
    Answering, DraftEntry, DraftSaved, EntrySaved, EntryWrite, OfferedDraft, RequestId, Saved,
    StoredText, UnixMillis,
};
use askwell_core::{State, limits};
use rusqlite::Connection;

use super::codec::{from_json, optional, request_id, row_of, to_json};
use super::requests;
use crate::records::untouched;
use crate::{Digest, DraftWritten, StoreError, StoredDraft};

/// One question of a person's draft.
struct Entry<'a> {
    tx: &'a Connection,
    row: i64,
    person: &'a str,
    question: &'a str,
}

struct Current {
    state: DraftState,
    revision: u64,
    contested: bool,
}

pub(super) fn save(
    tx: &Connection,
    id: RequestId,
    person: &str,
    entries: &[EntryWrite],
    at: UnixMillis,
) -> Result<Option<DraftWritten>, StoreError> {
    let Some(row) = row_of(tx, id)? else { return Ok(None) };
    let mut questions = Vec::with_capacity(entries.len());
    let mut changed = false;
    for (place, write) in entries.iter().enumerate() {
        let entry = Entry { tx, row, person, question: &write.state.id };
        let (result, is_new) = entry.save(place, write, at)?;
        changed |= is_new;
        questions.push(result);
    }
    let revision = match changed {
        true => touch(tx, row, person, at)?,
        false => head(tx, row, person)?.map_or(0, |(revision, _)| revision),
    };
    let emptied = |write: &EntryWrite| Entered::from(vec![write.state.clone()]).is_untouched();
    let is_emptied = changed && entries.iter().all(emptied) && is_empty(tx, row, person)?;
    let draft_writes = tx
        .prepare_cached("SELECT draft_writes FROM request WHERE seq = ?")?
        .query_row([row], |row| row.get(0))?;
    let (state, ended) = requests::standing(tx, row)?;
    if changed && !matches!(state, State::Pending | State::Answered) {
        remember(tx, row)?;
    }
    let saved = DraftSaved { revision, questions };
    Ok(Some(DraftWritten { saved, ended, draft_writes, is_emptied }))
}

/// Whether nothing is entered in a person's draft (any more).
fn is_empty(tx: &Connection, row: i64, person: &str) -> Result<bool, StoreError> {
    let mut statement =
        tx.prepare_cached("SELECT state FROM draft_entry WHERE request = ? AND person = ?")?;
    let mut rows = statement.query((row, person))?;
    let mut states = Vec::new();
    while let Some(row) = rows.next()? {
        let state = row.get_ref(0)?.as_bytes().map_err(rusqlite::Error::from)?;
        states.push(from_json("a draft", state)?);
    }
    Ok(Entered::from(states).is_untouched())
}

/// Who, beside this person, edited a draft of a request after this time and has something in it, by
/// name.
pub(super) fn answering(
    tx: &Connection,
    row: i64,
    beside: &str,
    since: UnixMillis,
) -> Result<Vec<Answering>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT person, edited_at FROM draft
         WHERE request = ? AND person <> ? AND edited_at > ? ORDER BY person",
    )?;
    let rows = statement.query_map((row, beside, since), |row| {
        Ok(Answering { person: row.get(0)?, edited_at: row.get(1)?, left: false })
    })?;
    let mut others = Vec::new();
    for other in rows {
        let other = other?;
        if !is_empty(tx, row, &other.person)? {
            others.push(other);
        }
    }
    Ok(others)
}

pub(super) fn answering_by_id(
    tx: &Connection,
    id: RequestId,
    beside: &str,
    since: UnixMillis,
) -> Result<Vec<Answering>, StoreError> {
    row_of(tx, id)?.map_or_else(|| Ok(Vec::new()), |row| answering(tx, row, beside, since))
}

fn touch(tx: &Connection, row: i64, person: &str, at: UnixMillis) -> Result<u64, StoreError> {
    tx.prepare_cached(
        "UPDATE request SET draft_writes = draft_writes + 1, draft_edited_at = ? WHERE seq = ?",
    )?
    .execute((at, row))?;
    let revision = tx
        .prepare_cached(
            "INSERT INTO draft (request, person, revision, edited_at) VALUES (?, ?, 1, ?)
             ON CONFLICT DO UPDATE SET revision = revision + 1, edited_at = excluded.edited_at
             RETURNING revision",
        )?
        .query_row((row, person, at), |row| row.get(0))?;
    Ok(revision)
}

impl Entry<'_> {
    /// Saves or refuses a write. Tells also whether anything is on disk that was not.
    fn save(
        &self,
        place: usize,
        write: &EntryWrite,
        at: UnixMillis,
    ) -> Result<(EntrySaved, bool), StoreError> {
        let current = self.current()?;
        if write.state == current.state {
            // Sent again, or on a screen that shows the same already.
            return Ok((self.result(Saved::Saved, current.state, current.revision)?, false));
        }
        if write.base != current.revision {
            // One that adds nothing too: the write that then replaces the draft would add that one.
            if self.count_kept()? >= limits::KEPT {
                return Err(StoreError::Kept { entry: place });
            }
            let kept = self.keep(&write.state.custom, &current.state.custom, at)?;
            self.contest()?;
            return Ok((self.result(Saved::Stale, current.state, current.revision)?, kept));
        }
        if current.contested {
            self.keep(&current.state.custom, &write.state.custom, at)?;
        }
        let revision = current.revision + 1;
        self.tx
            .prepare_cached(
                "INSERT INTO draft_entry (request, person, question, revision, contested, state)
                 VALUES (?, ?, ?, ?, 0, ?)
                 ON CONFLICT DO UPDATE SET revision = excluded.revision, contested = 0,
                   state = excluded.state",
            )?
            .execute((
                self.row,
                self.person,
                self.question.as_bytes(),
                revision,
                to_json(&write.state)?,
            ))?;
        Ok((self.result(Saved::Saved, write.state.clone(), revision)?, true))
    }

    fn current(&self) -> Result<Current, StoreError> {
        let found = optional(
            self.tx
                .prepare_cached(
                    "SELECT state, revision, contested FROM draft_entry
                     WHERE request = ? AND person = ? AND question = ?",
                )?
                .query_row((self.row, self.person, self.question.as_bytes()), |row| {
                    Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?, row.get(2)?))
                }),
        )?;
        Ok(match found {
            Some((state, revision, contested)) => {
                Current { state: from_json("a draft", &state)?, revision, contested }
            }
            None => Current { state: untouched(self.question), revision: 0, contested: false },
        })
    }

    /// Remembers that a write was refused, also on a question that was never written: what is kept
    /// beside it has to be found.
    fn contest(&self) -> Result<(), StoreError> {
        self.tx
            .prepare_cached(
                "INSERT INTO draft_entry (request, person, question, revision, contested, state)
                 VALUES (?, ?, ?, 0, 1, ?) ON CONFLICT DO UPDATE SET contested = 1",
            )?
            .execute((
                self.row,
                self.person,
                self.question.as_bytes(),
                to_json(&untouched(self.question))?,
            ))?;
        Ok(())
    }

    /// Keeps a text, unless it is part of the one that stays or of one that is kept. One that
    /// grew replaces what it grew from.
    fn keep(&self, text: &str, stays: &str, at: UnixMillis) -> Result<bool, StoreError> {
        if is_blank(text) || holds(stays, text) {
            return Ok(false);
        }
        let mut grew_from = None;
        for (seq, kept) in self.kept()? {
            if holds(&kept.text, text) {
                return Ok(false);
            }
            if text.starts_with(&kept.text) {
                grew_from = Some(seq);
            }
        }
        match grew_from {
            Some(seq) => self
                .tx
                .prepare_cached("UPDATE draft_kept SET text = ?, at = ? WHERE seq = ?")?
                .execute((text.as_bytes(), at, seq))?,
            None => self
                .tx
                .prepare_cached(
                    "INSERT INTO draft_kept (request, person, question, at, text)
                     VALUES (?, ?, ?, ?, ?)",
                )?
                .execute((self.row, self.person, self.question.as_bytes(), at, text.as_bytes()))?,
        };
        Ok(true)
    }

    fn count_kept(&self) -> Result<usize, StoreError> {
        let count = self
            .tx
            .prepare_cached(
                "SELECT count(*) FROM draft_kept WHERE request = ? AND person = ? AND question = ?",
            )?
            .query_row((self.row, self.person, self.question.as_bytes()), |row| row.get(0))?;
        Ok(count)
    }

    fn kept(&self) -> Result<Vec<(i64, StoredText)>, StoreError> {
        let mut statement = self.tx.prepare_cached(
            "SELECT seq, text, at FROM draft_kept
             WHERE request = ? AND person = ? AND question = ? ORDER BY seq",
        )?;
        let mut rows = statement.query((self.row, self.person, self.question.as_bytes()))?;
        let mut kept = Vec::new();
        while let Some(row) = rows.next()? {
            let text =
                String::from_utf8_lossy(row.get_ref(1)?.as_bytes().map_err(rusqlite::Error::from)?)
                    .into_owned();
            kept.push((row.get(0)?, StoredText { text, at: row.get(2)? }));
        }
        Ok(kept)
    }

    /// What is kept and does not stand in the draft itself.
    fn beside(&self, state: &DraftState) -> Result<Vec<StoredText>, StoreError> {
        let kept = self.kept()?.into_iter().map(|(_, kept)| kept);
        Ok(kept.filter(|kept| !holds(&state.custom, &kept.text)).collect())
    }

    fn result(
        &self,
        result: Saved,
        state: DraftState,
        revision: u64,
    ) -> Result<EntrySaved, StoreError> {
        let kept = self.beside(&state)?;
        Ok(EntrySaved { result, entry: DraftEntry { state, revision, kept } })
    }
}

pub(super) fn read(
    tx: &Connection,
    id: RequestId,
    person: &str,
) -> Result<StoredDraft, StoreError> {
    let Some(row) = row_of(tx, id)? else { return Ok(StoredDraft::default()) };
    let head = head(tx, row, person)?;
    let offered = match head {
        None => offered(tx, row, person)?,
        Some(_) => None,
    };
    Ok(StoredDraft {
        revision: head.map_or(0, |(revision, _)| revision),
        edited_at: head.map(|(_, edited_at)| edited_at),
        entries: entries(tx, row, person)?,
        offered,
    })
}

fn head(tx: &Connection, row: i64, person: &str) -> Result<Option<(u64, UnixMillis)>, StoreError> {
    optional(
        tx.prepare_cached(
            "SELECT revision, edited_at FROM draft WHERE request = ? AND person = ?",
        )?
        .query_row((row, person), |row| Ok((row.get(0)?, row.get(1)?))),
    )
}

fn entries(tx: &Connection, row: i64, person: &str) -> Result<Vec<DraftEntry>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT question, state, revision FROM draft_entry WHERE request = ? AND person = ?",
    )?;
    let mut rows = statement.query((row, person))?;
    let mut entries = Vec::new();
    while let Some(found) = rows.next()? {
        let question: Vec<u8> = found.get(0)?;
        let question = String::from_utf8_lossy(&question);
        let entry = Entry { tx, row, person, question: &question };
        let state = from_json("a draft", &found.get::<_, Vec<u8>>(1)?)?;
        let kept = entry.beside(&state)?;
        entries.push(DraftEntry { state, revision: found.get(2)?, kept });
    }
    Ok(entries)
}

/// Offers the drafts of a request that ended without an answer when the same is asked again.
pub(super) fn remember(tx: &Connection, row: i64) -> Result<(), StoreError> {
    let mut persons = tx.prepare_cached("SELECT person FROM draft WHERE request = ?")?;
    let persons: Vec<String> =
        persons.query_map([row], |row| row.get(0))?.collect::<Result<_, _>>()?;
    if persons.is_empty() {
        return Ok(());
    }
    for found in matches(tx, row)? {
        for person in &persons {
            tx.prepare_cached(
                "INSERT OR REPLACE INTO offer (match, person, request) VALUES (?, ?, ?)",
            )?
            .execute((found, person, row))?;
        }
    }
    Ok(())
}

fn matches(tx: &Connection, row: i64) -> Result<Vec<Digest>, StoreError> {
    let matches: Vec<u8> = tx
        .prepare_cached("SELECT matches FROM request_text WHERE request = ?")?
        .query_row([row], |row| row.get(0))?;
    let (matches, _) = matches.as_chunks::<32>();
    Ok(matches.to_vec())
}

/// The draft of the newest request that was the same: by its key, or by what it asked for whom.
fn offered(tx: &Connection, row: i64, person: &str) -> Result<Option<OfferedDraft>, StoreError> {
    let mut from: Option<i64> = tx
        .prepare_cached("SELECT draft_of FROM request_text WHERE request = ?")?
        .query_row([row], |row| row.get(0))?;
    for found in matches(tx, row)? {
        let other: Option<i64> = optional(
            tx.prepare_cached("SELECT request FROM offer WHERE match = ? AND person = ?")?
                .query_row((found, person), |row| row.get(0)),
        )?;
        from = from.max(other.filter(|other| *other != row));
    }
    let Some(from) = from else { return Ok(None) };
    let Some((_, edited_at)) = head(tx, from, person)? else { return Ok(None) };
    let id = tx
        .prepare_cached("SELECT id FROM request WHERE seq = ?")?
        .query_row([from], |row| row.get(0).map(request_id))?;
    let entries = entries(tx, from, person)?;
    let questions = entries.into_iter().map(|entry| entry.state).collect();
    Ok(Some(OfferedDraft { from: id, edited_at, questions }))
}
