//! A store with two askers and short words for what is done to it.

use askwell_core::draft::DraftState;
use askwell_core::wire::{
    Credential, CredentialId, EntryWrite, ProviderName, Receipt, RequestId, RequestSummary, Role,
};
use askwell_core::{Question, Request, State, ValidRequest};
use serde_json::{Value, json};

use super::Open;
use crate::{
    Condition, DraftWritten, Filed, KeyClaim, LateRow, NewRequest, Settled, Settlement, Store,
    StoredCredential, wait_for,
};

/// A store in a test.
pub struct Fixture {
    /// The store.
    pub store: Box<dyn Store>,
}

/// The two askers.
pub const ASKERS: [u8; 2] = [1, 2];

impl Fixture {
    /// The store with this name, with the two askers.
    pub fn new(open: Open<'_>, name: &str) -> Self {
        let fixture = Self { store: open(name) };
        if fixture.store.credentials().unwrap().is_empty() {
            for asker in ASKERS {
                let credential = Credential {
                    id: credential(asker),
                    role: Role::Asker,
                    name: format!("asker {asker}"),
                    person: None,
                    created_at: 0,
                    revoked_at: None,
                    device: None,
                };
                let stored = StoredCredential { credential, token: [asker; 32] };
                wait_for(|done| fixture.store.add_credential(stored, done)).unwrap();
            }
        }
        fixture
    }

    /// Files a request as it is.
    pub fn file(&self, request: NewRequest) -> Filed {
        wait_for(|done| self.store.file(request, done)).unwrap()
    }

    /// Files request number `n` of the first asker.
    pub fn ask(&self, n: u8) -> RequestId {
        assert!(matches!(self.file(new(n)), Filed::New { .. }));
        id(n)
    }

    /// Ends a request, whenever it is pending.
    pub fn settle(&self, n: u8, state: State, outcome: Value) -> Settled {
        self.settle_as(Settlement { id: id(n), ..settlement(state, outcome) })
    }

    /// Ends a request as it is said.
    pub fn settle_as(&self, settlement: Settlement) -> Settled {
        wait_for(|done| self.store.settle(settlement, done)).unwrap()
    }

    /// Writes the custom text of question `q` on this base.
    pub fn write(&self, n: u8, base: u64, text: &str) -> DraftWritten {
        self.write_as("ann", n, base, text)
    }

    /// The same as this person.
    pub fn write_as(&self, person: &str, n: u8, base: u64, text: &str) -> DraftWritten {
        let entries = vec![EntryWrite { state: written(text), base }];
        let at = 100 + base.cast_signed();
        let write = |done| self.store.save_draft(id(n), person.to_owned(), entries, at, done);
        wait_for(write).unwrap().unwrap()
    }
}

/// The draft of question `q` with this text.
pub fn written(text: &str) -> DraftState {
    DraftState {
        id: "q".to_owned(),
        custom: text.to_owned(),
        custom_on: true,
        ..DraftState::default()
    }
}

/// The id of request number `n`.
pub fn id(n: u8) -> RequestId {
    RequestId::mint(u64::from(n), [n; 10])
}

/// The id of the credential of asker number `n`.
pub fn credential(n: u8) -> CredentialId {
    CredentialId::mint(0, [n; 10])
}

/// What request number `n` asks.
pub fn request(n: u8) -> ValidRequest {
    Request::new([Question::new("q", format!("Question {n} with a \0?"))]).validate().unwrap()
}

/// Request number `n` of the first asker.
pub fn new(n: u8) -> NewRequest {
    let request = request(n);
    NewRequest {
        id: id(n),
        credential: credential(1),
        text: serde_json::to_vec(&request).unwrap(),
        summary: RequestSummary::of(&request, id(n), "asker 1", i64::from(n), Some(1_000), true),
        session: None,
        questions: [9; 32],
        matches: vec![[7; 32]],
        key: None,
    }
}

/// The same with a key.
pub fn keyed(n: u8, key: KeyClaim) -> NewRequest {
    NewRequest { key: Some(key), ..new(n) }
}

/// An end of request 1 by a person.
pub fn settlement(state: State, outcome: Value) -> Settlement {
    let by = Some("ann".to_owned());
    let receipt = Receipt { at: 500, provider: Some(ProviderName::Web), by, picked_up_at: None };
    let late = LateRow {
        at: 600,
        provider: ProviderName::Terminal,
        by: "ben".to_owned(),
        response: outcome.clone(),
    };
    let condition = Condition::Pending;
    Settlement { id: id(1), condition, state, outcome, receipt, late: Some(late) }
}

/// An answer with this text.
pub fn answer(text: &str) -> Value {
    json!({"answers": [{"id": "q", "selected": [], "custom": text}]})
}
