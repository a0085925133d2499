//! Whether somebody looks at the inbox of a host, and a person who is elsewhere.

use askwell_core::wire::{Attention, Elsewhere, InboxError};
use serde_json::json;

use crate::call::Call;
use crate::client::{Again, Client};

const ATTENTION: &str = "/api/v1/attention";

impl Client {
    /// Whether somebody would see a request right now (asker, answerer, admin).
    ///
    /// # Errors
    /// Those of every call.
    pub fn attention(&self) -> Result<Attention, InboxError> {
        self.call(&Call::get(ATTENTION), Again::Always)
    }

    /// Says that the answerer's person is elsewhere, or is not any more.
    ///
    /// # Errors
    /// Those of every call.
    pub fn set_elsewhere(&self, is_elsewhere: bool) -> Result<Attention, InboxError> {
        let body = json!(Elsewhere { elsewhere: is_elsewhere });
        self.call(&Call::send("PUT", ATTENTION, &body), Again::Always)
    }
}
