//! The language-neutral cases of drafts, done on a real page by clicks and keys.

use askwell_testkit::vectors::{Case, Kind, cases};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Card, Web};

#[test]
fn every_draft_case_holds_on_the_page() {
    let web = Web::start();
    for case in cases(Kind::Draft) {
        let id = web.asks(&json!({"questions": case.value["questions"]}).to_string());
        let run = Run { web: &web, card: web.card(), case: &case };
        for operation in case.value["operations"].as_array().unwrap() {
            run.does(operation);
        }
        run.holds(&id);
    }
}

struct Run<'a> {
    web: &'a Web,
    card: Card<'a>,
    case: &'a Case,
}

impl Run<'_> {
    fn place_of(&self, id: &Value) -> usize {
        let questions = self.case.value["questions"].as_array().unwrap();
        questions.iter().position(|question| question["id"] == *id).unwrap()
    }

    /// Goes to a question as a person does: from the review by its link, else step by step.
    fn shows(&self, place: usize) {
        for _ in 0..10 {
            if self.card.question(place).is_shown() {
                return;
            }
            let review = self.web.browser.css(format!("#review [data-goto=\"{place}\"] button"));
            if review.is_shown() {
                review.clicks();
                continue;
            }
            let before = (0..place).any(|it| self.card.question(it).is_shown());
            self.card.act(if before { "next-question" } else { "previous" }).clicks();
        }
        panic!("{}: question {place} is not to be reached", self.case.place());
    }

    fn does(&self, operation: &Value) {
        let place = self.place_of(&operation["question"]);
        self.shows(place);
        let (card, tab) = (self.card, &self.web.browser);
        let own = tab.css(format!("#q{place} input[value=custom]"));
        let skip = card.act("skip");
        let is_skipped = || tab.css(format!("#q{place} [data-skip]")).is_checked();
        match operation["op"].as_str().unwrap() {
            "choose" => {
                card.chooses(operation["label"].as_str().unwrap());
            }
            // A page without a field has none to type into.
            "type" if card.field_of(place).count() == 0 => {}
            "type" => {
                card.field_of(place).clicks().presses("<c-a>");
                match operation["text"].as_str().unwrap() {
                    "" => tab.presses("<delete>"),
                    text => tab.pastes(text),
                };
            }
            "openCustom" => {
                card.field_of(place).clicks();
            }
            "closeCustom" => {
                tab.presses("<esc>");
            }
            "toggleCustom" if own.count() == 0 => {}
            "toggleCustom" => {
                own.clicks();
            }
            "skip" if is_skipped() => {}
            "skip" => {
                skip.clicks();
            }
            "unskip" => {
                assert!(is_skipped(), "{}", self.case.place());
                skip.clicks();
            }
            all @ ("chooseAll" | "chooseNone") => {
                tab.css(format!("#q{place} input[data-label]")).focuses();
                card.takes_keys().0.presses(if all == "chooseAll" { "a" } else { "n" });
            }
            other => panic!("no such operation: {other}"),
        }
    }

    fn holds(&self, id: &str) {
        let (expect, place) = (&self.case.value["expect"], self.case.place());
        let kept = expect.get("kept").and_then(Value::as_object);
        for (question, text) in kept.into_iter().flatten() {
            let index = self.place_of(&json!(question));
            assert_eq!(json!(self.card.field_of(index).value()), *text, "{place}");
        }
        match expect.get("incomplete").and_then(Value::as_array) {
            Some(incomplete) => {
                let first = self.place_of(&incomplete[0]);
                if self.case.value["questions"].as_array().unwrap().len() > 1 {
                    assert_eq!(self.open_ones(), *incomplete, "{place}");
                }
                self.goes_on_until(|| self.web.browser.css(format!("#error-{first}")).is_shown());
                assert_eq!(self.web.host.show(id)["request"]["state"], "pending", "{place}");
            }
            None => {
                let is_gone = || !self.web.browser.url().contains(&format!("/r/{id}"));
                self.goes_on_until(|| is_gone() || self.web.browser.css("dialog").is_shown());
                assert_eq!(!is_gone(), kept.is_some(), "asked about kept text: {place}");
                if kept.is_some() {
                    self.web.browser.css("dialog [data-act=without]").clicks();
                }
                assert_eq!(self.web.answer(id), expect["answer"], "{place}");
            }
        }
    }

    /// The ids of what the review says is open.
    fn open_ones(&self) -> Vec<Value> {
        let review = self.web.browser.css("#review");
        while !review.is_shown() {
            self.card.act("next-question").clicks();
        }
        let script = "return [...document.querySelectorAll('#review [data-state=open]')]
            .map((it) => Number(it.dataset.goto))";
        let places = self.web.browser.run(script);
        let questions = &self.case.value["questions"];
        let ids = places.as_array().unwrap().iter().map(|place| {
            questions[usize::try_from(place.as_u64().unwrap()).unwrap()]["id"].clone()
        });
        ids.collect()
    }

    /// Presses the primary button, through further questions and the review.
    fn goes_on_until(&self, done: impl Fn() -> bool) {
        let script = "const parts = [...document.querySelectorAll('section.question, #review')];
            return parts.filter((it) => it.checkVisibility()).map((it) => it.id).join()";
        for _ in 0..6 {
            if done() {
                return;
            }
            let before = self.web.browser.run(script);
            self.card.goes_on();
            let what = format!("{} further", self.case.place());
            self.web.browser.wait_until(&what, |tab| done() || tab.run(script) != before);
        }
        assert!(done(), "{}", self.case.place());
    }
}
