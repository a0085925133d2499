//! The address of a service that is told by HTTP.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ureq::http::Uri;

/// An `http` or `https` address. It may be a secret as a whole (whoever knows it can post there), so
/// that only its origin is ever shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(Uri);

/// What is no such address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadAddress;

impl Address {
    /// The whole address.
    pub(crate) fn uri(&self) -> &Uri {
        &self.0
    }

    /// Whether what is sent there can be read on the way: no TLS, and not on this machine.
    pub fn is_open(&self) -> bool {
        self.0.scheme_str() == Some("http") && !self.is_here()
    }

    /// Whether it is on this machine.
    pub(crate) fn is_here(&self) -> bool {
        let host = self.0.host().unwrap_or_default();
        let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
        host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
    }

    fn origin(&self) -> String {
        let authority = self.0.authority().map_or("", |it| it.as_str());
        format!("{}://{authority}", self.0.scheme_str().unwrap_or_default())
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let uri: Uri = text.parse().map_err(|_| BadAddress)?;
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().ok_or(BadAddress)?;
        // A password belongs into the setting that is never shown.
        match has_scheme && !authority.host().is_empty() && !authority.as_str().contains('@') {
            true => Ok(Self(uri)),
            false => Err(BadAddress),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = if self.0.path() == "/" { "/" } else { "/…" };
        write!(f, "{}{rest}", self.origin())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("https://hooks.example.com/T0/secret?key=k", Some(("https://hooks.example.com/…", false)))]
    #[case("http://127.0.0.1:8080/", Some(("http://127.0.0.1:8080/", false)))]
    #[case("http://[::1]:8080/x", Some(("http://[::1]:8080/…", false)))]
    #[case("http://box.lan/x", Some(("http://box.lan/…", true)))]
    #[case("ftp://example.com/x", None)]
    #[case("https://me:secret@example.com/x", None)]
    #[case("example.com/x", None)]
    #[case("/x", None)]
    #[case("", None)]
    fn only_its_origin_is_shown(#[case] text: &str, #[case] expected: Option<(&str, bool)>) {
        let address = text.parse::<Address>().ok();

        let shown = address.as_ref().map(|it| (it.to_string(), it.is_open()));
        assert_eq!(shown, expected.map(|(shown, open)| (shown.to_owned(), open)));
    }
}
