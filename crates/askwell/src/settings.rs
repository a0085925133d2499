//! What may be set of a host and of the terminal, and where each value comes from: flag over environment over
//! configuration file over default. Those of notices are in [`crate::notices`].

use std::cell::LazyCell;
use std::fmt;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use askwell::inbox::Place;
use askwell::limits;
use askwell_mcp::{Clients, Options, Provider};
use askwell_web::{DEFAULT_PORT, PublicUrl};
use toml::{Table, Value};

use crate::cli::Timeout;
use crate::config::Config;
use crate::notices;
use crate::report::{Exit, Failure};

/// A setting: its name in the file, its variable, its default and what it is.
pub struct Key {
    /// Its name in the file, with that of its table.
    pub name: &'static str,
    /// Its variable.
    pub variable: &'static str,
    /// What holds where nothing sets it.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// Every setting.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().chain(&notices::KEYS)
}

const KEYS: [Key; 12] = [
    Key {
        name: "port",
        variable: "ASKWELL_PORT",
        default: "",
        about: "the port to listen on; by default the one of the last time, or 2759",
    },
    Key {
        name: "bind",
        variable: "ASKWELL_BIND",
        default: "",
        about: "an address to listen on instead of loopback, to be reached from elsewhere",
    },
    Key {
        name: "public-url",
        variable: "ASKWELL_PUBLIC_URL",
        default: "",
        about: "the address by which others reach it, through a proxy or a network name",
    },
    Key {
        name: "keep",
        variable: "ASKWELL_KEEP",
        default: "",
        about: "how long ended requests are kept, such as 30d; by default for ever",
    },
    Key {
        name: "grace",
        variable: "ASKWELL_GRACE",
        default: "24h",
        about: "how long a request whose asker is away stays answerable",
    },
    Key {
        name: "log",
        variable: "ASKWELL_LOG",
        default: "info",
        about: "how much is logged: error, warn, info, debug, trace",
    },
    Key {
        name: "min-expiry",
        variable: "ASKWELL_MIN_EXPIRY",
        default: "10m",
        about: "the shortest time that an agent's question is left to you; a shorter one is raised",
    },
    Key {
        name: "provider",
        variable: "ASKWELL_PROVIDER",
        default: "auto",
        about: "where an agent's questions are shown: auto (your inbox, and the agent's own form \
                where it has one), inbox, or elicitation (that form alone)",
    },
    Key {
        name: "mcp-wait",
        variable: "ASKWELL_MCP_WAIT",
        default: "",
        about: "how long a tool call waits for you before it says pending; by default 45s, and \
                longer for clients that are known to allow it",
    },
    Key {
        name: "mcp-clients",
        variable: "ASKWELL_MCP_CLIENTS",
        default: "",
        about: "the same by what the client calls itself, such as codex-mcp-client=10m",
    },
    Key {
        name: "plain",
        variable: "ASKWELL_PLAIN",
        default: "",
        about: "questions by plain lines in place of a drawn dialog: true or false",
    },
    Key {
        name: "no-mouse",
        variable: "ASKWELL_NO_MOUSE",
        default: "",
        about: "the mouse is left to the terminal: true or false",
    },
];

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Flag,
    /// This variable.
    Environment(&'static str),
    /// The configuration file.
    File,
    /// Nothing set it.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("flag"),
            Self::Environment(variable) => write!(f, "environment, {variable}"),
            Self::File => f.write_str("file"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// The value that won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// The value; empty where nothing is set.
    pub value: String,
    /// Where it comes from.
    pub source: Source,
}

impl Setting {
    /// The value as it may be shown to whoever looks over a shoulder.
    pub fn shown(&self) -> String {
        notices::shown(self.name, &self.value)
    }
}

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    all: Vec<Setting>,
}

