//! Bodies in and out: how much of them, how slowly, and how many large ones at once.
//!
//! Invariants: what all connections together hold of large bodies is bounded, whatever clients send,
//! leave half-sent or never read, and so is the share of each credential in it; and what was
//! committed is told: it is refused for want of room before it is done, or not at all.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use askwell_core::wire::{CredentialId, Role};
use askwell_host::Caller;

use crate::failure::Failure;
use crate::options::Limits;

/// Smaller bodies are not counted: they are bounded by the number of connections.
const COUNTED: usize = 64 * 1024;

/// The large bodies that are held right now, those that come apart from those that go.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    most: usize,
    coming: Pool,
    going: Pool,
}

/// Who holds one. Each kind has a bound of its own, so that none locks the others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Who {
    Asker(CredentialId),
    Person(CredentialId),
    /// Whoever sends a form, or gets a page.
    Page,
}

impl Held {
    pub fn new(most: usize) -> Self {
        Self { most, coming: Pool::default(), going: Pool::default() }
    }

    /// The part of a caller.
    pub fn by(&self, caller: &Caller) -> Holder {
        let who = match caller.role() {
            Role::Asker => Who::Asker(caller.credential()),
            Role::Answerer | Role::Admin => Who::Person(caller.credential()),
        };
        Holder { held: self.clone(), who }
    }

    /// The body of a page. A large one is counted until the last of it was written.
    pub fn page(&self, bytes: Vec<u8>) -> Body {
        let length = bytes.len();
        match length <= COUNTED {
            true => bytes.into(),
            false => Holder::from(self).going(bytes.into(), length),
        }
    }
}

/// What one caller holds.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    held: Held,
    who: Who,
}

impl From<&Held> for Holder {
    fn from(held: &Held) -> Self {
        Self { held: held.clone(), who: Who::Page }
    }
}

impl Holder {
    /// Fails where this caller leaves so much unread that the response of one call more might not
    /// find room.
    pub fn expect_room(&self) -> Result<(), Failure> {
        match self.held.going.has_room(self.who, self.bounds()) {
            true => Ok(()),
            false => Err(too_many()),
        }
    }

    /// A response on its way. A large one is counted until the last of it was written; that of a
    /// `committed` change goes out in any case.
    pub fn response(&self, response: Response, committed: bool) -> Result<Response, Failure> {
        // A stream is made as it is read.
        let length = response.body().size_hint().exact().unwrap_or_default() as usize;
        if length <= COUNTED {
            return Ok(response);
        }
        let pool = &self.held.going;
        if committed {
            return Ok(response.map(|body| self.going(body, length)));
        }
        if !pool.take(self.who, 0, length, self.bounds()) {
            return Err(too_many());
        }
        let share = Share { pool: pool.clone(), who: self.who, bytes: length };
        Ok(response.map(|body| Body::new(Going { body, share: Some(share) })))
    }

    /// A body that goes out in any case.
    fn going(&self, body: Body, bytes: usize) -> Body {
        let pool = self.held.going.clone();
        pool.lock().add(self.who, bytes);
        Body::new(Going { body, share: Some(Share { pool, who: self.who, bytes }) })
    }

    /// The most of one caller, and of all of its kind.
    fn bounds(&self) -> Bounds {
        let all = self.held.most / 2;
        let own = match self.who {
            Who::Asker(_) => all / 2,
            Who::Person(_) | Who::Page => all,
        };
        Bounds { own, all }
    }
}

fn too_many() -> Failure {
    Failure::rate_limited("too many large bodies are under way", 1)
}

#[derive(Debug, Clone, Copy)]
struct Bounds {
    own: usize,
    all: usize,
}

#[derive(Debug, Clone, Default)]
struct Pool(Arc<Mutex<Sums>>);

/// Sums of bytes.
#[derive(Debug, Default)]
struct Sums {
    own: HashMap<Who, usize>,
    /// Of all askers, of all persons, of all pages.
    all: [usize; 3],
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, who: Who, bounds: Bounds) -> bool {
        let (own, all) = self.lock().of(who);
        own < bounds.own && all < bounds.all
    }

    /// Takes room for `more` bytes of a body that has `taken` of them. One that is alone has a bound
    /// of its own: it always fits.
    fn take(&self, who: Who, taken: usize, more: usize, bounds: Bounds) -> bool {
        let mut sums = self.lock();
        let (own, all) = sums.of(who);
        let fits = |sum: usize, most: usize| sum == taken || sum + more <= most;
        let fits = fits(own, bounds.own) && fits(all, bounds.all);
        if fits {
            sums.add(who, more);
        }
        fits
    }
}

impl Sums {
    fn of(&self, who: Who) -> (usize, usize) {
        (self.own.get(&who).copied().unwrap_or_default(), self.all[kind(who)])
    }

    fn add(&mut self, who: Who, bytes: usize) {
        *self.own.entry(who).or_default() += bytes;
        self.all[kind(who)] += bytes;
    }

