//! The calls of an admin, and the document of the API.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use askwell_core::ErrorCode;
use askwell_core::wire::{Credential, CredentialId, NewCredential};

use crate::app::App;
use crate::failure::Failure;
use crate::input::Purge;
use crate::openapi;
use crate::operation::{Call, Json, Reply, json};
use crate::params::NoQuery;

/// A credential and its secret.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewToken {
    /// The credential.
    pub credential: Credential,
    /// Its secret, told this once.
    pub token: String,
}

/// A credential that was made, 201.
pub(crate) struct Made(NewToken);

impl Reply for Made {
    const STATUSES: &'static [(u16, &'static str)] = &[(201, "Made.")];

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<NewToken>()
    }

    fn into_response(self, _: &App) -> Result<Response, Failure> {
        json(StatusCode::CREATED, &self.0)
    }
}

pub(crate) async fn credentials(
    call: Call<(), NoQuery, ()>,
) -> Result<Json<Vec<Credential>>, Failure> {
    Ok(Json(call.app.host.credentials(&call.caller).await?))
}

pub(crate) async fn create_credential(
    call: Call<(), NoQuery, NewCredential>,
) -> Result<Made, Failure> {
    let (credential, token) = call.app.host.create_credential(&call.caller, call.body).await?;
    Ok(Made(NewToken { credential, token }))
}

pub(crate) async fn revoke_credential(
    call: Call<CredentialId, NoQuery, ()>,
) -> Result<Json<Credential>, Failure> {
    let Call { app, caller, id, .. } = call;
    app.host.revoke_credential(&caller, id).await?;
    app.rates.forget(id);
    let all = app.host.credentials(&caller).await?;
    let revoked = all.into_iter().find(|credential| credential.id == id);
    let missing = || Failure::new(ErrorCode::NotFound, "there is no such credential");
    revoked.map(Json).ok_or_else(missing)
}

/// What was forgotten.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Purged {
    /// How many ended requests.
    pub requests: u64,
}

pub(crate) async fn purge(call: Call<(), NoQuery, Purge>) -> Result<Json<Purged>, Failure> {
    let keep = Duration::from_secs(call.body.keep_seconds);
    let requests = call.app.host.purge(&call.caller, keep).await?;
    Ok(Json(Purged { requests }))
}

/// How the host stands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    /// The version of askwell that it is.
    pub version: &'static str,
    /// What tells this run of a host from every other.
    pub instance: String,
    /// The process.
    pub pid: u32,
    /// For how long it has run.
    pub uptime_seconds: u64,
    /// How many requests wait for a person.
    pub pending: u64,
    /// Those of them whose asker is away.
    pub away: u64,
    /// How many event streams of answerers are open.
    pub watching: u32,
    /// How many persons are elsewhere, and want what is asked in the inbox.
    pub elsewhere: u32,
    /// How many connections are open.
    pub connections: u64,
}

pub(crate) async fn status(call: Call<(), NoQuery, ()>) -> Result<Json<Status>, Failure> {
    let app = &call.app;
    let stats = app.host.stats();
    Ok(Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        instance: app.instance.clone(),
        pid: std::process::id(),
        uptime_seconds: app.started.elapsed().as_secs(),
        pending: stats.pending,
        away: stats.away,
        watching: stats.watching,
        elsewhere: stats.elsewhere,
        connections: app.metrics.connections(),
    }))
}

/// The host is about to stop, 202.
pub(crate) struct Stopping;

impl Reply for Stopping {
    const STATUSES: &'static [(u16, &'static str)] = &[(202, "It stops.")];

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }

    fn into_response(self, _: &App) -> Result<Response, Failure> {
        json(StatusCode::ACCEPTED, &serde_json::Map::new())
    }
}

pub(crate) async fn stop(call: Call<(), NoQuery, ()>) -> Result<Stopping, Failure> {
    tracing::info!("asked to stop");
    call.app.host.begin_shutdown();
    // Connections close once the response is written.
    call.app.shutdown.cancel();
    Ok(Stopping)
}

/// The document of the API.
pub(crate) struct Document;

impl Reply for Document {
    const STATUSES: &'static [(u16, &'static str)] = &[(200, "An OpenAPI 3.1 document.")];

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }

    fn into_response(self, app: &App) -> Result<Response, Failure> {
        let document = app.document.get_or_init(|| openapi::openapi_document().to_string().into());
        Ok(text(document.clone(), "application/json"))
    }
}

pub(crate) async fn openapi(_: Call<(), NoQuery, ()>) -> Result<Document, Failure> {
    Ok(Document)
}

/// Counts and times.
pub(crate) struct Exposition(String);

impl Reply for Exposition {
    const STATUSES: &'static [(u16, &'static str)] = &[(200, "The Prometheus text format.")];
    const MEDIA_TYPE: &'static str = "text/plain; version=0.0.4; charset=utf-8";

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }

    fn into_response(self, _: &App) -> Result<Response, Failure> {
        Ok(text(self.0.into(), Self::MEDIA_TYPE))
    }
}

pub(crate) async fn metrics(call: Call<(), NoQuery, ()>) -> Result<Exposition, Failure> {
    let app = &call.app;
    Ok(Exposition(app.metrics.expose(&app.host.stats())))
}

fn text(bytes: Bytes, media_type: &'static str) -> Response {
    let mut response = Response::new(bytes.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
