//! What every call shares.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use askwell_host::Host;

use crate::body::Held;
use crate::guard::Names;
use crate::metrics::Metrics;
use crate::options::{Limits, Listen, ServeOptions};
use crate::rate::Rates;

/// A handle on what every call shares.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub host: Host,
    pub limits: Limits,
    pub names: Names,
    pub held: Held,
    pub rates: Rates,
    pub metrics: Metrics,
    pub instance: String,
    pub started: Instant,
    /// Cancelled when the host is asked to stop.
    pub shutdown: CancellationToken,
    /// The OpenAPI document, made when it is first asked for.
    pub document: OnceLock<Bytes>,
}

impl App {
    pub fn new(host: Host, options: &ServeOptions, shutdown: CancellationToken) -> Self {
        let limits = options.limits.clone();
        let bound = match options.listen {
            Listen::At(address) if !address.ip().is_unspecified() => Some(match address.ip() {
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            }),
            _ => None,
        };
        Self(Arc::new(Shared {
            host,
            names: Names::new(options.public_url.clone(), bound),
            held: Held::new(limits.held),
            rates: Rates::new(limits.rate, limits.burst),
            metrics: Metrics::default(),
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
