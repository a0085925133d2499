//! The calls of an answerer: drafts, the answer, putting aside and putting off, looking back, and a link
//! that signs a browser in.

use axum::http::header;

use askwell_core::ErrorCode;
use askwell_core::wire::{
    Details, DraftSaved, DraftView, DraftWrite, InboxError, NewSignIn, Page, RequestId,
    RequestView, Response, SignInLink,
};

use crate::failure::Failure;
use crate::input::Cancel;
use crate::listen;
use crate::operation::{Call, Json};
use crate::params::{HistoryParams, NoQuery};

pub(crate) async fn draft(call: Call<RequestId, NoQuery, ()>) -> Result<Json<DraftView>, Failure> {
    Ok(Json(call.app.host.draft(&call.caller, call.id).await?))
}

pub(crate) async fn save_draft(
    call: Call<RequestId, NoQuery, DraftWrite>,
) -> Result<Json<DraftSaved>, Failure> {
    let saved = call.app.host.save_draft(&call.caller, call.id, &call.body).await?;
    if saved.is_saved() {
        return Ok(Json(saved));
    }
    let details = Details { draft: Some(saved), ..Details::default() };
    let message = "some questions were edited on an old base; `draft` tells how they stand";
    Err(InboxError::new(ErrorCode::StaleDraft, message).with_details(details).into())
}

pub(crate) async fn answer(
    call: Call<RequestId, NoQuery, Response>,
) -> Result<Json<RequestView>, Failure> {
    Ok(Json(call.app.host.answer(&call.caller, call.id, call.body).await?))
}

pub(crate) async fn cancel(
    call: Call<RequestId, NoQuery, Cancel>,
) -> Result<Json<RequestView>, Failure> {
    let Cancel { comment, provider } = call.body;
    let host = &call.app.host;
    Ok(Json(host.cancel(&call.caller, call.id, comment.as_deref(), provider).await?))
}

pub(crate) async fn extend(
    call: Call<RequestId, NoQuery, ()>,
) -> Result<Json<RequestView>, Failure> {
    Ok(Json(call.app.host.extend(&call.caller, call.id).await?))
}

pub(crate) async fn history(call: Call<(), HistoryParams, ()>) -> Result<Json<Page>, Failure> {
    Ok(Json(call.app.host.history(&call.caller, &call.query.into()).await?))
}

pub(crate) async fn sign_in(
    call: Call<(), NoQuery, NewSignIn>,
) -> Result<Json<SignInLink>, Failure> {
    let Call { app, caller, body, headers, .. } = call;
    let made = app.host.make_sign_in(&caller, &body)?;
    let link = |base: String| format!("{base}/sign-in?code={}", made.code);
    // Without a listener of its own, a host is where it was called.
    let here = || {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        format!("http://{}", host.unwrap_or("localhost"))
    };
    Ok(Json(SignInLink {
        url: link(app.host.page_base().unwrap_or_else(here)),
        elsewhere_url: listen::elsewhere(app.listen, app.public_url.as_ref()).map(link),
        expires_at: made.expires_at,
    }))
}
