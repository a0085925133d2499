//! A notification of this machine's desktop, by `org.freedesktop.Notifications` on the session bus.
//!
//! Not by `notify-send`, which takes the text as an argument that every user of the machine can read in
//! the list of processes, and need not be there. By zbus alone, and not by notify-rust above it, which takes
//! neither a bus to be told nor a time limit. Invariant: a bus that is slow, or not there, delays nothing.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use tokio::time::timeout;
use zbus::connection::Builder;
use zbus::{Connection, Variant};

use crate::{Bus, Failed, Message};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Of normal urgency.
const NORMAL: u8 = 1;
/// How long one notification may take in all.
const LIMIT: Duration = Duration::from_secs(5);

/// The desktop of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Desktop(Bus);

impl Desktop {
    /// The one behind this session bus.
    pub fn new(bus: Bus) -> Self {
        Self(bus)
    }

    pub(crate) async fn send(&self, message: &Message) -> Result<String, Failed> {
        // A connection for each: one that is kept would hear what is said on the bus for days.
        let told = async {
            let bus = Builder::address(self.0.address()).build().await;
            notify(&bus.map_err(|error| no_bus(&error))?, message).await.map_err(|it| refused(&it))
        };
        let told = timeout(LIMIT, told).await;
        told.unwrap_or_else(|_| Err(Failed::for_good("no answer came in time")))
    }
}

impl fmt::Display for Desktop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "session bus at {}", self.0)
    }
}

async fn notify(bus: &Connection, message: &Message) -> zbus::Result<String> {
    let can = bus.call_method(Some(NAME), PATH, Some(NAME), "GetCapabilities", &()).await?;
    let can: Vec<String> = can.body().deserialize()?;
    let reads_markup = can.iter().any(|it| it == "body-markup");
    let mut lines = message.lines.clone();
    lines.extend(message.link.clone());
    let body = lines.join("\n");
    let body = if reads_markup { escape(&body) } else { body };
    let actions: [&str; 0] = [];
    let hints = HashMap::from([("urgency", Variant::from(NORMAL))]);
    // How long it is shown is the desktop's.
    let shown_for = -1_i32;
    let told = (
        "askwell",
        0_u32,
        "",
        message.title.as_str(),
        body.as_str(),
        &actions[..],
        hints,
        shown_for,
    );
    bus.call_method(Some(NAME), PATH, Some(NAME), "Notify", &told).await?;
    Ok("the desktop has taken it".to_owned())
}

fn no_bus(error: &zbus::Error) -> Failed {
    Failed::for_good(format!("the session bus can't be reached: {error}"))
        .hint("start the host within the desktop's session, or set notify.desktop = false")
}

fn refused(error: &zbus::Error) -> Failed {
    Failed::for_good(error.to_string()).hint("a notification service has to run in this session")
}

/// So that a text is shown as it is where markup is read.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pretty_assertions::assert_eq;
    use serde_json::Value as Json;
    use tokio::net::UnixListener;
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use zbus::OwnedVariant;

    use super::*;

    /// As much of a bus as lets a client in.
    struct Daemon;

    #[zbus::interface(name = "org.freedesktop.DBus")]
    impl Daemon {
        fn hello(&self) -> String {
            ":1.7".to_owned()
        }
    }

    /// A notification service that can do this.
    struct Service {
        can: Vec<String>,
        told: UnboundedSender<(String, String, String)>,
    }

    #[zbus::interface(name = "org.freedesktop.Notifications")]
    impl Service {
        fn get_capabilities(&self) -> Vec<String> {
            self.can.clone()
        }

        #[allow(clippy::too_many_arguments, reason = "so says the specification")]
        fn notify(
            &self,
            name: String,
            _replaces: u32,
            _icon: String,
            title: String,
            body: String,
            actions: Vec<String>,
            hints: HashMap<String, OwnedVariant>,
            shown_for: i32,
        ) -> u32 {
            assert_eq!((actions.len(), hints.len(), shown_for), (0, 1, -1));
            self.told.send((name, title, body)).unwrap();
            1
        }
    }

    fn listener(folder: &Path) -> (UnixListener, Desktop) {
        let listener = UnixListener::bind(folder.join("bus")).unwrap();
        (listener, Desktop::new(Bus::of(None, Some(folder)).unwrap()))
    }

    /// Tells it on a bus whose service, if there is one, can do this; and what came there.
    async fn told(
        service: Option<&str>,
    ) -> (Result<String, Failed>, UnboundedReceiver<(String, String, String)>) {
        let folder = tempfile::tempdir().unwrap();
        let (listener, desktop) = listener(folder.path());
        let (told, heard) = unbounded_channel();
        let can = service.map(|can| vec!["body".to_owned(), can.to_owned()]);
        let serving = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let stream = stream.into_std().unwrap();
            let bus = Builder::unix_stream(stream)
                .server("0123456789abcdef0123456789abcdef")
                .p2p()
                .serve_at("/org/freedesktop/DBus", Daemon);
            let bus = match can {
                Some(can) => bus.serve_at(PATH, Service { can, told }),
                None => bus,
            };
            let bus = bus.build().await.unwrap();
            std::future::pending::<()>().await;
            drop(bus);
        });
        let result = desktop.send(&message()).await;
        serving.abort();
        (result, heard)
    }

    fn message() -> Message {
        Message {
            title: "codex asks".to_owned(),
            lines: vec!["<b>Ship & go?</b>".to_owned()],
            link: Some("http://here/r/1".to_owned()),
            document: Json::Null,
            variables: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_notification_holds_title_text_and_link() {
        let (result, mut heard) = told(Some("actions")).await;

        assert_eq!(result.unwrap(), "the desktop has taken it");
        let body = "<b>Ship & go?</b>\nhttp://here/r/1".to_owned();
        let told = ("askwell".to_owned(), "codex asks".to_owned(), body);
        assert_eq!(heard.recv().await, Some(told));
    }

    #[tokio::test]
    async fn b127_a_text_is_no_markup_where_markup_is_read() {
        let (result, mut heard) = told(Some("body-markup")).await;

        assert!(result.is_ok());
        let (_, _, body) = heard.recv().await.unwrap();
        assert_eq!(body, "&lt;b&gt;Ship &amp; go?&lt;/b&gt;\nhttp://here/r/1");
    }

    #[tokio::test]
    async fn where_no_service_takes_it_the_bus_says_so() {
        let (result, _) = told(None).await;

        let failed = result.unwrap_err();
        assert!(failed.why.contains("org.freedesktop.DBus.Error.Unknown"), "{failed:?}");
        assert_eq!(failed.hint, Some("a notification service has to run in this session"));
    }

    #[tokio::test]
    async fn a_bus_that_is_not_there_is_told_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let desktop = Desktop::new(Bus::of(None, Some(folder.path())).unwrap());

        let failed = desktop.send(&message()).await.unwrap_err();

        assert!(failed.why.starts_with("the session bus can't be reached: "), "{failed:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_bus_that_says_nothing_is_waited_for_no_longer_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let (_listener, desktop) = listener(folder.path());
        let began = tokio::time::Instant::now();

        let failed = desktop.send(&message()).await.unwrap_err();

        assert_eq!((failed.why.as_str(), began.elapsed()), ("no answer came in time", LIMIT));
    }
}
