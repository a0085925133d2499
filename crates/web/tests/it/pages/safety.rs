//! Who may open a page and press its buttons, what else is said to everybody, and the headers.

use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{Open, answer, answered};
use crate::support::{Form, TestHost, r1, r3};

const NOBODY: &str = "01a0c450-6c00-7bab-abab-abababababab";

fn fields(form: &Form, button: &str) -> Vec<(String, String)> {
    form.posted(button)
}

#[tokio::test]
async fn b123_who_is_not_signed_in_sees_nothing_of_any_request() {
    let open = Open::new(&r1()).await;
    let mut stranger = open.host.browser();
    let mut seen = Vec::new();
    for place in [
        "/",
        "/?part=list",
        "/?ended=",
        &format!("/r/{}", open.id),
        "/r/x",
        "/?search=db",
        &format!("/r/{}?part=card", open.id),
        &format!("/r/{NOBODY}"),
    ] {
        let page = stranger.get(place).await;
        assert_eq!(page.status, 401, "{place}");
        assert!(!page.text.contains("database") && !page.text.contains(&open.id), "{place}");
        assert!(page.header("www-authenticate").starts_with("Bearer"));
        seen.push(page.words());
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "the same page, whatever was asked for");
    for agent in open.host.everybody() {
        let place = format!("/r/{}", open.id);
        assert_eq!(agent.get(&place).await.status, 401, "a program's token opens no page");
    }
}

#[tokio::test]
async fn what_was_typed_is_shown_to_who_is_signed_out_meanwhile() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.write(0, "a long text <b>");
    open.browser.cookies.clear();

    let page = open.press(&form, "submit").await;

    assert_eq!(page.status, 401);
    assert!(page.words().contains("a long text <b>"), "{}", page.words());
    assert!(!page.text.contains("database"));
    assert!(open.is_pending().await);
}

#[rstest]
#[case::missing(None)]
#[case::empty(Some(""))]
#[case::wrong(Some("0000000000000000000000000000000000000000000000000000000000000000"))]
#[tokio::test]
async fn b123_a_form_without_the_token_of_the_session_changes_nothing_and_loses_nothing(
    #[case] token: Option<&str>,
) {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.write(0, "a long text");
    let mut posted = fields(&form, "submit");
    posted.retain(|(name, _)| name != "token");
    posted.extend(token.map(|token| ("token".to_owned(), token.to_owned())));

    let page = open.post(&posted).await;

    assert_eq!(page.status, 403);
    assert!(open.is_pending().await);
    assert_eq!(open.drafts().await[0]["custom"], "");
    let form = Form::of(&page);
    assert_eq!(form.text("q0.text"), "a long text");
    open.press(&form, "submit").await.leads_to();
    assert_eq!(open.outcome().await, answered(&[answer("db", &[], Some("a long text"))]));
}

#[tokio::test]
async fn b123_the_token_of_another_browser_is_none() {
    let mut open = Open::new(&r1()).await;
    let mut other = open.host.signed_in().await;
    let foreign = other.card(&open.id).await.option(0, 0);

    assert_eq!(open.press(&foreign, "submit").await.status, 403);
    assert!(open.is_pending().await);
    assert_eq!(other.press(&foreign, "submit").await.status, 303);
}

#[rstest]
#[case::foreign("https://evil.example")]
#[case::null("null")]
#[case::other_port("http://localhost:9")]
#[tokio::test]
async fn b122_a_form_of_another_site_is_refused(#[case] origin: &str) {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.option(0, 0);
    open.browser.origin = Some(origin.to_owned());

    let page = open.press(&form, "submit").await;

    assert_eq!(page.status, 403);
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(!page.text.contains("database"));
    assert!(open.is_pending().await);
}

#[tokio::test]
async fn b122_a_form_that_does_not_say_where_it_is_from_is_refused() {
    let mut open = Open::new(&r1()).await;
    let form = open.card().await.option(0, 0);
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields(&form, "submit"));
    let request = open
        .browser
        .request(Method::POST, &form.action)
        .header("content-type", "application/x-www-form-urlencoded");

    let page = open.browser.send(request.body(body.finish().into()).unwrap()).await;

    assert_eq!(page.status, 403);
    assert!(open.is_pending().await);
}

#[rstest]
#[case("application/json")]
#[case("text/plain")]
#[case("multipart/form-data; boundary=x")]
#[tokio::test]
async fn what_is_no_form_is_refused(#[case] media_type: &str) {
    let mut open = Open::new(&r1()).await;
    let own = open.browser.own_origin();
    let place = format!("/r/{}", open.id);
    let request = open.browser.request(Method::POST, &place).header("origin", own);
    let request = request.header("content-type", media_type).body(Body::from("x=y")).unwrap();

    assert_eq!(open.browser.send(request).await.status, 415);
}

