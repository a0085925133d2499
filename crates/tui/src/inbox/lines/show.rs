//! What is read out: the list by who asks, how a request ended, the help, and the words after which a
//! line is typed.

use askwell_core::State;
use askwell_core::facts;
use askwell_core::text::{sanitize_line, truncate};
use askwell_core::wire::RequestSummary;

use super::super::{Place, Row, Target, Text};
use super::{Due, Part, PlainInbox};
use crate::plain::page::INDENT;
use crate::plain::{NAME, SAID_BACK};
use crate::view::theme::Theme;
use crate::view::{listing, settled, strip};

/// So many requests are read out at once.
const PAGE: usize = 20;
/// So much of a question stands in the list; all of it is read out where it is opened.
const QUESTION: usize = 160;

const HELP: [&str; 7] = [
    "plain-inbox-help-open",
    "plain-inbox-help-list",
    "plain-inbox-help-more",
    "plain-inbox-help-search",
    "plain-inbox-help-clear",
    "plain-inbox-help-new",
    "plain-inbox-help-leave",
];

impl PlainInbox<'_> {
    /// Those of the list that have no number yet, in order.
    pub(super) fn unread(&mut self) -> Vec<Row> {
        self.inbox.prepare();
        let rows = self.inbox.rows.iter().filter(|row| match row {
            Row::Waiting(_) => self.part == Part::Waiting,
            Row::Settled(_) => self.part == Part::Ended,
            Row::Blank | Row::Part(_) | Row::Asker(_) | Row::More => false,
        });
        let target = |row: &Row| row.target(&self.inbox.requests);
        rows.filter(|row| target(row).is_none_or(|it| !self.numbered.contains(&it)))
            .copied()
            .collect()
    }

    pub(super) fn show_list(&mut self, due: Due) {
        if due == Due::Anew {
            self.numbered.clear();
            self.page.blank();
        }
        let unread = self.unread();
        let rest = unread.len().saturating_sub(PAGE);
        let shown: Vec<Target> =
            unread.iter().take(PAGE).filter_map(|row| row.target(&self.inbox.requests)).collect();
        if due == Due::Anew {
            self.show_counts();
        }
        if due == Due::Anew && shown.is_empty() {
            return self.show_empty();
        }
        // An asker, or a part, is told before the first of its requests.
        let mut heads = Vec::new();
        for row in self.inbox.rows.clone() {
            let Some(target) = row.target(&self.inbox.requests) else {
                if let Row::Part(_) = row {
                    heads.clear();
                }
                heads.retain(|head| !matches!((head, row), (Row::Asker(_), Row::Asker(_))));
                heads.push(row);
                continue;
            };
            if shown.contains(&target) {
                for head in std::mem::take(&mut heads) {
                    self.show_head(head);
                }
                self.numbered.push(target);
                self.show_row(row);
            }
        }
        if rest > 0 {
            let rest = [("count", rest.into())];
            self.page.own(&self.inbox.messages.with("plain-inbox-rest", rest));
        } else if self.has_earlier() {
            self.page.own(&self.inbox.messages.get("plain-inbox-earlier"));
        }
        for target in shown {
            if let Target::Waiting(id) = target {
                self.inbox.fresh.remove(&id);
                self.told.remove(&id);
            }
        }
    }

    /// Whether the host has more of what has ended.
    fn has_earlier(&self) -> bool {
        self.part == Part::Ended && self.inbox.rows.contains(&Row::More)
    }

    /// How many there are, or were found.
    fn show_counts(&mut self) {
        let messages = &self.inbox.messages;
        let mut told = Vec::new();
        if !self.inbox.filter.is_empty() {
            let filter = sanitize_line(self.inbox.filter.text()).into_owned();
            let found = self.unread().len();
            let values = [("filter", filter.into()), ("count", found.into())];
            let messages = &self.inbox.messages;
            told.push(messages.with("inbox-status-filter", values));
        } else if self.part == Part::Waiting {
            let requests = &self.inbox.requests;
            let id = if requests.is_whole() { "page-waiting" } else { "inbox-many" };
            told.push(messages.with(id, [("count", requests.count().into())]));
            let away = |it: &&RequestSummary| it.state == State::Pending && it.away_since.is_some();
            let away = requests.waiting().iter().filter(away).count();
            if away > 0 {
                told.push(messages.with("inbox-away", [("count", away.into())]));
            }
        }
        if !told.is_empty() {
            self.page.own(&told.join(&self.inbox.messages.get("plain-between")));
        }
    }

    fn show_empty(&mut self) {
        let messages = &self.inbox.messages;
        let filter = sanitize_line(self.inbox.filter.text()).into_owned();
        let texts = match self.part {
            Part::Waiting if !filter.is_empty() => {
                vec![messages.with("plain-inbox-nothing-matches", [("filter", filter.into())])]
            }
            Part::Waiting => vec![
                messages.get("page-empty"),
                messages.get("inbox-empty-what"),
                messages.get("inbox-empty-try"),
                listing::TRY.to_owned(),
            ],
            Part::Ended => vec![messages.get("plain-inbox-none-ended")],
        };
        texts.iter().for_each(|text| self.page.own(text));
    }

    fn show_head(&mut self, row: Row) {
        match row {
            Row::Part(name) => {
                self.page.blank();
                self.page.own(&self.inbox.messages.get(name));
            }
            Row::Asker(at) => {
                let request = &self.inbox.requests.waiting()[at];
                let who = facts::who(request);
                let messages = &self.inbox.messages;
                let theme = self.theme();
                let name = strip::who(messages, &theme, who.name.as_deref(), who.verified, NAME);
                let text = match who.folder {
                    Some(folder) => {
                        let folder = sanitize_line(folder).into_owned();
                        let values = [("name", name.into()), ("folder", folder.into())];
                        messages.with("plain-asked-in", values)
                    }
                    None => messages.with("plain-asked-by", [("name", name.into())]),
                };
                self.page.own(&text);
            }
            Row::Blank | Row::Waiting(_) | Row::Settled(_) | Row::More => {}
        }
    }

    /// The number, the question, and what is to be known of it below.
    fn show_row(&mut self, row: Row) {
        let now = self.inbox.requests.host_time(self.inbox.now);
        let (request, told) = match row {
            Row::Waiting(at) => {
                let request = &self.inbox.requests.waiting()[at];
                (request, listing::waiting_facts(self.inbox, request, now))
            }
            Row::Settled(at) => {
                let request = &self.inbox.requests.settled()[at];
                (request, listing::settled_facts(self.inbox, &self.theme(), request, now))
            }
            Row::Blank | Row::Part(_) | Row::Asker(_) | Row::More => return,
        };
        let mut title = sanitize_line(&request.question).into_owned();
        if let Some(header) = &request.header {
            title = format!("{}{}{title}", sanitize_line(header), self.colon());
        }
        let title = truncate(&title, QUESTION).into_owned();
        let number = format!("{:>3}. ", self.numbered.len());
        let indent = number.len();
        // Further to the right than the facts, so that it can't be taken for them.
        self.page.after(&number, indent + INDENT, &title);
        let told = told.join(&self.inbox.messages.get("plain-labels-between"));
        self.page.quoted(indent, &told);
    }

    /// How a request ended, and what was entered. The list is there again after it.
    pub(super) fn show_reading(&mut self) {
        let place = std::mem::replace(&mut self.inbox.place, Place::List);
        let Place::Reading(reading) = place else { return };
        if let Text::Settled { settled, typed } = &reading.text {
            self.page.blank();
            let columns = self.page.room(INDENT);
            let messages = &self.inbox.messages;
            let lines = settled::lines(settled, typed.as_ref(), messages, columns, &self.theme());
            for (row, line) in lines.iter().enumerate() {
                // Our own words stand first; what others wrote is further to the right.
                self.page.row(if row == 0 { 0 } else { INDENT }, &line.to_string());
            }
        }
    }

    pub(super) fn show_confirm(&mut self) {
        let question = self.inbox.question_to_confirm().unwrap_or_default();
        let question = truncate(&sanitize_line(question), QUESTION).into_owned();
        let own = format!("{}{}", self.inbox.messages.get("plain-inbox-confirm"), self.colon());
        self.page.after(&own, INDENT, &question);
    }

    pub(super) fn show_help(&mut self) {
        self.page.blank();
        for id in HELP {
            self.page.own(&self.inbox.messages.get(id));
        }
    }

    pub(super) fn no_number(&mut self, number: u32) {
        let values = [("number", number.into())];
        self.page.own(&self.inbox.messages.with("plain-inbox-no-number", values));
        self.flush = true;
    }

    /// A line that means nothing here. What was typed after it was meant for something else, too.
    pub(super) fn not_understood(&mut self, line: &str) {
        let line = sanitize_line(line.trim());
        let line = truncate(&line, SAID_BACK).into_owned();
        self.page.own(&self.inbox.messages.with("plain-unknown", [("line", line.into())]));
        self.flush = true;
    }

    /// The words after which a line is typed.
    pub(super) fn prompt_words(&mut self) -> String {
        let ids = if self.inbox.confirm.is_some() {
            vec!["plain-inbox-key-yes"]
        } else {
            let mut ids = Vec::new();
            if !self.numbered.is_empty() {
                ids.push("plain-inbox-key-open");
            }
            if !self.unread().is_empty() || self.has_earlier() {
                ids.push("plain-inbox-key-more");
            }
            if self.part == Part::Ended {
                ids.push("plain-inbox-key-list");
            }
            ids.extend(["plain-inbox-key-leave", "plain-key-help"]);
            ids
        };
        let words: Vec<String> = ids.into_iter().map(|id| self.inbox.messages.get(id)).collect();
        let words = words.join(&self.inbox.messages.get("plain-between"));
        format!("{words}{}", self.colon()).trim_end().to_owned()
    }

    fn theme(&self) -> Theme {
        Theme::new(false, self.inbox.options.ascii)
    }

    fn colon(&self) -> String {
        self.inbox.messages.get("plain-colon")
    }
}
