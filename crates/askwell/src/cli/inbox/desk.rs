//! Carries out what the inbox wants done at the host: reads requests, keeps drafts, hands answers
//! over.
//!
//! One thread does what has to come in order (opening, closing, cancelling), so that a request that
//! is opened again finds what its last dialog has left; each dialog saves on a thread of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use askwell::inbox::Client;
use askwell::inbox::wire::{Inbox as _, InboxError, ProviderName, RequestId, UnixMillis};
use askwell::messages::{Lang, Messages};
use askwell::{ErrorCode, Outcome, State};
use askwell_tui::inbox::{Closing, Feed, LeftDialog, Opened, Settled, Ticket};
use askwell_tui::{Control, Desk, Effect, InboxEffect, InboxEvent, Worker};

use super::feed::{self, Route, Routes};
use crate::cli::answer::follow::{self, HostClock};
use crate::cli::answer::kept::Kept;
use crate::cli::answer::sink::{HostSink, SharedDraft};
use crate::cli::answer::{self, Left};
use crate::report::Failure;

/// How long the last save of a dialog may take.
const LAST_SAVE: Duration = Duration::from_millis(1_200);
/// How long leaving waits for what is under way.
const LEAVING: Duration = Duration::from_millis(2_000);
/// How long a person who opens a request waits for a host that is gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// The host's side of an inbox.
pub struct HostDesk {
    jobs: Sender<Job>,
    open: OpenRequests,
    left: Receiver<Vec<(RequestId, Left)>>,
}

type OpenRequests = Arc<Mutex<HashMap<Ticket, OpenRequest>>>;

/// What belongs to a dialog that is open.
struct OpenRequest {
    id: RequestId,
    worker: Worker,
    /// What ends the following when it goes.
    _route: Route,
    shared: SharedDraft,
    kept: Kept,
    /// Whether the host does not have all of the draft.
    behind: Arc<AtomicBool>,
}

enum Job {
    Open(Ticket, RequestId),
    Close(Ticket, Box<OpenRequest>, LeftDialog),
    Cancel(RequestId),
    List { search: String, after: Option<String> },
}

impl HostDesk {
    /// A desk at this host, whose clock says that it is now this.
    pub fn new(
        client: &Client,
        control: &Control<InboxEvent>,
        routes: &Routes,
        lang: Lang,
        now: UnixMillis,
    ) -> Self {
        let (jobs, queue) = channel();
        let (tell, left) = channel();
        let open = OpenRequests::default();
        let clerk = Clerk {
            client: client.clone(),
            control: control.clone(),
            routes: routes.clone(),
            clock: HostClock::at(now),
            lang,
            open: Arc::clone(&open),
        };
        // Without a thread nothing opens, and the list says that it is being opened.
        let _ = thread::Builder::new().name("desk".into()).spawn(move || {
            let mut left = Vec::new();
            for job in queue {
                left.extend(clerk.does(job));
            }
            tell.send(left)
        });
        Self { jobs, open, left }
    }

    /// Waits until what is under way is done, not for long; what is left that a person should hear.
    pub fn finish(self) -> Vec<(RequestId, Left)> {
        drop(self.jobs);
        self.left.recv_timeout(LEAVING).unwrap_or_default()
    }

    fn does(&self, job: Job) {
        // Without its thread nothing can be done, and nothing is lost.
        let _ = self.jobs.send(job);
    }
}

impl Desk for HostDesk {
    fn carry_out(&mut self, effect: InboxEffect) {
        match effect {
            InboxEffect::Open(ticket, id) => self.does(Job::Open(ticket, id)),
            InboxEffect::Dialog(ticket, effect) => {
                if let Some(open) = lock(&self.open).get_mut(&ticket) {
                    match effect {
                        Effect::SaveDraft(entered) => open.worker.save(entered),
                        Effect::Merged(merged) => open.worker.merged(merged),
                        Effect::Submit(answers) => open.worker.submit(answers),
                        Effect::Extend => open.worker.extend(),
                        // The editor is the terminal's, and the end has an effect of its own.
                        Effect::End(_) | Effect::OpenEditor { .. } | Effect::CloseEditor => {}
                    }
                }
            }
            InboxEffect::Close(ticket, left) => {
                let open = lock(&self.open).remove(&ticket);
                if let Some(open) = open {
                    self.does(Job::Close(ticket, Box::new(open), left));
                }
            }
            InboxEffect::Forget(ticket) => drop(lock(&self.open).remove(&ticket)),
            InboxEffect::Cancel(id) => self.does(Job::Cancel(id)),
            InboxEffect::List { search, after } => self.does(Job::List { search, after }),
            // Both are the terminal's.
            InboxEffect::Ring | InboxEffect::Leave => {}
        }
    }
}

