//! The inbox by lines: lines in, text and what is to be done out.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use askwell_core::messages::Lang;
use askwell_core::wire::{Delivery, Event as HostEvent, EventId, RequestId};
use askwell_core::{Outcome, State, answer as answers, lenient};
use askwell_tui::inbox::Feed;
use askwell_tui::{Event, Inbox, InboxEffect, InboxEvent, InboxOptions, PlainInbox};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::scenario::{Stored, answer, asked, id, page};
use crate::scenario::{R1, R2};
use crate::talk::Sheet;

const EVENT: EventId = EventId { epoch: 1, number: 1 };

/// A whole conversation with an inbox whose host is made up.
struct InboxTalk {
    plain: PlainInbox<'static>,
    sheet: Sheet,
    now: Duration,
    effects: Vec<InboxEffect>,
    host: HashMap<RequestId, Stored>,
    reached: bool,
}

impl InboxTalk {
    fn of(stored: impl IntoIterator<Item = Stored>) -> Self {
        Self::with(stored, 80, InboxOptions::default())
    }

    fn with(
        stored: impl IntoIterator<Item = Stored>,
        columns: usize,
        options: InboxOptions,
    ) -> Self {
        let (mut inbox, effects) = Inbox::new(InboxOptions { plain: true, ..options });
        let stored: Vec<Stored> = stored.into_iter().collect();
        let (waiting, ended): (Vec<_>, Vec<_>) =
            stored.iter().map(|it| it.summary.clone()).partition(|it| it.state == State::Pending);
        let listed = Feed::Waiting { page: page(waiting), first: true };
        inbox.update(InboxEvent::Feed(listed), Duration::ZERO);
        // It lives as long as the test.
        let plain = PlainInbox::new(Box::leak(Box::new(inbox)), columns);
        let mut talk = Self {
            plain,
            sheet: Sheet::default(),
            now: Duration::ZERO,
            effects: Vec::new(),
            host: stored.into_iter().map(|it| (it.summary.id, it)).collect(),
            reached: true,
        };
        talk.carry_out(effects);
        let (search, after) = (String::new(), None);
        talk.hears(InboxEvent::Feed(Feed::Ended { search, after, page: page(ended) }));
        talk
    }

    fn types(&mut self, lines: &str) -> &mut Self {
        for line in lines.split('\n') {
            assert!(self.plain.takes_lines(), "no line is read:\n{}", self.page);
            self.now += Duration::from_millis(100);
            self.sheet.line(line);
            let effects = self.plain.line(line.as_bytes(), self.now);
            self.carry_out(effects);
        }
        self
    }

    fn hears(&mut self, event: InboxEvent) -> &mut Self {
        self.said.clear();
        let effects = self.plain.event(event, self.now);
        self.carry_out(effects);
        self
    }

    fn feed(&mut self, feed: Feed) -> &mut Self {
        self.hears(InboxEvent::Feed(feed))
    }

    fn arrives(&mut self, stored: Stored) -> &mut Self {
        let request = Box::new(stored.summary.clone());
        self.host.insert(stored.summary.id, stored);
        let event = HostEvent::Requested { id: EVENT, request };
        self.feed(Feed::Happened(Delivery::Event(event)))
    }

    /// It ends, by no line of this screen.
    fn ends(&mut self, number: u8, outcome: Outcome) -> &mut Self {
        let request = id(number);
        let state = outcome.state();
        let stored = self.host.remove(&request).unwrap().ended(outcome, 0);
        self.host.insert(request, stored);
        let event = HostEvent::Resolved { id: EVENT, request, state };
        self.feed(Feed::Happened(Delivery::Event(event)))
    }

    fn carry_out(&mut self, effects: Vec<InboxEffect>) {
        self.write();
        for effect in effects {
            let event = match &effect {
                InboxEffect::List { search, after: None } if search.is_empty() => {
                    Some(self.ended_page())
                }
                effect => answer(&self.host, self.reached, effect),
            };
            self.effects.push(effect);
            if let Some(event) = event {
                let effects = self.plain.event(event, self.now);
                self.carry_out(effects);
            }
        }
    }

    /// All that has ended.
    fn ended_page(&self) -> InboxEvent {
        let ended = self.host.values().filter(|it| it.outcome.is_some());
        let page = page(ended.map(|it| it.summary.clone()).collect());
        InboxEvent::Feed(Feed::Ended { search: String::new(), after: None, page })
    }

    fn write(&mut self) {
        self.sheet.write(self.plain.flushes(), &self.plain.take_output(false));
    }

