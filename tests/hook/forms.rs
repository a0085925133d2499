//! Forms of other MCP servers, answered in the inbox.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Hook, elsewhere, transcript};

fn form(server: &str) -> Value {
    json!({
        "session_id": "s-1", "transcript_path": "/none", "cwd": "/home/kim/shop",
        "hook_event_name": "Elicitation", "mcp_server_name": server, "mode": "form",
        "message": "Where should it run?",
        "requested_schema": {
            "type": "object",
            "properties": {
                "zone": {"type": "string", "title": "Zone",
                         "oneOf": [{"const": "eu-1", "title": "Europe"}, {"const": "us-1", "title": "America"}]},
                "copies": {"type": "integer", "minimum": 1, "maximum": 9},
            },
            "required": ["zone"],
        },
    })
}

#[test]
fn a_form_is_answered_in_its_own_values() {
    let host = elsewhere();
    let mut input = form("deployer");
    input["transcript_path"] = json!(transcript(&host.askwell, "Now the deployment."));
    let (hook, id) = Hook::asking(&host, &input);
    let shown = host.show(&id)["request"]["request"].take();
    assert_eq!(shown["context"], "Now the deployment.");
    assert_eq!(shown["asker"]["chain"], json!(["deployer"]));

    let arguments =
        ["--question", "zone", "--select", "America", "--question", "copies", "--custom", "3"];
    host.run(["answer", &id].into_iter().chain(arguments));

    assert_eq!(
        hook.says(),
        json!({"hookEventName": "Elicitation", "action": "accept", "content": {"zone": "us-1", "copies": 3}})
    );
}

#[test]
fn a_form_that_is_put_aside_is_declined() {
    let host = elsewhere();
    let (hook, id) = Hook::asking(&host, &form("deployer"));

    host.run(["cancel", &id, "--comment", "not today"]);

    assert_eq!(hook.says(), json!({"hookEventName": "Elicitation", "action": "decline"}));
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_again_and_then_left_to_the_agent() {
    let host = elsewhere();
    let (hook, id) = Hook::asking(&host, &form("deployer"));
    let mut ids = vec![id];
    let arguments =
        ["--question", "zone", "--select", "Europe", "--question", "copies", "--custom", "12"];
    for _ in 0..2 {
        host.run(["answer", ids.last().unwrap()].into_iter().chain(arguments));
        let next = host.next_waiting();
        let shown = host.show(&next)["request"]["request"].take();
        assert_eq!(
            shown["questions"][1]["detail"],
            "The answer that was given did not fit.\n\nA whole number from 1 to 9."
        );
        ids.push(next);
    }

    host.run(["answer", ids.last().unwrap()].into_iter().chain(arguments));

    let told = hook.says_nothing();
    assert!(told.contains("3 times"), "{told}");
}

#[test]
fn our_own_forms_and_those_that_do_not_fit_are_left() {
    let host = elsewhere();
    let mut nested = form("deployer");
    nested["requested_schema"]["properties"]["zone"] = json!({"type": "object"});
    let url = json!({"hook_event_name": "Elicitation", "mcp_server_name": "deployer", "mode": "url",
                     "url": "https://example.com", "message": "Sign in"});

    for input in [form("askwell"), nested, url] {
        Hook::start(&host.askwell, &input, &[]).says_nothing();
    }

    assert_eq!(host.waiting(), [""; 0]);
}
