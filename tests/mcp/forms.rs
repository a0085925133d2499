//! Elicitation: the client's own form as a provider, in both eras.

use std::thread::sleep;
use std::time::Duration;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::stream::Http;
use super::{Client, Era, Host, Process, Wire, carries, failed, pending, r1, r2};
use crate::cli::askwell;

/// More than it takes for a refusal to be a person's.
pub const AFTER_THOUGHT: Duration = Duration::from_millis(600);

pub fn forms() -> Value {
    json!({"elicitation": {"form": {}}})
}

/// A client that shows forms.
pub fn showing(host: &Host, era: Era, arguments: &[&str]) -> Client<Process> {
    let askwell = host.askwell.clone().env("CI", "true");
    Client::connect(Process::start(&askwell, arguments), era, forms())
}

impl<W: Wire> Client<W> {
    /// The form that the server asks for.
    #[track_caller]
    pub fn form(&mut self) -> Value {
        self.until("a form", |it| it["method"] == "elicitation/create")
    }

    /// Replies to a form.
    pub fn reply(&mut self, form: &Value, reply: Value) {
        self.wire.send(&json!({"jsonrpc": "2.0", "id": form["id"], "result": reply}));
    }

    /// What a call wants to be shown, and the state to bring back.
    #[track_caller]
    pub fn shown(&mut self, call: i64) -> (Value, String) {
        let mut result = self.response(call)["result"].take();
        assert_eq!(result["resultType"], "input_required", "{result}");
        let form = result["inputRequests"]["form"].take();
        assert_eq!(form["method"], "elicitation/create");
        (form["params"].clone(), result["requestState"].as_str().unwrap().to_owned())
    }

    /// Makes a call again with what was entered; its id.
    pub fn again(&mut self, request: &Value, state: &str, reply: &Value) -> i64 {
        let mut params = json!({"name": "ask_user_question", "arguments": request,
            "requestState": state});
        if !reply.is_null() {
            params["inputResponses"] = json!({"form": reply});
        }
        self.request("tools/call", params)
    }
}

pub fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

pub fn answers(answer: Value) -> Value {
    carries(&json!({"answers": [answer]}))
}

#[track_caller]
fn ended_by_form(host: &Host, id: &str) {
    let receipt = host.show(id)["request"]["receipt"].clone();
    assert_eq!(receipt["provider"], "elicitation", "{receipt}");
}

#[test]
fn b138_a_form_is_an_answer_over_both_transports() {
    let host = Host::start();
    accepted(&host, showing(&host, Era::Legacy, &[]));
    accepted(&host, Client::connect(Http::new(&host), Era::Legacy, forms()));
}

#[track_caller]
fn accepted(host: &Host, mut client: Client<impl Wire>) {
    let call = client.ask(r2());
    let form = client.form();
    let id = host.next_waiting();
    let fields = &form["params"]["requestedSchema"]["properties"];
    assert_eq!(fields["q01"]["title"], "Which features?");
    let content = json!({"q01": ["Search", "Auth"], "q01_custom": "also SSO", "other": 7});

    client.reply(&form, accept(content));

    let answer = json!({"id": "feat", "selected": ["Auth", "Search"], "custom": "also SSO"});
    assert_eq!(client.result(call), answers(answer));
    ended_by_form(host, &id);
}

#[test]
fn b132_b133_a_client_that_can_t_show_its_form_leaves_the_inbox() {
    let host = Host::start();
    let answer = || answers(json!({"id": "db", "selected": ["SQLite"]}));
    // It says that it can, and can't.
    let mut client = showing(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let form = client.form();
    let error = json!({"code": -32601, "message": "Method not found"});
    client.wire.send(&json!({"jsonrpc": "2.0", "id": form["id"], "error": error}));
    host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);
    assert_eq!(client.result(call), answer());

    // It refuses before anybody can have read it.
    for action in ["cancel", "decline"] {
        let call = client.ask(r1());
        let form = client.form();
        client.reply(&form, json!({"action": action}));
        host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);
        assert_eq!(client.result(call), answer(), "{action}");
    }
    let mut alone = showing(&host, Era::Legacy, &["--provider", "elicitation"]);
    let call = alone.ask(r1());
    let form = alone.form();
    alone.reply(&form, json!({"action": "cancel"}));
    assert_eq!(alone.result(call)["structuredContent"]["error"], "NO_PROVIDER");

    // It can't, and does not say so; or it is not asked.
    let mut plain = Client::start(&host, Era::Legacy, &[]);
    let mut inbox = showing(&host, Era::Legacy, &["--provider", "inbox"]);
    for client in [&mut plain, &mut inbox] {
        let call = client.ask(r1());
        host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);
        assert_eq!(client.result(call), answer());
        assert_eq!(client.rest(Duration::from_millis(20)), [] as [Value; 0]);
    }
}

