//! What a client carries for us between two rounds of a call, sealed: it can't be read for what it does
//! not say, changed, used by another caller or for another call, or used twice.
//!
//! It names the request and the round, and no text of a question or an answer. A state that was used is
//! remembered by this process; one that brought an answer has ended its request, which is remembered for
//! good.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use askwell_core::wire::RequestId;
use rmcp::model::{JsonObject, RequestStateCodec, SealOptions};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Asked;

/// Longer than a person's weekend.
const LIFE: Duration = Duration::from_secs(7 * 24 * 3_600);

/// More are forgotten.
const MOST: usize = 10_000;

/// Where the key comes from with which states are sealed. It outlives the process, so that a call can be
/// taken up after a restart.
#[derive(Clone)]
pub struct Key(Arc<dyn Fn() -> io::Result<Vec<u8>> + Send + Sync>);

impl Key {
    /// The key that this brings, of at least 32 bytes. It is asked for when it is first needed.
    pub fn new(read: impl Fn() -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }
}

impl Default for Key {
    /// One that lasts as long as the process.
    fn default() -> Self {
        Self::new(|| {
            let mut key = vec![0; 32];
            getrandom::fill(&mut key).map_err(io::Error::other)?;
            Ok(key)
        })
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// What is carried.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// The request, where a host has it.
    pub id: Option<RequestId>,
    /// For what the form was shown once more.
    pub asked: Asked,
    /// When it was sent, in Unix milliseconds.
    pub at: u64,
    /// What tells it from every other.
    pub nonce: String,
}

impl State {
    /// A state that is sent now.
    pub fn new(id: Option<RequestId>, asked: Asked) -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let nonce = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { id, asked, at: now(), nonce })
    }

    /// How long ago it was sent.
    pub fn age(&self) -> Duration {
        Duration::from_millis(now().saturating_sub(self.at))
    }

    fn to_json(&self) -> Value {
        let Asked { empty, wrong } = self.asked;
        json!({ "id": self.id, "empty": empty, "wrong": wrong, "at": self.at, "nonce": self.nonce })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let id = match &value["id"] {
            Value::Null => None,
            id => Some(id.as_str()?.parse().ok()?),
        };
        let nonce = value["nonce"].as_str()?.to_owned();
        let asked = Asked { empty: value["empty"].as_bool()?, wrong: value["wrong"].as_bool()? };
        Some(Self { id, asked, at: value["at"].as_u64()?, nonce })
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Seals states, and opens them.
#[derive(Debug)]
pub(crate) struct Seal {
    key: Key,
    codec: OnceLock<Option<RequestStateCodec>>,
    used: Mutex<HashSet<String>>,
}

impl Seal {
    pub fn new(key: Key) -> Self {
        Self { key, codec: OnceLock::new(), used: Mutex::default() }
    }

    /// A state as the client of this call carries it; none where there is no key.
    pub fn seal(&self, state: &State, call: &Binding) -> Option<String> {
        let options = SealOptions::new().associated_data(&call.0).ttl(LIFE);
        self.codec()?.seal_json_with(&state.to_json(), &options).ok()
    }

    /// The state that a client has brought back.
    ///
    /// # Errors
    /// Why it is none, in a few words.
    pub fn open(&self, sealed: &str, call: &Binding) -> Result<State, String> {
        let codec = self.codec().ok_or("this server has no key")?;
        let opened: Value =
            codec.open_json_with(sealed, &call.0).map_err(|error| error.to_string())?;
        State::from_json(&opened).ok_or_else(|| "it is of another version".to_owned())
    }

    /// Uses a state up. Whether this was the first time.
    pub fn use_up(&self, state: &State) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.len() >= MOST {
            used.clear();
        }
        used.insert(state.nonce.clone())
    }

    /// It came to nothing: the state is as good as before.
    pub fn give_back(&self, state: &State) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).remove(&state.nonce);
    }

    fn codec(&self) -> Option<&RequestStateCodec> {
        let codec = self.codec.get_or_init(|| {
            let key = (self.key.0)();
            let codec = key.map(|key| RequestStateCodec::try_new(key).ok());
            codec.unwrap_or_else(|error| {
                tracing::warn!(%error, "no key: forms can't be shown to clients of this revision");
                None
            })
        });
        codec.as_ref()
    }
}

/// What a state is good for: one caller, one tool, these arguments.
pub(crate) struct Binding(Vec<u8>);

impl Binding {
    pub fn new(principal: &str, tool: &str, arguments: &JsonObject) -> Self {
        // Who sends the same again may write it in another order.
        let mut sorted = Value::Object(arguments.clone());
        sorted.sort_all_objects();
        let mut hash = Sha256::new();
        for part in [principal, tool, &sorted.to_string()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Self(hash.finalize().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(principal: &str, arguments: &Value) -> Binding {
        let Value::Object(arguments) = arguments else { unreachable!() };
        Binding::new(principal, "ask_user_question", arguments)
    }

    #[test]
    fn a_state_is_good_for_its_call_alone_and_once() {
        let seal = Seal::new(Key::default());
        let state =
            State::new(Some(RequestId::mint(1, [1; 10])), Asked { empty: true, wrong: false })
                .unwrap();
        let arguments = json!({"a": 1, "b": {"c": 2, "d": 3}});
        let sealed = seal.seal(&state, &binding("one", &arguments)).unwrap();

        let reordered = json!({"b": {"d": 3, "c": 2}, "a": 1});
        assert_eq!(seal.open(&sealed, &binding("one", &reordered)), Ok(state.clone()));
        assert!(seal.open(&sealed, &binding("other", &arguments)).is_err());
        assert!(seal.open(&sealed, &binding("one", &json!({"a": 2}))).is_err());
        assert!(seal.open(&sealed[1..], &binding("one", &arguments)).is_err());
        let other = Seal::new(Key::default());
        assert!(other.open(&sealed, &binding("one", &arguments)).is_err());
        assert!(seal.use_up(&state) && !seal.use_up(&state));
    }

    #[test]
    fn a_key_that_is_kept_opens_what_was_sealed_before() {
        let key = || Key::new(|| Ok(vec![7; 32]));
        let state = State::new(None, Asked::default()).unwrap();
        let call = binding("one", &json!({}));

        let sealed = Seal::new(key()).seal(&state, &call).unwrap();

        assert_eq!(Seal::new(key()).open(&sealed, &call), Ok(state.clone()));
        assert!(state.age() < Duration::from_secs(60));
        let none = Seal::new(Key::new(|| Err(io::Error::other("no disk"))));
        assert_eq!(none.seal(&state, &call), None);
    }
}
