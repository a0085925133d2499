//! That requests wait for a person.

use askwell_core::facts;
use askwell_core::messages::Messages;
use askwell_core::text::{sanitize_line, truncate};
use askwell_core::wire::{RequestId, RequestSummary, UnixMillis};
use serde_json::json;

use crate::Message;

/// The most requests whose askers and texts a person is shown.
const READ: usize = 5;
/// The columns of an asker's name.
const NAME: usize = 64;

/// Requests that wait, and that nobody watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Which, the oldest first.
    pub waiting: Vec<Waiting>,
    /// How many more.
    pub others: usize,
    /// The page of all of them.
    pub inbox: Option<String>,
}

/// A request that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    id: RequestId,
    asker: String,
    credential: String,
    questions: u32,
    asked_at: UnixMillis,
    link: Option<String>,
    text: Option<String>,
}

impl Waiting {
    /// Of this request, whose page is there. The text of its question only where the owner of the
    /// host wants it told.
    pub fn of(request: &RequestSummary, link: Option<String>, with_text: bool) -> Self {
        Self {
            id: request.id,
            asker: asker(request),
            credential: sanitize_line(&request.credential).into_owned(),
            questions: request.questions,
            asked_at: request.created_at,
            link,
            text: with_text.then(|| sanitize_line(&request.question).into_owned()),
        }
    }
}

impl Notice {
    /// It in words of this language. Nothing where nothing waits.
    pub fn message(&self, texts: &Messages) -> Option<Message> {
        let count = self.waiting.len() + self.others;
        let (link, title, line);
        let mut askers: Vec<&str> = Vec::new();
        for waiting in &self.waiting {
            if !askers.contains(&waiting.asker.as_str()) && askers.len() < READ {
                askers.push(&waiting.asker);
            }
        }
        let askers = askers.join(", ");
        match (self.waiting.as_slice(), count) {
            (_, 0) => return None,
            ([only], 1) => {
                let questions = i64::from(only.questions);
                link = only.link.clone();
                title = texts.with("notice-one", [("asker", askers.as_str().into())]);
                line = texts.with("notice-one-line", [("count", questions.into())]);
            }
            _ => {
                link = self.inbox.clone();
                title = texts.with("notice-many", [("count", count.into())]);
                line = texts.with("notice-many-line", [("asker", askers.as_str().into())]);
            }
        }
        let said: Vec<String> =
            self.waiting.iter().take(READ).filter_map(|it| it.text.clone()).collect();
        let lines = if said.is_empty() { vec![line] } else { said.clone() };
        let ids: Vec<String> = self.waiting.iter().map(|it| it.id.to_string()).collect();
        let mut variables = vec![
            ("ASKWELL_NOTICE_COUNT", count.to_string()),
            ("ASKWELL_NOTICE_ID", ids.join(" ")),
            ("ASKWELL_NOTICE_ASKER", askers),
            ("ASKWELL_NOTICE_LINK", link.clone().unwrap_or_default()),
            ("ASKWELL_NOTICE_TITLE", title.clone()),
        ];
        if !said.is_empty() {
            variables.push(("ASKWELL_NOTICE_TEXT", said.join("\n")));
        }
        let document = json!({
            "type": "notice",
            "title": title,
            "count": count,
            "link": link,
            "requests": self.waiting.iter().map(document).collect::<Vec<_>>(),
        });
        Some(Message { title, lines, link, document, variables })
    }
}

fn document(waiting: &Waiting) -> serde_json::Value {
    let mut document = json!({
        "id": waiting.id,
        "asker": waiting.asker,
        "credential": waiting.credential,
        "questions": waiting.questions,
        "askedAt": waiting.asked_at,
        "link": waiting.link,
    });
    if let Some(text) = &waiting.text {
        document["text"] = text.as_str().into();
    }
    document
}

