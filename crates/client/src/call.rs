//! One call over HTTP, without any second try: what is sent, and what the answer means.
//!
//! Owns the words for a host that does not answer. Invariant: a failure says whether the host may
//! have acted on the call.

use std::io;
use std::time::Duration;

use askwell_core::wire::{InboxError, Problem};
use askwell_core::{ErrorCode, RequestCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::http::{HeaderValue, Request, Response, StatusCode};
use ureq::{Agent, Body, SendBody};

use crate::Access;

const CONNECT: Duration = Duration::from_secs(3);

/// More than a page of a list or a whole request with its late texts holds.
const LARGEST: u64 = 256 * 1024 * 1024;

/// What is asked of a host.
#[derive(Debug, Clone)]
pub(crate) struct Call<'a> {
    pub(crate) method: &'static str,
    /// With its query.
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, &'a str)>,
    pub(crate) body: Option<String>,
    /// How long the host may take.
    pub(crate) time: Duration,
}

impl Call<'_> {
    /// A call that a host answers as fast as it can.
    const TIME: Duration = Duration::from_secs(30);

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self { method: "GET", path: path.into(), headers: Vec::new(), body: None, time: Self::TIME }
    }

    pub(crate) fn send(method: &'static str, path: impl Into<String>, body: &Value) -> Self {
        Self { method, body: Some(body.to_string()), ..Self::get(path) }
    }
}

/// Why a call brought nothing.
#[derive(Debug)]
pub(crate) enum Failed {
    /// Nothing of it has reached a host.
    Unsent(String),
    /// Somewhere on the way. The host may have acted on it.
    Cut(String),
    /// The host is there and asks to come again later.
    Later(InboxError, Option<Duration>),
    /// The host has said no.
    Told(InboxError),
}

impl Failed {
    /// The error for the caller, once nothing more is tried.
    pub(crate) fn into_error(self, url: &str) -> InboxError {
        match self {
            Self::Unsent(why) | Self::Cut(why) => unreachable_host(url, &why),
            Self::Later(error, _) | Self::Told(error) => error,
        }
    }
}

/// A host that does not answer.
pub(crate) fn unreachable_host(url: &str, why: &str) -> InboxError {
    let message = format!("no host answers at {url}: {why}");
    InboxError::new(ErrorCode::HostUnreachable, message)
        .with_hint("see whether it runs with: askwell status")
}

/// The connections to hosts.
pub(crate) fn agent(per_read: Option<Duration>) -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        // A credential does not follow a redirect, and no proxy sees it.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .user_agent(concat!("askwell/", env!("CARGO_PKG_VERSION")))
        .timeout_resolve(Some(CONNECT))
        .timeout_connect(Some(CONNECT))
        .timeout_per_read(per_read)
        .build()
        .into()
}

/// Sends a call, and reads the whole answer.
pub(crate) fn call<T: DeserializeOwned>(
    agent: &Agent,
    access: &Access,
    call: &Call<'_>,
) -> Result<T, Failed> {
    let mut response = send(agent, access, call, Some(call.time))?;
    let bytes = response
        .body_mut()
        .with_config()
        .limit(LARGEST)
        .read_to_vec()
        .map_err(|error| Failed::Cut(error.to_string()))?;
    // A call that has nothing to say answers 204.
    let bytes = if bytes.is_empty() { b"null".as_slice() } else { &bytes };
    serde_json::from_slice(bytes).map_err(|error| {
        let message = format!("the host at {} answers in another form: {error}", access.url);
        Failed::Told(InboxError::new(ErrorCode::HostVersion, message))
    })
}

/// Sends a call, and gives back the answer that says yes, its body not read yet.
pub(crate) fn send(
    agent: &Agent,
    access: &Access,
    call: &Call<'_>,
    time: Option<Duration>,
) -> Result<Response<Body>, Failed> {
    let url = format!("{}{}", access.url, call.path);
    let mut request = Request::builder().method(call.method).uri(url);
    request = request.header("accept", "application/json, application/problem+json");
    if let Some(token) = &access.token {
        request = request.header("authorization", format!("Bearer {}", token.secret()));
    }
    for (name, value) in &call.headers {
        let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| {
            let code = ErrorCode::Request(RequestCode::BadRequest);
            let message = format!("{name} holds a line break or another control character");
            Failed::Told(InboxError::new(code, message))
        })?;
        request = request.header(*name, value);
    }
    let body = match &call.body {
        Some(body) => {
            request = request.header("content-type", "application/json");
            SendBody::from_owned_reader(io::Cursor::new(body.clone()))
        }
        None => SendBody::none(),
    };
    if let Some(body) = &call.body {
        request = request.header("content-length", body.len());
    }
    let request = request.body(body).map_err(|error| {
        Failed::Told(InboxError::new(ErrorCode::Internal, format!("can't be sent: {error}")))
    })?;
    let request = agent.configure_request(request).timeout_global(time).build();
    let response = agent.run(request).map_err(|error| transport(&error))?;
    match response.status() {
        status if status.is_success() => Ok(response),
        status => Err(refused(access, status, response)),
    }
}

fn transport(error: &ureq::Error) -> Failed {
    let unsent = match error {
        ureq::Error::Io(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionRefused
                | io::ErrorKind::HostUnreachable
                | io::ErrorKind::NetworkUnreachable
                | io::ErrorKind::AddrNotAvailable
        ),
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => true,
        ureq::Error::Timeout(at) => {
            matches!(at, ureq::Timeout::Connect | ureq::Timeout::Resolve)
        }
        _ => false,
    };
    match unsent {
        true => Failed::Unsent(error.to_string()),
        false => Failed::Cut(error.to_string()),
    }
}

/// What an answer means that does not say yes.
fn refused(access: &Access, status: StatusCode, mut response: Response<Body>) -> Failed {
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
    let after = after.and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let body = response.body_mut().with_config().limit(LARGEST).read_to_vec().unwrap_or_default();
    let Ok(problem) = serde_json::from_slice::<Problem>(&body) else {
        return match status.as_u16() {
            // A proxy that has lost its host.
            502..=504 => Failed::Cut(format!("the way there answers {status}")),
            429 => {
                let error = InboxError::new(ErrorCode::RateLimited, "the host has too much to do");
                Failed::Later(error, after)
            }
            _ => Failed::Told(not_a_host(&access.url, status)),
        };
    };
    let error = without_secret(InboxError::from(problem), access);
    match error.code {
        ErrorCode::RateLimited => Failed::Later(error, after),
        _ => Failed::Told(error),
    }
}

/// Something answers that is no host of this API.
fn not_a_host(url: &str, status: StatusCode) -> InboxError {
    let message = format!("what answers at {url} is no askwell host of this API ({status})");
    InboxError::new(ErrorCode::HostVersion, message)
}

/// What to do about a missing or a wrong credential.
fn without_secret(error: InboxError, access: &Access) -> InboxError {
    if error.code != ErrorCode::Unauthorized {
        return error;
    }
    // The host's own hint is for those who write the header themselves.
    error.with_hint(match access.token {
        None => "give a credential in ASKWELL_TOKEN; askwell token create makes one on the host",
        Some(_) => "the credential is not known there, or was revoked",
    })
}
