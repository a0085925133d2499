//! What was entered into a form, as an answer. Clients differ in what they send for a field that was
//! left alone, so an empty value is none; what is no answer is told, and never handed on.

use askwell_core::answer;
use askwell_core::draft::DraftState;
use askwell_core::text::is_blank;
use askwell_core::{Answers, Question, ValidRequest};
use serde_json::{Map, Value, json};

use super::fields;

/// What was entered.
#[derive(Debug, PartialEq)]
pub(crate) enum Entered {
    /// Not one field. If that is meant, every question was skipped.
    Nothing { skipped: Answers },
    Answers {
        answers: Answers,
        /// Choices beside a text, which overrides them.
        overridden: Vec<DraftState>,
    },
    /// What is wrong, in sentences; and what was entered all the same, as a draft.
    Faults { faults: Vec<String>, entered: Vec<DraftState> },
}

/// Reads the content of a form.
pub(crate) fn read(request: &ValidRequest, content: Option<&Value>) -> Entered {
    let empty = Map::new();
    let content = match content {
        None | Some(Value::Null) => &empty,
        Some(Value::Object(content)) => content,
        Some(other) => {
            let faults = vec![format!("{other} is no form")];
            return Entered::Faults { faults, entered: Vec::new() };
        }
    };
    let (mut answers, mut faults, mut overridden) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = Vec::new();
    for (index, question) in request.questions.iter().enumerate() {
        let mut entered = Field { content, question, faults: &mut faults };
        let chosen = entered.chosen(index);
        let custom = match question.is_free_text() {
            true => entered.text(&fields::choice(index)),
            false => entered.text(&fields::custom(index)),
        };
        if !chosen.is_empty() || custom.is_some() {
            all.push(drafted(question, chosen.clone(), custom.clone().unwrap_or_default()));
        }
        let mut answer = json!({"id": question.id, "selected": chosen});
        if let Some(custom) = custom {
            // The text of a single choice wins over the choice.
            if let (false, [label]) = (question.is_multi_select(), chosen.as_slice()) {
                answer["selected"] = json!([]);
                overridden.push(drafted(question, vec![label.clone()], custom.clone()));
            }
            answer["custom"] = json!(custom);
        }
        answers.push(answer);
    }
    let nothing =
        answers.iter().all(|it| it["selected"] == json!([]) && it.get("custom").is_none());
    match answer::validate_json(request, &json!({"answers": answers})) {
        _ if !faults.is_empty() => Entered::Faults { faults, entered: all },
        Ok(skipped) if nothing => Entered::Nothing { skipped },
        Ok(answers) => Entered::Answers { answers, overridden },
        Err(bad) => {
            let told = bad.issues.iter().map(|issue| match &issue.question {
                Some(question) => format!("{question}: {}", issue.message),
                None => issue.message.clone(),
            });
            Entered::Faults { faults: told.collect(), entered: all }
        }
    }
}

/// What was entered for a question, as it is kept.
fn drafted(question: &Question, chosen: Vec<String>, custom: String) -> DraftState {
    let custom_on = !custom.is_empty();
    DraftState { id: question.id.clone(), chosen, custom, custom_on, skipped: false }
}

/// One question's part of a form.
struct Field<'a> {
    content: &'a Map<String, Value>,
    question: &'a Question,
    faults: &'a mut Vec<String>,
}

