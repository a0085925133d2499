//! The pages as a browser without scripts meets them, on a real store.

mod answering;
mod drafting;
mod ended;
mod hostile;
mod inbox;
mod pictures;
mod plan;
mod safety;
mod vectors;

use serde_json::{Value, json};

use crate::support::{Browser, Form, Reply, TestHost};

/// One request of a host, open in a browser that is signed in.
pub struct Open {
    pub host: TestHost,
    pub browser: Browser,
    pub id: String,
}

impl Open {
    pub async fn new(request: &Value) -> Self {
        let host = TestHost::new().await;
        let browser = host.signed_in().await;
        let id = ask(&host, request).await;
        Self { host, browser, id }
    }

    pub async fn page(&mut self) -> Reply {
        self.browser.get(&format!("/r/{}", self.id)).await
    }

    pub async fn card(&mut self) -> Form {
        self.browser.card(&self.id).await
    }

    pub async fn press(&mut self, form: &Form, button: &str) -> Reply {
        self.browser.press(form, button).await
    }

    /// Sends fields as a form of the page, whatever they are.
    pub async fn post(&mut self, fields: &[(String, String)]) -> Reply {
        self.browser.post(&format!("/r/{}", self.id), fields).await
    }

    pub fn path(&self) -> String {
        format!("/api/v1/requests/{}", self.id)
    }

    /// The outcome at the asker's end, whole.
    pub async fn outcome(&self) -> Value {
        let view = self.host.asker.get(&format!("{}?wait=0", self.path())).await.ok();
        assert_ne!(view["state"], "pending");
        view["outcome"].clone()
    }

    pub async fn is_pending(&self) -> bool {
        self.host.asker.state(&self.path()).await == "pending"
    }

    /// The drafts of the questions, as the host has them.
    pub async fn drafts(&self) -> Value {
        self.host.answerer.get(&format!("{}/draft", self.path())).await.ok()["questions"].take()
    }
}

/// Asks; the id of the request.
pub async fn ask(host: &TestHost, request: &Value) -> String {
    host.asker.ask(request).await.rsplit('/').next().unwrap().to_owned()
}

/// The answer of one question.
pub fn answer(id: &str, selected: &[&str], custom: Option<&str>) -> Value {
    let mut answer = json!({"id": id, "selected": selected});
    if let Some(custom) = custom {
        answer["custom"] = custom.into();
    }
    answer
}

/// The document of an answered request.
pub fn answered(answers: &[Value]) -> Value {
    json!({ "answers": answers })
}

/// A multi-select question: R2 of the field cases.
pub fn r2() -> Value {
    json!({"questions": [{"id": "feat", "question": "Which features?", "multiSelect": true,
        "options": [{"label": "Auth"}, {"label": "Search"}, {"label": "Export"}, {"label": "Audit"}]}]})
}
