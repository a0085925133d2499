//! Text of an asker is data, and a page of somebody else's is nobody.

use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

use askwell_testkit::Browser;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Card, Host, R1, Web};

const MARKUP: &str = r#"<img src=x onerror=alert(1)></script><b>" autofocus onfocus="alert(1)"#;

fn hostile(text: &str) -> Value {
    json!({
        "questions": [{
            "id": text, "header": text, "question": text,
            "detail": format!("{text}\n\n[a link](javascript:alert(1)) ![a picture](http://127.0.0.1:1/x.png)\n\n<script>alert(1)</script>"),
            "options": [{"label": text, "description": text, "preview": text}, {"label": "plain"}],
        }],
        "context": text,
        "asker": {"name": text, "session": text, "cwd": text, "chain": [text]},
    })
}

#[test]
fn b128_markup_of_an_asker_is_shown_as_text_and_loads_nothing() {
    let web = Web::with(&Browser::builder().with_network());
    let id = web.host.post(&hostile(MARKUP).to_string());
    web.browser.sent();

    web.inbox().wait_for(MARKUP);
    web.opens(&id);
    web.browser.wait_for(MARKUP);
    assert!(web.browser.title().contains(MARKUP), "{}", web.browser.title());
    let scripts = "return document.querySelectorAll('main img, main script, main [onerror], [onfocus], a[href^=javascript]').length";
    assert_eq!(web.browser.run(scripts), json!(0));
    web.card().chooses(MARKUP).goes_on();

    assert_eq!(web.answer(&id), json!({"answers": [{"id": MARKUP, "selected": [MARKUP]}]}));
    web.browser.open(web.page(&id)).wait_for(MARKUP);
    web.inbox().wait_for(MARKUP);
    let foreign = web.browser.sent().into_iter().filter(|it| !it.url.starts_with(&web.address));
    assert_eq!(foreign.collect::<Vec<_>>(), []);
}

#[test]
fn a_link_shows_its_whole_target_before_it_opens() {
    let web = Web::start();
    let target = "https://example.com/a/path?with=a-query#and-more";
    let detail = format!("See [the docs]({target}) and ![a picture](https://example.com/x.png).");
    web.asks(
        &json!({"questions": [{"id": "q", "question": "Go on?", "detail": detail}]}).to_string(),
    );

    web.browser.wait_for("the docs").wait_for(target);
    let link = web.browser.css(format!("main a[href=\"{target}\"]"));
    let rel = link.attribute("rel").unwrap_or_default();
    assert!(rel.contains("noopener") && rel.contains("noreferrer"), "{rel}");
    assert_eq!(web.browser.css("main img").count(), 0);
}

#[test]
fn b126_control_characters_of_an_asker_are_made_visible() {
    let web = Web::start();
    let text = "a\u{1b}[2J\u{202e}b\u{7}\r\u{0}c";
    let id = web.host.post(&hostile(text).to_string());

    web.opens(&id);
    let script =
        "return [document.body.innerText, document.title, ...[...document.querySelectorAll('*')]
        .flatMap((it) => [it.title, it.ariaLabel, it.placeholder, it.ariaDescription])]";
    let shown = web.browser.run(script).to_string();
    for control in ["\\u001b", "\u{202e}", "\\u0007", "\\u0000"] {
        assert!(!shown.contains(control), "{control:?}");
    }
    assert!(!web.browser.title().contains('\u{202e}'));
    web.card().tick("plain").focuses().presses("<up><space>");
    web.card().goes_on();

    // The label is sent back byte for byte all the same.
    assert_eq!(web.answer(&id), json!({"answers": [{"id": text, "selected": [text]}]}));
}

#[test]
fn b099_labels_of_any_characters_come_back_byte_for_byte() {
    let web = Web::start();
    let labels = [
        "„DB“ ‘x’ «y»",
        "a\u{2028}b",
        r#"'"\ back"#,
        " spaces  inside ",
        "e\u{301}",
        "é",
        "0",
        "custom",
    ];
    let options: Vec<Value> = labels.iter().map(|it| json!({"label": it})).collect();
    let request = json!({"questions": [{"id": "q", "question": "„Which“?", "multiSelect": true, "options": options}]});
    let id = web.asks(&request.to_string());

    web.browser.run("document.querySelectorAll('.opt input[data-label], .opt input[data-label-json]').forEach((it) => it.click())");
    web.card().goes_on();

    assert_eq!(web.answer(&id), json!({"answers": [{"id": "q", "selected": labels}]}));
}

