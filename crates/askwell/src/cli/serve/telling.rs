//! Tells outside what waits unwatched and what has ended: a task for each channel, at a pace of its own.

use std::sync::Arc;
use std::time::Duration;

use askwell::inbox::Place;
use askwell::messages::Messages;
use askwell_host::{Ends, Host, Settling, Unwatched, Waits};
use askwell_notice::{Channel, Ending, Notice, Waiting, deliver};
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::notices;
use crate::report::{Exit, Failure};
use crate::settings::Settings;

/// How long before each further try.
const PAUSES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(25)];
/// How many programs of outcomes run at once: each may be an agent at work.
const AT_ONCE: usize = 8;

/// The places of all channels in the log.
const OF_WAITING: [&str; 4] = ["notice.desktop", "notice.command", "notice.webhook", "notice.ntfy"];
const OF_OUTCOMES: [&str; 2] = ["outcome.command", "outcome.webhook"];

/// What is to be told by this host.
pub struct Telling {
    waiting: Vec<Channel>,
    outcomes: Vec<Channel>,
    delay: Duration,
    words: Arc<Words>,
}

struct Words {
    texts: Messages,
    with_text: bool,
}

impl Telling {
    /// Reads the settings.
    pub fn new(settings: &Settings, place: &Place) -> Result<Self, Failure> {
        let texts = Messages::new(Config::from_environment().lang);
        Ok(Self {
            waiting: notices::of_waiting(settings, place)?,
            outcomes: notices::of_outcomes(settings, place)?,
            delay: notices::delay(settings)?,
            words: Arc::new(Words { texts, with_text: notices::with_text(settings)? }),
        })
    }

    /// Begins: what is asked or ends from now on is told.
    pub fn start(self, host: &Host) -> Result<(), Failure> {
        let unreadable = |error: askwell_store::StoreError| {
            Failure::new(Exit::Failure, format!("STORE_UNAVAILABLE: {error}"))
        };
        let unused = |names: &[&'static str], channels: &[Channel]| {
            let used = |name: &str| channels.iter().any(|it| name.ends_with(it.name()));
            names.iter().copied().filter(|name| !used(name)).collect::<Vec<_>>()
        };
        let mut forgotten = unused(&OF_WAITING, &self.waiting);
        forgotten.extend(unused(&OF_OUTCOMES, &self.outcomes));
        for channel in self.waiting {
            let name = place_of(&OF_WAITING, &channel);
            let unwatched = host.unwatched(name, self.delay).map_err(unreadable)?;
            tokio::spawn(tell_waiting(host.clone(), unwatched, channel, Arc::clone(&self.words)));
        }
        for channel in self.outcomes {
            let ends = host.ends(place_of(&OF_OUTCOMES, &channel)).map_err(unreadable)?;
            tokio::spawn(tell_outcomes(host.clone(), ends, Arc::new(channel)));
        }
        let host = host.clone();
        tokio::spawn(async move {
            for name in forgotten {
                host.forget_reader(name).await;
            }
        });
        Ok(())
    }
}

fn place_of(names: &[&'static str], channel: &Channel) -> &'static str {
    names.iter().copied().find(|name| name.ends_with(channel.name())).unwrap_or_default()
}

async fn tell_waiting(host: Host, mut unwatched: Unwatched, channel: Channel, words: Arc<Words>) {
    while let Some(waits) = unwatched.next().await {
        let message = || {
            let mut waits = waits.clone();
            waits.keep_pending(&host);
            notice(&host, &waits, words.with_text).message(&words.texts)
        };
        deliver(&channel, &PAUSES, message).await;
    }
}

fn notice(host: &Host, waits: &Waits, with_text: bool) -> Notice {
    let listed = waits.listed.iter();
    Notice {
        waiting: listed
            .map(|request| Waiting::of(request, host.page_url(request.id), with_text))
            .collect(),
        others: waits.others.len(),
        inbox: host.page_base().map(|base| format!("{base}/")),
    }
}

async fn tell_outcomes(host: Host, mut ends: Ends, channel: Arc<Channel>) {
    let places = match *channel {
        Channel::Command(_) => AT_ONCE,
        _ => 1,
    };
    let free = Arc::new(Semaphore::new(places));
    loop {
        // Before it is taken: what nobody tells yet is told after a restart.
        let Ok(place) = Arc::clone(&free).acquire_owned().await else { return };
        let Some(settling) = ends.next().await else { return };
        let ending = ending(&host, &settling);
        let channel = Arc::clone(&channel);
        tokio::spawn(async move {
            deliver(&channel, &PAUSES, || Some(ending.message())).await;
            drop(place);
        });
    }
}

fn ending(host: &Host, settling: &Settling) -> Ending {
    let Settling { request, state, at, attended } = settling;
    Ending::of(request, *state, *at, host.page_url(request.id), *attended)
}
