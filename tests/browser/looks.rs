//! Every state of the pages in every window and for every eye: nothing sticks out, what is needed is in
//! view, and axe-core finds nothing. Pictures of all of it are kept in `target/browser/looks`.

use askwell_testkit::{Browser, Media, Tab};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{R1, R2, R3, Web};

/// What sticks out of the window to a side, outside of what scrolls or is cut on purpose.
const STICKS_OUT: &str = r"
    const width = document.documentElement.clientWidth;
    const name = (it) => `${it.tagName.toLowerCase()}.${it.className} ${it.textContent.slice(0, 40)}`;
    const cut = (it) => {
        for (let up = it.parentElement; up && !up.matches('main, body, .card, .card-body'); up = up.parentElement) {
            if (getComputedStyle(up).overflowX !== 'visible') return true;
        }
        return false;
    };
    const out = [...document.querySelectorAll('body *')].filter((it) => {
        if (!it.checkVisibility({visibilityProperty: true}) || it.closest('.visually-hidden, .to-main')) return false;
        const {left, right, width: own} = it.getBoundingClientRect();
        return own > 0 && (right > width + 1 || left < -1) && !cut(it);
    });
    const wide = [document.documentElement, ...document.querySelectorAll('.card, .card-body')]
        .filter((it) => it.scrollWidth > it.clientWidth + 1);
    return [...wide.map((it) => `scrolls: ${name(it)}`), ...out.map(name)];";

/// Whether the actions and the strip above are whole in the window.
const IN_VIEW: &str = r"
    const parts = [...document.querySelectorAll('.card-foot button.primary, .card-head .meta')];
    return parts.filter((it) => it.checkVisibility()).every((it) => {
        const {top, bottom} = it.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight + 1;
    });";

/// What is wrong with the page as it stands in its window.
fn misfits(tab: &Tab, what: &str) -> Vec<String> {
    let out = tab.run(STICKS_OUT);
    let mut faults: Vec<String> =
        out.as_array().unwrap().iter().map(|it| format!("{what}: {it}")).collect();
    if tab.css("#card").is_shown() && tab.run(IN_VIEW) != true {
        faults.push(format!("{what}: not in view, {:?}", tab.screenshot("not-in-view")));
    }
    faults
}

#[track_caller]
fn assert_fits(tab: &Tab, what: &str) {
    assert_eq!(misfits(tab, what), [""; 0]);
}

/// All at once that a card may have to hold: long, wide, right to left, unbroken.
fn full() -> String {
    let long = "w".repeat(300);
    let detail: String =
        (0..400).map(|line| format!("Line {line} of what was found.\n\n")).collect();
    let table = "| table | of | seven | columns | that | are | wide |\n|---|---|---|---|---|---|---|\n| aaaaaaaaaaaaaaaa | bbbbbbbbbbbbbbbbbbb | ccccccccccccccccc | ddddddddddddddddd | eeeeeeeeeeeeee | fffffffffffff | ggggggggg |\n";
    let code = format!("```\n{}\n```\n", "let it = scroll; ".repeat(30));
    let mut options: Vec<Value> = vec![
        json!({"label": "部署到生产环境 (Recommended)", "description": "数据库迁移之后立即部署，需要大约十分钟", "preview": code}),
        json!({"label": "الأولى", "description": "الخادم الرئيسي"}),
        json!({"label": "👩‍💻 dev 👨‍👩‍👧‍👦", "description": long}),
        json!({"label": long}),
    ];
    options.extend((0..96).map(|it| json!({"label": format!("Option {it}")})));
    json!({
        "questions": [
            {"id": "all", "header": long, "question": format!("哪些功能？ Which of these? {long}"),
             "detail": format!("{table}\n{code}\n{detail}"), "multiSelect": true, "options": options},
            {"id": "free", "question": "Anything else?"},
        ],
        "context": detail,
        "asker": {"name": long, "cwd": format!("/srv/{long}"), "chain": ["a", "b"]},
        "expiresInSeconds": 86400,
    })
    .to_string()
}

