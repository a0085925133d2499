//! Whether somebody would see a request at the inbox, and a person who is elsewhere.

use askwell_core::wire::{Attention, Elsewhere};

use crate::failure::Failure;
use crate::operation::{Call, Json};
use crate::params::NoQuery;

pub(crate) async fn attention(call: Call<(), NoQuery, ()>) -> Result<Json<Attention>, Failure> {
    Ok(Json(call.app.host.attention(&call.caller)?))
}

pub(crate) async fn set_elsewhere(
    call: Call<(), NoQuery, Elsewhere>,
) -> Result<Json<Attention>, Failure> {
    Ok(Json(call.app.host.set_elsewhere(&call.caller, call.body.elsewhere).await?))
}
