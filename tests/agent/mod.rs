//! The whole loop with a model in it: a scripted model calls the tool, the example agent asks, a
//! person answers in a real terminal, and what reaches the model is compared whole.

use askwell_testkit::{ScriptedModel, TestEnvironment, TestTerminal, Turn};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::cli::examples::example;
use crate::terminal::takes_keys;

const TOOL: &str = "ask_user_question";

struct Loop {
    model: ScriptedModel,
    terminal: TestTerminal,
}

impl Loop {
    /// An agent whose model calls the tool with these arguments, then thanks.
    fn calling(arguments: impl Into<String>) -> Self {
        let turns = [Turn::call_raw(TOOL, arguments), Turn::text("Understood.")];
        let model = ScriptedModel::start(turns);
        let environment = TestEnvironment::new(example("agent"));
        let terminal = environment
            .terminal(["ship it"])
            .env("OPENAI_BASE_URL", model.base_url())
            .env("OPENAI_API_KEY", "none")
            .stdout_to("out.txt")
            .spawn();
        Self { model, terminal }
    }

    fn asking(question: Value) -> Self {
        let it = Self::calling(json!({ "questions": [question] }).to_string());
        it.terminal.wait_ready(takes_keys);
        it
    }

    /// What reached the model as the result of its call.
    #[track_caller]
    fn result(self) -> Value {
        assert_eq!(self.terminal.wait_code(), 0, "{}", self.terminal.screen());
        assert_eq!(self.terminal.environment().read("out.txt"), "Understood.\n");
        self.terminal.assert_restored();
        assert_eq!(self.model.turns_left(), 0);
        let results = self.model.tool_results();
        let [result] = results.as_slice() else { panic!("one result: {results:?}") };
        let value: Value = serde_json::from_str(result).unwrap();
        assert_eq!(*result, value.to_string(), "as askwell puts it, byte for byte");
        value
    }
}

fn targets() -> Value {
    let options = json!([{"label": "Code"}, {"label": "Docs"}, {"label": "Tests"}]);
    json!({"id": "targets", "question": "Where?", "multiSelect": true, "options": options})
}

fn target() -> Value {
    json!({"id": "target", "question": "Which one?", "options": [{"label": "Code"}, {"label": "Docs"}]})
}

fn sent(id: &str, selected: &[&str], custom: &str) -> Value {
    match custom {
        "" => json!({"answers": [{"id": id, "selected": selected}]}),
        custom => json!({"answers": [{"id": id, "selected": selected, "custom": custom}]}),
    }
}

#[test]
fn ticks_then_text() {
    let it = Loop::asking(targets());
    it.terminal.keys("<space><down><space>c").types("Release notes").keys("<enter>");
    assert_eq!(it.result(), sent("targets", &["Code", "Docs"], "Release notes"));
}

#[test]
fn text_then_ticks() {
    let it = Loop::asking(targets());
    it.terminal.keys("c").types("Release notes").keys("<esc>").wait_for("Space text");
    it.terminal.keys("13").wait_for("2 selected").keys("<enter>");
    assert_eq!(it.result(), sent("targets", &["Code", "Tests"], "Release notes"));
}

#[test]
fn labels_only() {
    let it = Loop::asking(targets());
    it.terminal.keys("3").keys("1").wait_for("2 selected").keys("<enter>");
    assert_eq!(it.result(), sent("targets", &["Code", "Tests"], ""));
}

#[test]
fn text_only() {
    let it = Loop::asking(targets());
    it.terminal.keys("c").types("Nothing yet").keys("<enter>");
    assert_eq!(it.result(), sent("targets", &[], "Nothing yet"));
}

#[test]
fn text_then_list_then_another_tick_then_the_field_again_sent_from_the_field() {
    let it = Loop::asking(targets());
    it.terminal.keys("1c").types("first").keys("<esc>").wait_for("Space text").keys("2");
    it.terminal.wait_for("[x] 2 Docs").keys("c").types(", second").wait_for("first, second");
    it.terminal.keys("<enter>");
    assert_eq!(it.result(), sent("targets", &["Code", "Docs"], "first, second"));
}

#[test]
fn sent_from_the_list_with_text() {
    let it = Loop::asking(targets());
    it.terminal.keys("c").types("more").keys("<up>").wait_for("▸ [ ] 3 Tests");
    it.terminal.keys("<space>").wait_for("[x] 3 Tests").keys("<enter>");
    assert_eq!(it.result(), sent("targets", &["Tests"], "more"));
}

#[test]
fn single_select_takes_one_thing_the_last_that_was_done() {
    let it = Loop::asking(target());
    it.terminal.keys("1c").types("neither").wait_for("neither").keys("<enter>");
    assert_eq!(it.result(), sent("target", &[], "neither"));

    let it = Loop::asking(target());
    it.terminal.keys("c").types("neither").keys("<esc>").wait_for("c own text").keys("2");
    it.terminal.wait_for("[not sent]").keys("<enter>").wait_for("would not be sent").keys("w");
    assert_eq!(it.result(), sent("target", &["Docs"], ""));
}

#[test]
fn an_optionless_question() {
    let it = Loop::asking(json!({"question": "Project name?"}));
    it.terminal.types("askwell").keys("<enter>");
    assert_eq!(it.result(), sent("q1", &[], "askwell"));
}

#[test]
fn b007_a_cancel_with_a_comment_is_told_in_plain_words() {
    let it = Loop::asking(target());
    it.terminal.keys("<esc>").wait_for("Leave these questions?").keys("c").wait_for("Why do you");
    it.terminal.types("explain first").keys("<enter>");
    let result = it.result();
    assert_eq!(result["state"], "cancelled");
    assert_eq!(result["comment"], "explain first");
    assert!(result["message"].as_str().unwrap().contains("Respond to that first"));
}

#[test]
fn a_bad_call_is_shown_to_nobody_and_the_model_is_told_what_to_mend() {
    let it = Loop::calling(r#"{"questions":[{"question":" ","options":[""]}]}"#);
    let result = it.result();
    assert_eq!(result["error"], "BAD_QUESTION");
    let message = result["message"].as_str().unwrap();
    assert!(message.starts_with("Not shown to anyone. 2 faults: "), "{message}");
}

#[test]
fn what_the_model_gets_offered_is_the_tool_with_its_schema() {
    let it = Loop::asking(target());
    it.terminal.keys("<enter>").wait_exit();
    let request = it.model.requests().remove(0);
    let function = &request["tools"][0]["function"];
    assert_eq!(function["name"], TOOL);
    let all = json!(["questions", "context", "expiresInSeconds"]);
    assert_eq!((&function["strict"], &function["parameters"]["required"]), (&json!(true), &all));
    assert!(function["description"].as_str().unwrap().starts_with("Ask the person you work for"));
}