/// What an asker calls itself, with the name that was verified.
fn asker(request: &RequestSummary) -> String {
    let verified = sanitize_line(&request.credential);
    match request.asker.as_ref().and_then(facts::own_name) {
        Some(name) if name != request.credential => {
            format!("{} ({verified})", truncate(&sanitize_line(&name), NAME))
        }
        _ => verified.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::messages::Lang;
    use askwell_core::{Asker, Question, Request};
    use pretty_assertions::assert_eq;

    use super::*;

    const LINK: &str = "http://here/r/1";

    fn waiting(n: u8, name: &str, with_text: bool) -> Waiting {
        let id = RequestId::from_bytes([n; 16]);
        let mut request = Request::new([Question::new("q", "Which\nway?\u{1b}[2J")]);
        request.asker = Some(Asker { name: Some(name.to_owned()), ..Asker::default() });
        let request = request.validate().unwrap();
        let summary = RequestSummary::of(&request, id, "local", 7, None, false);
        Waiting::of(&summary, Some(LINK.to_owned()), with_text)
    }

    fn message(waiting: Vec<Waiting>) -> Message {
        let notice = Notice { waiting, others: 0, inbox: Some("http://here/".to_owned()) };
        notice.message(&Messages::new(Lang::En)).unwrap()
    }

    #[test]
    fn b074_one_request_is_told_by_id_link_and_asker_and_not_by_its_text() {
        let message = message(vec![waiting(1, "claude-code", false)]);

        let id = RequestId::from_bytes([1; 16]).to_string();
        assert_eq!(message.title, "claude-code (local) asks");
        assert_eq!(message.lines, ["A question waits for you."]);
        assert_eq!(message.link.as_deref(), Some(LINK));
        let expected = json!({"type": "notice", "title": "claude-code (local) asks", "count": 1,
            "link": LINK, "requests": [{"id": id, "asker": "claude-code (local)",
            "credential": "local", "questions": 1, "askedAt": 7, "link": LINK}]});
        assert_eq!(message.document, expected);
        let expected = [
            ("ASKWELL_NOTICE_COUNT", "1".to_owned()),
            ("ASKWELL_NOTICE_ID", id),
            ("ASKWELL_NOTICE_ASKER", "claude-code (local)".to_owned()),
            ("ASKWELL_NOTICE_LINK", LINK.to_owned()),
            ("ASKWELL_NOTICE_TITLE", "claude-code (local) asks".to_owned()),
        ];
        assert_eq!(message.variables, expected);
    }

    #[test]
    fn b074_many_are_one_digest_that_leads_to_the_inbox() {
        let many = (0..3).map(|n| waiting(n, if n < 1 { "codex" } else { "reviewer" }, false));
        let notice =
            Notice { waiting: many.collect(), others: 27, inbox: Some("http://here/".to_owned()) };

        let message = notice.message(&Messages::new(Lang::En)).unwrap();

        assert_eq!(message.title, "30 requests wait for you");
        assert_eq!(message.lines, ["From: codex (local), reviewer (local)"]);
        assert_eq!(message.link.as_deref(), Some("http://here/"));
        assert_eq!(message.document["requests"].as_array().unwrap().len(), 3);
        assert_eq!(message.document["count"], 30);
    }

    #[test]
    fn b127_the_text_is_told_by_opt_in_and_as_plain_text() {
        let message = message(vec![waiting(1, "evil\u{7}\r\nX-Header: 1", true)]);

        let all = format!("{message:?}");
        assert!(message.lines[0].starts_with("Which") && message.lines.len() == 1);
        assert!(all.contains("ASKWELL_NOTICE_TEXT"));
        for (_, value) in &message.variables {
            assert!(!value.contains(|c: char| c.is_control()), "{value:?}");
        }
        assert!(!message.title.contains(|c: char| c.is_control()), "{}", message.title);
    }

    #[test]
    fn nothing_is_no_message() {
        let notice = Notice { waiting: Vec::new(), others: 0, inbox: None };
        assert_eq!(notice.message(&Messages::new(Lang::Zh)), None);
    }
}
