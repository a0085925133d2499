//! One call of the API as one value, from which both its route and its part of the OpenAPI document
//! are made: the types that the handler reads and returns are the types that the document shows.
//!
//! Owns the order of the checks of every call: credential, role, rate, media type, id, query, body.
//! Invariant: a handler runs only for a caller whose role the table allows, and only a call that is
//! no GET may change anything. A change that was made is told: its response is refused for want of
//! room before the handler runs, or not at all.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;

use askwell_core::ErrorCode;
use askwell_core::wire::Role;
use askwell_host::Caller;

use crate::app::App;
use crate::body::{self, Received};
use crate::failure::Failure;
use crate::input::Input;
use crate::params::{self, PathId};
use crate::session::{self, Session};

/// What a handler gets: everything is checked and read.
pub(crate) struct Call<P, Q, B> {
    pub app: App,
    pub caller: Caller,
    pub id: P,
    pub query: Q,
    pub headers: HeaderMap,
    pub body: B,
}

/// What a handler returns, as the document shows it.
pub(crate) trait Reply: Send + 'static {
    /// Every status with which it comes.
    const STATUSES: &'static [(u16, &'static str)];
    const MEDIA_TYPE: &'static str = "application/json";

    fn schema(generator: &mut SchemaGenerator) -> Schema;

    fn into_response(self, app: &App) -> Result<Response, Failure>;
}

/// A document, 200.
pub(crate) struct Json<T>(pub T);

impl<T: Serialize + JsonSchema + Send + 'static> Reply for Json<T> {
    const STATUSES: &'static [(u16, &'static str)] = &[(200, "As asked.")];

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn into_response(self, _: &App) -> Result<Response, Failure> {
        json(StatusCode::OK, &self.0)
    }
}

/// A response of this document.
pub(crate) fn json<T: Serialize>(status: StatusCode, document: &T) -> Result<Response, Failure> {
    let bytes = serde_json::to_vec(document).map_err(|error| {
        Failure::new(ErrorCode::Internal, format!("can't write the response: {error}"))
    })?;
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let value = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    Ok(response)
}

type Run = Arc<dyn Fn(App, Parts, Body) -> Running + Send + Sync>;
type Running = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A call of the API.
pub(crate) struct Operation {
    pub method: Method,
    pub path: &'static str,
    /// Its `operationId`.
    pub name: &'static str,
    pub summary: &'static str,
    pub roles: &'static [Role],
    /// Headers that it reads, with what they are for.
    pub headers: &'static [(&'static str, &'static str)],
    /// The codes of its own errors, beside those of every call.
    pub errors: &'static [ErrorCode],
    /// What the document shows of its types.
    pub describe: fn(&mut SchemaGenerator) -> Description,
    pub run: Run,
}

/// What the document shows of the types of a call.
pub(crate) struct Description {
    pub id: Option<Schema>,
    pub query: Schema,
    pub body: Option<Schema>,
    pub reply: DescribedReply,
}

/// The reply of a call.
pub(crate) struct DescribedReply {
    pub statuses: &'static [(u16, &'static str)],
    pub media_type: &'static str,
    pub schema: Schema,
}

impl Operation {
    /// A call that this function handles.
    pub fn new<P, Q, B, R, F>(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        roles: &'static [Role],
        handler: fn(Call<P, Q, B>) -> F,
    ) -> Self
    where
        P: PathId,
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        B: Input,
        R: Reply,
        F: Future<Output = Result<R, Failure>> + Send + 'static,
    {
        let changes = method != Method::GET;
        let run = move |app: App, parts: Parts, body: Body| -> Running {
            Box::pin(async move { run(app, parts, body, roles, changes, handler).await })
        };
        Self {
            method,
            path,
            name,
            summary,
            roles,
            headers: &[],
            errors: &[],
            describe: describe::<P, Q, B, R>,
            run: Arc::new(run),
        }
    }

    /// The same with headers that it reads.
    pub fn headers(mut self, headers: &'static [(&'static str, &'static str)]) -> Self {
        self.headers = headers;
        self
    }

    /// The same with errors of its own.
    pub fn errors(mut self, errors: &'static [ErrorCode]) -> Self {
        self.errors = errors;
        self
    }
}

fn describe<P, Q, B, R>(generator: &mut SchemaGenerator) -> Description
where
    P: PathId,
    Q: JsonSchema,
    B: Input,
    R: Reply,
{
    Description {
        id: P::schema(generator),
        query: Q::json_schema(generator),
        body: B::schema(generator),
        reply: DescribedReply {
            statuses: R::STATUSES,
            media_type: R::MEDIA_TYPE,
            schema: R::schema(generator),
        },
    }
}