impl Settings {
    /// Reads the environment and the file; `flags` are what the command line says.
    ///
    /// # Errors
    /// A file that can't be read, or holds what is no setting.
    pub fn read(flags: &[(&'static str, Option<String>)]) -> Result<Self, Failure> {
        let file = read_file()?;
        let all = keys().map(|key| {
            let flag = flags.iter().find(|(name, _)| *name == key.name);
            setting(key, flag.and_then(|(_, value)| value.clone()), &file)
        });
        let settings = Self { all: all.collect() };
        settings.check()?;
        Ok(settings)
    }

    /// Every setting, in order.
    pub fn all(&self) -> &[Setting] {
        &self.all
    }

    /// The port that is asked for.
    pub fn port(&self) -> Result<Option<u16>, Failure> {
        self.parsed("port", "a port number from 0 to 65535")
    }

    /// The address that is asked for.
    pub fn bind(&self) -> Result<Option<IpAddr>, Failure> {
        self.parsed("bind", "an IP address such as 0.0.0.0")
    }

    /// The public address.
    pub fn public_url(&self) -> Result<Option<PublicUrl>, Failure> {
        self.parsed("public-url", "an address such as https://ask.example.com")
    }

    /// How long ended requests are kept.
    pub fn keep(&self) -> Result<Option<Duration>, Failure> {
        self.time("keep")
    }

    /// How long requests of askers that are away stay.
    pub fn grace(&self) -> Result<Option<Duration>, Failure> {
        self.time("grace")
    }

    /// How much is logged.
    pub fn log(&self) -> Result<Option<tracing::Level>, Failure> {
        self.parsed("log", "error, warn, info, debug or trace")
    }

    /// What the tools of agents are kept to.
    pub fn mcp(&self) -> Result<Options, Failure> {
        let clients: Option<Clients> =
            self.parsed("mcp-clients", "a list such as codex-mcp-client=10m, claude-code=1h")?;
        let clients = clients.unwrap_or_default().with_every(self.time("mcp-wait")?);
        let least = self.time("min-expiry")?;
        let min_expiry = least.map_or(limits::MIN_EXPIRY, |it| it.as_secs());
        let provider: Option<Provider> = self.parsed("provider", "auto, inbox or elicitation")?;
        let key = Place::of_this_user().map_or_else(askwell_mcp::Key::default, |place| {
            askwell_mcp::Key::new(move || place.mcp_key())
        });
        let (provider, lang) = (provider.unwrap_or_default(), Config::from_environment().lang);
        Ok(Options { clients, min_expiry, provider, lang, key })
    }

    /// Whether this one is on.
    pub fn switch(&self, name: &str) -> Result<bool, Failure> {
        let switch: Option<Switch> = self.parsed(name, "true or false")?;
        Ok(switch.is_some_and(|Switch(on)| on))
    }

    /// The length of time that this one is.
    pub fn time(&self, name: &str) -> Result<Option<Duration>, Failure> {
        let time: Option<Timeout> = self.parsed(name, "a length of time such as 12h or 30d")?;
        Ok(time.map(|time| Duration::from_secs(time.seconds)))
    }

    /// The value of this one, where it is set.
    pub fn parsed<T: FromStr>(&self, name: &str, expected: &str) -> Result<Option<T>, Failure> {
        let setting = self.all.iter().find(|setting| setting.name == name);
        let Some(setting) = setting.filter(|setting| !setting.value.is_empty()) else {
            return Ok(None);
        };
        setting.value.parse().map(Some).map_err(|_| {
            let Setting { name, source, .. } = setting;
            let value = setting.shown();
            Failure::usage(format!("{name} is {value:?}, which is not {expected}"))
                .hint(format!("it comes from: {source}"))
        })
    }

    fn check(&self) -> Result<(), Failure> {
        self.port()?;
        self.bind()?;
        self.public_url()?;
        self.keep()?;
        self.grace()?;
        self.log()?;
        self.mcp()?;
        self.switch("plain")?;
        self.switch("no-mouse")?;
        notices::check(self)
    }
}

/// The settings of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DialogSettings {
    /// Whether questions are asked by plain lines.
    pub plain: bool,
    /// Whether the mouse is left to the terminal.
    pub no_mouse: bool,
}

/// What is set for the dialog, by these flags, the environment and the file.
///
/// # Errors
/// A value that is neither on nor off.
pub fn dialog(plain: bool, no_mouse: bool) -> Result<DialogSettings, Failure> {
    let flag = |on: bool| on.then(|| "true".to_owned());
    let all = alone([("plain", flag(plain)), ("no-mouse", flag(no_mouse))]);
    Ok(DialogSettings { plain: all.switch("plain")?, no_mouse: all.switch("no-mouse")? })
}

/// What is set for the tools of an agent, by these flags, the environment and the file.
///
/// # Errors
/// A value that can't be read.
pub fn mcp(flags: [(&'static str, Option<String>); 4]) -> Result<Options, Failure> {
    alone(flags).mcp()
}

/// These settings by themselves, since they are wanted where no other is, and whatever is wrong with
/// those must not keep a question from being asked. The file is read where it decides anything, once.
fn alone<const N: usize>(flags: [(&'static str, Option<String>); N]) -> Settings {
    let file = LazyCell::new(|| read_file().unwrap_or_default());
    let all = flags.into_iter().filter_map(|(name, flag)| {
        let key = keys().find(|key| key.name == name)?;
        let said = setting(key, flag, &Table::new());
        Some(match said.source {
            Source::Default => setting(key, None, &file),
            _ => said,
        })
    });
    Settings { all: all.collect() }
}

/// Whether an inbox in a terminal rings its bell, by this flag, the environment and the file.
///
/// # Errors
/// A value that is neither on nor off.
pub fn bell(no_bell: bool) -> Result<bool, Failure> {
    alone([("notify.bell", no_bell.then(|| "false".to_owned()))]).switch("notify.bell")
}

/// The least time, in seconds, that what a model asks gives the person.
///
/// # Errors
/// A value that is no time.
pub fn min_expiry() -> Result<u64, Failure> {
    alone([("min-expiry", None)]).mcp().map(|options| options.min_expiry)
}

/// The value of a setting that won.
fn setting(key: &Key, flag: Option<String>, file: &Table) -> Setting {
    let variable = std::env::var(key.variable).ok().filter(|value| !value.is_empty());
    let in_file = in_file(file, key.name).map(text_of);
    let (value, source) = flag
        .map(|value| (value, Source::Flag))
        .or_else(|| variable.map(|value| (value, Source::Environment(key.variable))))
        .or_else(|| in_file.map(|value| (value, Source::File)))
        .unwrap_or_else(|| (key.default.to_owned(), Source::Default));
    Setting { name: key.name, value, source }
}

/// On or off, in the words that people use.
struct Switch(bool);

impl FromStr for Switch {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => Ok(Self(true)),
            "0" | "false" | "no" | "off" => Ok(Self(false)),
            _ => Err(()),
        }
    }
}

/// The port of a host where nothing chooses one.
pub const PORT: u16 = DEFAULT_PORT;

/// The configuration file, be it there or not.
pub fn file() -> Option<PathBuf> {
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.filter(|path| path.is_absolute()).or_else(|| {
        let home = std::env::home_dir().filter(|path| path.is_absolute())?;
        Some(home.join(".config"))
    })?;
    Some(config.join("askwell/config.toml"))
}

fn read_file() -> Result<Table, Failure> {
    let Some(path) = file() else { return Ok(Table::new()) };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Table::new()),
        Err(error) => {
            let message = format!("can't read {}: {error}", path.display());
            return Err(Failure::new(Exit::Failure, message));
        }
    };
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let fault = format!("line {line}: {}", error.message());
        Failure::usage(format!("{} is not valid TOML", path.display())).details([fault])
    })?;
    let known = |name: &String| keys().any(|key| key.name == name);
    let unknown = names_in(&table).find(|name| !known(name));
    match unknown {
        None => Ok(table),
        Some(name) => {
            let names: Vec<&str> = keys().map(|key| key.name).collect();
            Err(Failure::usage(format!("{} sets {name:?}, which is no setting", path.display()))
                .hint(format!("the settings are: {}", names.join(", "))))
        }
    }
}

/// The value with this name, in its table where it has one.
fn in_file<'t>(file: &'t Table, name: &str) -> Option<&'t Value> {
    match name.split_once('.') {
        None => file.get(name),
        Some((table, name)) => file.get(table)?.as_table()?.get(name),
    }
}

/// The names of what a file sets. A table is one setting, or has one under each of its names.
fn names_in(file: &Table) -> impl Iterator<Item = String> {
    file.iter().flat_map(|(name, value)| match value {
        Value::Table(table) if !keys().any(|key| key.name == name) => {
            table.keys().map(|inner| format!("{name}.{inner}")).collect()
        }
        _ => vec![name.clone()],
    })
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Array(words) if words.iter().all(Value::is_str) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            serde_json::json!(words).to_string()
        }
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Table(names) => {
            let entries = names.iter().map(|(name, value)| format!("{name}={}", text_of(value)));
            entries.collect::<Vec<_>>().join(", ")
        }
        // No setting is of another kind: its own error tells.
        other => format!("a TOML {}", other.type_str()),
    }
}
