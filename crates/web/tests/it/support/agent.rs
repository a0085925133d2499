//! A caller in the same process. Every reply is held against the served document: a status or a media
//! type that it does not tell of fails the test that met it.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

/// Whoever calls.
#[derive(Clone)]
pub struct Agent {
    pub router: Router,
    pub token: Option<String>,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {:?}", self.status, self.text))
    }

    /// The document of a call that succeeded.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text);
        self.json()
    }

    /// Status and code of a call that failed, which has to be a problem document.
    #[track_caller]
    pub fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text);
        let problem = self.json();
        let code = problem["code"].as_str().expect("a problem has a code").to_owned();
        assert_eq!(problem["type"], format!("urn:askwell:problem:{code}"));
        assert_eq!(problem["status"], self.status.as_u16());
        assert!(!problem["detail"].as_str().unwrap().is_empty());
        assert!(!problem["title"].as_str().unwrap().is_empty());
        (self.status.as_u16(), code)
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Agent {
    pub fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header("host", "localhost:2759");
        match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let told = format!("{} {}", request.method(), request.uri());
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let reply = Reply { status: parts.status, headers: parts.headers, text };
        super::super::document::check(&method, &path, &reply, &told);
        reply
    }

    /// The head of a reply whose body has no end.
    pub async fn head_of(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, _) = response.into_parts();
        Reply { status: parts.status, headers: parts.headers, text: String::new() }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.post_text(path, body.to_string()).await
    }

    pub async fn post_text(&self, path: &str, body: impl Into<Body>) -> Reply {
        let request = self.request(Method::POST, path).header("content-type", "application/json");
        self.send(request.body(body.into()).unwrap()).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        let request = self.request(Method::PUT, path).header("content-type", "application/json");
        self.send(request.body(body.to_string().into()).unwrap()).await
    }

    /// Posts a request; its path.
    #[track_caller]
    pub fn ask(&self, request: &Value) -> impl Future<Output = String> + use<> {
        let (agent, request) = (self.clone(), request.clone());
        async move {
            let asked = agent.post("/api/v1/requests", &request).await.ok();
            format!("/api/v1/requests/{}", asked["id"].as_str().unwrap())
        }
    }

    /// How a request stands.
    pub async fn state(&self, path: &str) -> Value {
        self.get(path).await.ok()["state"].take()
    }
}
