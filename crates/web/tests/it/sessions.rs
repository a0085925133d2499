//! A browser that is signed in: what its cookie allows, and how it ends.

use std::sync::Arc;
use std::time::Duration;

use askwell_host::ManualClock;
use askwell_testkit::deadline;
use askwell_web::Limits;
use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;
use tokio::time::timeout;

use crate::support::{Browser, Raw, Served, TestHost, chosen, eventually, r1};

/// A change by a page's script.
async fn answer(browser: &mut Browser, path: &str, origin: Option<&str>) -> u16 {
    let mut request = browser
        .request(Method::POST, &format!("{path}/answer"))
        .header("content-type", "application/json");
    if let Some(origin) = origin {
        request = request.header("origin", origin);
    }
    let body = chosen("db", "SQLite").to_string();
    browser.send(request.body(body.into()).unwrap()).await.status.as_u16()
}

#[tokio::test]
async fn b122_a_cookie_is_a_credential_for_our_own_pages_only() {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    let mut browser = host.signed_in().await;
    let own = browser.own_origin();
    assert_eq!(browser.get(&path).await.status, 200);

    for origin in [None, Some("https://evil.example"), Some("null"), Some("http://localhost:2759")]
    {
        assert_eq!(answer(&mut browser, &path, origin).await, 403, "{origin:?}");
    }
    for site in ["cross-site", "same-site"] {
        let request = browser.request(Method::GET, &path).header("sec-fetch-site", site);
        let reply = browser.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(reply.problem(), (403, "FORBIDDEN".to_owned()));
        assert!(!reply.text.contains("database"));
    }
    assert_eq!(host.asker.state(&path).await, "pending");

    assert_eq!(answer(&mut browser, &path, Some(&own)).await, 200);
    assert_eq!(host.asker.state(&path).await, "answered");
}

#[rstest]
#[case("application/x-www-form-urlencoded")]
#[case("text/plain")]
#[case("multipart/form-data; boundary=x")]
#[tokio::test]
async fn b123_what_a_form_can_send_changes_nothing_at_the_api(#[case] media_type: &str) {
    let host = TestHost::new().await;
    let path = host.asker.ask(&r1()).await;
    let mut browser = host.signed_in().await;
    let own = browser.own_origin();
    for (call, body) in [
        ("answer", chosen("db", "SQLite").to_string()),
        ("cancel", "{}".to_owned()),
        ("extend", String::new()),
    ] {
        let request = browser
            .request(Method::POST, &format!("{path}/{call}"))
            .header("origin", &own)
            .header("content-type", media_type);
        let reply = browser.send(request.body(body.into()).unwrap()).await;
        assert_eq!(reply.status, 415, "{call}");
    }
    assert_eq!(host.asker.state(&path).await, "pending");
}

#[tokio::test]
async fn only_a_devices_credential_is_taken_from_a_cookie_and_only_from_the_hosts_own() {
    let host = TestHost::new().await;
    let name = format!("askwell_{}", host.host.label());
    let signed_in = host.signed_in().await;
    let secret = signed_in.cookies[&name].clone();
    let with = |name: &str, value: &str| {
        let mut browser = host.browser();
        browser.cookies.insert(name.to_owned(), value.to_owned());
        browser
    };
    assert_eq!(with(&name, &secret).get("/api/v1/requests").await.status, 200);
    for (name, value) in [
        (&*name, host.answerer.secret()),
        (&name, host.admin.secret()),
        (&name, &secret.to_uppercase()),
        (&name, ""),
        ("askwell_other", &secret),
        ("askwell_", &secret),
    ] {
        for place in ["/api/v1/requests", "/devices"] {
            assert_eq!(with(name, value).get(place).await.status, 401, "{name} {place}");
        }
    }
    // What a program sends goes before it, also where that is wrong.
    let mut browser = with(&name, &secret);
    let request = browser.request(Method::GET, "/api/v1/requests");
    let request = request.header("authorization", "Bearer wrong").body(Body::empty()).unwrap();
    assert_eq!(browser.send(request).await.status, 401);
    // It is an answerer's and no more.
    assert_eq!(browser.get("/api/v1/credentials").await.status, 403);

    // Another host on the same machine, beside it.
    let other = TestHost::new().await;
    let mut stranger = other.browser();
    stranger.cookies = signed_in.cookies;
    stranger.cookies.insert(format!("askwell_{}", other.host.label()), secret);
    assert_eq!(stranger.get("/api/v1/requests").await.status, 401);
    assert_eq!(stranger.get("/devices").await.status, 401);
}

#[tokio::test]
async fn a_sign_in_survives_the_host() {
    let host = TestHost::new().await;
    let mut browser = host.signed_in().await;
    let link = host.link(&json!({})).await;
    let label = host.host.label().to_owned();

    let host = host.restarted().await;

    assert_eq!(host.host.label(), label);
    let cookies = browser.cookies;
    browser = host.browser();
    browser.cookies = cookies;
    assert_eq!(browser.get("/devices").await.status, 200);
    assert_eq!(browser.get("/api/v1/requests").await.status, 200);
    // A link does not.
    assert_eq!(host.browser().get(&link.path).await.status, 410);
}