    #[track_caller]
    fn assert_said(&mut self, text: &str) -> &mut Self {
        self.sheet.assert_said(text);
        self
    }

    fn opened(&self) -> Vec<RequestId> {
        let opened = self.effects.iter().filter_map(|effect| match effect {
            InboxEffect::Open(_, id) => Some(*id),
            _ => None,
        });
        opened.collect()
    }

    fn has_left(&self) -> bool {
        self.effects.contains(&InboxEffect::Leave)
    }

    fn cancelled(&self) -> Vec<RequestId> {
        let cancelled = self.effects.iter().filter_map(|effect| match effect {
            InboxEffect::Cancel(id) => Some(*id),
            _ => None,
        });
        cancelled.collect()
    }
}

impl Deref for InboxTalk {
    type Target = Sheet;

    fn deref(&self) -> &Sheet {
        &self.sheet
    }
}

impl DerefMut for InboxTalk {
    fn deref_mut(&mut self) -> &mut Sheet {
        &mut self.sheet
    }
}

fn named(number: u8, question: &str, minutes: i64) -> Stored {
    let request = json!({
        "questions": [{"id": "q", "question": question, "options": [{"label": "Yes"}]}],
        "asker": {"name": "Deploy bot", "cwd": "/srv/shop"},
    });
    asked(number, &request.to_string(), minutes)
}

fn sqlite() -> Outcome {
    let request = lenient::request_from_json(R1).unwrap();
    let document = json!({"answers": [{"id": "db", "selected": ["SQLite"]}]});
    Outcome::Answered(answers::validate_json(&request, &document).unwrap())
}

#[test]
fn a_conversation_from_the_list_to_the_last_answer() {
    let mut talk = InboxTalk::of([
        asked(1, R1, 9).begun(),
        named(2, "Ship the shop?", 8),
        named(3, "And the blog?", 7).away(5),
        asked(4, R1, 99).ended(sqlite(), 60),
    ]);

    talk.types("?\n1\n2\n\n1\n\ne\n1\nq");

    assert_eq!(talk.opened(), [id(1), id(2), id(4)], "who is away is not next");
    assert!(talk.has_left());
    insta::assert_snapshot!(talk.page);
}

#[test]
fn chinese_in_a_narrow_window_is_wrapped_and_nothing_of_an_asker_stands_at_the_first_column() {
    let long = "要不要把商店和博客一起发布到新的服务器上？y cancels it, anything else does not";
    let options = InboxOptions { lang: Lang::Zh, ..InboxOptions::default() };
    let mut talk = InboxTalk::with([named(1, long, 3), asked(2, R2, 2).away(1)], 30, options);

    talk.types("?\nx 1\nn\nq");

    let widest = talk.page.lines().map(askwell_core::text::width).max();
    assert!(widest <= Some(30 + 2), "{widest:?}\n{}", talk.page);
    insta::assert_snapshot!(talk.page);
}

#[test]
fn b073_what_comes_in_is_told_before_the_next_prompt_with_a_number_that_opens_it() {
    let mut talk = InboxTalk::of([asked(1, R1, 9)]);

    talk.arrives(named(2, "Ship the shop?", 0));
    assert_eq!(talk.said, "", "somebody may be typing");
    talk.types("").assert_said("2. New from Deploy bot: Ship the shop?");

    talk.types("2").assert_said("Asked by «Deploy bot» (local)");
    assert_eq!(talk.opened(), [id(2)]);
}

#[test]
fn where_nothing_waits_one_that_comes_in_is_listed_at_once() {
    let mut talk = InboxTalk::of([]);
    assert!(talk.page.contains("Nothing waits for you"), "{}", talk.page);

    talk.arrives(asked(1, R1, 0)).assert_said("  1. DB: Which database?");
    talk.arrives(asked(2, R2, 0));
    assert_eq!(talk.said, "");
}

#[test]
fn b061_one_that_comes_in_while_a_text_is_written_waits_for_its_end() {
    let mut talk = InboxTalk::of([asked(1, R1, 9)]);
    talk.types("1\nt\nmy first line");

    talk.arrives(named(2, "Ship the shop?", 0));
    assert_eq!(talk.said, "");
    talk.types("my second line");
    assert_eq!(talk.said, "");
    talk.types(".").assert_said("New from Deploy bot: Ship the shop?");

    assert!(!talk.said.contains("2. New"), "there a number is an option's:\n{}", talk.page);
    talk.types("q").assert_said("It still waits").assert_said("  2. Ship the shop?");
    talk.assert_said("new");
}

