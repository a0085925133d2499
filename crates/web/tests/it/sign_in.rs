//! Links that sign a browser in, as people and as whoever would like to be one meet them.

use std::sync::Arc;
use std::time::Duration;

use askwell_host::ManualClock;
use askwell_web::Limits;
use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use crate::support::{Raw, Served, TestHost, head, r1};

#[tokio::test]
async fn a_link_signs_a_browser_in_and_leads_where_it_was_made_for() {
    let host = TestHost::new().await;
    let link = host.link(&json!({"next": "/r/x?view=question"})).await;
    let mut browser = host.browser();

    let page = browser.get(&link.path).await;
    assert_eq!(page.status, 200);
    assert!(
        page.words().contains("as\nanswerer") && page.text.contains("Sign in"),
        "{}",
        page.text
    );
    assert_eq!(page.hidden("code"), link.code);
    assert_eq!(page.header("referrer-policy"), "same-origin");
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(browser.cookies.is_empty());

    let reply = browser.post("/sign-in", &[("code", &link.code)]).await;

    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/r/x?view=question"));
    let name = format!("askwell_{}", host.host.label());
    let secret = browser.cookies[&name].clone();
    let expected = format!("{name}={secret}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    assert_eq!(reply.header("set-cookie"), expected);
    assert_eq!(secret.len(), "askwell_".len() + 64);
    let devices = browser.get("/devices").await;
    assert_eq!(devices.status, 200);
    assert!(devices.text.contains("Chrome on Linux"), "{}", devices.text);
    // Neither page tells the secret.
    assert!(!devices.text.contains(&secret) && !reply.text.contains(&secret));
}

#[tokio::test]
async fn looking_at_a_link_uses_nothing_up_and_using_it_uses_it_up() {
    let host = TestHost::new().await;
    let link = host.link(&json!({})).await;
    let mut browser = host.browser();
    for method in [Method::GET, Method::HEAD, Method::GET] {
        let request = browser.request(method, &link.path).body(Body::empty()).unwrap();
        assert_eq!(browser.send(request).await.status, 200);
    }
    let in_the_address = browser.post::<&str>(&link.path, &[]).await;
    assert_eq!(in_the_address.status, 410);

    assert_eq!(browser.post("/sign-in", &[("code", &link.code)]).await.status, 303);

    let mut other = host.browser();
    for reply in
        [other.get(&link.path).await, other.post("/sign-in", &[("code", &link.code)]).await]
    {
        assert_eq!(reply.status, 410);
        assert!(reply.text.contains("used already") && reply.text.contains("askwell open"));
    }
    assert!(other.cookies.is_empty());
}

#[tokio::test]
async fn a_link_works_for_ten_minutes() {
    let clock = Arc::new(ManualClock::new(1_790_000_000_000));
    let host = TestHost::by(Arc::clone(&clock) as _, Limits::default()).await;
    let (first, second) = (host.link(&json!({})).await, host.link(&json!({})).await);
    assert_eq!(first.made["expiresAt"], 1_790_000_600_000_i64);

    clock.advance(Duration::from_secs(599));
    let mut browser = host.browser();
    assert_eq!(browser.post("/sign-in", &[("code", &first.code)]).await.status, 303);
    clock.advance(Duration::from_secs(1));

    let mut late = host.browser();
    for reply in
        [late.get(&second.path).await, late.post("/sign-in", &[("code", &second.code)]).await]
    {
        assert_eq!(reply.status, 410);
        assert!(reply.text.contains("does not work"), "{}", reply.text);
    }
    // Setting the clock back brings nothing back.
    clock.jump(-3_600_000);
    assert_eq!(late.get(&second.path).await.status, 410);
}

#[tokio::test]
async fn what_is_no_code_signs_nobody_in() {
    let host = TestHost::new().await;
    let link = host.link(&json!({})).await;
    let long = "x".repeat(10_000);
    let upper = link.code.to_uppercase();
    let padded = format!("{} ", link.code);
    for code in ["x", "", "%00", "<script>", "日本", &link.code[1..], &upper, &padded, &long] {
        let mut browser = host.browser();
        let reply = browser.post("/sign-in", &[("code", code)]).await;
        assert_eq!((reply.status.as_u16(), browser.cookies.len()), (410, 0), "{code:?}");
        assert!(!reply.text.contains("<script>") && !reply.text.contains("日本"));
    }
    let mut browser = host.browser();
    assert_eq!(browser.get("/sign-in?code=%00%ff").await.status, 410);
    // Without any code it says how to get one.
    let page = browser.get("/sign-in").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("askwell open --phone"), "{}", page.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_that_use_a_link_at_once_exactly_one_is_signed_in() {
    const MANY: usize = 24;
    let served = Served::new().await;
    for _ in 0..4 {
        let link = served.host.link(&json!({})).await;
        let body = format!("code={}", link.code);
        let mut connections = Vec::new();
        for _ in 0..MANY {
            connections.push(Raw::connect(served.address).await);
        }
        let using: Vec<_> = connections
            .into_iter()
            .map(|mut raw| {
                let head = head("POST /sign-in", "", "", body.len())
                    .replace("application/json", "application/x-www-form-urlencoded");
                let text = head + &body;
                tokio::spawn(async move {
                    raw.send(text).await;
                    raw.response().await
                })
            })
            .collect();
        let (mut in_, mut out) = (0, 0);
        for reply in using {
            let reply = reply.await.unwrap();
            match (reply.status, reply.head.contains("set-cookie: askwell_")) {
                (303, true) => in_ += 1,
                (410 | 429, false) => out += 1,
                other => panic!("{other:?}: {}", reply.head),
            }
        }
        assert_eq!((in_, out), (1, MANY - 1));
        // So many wrong ones are tries; they are forgiven with time.
        tokio::time::sleep(Duration::from_millis(1_100)).await;
    }
}

#[rstest]
#[case("//evil.example")]
#[case("/\\evil.example")]
#[case("\\\\evil.example")]
#[case("https:")]
#[case("https://evil.example/")]
#[case("javascript:alert(1)")]
#[case("/\t/evil.example")]
#[case("r/x")]
#[case("")]
#[case("/\r\nset-cookie: a=b")]
#[tokio::test]
async fn after_signing_in_only_an_own_page_is_shown(#[case] next: &str) {
    let host = TestHost::new().await;

    let reply = host.answerer.post("/api/v1/sign-in", &json!({"next": next})).await;

    assert_eq!(reply.problem(), (422, "BAD_REQUEST".to_owned()));
    assert_eq!(reply.json()["faults"][0]["path"], "next");
}

#[tokio::test]
async fn b122_a_foreign_page_signs_nobody_in() {
    let host = TestHost::new().await;
    let link = host.link(&json!({})).await;
    for origin in ["https://evil.example", "http://localhost:8000", "null", ""] {
        let mut browser = host.browser();
        browser.origin = Some(origin.to_owned());

        let reply = browser.post("/sign-in", &[("code", &link.code)]).await;

        assert_eq!((reply.status.as_u16(), browser.cookies.len()), (403, 0), "{origin}");
    }
    // A browser that sends none has a code all the same; what no form sends has none.
    let mut browser = host.browser();
    for (media_type, status) in
        [("text/plain", 415), ("application/json", 415), ("multipart/form-data; boundary=x", 415)]
    {
        let request = browser.request(Method::POST, "/sign-in").header("content-type", media_type);
        let body = format!("code={}", link.code);
        let reply = browser.send(request.body(body.into()).unwrap()).await;
        assert_eq!(reply.status, status, "{media_type}");
    }
    let request = browser
        .request(Method::POST, "/sign-in")
        .header("content-type", "application/x-www-form-urlencoded; charset=utf-8");
    let request = request.body(format!("code={}", link.code).into()).unwrap();
    assert_eq!(browser.send(request).await.status, 303);
}

#[tokio::test]
async fn who_guesses_is_slowed_and_nobody_else() {
    let host = TestHost::new().await;
    let link = host.link(&json!({})).await;
    let mut guesser = host.browser();
    let mut statuses = Vec::new();
    for n in 0..25 {
        let code = format!("{n:032x}");
        let reply = match n % 2 {
            0 => guesser.get(&format!("/sign-in?code={code}")).await,
            _ => guesser.post("/sign-in", &[("code", &code)]).await,
        };
        statuses.push(reply.status.as_u16());
        if reply.status == 429 {
            assert_eq!(reply.header("retry-after"), "1");
            assert!(reply.text.contains("Too many tries"), "{}", reply.text);
        }
    }
    assert_eq!(statuses[..20], [410; 20]);
    assert_eq!(statuses[22..], [429; 3]);
    assert_eq!(guesser.get(&link.path).await.status, 429);

    // By the public name, beyond a proxy, it is somebody else; and who is signed in is not asked.
    let mut other = host.browser();
    other.name = "ask.example.com".to_owned();
    other.origin = Some("https://ask.example.com".to_owned());
    assert_eq!(other.post("/sign-in", &[("code", &link.code)]).await.status, 303);
}

#[tokio::test]
async fn opening_links_again_and_again_is_no_guessing() {
    let host = TestHost::new().await;
    let mut browser = host.browser();
    for _ in 0..60 {
        let link = host.link(&json!({})).await;
        assert_eq!(browser.get(&link.path).await.status, 200);
    }
}

#[tokio::test]
async fn beyond_tls_the_cookie_is_for_tls_only() {
    let host = TestHost::new().await;
    for (name, origin, secure) in [
        ("ask.example.com", "https://ask.example.com", true),
        // A proxy that does not hand the name on.
        ("127.0.0.1:2759", "https://ask.example.com", true),
        ("127.0.0.1:2759", "http://127.0.0.1:2759", false),
    ] {
        let link = host.link(&json!({})).await;
        let mut browser = host.browser();
        (browser.name, browser.origin) = (name.to_owned(), Some(origin.to_owned()));

        let reply = browser.post("/sign-in", &[("code", &link.code)]).await;

        let set = reply.header("set-cookie");
        assert_eq!(set.ends_with("; SameSite=Lax; Secure"), secure, "{name}: {set}");
    }
}

#[tokio::test]
async fn a_browser_that_is_signed_in_is_not_asked_again_and_stays_one_device() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let cookies = browser.cookies.clone();
    let link = host.link(&json!({"next": "/devices"})).await;

    let reply = browser.get(&link.path).await;

    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/devices"));
    let reply = browser.post("/sign-in", &[("code", &link.code)]).await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/devices"));
    assert_eq!(browser.cookies, cookies);
    assert_eq!(host.browser().get(&link.path).await.status, 410);
    assert_eq!(browser.get("/devices").await.text.matches("<li>").count(), 1);
    assert_eq!(browser.get("/sign-in").await.header("location"), "/");
}

#[tokio::test]
async fn a_link_for_another_person_replaces_the_sign_in() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let mut former = browser.clone();
    let made = host.admin.post("/api/v1/sign-in", &json!({"person": "ben"})).await.ok();
    let code = made["url"].as_str().unwrap().split_once("code=").unwrap().1.to_owned();

    let page = browser.get(&format!("/sign-in?code={code}")).await;
    assert!(page.words().contains("as\nben"), "{}", page.text);
    assert_eq!(browser.post("/sign-in", &[("code", &code)]).await.status, 303);

    assert!(browser.get("/devices").await.words().contains("as\nben"));
    assert_eq!(former.get("/devices").await.status, 401);
}