#[tokio::test]
async fn a_sign_in_lasts_a_year() {
    const DAY: Duration = Duration::from_secs(24 * 3_600);
    let clock = Arc::new(ManualClock::new(1_790_000_000_000));
    let host = TestHost::by(Arc::clone(&clock) as _, Limits::default()).await;
    let mut browser = host.signed_in().await;

    clock.advance(DAY * 364);
    assert_eq!(browser.get("/devices").await.status, 200);
    clock.advance(DAY);

    assert_eq!(browser.get("/devices").await.status, 401);
    assert_eq!(browser.get("/api/v1/requests").await.status, 401);
    // Programs go on.
    host.answerer.get("/api/v1/requests").await.ok();
}

#[tokio::test]
async fn the_devices_are_listed_and_one_is_signed_out() {
    let clock = Arc::new(ManualClock::new(1_790_000_000_000));
    let host = TestHost::by(Arc::clone(&clock) as _, Limits::default()).await;
    let mut phone = host.browser();
    phone.agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) Version/17.5 Safari/604.1".to_owned();
    let link = host.link(&json!({})).await;
    phone.post("/sign-in", &[("code", &link.code)]).await;
    clock.advance(Duration::from_secs(3 * 3_600));
    let mut laptop = host.signed_in().await;

    let page = laptop.get("/devices").await;
    assert_eq!(page.text.matches("<li>").count(), 2);
    let (of_phone, of_laptop) = page.text.split_once("</li>").unwrap();
    assert!(of_phone.contains("Safari on iPhone") && of_phone.contains("3 h ago"), "{of_phone}");
    assert!(!of_phone.contains("this one"));
    assert!(of_laptop.contains("Chrome on Linux") && of_laptop.contains("this one"));
    assert!(of_laptop.contains("within the hour"), "{of_laptop}");

    let (id, token) = (page.hidden("device"), page.hidden("token"));
    let fields = [("token", &*token), ("device", &id), ("do", "revoke")];
    let reply = laptop.post("/devices", &fields).await;

    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/devices"));
    assert_eq!(laptop.get("/devices").await.text.matches("<li>").count(), 1);
    assert_eq!(phone.get("/devices").await.status, 401);
    // Once more from a page that was not loaded again: nothing to do.
    assert_eq!(laptop.post("/devices", &fields).await.status, 303);
    // On the command line they are marked, the former ones too.
    let all = host.admin.get("/api/v1/credentials").await.ok();
    let devices: Vec<_> =
        all.as_array().unwrap().iter().filter(|it| !it["device"].is_null()).collect();
    assert_eq!(devices.len(), 2);
    assert!(devices[0]["revokedAt"].is_i64() && devices[1]["revokedAt"].is_null());
    assert_eq!(devices[0]["person"], "answerer");
}

#[tokio::test]
async fn signing_out_here_and_everywhere() {
    let host = TestHost::new().await;
    let (mut one, mut two, mut three) =
        (host.signed_in().await, host.signed_in().await, host.signed_in().await);
    let ben = host.admin.post("/api/v1/sign-in", &json!({"person": "ben"})).await.ok();
    let code = ben["url"].as_str().unwrap().split_once("code=").unwrap().1;
    let mut of_ben = host.browser();
    of_ben.post("/sign-in", &[("code", code)]).await;
    let token = one.get("/devices").await.hidden("token");

    let reply = one.post("/devices", &[("token", &token), ("do", "sign-out")]).await;

    assert_eq!(reply.status, 200);
    assert!(reply.text.contains("Signed out on this device."), "{}", reply.text);
    let name = format!("askwell_{}", host.host.label());
    let expected = format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    assert_eq!(reply.header("set-cookie"), expected);
    assert!(one.cookies.is_empty());
    assert_eq!(one.get("/sign-in").await.status, 200);
    assert_eq!(two.get("/devices").await.status, 200);

    let token = two.get("/devices").await.hidden("token");
    let asked = two.post("/devices", &[("token", &token), ("do", "sign-out-everywhere")]).await;
    assert!(asked.text.contains("Sign out on 2 devices?"), "{}", asked.text);
    for browser in [&mut two, &mut three] {
        assert_eq!(browser.get("/devices").await.status, 200);
    }
    let yes = [("token", &*token), ("do", "sign-out-everywhere-yes")];
    let reply = two.post("/devices", &yes).await;

    assert!(reply.text.contains("Signed out on 2 devices."), "{}", reply.text);
    assert_eq!(two.post("/devices", &yes).await.status, 401);
    assert_eq!(three.get("/devices").await.status, 401);
    assert_eq!(of_ben.get("/devices").await.status, 200);
    // Nobody else's can be signed out.
    let page = of_ben.get("/devices").await;
    let (bens, token) = (page.hidden("device"), page.hidden("token"));
    let mut four = host.signed_in().await;
    let fours = four.get("/devices").await.hidden("device");
    let fields = [("token", &*token), ("device", &fours), ("do", "revoke")];
    assert_eq!(of_ben.post("/devices", &fields).await.status, 303);
    assert_eq!(four.get("/devices").await.status, 200);
    assert!(bens != fours);
}

