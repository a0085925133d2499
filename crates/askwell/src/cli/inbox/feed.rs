//! What happens at the host, for the list and for the dialog that is open: one event stream for
//! both, so that this terminal counts once among those that watch.
//!
//! Invariant: nothing is missed. Events go on from the first page of the list, and what the stream
//! can't resume is read anew.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use askwell::ErrorCode;
use askwell::inbox::Client;
use askwell::inbox::wire::{
    Delivery, EventId, EventStream, HistoryQuery, Inbox as _, InboxError, ListQuery, Page,
    RequestId,
};
use askwell_tui::inbox::Feed;
use askwell_tui::{Control, InboxEvent};

/// How long a host that refuses is left alone.
const PAUSE: Duration = Duration::from_secs(2);
/// As long as nothing happens.
const LONG: Duration = Duration::from_hours(24);
/// How many of those that have ended are read at once.
const SETTLED: u32 = 50;

/// To which dialogs deliveries go as well.
#[derive(Clone, Default)]
pub struct Routes(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    number: u64,
    ways: Vec<Way>,
}

struct Way {
    number: u64,
    id: RequestId,
    to: Sender<Delivery>,
}

/// Closes its way when it goes: the events that come by it end.
pub struct Route {
    routes: Routes,
    number: u64,
}

impl Routes {
    /// What concerns this request from now on, for as long as the route is held.
    pub fn follow(&self, id: RequestId) -> (Followed, Route) {
        let (to, receiver) = channel();
        let mut open = self.lock();
        open.number += 1;
        let number = open.number;
        open.ways.push(Way { number, id, to });
        (Followed(receiver), Route { routes: self.clone(), number })
    }

    fn pass_on(&self, delivery: &Delivery) {
        self.lock().ways.retain(|way| match delivery {
            Delivery::Event(event) if event.request() != Some(way.id) => true,
            _ => way.to.send(delivery.clone()).is_ok(),
        });
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Route {
    fn drop(&mut self) {
        self.routes.lock().ways.retain(|way| way.number != self.number);
    }
}

/// The events of one request.
pub struct Followed(Receiver<Delivery>);

impl EventStream for Followed {
    fn next(&mut self, at_most: Duration) -> Result<Option<Delivery>, InboxError> {
        match self.0.recv_timeout(at_most) {
            Ok(delivery) => Ok(Some(delivery)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(InboxError::new(ErrorCode::Internal, "the inbox is left"))
            }
        }
    }
}

/// Feeds the inbox from what follows its first page, for as long as the program runs.
pub fn start(client: &Client, first: &Page, control: &Control<InboxEvent>, routes: Routes) {
    let (client, control) = (client.clone(), control.clone());
    let (next, event_id) = (first.next.clone(), first.event_id);
    let feeder = Feeder { client, control, routes };
    // Without a thread the list stands still, and its requests can be answered all the same.
    let _ = thread::Builder::new().name("feed".into()).spawn(move || feeder.run(next, event_id));
}

struct Feeder {
    client: Client,
    control: Control<InboxEvent>,
    routes: Routes,
}

impl Feeder {
    fn run(&self, next: Option<String>, event_id: EventId) {
        let mut events = self.until_reached(|client| client.events(Some(event_id)));
        let (control, routes) = (self.control.clone(), self.routes.clone());
        events.on_connection(Box::new(move |reached| {
            control.send(InboxEvent::Feed(Feed::Reached(reached)));
            // What has no place in the log may have been missed.
            if reached {
                routes.pass_on(&Delivery::Resync(event_id));
            }
        }));
        self.read_on(next);
        loop {
            match events.next(LONG) {
                Ok(Some(delivery)) => self.take(delivery),
                Ok(None) => {}
                Err(_) => {
                    self.tell(Feed::Reached(false));
                    thread::sleep(PAUSE);
                }
            }
        }
    }

    fn take(&self, delivery: Delivery) {
        self.routes.pass_on(&delivery);
        let again = matches!(delivery, Delivery::Resync(_));
        self.tell(Feed::Happened(delivery));
        if again {
            let page = self.until_reached(|client| client.list(&query(None)));
            let next = page.next.clone();
            self.tell(Feed::Waiting { page, first: true });
            self.read_on(next);
        }
    }

    fn read_on(&self, mut next: Option<String>) {
        while next.is_some() {
            let page = self.until_reached(|client| client.list(&query(next.clone())));
            next.clone_from(&page.next);
            self.tell(Feed::Waiting { page, first: false });
        }
    }

    /// Asks until the host answers, and says so meanwhile.
    fn until_reached<T>(&self, ask: impl Fn(&Client) -> Result<T, InboxError>) -> T {
        let mut lost = false;
        loop {
            match ask(&self.client) {
                Ok(answer) => {
                    if lost {
                        self.tell(Feed::Reached(true));
                    }
                    return answer;
                }
                Err(_) => {
                    lost = true;
                    self.tell(Feed::Reached(false));
                    thread::sleep(PAUSE);
                }
            }
        }
    }

    fn tell(&self, feed: Feed) {
        self.control.send(InboxEvent::Feed(feed));
    }
}

fn query(after: Option<String>) -> ListQuery {
    ListQuery { after, limit: Some(ListQuery::MOST), ..ListQuery::default() }
}

/// A page of what has ended and holds this text.
pub fn history(search: &str, after: Option<String>) -> HistoryQuery {
    let search = Some(search.to_owned()).filter(|search| !search.is_empty());
    HistoryQuery { search, after, limit: Some(SETTLED) }
}
