//! A browser without a screen: it keeps cookies, and says which page a form is from.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use super::Reply;

/// A browser.
#[derive(Clone)]
pub struct Browser {
    router: Router,
    /// The host's name and port, as in the address of its pages.
    pub name: String,
    pub cookies: BTreeMap<String, String>,
    /// What it calls itself.
    pub agent: String,
    /// The `Origin` of what it posts; its own page where nothing is said.
    pub origin: Option<String>,
}

impl Browser {
    pub fn new(router: &Router, name: &str) -> Self {
        let agent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36".to_owned();
        let (router, cookies) = (router.clone(), BTreeMap::new());
        Self { router, name: name.to_owned(), cookies, agent, origin: None }
    }

    /// Its page as an origin.
    pub fn own_origin(&self) -> String {
        format!("http://{}", self.name)
    }

    /// The value of its cookie header.
    pub fn cookie_header(&self) -> String {
        let pairs: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    pub async fn get(&mut self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    /// Posts a form of a page of the host.
    pub async fn post<T: AsRef<str>>(&mut self, path: &str, fields: &[(T, T)]) -> Reply {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields.iter().map(|(name, value)| (name, value)));
        let origin = self.origin.clone().unwrap_or_else(|| self.own_origin());
        let request = self
            .request(Method::POST, path)
            .header("origin", origin)
            .header("content-type", "application/x-www-form-urlencoded");
        self.send(request.body(form.finish().into()).unwrap()).await
    }

    /// A request with its cookies.
    pub fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("host", &self.name);
        let request = request.header("user-agent", &self.agent);
        match self.cookies.is_empty() {
            true => request,
            false => request.header("cookie", self.cookie_header()),
        }
    }

    pub async fn send(&mut self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        self.keep_cookies(&parts.headers);
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Reply { status: parts.status, headers: parts.headers, text }
    }

    fn keep_cookies(&mut self, headers: &HeaderMap) {
        for set in headers.get_all("set-cookie") {
            let set = set.to_str().unwrap();
            let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
            match set.contains("Max-Age=0") {
                true => self.cookies.remove(name),
                false => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
    }
}

impl Reply {
    /// The value of a hidden field of the page.
    #[track_caller]
    pub fn hidden(&self, name: &str) -> String {
        let start = format!("<input type=\"hidden\" name=\"{name}\" value=\"");
        let (_, rest) = self.text.split_once(&start).unwrap_or_else(|| panic!("{}", self.text));
        rest.split('"').next().unwrap().to_owned()
    }
}