fn lock(open: &OpenRequests) -> MutexGuard<'_, HashMap<Ticket, OpenRequest>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does one thing after the other.
struct Clerk {
    client: Client,
    control: Control<InboxEvent>,
    routes: Routes,
    clock: HostClock,
    lang: Lang,
    open: OpenRequests,
}

impl Clerk {
    /// Does it; what the person has to hear after leaving.
    fn does(&self, job: Job) -> Option<(RequestId, Left)> {
        match job {
            Job::Open(ticket, id) => {
                let event = self.open(ticket, id);
                self.control.send(
                    event.unwrap_or_else(|failure| InboxEvent::NotOpened(ticket, failure.message)),
                );
                None
            }
            Job::Close(ticket, open, left) => {
                let id = open.id;
                let (closing, left) = self.close(*open, &left);
                self.control.send(InboxEvent::Closed(ticket, closing));
                left.unsaved.then_some((id, left))
            }
            Job::Cancel(id) => {
                let cancelled = self.cancel(id, None).map_err(|error| error.to_string());
                self.control.send(InboxEvent::Cancelled(id, cancelled));
                None
            }
            Job::List { search, after } => {
                let query = feed::history(&search, after.clone());
                self.control.send(match self.client.waiting_for(PATIENCE).history(&query) {
                    Ok(page) => InboxEvent::Feed(Feed::Ended { search, after, page }),
                    Err(error) => InboxEvent::NotListed(error.to_string()),
                });
                None
            }
        }
    }

    fn open(&self, ticket: Ticket, id: RequestId) -> Result<InboxEvent, Failure> {
        // Before anything is read, so that nothing is missed in between.
        let (events, route) = self.routes.follow(id);
        let client = self.client.waiting_for(PATIENCE);
        let (view, request) = answer::read(&client, id)?;
        let draft = client.draft(id)?;
        if view.state != State::Pending {
            let now = self.clock.now();
            return Ok(InboxEvent::Read(ticket, Box::new(Settled { view, request, draft, now })));
        }
        let kept = Kept::open(id, &draft);
        let control = self.control.of_part(move |event| InboxEvent::Dialog(ticket, event));
        let (clock, told) = (self.clock, (control.clone(), self.clock));
        let shared = SharedDraft::new(self.client.clone(), id, request.clone(), told, &draft);
        follow::start(Box::new(events), id, shared.clone());
        let sink = HostSink::new(shared.clone(), kept.saver(), Messages::new(self.lang));
        let behind = sink.behind();
        let opened = Opened {
            kept: kept.texts(&request, &draft),
            edit_key: kept.edit_key(),
            request,
            answering: view.answering.iter().map(|other| clock.answering(other)).collect(),
            credential: view.credential,
            draft: draft.states(),
            offered: kept.offered(&draft, &clock),
            deadline: view.deadline_at.map(|at| clock.time_left(at)),
        };
        let worker = Worker::new(Box::new(sink), control);
        let open = OpenRequest { id, worker, _route: route, shared, kept, behind };
        lock(&self.open).insert(ticket, open);
        Ok(InboxEvent::Opened(ticket, Box::new(opened)))
    }

    fn close(&self, open: OpenRequest, left: &LeftDialog) -> (Closing, Left) {
        let OpenRequest { id, worker, shared, mut kept, behind, .. } = open;
        let saved = worker.finish(LAST_SAVE) && !behind.load(Ordering::SeqCst);
        if matches!(left.outcome, Outcome::Answered(_)) {
            kept.answered();
        }
        let mut settle =
            |saved: bool| kept.settle(shared.request(), &left.entered, left.restored, !saved);
        let has_ended = shared.ended().is_some();
        if let (Outcome::Cancelled { comment }, false) = (&left.outcome, has_ended) {
            return match self.cancel(id, comment.as_deref()) {
                Ok(State::Cancelled) => (Closing::Done, settle(saved)),
                Ok(state) => (Closing::EndedBefore(state), settle(saved)),
                // With the comment, which the host has nowhere.
                Err(error) => (Closing::NotCancelled(error.to_string()), settle(false)),
            };
        }
        let left = settle(saved);
        let closing = match (&left.kept, left.unsaved) {
            _ if has_ended => Closing::Done,
            (_, false) => Closing::Done,
            (Some(_), true) => Closing::KeptHere,
            (None, true) => Closing::Unsaved,
        };
        (closing, left)
    }

    /// How the request ended: cancelled, if nothing else was first.
    fn cancel(&self, id: RequestId, comment: Option<&str>) -> Result<State, InboxError> {
        let client = self.client.waiting_for(PATIENCE);
        match client.cancel(id, comment, ProviderName::Terminal) {
            Ok(view) => Ok(view.state),
            Err(error) if error.code == ErrorCode::NotPending => Ok(client.get(id)?.state),
            Err(error) => Err(error),
        }
    }
}
