//! Every call of the API, in one table: the routes and the OpenAPI document are made from it.

use axum::http::Method;

use askwell_core::ErrorCode;
use askwell_core::error::ErrorCode::{KeyConflict, NotFound, NotPending, StaleDraft};
use askwell_core::fault::RequestCode;
use askwell_core::wire::Role::{self, Admin, Answerer, Asker};

use crate::operation::Operation;
use crate::{admin, asking, attention, events, responding};

const EVERY_ROLE: &[Role] = &[Asker, Answerer, Admin];
const BAD_REQUEST: ErrorCode = ErrorCode::Request(RequestCode::BadRequest);

const ATTENTION: &str = "/api/v1/attention";
const REQUEST: &str = "/api/v1/requests/{id}";

/// The table.
pub(crate) fn operations() -> Vec<Operation> {
    let mut all = asker_calls();
    all.extend(answerer_calls());
    all.extend(admin_calls());
    all
}

fn asker_calls() -> Vec<Operation> {
    let (get, post) = (Method::GET, Method::POST);
    vec![
        Operation::new(
            post.clone(),
            "/api/v1/requests",
            "ask",
            "Posts a request. It is on disk when this returns.",
            &[Asker],
            asking::ask,
        )
        .headers(&[
            ("Idempotency-Key", "A key of the asker's own: the same key is the same request."),
            ("Askwell-Derived-Key", "A key that a consumer made of session and questions."),
        ])
        .errors(&[
            KeyConflict,
            ErrorCode::Request(RequestCode::EmptyQuestions),
            ErrorCode::Request(RequestCode::BadQuestion),
            ErrorCode::Request(RequestCode::BadIntent),
        ]),
        Operation::new(
            get.clone(),
            "/api/v1/requests",
            "list",
            "A page of what waits, in the order in which it was asked. An asker sees its own.",
            &[Asker, Answerer],
            asking::list,
        )
        .errors(&[BAD_REQUEST]),
        Operation::new(
            get.clone(),
            REQUEST,
            "get",
            "A request as it stands; with `wait`, once it has ended or the time is over.",
            &[Asker, Answerer],
            asking::get,
        )
        .errors(&[NotFound, BAD_REQUEST]),
        Operation::new(
            post.clone(),
            "/api/v1/requests/{id}/detach",
            "detach",
            "Stops waiting without withdrawing. A request that has ended is no error.",
            &[Asker],
            asking::detach,
        )
        .errors(&[NotFound]),
        Operation::new(
            post.clone(),
            "/api/v1/requests/{id}/pick-up",
            "pickUp",
            "The outcome that a wait with `pickUp=false` brought has reached the asker.",
            &[Asker],
            asking::pick_up,
        )
        .errors(&[NotFound]),
        Operation::new(
            post,
            "/api/v1/requests/{id}/abort",
            "abort",
            "Withdraws a request: its own asker, or an admin.",
            &[Asker, Admin],
            asking::abort,
        )
        .errors(&[NotFound, NotPending]),
        Operation::new(
            get,
            "/api/v1/events",
            "events",
            "Server-sent events: what happens, once and in order. An asker sees its own requests. \
             `resync` says to read the list again, and after which event the stream goes on.",
            &[Asker, Answerer],
            events::events,
        )
        .headers(&[("Last-Event-ID", "The last event that was read: the stream goes on after it.")])
        .errors(&[BAD_REQUEST]),
        Operation::new(
            Method::GET,
            ATTENTION,
            "attention",
            "Whether somebody would see a request at the inbox right now.",
            EVERY_ROLE,
            attention::attention,
        ),
    ]
}

