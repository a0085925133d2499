//! What every call shares.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use askwell_core::wire::CredentialId;
use askwell_host::Host;
use askwell_mcp::Endpoint;

use crate::body::Held;
use crate::guard::Names;
use crate::metrics::Metrics;
use crate::options::{Limits, Listen, PublicUrl, ServeOptions};
use crate::rate::{Rates, Stranger};
use crate::session;

/// A handle on what every call shares.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub host: Host,
    pub limits: Limits,
    pub names: Names,
    pub held: Held,
    pub rates: Rates<CredentialId>,
    /// How often strangers may try a code.
    pub tries: Rates<Stranger>,
    /// The name of the cookie of a browser that is signed in.
    pub cookie: String,
    /// Where it listens.
    pub listen: Listen,
    pub public_url: Option<PublicUrl>,
    pub metrics: Metrics,
    /// The tools of agents.
    pub mcp: Endpoint,
    pub instance: String,
    pub started: Instant,
    /// Cancelled when the host is asked to stop.
    pub shutdown: CancellationToken,
    /// The OpenAPI document, made when it is first asked for.
    pub document: OnceLock<Bytes>,
}

impl App {
    pub fn new(host: Host, options: &ServeOptions, shutdown: CancellationToken) -> Self {
        let mcp = Endpoint::new(options.mcp.clone(), shutdown.child_token());
        Self::with(mcp, host, options, shutdown)
    }

    /// With other tools of agents than our own.
    pub fn with(
        mcp: Endpoint,
        host: Host,
        options: &ServeOptions,
        shutdown: CancellationToken,
    ) -> Self {
        let limits = options.limits.clone();
        let bound = match options.listen {
            Listen::At(address) => Some(address.ip()),
            Listen::Loopback(_) => None,
        };
        Self(Arc::new(Shared {
            names: Names::new(host.label(), options.public_url.clone(), bound),
            cookie: session::cookie_name(host.label()),
            listen: options.listen,
            public_url: options.public_url.clone(),
            tries: Rates::of_strangers(),
            host,
            held: Held::new(limits.held),
            rates: Rates::new(limits.rate, limits.burst),
            metrics: Metrics::default(),
            mcp,
            instance: options.instance.clone(),
            started: Instant::now(),
            shutdown,
            document: OnceLock::new(),
            limits,
        }))
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