const PLAN: &str = r##"{"questions":[{"id":"plan","header":"Migration","question":"Go on with this plan?","detail":"# Plan\n\n1. Migrate the tables\n2. Delete the old ones\n\n```sql\ndrop table old;\n```","options":[{"label":"Ship it","description":"now"},{"label":"Hold"}],"intent":{"kind":"plan-review","approve":"Ship it"}}]}"##;
const CARD: &str = r#"{"questions":[{"id":"targets","header":"Scope","question":"Where should this ship?","detail":"The change touches `core::draft` and its vectors. Everything ticked is released together.","options":[{"label":"Code","description":"Tag and publish the crates."},{"label":"Docs (Recommended)","description":"Rebuild the site in both languages, so that the command line page shows the new flags and the old links keep working."},{"label":"Container"}],"multiSelect":true},{"id":"name","question":"A name for it?"}],"context":"What led to this.\n\n- one\n- two","asker":{"name":"claude-code","cwd":"/home/mara/src/askwell"},"expiresInSeconds":86400}"#;

const PREVIEWS: &str = r#"{"questions":[{"id":"layout","question":"Which layout?","options":[{"label":"Tabs","preview":"```\n┌───┐\n└───┘\n```"},{"label":"الأولى"}]},{"id":"name","question":"A name?"}]}"#;

