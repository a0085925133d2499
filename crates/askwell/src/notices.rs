//! The settings of notices, and the channels that they make.

use std::path::PathBuf;
use std::time::Duration;

use askwell::inbox::Place;
use askwell_notice::{Address, Bus, Channel, Desktop, Ntfy, Priority, Program, Secret, Webhook};

use crate::report::{Exit, Failure};
use crate::settings::{Key, Settings};

/// The settings of notices.
pub const KEYS: [Key; 13] = [
    Key {
        name: "notify.bell",
        variable: "ASKWELL_NOTIFY_BELL",
        default: "true",
        about: "an inbox in a terminal rings its bell when a request arrives: true or false",
    },
    Key {
        name: "notify.desktop",
        variable: "ASKWELL_NOTIFY_DESKTOP",
        default: "auto",
        about: "a notification of the desktop: true, false, or auto, where there is a session bus",
    },
    Key {
        name: "notify.command",
        variable: "ASKWELL_NOTIFY_COMMAND",
        default: "",
        about: "a program with its arguments that is run when a request waits unwatched",
    },
    Key {
        name: "notify.webhook",
        variable: "ASKWELL_NOTIFY_WEBHOOK",
        default: "",
        about: "an address that gets a signed post then",
    },
    Key {
        name: "notify.ntfy",
        variable: "ASKWELL_NOTIFY_NTFY",
        default: "",
        about: "a topic of ntfy, such as https://ntfy.sh/TOPIC, that is told then",
    },
    Key {
        name: "notify.ntfy-token",
        variable: "ASKWELL_NOTIFY_NTFY_TOKEN",
        default: "",
        about: "the access token of that topic",
    },
    Key {
        name: "notify.ntfy-priority",
        variable: "ASKWELL_NOTIFY_NTFY_PRIORITY",
        default: "default",
        about: "what a phone makes of it: min, low, default, high or max",
    },
    Key {
        name: "notify.text",
        variable: "ASKWELL_NOTIFY_TEXT",
        default: "false",
        about: "notices hold the text of the question: true or false",
    },
    Key {
        name: "notify.delay",
        variable: "ASKWELL_NOTIFY_DELAY",
        default: "2s",
        about: "how long a request waits before anybody is told; what comes meanwhile is one notice",
    },
    Key {
        name: "outcome.command",
        variable: "ASKWELL_ON_OUTCOME",
        default: "",
        about: "a program with its arguments that is run when a request has ended",
    },
    Key {
        name: "outcome.webhook",
        variable: "ASKWELL_OUTCOME_WEBHOOK",
        default: "",
        about: "an address that gets a signed post then",
    },
    Key {
        name: "outcome.time-limit",
        variable: "ASKWELL_OUTCOME_TIME_LIMIT",
        default: "10m",
        about: "how long that program may take",
    },
    Key {
        name: "webhook-secret",
        variable: "ASKWELL_WEBHOOK_SECRET",
        default: "",
        about: "what signs webhooks; by default one that is made in the state folder",
    },
];

/// What is never shown.
const SECRET: [&str; 2] = ["notify.ntfy-token", "webhook-secret"];
/// Of what only the beginning is shown.
const ADDRESSES: [&str; 3] = ["notify.webhook", "notify.ntfy", "outcome.webhook"];

/// The value of a setting as it may be shown.
pub fn shown(name: &str, value: &str) -> String {
    if value.is_empty() {
        return String::new();
    }
    if SECRET.contains(&name) {
        return "(set)".to_owned();
    }
    match value.parse::<Address>() {
        Ok(address) if ADDRESSES.contains(&name) => address.to_string(),
        _ => value.to_owned(),
    }
}

/// Fails where one of them does not fit.
pub fn check(settings: &Settings) -> Result<(), Failure> {
    settings.switch("notify.bell")?;
    for name in ADDRESSES {
        address(settings, name)?;
    }
    for name in ["notify.command", "outcome.command"] {
        program(settings, name)?;
    }
    wants_desktop(settings)?;
    priority(settings)?;
    settings.switch("notify.text")?;
    settings.time("notify.delay")?;
    settings.time("outcome.time-limit")?;
    Ok(())
}

