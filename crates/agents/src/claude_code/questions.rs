//! AskUserQuestion: its questions as a request, and the outcome as its input with the answers in it.
//!
//! Answers are keyed by the text of their question, and several items of one answer are joined, so this
//! form is poorer than ours. Invariants: the input goes back as it came, but for the answers; a question
//! that the person skipped has none.

use std::collections::HashSet;

use askwell_core::{Answer, Answers, Outcome, Question, ValidRequest, lenient, texts};
use serde_json::{Map, Value, json};

use super::{Left, Session};

/// What of its input belongs to an answer: a model's own words there are no person's.
const OF_AN_ANSWER: [&str; 5] = ["answers", "annotations", "response", "followUp", "afkTimeoutMs"];

/// Questions by Claude Code's own tool.
#[derive(Debug, Clone)]
pub struct Questions {
    pub(super) session: Session,
    input: Map<String, Value>,
}

impl Questions {
    pub(super) fn read(session: Session, input: Value) -> Result<Self, Left> {
        match input {
            Value::Object(input) => Ok(Self { session, input }),
            _ => Err(Left::because("tool_input is not an object")),
        }
    }

    /// The questions as a request. `context` is what led to them.
    ///
    /// # Errors
    /// [`Left`] where a request can't hold them, or their answers could not be told apart.
    pub fn request(&self, context: Option<String>) -> Result<ValidRequest, Left> {
        let mut questions = self.input.get("questions").cloned().unwrap_or_default();
        for question in questions.as_array_mut().into_iter().flatten() {
            adapt(question)?;
        }
        let request = json!({
            "questions": questions,
            "context": context,
            "asker": self.session.asker(None),
            "expiresInSeconds": self.input.get("expiresInSeconds"),
        });
        let request = lenient::request_from_value(request)
            .map_err(|bad| Left::because(format!("the questions can't be shown: {bad}")))?;
        let mut seen = HashSet::new();
        match request.questions.iter().find(|question| !seen.insert(&question.question)) {
            None => Ok(request),
            Some(twice) => {
                let text = &twice.question;
                Err(Left::because(format!("two questions have one text, {text:?}")))
            }
        }
    }

