use askwell_core::answer;
use askwell_core::messages::Lang;
use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::claude_code::Call;

fn english() -> Messages {
    Messages::new(Lang::En)
}

fn read(server: &str, schema: &Value) -> Result<Call, Left> {
    let input = json!({
        "session_id": "s-1", "cwd": "/home/kim", "hook_event_name": "Elicitation",
        "mcp_server_name": server, "mode": "form", "message": "Where does it go?",
        "requested_schema": schema,
    });
    Call::read(input.to_string().as_bytes())
}

#[track_caller]
fn form(properties: Value, required: &[&str]) -> Form {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    match read("deployer", &schema) {
        Ok(Call::Form(form)) => form,
        other => panic!("{other:?}"),
    }
}

fn reply(form: &Form, answers: Value) -> Result<Value, NotTaken> {
    let request = form.request(&english(), None, None).unwrap();
    let answers = answer::validate_json(&request, &json!({ "answers": answers })).unwrap();
    form.reply(&english(), &Outcome::Answered(answers))
}

fn accepted(content: Value) -> Value {
    json!({"hookSpecificOutput": {
        "hookEventName": "Elicitation", "action": "accept", "content": content,
    }})
}

#[test]
fn each_property_is_a_question_and_its_answer_a_value() {
    let form = form(
        json!({
            "zone": {"type": "string", "title": "Zone", "description": "Where it runs.",
                     "oneOf": [{"const": "eu-1", "title": "Europe"}, {"const": "us-1", "title": "America"}],
                     "default": "eu-1"},
            "parts": {"type": "array", "items": {"enum": ["web", "db", "jobs"]}, "minItems": 1, "maxItems": 2},
            "tls": {"type": "boolean", "title": "With TLS?", "default": true},
            "name": {"type": "string", "minLength": 2, "maxLength": 8},
            "copies": {"type": "integer", "minimum": 1, "maximum": 9},
            "mail": {"type": "string", "format": "email"},
        }),
        &["zone", "copies"],
    );

    let request = form.request(&english(), None, None).unwrap();
    assert_eq!(
        serde_json::to_value(&request).unwrap(),
        json!({
            "questions": [
                {"id": "zone", "header": "Zone", "question": "Zone",
                 "detail": "Where does it go?\n\nWhere it runs.\n\nAn answer is needed.\n\n\
                            The server suggests: Europe",
                 "options": [{"label": "Europe"}, {"label": "America"}], "allowCustom": false},
                {"id": "parts", "header": "parts", "question": "parts", "detail": "At most 2.",
                 "options": [{"label": "web"}, {"label": "db"}, {"label": "jobs"}],
                 "multiSelect": true, "allowCustom": false},
                {"id": "tls", "header": "With TLS?", "question": "With TLS?",
                 "detail": "The server suggests: Yes",
                 "options": [{"label": "Yes"}, {"label": "No"}], "allowCustom": false},
                {"id": "name", "header": "name", "question": "name", "detail": "2 to 8 characters."},
                {"id": "copies", "header": "copies", "question": "copies",
                 "detail": "A whole number from 1 to 9.\n\nAn answer is needed."},
                {"id": "mail", "header": "mail", "question": "mail", "detail": "An email address."},
            ],
            "asker": {"name": "claude-code", "session": "s-1", "cwd": "/home/kim", "chain": ["deployer"]},
        })
    );

    let answers = json!([
        {"id": "zone", "selected": ["America"]},
        {"id": "parts", "selected": ["web", "jobs"]},
        {"id": "tls", "selected": ["No"]},
        {"id": "name", "selected": []},
        {"id": "copies", "selected": [], "custom": "3"},
        {"id": "mail", "selected": [], "custom": "kim@example.com"},
    ]);
    assert_eq!(
        reply(&form, answers),
        Ok(accepted(json!({
            "zone": "us-1", "parts": ["web", "jobs"], "tls": false, "copies": 3,
            "mail": "kim@example.com",
        })))
    );
}

#[test]
fn the_only_field_is_asked_in_the_words_of_the_server() {
    let form = form(json!({"zone": {"type": "string", "title": "Zone", "enum": ["a", "b"]}}), &[]);

    let request = form.request(&english(), None, None).unwrap();

    let question = &request.questions[0];
    assert_eq!(
        (&*question.question, question.header.as_deref()),
        ("Where does it go?", Some("Zone"))
    );
    assert_eq!(question.detail, None);
}

#[test]
fn what_does_not_fit_is_asked_again_and_says_so() {
    let form = form(
        json!({"copies": {"type": "integer"}, "parts": {"type": "array", "minItems": 2,
               "items": {"enum": ["web", "db"]}}, "name": {"type": "string"}}),
        &["name"],
    );
    let answers = json!([
        {"id": "copies", "selected": [], "custom": "many"},
        {"id": "parts", "selected": ["db"]},
        {"id": "name", "selected": []},
    ]);

    let again = reply(&form, answers).unwrap_err();

    let request = form.request(&Messages::new(Lang::Zh), None, Some(&again)).unwrap();
    let details = request.questions.iter().map(|question| question.detail.as_deref().unwrap());
    assert_eq!(
        details.collect::<Vec<_>>(),
        [
            "上次的回答不符合要求。\n\nWhere does it go?\n\n请填整数。",
            "上次的回答不符合要求。\n\n至少选 2 项。",
            "上次的回答不符合要求。\n\n此项必填。",
        ]
    );
}

