//! Every outcome, whole, as the agent gets it.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Client, Era, Host, Process, carries, failed, r1, r2};

/// A call that waits for a person, who then does this (`ID` is the request); its result.
#[track_caller]
fn asked(
    host: &Host,
    client: &mut Client<Process>,
    request: &Value,
    person: &[&str],
) -> (String, Value) {
    let call = client.ask(request.clone());
    let id = host.next_waiting();
    let run = host.run(person.iter().map(|word| if *word == "ID" { id.as_str() } else { word }));
    assert_eq!(run.code(), 0, "{run}");
    (id, client.result(call))
}

#[test]
fn b002_b003_b010_answers_come_back_whole() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);
    let answered = |answer: Value| carries(&json!({"answers": [answer]}));
    let table: [(Value, &[&str], Value); 6] = [
        (
            r2(),
            &["--select", "Export", "--select", "Auth", "--custom", "also SSO"],
            json!({"id": "feat", "selected": ["Auth", "Export"], "custom": "also SSO"}),
        ),
        (r2(), &["--select", "Search"], json!({"id": "feat", "selected": ["Search"]})),
        (
            r2(),
            &["--custom", "none of these,\nsee ticket"],
            json!({"id": "feat", "selected": [], "custom": "none of these,\nsee ticket"}),
        ),
        (r1(), &["--select", "SQLite"], json!({"id": "db", "selected": ["SQLite"]})),
        (
            r1(),
            &["--custom", "keep it in memory"],
            json!({"id": "db", "selected": [], "custom": "keep it in memory"}),
        ),
        (r1(), &["--skip"], json!({"id": "db", "selected": []})),
    ];
    for (request, given, answer) in table {
        let person: Vec<&str> = ["answer", "ID"].into_iter().chain(given.iter().copied()).collect();

        let (_, result) = asked(&host, &mut client, &request, &person);

        assert_eq!(result, answered(answer.clone()));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(text, json!({"answers": [answer]}).to_string(), "compact, in this order");
    }
}

#[test]
fn b013_a_wrong_answer_changes_nothing_and_the_next_one_counts_once() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let id = host.next_waiting();

    let both = ["answer", &id, "--select", "Postgres", "--select", "SQLite"];
    assert_eq!(host.run(both).code(), 2);
    let beside = ["answer", &id, "--select", "Postgres", "--custom", "or not"];
    assert_eq!(host.run(beside).code(), 2);
    assert_eq!(host.run(["answer", &id, "--select", "Postgres"]).code(), 0);
    let late = host.run(["answer", &id, "--select", "SQLite"]);

    assert!(late.stderr.contains("NOT_PENDING"), "{late}");
    let answers = json!({"answers": [{"id": "db", "selected": ["Postgres"]}]});
    assert_eq!(client.result(call), carries(&answers));
}

#[test]
fn b007_a_cancel_is_told_with_its_comment_and_is_no_failure() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Modern, &[]);

    let comment = ["cancel", "ID", "--comment", "explain DuckDB first"];
    let (_, result) = asked(&host, &mut client, &r1(), &comment);
    let message = "The person set the questions aside and wrote: «explain DuckDB first». Respond to \
                   that first. No option was chosen. Don't repeat the same questions unchanged.";
    let told = json!({"state": "cancelled", "comment": "explain DuckDB first", "message": message});
    assert_eq!(result, carries(&told));

    let (_, result) = asked(&host, &mut client, &r2(), &["cancel", "ID"]);
    let message = "The person set the questions aside and gave no reason. Stop this line of work, or \
                   ask in chat how to go on.";
    assert_eq!(result, carries(&json!({"state": "cancelled", "message": message})));
}

#[test]
fn b020_b023_b108_an_expired_request_says_that_nobody_answered() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Modern, &["--min-expiry", "2"]);
    let mut request = r1();
    request["expiresInSeconds"] = json!(1);

    let call = client.ask(request);
    assert_eq!(host.show(&host.next_waiting())["request"]["request"]["expiresInSeconds"], 2);

    let message = "Nobody answered within 2 s. No decision was made. Do only what is safe and \
                   reversible, name your assumption, or stop. Don't ask again now. You gave them 1 s; \
                   here a question waits at least 2 s.";
    assert_eq!(client.result(call), carries(&json!({"state": "expired", "message": message})));
}

#[test]
fn b008_whoever_withdraws_is_named() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);

    let (_, result) = asked(&host, &mut client, &r1(), &["abort", "ID", "--reason", "the boss"]);
    let message = "Withdrawn before an answer: the boss. No decision.";
    let told = json!({"state": "aborted", "reason": "the boss", "message": message});
    assert_eq!(result, carries(&told));

    let call = client.ask(r1());
    let id = host.next_waiting();
    let cancelled = client.call("cancel_question", json!({"request_id": id}));
    let message = "Withdrawn before an answer: test-agent (cancel_question). No decision.";
    let reason = "test-agent (cancel_question)";
    let told = carries(&json!({"state": "aborted", "reason": reason, "message": message}));
    assert_eq!((cancelled, client.result(call)), (told.clone(), told.clone()));
    let again = client.call("cancel_question", json!({"requestId": id}));
    assert_eq!(again, told);
}

