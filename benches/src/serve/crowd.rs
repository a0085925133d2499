//! Many cycles in flight; and the same calls to a handler that does nothing, from the same client
//! over as many connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::exchange::{Calls, answer, question};
use super::http::{Connection, get, post};
use super::program::{Host, Peer};

/// Askers, and as many answerers who hear of requests by one event stream.
pub struct Crowd {
    calls: Calls,
    askers: Vec<Connection>,
    answering: JoinSet<Result<()>>,
}

impl Crowd {
    /// Connects so many of each.
    pub async fn connect(host: &Host, in_flight: usize) -> Result<Self> {
        let calls = Calls::of(host);
        let mut answering = JoinSet::new();
        let mut answerers = Vec::new();
        let mut askers = Vec::new();
        for _ in 0..in_flight {
            askers.push(Connection::open(host.port).await?);
            let (to, ids) = mpsc::unbounded_channel();
            answerers.push(to);
            answering.spawn(answer_all(calls.clone(), Connection::open(host.port).await?, ids));
        }
        let mut events = calls.events(host).await?;
        answering.spawn(async move {
            for turn in 0.. {
                let id = events.requested().await?;
                let answerer: &mpsc::UnboundedSender<String> = &answerers[turn % in_flight];
                if answerer.send(id).is_err() {
                    break;
                }
            }
            Ok(())
        });
        Ok(Self { calls, askers, answering })
    }

    /// The time that so many cycles take.
    pub async fn run(&mut self, cycles: usize) -> Result<Duration> {
        let left = Arc::new(AtomicUsize::new(cycles));
        let mut asking = JoinSet::new();
        let start = Instant::now();
        for mut asker in self.askers.drain(..) {
            let (calls, left) = (self.calls.clone(), Arc::clone(&left));
            asking.spawn(async move {
                while take_one(&left) {
                    calls.ask(&mut asker).await?;
                }
                anyhow::Ok(asker)
            });
        }
        loop {
            tokio::select! {
                asked = asking.join_next() => match asked {
                    Some(asker) => self.askers.push(asker??),
                    None => return Ok(start.elapsed()),
                },
                Some(ended) = self.answering.join_next() => {
                    ended??;
                    bail!("nobody answers any more");
                }
            }
        }
    }
}

async fn answer_all(
    calls: Calls,
    mut connection: Connection,
    mut ids: mpsc::UnboundedReceiver<String>,
) -> Result<()> {
    while let Some(id) = ids.recv().await {
        calls.answer(&mut connection, &id).await?;
    }
    Ok(())
}

/// The same calls to the empty handler.
pub struct Empty {
    pairs: Vec<[Connection; 2]>,
    ask: Vec<u8>,
    wait: Vec<u8>,
    answer: Vec<u8>,
}

impl Empty {
    /// How many calls a cycle has.
    pub const CALLS: usize = 3;

    /// Connects so many pairs.
    pub async fn connect(peer: &Peer, in_flight: usize) -> Result<Self> {
        let mut pairs = Vec::new();
        for _ in 0..in_flight {
            pairs.push([Connection::open(peer.port).await?, Connection::open(peer.port).await?]);
        }
        // As long as a real one.
        let token = format!("askwell_{}", "0".repeat(64));
        let ask = post("/", &token, &question());
        let (wait, answer) = (post("/", &token, ""), post("/", &token, &answer()));
        Ok(Self { pairs, ask, wait, answer })
    }

    /// The time that the calls of so many cycles take.
    pub async fn run(&mut self, cycles: usize) -> Result<Duration> {
        let left = Arc::new(AtomicUsize::new(cycles));
        let mut asking = JoinSet::new();
        let start = Instant::now();
        for mut pair in self.pairs.drain(..) {
            let (ask, wait, answer) = (self.ask.clone(), self.wait.clone(), self.answer.clone());
            let left = Arc::clone(&left);
            asking.spawn(async move {
                let [asker, answerer] = &mut pair;
                while take_one(&left) {
                    asker.call(&ask).await?;
                    tokio::try_join!(asker.call(&wait), answerer.call(&answer))?;
                }
                anyhow::Ok(pair)
            });
        }
        while let Some(pair) = asking.join_next().await {
            self.pairs.push(pair??);
        }
        Ok(start.elapsed())
    }
}

fn take_one(left: &AtomicUsize) -> bool {
    left.try_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
}

/// Files so many requests that nobody waits for, and that expire some day.
pub async fn ask_only(host: &Host, in_flight: usize, requests: usize) -> Result<()> {
    let body = question().replacen('{', r#"{"expiresInSeconds":86400,"#, 1);
    let ask = post("/api/v1/requests", &host.asker, &body);
    let left = Arc::new(AtomicUsize::new(requests));
    let mut asking = JoinSet::new();
    for _ in 0..in_flight {
        let (ask, left) = (ask.clone(), Arc::clone(&left));
        let mut connection = Connection::open(host.port).await?;
        asking.spawn(async move {
            while take_one(&left) {
                connection.call(&ask).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    Ok(())
}

/// One page of the list, and where the next one begins.
pub async fn page(
    connection: &mut Connection,
    host: &Host,
    query: &str,
) -> Result<(usize, Option<String>)> {
    let call = get(&format!("/api/v1/requests{query}"), &host.answerer);
    let body = std::str::from_utf8(connection.call(&call).await?)?;
    // At the end of the page, behind all requests.
    let next = body.rsplit_once(r#""next":""#).and_then(|(_, rest)| rest.split('"').next());
    Ok((body.len(), next.map(str::to_owned)))
}