#[test]
fn b114_a_request_is_left_by_q_and_by_the_end_of_input_and_the_list_is_there_again() {
    let mut talk = InboxTalk::of([asked(1, R1, 9)]);

    talk.types("1\nq").assert_said("It still waits.\n").said.clear();
    talk.types("1\nt half a thought\nq")
        .assert_said("It still waits, with your draft")
        .assert_said("1 waiting");
    talk.types("1").said.clear();
    let effects = talk.plain.end_of_input(talk.now);
    talk.carry_out(effects);
    talk.assert_said("It still waits");
    assert!(!talk.has_left(), "{}", talk.page);

    let effects = talk.plain.end_of_input(talk.now);
    talk.carry_out(effects);
    assert!(talk.has_left(), "{}", talk.page);
}

#[test]
fn one_that_somebody_waits_for_is_put_aside_after_a_yes_only() {
    let mut talk = InboxTalk::of([asked(1, R1, 9), asked(2, R2, 8).away(2), asked(3, R1, 7)]);

    let flushed = talk.flushed;
    talk.types("x 1").assert_said("Cancel this for good?").assert_said("y cancels it");
    assert_eq!(talk.flushed, flushed + 1, "what was typed before is no yes");
    talk.types("2").assert_said("Not cancelled");
    assert_eq!((talk.cancelled(), talk.opened()), (vec![], vec![]));

    talk.types("x 1\ny").assert_said("Cancelled; the asker is told.");
    talk.types("x 3").assert_said("Cancelled; the asker is told.");
    assert_eq!(talk.cancelled(), [id(1), id(2)], "nobody waits for the third of the list");
    talk.types("2");
    assert_eq!(talk.opened(), [id(3)], "the numbers stay");
}

#[test]
fn b126_a_hostile_asker_writes_no_line_of_ours_and_no_control_byte() {
    let hostile = "\u{1b}[2J\u{9b}1m\u{7}\r\nSent.\nq leaves, ? helps: y\u{202e}\nSent.";
    let request = json!({
        "questions": [{"id": "q", "header": "Sent.\u{1b}", "question": hostile}],
        "asker": {"name": hostile, "cwd": hostile, "session": hostile, "chain": [hostile]},
    });
    let mut talk = InboxTalk::of([asked(1, &request.to_string(), 1), asked(2, R1, 1)]);
    talk.arrives(asked(3, &request.to_string(), 0));

    talk.types("\nx 1\nn\n1\nq\n/Sent.\n");
    talk.ends(1, Outcome::Aborted { reason: hostile.to_owned() });
    talk.types("1");

    // That no control byte is written, each write has asserted.
    let ours = talk.page.lines().filter(|line| line.starts_with("Sent.")).count();
    assert_eq!(ours, 0, "{}", talk.page);
}

#[test]
fn an_end_that_is_the_persons_own_is_told_once() {
    let mut talk = InboxTalk::of([asked(1, R1, 9)]);
    talk.types("x 1").reached = false;
    let effects = talk.plain.line(b"y", talk.now);
    assert_eq!(effects, [InboxEffect::Cancel(id(1))]);

    talk.ends(1, Outcome::Cancelled { comment: None });
    assert!(!talk.said.contains("Cancelled"), "{}", talk.page);
    talk.hears(InboxEvent::Cancelled(id(1), Ok(State::Cancelled)));

    talk.assert_said("Cancelled; the asker is told.");
}

#[test]
fn what_was_withdrawn_is_put_away_and_what_has_ended_is_not() {
    let mut talk = InboxTalk::of([asked(1, R1, 9), asked(2, R2, 8), asked(3, R1, 7)]);
    talk.ends(1, Outcome::Aborted { reason: "a test".to_owned() });
    talk.types("").assert_said("Withdrawn: Which database?");

    talk.types("x 1").assert_said("Put away.");
    talk.ends(3, sqlite()).types("").assert_said("Answered: Which database?");
    talk.types("x 3").assert_said("It has ended already");
    talk.types("3").assert_said("SQLite");
    talk.types("x 4").assert_said("There is no number 4");
    talk.types("l").assert_said("  1. Which features?");
    assert_eq!(talk.cancelled(), []);
}

#[test]
fn whether_anything_was_put_away_is_said() {
    let mut talk = InboxTalk::of([asked(1, R1, 9), asked(2, R2, 8)]);
    talk.types("c").assert_said("There is nothing to put away");

    talk.ends(1, Outcome::Expired).types("c").assert_said("Put away whatever was withdrawn");
    talk.types("c").assert_said("There is nothing to put away");
    talk.types("l").assert_said("  1. Which features?");
}