fn answerer_calls() -> Vec<Operation> {
    const DRAFT: &str = "/api/v1/requests/{id}/draft";
    let (get, post) = (Method::GET, Method::POST);
    vec![
        Operation::new(
            get.clone(),
            DRAFT,
            "draft",
            "The person's draft of a request, also of one that has ended.",
            &[Answerer],
            responding::draft,
        )
        .errors(&[NotFound]),
        Operation::new(
            Method::PUT,
            DRAFT,
            "saveDraft",
            "Writes to the person's draft: state, never a toggle. With STALE_DRAFT the questions that \
             were edited on an old base were refused, after their text was kept, and the others saved: \
             `draft` tells of each.",
            &[Answerer],
            responding::save_draft,
        )
        .errors(&[NotFound, StaleDraft, NotPending]),
        Operation::new(
            post.clone(),
            "/api/v1/requests/{id}/answer",
            "answer",
            "Answers a request. A rejected answer changes nothing, and every issue is told.",
            &[Answerer],
            responding::answer,
        )
        .errors(&[NotFound, NotPending, ErrorCode::BadResponse]),
        Operation::new(
            post.clone(),
            "/api/v1/requests/{id}/cancel",
            "cancel",
            "Puts the whole request aside, optionally saying why.",
            &[Answerer],
            responding::cancel,
        )
        .errors(&[NotFound, NotPending]),
        Operation::new(
            post.clone(),
            "/api/v1/requests/{id}/extend",
            "extend",
            "Puts the deadline off by 600 seconds. Nothing changes where there is none.",
            &[Answerer],
            responding::extend,
        )
        .errors(&[NotFound, NotPending]),
        Operation::new(
            post.clone(),
            "/api/v1/sign-in",
            "signIn",
            "Makes a link that signs one browser in, once, within ten minutes: for the answerer's own \
             person, or for the one that an admin names.",
            &[Answerer, Admin],
            responding::sign_in,
        )
        .errors(&[ErrorCode::Request(RequestCode::BadQuestion)]),
        Operation::new(
            Method::PUT,
            ATTENTION,
            "setElsewhere",
            "Says that the answerer's person is elsewhere and wants what is asked in the inbox, or is \
             not any more. Kept over restarts.",
            &[Answerer],
            attention::set_elsewhere,
        ),
        Operation::new(
            get,
            "/api/v1/history",
            "history",
            "A page of what has ended, newest first.",
            &[Answerer],
            responding::history,
        )
        .errors(&[BAD_REQUEST]),
    ]
}

fn admin_calls() -> Vec<Operation> {
    let (get, post) = (Method::GET, Method::POST);
    vec![
        Operation::new(
            get.clone(),
            "/api/v1/credentials",
            "credentials",
            "Every credential, revoked ones included, without the secrets.",
            &[Admin],
            admin::credentials,
        ),
        Operation::new(
            post.clone(),
            "/api/v1/credentials",
            "createCredential",
            "Makes a credential. Its token is told here and never again.",
            &[Admin],
            admin::create_credential,
        ),
        Operation::new(
            post.clone(),
            "/api/v1/credentials/{id}/revoke",
            "revokeCredential",
            "Revokes a credential. Its event streams and waits end.",
            &[Admin],
            admin::revoke_credential,
        )
        .errors(&[NotFound]),
        Operation::new(
            post.clone(),
            "/api/v1/purge",
            "purge",
            "Forgets what ended long ago, with everything that belongs to it.",
            &[Admin],
            admin::purge,
        ),
        Operation::new(
            get.clone(),
            "/api/v1/status",
            "status",
            "How the host stands.",
            &[Admin],
            admin::status,
        ),
        Operation::new(
            post,
            "/api/v1/stop",
            "stop",
            "Asks the host to stop. What is pending stays pending.",
            &[Admin],
            admin::stop,
        ),
        Operation::new(
            get.clone(),
            "/api/v1/openapi.json",
            "openapi",
            "This document.",
            EVERY_ROLE,
            admin::openapi,
        ),
        Operation::new(
            get,
            "/metrics",
            "metrics",
            "Counts and times, as Prometheus reads them.",
            &[Admin],
            admin::metrics,
        ),
    ]
}