impl Field<'_> {
    /// The labels that were chosen, each once.
    fn chosen(&mut self, index: usize) -> Vec<String> {
        if self.question.is_free_text() {
            return Vec::new();
        }
        let mut labels: Vec<String> = match self.content.get(&fields::choice(index)) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(label)) if label.is_empty() => Vec::new(),
            Some(Value::String(label)) => vec![label.clone()],
            Some(Value::Array(items)) => {
                let labels = items.iter().map(Value::as_str);
                let labels: Option<Vec<&str>> = labels.collect();
                match labels {
                    Some(labels) => labels.into_iter().map(str::to_owned).collect(),
                    None => self.wrong("a list of labels"),
                }
            }
            Some(_) => self.wrong("a label"),
        };
        for (place, option) in self.question.options.iter().enumerate() {
            match self.content.get(&fields::switch(index, place)) {
                Some(Value::Bool(true)) => labels.push(option.label.clone()),
                None | Some(Value::Null | Value::Bool(false)) => {}
                Some(_) => {
                    self.wrong("true or false");
                }
            }
        }
        let mut once: Vec<String> = Vec::with_capacity(labels.len());
        for label in labels {
            if !once.contains(&label) {
                once.push(label);
            }
        }
        once
    }

    /// A text that is not blank.
    fn text(&mut self, name: &str) -> Option<String> {
        match self.content.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => (!is_blank(text)).then(|| text.clone()),
            Some(_) => {
                self.wrong("a text");
                None
            }
        }
    }

    fn wrong(&mut self, expected: &str) -> Vec<String> {
        self.faults.push(format!("{}: expected {expected}", self.question.id));
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::Request;
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn request() -> ValidRequest {
        let questions = [
            Question::new("db", "Which database?").option("Postgres").option("SQLite"),
            Question::new("feat", "Which features?").option("Auth").option("Search").multi_select(),
            Question::new("__proto__", "Project name?"),
        ];
        Request::new(questions).validate().unwrap()
    }

    fn answers(content: &Value) -> Result<Value, Vec<String>> {
        match read(&request(), Some(content)) {
            Entered::Answers { answers, .. } => Ok(json!(answers)["answers"].take()),
            Entered::Nothing { .. } => Ok(json!("nothing")),
            Entered::Faults { faults, .. } => Err(faults),
        }
    }

    fn answer(db: &Value, feat: &Value, name: &Value) -> Value {
        let parts = [("db", db), ("feat", feat), ("__proto__", name)];
        let answer = parts.map(|(id, part)| match part {
            Value::String(custom) => json!({"id": id, "selected": [], "custom": custom}),
            labels => json!({"id": id, "selected": labels}),
        });
        json!(answer)
    }

    #[rstest]
    #[case(json!({"q01": "SQLite", "q02": ["Search", "Auth", "Search"], "q03": "x", "more": 7}),
        json!(["SQLite"]), json!(["Auth", "Search"]), json!("x"))]
    #[case(json!({"q01": "", "q01_custom": " ", "q02": "Auth", "q03": null}),
        json!([]), json!(["Auth"]), json!([]))]
    #[case(json!({"q01": "SQLite", "q01_custom": "in memory", "q02": []}),
        json!("in memory"), json!([]), json!([]))]
    #[case(json!({"q02_01": true, "q02_02": false, "q03": "x"}),
        json!([]), json!(["Auth"]), json!("x"))]
    fn b138_b140_what_clients_send_is_an_answer(
        #[case] content: Value,
        #[case] db: Value,
        #[case] feat: Value,
        #[case] name: Value,
    ) {
        assert_eq!(answers(&content), Ok(answer(&db, &feat, &name)));
    }

    #[rstest]
    #[case(json!({}))]
    #[case(json!({"q01": "", "q01_custom": "", "q02": [], "q02_custom": "", "q03": ""}))]
    #[case(Value::Null)]
    fn b140_an_empty_form_is_nothing(#[case] content: Value) {
        assert_eq!(answers(&content), Ok(json!("nothing")));
    }

    #[rstest]
    #[case(json!({"q01": "Oracle"}), "db: label \"Oracle\" is not one of its options")]
    #[case(json!({"q01": 7}), "db: expected a label")]
    #[case(json!({"q01": ["Postgres", "SQLite"]}), "db: takes one label, not 2")]
    #[case(json!({"q02": "Auth, Search"}), "feat: label \"Auth, Search\" is not one of its options")]
    #[case(json!({"q02": ["Auth", 7]}), "feat: expected a list of labels")]
    #[case(json!({"q02_01": "yes"}), "feat: expected true or false")]
    #[case(json!({"q03": ["x"]}), "__proto__: expected a text")]
    #[case(json!({"q03": "x".repeat(1_000_000)}),
        "__proto__: has a custom text of 1000000 bytes (at most 262144 bytes)")]
    #[case(json!([]), "[] is no form")]
    fn b139_what_is_no_answer_is_told(#[case] content: Value, #[case] fault: &str) {
        let faults = answers(&content).unwrap_err();

        assert_eq!(faults.iter().map(String::as_str).collect::<Vec<_>>(), [fault]);
    }

    #[test]
    fn a_text_beside_a_single_choice_is_noted() {
        let content = json!({"q01": "SQLite", "q01_custom": "in memory", "q02": ["Auth"],
            "q02_custom": "SSO"});

        let Entered::Answers { overridden, .. } = read(&request(), Some(&content)) else {
            panic!("no answer");
        };
        let noted = DraftState {
            id: "db".to_owned(),
            chosen: vec!["SQLite".to_owned()],
            custom: "in memory".to_owned(),
            custom_on: true,
            skipped: false,
        };
        assert_eq!(overridden, [noted]);
    }
}
