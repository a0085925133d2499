//! The ids that a host mints. Each is a type of its own, so that one can't stand for another.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::{Builder, Uuid};

/// A text that is no id of the kind that was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not the id of {0}")]
pub struct BadId(&'static str);

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The id for this time and these random bits, of which it holds 74. They are what
            /// makes it unguessable, so they come from the system's source of secrets.
            pub fn mint(unix_millis: u64, random: [u8; 10]) -> Self {
                Self(Builder::from_unix_timestamp_millis(unix_millis, &random).into_uuid())
            }

            /// The id as it is stored.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// The id with these stored bytes.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            /// Reads the one form in which an id is written.
            fn from_str(text: &str) -> Result<Self, BadId> {
                match Uuid::try_parse(text) {
                    Ok(uuid) if text.len() == 36 => Ok(Self(uuid)),
                    _ => Err(BadId($what)),
                }
            }
        }

        text_serde!($name);

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "format": "uuid"})
            }
        }
    };
}

macro_rules! text_serde {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

uuid_id!(
    /// The id of a request: UUIDv7, the same for every provider, over reconnects and restarts.
    RequestId,
    "a request"
);

uuid_id!(
    /// The id of a credential. It is no secret; the token is.
    CredentialId,
    "a credential"
);

/// The place of an event in one store's log, `{epoch}-{number}`. Numbers are dense and in commit
/// order; the epoch is random, so that an id from another store is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventId {
    /// What the store drew when it was made.
    pub epoch: u64,
    /// Counts from 1; 0 stands before the first event.
    pub number: u64,
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.epoch, self.number)
    }
}

impl FromStr for EventId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = BadId("an event");
        let (epoch, number) = text.split_once('-').ok_or(bad)?;
        let hex = epoch.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        if epoch.len() != 16 || !hex || !digits {
            return Err(bad);
        }
        let epoch = u64::from_str_radix(epoch, 16).map_err(|_| bad)?;
        Ok(Self { epoch, number: number.parse().map_err(|_| bad)? })
    }
}

text_serde!(EventId);

impl JsonSchema for EventId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "EventId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9a-f]{16}-[0-9]+$"})
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn an_id_is_read_back_as_it_was_written() {
        let id = RequestId::mint(1_790_000_000_000, [0xab; 10]);

        assert_eq!(id.to_string(), "01a0c450-6c00-7bab-abab-abababababab");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(RequestId::from_bytes(*id.as_bytes()), id);
        assert_eq!(serde_json::from_str::<RequestId>(&format!("\"{id}\"")).unwrap(), id);
    }

    #[rstest]
    #[case("")]
    #[case("01a0c4506c007bababababababababab")]
    #[case("{01a0c450-6c00-7bab-abab-abababababab}")]
    #[case("urn:uuid:01a0c450-6c00-7bab-abab-abababababab")]
    #[case("../../etc/passwd")]
    fn nothing_else_is_an_id(#[case] text: &str) {
        assert_eq!(text.parse::<RequestId>(), Err(BadId("a request")));
    }

    #[rstest]
    #[case("00000000000000ff-12", Some((0xff, 12)))]
    #[case("00000000000000ff-", None)]
    #[case("ff-12", None)]
    #[case("+0000000000000ff-12", None)]
    #[case("00000000000000ff-99999999999999999999", None)]
    fn an_event_id_has_one_form(#[case] text: &str, #[case] parts: Option<(u64, u64)>) {
        let id = text.parse::<EventId>().ok();

        assert_eq!(id.map(|id| (id.epoch, id.number)), parts);
        assert!(id.is_none_or(|id| id.to_string() == text));
    }
}