#[tokio::test]
async fn an_answerer_makes_links_for_itself_and_an_admin_for_anybody() {
    let host = TestHost::new().await;
    host.link(&json!({"person": "answerer"})).await;
    for (of, status, code) in [
        (json!({"person": "ben"}), 403, "FORBIDDEN"),
        (json!({"device": " "}), 422, "BAD_QUESTION"),
        (json!({"next": format!("/{}", "x".repeat(1024))}), 422, "LIMIT_EXCEEDED"),
    ] {
        let reply = host.answerer.post("/api/v1/sign-in", &of).await;
        assert_eq!(reply.problem(), (status, code.to_owned()));
    }
    let reply = host.asker.post("/api/v1/sign-in", &json!({})).await;
    assert_eq!(reply.problem(), (403, "FORBIDDEN".to_owned()));

    // Left out it is the one whose host this is.
    let made = host.admin.post("/api/v1/sign-in", &json!({"device": "Pixel"})).await.ok();
    let url = made["url"].as_str().unwrap();
    let mut browser = host.browser();
    let code = url.split_once("code=").unwrap().1;
    assert!(browser.get(&format!("/sign-in?code={code}")).await.words().contains("as\nanswerer"));
    browser.post("/sign-in", &[("code", code)]).await;
    assert!(browser.get("/devices").await.text.contains("Pixel"));
    // Beyond this machine it is reached by its public name.
    let elsewhere = format!("https://ask.example.com/sign-in?code={code}");
    assert_eq!(made["elsewhereUrl"], elsewhere);
}