#[test]
fn b118_b133_a_form_that_nobody_answers_is_withdrawn_when_the_inbox_has() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let form = client.form();

    host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);

    let withdrawn = client.until("withdrawn", |it| it["method"] == "notifications/cancelled");
    let params = json!({"requestId": form["id"], "reason": "answered elsewhere"});
    assert_eq!(withdrawn["params"], params);
    assert_eq!(client.result(call), answers(json!({"id": "db", "selected": ["SQLite"]})));
    // Too late, and nothing comes of it.
    client.reply(&form, accept(json!({"q01": "Postgres"})));
    assert_eq!(client.rest(Duration::from_millis(50)), [] as [Value; 0]);
}

#[test]
fn b118_what_the_person_declines_is_cancelled_everywhere() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let form = client.form();
    let id = host.next_waiting();
    sleep(AFTER_THOUGHT);

    client.reply(&form, json!({"action": "decline"}));

    let result = client.result(call);
    assert_eq!(result["structuredContent"]["state"], "cancelled", "{result}");
    ended_by_form(&host, &id);
    assert_eq!(host.waiting(), [""; 0]);
}

#[test]
fn b139_b140_what_is_no_answer_is_asked_again_once() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &[]);
    let call = client.ask(r1());
    let form = client.form();
    client.reply(&form, accept(json!({"q01": "Oracle"})));
    let form = client.form();
    let message = form["params"]["message"].as_str().unwrap();
    let said = "Not sent yet: db: label \"Oracle\" is not one of its options";
    assert!(message.starts_with(said), "{message}");
    client.reply(&form, accept(json!({"q01": 7})));
    // Left to the inbox then.
    host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);
    assert_eq!(client.result(call), answers(json!({"id": "db", "selected": ["SQLite"]})));

    let call = client.ask(r2());
    let form = client.form();
    client.reply(&form, accept(json!({"q01": [], "q01_custom": ""})));
    let form = client.form();
    let message = form["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("Everything was left empty."), "{message}");
    client.reply(&form, json!({"action": "accept"}));
    assert_eq!(client.result(call), answers(json!({"id": "feat", "selected": []})));
}

#[test]
fn a_form_outlives_its_call_and_is_collected() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &["--wait", "0"]);
    let call = client.ask(r1());
    let form = client.form();
    let id = host.next_waiting();
    assert_eq!(client.result(call), pending(&id));
    // Asking again joins the same, and shows no second form.
    let joined = client.call("ask_user_question", r1());
    assert_eq!(joined, pending(&id));

    client.reply(&form, accept(json!({"q01": "SQLite", "q01_custom": "in memory"})));

    host.wait_until("answered", &id, |shown| shown["request"]["state"] == "answered");
    let answer = json!({"id": "db", "selected": [], "custom": "in memory"});
    assert_eq!(client.call("get_answers", json!({"request_id": id})), answers(answer));
    assert_eq!(client.rest(Duration::from_millis(20)), [] as [Value; 0]);
    // Both that were entered are kept.
    let draft = host.show(&id)["draft"]["questions"][0].clone();
    assert_eq!((&draft["chosen"], &draft["custom"]), (&json!(["SQLite"]), &json!("in memory")));
}

#[test]
fn b014_b017_b025_in_a_form_too_every_question_takes_own_words_and_skipping_one_costs_no_other() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &[]);
    let request = json!({"questions": [
        {"id": "tone", "question": "Tone?", "intent": {"kind": "approval"},
            "options": [{"label": "Formal"}, {"label": "Other"}, {"label": "Something else"}]},
        {"id": "db", "question": "Which database?",
            "options": [{"label": "Postgres"}, {"label": "SQLite"}]},
        {"id": "feat", "question": "Which features?", "multiSelect": true,
            "options": [{"label": "Auth"}, {"label": "Search"}]},
        {"id": "fixed", "question": "Ship?", "allowCustom": false,
            "options": [{"label": "Yes"}, {"label": "No"}]},
        {"id": "name", "question": "Project name?"},
    ]});
    let call = client.ask(request);
    let form = client.form();
    let fields = form["params"]["requestedSchema"]["properties"].as_object().unwrap();
    let names = ["q01", "q01_custom", "q02", "q02_custom", "q03", "q03_custom", "q04", "q05"];
    assert_eq!(fields.keys().collect::<Vec<_>>(), names);

    client.reply(&form, accept(json!({"q01": "Other", "q02_custom": "in memory", "q04": ""})));

    let expected = json!({"answers": [
        {"id": "tone", "selected": ["Other"]},
        {"id": "db", "selected": [], "custom": "in memory"},
        {"id": "feat", "selected": []},
        {"id": "fixed", "selected": []},
        {"id": "name", "selected": []},
    ]});
    assert_eq!(client.result(call), carries(&expected));
}

