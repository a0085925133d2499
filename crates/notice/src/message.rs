//! What is told, in the forms that channels want.

use askwell_core::messages::Messages;
use serde_json::{Value, json};

/// One thing to tell. Made anew for each try, so that it says what is so then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// What a person reads first.
    pub title: String,
    /// What a person reads then.
    pub lines: Vec<String>,
    /// Where to go, without a credential.
    pub link: Option<String>,
    /// All of it for a program.
    pub document: Value,
    /// The same as variables of a program.
    pub variables: Vec<(&'static str, String)>,
}

impl Message {
    /// A message that tells nothing, to try a channel.
    pub fn test(texts: &Messages, link: Option<String>) -> Self {
        let title = texts.get("notice-test");
        Self {
            document: json!({ "type": "test", "title": title, "link": link }),
            variables: vec![
                ("ASKWELL_NOTICE_TEST", "1".to_owned()),
                ("ASKWELL_NOTICE_COUNT", "0".to_owned()),
                ("ASKWELL_NOTICE_TITLE", title.clone()),
                ("ASKWELL_NOTICE_LINK", link.clone().unwrap_or_default()),
            ],
            lines: vec![texts.get("notice-test-line")],
            title,
            link,
        }
    }
}
