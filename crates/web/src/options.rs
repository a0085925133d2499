//! How a host is served: where it listens, by which name it is reached, and every bound of the
//! transport in one table. The bounds of requests and answers are `askwell_core::limits`.

use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use axum::http::Uri;

use askwell_core::limits;

/// The port of a host where none is chosen. (The letters of "askw" on a telephone.)
pub const DEFAULT_PORT: u16 = 2759;

/// Where and how to serve.
#[derive(Debug, Clone, Default)]
pub struct ServeOptions {
    /// Where to listen.
    pub listen: Listen,
    /// The address by which others reach the host through a proxy or a network name.
    pub public_url: Option<PublicUrl>,
    /// What tells this run of a host from every other; `/healthz` says it.
    pub instance: String,
    /// The bounds.
    pub limits: Limits,
    /// What is set of the tools of agents.
    pub mcp: askwell_mcp::Options,
}

/// Where to listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listen {
    /// On this port of the loopback addresses; 0 lets the system choose one.
    Loopback(u16),
    /// On this address and no other, chosen by a person who wants to be reached from elsewhere.
    At(SocketAddr),
}

impl Default for Listen {
    fn default() -> Self {
        Self::Loopback(DEFAULT_PORT)
    }
}

/// The bounds of the transport. The defaults are meant to be met by no honest client.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections at once. One more is told so and closed.
    pub connections: usize,
    /// How long a request's head may take, and how long a connection may stay idle.
    pub head: Duration,
    /// How long a body may pause.
    pub body_pause: Duration,
    /// How long a body may take in all.
    pub body: Duration,
    /// How long a client may take nothing of what is written to it.
    pub write_pause: Duration,
    /// Once more than half of the connections wait for a head, how long each of them may go on.
    pub crowded_head: Duration,
    /// Bytes of large bodies that are held at once, as many on their way out as in. Askers have half
    /// of it and each of them half of that; persons have the other half.
    pub held: usize,
    /// Requests a second of one credential, in the long run.
    pub rate: u32,
    /// Requests of one credential at once, after a pause.
    pub burst: u32,
    /// The longest that one `GET /requests/{id}?wait=S` waits; more is cut to this.
    pub longest_wait: Duration,
    /// How often an event stream without events says that it is alive.
    pub keep_alive: Duration,
    /// How long a shutdown waits for what is under way. Streams and waits end at once.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            head: Duration::from_secs(30),
            crowded_head: Duration::from_secs(2),
            body_pause: Duration::from_secs(10),
            body: Duration::from_secs(60),
            write_pause: Duration::from_secs(30),
            held: 64 * 1024 * 1024,
            rate: 20_000,
            burst: 40_000,
            longest_wait: Duration::from_secs(60),
            keep_alive: Duration::from_secs(15),
            shutdown: Duration::from_secs(10),
        }
    }
}

/// Bytes of the body of a posted request: the bound of a request, and a little, so that one slightly
/// over it is told as every other fault.
pub(crate) const POSTED: usize = limits::REQUEST + 64 * 1024;
/// Bytes of an answer or a draft: every question with the longest text, escaped.
pub(crate) const ANSWERED: usize = 32 * 1024 * 1024;
/// Bytes of any other body: a comment, escaped.
pub(crate) const SMALL: usize = 256 * 1024;

/// The address by which others reach the host: `https://ask.example.com`, without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
    host: String,
}

impl PublicUrl {
    /// The address as an origin, without a slash at its end.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether it is reached over TLS.
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// The name alone.
    pub fn host(&self) -> &str {
        &self.host
    }
}

/// What is no public address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not an address such as https://ask.example.com (http or https, without a path)")]
pub struct BadPublicUrl;

impl FromStr for PublicUrl {
    type Err = BadPublicUrl;

    fn from_str(text: &str) -> Result<Self, BadPublicUrl> {
        let uri: Uri = text.parse().map_err(|_| BadPublicUrl)?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(BadPublicUrl);
        };
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(BadPublicUrl),
        };
        if authority.as_str().contains('@')
            || !matches!(uri.path(), "" | "/")
            || uri.query().is_some()
        {
            return Err(BadPublicUrl);
        }
        let host = authority.host().to_ascii_lowercase();
        // A browser leaves the usual port out of an origin.
        let origin = match authority.port_u16().filter(|port| *port != default_port) {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        };
        Ok(Self { origin, host })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("https://Ask.Example.com", Some(("https://ask.example.com", "ask.example.com")))]
    #[case("https://ask.example.com:443/", Some(("https://ask.example.com", "ask.example.com")))]
    #[case("http://ask.lan:2759", Some(("http://ask.lan:2759", "ask.lan")))]
    #[case("ask.example.com", None)]
    #[case("ftp://ask.example.com", None)]
    #[case("https://me@ask.example.com", None)]
    #[case("https://ask.example.com/path", None)]
    #[case("https://ask.example.com/?query", None)]
    #[case("", None)]
    fn a_public_address_is_an_origin(#[case] text: &str, #[case] parts: Option<(&str, &str)>) {
        let url = text.parse::<PublicUrl>().ok();

        assert_eq!(url.as_ref().map(|url| (url.origin(), url.host())), parts);
    }
}
