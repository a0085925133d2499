//! What is checked before anything else, whatever the route: the name by which the host was
//! called and the page that called it; and the headers that every response carries.
//!
//! Invariant: a page of another site can neither read nor change anything, also where its name was
//! made to point at this machine.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Uri, header};

use crate::failure::Failure;
use crate::options::PublicUrl;
use crate::pages::opener;

/// The names by which the host may be called.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// That of the pages, before `.localhost`.
    label: String,
    public: Option<PublicUrl>,
    bound: Option<IpAddr>,
}

impl Names {
    /// `bound` is the address that was chosen to listen on.
    pub fn new(label: &str, public: Option<PublicUrl>, bound: Option<IpAddr>) -> Self {
        Self { label: label.to_owned(), public, bound }
    }

    /// Refuses a request that calls the host by a foreign name, or that a foreign page sent.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let host = self.host(uri, headers)?;
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Ok(()),
            (Some(origin), None) if self.is_own(origin, &host) => Ok(()),
            _ => Err(Failure::forbidden("the page that sent this is not one of this host")),
        }
    }

    /// Whether the browser that sent these headers reaches the host over TLS, by a proxy.
    pub fn is_over_tls(&self, headers: &HeaderMap) -> bool {
        self.public.as_ref().is_some_and(|public| {
            let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
            let is_from_there = origin == Some(public.origin().as_bytes());
            public.is_https() && (self.is_public(headers) || is_from_there)
        })
    }

    /// Whether the host is called by its public name.
    pub fn is_public(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).map(HeaderValue::as_bytes).unwrap_or_default();
        let host = Authority::try_from(host).ok();
        let public = self.public.as_ref().map(PublicUrl::host);
        host.zip(public).is_some_and(|(host, public)| host.host().eq_ignore_ascii_case(public))
    }

    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<Authority, Failure> {
        let refused = || {
            Failure::forbidden("the Host header does not name this host").with_hint(
                "Call it by a loopback name, or configure the public address by which it is called.",
            )
        };
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(refused());
        };
        let host = Authority::try_from(host.as_bytes()).map_err(|_| refused())?;
        let same = uri.authority().is_none_or(|named| named == &host);
        if !same || host.as_str().contains('@') || !self.is_name(host.host()) {
            return Err(refused());
        }
        Ok(host)
    }

    fn is_name(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix('.').unwrap_or(&name);
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
            || name.strip_suffix(".localhost") == Some(&self.label)
            || self.public.as_ref().is_some_and(|public| public.host() == name)
            || self.is_bound(name)
    }

    /// Whether this is the address that was chosen to listen on; any, where that is every one of the
    /// machine: an address, unlike a name, can't be made to point here by somebody else.
    fn is_bound(&self, name: &str) -> bool {
        let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address: Option<IpAddr> = bracketed.unwrap_or(name).parse().ok();
        address.zip(self.bound).is_some_and(|(it, bound)| bound.is_unspecified() || it == bound)
    }

    fn is_own(&self, origin: &HeaderValue, host: &Authority) -> bool {
        let Ok(origin) = origin.to_str() else { return false };
        let plain = origin.strip_prefix("http://");
        plain.is_some_and(|origin| origin.eq_ignore_ascii_case(host.as_str()))
            || self.public.as_ref().is_some_and(|public| public.origin() == origin)
    }
}

/// Headers of every response. Whatever a response holds, no page may frame it or guess its type, and
/// nobody may keep it or the window that it is opened in but where it says so itself.
pub(crate) fn secure(headers: &mut HeaderMap) {
    for (name, value) in
        [(header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::X_FRAME_OPTIONS, "DENY")]
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (opener::POLICY, opener::APART),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn check(host: &str, origin: Option<&str>) -> bool {
        let public = "https://ask.example.com".parse().unwrap();
        let names = Names::new("abc123", Some(public), Some([192, 0, 2, 7].into()));
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        names.check(&Uri::from_static("/"), &headers).is_ok()
    }

    #[rstest]
    #[case("localhost:2759", true)]
    #[case("LOCALHOST", true)]
    #[case("127.0.0.1:2759", true)]
    #[case("[::1]:2759", true)]
    #[case("abc123.localhost:2759", true)]
    #[case("ask.example.com", true)]
    #[case("192.0.2.7:2759", true)]
    #[case("abc12.localhost:2759", false)]
    #[case("x.abc123.localhost", false)]
    #[case(".localhost", false)]
    #[case("evil.example", false)]
    #[case("localhost.evil.example", false)]
    #[case("evillocalhost", false)]
    #[case("127.0.0.1.evil.example", false)]
    #[case("localhost@evil.example", false)]
    #[case("192.0.2.8", false)]
    #[case("", false)]
    fn a_host_is_called_by_its_own_names_only(#[case] host: &str, #[case] allowed: bool) {
        assert_eq!(check(host, None), allowed);
    }

    #[rstest]
    #[case("localhost:2759", "http://localhost:2759", true)]
    #[case("abc123.localhost:2759", "http://abc123.localhost:2759", true)]
    #[case("127.0.0.1:2759", "https://ask.example.com", true)]
    #[case("localhost:2759", "http://localhost:8000", false)]
    #[case("localhost:2759", "http://127.0.0.1:2759", false)]
    #[case("localhost:2759", "https://localhost:2759", false)]
    #[case("localhost:2759", "https://evil.example", false)]
    #[case("localhost:2759", "null", false)]
    #[case("localhost:2759", "", false)]
    fn a_page_is_of_this_host_only_by_its_whole_origin(
        #[case] host: &str,
        #[case] origin: &str,
        #[case] allowed: bool,
    ) {
        assert_eq!(check(host, Some(origin)), allowed);
    }

    #[test]
    fn two_answers_to_one_question_are_none() {
        let names = Names::new("abc123", None, None);
        for name in [header::HOST, header::ORIGIN] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "localhost".parse().unwrap());
            headers.insert(header::ORIGIN, "http://localhost".parse().unwrap());
            assert!(names.check(&Uri::from_static("/"), &headers).is_ok());

            let same = headers[&name].clone();
            headers.append(name, same);

            assert!(names.check(&Uri::from_static("/"), &headers).is_err());
        }
        let foreign = Uri::from_static("http://evil.example/");
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "localhost".parse().unwrap());
        assert!(names.check(&foreign, &headers).is_err());
    }
}