    fn give_back(&mut self, who: Who, bytes: usize) {
        self.all[kind(who)] -= bytes;
        if let Some(own) = self.own.get_mut(&who) {
            *own -= bytes;
            if *own == 0 {
                self.own.remove(&who);
            }
        }
    }
}

fn kind(who: Who) -> usize {
    match who {
        Who::Asker(_) => 0,
        Who::Person(_) => 1,
        Who::Page => 2,
    }
}

/// Room that was taken, until this is dropped.
#[derive(Debug)]
struct Share {
    pool: Pool,
    who: Who,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.pool.lock().give_back(self.who, self.bytes);
    }
}

/// A large body of a response, which is there as a whole.
struct Going {
    body: Body,
    share: Option<Share>,
}

/// The bytes that the connection holds on to until they are written.
struct Counted {
    bytes: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for Going {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(cx)) else {
            return Poll::Ready(None);
        };
        let share = &mut self.share;
        Poll::Ready(Some(frame.map(|frame| {
            frame.map_data(|bytes| match share.take() {
                Some(share) => Bytes::from_owner(Counted { bytes, _share: share }),
                None => bytes,
            })
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The same body, which says so once the connection has taken it. Of a HEAD it takes none.
pub(crate) fn when_taken(body: Body, tell: impl FnOnce() + Send + Unpin + 'static) -> Body {
    Body::new(Telling { body, tell: Some(tell) })
}

struct Telling<F> {
    body: Body,
    tell: Option<F>,
}

impl<F: FnOnce() + Send + Unpin + 'static> HttpBody for Telling<F> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(_)) = &frame
            && let Some(tell) = self.tell.take()
        {
            tell();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a request, counted for as long as this lives.
#[derive(Debug, Default)]
pub(crate) struct Received {
    bytes: Vec<u8>,
    share: Option<Share>,
}

impl Received {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn add(&mut self, data: &[u8], holder: &Holder) -> Result<(), Failure> {
        let sum = self.bytes.len() + data.len();
        let taken = self.share.as_ref().map_or(0, |share| share.bytes);
        if sum > COUNTED && sum > taken {
            // Vec grows by doubling: what it may take is what counts.
            let more = sum.next_power_of_two() - taken;
            let (pool, who) = (&holder.held.coming, holder.who);
            if !pool.take(who, taken, more, holder.bounds()) {
                return Err(too_many());
            }
            match &mut self.share {
                Some(share) => share.bytes += more,
                None => self.share = Some(Share { pool: pool.clone(), who, bytes: more }),
            }
        }
        self.bytes.extend_from_slice(data);
        Ok(())
    }
}

/// Reads a body of at most `most` bytes.
pub(crate) async fn read(
    body: &mut Body,
    most: usize,
    limits: &Limits,
    holder: impl Into<Holder>,
    shutdown: &CancellationToken,
) -> Result<Received, Failure> {
    let too_large = || {
        Failure::limit("$", format!("is longer than {most} bytes"), most)
            .with_status(StatusCode::PAYLOAD_TOO_LARGE)
    };
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let holder = holder.into();
    let mut received = Received::default();
    let end = Instant::now() + limits.body;
    while !body.is_end_stream() {
        let pause = (Instant::now() + limits.body_pause).min(end);
        let frame = tokio::select! {
            frame = timeout_at(pause, body.frame()) => frame.map_err(|_| too_slow())?,
            () = left_behind(shutdown) => return Err(too_slow()),
        };
        match frame {
            None => break,
            Some(Err(_)) => {
                return Err(Failure::fault("$", "ended before it was complete")
                    .with_status(StatusCode::BAD_REQUEST));
            }
            Some(Ok(frame)) => {
                let Ok(data) = frame.into_data() else { continue };
                if received.bytes.len() + data.len() > most {
                    return Err(too_large());
                }
                received.add(&data, &holder)?;
            }
        }
    }
    Ok(received)
}

fn too_slow() -> Failure {
    Failure::fault("$", "came too slowly").with_status(StatusCode::REQUEST_TIMEOUT)
}

/// How long a request may pause once the host is asked to stop.
pub(crate) const LAST_PAUSE: Duration = Duration::from_millis(250);

async fn left_behind(shutdown: &CancellationToken) {
    shutdown.cancelled().await;
    tokio::time::sleep(LAST_PAUSE).await;
}

/// Reads on for a little, so that a client that is still sending gets to read why it was refused.
pub(crate) async fn drain(body: &mut Body, headers: &HeaderMap) {
    const MOST: usize = 16 * 1024 * 1024;
    const TIME: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(250);
    // It waits to be told before it sends any.
    if headers.contains_key(header::EXPECT) {
        return;
    }
    let end = Instant::now() + TIME;
    let mut left = MOST;
    while !body.is_end_stream() {
        let pause = (Instant::now() + PAUSE).min(end);
        let Ok(Some(Ok(frame))) = timeout_at(pause, body.frame()).await else { return };
        let length = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