#[test]
fn b106_b107_what_is_odd_is_read_and_what_is_wrong_is_told() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &[]);
    let odd = json!({"questions":
        "[{\"prompt\": \"Which database?\", \"choices\": [\"Postgres\", \"SQLite\"]}]"});

    let (_, result) = asked(&host, &mut client, &odd, &["answer", "ID", "--select", "SQLite"]);
    assert_eq!(result, carries(&json!({"answers": [{"id": "q1", "selected": ["SQLite"]}]})));

    let wrong = json!({"questions": [{"question": " ", "options": ["a", "a"]}],
        "expiresInSeconds": "60"});
    let expected = r#"{"questions":[{"id":"db","question":"Which database?","options":[{"label":"Postgres"},{"label":"SQLite"}],"multiSelect":false}]}"#;
    let message = format!(
        "Not shown to anyone. 3 faults: expiresInSeconds is a string (expected a whole number of \
         seconds); \
         questions[0].question is blank (1–16384 bytes); questions[0].options[1].label repeats \
         questions[0].options[0].label (each must be unique). Expected {expected}. Fix all and call \
         once."
    );
    assert_eq!(client.call("ask_user_question", wrong), failed("BAD_REQUEST", &message));
    for (seconds, code) in [
        (json!(0), "LIMIT_EXCEEDED"),
        (json!(-5), "LIMIT_EXCEEDED"),
        (json!(1e12), "LIMIT_EXCEEDED"),
        (json!("60"), "BAD_REQUEST"),
    ] {
        let mut request = r1();
        request["expiresInSeconds"] = seconds;
        let result = client.call("ask_user_question", request);
        assert_eq!(result["structuredContent"]["error"], code, "{result}");
    }
    assert_eq!(host.waiting(), [""; 0]);
}

#[test]
fn an_unknown_id_is_told_with_those_that_mean_something() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Legacy, &["--wait", "0"]);
    let open = client.call("ask_user_question", r1());
    let open = open["structuredContent"]["request_id"].as_str().unwrap().to_owned();

    let message =
        format!("No \"nonsense\" here. In this session open: {open}. Not picked up: none.");
    let known = failed("NOT_FOUND", &message);
    assert_eq!(client.call("get_answers", json!({"request_id": "nonsense"})), known);
    assert_eq!(client.call("cancel_question", json!({"request_id": "nonsense"})), known);
    host.run(["answer", &open, "--select", "SQLite"]);
    let other = "01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e";
    let message =
        format!("No \"{other}\" here. In this session open: none. Not picked up: {open}.");
    let known = failed("NOT_FOUND", &message);
    assert_eq!(client.call("get_answers", json!({"request_id": other})), known);
    let message = "request_id is missing (expected a string)";
    assert_eq!(client.call("cancel_question", json!({})), failed("BAD_REQUEST", message));
}

#[test]
fn b067_with_nothing_to_show_it_the_model_is_told_that_nobody_saw_it() {
    let askwell = crate::cli::askwell().env("CI", "true");
    let mut client = Client::connect(Process::start(&askwell, &[]), Era::Modern, json!({}));

    let result = client.call("ask_user_question", r1());

    let message = "Nobody saw this: no inbox and no terminal. Write the questions in your reply and \
                   end your turn. (no host is running, and none is started here: CI is set; start one \
                   beforehand (askwell serve), or name one in ASKWELL_URL)";
    assert_eq!(result, failed("NO_PROVIDER", message));
}

#[test]
fn b015_b099_b103_b105_odd_texts_and_large_requests_come_back_byte_for_byte() {
    let host = Host::start();
    let mut client = Client::start(&host, Era::Modern, &[]);
    let odd = ["„DB“, ‘x’", "«y»\u{2028}", "\"straight\" \\ back", "\u{9b}31m\u{1b}[2J"];
    let mut questions: Vec<Value> = (0..20)
        .map(|number| {
            json!({"id": format!("q-{number}"), "question": "Keep?", "header": "é".repeat(300),
                "multiSelect": true, "options": odd.map(|label| json!({"label": label}))})
        })
        .collect();
    let many: Vec<String> = (0..500).map(|number| format!("option {number}")).collect();
    questions.push(json!({"id": "many", "question": "Which?", "options": many}));
    let mut answers: Vec<Value> =
        (0..20).map(|number| json!({"id": format!("q-{number}"), "selected": odd})).collect();
    answers.push(json!({"id": "many", "selected": ["option 499"]}));
    let answers = json!({"answers": answers});
    host.askwell.write("answers.json", answers.to_string());

    let request = json!({"questions": questions});
    let person = ["answer", "ID", "--file", "answers.json"];
    let (_, result) = asked(&host, &mut client, &request, &person);

    assert_eq!(result, carries(&answers));
}