#[test]
fn b014_b015_b017_b131_the_askers_own_words_stay_apart() {
    let web = Web::start();
    let tone = web.asks(r#"{"questions":[{"id":"t","question":"Tone?","options":[{"label":"Formal"},{"label":"Other"},{"label":"Something else"}]}]}"#);
    assert!(web.card().field().is_shown());
    web.card().chooses("Other").goes_on();
    assert_eq!(web.answer(&tone), json!({"answers": [{"id": "t", "selected": ["Other"]}]}));

    let same = web.asks(r#"{"questions":[{"id":"a","question":"Keep?","detail":"file A","options":[{"label":"Yes"},{"label":"No"}]},{"id":"b","question":"Keep?","detail":"file B","options":[{"label":"Yes"},{"label":"No"}]}]}"#);
    web.card().chooses("Yes").question(1).wait_shown();
    web.card().chooses("No").0.css("#review").wait_shown();
    web.card().goes_on();
    let answers =
        json!({"answers": [{"id": "a", "selected": ["Yes"]}, {"id": "b", "selected": ["No"]}]});
    assert_eq!(web.answer(&same), answers);

    // A secret is not supported, and nothing pretends that it is.
    let secret = R1.replace(r#""question":"#, r#""intent":{"kind":"secret"},"question":"#);
    let secret = web.asks(&secret);
    assert_eq!(web.browser.css("input[type=password]").count(), 0);
    web.card().writes("hunter2").goes_on();
    assert_eq!(web.answer(&secret)["answers"][0]["custom"], "hunter2");

    let intent = R1.replace(r#""question":"#, r#""intent":{"kind":"approval"},"question":"#);
    let unknown = web.asks(&intent);
    assert_eq!(web.card().chosen(0), [""; 0]);
    web.browser.presses("<enter>");
    web.card().goes_on();
    web.browser.css("#error-0").wait_shown();
    assert_eq!(web.host.show(&unknown)["request"]["state"], "pending");
}

#[test]
fn b122_b123_a_page_of_another_site_reads_and_changes_nothing() {
    let web = Web::start();
    let id = web.host.post(R1);
    // Of another name of this machine, with the cookie of ours in the same browser.
    let port = web.address.rsplit(':').next().unwrap().to_owned();
    let foreign = format!("http://other.localhost:{port}/r/{id}");
    web.browser.open(&foreign).forgets_faults();
    assert!(!web.browser.text().contains("Which database?"));

    let script = "
        const [address, id] = arguments;
        const tries = [
            fetch(`${address}/api/v1/requests/${id}`, {credentials: 'include'}),
            fetch(`${address}/api/v1/requests/${id}/cancel`, {method: 'POST', credentials: 'include',
                mode: 'no-cors', body: '{}'}),
            fetch(`${address}/r/${id}`, {method: 'POST', credentials: 'include', mode: 'no-cors',
                headers: {'content-type': 'application/x-www-form-urlencoded'}, body: 'do=submit&q0.chosen=0'}),
        ];
        const done = await Promise.allSettled(tries);
        return await Promise.all(done.map(async (it) => it.status === 'rejected' ? '' : await it.value.text()));";
    // A page without our policy, as another site has.
    web.browser.open("data:text/html,foreign");
    let seen = web.browser.run_async(script, &[web.address.clone().into(), id.clone().into()]);

    // The browser itself says that it kept the page from them.
    web.browser.forgets_faults();
    assert!(!seen.to_string().contains("Which database?"), "{seen}");
    assert_eq!(web.host.show(&id)["request"]["state"], "pending");
}

#[test]
fn a_link_signs_in_once_and_a_page_without_a_session_shows_nothing() {
    let web = Web::start();
    let id = web.host.post(R1);
    let cookie = web.browser.open(web.page(&id)).cookies();
    assert_eq!(cookie.len(), 1, "{cookie:?}");
    assert_eq!((&cookie[0]["httpOnly"], &cookie[0]["sameSite"]), (&json!(true), &json!("Lax")));
    assert!(!cookie[0]["domain"].as_str().unwrap().starts_with('.'));
    assert_eq!(web.browser.run("return document.cookie"), json!(""));

    let link = super::link(&web.host);
    let stranger = Browser::start();
    stranger.open(web.page(&id));
    assert!(
        !stranger.text().contains("Which database?") && stranger.text().contains("askwell open")
    );
    // To look at a link uses nothing up; the button does.
    stranger.open(&link).reload();
    super::sign_in(&stranger, &link);
    web.opens_in(&stranger, &id);

    let late = Browser::start();
    late.open(&link);
    if late.css("main form button").is_shown() {
        late.css("main form button").clicks();
    }
    late.open(web.page(&id));
    assert!(!late.text().contains("Which database?"));
}

#[test]
fn a_device_is_listed_and_revoked() {
    let web = Web::start();
    let id = web.host.post(R1);
    let other = web.another(&Browser::builder());
    web.opens_in(&other, &id);

    web.browser.open(format!("{}/devices", web.address));
    assert_eq!(web.browser.css("form.device").count(), 2);
    web.browser.css("form.device:not(:has(.badge)) button").clicks();
    web.browser.wait_until("one left", |tab| tab.css("form.device").count() == 1);

    other.reload();
    assert!(!other.text().contains("Which database?"));
    web.opens(&id);
}

#[test]
fn the_pages_work_through_a_forwarded_port() {
    let host = Host::start();
    let link = super::link(&host);
    let (place, code) = link.split_once("/sign-in").unwrap();
    let (name, port) = place.rsplit_once(':').unwrap();
    let forwarded = forwards(port.parse().unwrap());
    let browser = Browser::start();
    super::sign_in(&browser, &format!("{name}:{forwarded}/sign-in{code}"));

    // Live, saved and answered, all of it through the other port.
    let id = host.post(R1);
    browser.css("#inbox a[data-state=pending]").clicks();
    let card = Card(&browser);
    card.writes("through the tunnel");
    host.wait_until("saved", &id, |shown| {
        shown["draft"]["questions"][0]["custom"] == "through the tunnel"
    });
    card.goes_on();

    let answers =
        json!({"answers": [{"id": "db", "selected": [], "custom": "through the tunnel"}]});
    assert_eq!(host.json(["wait", &id]), answers);
}

/// Forwards connections to this port of the machine, as ssh does; the port that it listens on.
fn forwards(port: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for near in listener.incoming().flatten() {
            let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else { continue };
            for (mut from, mut to) in
                [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)]
            {
                thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    own
}