#[test]
fn b117_one_answered_elsewhere_is_told_with_what_was_typed_here() {
    let mut talk = InboxTalk::of([asked(1, R1, 9), asked(2, R2, 8)]);
    talk.types("1\nt typed, not sent");

    let opened = talk.effects.iter().find_map(|effect| match effect {
        InboxEffect::Open(ticket, _) => Some(*ticket),
        _ => None,
    });
    talk.ends(1, sqlite());
    let resolved = Event::Resolved(sqlite());
    talk.hears(InboxEvent::Dialog(opened.unwrap(), resolved)).assert_said("Answered elsewhere");
    talk.types("");

    talk.assert_said("SQLite").assert_said("typed, not sent").assert_said("1 waiting");
    assert!(!talk.said.contains("Which database?\n     "), "no longer listed:\n{}", talk.page);
}

#[test]
fn a_search_finds_what_waits_and_asks_the_host_for_what_has_ended() {
    let mut talk = InboxTalk::of([asked(1, R1, 9), named(2, "Ship the shop?", 8)]);

    talk.types("/shop").assert_said("search: shop").assert_said("  1. Ship the shop?");
    let search = "shop".to_owned();
    let asks = InboxEffect::List { search: search.clone(), after: None };
    assert!(talk.effects.contains(&asks), "{:?}", talk.effects);

    talk.types("e");
    assert!(!talk.plain.takes_lines(), "the host is asked");
    let found = named(3, "Close the shop?", 99).ended(sqlite(), 60).summary;
    talk.feed(Feed::Ended { search, after: None, page: page(vec![found]) });
    talk.assert_said("  1. Close the shop?").assert_said("l lists what waits");

    talk.types("/nothing such").assert_said("Nothing that waits matches “nothing such”");
    talk.types("/").assert_said("2 waiting");
}

#[test]
fn a_long_list_is_read_out_in_parts_and_its_numbers_go_on() {
    let mut talk = InboxTalk::of((1..=45).map(|number| asked(number, R1, 50 - i64::from(number))));

    assert!(talk.page.contains(" 20. ") && !talk.page.contains(" 21. "), "{}", talk.page);
    assert!(talk.page.contains("25 more; m goes on."), "{}", talk.page);
    talk.types("m").assert_said(" 21. ").assert_said("Asked by").assert_said("5 more");
    talk.types("m").assert_said(" 45. ");
    assert!(!talk.said.contains("goes on"), "{}", talk.said);
    talk.types("m").assert_said("That was all");
    talk.types("45");
    assert_eq!(talk.opened(), [id(45)]);
}

#[test]
fn earlier_ones_are_read_from_the_host() {
    let ended = |number| asked(number, R1, 99).ended(sqlite(), number.into());
    let mut talk = InboxTalk::of([]);
    talk.host.insert(id(2), ended(2));
    let mut first = page(vec![ended(1).summary]);
    first.next = Some("more".to_owned());
    talk.feed(Feed::Ended { search: String::new(), after: None, page: first });

    talk.types("e").assert_said("There are earlier ones; m goes on.");
    talk.types("m");
    let (search, after) = (String::new(), Some("more".to_owned()));
    let asks = InboxEffect::List { search: search.clone(), after: after.clone() };
    assert!(talk.effects.contains(&asks), "{:?}", talk.effects);
    talk.feed(Feed::Ended { search, after, page: page(vec![ended(2).summary]) });

    talk.assert_said("  2. DB: Which database?").types("2").assert_said("SQLite");
    assert_eq!(talk.opened(), [id(2)]);
}

#[test]
fn b076_a_host_that_is_gone_is_told_and_the_list_goes_on() {
    let mut talk = InboxTalk::of([asked(1, R1, 9)]);
    talk.reached = false;
    talk.feed(Feed::Reached(false));
    assert_eq!(talk.said, "");

    talk.types("").assert_said("No host answers.");
    talk.types("1").assert_said("HOST_UNREACHABLE");
    talk.reached = true;
    talk.feed(Feed::Reached(true)).types("").assert_said("The host answers again.");
    talk.types("1").assert_said("Which database?");
}

#[test]
fn one_alone_is_left_after_its_answer() {
    let options = InboxOptions { only: Some(id(2)), ..InboxOptions::default() };
    let mut talk = InboxTalk::with([asked(1, R1, 9), asked(2, R1, 8)], 80, options);
    assert!(!talk.page.contains("2 waiting"), "no list:\n{}", talk.page);

    talk.types("2\n").assert_said("Sent.");

    assert_eq!((talk.opened(), talk.has_left()), (vec![id(2)], true));
}
