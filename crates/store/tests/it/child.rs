//! This test binary run again as another process on the same store. What the child does is a test
//! that does nothing unless it is told to.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use askwell_core::State;
use askwell_core::wire::{ProviderName, Receipt, RequestId};
use askwell_store::{Condition, LateRow, Settlement};
use serde_json::{Value, json};

const STORE: &str = "ASKWELL_STORE_CHILD";
const SEED: &str = "ASKWELL_STORE_CHILD_SEED";

/// Runs the test of this name as another process on this store.
pub fn spawn(test: &str, store: &Path, seed: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads", "1"])
        .env(STORE, store)
        .env(SEED, seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The store and the seed of a child; `None` in an ordinary run of the tests.
pub fn orders() -> Option<(PathBuf, Random)> {
    let store = std::env::var_os(STORE)?;
    let seed = std::env::var(SEED).unwrap().parse().unwrap();
    // Ends the line that the test harness has begun.
    tell("");
    Some((store.into(), Random(seed)))
}

/// Tells the parent something, whole or not at all.
pub fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{line}\n").as_bytes());
    let _ = out.flush();
}

/// The lines that a child told, without one that was cut.
pub fn told(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(str::to_owned).collect()
}

/// Numbers that look random, the same for the same seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound.max(1)
    }
}

/// An id that no other process mints.
pub fn mint() -> RequestId {
    let mut random = [0; 10];
    getrandom::fill(&mut random).unwrap();
    RequestId::mint(1_790_000_000_000, random)
}

/// An end by a person with this text.
pub fn settlement(id: RequestId, state: State, text: &str, late: bool) -> Settlement {
    let outcome: Value = json!({ "text": text });
    let provider = ProviderName::Api;
    let by = "ann".to_owned();
    let late = late.then(|| LateRow { at: 2, provider, by: by.clone(), response: outcome.clone() });
    let receipt = Receipt { at: 1, provider: Some(provider), by: Some(by), picked_up_at: None };
    Settlement { id, condition: Condition::Pending, state, outcome, receipt, late }
}
