//! Fills a store that no host has open, by the store's own writes, many to a transaction.

use std::sync::mpsc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use askwell_client::Place;
use askwell_core::wire::{CredentialId, ProviderName, Receipt, RequestId, RequestSummary, Role};
use askwell_core::{State, ValidRequest, request};
use askwell_store::{
    Condition, Filed, NewRequest, Settled, Settlement, SqliteStore, Store, StoreError,
};
use serde_json::{Value, json};

use super::exchange;

/// The most writes under way: fewer than a store takes.
const UNDER_WAY: usize = 8_192;

/// Files so many requests that have ended, and then so many that wait.
pub fn fill(place: &Place, settled: usize, pending: usize) -> Result<()> {
    let store = SqliteStore::open(&place.database())?;
    let asker = store.credentials()?.into_iter().map(|stored| stored.credential);
    let asker = asker.into_iter().find(|credential| credential.role == Role::Asker);
    let asker = asker.context("the store has no asker")?;
    let request = request::from_json(&exchange::question())?;
    let answer: Value = serde_json::from_str(&exchange::answer())?;
    let maker = Maker {
        text: serde_json::to_vec(&request)?,
        credential: asker.id,
        name: asker.name,
        outcome: json!({"answers": answer["answers"]}),
        request,
        // Ids rise with time, and what comes later has later ones.
        first: now()?.saturating_sub((settled + pending) as u64 + 1),
    };

    let (told, results) = mpsc::channel();
    let mut writes = Writes { results, under_way: 0 };
    for number in 0..settled + pending {
        writes.make_room()?;
        let id = maker.id(number);
        let done = told.clone();
        store.file(
            maker.file(number),
            Box::new(move |filed| {
                let _ = done.send(filed.map(|filed| matches!(filed, Filed::New { .. })));
            }),
        );
        if number < settled {
            let done = told.clone();
            store.settle(
                maker.settle(id, number),
                Box::new(move |settled| {
                    let _ = done.send(settled.map(|it| matches!(it, Settled::Won { .. })));
                }),
            );
            writes.under_way += 1;
        }
        writes.under_way += 1;
    }
    writes.finish()?;
    store.close();
    Ok(())
}

/// The writes under way.
struct Writes {
    results: mpsc::Receiver<Result<bool, StoreError>>,
    under_way: usize,
}

impl Writes {
    fn make_room(&mut self) -> Result<()> {
        while self.under_way + 2 > UNDER_WAY {
            self.hear()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        while self.under_way > 0 {
            self.hear()?;
        }
        Ok(())
    }

    fn hear(&mut self) -> Result<()> {
        self.under_way -= 1;
        ensure!(self.results.recv()??, "a write was refused");
        Ok(())
    }
}

struct Maker {
    request: ValidRequest,
    text: Vec<u8>,
    credential: CredentialId,
    name: String,
    outcome: Value,
    first: u64,
}

impl Maker {
    fn time(&self, number: usize) -> u64 {
        self.first + number as u64
    }

    fn id(&self, number: usize) -> RequestId {
        let mut random = [0x5a; 10];
        random[..8]
            .copy_from_slice(&(number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
        RequestId::mint(self.time(number), random)
    }

    fn file(&self, number: usize) -> NewRequest {
        let (id, at) = (self.id(number), self.time(number).cast_signed());
        // As many different ones as there are requests.
        let mut hash = [0; 32];
        hash[..16].copy_from_slice(id.as_bytes());
        NewRequest {
            id,
            credential: self.credential,
            text: self.text.clone(),
            summary: RequestSummary::of(&self.request, id, &self.name, at, None, false),
            session: Some("one".to_owned()),
            questions: hash,
            matches: vec![hash],
            key: None,
        }
    }

    fn settle(&self, id: RequestId, number: usize) -> Settlement {
        let at = self.time(number).cast_signed();
        let receipt = Receipt {
            at,
            provider: Some(ProviderName::Api),
            by: Some("bench".to_owned()),
            picked_up_at: Some(at),
        };
        Settlement {
            id,
            condition: Condition::Pending,
            state: State::Answered,
            outcome: self.outcome.clone(),
            receipt,
            late: None,
        }
    }
}

fn now() -> Result<u64> {
    Ok(u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?)
}
