//! Bodies sent to a host, to every call that takes one and to its forms. The first byte chooses the
//! call. A host never fails of what it is sent, and replies under `/api` are JSON.

#![no_main]

use std::cell::RefCell;
use std::sync::Arc;

use askwell_core::wire::{NewCredential, Role};
use askwell_host::{Caller, Config, Host, SystemClock};
use askwell_store::SqliteStore;
use askwell_web::{Limits, Listen, ServeOptions};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// What is kept grows: after so many bodies a new host takes over.
const BODIES: usize = 2_000;
const REQUEST: &str = include_str!("dialog.json");
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// Each call: its method, its path below the API or `form`, and who may.
const CALLS: [(Method, &str, Role); 9] = [
    (Method::POST, "requests", Role::Asker),
    (Method::POST, "requests/{id}/answer", Role::Answerer),
    (Method::PUT, "requests/{id}/draft", Role::Answerer),
    (Method::POST, "requests/{id}/cancel", Role::Answerer),
    (Method::POST, "requests/{id}/abort", Role::Asker),
    (Method::POST, "sign-in", Role::Answerer),
    (Method::POST, "credentials", Role::Admin),
    (Method::POST, "purge", Role::Admin),
    (Method::POST, "form", Role::Answerer),
];

thread_local! {
    static SERVED: RefCell<Option<(Served, usize)>> = const { RefCell::new(None) };
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, body)) = bytes.split_first() else { return };
    SERVED.with_borrow_mut(|served| {
        let (host, count) = served.get_or_insert_with(|| (Served::new(), 0));
        host.send(&CALLS[usize::from(*first) % CALLS.len()], body);
        *count += 1;
        if *count == BODIES {
            *served = None;
        }
    });
});

struct Served {
    runtime: Runtime,
    router: Router,
    tokens: Vec<(Role, String)>,
    /// The host's own name, the cookie of a browser that is signed in, and the token of its forms.
    name: String,
    cookie: String,
    form: String,
    /// A request that waits.
    id: String,
    _folder: TempDir,
}

impl Served {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let runtime = Runtime::new().unwrap();
        let (host, router, tokens) = runtime.block_on(async {
            let store = SqliteStore::open(&folder.path().join("askwell.db")).unwrap();
            let clock = Arc::new(SystemClock);
            let host = Host::start(Arc::new(store), clock, Config::default()).unwrap();
            let options = ServeOptions {
                listen: Listen::Loopback(0),
                public_url: None,
                instance: "fuzz".to_owned(),
                limits: Limits::default(),
                ..ServeOptions::default()
            };
            let router = askwell_web::router(host.clone(), &options);
            let mut tokens = Vec::new();
            for role in [Role::Asker, Role::Answerer, Role::Admin] {
                let new = NewCredential { role, name: "fuzz".to_owned(), person: None };
                let made = host.create_credential(&Caller::owner(), new).await.unwrap();
                tokens.push((role, made.1));
            }
            (host, router, tokens)
        });
        let name = format!("{}.localhost:2759", host.label());
        let (cookie, form, id) = (String::new(), String::new(), String::new());
        let mut served = Self { runtime, router, tokens, name, cookie, form, id, _folder: folder };
        served.sign_in();
        served.ask();
        served
    }

    fn sign_in(&mut self) {
        let made = self.call(&Method::POST, "/api/v1/sign-in", Role::Answerer, b"{}");
        let made: Value = serde_json::from_str(&made.1).unwrap();
        let (_, code) = made["url"].as_str().unwrap().split_once("code=").unwrap();
        let (path, body) = (format!("/sign-in?code={code}"), format!("code={code}"));
        let request = self.page(Method::POST, &path).header(header::CONTENT_TYPE, FORM);
        let response = self.runtime.block_on(async {
            self.router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap()
        });
        let cookies = response.headers().get_all(header::SET_COOKIE).iter();
        let cookies = cookies.map(|it| it.to_str().unwrap().split(';').next().unwrap());
        self.cookie = cookies.collect::<Vec<_>>().join("; ");
    }

    fn ask(&mut self) {
        let asked = self.call(&Method::POST, "/api/v1/requests", Role::Asker, REQUEST.as_bytes());
        let asked: Value = serde_json::from_str(&asked.1).unwrap();
        self.id = asked["id"].as_str().unwrap().to_owned();
        let request = self.page(Method::GET, &format!("/r/{}", self.id));
        let (_, page) = self.send_request(request.body(Body::empty()).unwrap());
        let (_, token) =
            page.split_once("name=\"token\" value=\"").unwrap_or_else(|| panic!("{page}"));
        self.form = token.split('"').next().unwrap().to_owned();
    }

    fn send(&mut self, (method, path, role): &(Method, &str, Role), body: &[u8]) {
        let (status, reply) = if *path == "form" {
            let request = self.page(Method::POST, &format!("/r/{}", self.id));
            let request = request.header(header::CONTENT_TYPE, FORM);
            let body = [format!("token={}&", self.form).as_bytes(), body].concat();
            self.send_request(request.body(body.into()).unwrap())
        } else {
            let path = format!("/api/v1/{}", path.replace("{id}", &self.id));
            let (status, reply) = self.call(method, &path, *role, body);
            if status != StatusCode::NO_CONTENT {
                serde_json::from_str::<Value>(&reply)
                    .unwrap_or_else(|error| panic!("{error}: {reply}"));
            }
            (status, reply)
        };
        let told =
            status < StatusCode::INTERNAL_SERVER_ERROR || status == StatusCode::SERVICE_UNAVAILABLE;
        assert!(told, "{status}: {reply}");
        // The next body finds one that waits.
        let path = format!("/api/v1/requests/{}", self.id);
        let (_, state) = self.call(&Method::GET, &path, Role::Asker, b"");
        if !state.contains(r#""state":"pending""#) {
            self.ask();
        }
    }

    fn call(&self, method: &Method, path: &str, role: Role, body: &[u8]) -> (StatusCode, String) {
        let (_, token) = self.tokens.iter().find(|(own, _)| *own == role).unwrap();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost:2759")
            .header(header::CONTENT_TYPE, JSON)
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        self.send_request(request.body(body.to_vec().into()).unwrap())
    }

    fn page(&self, method: Method, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.name)
            .header(header::ORIGIN, format!("http://{}", self.name))
            .header(header::COOKIE, &self.cookie)
    }

    fn send_request(&self, request: Request<Body>) -> (StatusCode, String) {
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let status = response.status();
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            (status, String::from_utf8(bytes.to_vec()).unwrap())
        })
    }
}
