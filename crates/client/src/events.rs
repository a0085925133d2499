//! The event stream of a host, which outlives its connections.
//!
//! Invariant: after a connection that broke the next one goes on from the last event that was
//! handed out, so that nothing is missed and nothing comes twice.

use std::io::{BufRead as _, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use askwell_core::ErrorCode;
use askwell_core::wire::{Delivery, EventId, EventStream, Inbox as _, InboxError, ListQuery};
use ureq::{Agent, BodyReader};

use crate::backoff::Backoff;
use crate::call::{self, Call};
use crate::client::{Again, Client};
use crate::sse::{Heard, Parser};

/// A host says something every 15 seconds, be it nothing.
const SILENCE: Duration = Duration::from_secs(45);

/// Events that were read and not taken yet. A reader that never takes holds its connection up, and
/// the host drops it.
const AHEAD: usize = 1_000;

/// The events of a host.
pub(crate) struct Events {
    client: Client,
    /// The last event that was handed out.
    after: EventId,
    feed: Option<Feed>,
    backoff: Backoff,
    next_try: Option<Instant>,
    /// Who wants to hear whether there is a connection.
    tell: Option<Box<dyn Fn(bool) + Send>>,
}

impl Events {
    /// Connects. `after` is the last event that is known; without it from now on.
    pub(crate) fn open(client: Client, after: Option<EventId>) -> Result<Self, InboxError> {
        // "Now" is a place in the log, or a first connection that breaks early would leave a gap.
        let after = match after {
            Some(after) => after,
            None => client.list(&ListQuery { limit: Some(1), ..ListQuery::default() })?.event_id,
        };
        let feed = Feed::open(&client, after, Duration::from_secs(5))?;
        let (backoff, next_try, tell) = (Backoff::new(), None, None);
        Ok(Self { client, after, feed: Some(feed), backoff, next_try, tell })
    }

    /// The connection, or nothing where there is none yet.
    fn feed(&mut self, until: Instant) -> Result<Option<&Feed>, InboxError> {
        if self.feed.is_none() {
            if let Some(at) = self.next_try {
                thread::sleep(at.min(until).saturating_duration_since(Instant::now()));
                if Instant::now() < at {
                    return Ok(None);
                }
            }
            match Feed::open(&self.client, self.after, Duration::ZERO) {
                Ok(feed) => {
                    self.feed = Some(feed);
                    self.tell(true);
                }
                Err(error) if is_passing(&error) => {
                    self.next_try = Some(Instant::now() + self.backoff.pause());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(self.feed.as_ref())
    }

    fn tell(&self, connected: bool) {
        if let Some(tell) = &self.tell {
            tell(connected);
        }
    }
}

impl EventStream for Events {
    fn next(&mut self, at_most: Duration) -> Result<Option<Delivery>, InboxError> {
        let now = Instant::now();
        let until = now.checked_add(at_most).unwrap_or(now + Duration::from_hours(24 * 3_650));
        loop {
            let Some(feed) = self.feed(until)? else {
                if Instant::now() >= until {
                    return Ok(None);
                }
                continue;
            };
            let left = until.saturating_duration_since(Instant::now());
            match feed.receiver.recv_timeout(left) {
                Ok(heard) => {
                    (self.backoff, self.next_try) = (Backoff::new(), None);
                    self.after = heard.id.unwrap_or(self.after);
                    if heard.delivery.is_some() {
                        return Ok(heard.delivery);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {
                    self.feed = None;
                    self.tell(false);
                    self.next_try = Some(Instant::now() + self.backoff.pause());
                }
            }
        }
    }

    fn on_connection(&mut self, tell: Box<dyn Fn(bool) + Send>) {
        self.tell = Some(tell);
    }
}

/// Whether it makes sense to come again.
fn is_passing(error: &InboxError) -> bool {
    matches!(
        error.code,
        ErrorCode::HostUnreachable
            | ErrorCode::NoProvider
            | ErrorCode::StoreUnavailable
            | ErrorCode::RateLimited
    )
}

/// One connection, read on a thread of its own until it is dropped.
struct Feed {
    receiver: Receiver<Heard>,
    agent: Agent,
}

impl Feed {
    fn open(client: &Client, after: EventId, patience: Duration) -> Result<Self, InboxError> {
        let agent = call::agent(Some(SILENCE));
        let after = after.to_string();
        let mut call = Call::get("/api/v1/events");
        call.headers.push(("last-event-id", &after));
        call.headers.push(("accept", "text/event-stream"));
        let response = client.try_until(Again::Always, Instant::now() + patience, |access| {
            call::send(&agent, access, &call, None)
        })?;
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        let (sender, receiver) = sync_channel(AHEAD);
        let spawned = thread::Builder::new().name("events".into()).spawn(move || {
            let mut parser = Parser::default();
            for line in lines(reader) {
                if let Some(frame) = parser.line(&line)
                    && sender.send(Heard::from(frame)).is_err()
                {
                    break;
                }
            }
        });
        spawned.map_err(|error| {
            InboxError::new(ErrorCode::Internal, format!("no thread is to be had: {error}"))
        })?;
        Ok(Self { receiver, agent })
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        // The host is to know at once that nobody watches any more.
        self.agent.clone().shutdown();
    }
}

fn lines(reader: BodyReader<'static>) -> impl Iterator<Item = String> {
    let mut reader = BufReader::new(reader);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let length = reader.read_until(b'\n', &mut line).ok()?;
        if length == 0 {
            return None;
        }
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(String::from_utf8_lossy(line).into_owned())
    })
}
