//! Who may call a host: credentials and their roles, and the links by which browsers get one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CredentialId, UnixMillis};

/// The name of the credentials that a host makes for the programs of its own user. As the name of a
/// person it stands where the account has none.
pub const LOCAL: &str = "local";

/// What a credential allows. The roles do not contain each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Role {
    /// Asks, and reads, awaits and withdraws what was asked with the same credential.
    Asker,
    /// Lists, drafts, answers, cancels, puts off and reads back, as one person.
    Answerer,
    /// Manages credentials, purges, reads metrics, withdraws any request, stops the host.
    Admin,
}

impl Role {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asker => "asker",
            Self::Answerer => "answerer",
            Self::Admin => "admin",
        }
    }

    /// The role of this word.
    pub fn from_wire(word: &str) -> Option<Self> {
        [Self::Asker, Self::Answerer, Self::Admin].into_iter().find(|role| role.as_str() == word)
    }
}

/// A credential without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    /// Its id.
    pub id: CredentialId,
    /// What it allows.
    pub role: Role,
    /// The verified name of whoever holds it, shown beside an asker's own words.
    pub name: String,
    /// For an answerer: the person whose drafts it shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<UnixMillis>,
    /// Of a browser that signed in by a link: how it was used. Other credentials have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
}

/// A browser that signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// When it was last used, cut to the full hour.
    pub used_at: UnixMillis,
}

/// A credential to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewCredential {
    /// What it shall allow.
    pub role: Role,
    /// The name of whoever will hold it, up to 1 KiB and not blank.
    pub name: String,
    /// For an answerer: the person it stands for. Absent: its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// A link by which a browser signs in as a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewSignIn {
    /// The page to show then: a path of the host, up to 1 KiB. Absent: the inbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The name of the device, up to 1 KiB and not blank. Absent: what its browser says it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The person to sign in as, where an admin makes the link. Absent: the one of the first
    /// answerer's credential. An answerer's link is for its own person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// A link that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInLink {
    /// The link. It signs in once.
    pub url: String,
    /// The same link as other machines open it. Absent where the host listens on loopback only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere_url: Option<String>,
    /// Until when it works.
    pub expires_at: UnixMillis,
}
