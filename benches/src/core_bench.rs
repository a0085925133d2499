//! The contract alone, in process: the largest request read and validated, a full answer to it
//! validated, and the answer projected to what an asker gets.

use std::time::{Duration, Instant};

use anyhow::Result;
use askwell_core::{answer, project, request};
use serde_json::{Value, json};

use crate::Setup;
use crate::report::{Amount, Report};
use crate::statistics::median;

const QUESTIONS: usize = 50;
const OPTIONS: usize = 500;

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let (request, answer) = (request_text(), answer_value());
    let mut times: [Vec<Duration>; 3] = Default::default();
    let mut projected = 0;
    for _ in 0..setup.rounds {
        let start = Instant::now();
        let request = request::from_json(&request).map_err(|bad| anyhow::anyhow!("{bad}"))?;
        times[0].push(start.elapsed());

        let start = Instant::now();
        let answers =
            answer::validate_json(&request, &answer).map_err(|bad| anyhow::anyhow!("{bad}"))?;
        times[1].push(start.elapsed());

        let result = Ok(answers);
        let start = Instant::now();
        projected = project::tool_result(&result).to_string().len();
        times[2].push(start.elapsed());
    }

    let size = format!("{QUESTIONS} × {OPTIONS}");
    let bytes = Amount::Bytes(request.len() as u64);
    report.value(format!("a request of {size}"), bytes);
    report.value(format!("read and validate a request of {size}"), Amount::Time(median(&times[0])));
    report.value("validate an answer to it, half of all chosen", Amount::Time(median(&times[1])));
    report.value(format!("project it, {projected} B"), Amount::Time(median(&times[2])));
    Ok(())
}

fn label(question: usize, option: usize) -> String {
    format!("Option {option} of question {question}")
}

fn request_text() -> String {
    let question = |number: usize| {
        let options: Vec<Value> = (0..OPTIONS)
            .map(|option| json!({"label": label(number, option), "description": "What it means."}))
            .collect();
        json!({"id": format!("q{number}"), "question": "Which?", "options": options, "multiSelect": true})
    };
    json!({"questions": (0..QUESTIONS).map(question).collect::<Vec<_>>()}).to_string()
}

/// Every second label, from the last to the first, so that the order has to be made canonical.
fn answer_value() -> Value {
    let answer = |number: usize| {
        let selected: Vec<String> =
            (0..OPTIONS).step_by(2).rev().map(|option| label(number, option)).collect();
        json!({"id": format!("q{number}"), "selected": selected, "custom": "and in my own words"})
    };
    json!({"answers": (0..QUESTIONS).map(answer).collect::<Vec<_>>()})
}