/// Whether notices hold the text of the question.
pub fn with_text(settings: &Settings) -> Result<bool, Failure> {
    settings.switch("notify.text")
}

/// How long a request waits before anybody is told.
pub fn delay(settings: &Settings) -> Result<Duration, Failure> {
    Ok(settings.time("notify.delay")?.unwrap_or_default())
}

/// The ways to tell that a request waits.
pub fn of_waiting(settings: &Settings, place: &Place) -> Result<Vec<Channel>, Failure> {
    let mut channels = Vec::new();
    let wanted = wants_desktop(settings)?;
    if wanted != Some(false) {
        match (session_bus(), wanted) {
            // It may come up later: someone who wants it has said so.
            (Some(bus), Some(true)) => channels.push(Channel::Desktop(Desktop::new(bus))),
            (Some(bus), _) if bus.is_there() => channels.push(Channel::Desktop(Desktop::new(bus))),
            (None, Some(true)) => {
                return Err(Failure::usage("notify.desktop is true, and no session bus is named")
                    .hint("set it to auto, or set DBUS_SESSION_BUS_ADDRESS"));
            }
            _ => {}
        }
    }
    if let Some(program) = program(settings, "notify.command")? {
        channels.push(Channel::Command(program));
    }
    if let Some(address) = address(settings, "notify.webhook")? {
        channels.push(Channel::Webhook(Webhook::new(address, secret(settings, place)?)));
    }
    if let Some(topic) = address(settings, "notify.ntfy")? {
        let token: Option<String> = settings.parsed("notify.ntfy-token", "a token")?;
        channels.push(Channel::Ntfy(Ntfy::new(topic, token, priority(settings)?)));
    }
    Ok(channels)
}

/// The ways to tell that a request has ended.
pub fn of_outcomes(settings: &Settings, place: &Place) -> Result<Vec<Channel>, Failure> {
    let mut channels = Vec::new();
    if let Some(program) = program(settings, "outcome.command")? {
        let limit = settings.time("outcome.time-limit")?.unwrap_or(Program::LIMIT);
        // It may be an agent that goes on by itself.
        channels.push(Channel::Command(program.within(limit).outliving_host()));
    }
    if let Some(address) = address(settings, "outcome.webhook")? {
        channels.push(Channel::Webhook(Webhook::new(address, secret(settings, place)?)));
    }
    Ok(channels)
}

fn address(settings: &Settings, name: &str) -> Result<Option<Address>, Failure> {
    settings.parsed(name, "an address such as https://example.com/path, without a user name")
}

fn program(settings: &Settings, name: &str) -> Result<Option<Program>, Failure> {
    settings.parsed(name, "a program with its arguments: words, or a list of them")
}

fn priority(settings: &Settings) -> Result<Priority, Failure> {
    let priority = settings.parsed("notify.ntfy-priority", "min, low, default, high or max")?;
    Ok(priority.unwrap_or_default())
}

/// Nothing: where there is one.
fn wants_desktop(settings: &Settings) -> Result<Option<bool>, Failure> {
    let word: Option<String> = settings.parsed("notify.desktop", "a word")?;
    match word.as_deref() {
        None | Some("auto") => Ok(None),
        Some(_) => settings.switch("notify.desktop").map(Some),
    }
}

fn session_bus() -> Option<Bus> {
    let address = std::env::var("DBUS_SESSION_BUS_ADDRESS").ok();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    Bus::of(address.as_deref(), runtime.as_deref().filter(|path| path.is_absolute()))
}

/// The secret that is set; else the one of the state folder, which is made where there is none.
fn secret(settings: &Settings, place: &Place) -> Result<Secret, Failure> {
    if let Some(secret) = settings.parsed::<String>("webhook-secret", "a secret")? {
        return Ok(Secret::new(&secret));
    }
    let secret = place.webhook_secret().map_err(|error| {
        let path = place.webhook_secret_file();
        Failure::new(Exit::Failure, format!("{} is unusable: {error}", path.display()))
    })?;
    Ok(Secret::new(&secret))
}
