//! The dialog in this terminal on a request of the host.

use std::time::Duration;

use askwell::inbox::Client;
use askwell::inbox::wire::{DraftView, Inbox as _, ProviderName, RequestId};
use askwell::messages::Lang;
use askwell::{ErrorCode, Outcome};
use askwell_tui::{Dialog, DialogOptions, OfferedDraft, Session};

use super::follow::{self, Follower};
use super::sink::SharedDraft;
use super::{Ended, pending};
use crate::config::Config;
use crate::hosts;
use crate::report::{Exit, Failure};

/// Shows the request until the person leaves it or it ends.
pub(super) fn answer(
    client: &Client,
    id: RequestId,
    config: &Config,
    lang: Lang,
) -> Result<Ended, Failure> {
    askwell_tui::check_terminal().map_err(|error| no_terminal(&error))?;
    // Before anything is read, so that nothing is missed in between.
    let events = client.events(None)?;
    let (view, request) = pending(client, id)?;
    let draft = client.draft(id)?;
    let options = DialogOptions {
        lang,
        draft: draft.states(),
        offered: offered(&draft),
        deadline: view.deadline_at.map(follow::time_left),
        stays_pending: true,
        no_color: config.no_color,
        ascii: config.ascii,
        panic_on_draw: config.panic_on_draw,
        ..DialogOptions::default()
    };
    let session = Session::open().map_err(|error| no_terminal(&error))?;
    let control = session.control();
    let shared = SharedDraft::new(client.clone(), id, control.clone(), &draft);
    let follower = Follower::start(events, id, shared.clone(), control);
    let ended = session
        .run(Dialog::new(request, options), Box::new(shared.clone()))
        .map_err(|error| Failure::new(Exit::Failure, format!("the terminal: {error}")))?;
    drop(follower);
    match (ended.outcome, shared.ended()) {
        (_, Some(ended)) => Ok(ended),
        (Outcome::Cancelled { comment }, None) => {
            match client.cancel(id, comment.as_deref(), ProviderName::Terminal) {
                Ok(view) => Ok(Ended::Here(view)),
                Err(error) if error.code == ErrorCode::NotPending => {
                    Ok(Ended::Elsewhere(client.get(id)?))
                }
                Err(error) => Err(error.into()),
            }
        }
        // By this machine's clock; the host's decides.
        (Outcome::Expired, None) => Ok(Ended::Elsewhere(client.wait(id, Duration::from_secs(2))?)),
        (Outcome::Answered(_) | Outcome::Aborted { .. }, None) => Ok(Ended::Left),
    }
}

/// What was entered when the same was asked before: only while nothing is entered now.
fn offered(draft: &DraftView) -> Option<OfferedDraft> {
    let offered = draft.offered.as_ref()?;
    let age = u64::try_from(hosts::now() - offered.edited_at).unwrap_or(0);
    let entered = offered.questions.clone().into();
    Some(OfferedDraft { entered, age: Duration::from_millis(age) })
}

fn no_terminal(error: &askwell_tui::Unavailable) -> Failure {
    Failure::new(Exit::NoProvider, format!("NO_PROVIDER: {error}"))
        .hint("answer without a dialog: --file FILE, or --select LABEL and --custom TEXT")
}
