//! `askwell serve`: the host, in the foreground until somebody stops it.
//!
//! Invariants: one host a state folder, from before the store is opened until after it is closed;
//! it says where it is only once it listens.

mod credentials;
mod idle;
mod telling;

use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use askwell::inbox::{Discovery, HostLock, Place};
use askwell_host::{Caller, Config, Host, SystemClock};
use askwell_store::{SqliteStore, StoreError};
use askwell_web::{Listen, Listeners, ServeError, ServeOptions};
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::timeout::Timeout;
use crate::hosts;
use crate::report::{self, Exit, Failure};
use crate::settings::{PORT, Settings};
use telling::Telling;

/// Run the host: it keeps requests and drafts, and serves whoever asks and whoever answers
///
/// Runs until Ctrl-C or SIGTERM, which write no outcome: what waits still waits when it runs again.
/// Other commands start one in the background where none runs; that one leaves by itself after half
/// an hour without use.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell serve
  askwell serve --port 8080 --keep 30d
  askwell serve --bind 0.0.0.0 --public-url https://ask.example.com

Every flag is also a setting: see askwell config show.")]
pub struct Arguments {
    /// Listen on this port; 0 takes any [default: the one of the last time, or 2759]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,

    /// Listen on this address, to be reached from elsewhere [default: loopback]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,

    /// The address by which others reach it, through a proxy or a network name
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,

    /// Forget requests that ended longer ago than this [default: never]
    #[arg(long, value_name = "TIME")]
    keep: Option<String>,

    /// How long a request whose asker is away stays answerable [default: 24h]
    #[arg(long, value_name = "TIME")]
    grace: Option<String>,

    /// How much to log on standard error: error, warn, info, debug, trace [default: info]
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,

    #[command(flatten)]
    telling: TellingArguments,

    /// Started by another command
    #[arg(long, hide = true)]
    background: bool,

    /// Leave after this time without use
    #[arg(long, value_name = "TIME", hide = true)]
    idle: Option<Timeout>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Telling that a request waits which nobody watches, or has ended")]
struct TellingArguments {
    /// By a notification of the desktop: true, false, or auto [default: auto]
    #[arg(long, value_name = "WHEN")]
    notify_desktop: Option<String>,

    /// By running this program with its arguments; no shell reads it
    #[arg(long, value_name = "COMMAND")]
    notify_command: Option<String>,

    /// By a signed post to this address
    #[arg(long, value_name = "URL")]
    notify_webhook: Option<String>,

    /// By this topic of ntfy, such as https://ntfy.sh/TOPIC
    #[arg(long, value_name = "URL")]
    notify_ntfy: Option<String>,

    /// With the text of the question
    #[arg(long)]
    notify_text: bool,

    /// After it has waited so long [default: 2s]
    #[arg(long, value_name = "TIME")]
    notify_delay: Option<String>,

    /// Run this program with its arguments when a request has ended
    #[arg(long, value_name = "COMMAND")]
    on_outcome: Option<String>,

    /// Make a signed post to this address when a request has ended
    #[arg(long, value_name = "URL")]
    outcome_webhook: Option<String>,

    /// How long the program of --on-outcome may take [default: 10m]
    #[arg(long, value_name = "TIME")]
    outcome_time_limit: Option<String>,
}

impl TellingArguments {
    /// Which setting each of them is.
    fn into_settings(self) -> [(&'static str, Option<String>); 9] {
        [
            ("notify.desktop", self.notify_desktop),
            ("notify.command", self.notify_command),
            ("notify.webhook", self.notify_webhook),
            ("notify.ntfy", self.notify_ntfy),
            ("notify.text", self.notify_text.then(|| "true".to_owned())),
            ("notify.delay", self.notify_delay),
            ("outcome.command", self.on_outcome),
            ("outcome.webhook", self.outcome_webhook),
            ("outcome.time-limit", self.outcome_time_limit),
        ]
    }
}

/// How long a host in the background stays without use.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How often what is too old is forgotten.
const PURGE: Duration = Duration::from_secs(3_600);

/// Serves.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    if arguments.background {
        // A session of its own: what ends the terminal of whoever started it does not end it. It
        // fails only for who leads one already.
        let _ = rustix::process::setsid();
    }
    let mut flags = vec![
        ("port", arguments.port),
        ("bind", arguments.bind),
        ("public-url", arguments.public_url),
        ("keep", arguments.keep),
        ("grace", arguments.grace),
        ("log", arguments.log),
    ];
    flags.extend(arguments.telling.into_settings());
    let settings = Settings::read(&flags)?;
    let place = hosts::place()?;
    let lock = HostLock::acquire(&place).map_err(|error| {
        Failure::new(Exit::Failure, format!("can't use {}: {error}", place.folder().display()))
    })?;
    let Some(lock) = lock else { return Err(runs_already(&place)) };
    if let Some(host) = Discovery::told(&place).filter(Discovery::runs_without_lock) {
        // Somebody has removed the file of its lock.
        return Err(Failure::new(Exit::Failure, format!("a host runs already, at {}", host.url))
            .hint(format!("its lock was removed; end it with: kill {}", host.pid)));
    }
    Discovery::clear(&place);
    report::log(settings.log()?.unwrap_or(tracing::Level::INFO));
    let idle = arguments.idle.map(|idle| Duration::from_secs(idle.seconds));
    let idle = arguments.background.then_some(idle.unwrap_or(IDLE));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("host")
        .build()
        .map_err(|error| Failure::new(Exit::Failure, format!("no threads: {error}")))?;
    let served = runtime.block_on(serve(&place, &settings, idle));
    runtime.shutdown_timeout(Duration::from_secs(5));
    drop(lock);
    served.map(|()| Exit::Success)
}

