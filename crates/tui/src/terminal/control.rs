//! Events from elsewhere: a queue, and a pipe that wakes the loop.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel as queue};

use rustix::pipe::{PipeFlags, pipe_with};

use crate::event::Event;

/// Sends events to a dialog that is on the screen. Cheap to clone; outlives its session.
#[derive(Debug, Clone)]
pub struct Control {
    sender: Sender<Event>,
    wake: Arc<OwnedFd>,
}

impl Control {
    /// Sends an event. Nothing happens where the dialog is gone.
    pub fn send(&self, event: Event) {
        if self.sender.send(event).is_ok() {
            // A full pipe has woken the loop already.
            let _ = rustix::io::write(&*self.wake, &[1]);
        }
    }

    /// A descriptor of its own to wake the loop with, by writing a byte.
    pub(super) fn waker(&self) -> io::Result<OwnedFd> {
        self.wake.try_clone()
    }
}

/// The receiving end.
#[derive(Debug)]
pub(super) struct Wakeups {
    receiver: Receiver<Event>,
    wake: OwnedFd,
}

impl Wakeups {
    /// All events that are there.
    pub(super) fn take(&self) -> Vec<Event> {
        let mut bytes = [0; 64];
        while rustix::io::read(&self.wake, &mut bytes).is_ok_and(|count| count == bytes.len()) {}
        self.receiver.try_iter().collect()
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}

pub(super) fn channel() -> io::Result<(Wakeups, Control)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
    let (sender, receiver) = queue();
    Ok((Wakeups { receiver, wake: read }, Control { sender, wake: Arc::new(write) }))
}
