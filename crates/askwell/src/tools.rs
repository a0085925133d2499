//! The tool call of a model, for whoever builds an agent of their own.

use askwell_core::{AskError, lenient, project, texts, tool};
use serde_json::{Value, json};

use crate::{Askwell, Cancel};

/// What a model gets for its call of a tool, whatever comes of it: the answers, or what happened and
/// what to do, in plain words. `arguments` is what the model wrote, as an object or as JSON text; odd
/// shapes are read as they were meant. It blocks for as long as the person thinks.
///
/// ```
/// # #[cfg(feature = "recorded")] {
/// use askwell::recorded::Recorded;
/// use askwell::{Askwell, Cancel, handle_tool_call};
///
/// let recorded = Recorded::from_json(r#"{"answers": [{"id": "q1", "selected": ["Tea"]}]}"#)?;
/// let askwell = Askwell::new().with(recorded)?;
///
/// let arguments = r#"{"questions": {"question": "Tea or coffee?", "options": ["Tea", "Coffee"]}}"#;
/// let result = handle_tool_call(&askwell, "ask_user_question", arguments.into(), &Cancel::new());
///
/// assert_eq!(result.to_string(), r#"{"answers":[{"id":"q1","selected":["Tea"]}]}"#);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The definition of the tool is [`crate::tool_spec`].
pub fn handle_tool_call(askwell: &Askwell, name: &str, arguments: Value, cancel: &Cancel) -> Value {
    if name != tool::ASK_USER_QUESTION {
        return json!({ "error": "NOT_FOUND", "message": texts::unknown_tool(name) });
    }
    let request = match arguments {
        Value::String(text) => lenient::request_from_json(&text),
        arguments => lenient::request_from_value(arguments),
    };
    let result = request.map_err(AskError::from).and_then(|request| askwell.ask(&request, cancel));
    project::tool_result(&result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_called_the_model_is_told_in_words() {
        let call =
            |name, arguments| handle_tool_call(&Askwell::new(), name, arguments, &Cancel::new());

        let unknown = call("ask", json!({}));
        assert_eq!(unknown["message"], "There is no tool \"ask\".");
        assert_eq!(call(tool::ASK_USER_QUESTION, "{".into())["error"], "BAD_REQUEST");
        let nobody = json!({"questions": [{"question": "Go on?"}]});
        assert_eq!(call(tool::ASK_USER_QUESTION, nobody)["error"], "NO_PROVIDER");
    }
}
