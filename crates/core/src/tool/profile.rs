//! What the APIs of models take of JSON Schema.

use serde_json::{Map, Value, json};

/// A kind of model API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// MCP, and every API that takes plain JSON Schema, such as Anthropic's.
    Mcp,
    /// Strict functions of OpenAI: every property is required, what may be absent is nullable.
    OpenaiStrict,
    /// The OpenAPI subset of Gemini.
    Gemini,
}

impl Profile {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Mcp, Self::OpenaiStrict, Self::Gemini];

    /// A plain schema as this kind takes it.
    pub(super) fn shape(self, schema: Value) -> Value {
        match self {
            Self::Mcp => schema,
            Self::OpenaiStrict => strict(schema, true),
            Self::Gemini => gemini(schema),
        }
    }
}

/// Every property required; one that may be absent may be null. Lengths are no keyword there, so
/// they are told in words.
fn strict(schema: Value, required: bool) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    let (min, max) = (fields.remove("minLength"), fields.remove("maxLength"));
    if let Some(max) = max {
        let min = min.unwrap_or_else(|| json!(0));
        let bound = format!("{min}–{max} bytes");
        let words = match fields.get("description").and_then(Value::as_str) {
            Some(words) => format!("{words}, {bound}"),
            None => bound,
        };
        fields.insert("description".to_owned(), words.into());
    }
    if !required && let Some(kind) = fields.get_mut("type") {
        *kind = json!([kind.take(), "null"]);
    }
    if let Some(items) = fields.get_mut("items") {
        *items = strict(items.take(), true);
    }
    let needed = fields.get("required").cloned().unwrap_or_else(|| json!([]));
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            let required = needed.as_array().is_some_and(|all| all.iter().any(|it| it == name));
            *property = strict(property.take(), required);
        }
        let all: Vec<&String> = properties.keys().collect();
        let all = json!(all);
        fields.insert("required".to_owned(), all);
    }
    Value::Object(fields)
}

/// Without what that subset does not know; with the order in which the model writes.
fn gemini(schema: Value) -> Value {
    let Value::Object(fields) = schema else { return schema };
    let mut shaped = Map::new();
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("additionalProperties", _) => {}
            ("items", items) => {
                shaped.insert(name, gemini(items));
            }
            ("properties", Value::Object(properties)) => {
                let order: Vec<String> = properties.keys().cloned().collect();
                let properties = properties.into_iter();
                let properties: Map<_, _> =
                    properties.map(|(name, property)| (name, gemini(property))).collect();
                shaped.insert(name, properties.into());
                shaped.insert("propertyOrdering".to_owned(), order.into());
            }
            (_, value) => {
                shaped.insert(name, value);
            }
        }
    }
    Value::Object(shaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool;

    /// Every object of a schema.
    fn objects(schema: &Value) -> Vec<&Value> {
        let mut all = vec![schema];
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            all.extend(properties.values().flat_map(objects));
        }
        all.extend(schema.get("items").into_iter().flat_map(objects));
        all
    }

    #[test]
    fn strict_functions_require_everything_and_let_what_is_optional_be_null() {
        let spec = tool::spec(Profile::OpenaiStrict);
        let parameters = &spec["parameters"];

        for object in objects(parameters) {
            let Some(properties) = object.get("properties").and_then(Value::as_object) else {
                assert!(object.get("maxLength").is_none(), "{object}");
                continue;
            };
            let names: Vec<&String> = properties.keys().collect();
            assert_eq!(object["required"], json!(names));
            assert_eq!(object["additionalProperties"], false);
        }
        let question = &parameters["properties"]["questions"]["items"]["properties"];
        assert_eq!(question["id"], json!({"type": "string", "description": "1–1024 bytes"}));
        let detail = json!({"type": ["string", "null"], "description": "Markdown, 0–262144 bytes"});
        assert_eq!(question["detail"], detail);
        assert_eq!(question["options"]["type"], json!(["array", "null"]));
        assert_eq!(question["multiSelect"], json!({"type": ["boolean", "null"]}));
    }

    #[test]
    fn gemini_gets_its_subset_and_the_order_of_the_properties() {
        const KNOWN: [&str; 12] = [
            "type",
            "description",
            "enum",
            "items",
            "properties",
            "required",
            "minItems",
            "maxItems",
            "minLength",
            "maxLength",
            "propertyOrdering",
            "minimum",
        ];
        let spec = tool::spec(Profile::Gemini);

        for object in objects(&spec["parameters"]) {
            for name in object.as_object().unwrap().keys() {
                assert!(KNOWN.contains(&name.as_str()) || name == "maximum", "{name}");
            }
            assert!(object["type"].is_string(), "{object}");
        }
        let order = json!(["questions", "context", "expiresInSeconds"]);
        assert_eq!(spec["parameters"]["propertyOrdering"], order);
    }
}