#[tokio::test]
async fn a_method_that_a_page_does_not_have_is_told_as_a_page() {
    let mut open = Open::new(&r1()).await;
    for method in [Method::PUT, Method::DELETE, Method::PATCH] {
        let place = format!("/r/{}", open.id);
        let request = open.browser.request(method, &place).body(Body::empty()).unwrap();
        let page = open.browser.send(request).await;
        assert_eq!(page.status, 405);
        assert!(page.header("content-type").starts_with("text/html"), "{}", page.text);
    }
    let request =
        open.browser.request(Method::POST, "/").header("origin", open.browser.own_origin());
    assert_eq!(open.browser.send(request.body(Body::empty()).unwrap()).await.status, 405);
    assert!(open.is_pending().await);
}

#[tokio::test]
async fn b123_looking_changes_nothing() {
    let mut open = Open::new(&r3()).await;
    let before = open.drafts().await;
    for query in [
        "",
        "?do=submit",
        "?do=dismiss-yes",
        "?dismiss",
        "?do=extend",
        "?part=review",
        "?view=question",
        "?offer=no",
        "?saved=",
    ] {
        let page = open.browser.get(&format!("/r/{}{query}", open.id)).await;
        assert_eq!(page.status, 200, "{query}");
    }
    assert!(open.is_pending().await);
    assert_eq!(open.drafts().await, before);
}

#[tokio::test]
async fn what_is_not_there_is_a_page_that_says_so() {
    let mut open = Open::new(&r1()).await;
    for place in [&format!("/r/{NOBODY}"), "/r/x", "/r/%3Cimg%20src=x%3E", "/r/%22%20autofocus"] {
        let page = open.browser.get(place).await;
        assert_eq!(page.status, 404, "{place}");
        assert!(page.words().starts_with("Not here"), "{}", page.words());
        assert!(!page.text.contains("<img") && !page.text.contains("\" autofocus"), "{place}");
        assert!(page.text.contains("href=\"/\""));
    }
    // A program that asks for no page gets the document that it knows.
    let reply = open.host.nobody.get("/nowhere").await;
    assert_eq!(reply.problem(), (404, "NOT_FOUND".to_owned()));
    let request = open.browser.request(Method::GET, "/nowhere").header("accept", "text/html,*/*");
    let page = open.browser.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-type")),
        (404, "text/html; charset=utf-8")
    );
    let request =
        open.browser.request(Method::GET, "/api/v1/nowhere").header("accept", "text/html");
    let reply = open.browser.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(reply.problem(), (404, "NOT_FOUND".to_owned()));
}

#[tokio::test]
async fn every_page_says_what_it_may_load_and_that_nobody_may_keep_it() {
    let mut open = Open::new(&r1()).await;
    let mut pages = Vec::new();
    for place in ["/", "/?part=list", &format!("/r/{}", open.id), "/r/x"] {
        pages.push(open.browser.get(place).await);
    }
    pages.push(open.host.browser().get("/").await);
    let form = open.card().await;
    pages.push(open.press(&form, "submit").await);
    let form = form.option(0, 0);
    pages.push(open.press(&form, "submit").await);
    for page in pages {
        let policy = page.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"));
        assert_eq!(page.header("referrer-policy"), "same-origin");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert!(!page.text.contains(" style=\"") && !page.text.contains("<style"));
        assert!(!page.text.contains("<script>") && !page.text.contains("onclick"));
    }
}

#[tokio::test]
async fn a_page_that_another_site_may_have_opened_is_out_of_its_hands() {
    let mut open = Open::new(&r1()).await;
    let page = format!("/r/{}", open.id);
    for (sender, policy) in [
        ("cross-site", "same-origin"),
        ("same-site", "same-origin"),
        ("none", "unsafe-none"),
        ("same-origin", "unsafe-none"),
    ] {
        for place in ["/", &page, "/devices", "/sign-in", "/r/x"] {
            let request = open.browser.request(Method::GET, place).header("sec-fetch-site", sender);
            let page = open.browser.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(page.header("cross-origin-opener-policy"), policy, "{sender}: {place}");
        }
    }
    // Browsers that do not tell; and what is no page, from which the same window goes on to one.
    let page = open.page().await.text;
    let asset = page.split('"').find(|it| it.starts_with("/assets/")).unwrap().to_owned();
    for place in ["/", &asset, "/healthz", "/api/v1/requests", "/api/v1/none", "/nothing"] {
        let reply = open.browser.get(place).await;
        assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin", "{place}");
    }
}

