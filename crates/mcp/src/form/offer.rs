//! A form there and back, for clients that the server may ask: shown, shown once more where it must be,
//! and withdrawn when the request ends otherwise.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::RequestId;
use rmcp::model::{
    ClientResult, CustomNotification, ElicitRequest, ElicitRequestParams, ElicitResult,
    ServerNotification, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestHandle};
use rmcp::{Peer, RoleServer};
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::{Asked, Form, Shown, decline, deliver, keep};
use crate::Person;

/// How long a reply is waited for to a form that was withdrawn.
const LATE: Duration = Duration::from_secs(600);

/// What became of a form in the end.
pub(crate) enum Ended {
    /// So; it is not to be shown again.
    Shown(Shown),
    /// The request was over before. What is entered now comes too late.
    Withdrawn(RequestHandle<RoleServer>),
}

/// Shows a form, and once more for each reason. `person`: who keeps what was entered wrongly.
pub(crate) async fn show(
    form: &Form,
    peer: &Peer<RoleServer>,
    kept: Option<(&dyn Person, RequestId)>,
    over: impl Future<Output = ()>,
) -> Ended {
    tokio::pin!(over);
    let (mut before, mut asked, mut entered) = (None::<String>, Asked::default(), Vec::new());
    loop {
        let sent = Instant::now();
        let params = form.params(before.as_deref(), &entered);
        let reply = match elicit(peer, params, over.as_mut()).await {
            Elicited::Reply(reply) => reply,
            Elicited::Nothing => return Ended::Shown(Shown::Unseen),
            Elicited::Over(handle) => {
                withdraw(&handle).await;
                return Ended::Withdrawn(handle);
            }
        };
        let shown = form.read(&reply, sent.elapsed(), asked);
        let Shown::Again { said, asked: now, entered: so_far } = shown else {
            return Ended::Shown(shown);
        };
        if let Some((person, id)) = kept {
            keep(person, id, so_far.clone()).await;
        }
        (before, asked, entered) = (Some(said), now, so_far);
    }
}

/// What became of something that was shown once.
pub(crate) enum Elicited {
    Reply(ElicitResult),
    /// The client does not know how to show it.
    Nothing,
    /// The request was over before. It is to be withdrawn.
    Over(RequestHandle<RoleServer>),
}

/// Has something shown, and brings the reply.
pub(crate) async fn elicit(
    peer: &Peer<RoleServer>,
    params: ElicitRequestParams,
    over: impl Future<Output = ()>,
) -> Elicited {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
    let options = PeerRequestOptions::no_options();
    let Ok(mut asked) = peer.send_request_with_option(request, options).await else {
        return Elicited::Nothing;
    };
    let reply = tokio::select! {
        reply = &mut asked.rx => reply,
        () = over => return Elicited::Over(asked),
    };
    match reply {
        Ok(Ok(ClientResult::ElicitResult(reply))) => Elicited::Reply(reply),
        other => {
            tracing::debug!(?other, "the client has shown nothing");
            Elicited::Nothing
        }
    }
}

/// Tells the client that a form is not needed any more. The SDK's own way would also forget that it
/// was shown, and with that what a person sends all the same.
async fn withdraw(asked: &RequestHandle<RoleServer>) {
    let params = json!({ "requestId": asked.id, "reason": WITHDRAWN });
    let notice = CustomNotification::new("notifications/cancelled", Some(params));
    // Where it can't be told any more the form is gone as well.
    let _ = asked.peer.send_notification(ServerNotification::CustomNotification(notice)).await;
}

/// Why something that was shown is withdrawn.
const WITHDRAWN: &str = "answered elsewhere";

/// Shows the form of a request that waits in the inbox as well. What it brings is told to the host: the
/// first answer wins, whichever it is.
pub(crate) async fn beside_the_inbox(
    form: Form,
    peer: Peer<RoleServer>,
    person: Arc<dyn Person>,
    id: RequestId,
) {
    let shown = show(&form, &peer, Some((&*person, id)), ended(&*person, id)).await;
    let taken = match shown {
        Ended::Shown(Shown::Answered { answers, overridden }) => {
            deliver(&*person, id, &answers, overridden).await
        }
        Ended::Shown(Shown::Declined) => decline(&*person, id).await,
        Ended::Shown(Shown::Wrong(entered)) => {
            keep(&*person, id, entered).await;
            Ok(())
        }
        Ended::Shown(Shown::Unseen | Shown::Again { .. }) => Ok(()),
        Ended::Withdrawn(asked) => {
            tokio::spawn(async move {
                if let Ok(Ok(Ok(ClientResult::ElicitResult(reply)))) = timeout(LATE, asked.rx).await
                {
                    form.keep_late(&*person, id, &reply, None).await;
                }
            });
            Ok(())
        }
    };
    if let Err(error) = taken {
        tracing::error!(%error, %id, "the host has not taken what a form has brought");
    }
}

/// Offers a link to the page of a request. Whatever is said to it, the request waits in the inbox.
pub(crate) async fn link_to_the_inbox(
    link: ElicitRequestParams,
    peer: Peer<RoleServer>,
    person: Arc<dyn Person>,
    id: RequestId,
) {
    if let Elicited::Over(asked) = elicit(&peer, link, ended(&*person, id)).await {
        let _ = asked.cancel(Some(WITHDRAWN.to_owned())).await;
    }
}

/// Returns once the request has ended.
async fn ended(person: &dyn Person, id: RequestId) {
    const LONG: Duration = Duration::from_secs(24 * 3_600);
    const AGAIN: Duration = Duration::from_secs(1);
    loop {
        match person.wait(id, LONG).await {
            Ok(view) if view.state != State::Pending => return,
            Ok(_) => {}
            // The form stays: the host may come back.
            Err(error) => {
                tracing::debug!(%error, "it can't be seen whether a request has ended");
                sleep(AGAIN).await;
            }
        }
    }
}
