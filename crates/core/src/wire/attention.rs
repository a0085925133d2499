//! Whether somebody would see a request at the inbox right now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::UnixMillis;

/// Whether somebody would see a request at the inbox right now: what a consumer looks at that could
/// also have it shown somewhere else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Attention {
    /// How many event streams of answerers are open.
    pub watching: u32,
    /// Since when a person is elsewhere, and wants what is asked in the inbox. To an answerer its own
    /// person is told, to others the one who has been so for longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elsewhere_since: Option<UnixMillis>,
}

impl Attention {
    /// Whether the inbox is the right place.
    pub fn is_given(self) -> bool {
        self.watching > 0 || self.elsewhere_since.is_some()
    }
}

/// A person is elsewhere, or not any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elsewhere {
    /// Whether this person is elsewhere.
    pub elsewhere: bool,
}
