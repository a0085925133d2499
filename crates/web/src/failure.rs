//! An error on its way out: always `application/problem+json` with a stable code, whatever failed.
//!
//! Owns the statuses that belong to the transport (405, 408, 413, 415); those of the codes are the
//! core's.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use askwell_core::ErrorCode;
use askwell_core::fault::{BadRequest, Fault, RequestCode};
use askwell_core::wire::{Details, FaultView, InboxError, Problem};

/// The media type of every error.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    problem: Box<Problem>,
    retry_after: Option<u32>,
}

impl Failure {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        InboxError::new(code, message).into()
    }

    /// A fault of the HTTP request itself, at `path` in it.
    pub fn fault(path: &str, rule: impl Into<String>) -> Self {
        Self::coded(RequestCode::BadRequest, path, rule.into(), None)
    }

    /// A bound of the transport that was passed.
    pub fn limit(path: &str, rule: impl Into<String>, bound: usize) -> Self {
        Self::coded(RequestCode::LimitExceeded, path, rule.into(), Some(bound as u64))
    }

    fn coded(code: RequestCode, path: &str, rule: String, bound: Option<u64>) -> Self {
        let message = match path {
            "$" => format!("the body {rule}"),
            _ => format!("{path} {rule}"),
        };
        let fault = FaultView {
            code: code.as_str().to_owned(),
            path: path.to_owned(),
            rule,
            bound,
            question: None,
        };
        let details = Details { faults: vec![fault], ..Details::default() };
        InboxError::new(ErrorCode::Request(code), message).with_details(details).into()
    }

    /// A body that is not JSON.
    pub fn not_json(error: &serde_json::Error) -> Self {
        let rule = askwell_core::fault::Rule::NotJson { message: error.to_string() };
        let fault = Fault::at("$", rule);
        let details = Details { faults: vec![FaultView::from(&fault)], ..Details::default() };
        InboxError::new(ErrorCode::Request(RequestCode::BadRequest), fault.to_string())
            .with_details(details)
            .into()
    }

    pub fn unauthorized(message: &str) -> Self {
        Self::new(ErrorCode::Unauthorized, message)
    }

    pub fn forbidden(message: &str) -> Self {
        Self::new(ErrorCode::Forbidden, message)
    }

    pub fn rate_limited(message: &str, retry_after: u32) -> Self {
        let mut failure = Self::new(ErrorCode::RateLimited, message);
        failure.retry_after = Some(retry_after);
        failure
    }

    /// The same with a status of the transport in place of the code's.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.problem.status = status.as_u16();
        self
    }

    #[must_use]
    pub fn with_hint(mut self, hint: &str) -> Self {
        self.problem.hint = Some(hint.to_owned());
        self
    }

    /// In how many seconds it may be tried again.
    pub fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.problem.code
    }

    pub fn status(&self) -> u16 {
        self.problem.status
    }

    /// The document.
    pub fn body(&self) -> Vec<u8> {
        serde_json::to_vec(&self.problem).unwrap_or_default()
    }

    /// What happened, where that can hold no text of a request or an answer.
    pub fn message_for_log(&self) -> Option<&str> {
        (self.problem.status >= 500).then_some(self.problem.detail.as_str())
    }
}

impl From<InboxError> for Failure {
    fn from(error: InboxError) -> Self {
        let retry_after = match error.code {
            ErrorCode::RateLimited | ErrorCode::StoreUnavailable => Some(1),
            _ => None,
        };
        Self { problem: Box::new(Problem::from(error)), retry_after }
    }
}

impl From<BadRequest> for Failure {
    fn from(bad: BadRequest) -> Self {
        InboxError::from(bad).into()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = Response::new(self.body().into());
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer realm=\"askwell\"");
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// The header in which a consumer sends a key that it derived.
pub(crate) const DERIVED_KEY: HeaderName = HeaderName::from_static("askwell-derived-key");
/// The header in which an asker sends a key that it chose.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
