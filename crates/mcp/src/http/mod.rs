//! The server over streamable HTTP, for a host to mount: legacy clients, which have sessions, and
//! those of later revisions, which have none, at the same address.
//!
//! Owns no check of who may call, of names and of origins: that is the host's, for all of its
//! addresses. Invariant: a call acts with the credential that came with it, and nobody else's session.

mod sessions;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use askwell_core::limits;
use askwell_core::wire::CredentialId;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use rmcp::ServerHandler;
use rmcp::model::{ErrorData, Extensions};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::delivery::Taken;
use crate::message::{self, Refusal};
use crate::server::{Place, Server, Shared};
use crate::{Desk, Options, Person};
use sessions::Sessions;

/// The address of the server.
#[derive(Clone)]
pub struct Endpoint {
    answer: Arc<dyn Fn(Request<Full<Bytes>>) -> Answering + Send + Sync>,
}

type Answering = Pin<Box<dyn Future<Output = Response<BoxBody<Bytes, Infallible>>> + Send>>;

/// Who makes a call, as the tools see it.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub owner: CredentialId,
    pub desk: Arc<dyn Desk>,
    pub person: Option<Arc<dyn Person>>,
    /// The client has closed the connection, or the stream of its answer.
    pub gone: CancellationToken,
    /// What the answer to it carries.
    pub taken: Taken,
}

impl Endpoint {
    /// The largest message that is read, in bytes: a request at its bound, and what is around it.
    pub const MESSAGE: usize = limits::REQUEST + 64 * 1024;

    /// A server that ends its streams when `shutdown` is cancelled.
    pub fn new(options: Options, shutdown: CancellationToken) -> Self {
        let shared = Shared::new(options);
        let server = move || {
            let place = Place::Host { session: OnceLock::new() };
            Server::new(Arc::clone(&shared), place)
        };
        Self::of(server, shutdown)
    }

    /// One with this server behind it, which is made for each session.
    pub(crate) fn of<S: ServerHandler>(
        server: impl Fn() -> S + Send + Sync + 'static,
        shutdown: CancellationToken,
    ) -> Self {
        let config = StreamableHttpServerConfig::default()
            // Names and origins were checked by then, by the rule of the whole host.
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(Self::MESSAGE)
            .with_cancellation_token(shutdown);
        let sessions = Arc::new(Sessions::default());
        let service = StreamableHttpService::new(move || Ok(server()), sessions, config);
        let answer = move |request| -> Answering {
            let service = service.clone();
            Box::pin(async move { service.handle(request).await })
        };
        Self { answer: Arc::new(answer) }
    }

    /// Answers a message. `owner` is the credential that came with it, and `desk` the host as it sees
    /// it; `person` is the one in whose name answers may be given that the client's forms bring.
    pub async fn call(
        &self,
        mut parts: Parts,
        body: Bytes,
        owner: CredentialId,
        desk: Arc<dyn Desk>,
        person: Option<Arc<dyn Person>>,
    ) -> Response<Answer> {
        let gone = CancellationToken::new();
        let guard = gone.clone().drop_guard();
        let taken = Taken::default();
        parts.extensions.insert(Visitor { owner, desk, person, gone, taken: taken.clone() });
        let is_json = holds_json(&parts);
        let request = Request::from_parts(parts, Full::new(body.clone()));
        let mut response = sessions::OWNER.scope(owner, (self.answer)(request)).await;
        if is_json
            && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE
            && let Err(refusal) = message::read(&body)
        {
            response = refused(&refusal);
        }
        response.map(|body| Answer { body, taken, _guard: guard })
    }
}

/// Whether a body is sent as JSON.
fn holds_json(parts: &Parts) -> bool {
    let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// The answer to a body that is sent as JSON and is no message: the SDK takes it for another kind of
/// content.
fn refused(refusal: &Refusal) -> Response<BoxBody<Bytes, Infallible>> {
    let mut response = Response::new(Full::from(refusal.to_json()).boxed());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// Who makes the call with these extensions.
pub(crate) fn visitor(extensions: &Extensions) -> Result<Visitor, ErrorData> {
    let parts = extensions.get::<Parts>();
    let visitor = parts.and_then(|parts| parts.extensions.get::<Visitor>()).cloned();
    visitor.ok_or_else(|| ErrorData::internal_error("it is not known who calls", None))
}

/// The name of a new session.
pub(crate) fn new_session() -> String {
    crate::new_session().unwrap_or_else(|_| {
        // Without random numbers it is not told from others: what is asked twice is then two.
        "mcp".to_owned()
    })
}

/// What is answered. The client is gone when it is dropped.
pub struct Answer {
    body: BoxBody<Bytes, Infallible>,
    taken: Taken,
    _guard: DropGuard,
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        // The response is the last that comes: what came before it is not it.
        if frame.is_none() || self.body.is_end_stream() {
            self.taken.all();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
