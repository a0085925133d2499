//! The plain pages.

use pretty_assertions::assert_eq;

use crate::support::{Raw, Served, TestHost, r1};

#[tokio::test]
async fn b128_a_page_shows_nothing_of_a_request_nor_of_its_address() {
    let host = TestHost::new().await;
    let id = host.asker.ask(&r1()).await.rsplit('/').next().unwrap().to_owned();
    let notice = host.nobody.get("/").await;
    assert_eq!(
        (notice.status.as_u16(), notice.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    assert!(notice.text.contains("askwell inbox"));

    for place in
        [&id, "%3Cimg%20src=x%20onerror=alert(1)%3E", "%22%20autofocus", "x?q=%3Cscript%3E"]
    {
        let page = host.nobody.get(&format!("/r/{place}")).await;

        assert_eq!(page.text, notice.text, "{place}");
        let policy = page.header("content-security-policy");
        for part in
            ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'self'"]
        {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"));
    }
    assert!(!notice.text.contains("<script") && !notice.text.contains("style="));
}

#[tokio::test]
async fn a_posted_request_tells_its_page_without_any_credential() {
    let served = Served::new().await;
    let mut raw = Raw::connect(served.address).await;
    let token = served.host.asker.secret();

    let asked = raw.call("POST /api/v1/requests", token, "", &r1().to_string()).await.json();

    let expected = format!("https://ask.example.com/r/{}", asked["id"].as_str().unwrap());
    assert_eq!(asked["url"], expected);
}
