//! The advertised schema: strict, with the bounds that are enforced, without references.

use askwell_core::{limits, schema};
use serde_json::{Value, json};

#[test]
fn b106_the_schema_shows_the_bounds_that_are_enforced() {
    let request = schema::request();
    let at = |pointer: &str| request.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"));
    let question = "/properties/questions/items/properties";
    let option = format!("{question}/options/items/properties");
    assert_eq!(at("/properties/questions/minItems"), 1);
    assert_eq!(at("/properties/questions/maxItems"), limits::QUESTIONS);
    assert_eq!(at(&format!("{question}/id/maxLength")), limits::ID);
    assert_eq!(at(&format!("{question}/id/minLength")), 1);
    assert_eq!(at(&format!("{question}/header/maxLength")), limits::HEADER);
    assert_eq!(at(&format!("{question}/question/maxLength")), limits::QUESTION);
    assert_eq!(at(&format!("{question}/detail/maxLength")), limits::DETAIL);
    assert_eq!(at(&format!("{question}/options/maxItems")), limits::OPTIONS);
    assert_eq!(at(&format!("{option}/label/maxLength")), limits::LABEL);
    assert_eq!(at(&format!("{option}/description/maxLength")), limits::DESCRIPTION);
    assert_eq!(at(&format!("{option}/preview/maxLength")), limits::PREVIEW);
    assert_eq!(at("/properties/context/maxLength"), limits::CONTEXT);
    assert_eq!(at("/properties/asker/properties/chain/maxItems"), limits::CHAIN);
    assert_eq!(at("/properties/expiresInSeconds/minimum"), limits::EXPIRY_MIN);
    assert_eq!(at("/properties/expiresInSeconds/maximum"), limits::EXPIRY_MAX);
    assert_eq!(at("/required"), &json!(["questions"]));
    assert_eq!(at("/properties/questions/items/required"), &json!(["id", "question"]));
}

#[test]
fn no_schema_holds_a_reference() {
    for schema in [schema::request(), schema::answer()] {
        let text = schema.to_string();
        assert!(!text.contains("$ref") && !text.contains("$defs"), "{text}");
    }
    let answer = schema::answer();
    let item = answer.pointer("/properties/answers/items/properties").and_then(Value::as_object);
    let item = item.unwrap();
    assert_eq!(item.keys().collect::<Vec<_>>(), ["id", "selected", "custom"]);
    assert_eq!(item["custom"]["type"], "string");
    let required = answer.pointer("/properties/answers/items/required");
    assert_eq!(required, Some(&json!(["id", "selected"])));
}