/// A state and how a person gets there.
type State = (&'static str, fn(&Web));

const STATES: [State; 14] = [
    ("inbox-empty", |web| {
        web.inbox();
    }),
    ("card", |web| {
        web.asks(CARD);
    }),
    ("card-composed", |web| {
        web.asks(CARD);
        web.card()
            .chooses("Code")
            .chooses("Docs")
            .writes("Release notes, but only after Mara has read them");
        web.browser.wait_until("saved", |tab| !tab.css("[data-status]").text().is_empty());
    }),
    ("card-error", |web| {
        web.asks(R1);
        web.card().goes_on();
        web.browser.css("#error-0").wait_shown();
    }),
    ("card-kept", |web| {
        web.asks(R1);
        web.card().writes("in memory").chooses("SQLite");
    }),
    ("prompt-unsent", |web| {
        web.card().goes_on();
        web.browser.css("dialog").wait_shown();
    }),
    ("prompt-dismiss", |web| {
        web.asks(R1);
        web.card().writes("half").act("dismiss").clicks();
        web.browser.css("dialog").wait_shown();
    }),
    ("review", |web| {
        web.asks(R3);
        let card = web.card();
        card.chooses("Postgres").question(1).wait_shown();
        card.chooses("Auth").writes("also SSO").goes_on().question(2).wait_shown();
        card.act("skip").clicks();
        web.browser.css("#review").wait_shown();
    }),
    ("plan", |web| {
        web.asks(PLAN);
    }),
    ("answered", |web| {
        let id = web.host.post(R2);
        let run = web.host.run(["answer", &id, "--select", "Auth", "--custom", "also SSO"]);
        assert_eq!(run.code(), 0, "{run}");
        web.browser.open(web.page(&id));
    }),
    ("cancelled", |web| {
        let id = web.host.post(R2);
        web.host.run(["cancel", &id, "--comment", "explain first"]);
        web.browser.open(web.page(&id));
    }),
    ("nowhere", |web| {
        web.browser.open(format!("{}/nowhere", web.address));
    }),
    ("devices", |web| {
        web.browser.open(format!("{}/devices", web.address));
    }),
    ("inbox", |web| {
        web.host.post(R1);
        web.host.post(PLAN);
        web.host.post(CARD);
        web.inbox();
    }),
];

#[test]
fn b092_every_state_is_accessible_and_fits_every_window() {
    let web = Web::start();
    let tab = &web.browser;
    let mut faults = Vec::new();
    let mut axe = |what: String| {
        faults.extend(tab.axe().into_iter().map(|violation| format!("{what}: {violation:?}")));
    };
    let mut misfit = Vec::new();
    for (name, comes_there) in STATES {
        comes_there(&web);
        axe(format!("{name}, wide"));
        for (window, width, height) in
            [("wide", 1280, 800), ("low", 900, 380), ("least", 320, 480), ("narrow", 360, 640)]
        {
            tab.resizes(width, height);
            if window != "least" {
                tab.screenshot(&format!("looks/{name}-{window}"));
            }
            misfit.extend(misfits(tab, &format!("{name}, {window}")));
        }
        tab.prefers(&[Media::Dark]);
        axe(format!("{name}, narrow and dark"));
        tab.screenshot(&format!("looks/{name}-narrow-dark"));
        tab.resizes(1280, 800).screenshot(&format!("looks/{name}-wide-dark"));
        tab.prefers(&[]);
    }
    assert_eq!([faults, misfit].concat(), [""; 0]);
}

#[test]
fn b057_a_full_card_scrolls_inside_and_its_actions_stay_in_view() {
    let web = Web::start();
    let tab = &web.browser;
    let id = web.asks(&full());
    for (window, width, height) in
        [("wide", 1280, 800), ("low", 900, 380), ("short", 1280, 600), ("narrow", 360, 640)]
    {
        tab.resizes(width, height).run("document.querySelector('.card-body').scrollTo(0, 0)");
        tab.screenshot(&format!("looks/full-{window}"));
        assert_fits(tab, window);
        tab.css(".question textarea").evaluates("element.scrollIntoView()");
        tab.screenshot(&format!("looks/full-{window}-end"));
        assert_fits(tab, window);
    }
    tab.zooms_to_double(1280, 800);
    assert_fits(tab, "zoomed to 200 %");
    tab.assert_accessible("zoomed to 200 %");
    tab.becomes_phone();
    assert_fits(tab, "phone");
    let row = web.card().option("Option 95");
    row.evaluates("element.scrollIntoView({block: 'center'})");
    let height = row.place()[3];
    assert!(height >= 44.0, "a finger needs more than {height} pixels");
    row.taps();
    tab.wait_until("ticked by a finger", |_| web.card().chosen(0) == ["Option 95"]);
    web.card().goes_on().question(1).wait_shown();
    web.card().act("skip").taps();
    tab.css("#review").wait_shown();
    assert_fits(tab, "review on a phone");
    web.card().primary().taps();

    let answers = json!([{"id": "all", "selected": ["Option 95"]}, {"id": "free", "selected": []}]);
    assert_eq!(web.answer(&id)["answers"], answers);
}

#[test]
fn on_a_phone_the_buttons_stand_still_when_something_fails() {
    let web = Web::start();
    web.asks(R3);
    let (tab, card) = (web.browser.resizes(360, 640), web.card());
    let place = card.primary().place();
    tab.run("window.fetch = async () => new Response('{}', {status: 401})");

    card.writes("kept");

    tab.css("[data-status][data-state=failing]").wait_shown().wait_for("You are signed out");
    assert_eq!(card.primary().place(), place);
    assert_fits(tab, "signed out");
}

#[test]
fn previews_stand_beside_the_options_where_there_is_room_and_below_them_elsewhere() {
    let web = Web::start();
    web.asks(
        r#"{"questions":[{"id":"q","question":"Which?","options":[{"label":"A","preview":"`let a`"},{"label":"B","preview":"`let b`"}]}]}"#,
    );
    let tab = &web.browser;
    let option = || tab.css("#q0 .opt").place();
    let preview = || tab.css("#q0 .preview").place();
    assert!(preview()[0] >= option()[0] + option()[2], "{:?} {:?}", preview(), option());
    tab.wait_for("let a");
    web.card().tick("B").focuses();
    tab.wait_for("let b").wait_gone("let a");

    // Below its own option, also when that is touched.
    tab.resizes(360, 640);
    web.card().option("A").taps();
    tab.wait_for("let a").wait_gone("let b");
    assert!(preview()[1] >= option()[1] + option()[3], "{:?} {:?}", preview(), option());
    let other = tab.css("#q0 .opt").with_text("B").place();
    assert!(preview()[1] + preview()[3] <= other[1], "{:?} {other:?}", preview());
}

#[test]
fn the_field_grows_from_one_line_to_six_and_then_scrolls() {
    let web = Web::start();
    for (request, least) in [(R1, 1.0), (r#"{"questions":[{"id":"n","question":"Name?"}]}"#, 2.0)] {
        web.asks(request);
        let field = web.card().field();
        let lines = || {
            let script = "const style = getComputedStyle(element);
                const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
                return (element.clientHeight - padding) / parseFloat(style.lineHeight)";
            field.evaluates(script).as_f64().unwrap().round()
        };
        field.clicks();
        assert_eq!(lines(), least);
        web.browser.pastes("1\n2\n3\n4");
        assert_eq!(lines(), 4.0);
        web.browser.pastes("\n5\n6\n7\n8\n9");
        assert_eq!(lines(), 6.0);
        assert_eq!(
            field.evaluates("return element.scrollHeight > element.clientHeight"),
            json!(true)
        );
    }
}

#[test]
fn what_is_written_is_in_sight_beside_the_count() {
    let web = Web::with(&Browser::builder().size(900, 380));
    let options: Vec<Value> = (1..=12).map(|it| json!({"label": format!("Option {it}")})).collect();
    let question =
        json!({"id": "q", "question": "Which?", "multiSelect": true, "options": options});
    web.asks(&json!({"questions": [question]}).to_string());
    let field = web.card().field();
    let last_line = "const {left, bottom} = element.getBoundingClientRect();
        return document.elementFromPoint(left + 8, bottom - 8) === element";

    web.card().tick("Option 1").focuses().presses("<space>");
    field.focuses();
    assert_eq!(field.evaluates(last_line), json!(true));
    web.browser.pastes("1\n2\n3\n4");

    assert_eq!(field.evaluates(last_line), json!(true));
}

#[test]
fn b092_choices_and_focus_show_without_colours_of_ours() {
    let web = Web::start();
    web.asks(R2);
    web.card().chooses("Auth");
    web.browser.prefers(&[Media::ForcedColours]).screenshot("looks/forced-colours");
    let outline = |label: &str| {
        let script = "const row = getComputedStyle(element.closest('.opt'));
            return [row.outlineStyle, row.borderTopWidth, row.borderTopColor, element.checked]";
        web.card().tick(label).evaluates(script)
    };
    assert_ne!(outline("Auth"), outline("Search"));
    // The box itself is drawn by the system, and says so without any colour.
    let script = "return getComputedStyle(element).appearance";
    assert_ne!(web.card().tick("Auth").evaluates(script), json!("none"));
    web.card().tick("Search").focuses().presses("<tab>");
    let focused = "const style = getComputedStyle(document.activeElement.closest('.opt, button'));
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2";
    assert_eq!(web.browser.run(focused), json!(true));

    // A theme whose colours are not there hides nothing.
    web.browser.prefers(&[]).run(
        "for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) {
            if (rule.selectorText !== ':root') continue;
            for (const name of [...rule.style]) {
                if (name.startsWith('--')) document.documentElement.style.setProperty(name, 'initial');
            }
        }",
    );
    web.browser.screenshot("looks/without-colours");
    web.browser.assert_accessible("without custom properties");
}

#[test]
fn nothing_moves_for_who_asked_for_no_motion() {
    let web = Web::start();
    web.browser.prefers(&[Media::ReducedMotion]);
    web.asks(R3);
    web.card().chooses("SQLite").question(1).wait_shown();
    let moving =
        "return document.getAnimations().map((it) => it.animationName ?? it.transitionProperty)";
    assert_eq!(web.browser.run(moving), json!([]));
    let smooth = "return [...document.querySelectorAll('*')]
        .filter((it) => getComputedStyle(it).scrollBehavior === 'smooth').length";
    assert_eq!(web.browser.run(smooth), json!(0));
}

#[test]
fn a_collapsed_card_keeps_its_draft_and_shows_its_errors() {
    let web = Web::start();
    let id = web.asks(R1);
    let card = web.card();
    card.goes_on().act("collapse").clicks();
    let error = web.browser.css(".strip-error");
    assert!(error.is_shown() && !error.text().is_empty());
    card.act("collapse").clicks();
    card.writes("kept").act("collapse").clicks();
    assert!(!card.question(0).is_shown());
    assert_eq!(card.act("collapse").attribute("aria-expanded").as_deref(), Some("false"));
    web.browser.assert_accessible("collapsed");

    card.act("collapse").clicks();
    assert_eq!(card.field().value(), "kept");
    card.goes_on();
    assert_eq!(web.answer(&id)["answers"][0]["custom"], "kept");
}

#[test]
fn without_javascript_a_telephone_shows_all_of_it() {
    let web = Web::with(&Browser::builder().without_javascript().size(360, 640));
    let tab = &web.browser;
    web.asks(CARD);
    assert_fits(tab, "card");
    tab.screenshot("looks/without-javascript");
    web.card().goes_on();
    tab.css("#errors").wait_shown();
    assert_fits(tab, "errors");
    tab.screenshot("looks/without-javascript-errors");
}

#[test]
fn a_page_whose_scripts_never_come_is_an_accessible_form() {
    let web = Web::start();
    let (tab, id) = (&web.browser, web.host.post(R3));
    tab.devtools("Network.enable", &json!({}));
    tab.devtools("Network.setBlockedURLs", &json!({"urls": ["*.js"]}));

    tab.open(web.page(&id)).assert_accessible("card");
    let card = web.card();
    card.chooses("SQLite").chooses("Auth").goes_on();
    tab.css("#errors").wait_shown();
    tab.assert_accessible("errors");
    tab.css("[value=skip-rest]").clicks();
    tab.css("[value=skip-rest-yes]").wait_shown();
    tab.assert_accessible("skip the rest");
    tab.css("[value=skip-rest-yes]").clicks();
    tab.css("#review").wait_shown();
    tab.assert_accessible("review");
    card.goes_on();

    let answers = json!({"answers": [
        {"id": "db", "selected": ["SQLite"]},
        {"id": "feat", "selected": ["Auth"]},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(web.answer(&id), answers);
}

#[test]
fn the_card_stands_still_whatever_it_holds() {
    let web = Web::start();
    let card = web.card();
    let foot = || web.browser.css(".card-foot").place();
    web.asks(CARD);
    let (stands, help) = (foot(), web.browser.css("[data-act=help]").place());

    card.chooses("Code");
    web.browser.css("[data-status]").with_text("Draft saved").wait_shown();
    assert_eq!((foot(), web.browser.css("[data-act=help]").place()), (stands, help));
    card.goes_on().question(1).wait_shown();
    assert_eq!(foot(), stands);

    // Nor does it with what another request holds.
    web.asks(PREVIEWS);
    assert_eq!(foot(), stands);
    assert_eq!(web.browser.css(".preview").count(), 1);
}

#[test]
fn a_row_runs_as_its_label_does() {
    let web = Web::start();
    web.asks(PREVIEWS);

    for (row, is_mirrored) in [(1, false), (2, true)] {
        let part = |part: &str| web.browser.css(format!(".opt:nth-of-type({row}) {part}"));
        let (box_at, number_at) = (part("input").place()[0], part("kbd").place()[0]);
        assert_eq!(box_at > number_at, is_mirrored, "row {row}");
    }
}
