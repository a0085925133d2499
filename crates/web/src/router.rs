//! The routes: those of the table, the open ones beside it, and what is said to everything else.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, any, get};
use futures_util::FutureExt as _;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use tracing::field::Empty;

use askwell_core::ErrorCode;
use askwell_host::Host;

use crate::app::App;
use crate::body;
use crate::failure::Failure;
use crate::operation::Operation;
use crate::options::ServeOptions;
use crate::{guard, mcp, pages, table};

/// The whole host over HTTP, for a server of one's own or a test in one process. `POST /stop` ends
/// its streams and waits.
pub fn router(host: Host, options: &ServeOptions) -> Router {
    routes(App::new(host, options, CancellationToken::new()))
}

/// The routes of this app.
pub(crate) fn routes(app: App) -> Router {
    let mut router = Router::new();
    for (place, operation) in table::operations().into_iter().enumerate() {
        router = router.route(operation.path, route(place, operation));
    }
    router
        .route("/healthz", get(healthz))
        .route("/mcp", any(mcp::call))
        .merge(pages::routes(&app))
        .fallback(no_such_place)
        .method_not_allowed_fallback(no_such_method)
        .layer(from_fn_with_state(app.clone(), every_call))
        .with_state(app)
}

/// The route of a call.
fn route(place: usize, operation: Operation) -> MethodRouter<App> {
    let filter = match operation.method {
        Method::POST => MethodFilter::POST,
        Method::PUT => MethodFilter::PUT,
        // GET stands for HEAD too.
        _ => MethodFilter::GET,
    };
    let Operation { name, run, .. } = operation;
    let handler = move |State(app): State<App>, request: Request| {
        let began = Instant::now();
        let (parts, body) = request.into_parts();
        let takes_its_time =
            name == "events" || parts.uri.query().is_some_and(|it| it.contains("wait="));
        let span = tracing::info_span!(
            "call",
            call = name,
            path = parts.uri.path(),
            credential = Empty,
            status = Empty,
        );
        let running = run(app.clone(), parts, body);
        async move {
            let response = AssertUnwindSafe(running).catch_unwind().await;
            let response = response.unwrap_or_else(|_| {
                tracing::error!("a call panicked");
                Failure::new(ErrorCode::Internal, "the call failed").into_response()
            });
            let status = response.status().as_u16();
            tracing::Span::current().record("status", status);
            app.metrics.called(place, status);
            if !takes_its_time {
                app.metrics.took(place, began.elapsed());
            }
            tracing::debug!(micros = began.elapsed().as_micros() as u64, "done");
            response
        }
        .instrument(span)
    };
    MethodRouter::new().on(filter, handler)
}

/// What comes before and after every call.
async fn every_call(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match app.names.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(failure) => refuse(&app, request, failure).await,
    };
    guard::secure(response.headers_mut());
    response
}

async fn healthz(State(app): State<App>) -> Response {
    let document = json!({
        "service": "askwell",
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "instance": app.instance,
    });
    let mut response = Response::new(Body::from(document.to_string()));
    let value = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    response
}

async fn no_such_place(State(app): State<App>, request: Request) -> Response {
    refuse(&app, request, Failure::new(ErrorCode::NotFound, "there is nothing at this address"))
        .await
}

async fn no_such_method(State(app): State<App>, request: Request) -> Response {
    let failure = Failure::fault("method", "can't be used at this address")
        .with_status(StatusCode::METHOD_NOT_ALLOWED);
    refuse(&app, request, failure).await
}

async fn refuse(app: &App, request: Request, failure: Failure) -> Response {
    let (parts, mut body) = request.into_parts();
    body::drain(&mut body, &parts.headers).await;
    if pages::wants_page(parts.uri.path(), &parts.headers) {
        let place = pages::failures::Place::of(&parts.uri, &parts.headers);
        return pages::failures::page(app, &place, &failure);
    }
    failure.into_response()
}
