//! A form there and back, for clients that the server may ask: shown, shown once more where it must be,
//! and withdrawn when the request ends otherwise.

use std::sync::Arc;
use std::time::Duration;

use askwell_core::wire::RequestId;
use askwell_core::{Answers, State};
use rmcp::model::{ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ServerRequest};
use rmcp::service::PeerRequestOptions;
use rmcp::{Peer, RoleServer};
use tokio::time::{Instant, sleep};

use super::content::Overridden;
use super::{Form, Shown, decline, deliver};
use crate::Person;

/// What became of a form in the end.
#[derive(Debug)]
pub(crate) enum Ended {
    Answered {
        answers: Answers,
        overridden: Vec<Overridden>,
    },
    /// A person does not want to answer.
    Declined,
    /// Nobody has seen it, or it was filled in wrongly twice.
    Unseen,
}

/// Shows a form, at most twice. Nothing where the request was `over` before.
pub(crate) async fn show(
    form: &Form,
    peer: &Peer<RoleServer>,
    over: impl Future<Output = ()>,
) -> Option<Ended> {
    tokio::pin!(over);
    let mut said: Option<String> = None;
    for again in [false, true] {
        let sent = Instant::now();
        let reply = match elicit(peer, form.params(said.as_deref()), over.as_mut()).await? {
            Some(reply) => reply,
            None => return Some(Ended::Unseen),
        };
        match form.read(&reply, sent.elapsed(), again) {
            Shown::Answered { answers, overridden } => {
                return Some(Ended::Answered { answers, overridden });
            }
            Shown::Declined => return Some(Ended::Declined),
            Shown::Unseen => return Some(Ended::Unseen),
            Shown::Again(why) => said = Some(why),
        }
    }
    Some(Ended::Unseen)
}

/// Has something shown, and brings the reply, if the client knows how to show it. Nothing where the
/// request was `over` before: then it is withdrawn.
pub(crate) async fn elicit(
    peer: &Peer<RoleServer>,
    params: ElicitRequestParams,
    over: impl Future<Output = ()>,
) -> Option<Option<ElicitResult>> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
    let options = PeerRequestOptions::no_options();
    let Ok(mut asked) = peer.send_request_with_option(request, options).await else {
        return Some(None);
    };
    let reply = tokio::select! {
        reply = &mut asked.rx => reply,
        () = over => {
            // Where it can't be told any more the form is gone as well.
            let _ = asked.cancel(Some("answered elsewhere".to_owned())).await;
            return None;
        }
    };
    Some(match reply {
        Ok(Ok(ClientResult::ElicitResult(reply))) => Some(reply),
        other => {
            tracing::debug!(?other, "the client has shown nothing");
            None
        }
    })
}

/// Shows the form of a request that waits in the inbox as well. What it brings is told to the host: the
/// first answer wins, whichever it is.
pub(crate) async fn beside_the_inbox(
    form: Form,
    peer: Peer<RoleServer>,
    person: Arc<dyn Person>,
    id: RequestId,
) {
    let taken = match show(&form, &peer, ended(&*person, id)).await {
        Some(Ended::Answered { answers, overridden }) => {
            deliver(&*person, id, &answers, overridden).await
        }
        Some(Ended::Declined) => decline(&*person, id).await,
        Some(Ended::Unseen) | None => Ok(()),
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
    let _ = elicit(&peer, link, ended(&*person, id)).await;
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
