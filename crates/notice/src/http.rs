//! One post to a service, with a time limit, on a thread that nobody has to wait for.

use std::io;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::{Address, Failed};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);
/// How long one post may take in all.
const LIMIT: Duration = Duration::from_secs(10);

/// What is posted.
pub(crate) struct Post {
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

/// Posts it; what the service answers is not read, since it may be what was told.
pub(crate) async fn post(to: &Address, post: Post) -> Result<String, Failed> {
    let (told, heard) = oneshot::channel();
    let to = to.clone();
    // Not a thread of the runtime, which would wait for it when the host stops.
    let thread = thread::Builder::new().name("notice".into());
    let started = thread.spawn(move || told.send(post_blocking(&to, &post)));
    started.map_err(|error| Failed::for_now(format!("no thread: {error}")))?;
    heard.await.unwrap_or_else(|_| Err(Failed::for_good("the thread that posts it has ended")))
}

fn post_blocking(to: &Address, post: &Post) -> Result<String, Failed> {
    let mut request = agent().post(to.uri().clone());
    if to.is_here() {
        // The proxy of the environment would look for it on its own machine.
        request = request.config().proxy(None).build();
    }
    for (name, value) in &post.headers {
        request = request.header(*name, value);
    }
    let response = request.send(post.body.as_bytes()).map_err(|error| failed(&error))?;
    let status = response.status().as_u16();
    match status {
        200..=299 => Ok(format!("it answers {status}")),
        300..=399 => Err(Failed::for_good(format!("it answers {status}: it is somewhere else"))
            .hint("name the address where it leads, which is not followed")),
        401 | 403 => Err(Failed::for_good(format!("it answers {status}: it refuses us"))
            .hint("look at the token or the secret")),
        404 | 410 => Err(Failed::for_good(format!("it answers {status}: there is none such"))
            .hint("look at the address")),
        429 | 500..=599 => Err(Failed::for_now(format!("it answers {status}"))),
        _ => Err(Failed::for_good(format!("it answers {status}"))),
    }
}

/// The connections. Made when the first one is wanted, as the certificates are read.
fn agent() -> &'static Agent {
    static AGENT: OnceLock<Agent> = OnceLock::new();
    AGENT.get_or_init(|| {
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::PlatformVerifier)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        Agent::config_builder()
            .http_status_as_error(false)
            // A post that is led elsewhere becomes another one.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("askwell/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(LIMIT))
            // The next one comes when somebody asks: no connection is kept for it.
            .max_idle_connections(0)
            .tls_config(tls)
            .build()
            .into()
    })
}

fn failed(error: &ureq::Error) -> Failed {
    if let ureq::Error::Io(error) = error
        && let Some(tls) = error.get_ref().and_then(|it| it.downcast_ref::<rustls::Error>())
    {
        return Failed::for_good(format!("TLS: {tls}")).hint(match tls {
            rustls::Error::InvalidCertificate(_) => {
                "its certificate has to be one that this system trusts (ca-certificates)"
            }
            _ => "does it speak TLS on this port?",
        });
    }
    let why = error.to_string();
    match error {
        ureq::Error::HostNotFound => {
            Failed::for_now("there is no host of this name").hint("look at the address")
        }
        ureq::Error::ConnectionFailed
        | ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
            Failed::for_now(why)
        }
        ureq::Error::Io(error)
            if matches!(
                error.kind(),
                io::ErrorKind::ConnectionRefused
                    | io::ErrorKind::HostUnreachable
                    | io::ErrorKind::NetworkUnreachable
            ) =>
        {
            Failed::for_now(why).hint("nothing listens there, or it can't be reached from here")
        }
        // It may have been taken: a second try might tell it twice.
        _ => Failed::for_good(why),
    }
}