#[tokio::test]
async fn while_the_store_can_not_be_written_the_link_is_kept() {
    let host = TestHost::new().await;
    let link = host.link(&json!({})).await;
    let mut browser = host.browser();
    host.store.execute_for_test("PRAGMA query_only = ON").unwrap();

    let reply = browser.post("/sign-in", &[("code", &link.code)]).await;

    assert_eq!((reply.status.as_u16(), browser.cookies.len()), (503, 0), "{}", reply.text);
    assert!(reply.text.contains("still works") && reply.text.contains(&link.code));
    host.store.execute_for_test("PRAGMA query_only = OFF").unwrap();
    assert_eq!(browser.post("/sign-in", &[("code", &link.code)]).await.status, 303);
}

#[tokio::test]
async fn the_pages_speak_the_language_of_the_browser() {
    let host = TestHost::new().await;
    let link = host.link(&json!({})).await;
    let mut browser = host.browser();
    for (wish, told) in [("zh-CN,zh;q=0.9", "登录"), ("en", "Sign in")] {
        let request = browser.request(Method::GET, &link.path).header("accept-language", wish);
        let page = browser.send(request.body(Body::empty()).unwrap()).await;
        assert!(page.text.contains(told), "{}", page.text);
    }
}

#[tokio::test]
async fn a_host_on_a_socket_links_to_its_own_name() {
    for (public_url, expected) in
        [(None, None), (Some("https://ask.example.com"), Some("https://ask.example.com"))]
    {
        let served = Served::reached_by(public_url).await;
        let port = served.address.port();
        let base = format!("http://{}.localhost:{port}", served.host.host.label());
        let base = expected.unwrap_or(&base);
        let mut raw = Raw::connect(served.address).await;
        let (answerer, asker) = (served.host.answerer.secret(), served.host.asker.secret());

        let link = raw.call("POST /api/v1/sign-in", answerer, "", "").await.json();
        let asked = raw.call("POST /api/v1/requests", asker, "", &r1().to_string()).await.json();

        let url = link["url"].as_str().unwrap();
        assert!(url.starts_with(&format!("{base}/sign-in?code=")), "{url}");
        assert_eq!(asked["url"], format!("{base}/r/{}", asked["id"].as_str().unwrap()));
        // Nobody else reaches what listens on loopback only.
        assert_eq!(link["elsewhereUrl"].as_str(), expected.map(|_| url));
    }
}
