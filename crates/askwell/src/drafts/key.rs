//! What a draft is found again by: the part of its file's name that is the same for the same
//! questions.

use std::path::Path;
use std::sync::OnceLock;

use askwell_core::ValidRequest;
use sha2::{Digest, Sha256};

/// Characters of a key.
pub(super) const LENGTH: usize = 32;

/// The same for the same questions, asked by the same program from the same folder. Hashed when it
/// is first needed: most dialogs find no file to compare with, and end without one.
#[derive(Debug)]
pub(super) struct Key {
    of: String,
    hash: OnceLock<String>,
}

impl Key {
    pub fn of(request: &ValidRequest, cwd: &Path) -> Self {
        let asker = request.asker.as_ref();
        let name = asker.and_then(|asker| asker.name.as_deref());
        let chain = asker.map_or(&[][..], |asker| &asker.chain);
        let cwd = match asker.and_then(|asker| asker.cwd.as_deref()) {
            Some(cwd) => cwd.into(),
            None => cwd.to_string_lossy(),
        };
        Self::new(&serde_json::json!([1, request.questions, cwd, name, chain]))
    }

    /// The key of a request of a host.
    pub fn of_request(id: &str) -> Self {
        Self::new(&serde_json::json!(["request", id]))
    }

    /// A list in JSON: no two different parts run together to the same bytes.
    fn new(parts: &serde_json::Value) -> Self {
        Self { of: parts.to_string(), hash: OnceLock::new() }
    }

    pub fn as_str(&self) -> &str {
        self.hash.get_or_init(|| {
            let hash = Sha256::digest(self.of.as_bytes());
            hash.iter().take(LENGTH / 2).map(|byte| format!("{byte:02x}")).collect()
        })
    }
}
