//! The tools by which a model asks: their names, what they are for and the schemas of what goes in
//! and comes out, in the form that each kind of model API takes.
//!
//! Invariant: a schema is one plain object without references and unions, and shows the bounds that
//! are enforced. The list is the same each time, in the same order, and small: it is sent with every
//! turn of every agent.

mod profile;
mod schema;

use serde_json::{Value, json};

pub use profile::Profile;

use crate::texts;

/// The tool that asks.
pub const ASK_USER_QUESTION: &str = "ask_user_question";
/// The tool that collects what was pending.
pub const GET_ANSWERS: &str = "get_answers";
/// The tool that withdraws.
pub const CANCEL_QUESTION: &str = "cancel_question";

/// The definition of `ask_user_question` for a model API.
///
/// ```
/// use askwell_core::tool::{self, Profile};
///
/// let spec = tool::spec(Profile::OpenaiStrict);
/// assert_eq!(spec["name"], "ask_user_question");
/// assert_eq!(spec["strict"], true);
/// ```
pub fn spec(profile: Profile) -> Value {
    let parameters = schema::request();
    match profile {
        Profile::Mcp => ask_user_question(),
        Profile::OpenaiStrict => json!({
            "name": ASK_USER_QUESTION,
            "description": texts::ASK_USER_QUESTION,
            "strict": true,
            "parameters": profile.shape(parameters),
        }),
        Profile::Gemini => json!({
            "name": ASK_USER_QUESTION,
            "description": texts::ASK_USER_QUESTION,
            "parameters": profile.shape(parameters),
        }),
    }
}

/// Every tool of the MCP server, as `tools/list` shows them.
pub fn list() -> [Value; 3] {
    let get_answers = json!({
        "name": GET_ANSWERS,
        "title": "Get answers",
        "description": texts::GET_ANSWERS,
        "inputSchema": schema::get_answers(),
        "outputSchema": schema::any_result(),
        "annotations": {"readOnlyHint": true, "openWorldHint": false},
    });
    let cancel_question = json!({
        "name": CANCEL_QUESTION,
        "title": "Cancel a question",
        "description": texts::CANCEL_QUESTION,
        "inputSchema": schema::cancel_question(),
        "outputSchema": schema::any_result(),
        "annotations": {"destructiveHint": true, "idempotentHint": true, "openWorldHint": false},
    });
    [ask_user_question(), get_answers, cancel_question]
}

fn ask_user_question() -> Value {
    json!({
        "name": ASK_USER_QUESTION,
        "title": "Ask the user",
        "description": texts::ASK_USER_QUESTION,
        "inputSchema": schema::request(),
        "outputSchema": schema::result(),
        "annotations": {"destructiveHint": false, "openWorldHint": false},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_small() {
        let bytes = serde_json::to_string(&json!({ "tools": list() })).unwrap().len();

        assert_eq!(bytes, 2_907, "at most 3,000");
    }

    #[test]
    fn no_schema_holds_what_some_model_api_refuses() {
        let refused =
            ["$ref", "$defs", "oneOf", "anyOf", "allOf", "not", "if", "const", "patternProperties"];
        for spec in list().into_iter().chain(Profile::ALL.map(spec)) {
            let text = spec.to_string();
            for keyword in refused {
                assert!(!text.contains(&format!("\"{keyword}\":")), "{keyword}: {text}");
            }
        }
        for tool in list() {
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(tool[schema]["type"], "object", "{tool}");
            }
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        }
    }
}
