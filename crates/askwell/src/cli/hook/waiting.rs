//! Waiting for a person on behalf of an agent: posted, waited for, and left where it is when the agent
//! goes.

use std::io::stdout;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use askwell::inbox::Client;
use askwell::inbox::wire::{
    IdempotencyKey, Inbox as _, InboxError, Leaving, Posting, RequestId, RequestView,
};
use askwell::{ErrorCode, Outcome, State, ValidRequest};
use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::Native;

/// How long one wait may take. A host that is gone for the rest of one and another is not waited for: the
/// person may be at the agent.
const SLICE: Duration = Duration::from_secs(4);

/// How long the host may take to hear that the agent has left.
const LEAVING: Duration = Duration::from_secs(1);

enum Heard {
    Asked(RequestId),
    Ended(Result<Box<RequestView>, InboxError>),
    /// A signal, or nobody reads what we would print.
    Left,
}

/// Asks, and waits however long the person takes.
pub fn ask(
    client: &Client,
    request: &ValidRequest,
    key: Option<IdempotencyKey>,
) -> Result<Outcome, Native> {
    let (tell, hear) = channel();
    listen_for_leaving(&tell)?;
    let (asker, ours) = (client.clone(), request.clone());
    let posting = Posting { attach: true, key };
    thread::spawn(move || wait(&asker, &ours, &posting, &tell));
    let mut id = None;
    loop {
        match hear.recv() {
            Ok(Heard::Asked(asked)) => id = Some(asked),
            Ok(Heard::Ended(view)) => return outcome(&*view?, request),
            Ok(Heard::Left) | Err(_) => {
                if let Some(id) = id {
                    leave(client, id);
                }
                return Err(Native::NobodyListens);
            }
        }
    }
}

fn wait(client: &Client, request: &ValidRequest, posting: &Posting, tell: &Sender<Heard>) {
    let ended = client.ask(request, posting).and_then(|asked| {
        // One who has left does not hear it.
        let _ = tell.send(Heard::Asked(asked.id));
        let mut gone = 0;
        loop {
            match client.wait(asked.id, SLICE) {
                Ok(view) if view.state == State::Pending => gone = 0,
                // Once it may be only just restarting.
                Err(error) if is_away(&error) && gone == 0 => gone += 1,
                ended => return ended,
            }
        }
    });
    let _ = tell.send(Heard::Ended(ended.map(Box::new)));
}

fn is_away(error: &InboxError) -> bool {
    matches!(error.code, ErrorCode::HostUnreachable | ErrorCode::NoProvider)
}

fn outcome(view: &RequestView, request: &ValidRequest) -> Result<Outcome, Native> {
    let outcome = view.typed_outcome(request);
    outcome.ok_or_else(|| Native::because(format!("the outcome of {} is another's", view.id)))
}

/// The agent is away as from now; its question waits on, for a hook that is run again.
fn leave(client: &Client, id: RequestId) {
    let (told, heard) = channel();
    let client = client.clone();
    thread::spawn(move || told.send(client.detach(id, Leaving::Cut).is_ok()));
    // A host that is not told notices by itself, half a minute later.
    let _ = heard.recv_timeout(LEAVING);
}

fn listen_for_leaving(tell: &Sender<Heard>) -> Result<(), Native> {
    let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]);
    let mut signals = signals.map_err(|error| Native::because(format!("no signals: {error}")))?;
    let signalled = tell.clone();
    thread::spawn(move || signals.forever().next().map(|_| signalled.send(Heard::Left)));
    let closed = tell.clone();
    thread::spawn(move || {
        let stdout = stdout();
        // Errors are told whatever is asked for, and nothing else is of interest.
        let mut reader = [PollFd::new(&stdout, PollFlags::empty())];
        while let Err(rustix::io::Errno::INTR) = poll(&mut reader, None) {}
        closed.send(Heard::Left)
    });
    Ok(())
}