#[test]
fn b144_hostile_ids_are_answered_each_for_itself() {
    let host = Host::start();
    let mut client = showing(&host, Era::Legacy, &[]);
    let request = json!({"questions": [
        {"id": "db", "question": "Which database should the service use?", "header": "DB",
            "options": [{"label": "A"}, {"label": "B"}]},
        {"id": "db_custom", "question": "Notes?"},
        {"id": "db.custom", "question": "More?"},
        {"id": "__proto__ \"ü\"", "question": "And?"},
    ]});
    let call = client.ask(request);
    let form = client.form();
    let content = json!({"q01": "B", "q02": "notes", "q03": "more", "q04": "and"});

    client.reply(&form, accept(content));

    let expected = json!({"answers": [
        {"id": "db", "selected": ["B"]},
        {"id": "db_custom", "selected": [], "custom": "notes"},
        {"id": "db.custom", "selected": [], "custom": "more"},
        {"id": "__proto__ \"ü\"", "selected": [], "custom": "and"},
    ]});
    assert_eq!(client.result(call), carries(&expected));
}

#[test]
fn a_form_alone_needs_no_host() {
    let askwell = askwell().env("CI", "true");
    let arguments = ["--provider", "elicitation"];
    let mut client = Client::connect(Process::start(&askwell, &arguments), Era::Legacy, forms());
    let call = client.ask(r1());
    let form = client.form();
    client.reply(&form, accept(json!({"q01": "SQLite"})));
    let answer = answers(json!({"id": "db", "selected": ["SQLite"]}));
    assert_eq!(client.result(call), answer);

    let mut client = Client::connect(Process::start(&askwell, &arguments), Era::Modern, forms());
    let call = client.ask(r1());
    let (_, state) = client.shown(call);
    let call = client.again(&r1(), &state, &accept(json!({"q01": "SQLite"})));
    assert_eq!(client.result(call), answer);
    let mut plain = Client::connect(Process::start(&askwell, &arguments), Era::Modern, json!({}));
    let message = "Nobody saw this: no inbox and no terminal. Write the questions in your reply and \
                   end your turn. (the client shows no forms, and no other provider is set)";
    assert_eq!(plain.call("ask_user_question", r1()), failed("NO_PROVIDER", message));
}

#[test]
fn a_call_in_rounds_brings_the_answer_of_its_form_over_both_transports() {
    let host = Host::start();
    in_rounds(&host, showing(&host, Era::Modern, &[]));
    in_rounds(&host, Client::connect(Http::new(&host), Era::Modern, forms()));
}

#[track_caller]
fn in_rounds(host: &Host, mut client: Client<impl Wire>) {
    let call = client.ask(r2());
    let (form, state) = client.shown(call);
    let id = host.next_waiting();
    let shown = host.show(&id)["request"].clone();
    assert_eq!((&shown["attached"], &shown["awaySince"]), (&json!(false), &Value::Null));
    assert_eq!(form["mode"], "form");
    assert!(!state.contains("Auth"));

    // It comes back without an answer: the same again.
    let call = client.again(&r2(), &state, &Value::Null);
    let (same, state) = client.shown(call);
    assert_eq!(same, form);
    let reply = accept(json!({"q01": ["Auth"]}));
    let call = client.again(&r2(), &state, &reply);

    let answer = answers(json!({"id": "feat", "selected": ["Auth"]}));
    assert_eq!(client.result(call), answer);
    ended_by_form(host, &id);
    // The same state brings what it has brought, and changes nothing.
    let call = client.again(&r2(), &state, &accept(json!({"q01": ["Search"]})));
    assert_eq!(client.result(call), answer);
}

#[test]
fn b117_a_round_that_comes_after_the_inbox_gets_the_inbox_s_answer() {
    let host = Host::start();
    let mut client = showing(&host, Era::Modern, &[]);
    let call = client.ask(r1());
    let (_, state) = client.shown(call);

    host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);

    let call = client.again(&r1(), &state, &accept(json!({"q01": "Postgres"})));
    assert_eq!(client.result(call), answers(json!({"id": "db", "selected": ["SQLite"]})));
}