    /// What the hook prints. `asked`: the shorter time to live that was asked for.
    pub fn reply(&self, request: &ValidRequest, outcome: &Outcome, asked: Option<u64>) -> Value {
        let decision = match outcome {
            Outcome::Answered(answers) => self.allow(request, answers),
            Outcome::Cancelled { comment } => deny(&texts::cancelled(comment.as_deref())),
            Outcome::Aborted { reason } => deny(&texts::aborted(reason)),
            Outcome::Expired => {
                let had = request.expires_in_seconds;
                let raised =
                    asked.zip(had).map(|(asked, least)| texts::expiry_raised(asked, least));
                let parts = [Some(texts::expired(had)), raised];
                deny(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
            }
        };
        json!({ "hookSpecificOutput": decision })
    }

    fn allow(&self, request: &ValidRequest, answers: &Answers) -> Value {
        let mut input = self.input.clone();
        input.retain(|name, _| !OF_AN_ANSWER.contains(&name.as_str()));
        let (mut told, mut notes) = (Map::new(), Map::new());
        for (question, answer) in request.questions.iter().zip(answers.as_slice()) {
            let text = question.question.clone();
            match answer_text(question, answer) {
                Some(answer) => told.insert(text, answer.into()),
                // Without a word the model would not even see that it was asked.
                None => notes.insert(text, json!({ "notes": texts::SKIPPED })),
            };
        }
        input.insert("answers".to_owned(), told.into());
        if !notes.is_empty() {
            input.insert("annotations".to_owned(), notes.into());
        }
        json!({
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
        })
    }
}

fn deny(reason: &str) -> Value {
    json!({
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    })
}

/// Brings what Claude Code has beyond a choice into our form.
fn adapt(question: &mut Value) -> Result<(), Left> {
    let Value::Object(fields) = question else { return Ok(()) };
    match fields.get("kind").and_then(Value::as_str) {
        None | Some("choice") => {}
        Some("text") => {
            fields.remove("options");
        }
        // Such as a number within bounds: nobody would check it.
        Some(kind) => {
            return Err(Left::because(format!("a question is of the kind {kind:?}")));
        }
    }
    if let Some(Value::String(_)) = fields.get("description")
        && !fields.contains_key("detail")
        && let Some(description) = fields.remove("description")
    {
        fields.insert("detail".to_owned(), description);
    }
    Ok(())
}

/// The one string that an answer has; none of a skipped question.
fn answer_text(question: &Question, answer: &Answer) -> Option<String> {
    let items: Vec<&str> =
        answer.selected.iter().chain(&answer.custom).map(String::as_str).collect();
    match items.as_slice() {
        [] => None,
        items if question.is_multi_select() => Some(joined(items)),
        items => Some(items.concat()),
    }
}

/// Items joined so that Claude Code can take them apart: one that holds what joins or quotes is
/// quoted as JSON.
fn joined(items: &[&str]) -> String {
    let quoted = items.iter().map(|item| match item.contains(", ") || item.contains('"') {
        true => Value::from(*item).to_string(),
        false => (*item).to_owned(),
    });
    quoted.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use askwell_core::answer;
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;
    use crate::claude_code::Call;

    fn input() -> Value {
        json!({
            "questions": [
                {"question": "Which framework?", "header": "Stack", "multiSelect": false, "options": [
                    {"label": "React", "description": "known", "preview": "```jsx\n<App/>\n```"},
                    {"label": "Svelte", "description": "small"},
                ]},
                {"question": "Which parts, \"all\" in all?", "header": "Parts", "multiSelect": true,
                 "options": [
                    {"label": "Auth", "description": ""},
                    {"label": "Search, fast", "description": ""},
                    {"label": "The \"old\" one", "description": ""},
                ]},
            ],
            "metadata": {"source": "plan"},
        })
    }

    fn questions(tool_input: Value) -> Questions {
        let call = json!({
            "session_id": "s-1", "cwd": "/home/kim/shop", "transcript_path": "/t.jsonl",
            "hook_event_name": "PreToolUse", "tool_name": "AskUserQuestion",
            "tool_use_id": "toolu_1", "permission_mode": "default", "effort": {"level": "high"},
            "tool_input": tool_input,
        });
        let Ok(Call::Questions(questions)) = Call::read(call.to_string().as_bytes()) else {
            panic!("not read: {call}");
        };
        questions
    }

    fn answered(questions: &Questions, answers: Value) -> Value {
        let request = questions.request(None).unwrap();
        let answers = answer::validate_json(&request, &json!({ "answers": answers })).unwrap();
        questions.reply(&request, &Outcome::Answered(answers), None)["hookSpecificOutput"].clone()
    }

    #[test]
    fn questions_become_a_request_with_everything_that_is_shown() {
        let request = questions(input()).request(Some("We need a front end.".to_owned())).unwrap();

        assert_eq!(
            serde_json::to_value(&request).unwrap(),
            json!({
                "questions": [
                    {"id": "q1", "header": "Stack", "question": "Which framework?", "options": [
                        {"label": "React", "description": "known", "preview": "```jsx\n<App/>\n```"},
                        {"label": "Svelte", "description": "small"},
                    ]},
                    {"id": "q2", "header": "Parts", "question": "Which parts, \"all\" in all?",
                     "options": [
                        {"label": "Auth", "description": ""},
                        {"label": "Search, fast", "description": ""},
                        {"label": "The \"old\" one", "description": ""},
                    ], "multiSelect": true},
                ],
                "context": "We need a front end.",
                "asker": {"name": "claude-code", "session": "s-1", "cwd": "/home/kim/shop"},
            })
        );
    }

    #[rstest]
    #[case(json!(["Auth"]), None, "Auth")]
    #[case(json!(["Auth", "Search, fast"]), None, "Auth, \"Search, fast\"")]
    #[case(json!(["The \"old\" one"]), Some("SSO,later"), "\"The \\\"old\\\" one\", SSO,later")]
    #[case(json!([]), Some("one, two"), "\"one, two\"")]
    #[case(json!(["Auth"]), Some("two\nlines"), "Auth, two\nlines")]
    fn labels_and_text_are_joined_by_the_rule_of_claude_code(
        #[case] selected: Value,
        #[case] custom: Option<&str>,
        #[case] expected: &str,
    ) {
        let answers = json!([
            {"id": "q1", "selected": ["React"]},
            {"id": "q2", "selected": selected, "custom": custom},
        ]);

        let decision = answered(&questions(input()), answers);

        let mut echoed = input();
        echoed["answers"] =
            json!({"Which framework?": "React", "Which parts, \"all\" in all?": expected});
        assert_eq!(
            decision,
            json!({
                "permissionDecision": "allow", "updatedInput": echoed, "hookEventName": "PreToolUse",
            })
        );
    }

    #[test]
    fn a_text_on_a_single_choice_is_sent_as_it_is_and_a_skip_has_no_answer() {
        let answers = json!([
            {"id": "q1", "selected": [], "custom": "Vue, or \"none\""},
            {"id": "q2", "selected": []},
        ]);

        let decision = answered(&questions(input()), answers);

        let mut echoed = input();
        echoed["answers"] = json!({"Which framework?": "Vue, or \"none\""});
        echoed["annotations"] = json!({"Which parts, \"all\" in all?": {"notes": texts::SKIPPED}});
        assert_eq!(decision["updatedInput"], echoed);
    }

    #[test]
    fn what_a_model_answers_itself_is_not_taken_for_a_person() {
        let mut own = input();
        own["answers"] = json!({"Which framework?": "Svelte"});
        own["annotations"] = json!({"Which framework?": {"notes": "sure"}});
        own["response"] = json!("go on");
        let answers =
            json!([{"id": "q1", "selected": ["React"]}, {"id": "q2", "selected": ["Auth"]}]);

        let decision = answered(&questions(own), answers);

        let mut echoed = input();
        echoed["answers"] =
            json!({"Which framework?": "React", "Which parts, \"all\" in all?": "Auth"});
        assert_eq!(decision["updatedInput"], echoed);
    }

    #[test]
    fn every_other_outcome_denies_in_words_that_say_what_to_do() {
        let questions = questions(input());
        let request = questions.request(None).unwrap().expiring_in(7_200).unwrap();
        let denied = |outcome: Outcome| questions.reply(&request, &outcome, None);
        let deny = |reason: &str| {
            json!({"hookSpecificOutput": {
                "permissionDecision": "deny", "permissionDecisionReason": reason,
                "hookEventName": "PreToolUse",
            }})
        };

        let comment = Some("explain SSO first".to_owned());
        assert_eq!(
            denied(Outcome::Cancelled { comment }),
            deny(
                "The person set the questions aside and wrote: «explain SSO first». Respond to that \
                 first. No option was chosen. Don't repeat the same questions unchanged."
            )
        );
        assert_eq!(
            denied(Outcome::Cancelled { comment: None }),
            deny(
                "The person set the questions aside and gave no reason. Stop this line of work, or \
                 ask in chat how to go on."
            )
        );
        assert_eq!(
            denied(Outcome::Aborted { reason: "not needed any more".to_owned() }),
            deny("Withdrawn before an answer: not needed any more. No decision.")
        );
        assert_eq!(
            denied(Outcome::Expired),
            deny(
                "Nobody answered within 2 h. No decision was made. Do only what is safe and \
                 reversible, name your assumption, or stop. Don't ask again now."
            )
        );
        let raised = questions.reply(&request, &Outcome::Expired, Some(90));
        let reason = raised["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        let told = "again now. You gave them 1 min 30 s; here a question waits at least 2 h.";
        assert!(reason.ends_with(told), "{reason}");
    }

    #[rstest]
    #[case(json!([]), "EMPTY_QUESTIONS")]
    #[case(json!("Which?"), "is not valid JSON")]
    #[case(json!([{"question": "A?", "options": ["x", "y"]}, {"question": "A?", "options": ["z"]}]),
           "two questions have one text, \"A?\"")]
    #[case(json!([{"question": "A?", "options": ["x", "x"]}]), "BAD_QUESTION")]
    #[case(json!([{"question": "How many?", "kind": "number", "min": 1}]), "the kind \"number\"")]
    fn what_can_t_be_asked_and_answered_is_left(#[case] asked: Value, #[case] why: &str) {
        let left = questions(json!({ "questions": asked })).request(None).unwrap_err();

        assert!(left.to_string().contains(why), "{left}");
    }

    #[test]
    fn a_question_for_text_has_its_description_as_detail() {
        let asked = json!([{"question": "Its name?", "kind": "text", "options": [], "header": "Name",
                            "description": "In small letters."}]);

        let request = questions(json!({ "questions": asked })).request(None).unwrap();

        let question = &request.questions[0];
        assert!(question.is_free_text());
        assert_eq!(question.detail.as_deref(), Some("In small letters."));
    }
}
