//! Bodies in and out: how much of them, how slowly, and how many large ones at once.
//!
//! Invariant: what all connections together hold of large bodies is bounded, whatever clients
//! send, leave half-sent or never read.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;
use crate::options::Limits;

/// Smaller bodies are not counted: they are bounded by the number of connections.
const COUNTED: usize = 64 * 1024;
const UNIT: usize = 1024;

/// The large bodies that are held right now.
#[derive(Debug, Clone)]
pub(crate) struct Held(Arc<Semaphore>);

impl Held {
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes / UNIT)))
    }

    fn share(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Failure> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        Arc::clone(&self.0)
            .try_acquire_many_owned(units)
            .map_err(|_| Failure::rate_limited("too many large bodies are under way", 1))
    }

    /// The body of a response. A large one is counted until the last of it was written.
    pub fn response(&self, bytes: Vec<u8>) -> Result<Body, Failure> {
        if bytes.len() <= COUNTED {
            return Ok(bytes.into());
        }
        let share = self.share(bytes.len())?;
        Ok(Bytes::from_owner(Counted { bytes, _share: share }).into())
    }
}

struct Counted {
    bytes: Vec<u8>,
    _share: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The body of a request, counted for as long as this lives.
#[derive(Debug, Default)]
pub(crate) struct Received {
    bytes: Vec<u8>,
    share: Option<OwnedSemaphorePermit>,
}

impl Received {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn add(&mut self, data: &[u8], held: &Held) -> Result<(), Failure> {
        let sum = self.bytes.len() + data.len();
        let counted = self.share.as_ref().map_or(0, |share| share.num_permits() * UNIT);
        if sum > COUNTED && sum > counted {
            // Vec grows by doubling: what it may take is what counts.
            let share = held.share(sum.next_power_of_two() - counted)?;
            match &mut self.share {
                Some(earlier) => earlier.merge(share),
                None => self.share = Some(share),
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
    held: &Held,
    shutdown: &CancellationToken,
) -> Result<Received, Failure> {
    let too_large = || {
        Failure::limit("$", format!("is longer than {most} bytes"), most)
            .with_status(StatusCode::PAYLOAD_TOO_LARGE)
    };
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
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
                received.add(&data, held)?;
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