#[test]
fn b139_a_state_is_of_its_call_and_used_once() {
    let host = Host::start();
    let mut client = showing(&host, Era::Modern, &["--wait", "0"]);
    let call = client.ask(r1());
    let (_, first) = client.shown(call);
    let wrong = |response: Value| {
        assert_eq!(response["error"]["code"], -32602, "{response}");
    };

    let call = client.again(&r2(), &first, &accept(json!({"q01": ["Auth"]})));
    wrong(client.response(call));
    let call = client.again(&r1(), &format!("{first}x"), &accept(json!({"q01": "SQLite"})));
    wrong(client.response(call));
    let call = client.again(&r1(), &first, &json!({"action": 7}));
    wrong(client.response(call));

    // Wrong once: shown again. The old state does nothing any more.
    let call = client.again(&r1(), &first, &accept(json!({"q01": "Oracle"})));
    let (form, second) = client.shown(call);
    assert!(form["message"].as_str().unwrap().starts_with("Not sent yet: db: "), "{form}");
    let call = client.again(&r1(), &first, &accept(json!({"q01": "SQLite"})));
    client.shown(call);
    let id = host.next_waiting();
    // Wrong twice: left to the inbox.
    let call = client.again(&r1(), &second, &accept(json!({"q01": 7})));
    assert_eq!(client.result(call), pending(&id));

    // A state outlives the process that sealed it.
    let call = client.ask(r2());
    let (_, state) = client.shown(call);
    client.wire.kill();
    let mut client = showing(&host, Era::Modern, &[]);
    let call = client.again(&r2(), &state, &accept(json!({"q01": ["Auth"]})));
    assert_eq!(client.result(call), answers(json!({"id": "feat", "selected": ["Auth"]})));
}

#[test]
fn b133_in_rounds_too_only_a_person_declines() {
    let host = Host::start();
    let mut client = showing(&host, Era::Modern, &["--wait", "0"]);
    let call = client.ask(r1());
    let (_, state) = client.shown(call);
    let id = host.next_waiting();
    let call = client.again(&r1(), &state, &json!({"action": "cancel"}));
    assert_eq!(client.result(call), pending(&id));
    host.run(["answer", &id, "--select", "SQLite"]);
    client.call("get_answers", json!({"request_id": id}));

    let call = client.ask(r1());
    let (_, state) = client.shown(call);
    sleep(AFTER_THOUGHT);
    let call = client.again(&r1(), &state, &json!({"action": "decline"}));
    assert_eq!(client.result(call)["structuredContent"]["state"], "cancelled");
}

#[test]
fn a_client_that_opens_links_is_offered_the_page() {
    let host = Host::start();
    let links = json!({"elicitation": {"url": {}}});
    let askwell = host.askwell.clone().env("CI", "true");
    let mut client = Client::connect(Process::start(&askwell, &[]), Era::Legacy, links.clone());
    let call = client.ask(r1());
    let link = client.form();
    let id = host.next_waiting();
    let url = host.show(&id)["request"]["url"].clone();
    let message = "The questions are on a page of your inbox.";
    let mut params = link["params"].clone();
    params.as_object_mut().unwrap().remove("_meta");
    let expected = json!({"mode": "url", "message": message, "url": url, "elicitationId": id});
    assert_eq!(params, expected);
    client.reply(&link, json!({"action": "accept"}));
    host.run(["answer", &id, "--select", "SQLite"]);
    let answer = answers(json!({"id": "db", "selected": ["SQLite"]}));
    assert_eq!(client.result(call), answer);

    let mut client = Client::connect(Process::start(&askwell, &[]), Era::Modern, links);
    let call = client.ask(r1());
    let (link, state) = client.shown(call);
    assert_eq!(link["mode"], "url");
    let call = client.again(&r1(), &state, &json!({"action": "accept"}));
    host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);
    assert_eq!(client.result(call), answer);
}

#[test]
fn over_a_network_an_asker_answers_itself_by_no_form() {
    let public = askwell().env("ASKWELL_PUBLIC_URL", "https://ask.example.com");
    let host = Host::start_in(public);
    let mut client = Client::connect(Http::new(&host), Era::Modern, forms());
    let call = client.ask(r1());
    host.run(["answer", &host.next_waiting(), "--select", "SQLite"]);
    let answer = answers(json!({"id": "db", "selected": ["SQLite"]}));
    assert_eq!(client.result(call), answer);

    // A program of the host's own user is at the person's machine.
    let mut client = showing(&host, Era::Modern, &[]);
    let call = client.ask(r1());
    client.shown(call);
}