async fn serve(place: &Place, settings: &Settings, idle: Option<Duration>) -> Result<(), Failure> {
    let shutdown = CancellationToken::new();
    stop_by_signals(&shutdown)?;
    outlive_full_files()?;
    let store = SqliteStore::open(&place.database()).map_err(|error| no_store(&error))?;
    let grace = settings.grace()?.unwrap_or(Config::default().grace);
    let config = Config { grace, ..Config::default() };
    let host = Host::start(Arc::new(store), Arc::new(SystemClock), config)
        .map_err(|error| Failure::new(Exit::Failure, error.to_string()))?;
    let served = listen(place, settings, &host, idle, shutdown).await;
    // In every case: what was accepted is on disk by then.
    host.shutdown().await;
    served
}

async fn listen(
    place: &Place,
    settings: &Settings,
    host: &Host,
    idle: Option<Duration>,
    shutdown: CancellationToken,
) -> Result<(), Failure> {
    let telling = Telling::new(settings, place)?;
    credentials::keep_local(host, place).await?;
    let instance = Discovery::draw_instance()
        .map_err(|error| Failure::new(Exit::Failure, format!("no random numbers: {error}")))?;
    let mut options = ServeOptions {
        public_url: settings.public_url()?,
        instance: instance.clone(),
        mcp: settings.mcp()?,
        ..ServeOptions::default()
    };
    let listeners = bind(place, settings, &mut options)?;
    let discovery = Discovery {
        pid: std::process::id(),
        url: listeners.base_url(),
        port: listeners.address().port(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        api_version: askwell::inbox::API_VERSION,
        instance,
        started_at: hosts::now(),
        background: idle.is_some(),
        flags: own_flags(),
    };
    discovery.write(place).map_err(|error| {
        Failure::new(Exit::Failure, format!("can't write {}: {error}", place.discovery().display()))
    })?;
    tell(&listeners, host, place, settings, idle.is_some())?;
    // Before anybody is served: what is told is told with a link, and nothing is asked before.
    host.set_page_base(listeners.page_url(host.label()));
    telling.start(host)?;
    if let Some(keep) = settings.keep()? {
        tokio::spawn(purge_now_and_then(host.clone(), keep));
    }
    if let Some(idle) = idle {
        tokio::spawn(idle::leave_when_unused(host.clone(), idle, shutdown.clone()));
    }
    let served = askwell_web::serve_on(listeners, host.clone(), options, shutdown).await;
    discovery.remove(place);
    served.map_err(|error| Failure::new(Exit::Failure, error.to_string()))
}

/// What this host was told on its command line.
fn own_flags() -> Vec<String> {
    let words = std::env::args_os().skip_while(|word| word != "serve").skip(1);
    let words = words.filter_map(|word| word.into_string().ok());
    words.filter(|word| word != "--background").collect()
}

/// Takes hold of the port that is asked for; else of the last one, the usual one, or any.
fn bind(
    place: &Place,
    settings: &Settings,
    options: &mut ServeOptions,
) -> Result<Listeners, Failure> {
    let at = settings.bind()?;
    let mut bind = |port| {
        options.listen = listen_at(at, port);
        askwell_web::bind(options)
    };
    if let Some(port) = settings.port()? {
        return bind(port).map_err(|error| not_bound(&error));
    }
    let last = Discovery::last_port(place);
    for port in last.into_iter().chain([PORT]) {
        match bind(port) {
            Err(error) if error.is_taken() => {}
            bound => return bound.map_err(|error| not_bound(&error)),
        }
    }
    bind(0).map_err(|error| not_bound(&error))
}

fn listen_at(at: Option<IpAddr>, port: u16) -> Listen {
    match at {
        Some(address) => Listen::At(SocketAddr::new(address, port)),
        None => Listen::Loopback(port),
    }
}

fn tell(
    listeners: &Listeners,
    host: &Host,
    place: &Place,
    settings: &Settings,
    background: bool,
) -> Result<(), Failure> {
    let address = listeners.address();
    report::note(&match address.ip().is_unspecified() {
        true => format!("the host listens on {address}: on every address of this machine"),
        false => format!("the host listens on {}", listeners.base_url()),
    });
    if background {
        return Ok(());
    }
    let page = listeners.page_url(host.label());
    if settings.public_url()?.is_some() {
        report::note(&format!("others reach it at {page}"));
    }
    if !address.ip().is_loopback() {
        let from_there = match address.ip().is_unspecified() {
            true => askwell_web::address_of_this_machine(),
            false => Some(address.ip()),
        };
        let from_there = from_there.map(|ip| SocketAddr::new(ip, address.port()));
        let at = from_there.map(|at| format!(" at http://{at}")).unwrap_or_default();
        report::note(&format!(
            "others on the network reach it{at}, without TLS: they can read what is asked and \
             answered, unless a proxy with TLS is all that they reach"
        ));
    }
    // A link in a log would be one for whoever reads it.
    if std::io::stderr().is_terminal()
        && let Some(code) = credentials::sign_in(host, place)
    {
        report::note(&format!(
            "sign a browser in, once, within ten minutes: {page}/sign-in?code={code}"
        ));
    }
    let waits = match host.stats().pending {
        0 => "nothing waits".to_owned(),
        1 => "1 request waits".to_owned(),
        count => format!("{count} requests wait"),
    };
    report::note(&format!("{waits}; in a browser: askwell open; in a terminal: askwell list"));
    report::note("Ctrl-C stops it; what waits is kept");
    Ok(())
}

/// A file that may not grow is a failure of that write and not the end of the host.
fn outlive_full_files() -> Result<(), Failure> {
    let limit = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    signal(limit).map(drop).map_err(no_signals)
}

fn stop_by_signals(shutdown: &CancellationToken) -> Result<(), Failure> {
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        let mut signals = signal(kind).map_err(no_signals)?;
        let shutdown = shutdown.clone();
        tokio::spawn(async move {
            signals.recv().await;
            shutdown.cancel();
        });
    }
    Ok(())
}