#[test]
fn put_aside_is_declined_and_everything_else_is_no_answer() {
    let form = form(json!({"name": {"type": "string"}}), &[]);
    let action = |outcome: Outcome| {
        let reply = form.reply(&english(), &outcome).unwrap();
        reply["hookSpecificOutput"].clone()
    };
    let told = |action: &str| json!({"hookEventName": "Elicitation", "action": action});

    assert_eq!(action(Outcome::Cancelled { comment: Some("later".to_owned()) }), told("decline"));
    assert_eq!(action(Outcome::Expired), told("cancel"));
    assert_eq!(action(Outcome::Aborted { reason: "an admin".to_owned() }), told("cancel"));
}

#[rstest]
#[case(json!({"a": {"type": "object", "properties": {}}}))]
#[case(json!({"a": {"type": "string", "pattern": "^x"}}))]
#[case(json!({"a": {"type": "string", "format": "ipv4"}}))]
#[case(json!({"a": {"type": "array", "items": {"type": "string"}}}))]
#[case(json!({"a": {"type": "string", "enum": ["x", 7]}}))]
#[case(json!({"a": {"type": "integer", "multipleOf": 5}}))]
#[case(json!({"a": {"type": "integer", "minimum": "1"}}))]
#[case(json!({"a": {"enum": ["x"]}}))]
#[case(json!({"a": "string"}))]
#[case(json!({}))]
fn a_form_that_no_questions_can_stand_for_is_left(#[case] properties: Value) {
    let left = read("deployer", &json!({"type": "object", "properties": properties}));

    assert!(left.unwrap_err().to_string().contains("the form"));
}

#[test]
fn our_own_server_and_addresses_are_left() {
    let schema = json!({"properties": {"name": {"type": "string"}}});
    assert!(read("askwell", &schema).unwrap_err().to_string().contains("our own"));
    let url = json!({"hook_event_name": "Elicitation", "mcp_server_name": "deployer", "mode": "url",
                     "url": "https://example.com", "message": "Sign in"});
    let left = Call::read(url.to_string().as_bytes()).unwrap_err();
    assert!(left.to_string().contains("an address"), "{left}");
}

#[test]
fn titles_that_are_the_same_give_way_to_the_values() {
    let titled = json!([{"const": "a", "title": "One"}, {"const": "b", "title": "One"}]);
    let form = form(json!({"it": {"type": "string", "oneOf": titled}}), &[]);

    assert_eq!(
        reply(&form, json!([{"id": "it", "selected": ["b"]}])),
        Ok(accepted(json!({"it": "b"})))
    );
}

#[rstest]
#[case(json!({"type": "number", "minimum": -1.5}), "-1.5", Some(json!(-1.5)))]
#[case(json!({"type": "number"}), " 7 ", Some(json!(7)))]
#[case(json!({"type": "number", "maximum": 3}), "3.01", None)]
#[case(json!({"type": "integer"}), "7.0", None)]
#[case(json!({"type": "integer"}), "seven", None)]
#[case(json!({"type": "string", "maxLength": 3}), "äöü", Some(json!("äöü")))]
#[case(json!({"type": "string", "maxLength": 3}), "four", None)]
#[case(json!({"type": "string", "format": "email"}), "kim at home", None)]
#[case(json!({"type": "string", "format": "uri"}), "https://example.com/a", Some(json!("https://example.com/a")))]
#[case(json!({"type": "string", "format": "uri"}), "example.com", None)]
#[case(json!({"type": "string", "format": "date"}), "2028-02-29", Some(json!("2028-02-29")))]
#[case(json!({"type": "string", "format": "date"}), "2027-02-29", None)]
#[case(json!({"type": "string", "format": "date-time"}), "2027-01-31T23:59:60.25+01:00",
       Some(json!("2027-01-31T23:59:60.25+01:00")))]
#[case(json!({"type": "string", "format": "date-time"}), "2027-01-31T23:59", None)]
#[case(json!({"type": "string", "format": "date-time"}), "2027-01-31T24:00:00Z", None)]
fn a_text_is_a_value_where_it_fits(
    #[case] property: Value,
    #[case] text: &str,
    #[case] value: Option<Value>,
) {
    let form = form(json!({ "it": property }), &[]);

    let replied = reply(&form, json!([{"id": "it", "selected": [], "custom": text}]));

    let expected = value.map(|value| accepted(json!({ "it": value })));
    assert_eq!(replied.ok(), expected);
}
