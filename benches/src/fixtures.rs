//! The questions that are measured with; the same options go to askwell and to its peer.

use std::path::PathBuf;

use askwell_testkit::TestEnvironment;
use serde_json::{Value, json};

/// A multi-select question.
pub struct Fixture {
    pub question: &'static str,
    pub labels: Vec<String>,
}

impl Fixture {
    /// What a person is usually asked: all of it is on the first frame of either program.
    pub fn usual() -> Self {
        let labels = ["Search", "Export", "Import", "Accounts", "Webhooks"];
        Self {
            question: "Which features should the first release have?",
            labels: labels.map(String::from).into(),
        }
    }

    /// As many options as a question may have.
    pub fn largest() -> Self {
        let labels = (1..=500).map(|number| format!("module-{number:03}")).collect();
        Self { question: "Which modules should be migrated?", labels }
    }

    /// A text that is on the first frame of both programs, as late as possible.
    pub fn last_shown(&self) -> &str {
        // The peer shows seven options at most.
        &self.labels[self.labels.len().min(7) - 1]
    }

    /// Writes askwell's request file.
    pub fn write(&self, environment: &TestEnvironment) -> PathBuf {
        let options: Vec<Value> = self.labels.iter().map(|label| json!({"label": label})).collect();
        let question = json!({
            "id": "features", "question": self.question, "options": options, "multiSelect": true,
        });
        environment.write("request.json", json!({"questions": [question]}).to_string())
    }

    /// The peer's arguments.
    pub fn arguments(&self) -> Vec<String> {
        let labels = self.labels.iter().cloned();
        std::iter::once(self.question.to_owned()).chain(labels).collect()
    }
}
