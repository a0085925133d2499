//! The calls of an asker: posting, reading, waiting, leaving and withdrawing.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use schemars::{Schema, SchemaGenerator};

use askwell_core::ValidRequest;
use askwell_core::wire::{Asked, Page, Posting, RequestId, RequestView};
use askwell_host::Handing;

use crate::app::App;
use crate::body;
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

    fn into_response(self, _: &App) -> Result<Response, Failure> {
        let status = if self.0.joined { StatusCode::OK } else { StatusCode::CREATED };
        let mut response = json(status, &self.0)?;
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

/// A request as it stands. An outcome counts as picked up once the connection has taken it.
pub(crate) struct Shown(RequestView, Option<Handing>);

impl Reply for Shown {
    const STATUSES: &'static [(u16, &'static str)] = Json::<RequestView>::STATUSES;

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        Json::<RequestView>::schema(generator)
    }

    fn into_response(self, app: &App) -> Result<Response, Failure> {
        let response = Json(self.0).into_response(app)?;
        Ok(match self.1 {
            Some(handing) => response.map(|body| body::when_taken(body, || handing.taken())),
            None => response,
        })
    }
}

pub(crate) async fn get(call: Call<RequestId, WaitParams, ()>) -> Result<Shown, Failure> {
    let Call { app, caller, id, query, .. } = call;
    let view = match query.wait {
        None => app.host.show(&caller, id).await?,
        Some(seconds) => {
            let at_most = at_most(seconds, app.limits.longest_wait)?;
            app.host.show_end(&caller, id, at_most).await?
        }
    };
    let handing = app.host.handing(&caller, &view).filter(|_| query.pick_up);
    Ok(Shown(view, handing))
}

pub(crate) async fn pick_up(
    call: Call<RequestId, NoQuery, ()>,
) -> Result<Json<RequestView>, Failure> {
    Ok(Json(call.app.host.pick_up(&call.caller, call.id).await?))
}

/// So many seconds, or what is less. (More than a duration can hold is more than that, too.)
fn at_most(seconds: f64, longest: Duration) -> Result<Duration, Failure> {
    if !seconds.is_finite() || seconds < 0.0 {
        let rule = "is out of range (a number of seconds, at least 0)";
        return Err(Failure::fault("wait", rule));
    }
    Ok(Duration::try_from_secs_f64(seconds).map_or(longest, |time| time.min(longest)))
}

pub(crate) async fn detach(
    call: Call<RequestId, NoQuery, Detach>,
) -> Result<Json<RequestView>, Failure> {
    Ok(Json(call.app.host.detach(&call.caller, call.id, call.body.leaving).await?))
}

pub(crate) async fn abort(
    call: Call<RequestId, NoQuery, Abort>,
) -> Result<Json<RequestView>, Failure> {
    let reason = call.body.reason.as_deref().unwrap_or("the asking program withdrew it");
    Ok(Json(call.app.host.abort(&call.caller, call.id, reason).await?))
}
