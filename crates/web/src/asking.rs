//! The calls of an asker: posting, reading, waiting, leaving and withdrawing.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use schemars::{Schema, SchemaGenerator};

use askwell_core::ValidRequest;
use askwell_core::wire::{Asked, Page, Posting, RequestId, RequestView};

use crate::app::App;
use crate::failure::Failure;
use crate::input::{Abort, Detach};
use crate::operation::{Call, Json, Reply, json};
use crate::params::{self, AskQuery, ListParams, NoQuery, WaitParams};

/// What a posted request became: 201 where it is new, 200 where an earlier one was joined.
pub(crate) struct Posted(Asked);

impl Reply for Posted {
    const STATUSES: &'static [(u16, &'static str)] =
        &[(201, "A new request."), (200, "An earlier request, found by its key.")];

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Asked>()
    }

    fn into_response(self, app: &App) -> Result<Response, Failure> {
        let status = if self.0.joined { StatusCode::OK } else { StatusCode::CREATED };
        let mut response = json(app, status, &self.0)?;
        if let Ok(place) = HeaderValue::try_from(format!("/api/v1/requests/{}", self.0.id)) {
            response.headers_mut().insert(header::LOCATION, place);
        }
        Ok(response)
    }
}

pub(crate) async fn ask(call: Call<(), AskQuery, ValidRequest>) -> Result<Posted, Failure> {
    let posting = Posting { attach: call.query.attach, key: params::key(&call.headers)? };
    let asked = call.app.host.ask(&call.caller, &call.body, &posting).await?;
    Ok(Posted(asked))
}

pub(crate) async fn list(call: Call<(), ListParams, ()>) -> Result<Json<Page>, Failure> {
    Ok(Json(call.app.host.list(&call.caller, &call.query.into()).await?))
}

pub(crate) async fn get(
    call: Call<RequestId, WaitParams, ()>,
) -> Result<Json<RequestView>, Failure> {
    let Call { app, caller, id, .. } = call;
    let Some(seconds) = call.query.wait else {
        return Ok(Json(app.host.get(&caller, id).await?));
    };
    let at_most = Duration::try_from_secs_f64(seconds)
        .map_err(|_| Failure::fault("wait", "is out of range (a number of seconds, at least 0)"))?
        .min(app.limits.longest_wait);
    Ok(Json(app.host.wait(&caller, id, at_most).await?))
}

pub(crate) async fn detach(
    call: Call<RequestId, NoQuery, Detach>,
) -> Result<Json<RequestView>, Failure> {
    Ok(Json(call.app.host.detach(&call.caller, call.id, call.body.leaving).await?))
}

pub(crate) async fn abort(
    call: Call<RequestId, NoQuery, Abort>,
) -> Result<Json<RequestView>, Failure> {
    let reason = call.body.reason.as_deref().unwrap_or("the asking program");
    Ok(Json(call.app.host.abort(&call.caller, call.id, reason).await?))
}