async fn run<P, Q, B, R, F>(
    app: App,
    mut parts: Parts,
    mut body: Body,
    roles: &[Role],
    changes: bool,
    handler: fn(Call<P, Q, B>) -> F,
) -> Response
where
    P: PathId,
    Q: DeserializeOwned,
    B: Input,
    R: Reply,
    F: Future<Output = Result<R, Failure>>,
{
    let read = async {
        let caller = admit(&app, &parts, roles, changes)?;
        if changes {
            expect_json(&parts.headers)?;
        }
        let id = params::id(&mut parts).await?;
        let query = params::query(&parts.uri)?;
        let holder = app.held.by(&caller);
        let received = match changes {
            true => {
                body::read(&mut body, B::MOST, &app.limits, holder.clone(), &app.shutdown).await?
            }
            false => Received::default(),
        };
        let input = B::read(received.bytes())?;
        if changes {
            holder.expect_room()?;
        }
        Ok((caller, id, query, input, received, holder))
    };
    let (caller, id, query, input, received, holder) = match read.await {
        Ok(read) => read,
        Err(failure) => {
            body::drain(&mut body, &parts.headers).await;
            return refuse(failure);
        }
    };
    let call = Call { app: app.clone(), caller, id, query, headers: parts.headers, body: input };
    let reply = handler(call).await.and_then(|reply| reply.into_response(&app));
    let reply = reply.and_then(|response| holder.response(response, changes));
    // What was read stays counted for as long as it may be held.
    drop(received);
    reply.unwrap_or_else(refuse)
}

/// Lets in who has a credential of one of these roles, within its rate.
fn admit(app: &App, parts: &Parts, roles: &[Role], changes: bool) -> Result<Caller, Failure> {
    let caller = match parts.headers.contains_key(header::AUTHORIZATION) {
        true => app.host.authenticate(bearer(&parts.headers)?)?,
        false => of_a_page(app, &parts.headers, changes)?,
    };
    allow(app, caller, roles)
}

/// The same for a program, which no cookie speaks for.
pub(crate) fn admit_program(
    app: &App,
    headers: &HeaderMap,
    roles: &[Role],
) -> Result<Caller, Failure> {
    allow(app, app.host.authenticate(bearer(headers)?)?, roles)
}

fn allow(app: &App, caller: Caller, roles: &[Role]) -> Result<Caller, Failure> {
    tracing::Span::current().record("credential", tracing::field::display(caller.credential()));
    if !roles.contains(&caller.role()) {
        let allowed: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
        let message = format!(
            "a credential of the role {} can't do this (it takes {})",
            caller.role().as_str(),
            allowed.join(" or "),
        );
        return Err(Failure::forbidden(&message));
    }
    app.rates.take(caller.credential())?;
    Ok(caller)
}

/// The credential that a program sends.
fn bearer(headers: &HeaderMap) -> Result<&str, Failure> {
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let value = sent.next().and_then(|value| value.to_str().ok()).filter(|_| sent.next().is_none());
    let (scheme, token) = value.and_then(|value| value.split_once(' ')).unwrap_or_default();
    let token = token.trim_matches(' ');
    match scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() {
        true => Ok(token),
        false => Err(Failure::unauthorized("the Authorization header holds no bearer token")),
    }
}

/// The credential of one of our own pages, in the browser's cookie.
fn of_a_page(app: &App, headers: &HeaderMap, changes: bool) -> Result<Caller, Failure> {
    let session = Session::from_parts(app, headers).map_err(|failure| {
        failure.with_hint(
            "Send a credential as `Authorization: Bearer TOKEN`; a browser signs in with: askwell open",
        )
    })?;
    session::expect_same_origin(headers)?;
    if changes {
        session::expect_origin(headers)?;
    }
    Ok(session.caller)
}

/// A change has to be sent as what no form of a foreign page can send.
fn expect_json(headers: &HeaderMap) -> Result<(), Failure> {
    let mut sent = headers.get_all(header::CONTENT_TYPE).iter();
    let (first, second) = (sent.next(), sent.next());
    let media_type = first.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    if second.is_none() && media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Failure::fault("Content-Type", "is not application/json")
        .with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE)
        .with_hint("Every change is sent as application/json, also one without a body."))
}

/// The response of a call that failed, and a line in the log where it is the host that failed.
fn refuse(failure: Failure) -> Response {
    match failure.message_for_log() {
        Some(message) => {
            tracing::error!(code = failure.code(), status = failure.status(), "{message}");
        }
        None => tracing::debug!(code = failure.code(), status = failure.status(), "refused"),
    }
    failure.into_response()
}