fn no_signals(error: std::io::Error) -> Failure {
    Failure::new(Exit::Failure, format!("signals can't be caught: {error}"))
}

async fn purge_now_and_then(host: Host, keep: Duration) {
    loop {
        match host.purge(&Caller::owner(), keep).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "forgot requests that ended long ago"),
            Err(error) => tracing::warn!(%error, "nothing could be forgotten"),
        }
        tokio::time::sleep(PURGE).await;
    }
}

fn runs_already(place: &Place) -> Failure {
    let failure = match Discovery::read(place) {
        Ok(Some(host)) => {
            Failure::new(Exit::Failure, format!("a host runs already, at {}", host.url))
        }
        _ => Failure::new(Exit::Failure, "a host is starting already"),
    };
    failure.hint("stop it with: askwell stop")
}

fn not_bound(error: &ServeError) -> Failure {
    let failure = Failure::new(Exit::Failure, error.to_string());
    match error.is_taken() {
        true => failure.hint("choose another port with --port; 0 takes any"),
        false => failure,
    }
}

fn no_store(error: &StoreError) -> Failure {
    match error {
        StoreError::Newer { .. } => Failure::new(Exit::Failure, format!("HOST_VERSION: {error}"))
            .hint("use the askwell that has written it, or a newer one"),
        StoreError::Unavailable { message, hint } => {
            Failure::new(Exit::Failure, format!("STORE_UNAVAILABLE: {message}")).hint(hint)
        }
        other => Failure::new(Exit::Failure, format!("STORE_UNAVAILABLE: {other}")),
    }
}
