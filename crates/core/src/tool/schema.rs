//! The schemas of the tools, as short as they can be: what a name says is not said again.

use serde_json::{Value, json};

use crate::limits;

/// The arguments of `ask_user_question`: a request, without what a server says of its client.
pub(super) fn request() -> Value {
    let option = object(
        json!({
            "label": {"type": "string", "minLength": 1, "maxLength": limits::LABEL},
            "description": text(limits::DESCRIPTION),
            "preview": markdown(limits::PREVIEW),
        }),
        &["label"],
    );
    let question = object(
        json!({
            "id": {"type": "string", "minLength": 1, "maxLength": limits::ID},
            "header": text(limits::HEADER),
            "question": {"type": "string", "minLength": 1, "maxLength": limits::QUESTION},
            "detail": markdown(limits::DETAIL),
            "options": {"type": "array", "maxItems": limits::OPTIONS, "items": option},
            "multiSelect": {"type": "boolean"},
            "allowCustom": {"type": "boolean"},
        }),
        &["id", "question"],
    );
    let questions =
        json!({"type": "array", "minItems": 1, "maxItems": limits::QUESTIONS, "items": question});
    object(
        json!({
            "questions": questions,
            "context": markdown(limits::CONTEXT),
            "expiresInSeconds": {
                "type": "integer",
                "minimum": limits::EXPIRY_MIN,
                "maximum": limits::EXPIRY_MAX,
            },
        }),
        &["questions"],
    )
}

/// The arguments of `get_answers`.
pub(super) fn get_answers() -> Value {
    object(
        json!({
            "request_id": {"type": "string"},
            "wait_seconds": {"type": "integer", "minimum": 0},
        }),
        &[],
    )
}

/// The arguments of `cancel_question`.
pub(super) fn cancel_question() -> Value {
    object(json!({"request_id": {"type": "string"}}), &["request_id"])
}

/// What a call on one request brings: its answers, or its state in plain words.
pub(super) fn result() -> Value {
    json!({"type": "object", "properties": one_result()})
}

/// The same, or a list of it.
pub(super) fn any_result() -> Value {
    json!({"type": "object"})
}

fn one_result() -> Value {
    let answer = json!({
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "selected": {"type": "array", "items": {"type": "string"}},
            "custom": {"type": "string"},
        },
        "required": ["id", "selected"],
    });
    json!({
        "answers": {"type": "array", "items": answer},
        "state": {"type": "string", "enum": ["pending", "cancelled", "aborted", "expired"]},
        "message": {"type": "string"},
    })
}

fn object(properties: Value, required: &[&str]) -> Value {
    match required {
        [] => json!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        }),
        _ => json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    }
}

fn text(max: usize) -> Value {
    json!({"type": "string", "maxLength": max})
}

fn markdown(max: usize) -> Value {
    json!({"type": "string", "maxLength": max, "description": "Markdown"})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    /// The value at a place, wherever the advertised schema of a request has one as well.
    fn bounds<'a>(schema: &'a Value, place: &str, found: &mut Vec<(String, &'a Value)>) {
        const BOUNDS: [&str; 6] =
            ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"];
        let Value::Object(fields) = schema else { return };
        for (name, value) in fields {
            let place = format!("{place}/{name}");
            match BOUNDS.contains(&name.as_str()) {
                true => found.push((place, value)),
                false => bounds(value, &place, found),
            }
        }
    }

    #[test]
    fn b106_the_tool_shows_the_bounds_of_the_schema() {
        let (tool, whole) = (request(), schema::request());
        let mut found = Vec::new();
        bounds(&tool, "", &mut found);

        assert!(found.len() >= 16, "{found:?}");
        for (place, bound) in found {
            assert_eq!(whole.pointer(&place), Some(bound), "{place}");
        }
    }
}
