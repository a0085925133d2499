//! What a call brings beside its body: the id in its path, its query, and the keys in its headers.

use axum::extract::{FromRequestParts as _, Query, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Uri};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use askwell_core::ErrorCode;
use askwell_core::wire::{
    CredentialId, EventId, HistoryQuery, IdempotencyKey, ListFilter, ListQuery, RequestId,
};

use crate::failure::{DERIVED_KEY, Failure, IDEMPOTENCY_KEY};

/// The id in a path, or none.
pub(crate) trait PathId: Sized + Send + 'static {
    /// What the id names, for the document.
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;

    /// Reads it; `None` where the path holds none.
    fn parse(text: Option<&str>) -> Result<Self, Failure>;
}

impl PathId for () {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn parse(_: Option<&str>) -> Result<Self, Failure> {
        Ok(())
    }
}

macro_rules! path_id {
    ($id:ty, $what:literal) => {
        impl PathId for $id {
            fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
                Some(generator.subschema_for::<$id>())
            }

            fn parse(text: Option<&str>) -> Result<Self, Failure> {
                text.and_then(|text| text.parse().ok()).ok_or_else(|| {
                    Failure::new(ErrorCode::NotFound, concat!("there is no such ", $what))
                })
            }
        }
    };
}

path_id!(RequestId, "request");
path_id!(CredentialId, "credential");

/// Reads the id in the path of a call.
pub(crate) async fn id<P: PathId>(parts: &mut Parts) -> Result<P, Failure> {
    let params = RawPathParams::from_request_parts(parts, &()).await.ok();
    P::parse(params.as_ref().and_then(|params| params.iter().next()).map(|(_, id)| id))
}

/// Reads a query. Names that are not known are ignored.
pub(crate) fn query<Q: DeserializeOwned>(uri: &Uri) -> Result<Q, Failure> {
    Query::try_from_uri(uri).map(|Query(query)| query).map_err(|rejection| {
        // "Failed to deserialize query string: limit: invalid digit": what follows the colon.
        let text = rejection.body_text();
        let why = text.split_once(": ").map_or(text.as_str(), |(_, why)| why);
        Failure::fault("query", format!("can't be read: {why}"))
    })
}

/// The query of what has none.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct NoQuery {}

/// How a request is posted.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AskQuery {
    /// Whether the asker stays: it waits, or polls within each lease of 30 seconds.
    #[serde(default)]
    pub attach: bool,
}

/// Which page of the list to read.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListParams {
    /// `pending` (what is left out): those that wait for a person; `open`: also those that a person
    /// ended and whose asker does not know it yet.
    #[serde(default)]
    pub state: ListFilter,
    /// Only those whose asker says that it is of this session.
    pub session: Option<String>,
    /// The `next` of the page before.
    pub after: Option<String>,
    /// The most requests in the page; 100 where it is left out, and never more than 1,000.
    pub limit: Option<u32>,
}

impl From<ListParams> for ListQuery {
    fn from(params: ListParams) -> Self {
        let ListParams { state, session, after, limit } = params;
        Self { filter: state, session, after, limit }
    }
}

/// Which page of what has ended to read.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct HistoryParams {
    /// Only those that hold this text somewhere, in whatever case.
    pub search: Option<String>,
    /// The `next` of the page before.
    pub after: Option<String>,
    /// The most requests in the page; 100 where it is left out, and never more than 1,000.
    pub limit: Option<u32>,
}

impl From<HistoryParams> for HistoryQuery {
    fn from(params: HistoryParams) -> Self {
        let HistoryParams { search, after, limit } = params;
        Self { search, after, limit }
    }
}

/// Whether to wait for the end of a request.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct WaitParams {
    /// Seconds to wait until the request ends. By its own asker it renews the lease, 0 too. More
    /// than the host's bound (60) is cut to it: a wait that runs out is no loss.
    #[schemars(range(min = 0))]
    pub wait: Option<f64>,
    /// Whether an outcome that this brings to its own asker counts as picked up (what is left out:
    /// yes). Who has yet to hand it on says `false`, and `pick-up` once it has arrived.
    #[serde(default = "yes", rename = "pickUp")]
    pub pick_up: bool,
}

fn yes() -> bool {
    true
}

/// From where to read events.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EventParams {
    /// The id of the last event that was read, or the `eventId` of a page. `Last-Event-ID` goes
    /// before it.
    pub after: Option<EventId>,
    /// Whether signs of life are events too (`alive`, without an id): a page sees no others.
    #[serde(default)]
    pub alive: bool,
}

/// The key of a posted request, from its headers.
pub(crate) fn key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Failure> {
    let explicit = one(headers, &IDEMPOTENCY_KEY, "Idempotency-Key")?;
    let derived = one(headers, &DERIVED_KEY, "Askwell-Derived-Key")?;
    match (explicit, derived) {
        (None, None) => Ok(None),
        (Some(key), None) => Ok(Some(IdempotencyKey::explicit(key)?)),
        (None, Some(key)) => Ok(Some(IdempotencyKey::derived(key)?)),
        (Some(_), Some(_)) => Err(Failure::fault(
            "Askwell-Derived-Key",
            "is given beside an Idempotency-Key (at most one of both)",
        )),
    }
}

fn one<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
    shown: &str,
) -> Result<Option<&'h str>, Failure> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Failure::fault(shown, "is given twice"));
    }
    let text = std::str::from_utf8(value.as_bytes());
    text.map(Some).map_err(|_| Failure::fault(shown, "is not UTF-8"))
}
