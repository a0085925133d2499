//! A host in this process, people and programs that call it, and a client of raw sockets.

mod agent;
mod browser;
mod form;
mod host;
mod raw;

pub use agent::{Agent, Reply};
pub use browser::Browser;
pub use form::{Form, unescaped};
pub use host::{Served, TestHost, eventually};
pub use raw::{Raw, head};

use serde_json::{Value, json};

/// One question of one answer: R1 of the field cases.
pub fn r1() -> Value {
    json!({"questions": [{"id": "db", "header": "DB", "question": "Which database?", "options": [
        {"label": "Postgres", "description": "server"},
        {"label": "SQLite", "description": "file"},
        {"label": "DuckDB", "description": "analytics"},
    ]}]})
}

/// Three questions of each kind: R3 of the field cases.
pub fn r3() -> Value {
    json!({"questions": [
        {"id": "db", "question": "Which database?",
         "options": [{"label": "Postgres"}, {"label": "SQLite"}]},
        {"id": "feat", "question": "Which features?", "multiSelect": true,
         "options": [{"label": "Auth"}, {"label": "Search"}, {"label": "Export"}]},
        {"id": "name", "question": "Project name?"},
    ]})
}

/// A choice of one label.
pub fn chosen(id: &str, label: &str) -> Value {
    json!({"answers": [{"id": id, "selected": [label]}]})
}

/// Questions of a quarter of a mebibyte each.
pub fn large(count: usize) -> Value {
    let detail = "x".repeat(250 * 1024);
    let question = |index| json!({"id": format!("{index}"), "question": "?", "detail": detail});
    json!({"questions": (0..count).map(question).collect::<Value>()})
}
