//! The dialog in this terminal on a request of the host.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use askwell::inbox::Client;
use askwell::inbox::wire::{Inbox as _, ListQuery, ProviderName, RequestId, RequestView};
use askwell::messages::{Lang, Messages};
use askwell::terminal::editor_of_this_user;
use askwell::{ErrorCode, Outcome};
use askwell_tui::{Dialog, DialogOptions, Session};

use super::follow::{self, HostClock};
use super::kept::Kept;
use super::sink::{HostSink, SharedDraft};
use super::{Ended, Left, pending};
use crate::config::Config;
use crate::report::{self, Exit, Failure};
use crate::settings::DialogSettings;

/// Leaving takes no longer than a person is patient: so much of it is for asking the host once more.
const LAST_LOOK: Duration = Duration::from_millis(600);

/// How the dialog is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks {
    pub lang: Lang,
    pub set: DialogSettings,
    pub in_place: bool,
}

/// Shows the request until the person leaves it or it ends.
pub(super) fn answer(
    client: &Client,
    id: RequestId,
    config: &Config,
    Looks { lang, set, in_place }: Looks,
) -> Result<Ended, Failure> {
    askwell_tui::check_terminal().map_err(|error| no_terminal(&error))?;
    // Before anything is read, so that nothing is missed in between.
    let page = client.list(&ListQuery { limit: Some(1), ..ListQuery::default() })?;
    let clock = HostClock::at(page.now);
    let events = client.events(Some(page.event_id))?;
    let (view, request) = pending(client, id)?;
    let draft = client.draft(id)?;
    let mut kept = Kept::open(id, &draft);
    let options = DialogOptions {
        lang,
        draft: draft.states(),
        kept: kept.texts(&request, &draft),
        edit_key: kept.edit_key(),
        offered: kept.offered(&draft, &clock),
        deadline: view.deadline_at.map(|at| clock.time_left(at)),
        stays_pending: true,
        credential: Some(view.credential.clone()),
        answering: view.answering.iter().map(|other| clock.answering(other)).collect(),
        no_color: config.no_color,
        ascii: config.ascii,
        plain: set.plain,
        in_place,
        panic_on_draw: config.panic_on_draw,
        editor: editor_of_this_user(),
        no_mouse: set.no_mouse,
        ..DialogOptions::default()
    };
    let session = Session::open().map_err(|error| no_terminal(&error))?;
    let told = (session.control(), clock);
    let shared = SharedDraft::new(client.clone(), id, request.clone(), told, &draft);
    follow::start(events, id, shared.clone());
    let sink = HostSink::new(shared.clone(), kept.saver(), Messages::new(lang));
    let mut ended = session
        .run(Dialog::new(request, options), Box::new(sink))
        .map_err(|error| Failure::new(Exit::Failure, format!("the terminal: {error}")))?;
    let messages = Messages::new(lang);
    if matches!(ended.outcome, Outcome::Answered(_)) {
        kept.answered();
    }
    report::tell_left(&ended.left, &messages);
    let mut settle = |ended: &askwell_tui::Ended, unsaved: bool| {
        kept.settle(shared.request(), &ended.entered, ended.restored, unsaved)
    };
    match (ended.outcome.clone(), shared.ended()) {
        (_, Some(how)) => {
            let left = settle(&ended, ended.unsaved);
            let sent = matches!(how, Ended::Here(_)) && ended.draft.kept_texts().next().is_none();
            if !sent {
                tell_lost(&left, &messages);
            }
            Ok(how)
        }
        (Outcome::Cancelled { comment }, None) => {
            match client.cancel(id, comment.as_deref(), ProviderName::Terminal) {
                Ok(view) => {
                    // It has gone with the outcome.
                    ended.entered.comment.clear();
                    tell_lost(&settle(&ended, ended.unsaved), &messages);
                    Ok(Ended::Here(view))
                }
                Err(error) if error.code == ErrorCode::NotPending => {
                    tell_lost(&settle(&ended, ended.unsaved), &messages);
                    Ok(Ended::Elsewhere(client.get(id)?))
                }
                Err(error) => {
                    // With the comment, which the host has nowhere.
                    let left = settle(&ended, true);
                    tell_lost(&left, &messages);
                    let failure = Failure::from(error);
                    Err(match left.kept {
                        Some(path) => failure.hint(super::kept_in(id, &path)),
                        None => failure,
                    })
                }
            }
        }
        (Outcome::Answered(_) | Outcome::Aborted { .. } | Outcome::Expired, None) => {
            let left = settle(&ended, ended.unsaved);
            super::tell_unsaved(id, &left, &messages);
            let untouched = ended.entered.is_untouched();
            Ok(Ended::Left(Left { view: last_look(client, id), untouched, ..left }))
        }
    }
}

fn tell_lost(left: &Left, messages: &Messages) {
    left.lost.iter().for_each(|lost| lost.tell(messages));
}

/// The request as it stands, if the host says so at once.
fn last_look(client: &Client, id: RequestId) -> Option<Box<RequestView>> {
    let (tell, hear) = channel();
    let client = client.waiting_for(Duration::ZERO);
    thread::spawn(move || tell.send(client.get(id).ok().map(Box::new)));
    hear.recv_timeout(LAST_LOOK).ok()?
}

fn no_terminal(error: &askwell_tui::Unavailable) -> Failure {
    Failure::new(Exit::NoProvider, format!("NO_PROVIDER: {error}"))
        .hint("answer without a dialog: --file FILE, or --select LABEL and --custom TEXT")
}
