//! A notification of this machine's desktop, by `org.freedesktop.Notifications` on the session bus.
//!
//! Spoken here and not by `notify-send`, which takes the text as an argument that every user of the
//! machine can read in the list of processes, and need not be there; and not by a library, since this
//! is two calls.

use std::fmt;
use std::io;
use std::thread;

use tokio::sync::oneshot;

use crate::bus::{Bus, Value};
use crate::{Failed, Message};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Of normal urgency.
const NORMAL: u8 = 1;

/// The desktop of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Desktop(Bus);

impl Desktop {
    /// The one behind this session bus.
    pub fn new(bus: Bus) -> Self {
        Self(bus)
    }

    pub(crate) async fn send(&self, message: &Message) -> Result<String, Failed> {
        let (told, heard) = oneshot::channel();
        let (bus, message) = (self.0.clone(), message.clone());
        let thread = thread::Builder::new().name("notice".into());
        thread
            .spawn(move || told.send(notify(&bus, &message)))
            .map_err(|error| Failed::for_now(format!("no thread: {error}")))?;
        heard.await.unwrap_or_else(|_| Err(Failed::for_good("the thread that tells has ended")))
    }
}

impl fmt::Display for Desktop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "session bus at {}", self.0)
    }
}

fn notify(bus: &Bus, message: &Message) -> Result<String, Failed> {
    let mut connection = bus.connect().map_err(|error| no_bus(&error))?;
    let can =
        connection.call(NAME, PATH, "GetCapabilities", &[]).map_err(|error| refused(&error))?;
    let reads_markup = can.strings().iter().any(|it| it == "body-markup");
    let mut lines = message.lines.clone();
    lines.extend(message.link.clone());
    let body = lines.join("\n");
    let body = if reads_markup { escape(&body) } else { body };
    let arguments = [
        Value::Text("askwell".to_owned()),
        Value::Number(0),
        Value::Text(String::new()),
        Value::Text(message.title.clone()),
        Value::Text(body),
        Value::Texts(Vec::new()),
        Value::Hint("urgency", NORMAL),
        // How long it is shown is the desktop's.
        Value::Signed(-1),
    ];
    connection.call(NAME, PATH, "Notify", &arguments).map_err(|error| refused(&error))?;
    Ok("the desktop has taken it".to_owned())
}

fn no_bus(error: &io::Error) -> Failed {
    Failed::for_good(format!("the session bus can't be reached: {error}"))
        .hint("start the host within the desktop's session, or set notify.desktop = false")
}

fn refused(error: &io::Error) -> Failed {
    Failed::for_good(error.to_string()).hint("a notification service has to run in this session")
}

/// So that a text is shown as it is where markup is read.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::thread::JoinHandle;

    use serde_json::Value as Json;

    use super::*;
    use crate::bus::wire::{HEAD, answers, length};

    /// A bus that lets anybody in and answers so, one call after the other; what it was sent.
    fn bus(answers: [fn(u32) -> Vec<u8>; 3]) -> (tempfile::TempDir, Bus, JoinHandle<Vec<Vec<u8>>>) {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("bus")).unwrap();
        let told = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            assert!(line(&mut stream).starts_with("\0AUTH EXTERNAL 3"));
            stream.write_all(b"OK 1234\r\n").unwrap();
            assert_eq!(line(&mut stream), "BEGIN\r\n");
            let answer = |(answer, serial): (fn(u32) -> Vec<u8>, u32)| {
                let mut head = [0; HEAD];
                stream.read_exact(&mut head).ok()?;
                let mut message = vec![0; length(&head).unwrap()];
                stream.read_exact(&mut message).unwrap();
                stream.write_all(&answer(serial)).unwrap();
                Some(message)
            };
            answers.into_iter().zip(1..).map_while(answer).collect()
        });
        let bus = Bus::of(None, Some(folder.path())).unwrap();
        (folder, bus, told)
    }

    fn line(stream: &mut UnixStream) -> String {
        let mut line = String::new();
        while !line.ends_with('\n') {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            line.push(char::from(byte[0]));
        }
        line
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

    fn holds(bytes: &[u8], text: &str) -> bool {
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    fn taken(serial: u32) -> Vec<u8> {
        answers::returned(serial, &[Value::Number(7)])
    }

    fn with_markup(serial: u32) -> Vec<u8> {
        answers::returned(serial, &[Value::Texts(vec!["body-markup".to_owned()])])
    }

    fn without_markup(serial: u32) -> Vec<u8> {
        answers::returned(serial, &[Value::Texts(vec!["body".to_owned()])])
    }

    #[test]
    fn a_notification_holds_title_text_and_link() {
        let (_folder, bus, told) = bus([taken, without_markup, taken]);

        assert!(notify(&bus, &message()).is_ok());

        let notify = told.join().unwrap().pop().unwrap();
        assert!(holds(&notify, "Notify") && holds(&notify, "codex asks"));
        assert!(holds(&notify, "<b>Ship & go?</b>\nhttp://here/r/1"));
    }

    #[test]
    fn b127_a_text_is_no_markup_where_markup_is_read() {
        let (_folder, bus, told) = bus([taken, with_markup, taken]);

        assert!(notify(&bus, &message()).is_ok());

        let notify = told.join().unwrap().pop().unwrap();
        assert!(holds(&notify, "&lt;b&gt;Ship &amp; go?&lt;/b&gt;\nhttp://here/r/1"));
    }

    #[test]
    fn where_no_service_takes_it_the_bus_says_so() {
        let unknown = |serial| answers::failed(serial, "org.freedesktop.DBus.Error.ServiceUnknown");
        let (_folder, bus, told) = bus([taken, unknown, taken]);

        let failed = notify(&bus, &message()).unwrap_err();

        assert!(failed.why.contains("ServiceUnknown"), "{failed:?}");
        assert_eq!(told.join().unwrap().len(), 2);
    }
}
