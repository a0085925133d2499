//! Events from elsewhere: a queue, and a pipe that wakes the loop.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel as queue};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use crate::event::Event;

/// Sends events to what is on the screen. Cheap to clone; outlives its session.
pub struct Control<E = Event> {
    /// Says whether anybody is there to take it.
    deliver: Arc<dyn Fn(E) -> bool + Send + Sync>,
    wake: Arc<OwnedFd>,
}

impl<E> Control<E> {
    /// Sends an event. Nothing happens where the session is gone.
    pub fn send(&self, event: E) {
        if (self.deliver)(event) {
            // A full pipe has woken the loop already.
            let _ = rustix::io::write(&*self.wake, &[1]);
        }
    }

    /// A handle for a part of what is on the screen, whose events arrive as `wrap` makes them.
    pub fn of_part<P: 'static>(&self, wrap: impl Fn(P) -> E + Send + Sync + 'static) -> Control<P>
    where
        E: 'static,
    {
        let deliver = Arc::clone(&self.deliver);
        let wake = Arc::clone(&self.wake);
        Control { deliver: Arc::new(move |event| deliver(wrap(event))), wake }
    }

    /// A descriptor of its own to wake the loop with, by writing a byte.
    pub(super) fn waker(&self) -> io::Result<OwnedFd> {
        self.wake.try_clone()
    }
}

impl<E> Clone for Control<E> {
    fn clone(&self) -> Self {
        Self { deliver: Arc::clone(&self.deliver), wake: Arc::clone(&self.wake) }
    }
}

impl<E> fmt::Debug for Control<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("wake", &self.wake).finish_non_exhaustive()
    }
}

/// The receiving end.
#[derive(Debug)]
pub(super) struct Wakeups<E = Event> {
    receiver: Receiver<E>,
    wake: OwnedFd,
}

impl<E> Wakeups<E> {
    /// All events that are there.
    pub(super) fn take(&self) -> Vec<E> {
        let mut bytes = [0; 64];
        while rustix::io::read(&self.wake, &mut bytes).is_ok_and(|count| count == bytes.len()) {}
        self.receiver.try_iter().collect()
    }

    /// Waits for an event, or the end of `timeout`.
    pub(super) fn wait(&self, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = timeout.map(timespec);
        match poll(&mut [PollFd::new(&self.wake, PollFlags::IN)], timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}

/// A time as `poll` wants it.
pub(super) fn timespec(time: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    }
}

pub(super) fn channel<E: Send + 'static>() -> io::Result<(Wakeups<E>, Control<E>)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
    let (sender, receiver) = queue::<E>();
    let deliver = Arc::new(move |event| sender.send(event).is_ok());
    Ok((Wakeups { receiver, wake: read }, Control { deliver, wake: Arc::new(write) }))
}