#[tokio::test]
async fn b123_a_form_that_is_not_of_this_very_page_changes_nothing() {
    let host = TestHost::new().await;
    let (mut own, mut other) = (host.signed_in().await, host.signed_in().await);
    let token = own.get("/devices").await.hidden("token");
    let foreign = other.get("/devices").await.hidden("token");
    assert_ne!(token, foreign);
    for token in ["", "x", &foreign, &token[1..], &token.to_uppercase()] {
        let reply = own.post("/devices", &[("token", token), ("do", "sign-out")]).await;
        assert_eq!(reply.status, 403, "{token:?}");
        assert!(reply.text.contains("Nothing was changed"), "{}", reply.text);
    }
    let form = format!("token={token}&do=sign-out");
    for (origin, media_type, status) in [
        (None, "application/x-www-form-urlencoded", 403),
        (Some("https://evil.example"), "application/x-www-form-urlencoded", 403),
        (Some("null"), "application/x-www-form-urlencoded", 403),
        (Some(&*own.own_origin()), "text/plain", 415),
    ] {
        let mut request = own.request(Method::POST, "/devices").header("content-type", media_type);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let reply = own.send(request.body(form.clone().into()).unwrap()).await;
        assert_eq!(reply.status, status, "{origin:?} {media_type}");
    }
    // In an address it is nothing, and looking changes nothing.
    assert_eq!(own.get(&format!("/devices?{form}")).await.status, 200);
    assert_eq!(own.get("/devices").await.status, 200);
}

#[tokio::test]
async fn b128_the_name_of_a_device_is_shown_and_nothing_else() {
    let host = TestHost::new().await;
    let name = "<img src=x onerror=alert(1)>\" autofocus \u{202e}evil\u{1b}[2J";
    let link = host.link(&json!({"device": name})).await;
    let mut browser = host.browser();
    browser.post("/sign-in", &[("code", &link.code)]).await;

    let page = browser.get("/devices").await;

    assert!(
        page.text.contains("&lt;img src=x onerror=alert(1)&gt;&quot; autofocus"),
        "{}",
        page.text
    );
    assert!(!page.text.contains("<img"));
    assert!(!page.text.contains('\u{202e}') && !page.text.contains('\u{1b}'));
}

#[tokio::test]
async fn a_revoked_sign_in_ends_at_once_with_its_streams_and_waits() {
    let served = Served::new().await;
    let path = served.host.asker.ask(&r1()).await;
    let mut browser = served.host.signed_in().await;
    let cookie = format!("cookie: {}\r\n", browser.cookie_header());
    let name = browser.name.clone();
    let as_page = |line: &str| {
        format!("GET {line} HTTP/1.1\r\nhost: {name}\r\n{cookie}connection: close\r\n\r\n")
    };
    let mut stream = Raw::connect(served.address).await;
    stream.send(as_page("/api/v1/events")).await;
    assert_eq!(stream.response().await.status, 200);
    let mut wait = Raw::connect(served.address).await;
    wait.send(as_page(&format!("{path}?wait=60"))).await;
    // A program's wait on the same request goes on.
    let mut other = Raw::connect(served.address).await;
    let token = served.host.asker.secret();
    other.send(crate::support::head(&format!("GET {path}?wait=60"), token, "", 0)).await;
    eventually("the stream is counted", || async { served.host.host.stats().watching == 1 }).await;

    let page = browser.get("/devices").await;
    let fields = [("token", page.hidden("token")), ("do", "sign-out".to_owned())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
    browser.post("/devices", &fields).await;

    let refused = timeout(deadline(), wait.response()).await.unwrap();
    assert_eq!((refused.status, &refused.json()["code"]), (401, &json!("UNAUTHORIZED")));
    let rest = timeout(deadline(), stream.closed()).await.unwrap();
    assert!(rest.ends_with("0\r\n\r\n"), "{rest}");
    assert!(timeout(Duration::from_millis(300), other.response()).await.is_err());
}

#[tokio::test]
async fn revoking_a_programs_credential_ends_its_waits_too() {
    let served = Served::new().await;
    let path = served.host.asker.ask(&r1()).await;
    let mut wait = Raw::connect(served.address).await;
    let token = served.host.asker.secret();
    wait.send(crate::support::head(&format!("GET {path}?wait=60"), token, "", 0)).await;
    let all = served.host.admin.get("/api/v1/credentials").await.ok();
    let asker = all.as_array().unwrap().iter().find(|it| it["name"] == "asker").unwrap();
    let revoke = format!("/api/v1/credentials/{}/revoke", asker["id"].as_str().unwrap());
    tokio::time::sleep(Duration::from_millis(50)).await;

    served.host.admin.post(&revoke, &json!({})).await.ok();

    let refused = timeout(Duration::from_secs(5), wait.response()).await.unwrap();
    assert_eq!(refused.status, 401);
    assert!(!refused.body.contains("database"));
}
