//! What the pages of a tab have sent, where the browser was started to keep it.

use serde_json::Value;

use super::Tab;

/// One request that a page has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// `GET`, `POST`, …
    pub method: String,
    /// The whole address.
    pub url: String,
    /// What it was for, as the browser calls it: `Document`, `Script`, `Fetch`, `EventSource`, …
    pub kind: String,
    /// What was sent along, where it is text.
    pub body: Option<String>,
}

impl Tab {
    /// What was sent by any page since the last look.
    ///
    /// # Panics
    /// When the browser was not started `with_network`.
    #[track_caller]
    pub fn sent(&self) -> Vec<Sent> {
        let entries = self.driver.post("se/log", &serde_json::json!({"type": "performance"}));
        let entries = entries.as_array().unwrap().iter();
        entries.filter_map(|entry| read(entry["message"].as_str()?)).collect()
    }
}

fn read(message: &str) -> Option<Sent> {
    let document: Value = serde_json::from_str(message).ok()?;
    let message = &document["message"];
    if message["method"] != "Network.requestWillBeSent" {
        return None;
    }
    let (parameters, text) =
        (&message["params"], |value: &Value| value.as_str().map(str::to_owned));
    let request = &parameters["request"];
    Some(Sent {
        method: text(&request["method"])?,
        url: text(&request["url"])?,
        kind: text(&parameters["type"]).unwrap_or_default(),
        body: text(&request["postData"]),
    })
}
