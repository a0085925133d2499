//! Waiting for Enter, until it is no longer of interest.

use std::io::{self, PipeReader, PipeWriter};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};

/// As long as this is held, Enter is waited for.
#[must_use = "dropping it ends the waiting"]
pub struct Waiting {
    _dropped: PipeWriter,
}

/// Calls back once when a line is entered. What is typed after this was dropped is not read: it is for
/// whoever has the terminal then.
pub fn wait(told: impl FnOnce() + Send + 'static) -> io::Result<Waiting> {
    let (dropped, guard) = io::pipe()?;
    thread::Builder::new().name("enter".into()).spawn(move || {
        if has_line(&dropped).unwrap_or(false) {
            told();
        }
    })?;
    Ok(Waiting { _dropped: guard })
}

fn has_line(dropped: &PipeReader) -> io::Result<bool> {
    let stdin = io::stdin();
    loop {
        let mut ready = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(dropped, PollFlags::IN)];
        poll(&mut ready, None)?;
        if !ready[1].revents().is_empty() {
            return Ok(false);
        }
        if !ready[0].revents().is_empty() {
            return Ok(stdin.read_line(&mut String::new())? > 0);
        }
    }
}