#[tokio::test]
async fn assets_are_kept_for_ever_and_are_what_they_say() {
    let host = TestHost::new().await;
    let mut browser = host.browser();
    let page = browser.get("/").await;
    let mut places: Vec<&str> =
        page.text.split('"').filter(|it| it.starts_with("/assets/")).collect();
    places.sort_unstable();
    places.dedup();
    assert!(places.iter().any(|place| place.ends_with(".css")), "{places:?}");
    // One of them only where no scripts are.
    assert_eq!(places.len(), 4, "{places:?}");
    let mut bytes = 0;
    for place in places {
        // One rule is hardly shorter in another form.
        let is_one_rule = place.contains("no-scripts");
        for (accept, encoding) in [("", ""), ("gzip", "gzip"), ("gzip, br", "br")] {
            let request = browser.request(Method::GET, place).header("accept-encoding", accept);
            let request = request.body(Body::empty()).unwrap();
            let (parts, content) = raw(&host, request).await;
            assert_eq!(parts.status, 200, "{place}");
            let header = |name: &str| {
                parts.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned()
            };
            assert_eq!(header("cache-control"), "public, max-age=31536000, immutable");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert!(is_one_rule || header("content-encoding") == encoding, "{place}");
            let media_type = match place.rsplit('.').next().unwrap() {
                "css" => "text/css; charset=utf-8",
                "svg" => "image/svg+xml",
                _ => "text/javascript; charset=utf-8",
            };
            assert_eq!(header("content-type"), media_type);
            if encoding == "br" {
                bytes += content.len();
            }
        }
    }
    // All of a page but its markup; the whole may have 40 KB.
    assert!(bytes <= 34 * 1024, "{bytes}");
    for place in ["/assets/", "/assets/page.js", "/assets/../Cargo.toml", "/assets/%2e%2e%2fx"] {
        assert_eq!(browser.get(place).await.status, 404, "{place}");
    }
}

#[tokio::test]
async fn a_page_is_compressed_for_who_takes_it_but_over_tls() {
    use std::io::Read as _;

    let mut open = Open::new(&r3()).await;
    let plain = open.browser.get("/").await.text;
    for (name, takes, encoding) in [
        (open.browser.name.clone(), "gzip, deflate, br", "gzip"),
        (open.browser.name.clone(), "identity", ""),
        ("ask.example.com".to_owned(), "gzip", ""),
    ] {
        open.browser.name = name;
        let request = open.browser.request(Method::GET, "/").header("accept-encoding", takes);
        let (parts, bytes) = raw(&open.host, request.body(Body::empty()).unwrap()).await;

        let sent = parts.headers.get("content-encoding").map_or("", |it| it.to_str().unwrap());
        assert_eq!(sent, encoding, "{takes}");
        assert_eq!(parts.headers["cache-control"], "no-store");
        if encoding == "gzip" {
            let mut text = String::new();
            flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
            let until_now = |text: &str| text.split("data-now").next().unwrap().to_owned();
            assert_eq!(until_now(&text), until_now(&plain));
        }
    }
}

async fn raw(
    host: &TestHost,
    request: axum::http::Request<Body>,
) -> (axum::http::response::Parts, bytes::Bytes) {
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    let response = host.nobody.router.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    (parts, body.collect().await.unwrap().to_bytes())
}

#[tokio::test]
async fn the_language_is_the_browsers_until_another_is_chosen() {
    let mut open = Open::new(&r1()).await;
    let place = format!("/r/{}", open.id);
    let get = |open: &mut Open, place: &str, wish: &'static str| {
        let request = open.browser.request(Method::GET, place).header("accept-language", wish);
        request.body(Body::empty()).unwrap()
    };
    let request = get(&mut open, &place, "zh-CN,zh;q=0.9,en;q=0.8");
    let page = open.browser.send(request).await;
    assert!(page.text.contains("<html lang=\"zh\""));
    assert!(page.words().contains("写下你自己的回答") || page.text.contains("写下你自己的回答"));
    assert!(page.words().contains("Which database?"), "what is asked is not translated");

    // The switch takes along what was entered.
    let form = Form::of(&page).write(0, "半个回答");
    let there = open.press(&form, "lang-en").await.leads_to().to_owned();
    let request = get(&mut open, &there, "zh");
    let page = open.browser.send(request).await;
    assert!(page.text.contains("<html lang=\"en\""));
    assert_eq!(Form::of(&page).text("q0.text"), "半个回答");
    // It is kept.
    let request = get(&mut open, "/", "zh");
    assert!(open.browser.send(request).await.text.contains("<html lang=\"en\""));
    let mut stranger = open.host.browser();
    assert!(stranger.get("/?lang=zh").await.text.contains("<html lang=\"zh\""));
    assert!(stranger.get("/").await.text.contains("<html lang=\"zh\""));
}

#[tokio::test]
async fn a_part_of_a_page_is_what_the_page_shows() {
    let mut open = Open::new(&r3()).await;
    let page = open.page().await;

    let list = open.browser.get("/?part=list").await;
    assert_eq!(list.status, 200);
    assert!(!list.text.contains("<html") && list.text.contains("Which database?"));
    let card = open.browser.get(&format!("/r/{}?part=card", open.id)).await;
    assert!(card.text.starts_with("<form class=\"card\" id=\"card\""), "{}", card.text);
    assert!(page.text.contains(&card.text));
    let form = open.card().await.option(0, 1);
    let mut posted = form.posted("submit");
    posted.retain(|(name, _)| name != "do");
    posted.push(("do".to_owned(), "review".to_owned()));
    let place = format!("/r/{}?part=review", open.id);
    let review = open.browser.post(&place, &posted).await;
    assert!(review.text.contains("SQLite") && review.text.contains("data-state=\"open\""));
    assert_eq!(open.drafts().await[0]["chosen"], json!([]), "nothing was saved");
}
