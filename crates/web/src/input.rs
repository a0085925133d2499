//! The bodies that calls read, each from its bytes. Strict: the lenient shapes of models are read at
//! the consumers' edge, never here. What a body means is the host's.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use askwell_core::json::kind_of;
use askwell_core::wire::{
    DraftWrite, Elsewhere, Leaving, NewCredential, NewSignIn, ProviderName, Response,
};
use askwell_core::{Request, ValidRequest, request, schema};

use crate::failure::Failure;
use crate::options::{ANSWERED, POSTED, SMALL};

/// The body of a call.
pub(crate) trait Input: Sized + Send + 'static {
    /// The most bytes that it may have.
    const MOST: usize;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;

    fn read(bytes: &[u8]) -> Result<Self, Failure>;
}

/// Nothing to say: no body, or an object.
impl Input for () {
    const MOST: usize = SMALL;

    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn read(bytes: &[u8]) -> Result<Self, Failure> {
        match bytes {
            [] => Ok(()),
            bytes => read_json::<IgnoredAny>(bytes).map(|_| ()),
        }
    }
}

impl Input for ValidRequest {
    const MOST: usize = POSTED;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<Request>())
    }

    fn read(bytes: &[u8]) -> Result<Self, Failure> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(request::from_json(text)?),
            Err(_) => Err(Failure::not_json(&parse::<Value>(bytes).err().unwrap_or_else(not_utf8))),
        }
    }
}

fn not_utf8() -> serde_json::Error {
    serde::de::Error::custom("the text is not UTF-8")
}

/// An answer. Its items stay as they were sent: the host checks them, and keeps them where they come
/// too late.
impl Input for Response {
    const MOST: usize = ANSWERED;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        let answers = schema::answer()["properties"]["answers"].take();
        let provider = generator.subschema_for::<ProviderName>();
        let schema = json!({
            "type": "object",
            "description": "A person's answer, and what collected it.",
            "required": ["answers"],
            "properties": {"answers": answers, "provider": provider},
        });
        Schema::try_from(schema).ok()
    }

    fn read(bytes: &[u8]) -> Result<Self, Failure> {
        // As a request does: of two values for one name one would be lost.
        let mut value =
            askwell_core::json::parse(bytes).map_err(|error| Failure::not_json(&error))?;
        let provider = match value.get("provider") {
            None | Some(Value::Null) => ProviderName::default(),
            Some(provider) => provider
                .as_str()
                .and_then(ProviderName::from_wire)
                .ok_or_else(|| unknown_provider(provider))?,
        };
        // Without a list the host tells that it is malformed, as any other issue of an answer.
        let answers = value.get_mut("answers").map(Value::take).unwrap_or_default();
        Ok(Self { answers, provider })
    }
}

fn unknown_provider(found: &Value) -> Failure {
    let words: Vec<&str> = ProviderName::ALL.into_iter().map(ProviderName::as_str).collect();
    let found = match found {
        Value::String(_) => "not known",
        other => kind_of(other),
    };
    Failure::fault("provider", format!("is {found} (expected one of {})", words.join(", ")))
}

/// Why a person puts a request aside.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Cancel {
    /// The reason, in the person's words.
    #[schemars(length(max = askwell_core::limits::COMMENT))]
    pub comment: Option<String>,
    /// What collected it.
    #[serde(deserialize_with = "null_is_default")]
    #[schemars(with = "Option<ProviderName>")]
    pub provider: ProviderName,
}

/// How an asker stops waiting.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Detach {
    /// `told` (what is left out): it will come back, or not; `cut`: its call was cut, so it is away.
    #[serde(deserialize_with = "null_is_default")]
    #[schemars(with = "Option<Leaving>")]
    pub leaving: Leaving,
}

/// Why a request is withdrawn.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Abort {
    /// Why, as in "withdrawn before an answer: …". Left out: `the asking program withdrew it`.
    pub reason: Option<String>,
}

/// What to forget.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Purge {
    /// Keep what ended within so many seconds; forget what ended before.
    pub keep_seconds: u64,
}

macro_rules! json_input {
    ($type:ty, $most:expr, $required:expr) => {
        impl Input for $type {
            const MOST: usize = $most;

            fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
                Some(generator.subschema_for::<$type>())
            }

            fn read(bytes: &[u8]) -> Result<Self, Failure> {
                match bytes {
                    [] if !$required => read_json(b"{}"),
                    bytes => read_json(bytes),
                }
            }
        }
    };
}

json_input!(DraftWrite, ANSWERED, true);
json_input!(NewCredential, SMALL, true);
json_input!(Elsewhere, SMALL, true);
json_input!(Purge, SMALL, true);
json_input!(NewSignIn, SMALL, false);
json_input!(Cancel, SMALL, false);
json_input!(Detach, SMALL, false);
json_input!(Abort, SMALL, false);

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes)
}

fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    // That it is JSON at all comes first, whatever else is wrong with it.
    parse::<IgnoredAny>(bytes).map_err(|error| Failure::not_json(&error))?;
    // A list of its members would be read as an object too.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Failure::fault("$", "is not an object"));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { "$" } else { &path };
        Failure::fault(path, format!("can't be read: {}", error.inner()))
    })
}

fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
