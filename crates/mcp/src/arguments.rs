//! The arguments of the small tools, read as leniently as a request is.

use std::time::Duration;

use rmcp::model::JsonObject;
use serde_json::Value;

/// What a tool other than `ask_user_question` was called with.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arguments {
    /// The request that is meant, as it was written.
    pub request_id: Option<String>,
    /// How long to wait for it.
    pub wait: Option<Duration>,
}

impl Arguments {
    /// Reads them. Names may differ in case, `_` and `-`; what is not known is ignored.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub fn read(arguments: JsonObject) -> Result<Self, String> {
        let mut read = Self::default();
        for (name, value) in arguments {
            let folded: String =
                name.chars().filter(|it| !matches!(it, '_' | '-')).collect::<String>();
            match (folded.to_lowercase().as_str(), value) {
                (_, Value::Null) => {}
                ("requestid" | "id", Value::String(id)) => read.request_id = Some(id),
                ("requestid" | "id", other) => {
                    return Err(format!("request_id is {other} (expected a string)"));
                }
                ("waitseconds" | "wait", value) => read.wait = Some(seconds(&value)?),
                _ => {}
            }
        }
        Ok(read)
    }
}

fn seconds(value: &Value) -> Result<Duration, String> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    let number = number.filter(|number| *number >= 0.0);
    // More than a duration can hold is cut to what a call may wait anyway.
    number
        .map(|number| Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
        .ok_or_else(|| format!("wait_seconds is {value} (expected a number of seconds)"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn read(arguments: Value) -> Result<(Option<String>, Option<u64>), String> {
        let Value::Object(arguments) = arguments else { unreachable!() };
        Arguments::read(arguments).map(|it| (it.request_id, it.wait.map(|wait| wait.as_secs())))
    }

    #[rstest]
    #[case(json!({}), None, None)]
    #[case(json!({"request_id": null, "wait_seconds": null, "other": 1}), None, None)]
    #[case(json!({"request_id": "a", "wait_seconds": 5}), Some("a"), Some(5))]
    #[case(json!({"requestId": "a", "Wait-Seconds": "5.5"}), Some("a"), Some(5))]
    #[case(json!({"id": "a", "wait": 1e300}), Some("a"), Some(u64::MAX))]
    fn names_and_numbers_are_read_as_models_write_them(
        #[case] arguments: Value,
        #[case] id: Option<&str>,
        #[case] wait: Option<u64>,
    ) {
        assert_eq!(read(arguments), Ok((id.map(str::to_owned), wait)));
    }

    #[rstest]
    #[case(json!({"request_id": 7}), "request_id is 7 (expected a string)")]
    #[case(json!({"wait_seconds": -1}), "wait_seconds is -1 (expected a number of seconds)")]
    #[case(json!({"wait_seconds": "x"}), "wait_seconds is \"x\" (expected a number of seconds)")]
    fn what_is_wrong_is_told(#[case] arguments: Value, #[case] told: &str) {
        assert_eq!(read(arguments), Err(told.to_owned()));
    }
}
