//! Pages that hold much: how long until a person can answer, and how long a press takes to be seen.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::{Desk, millis, taken_over, watch_scripts};
use crate::Setup;
use crate::report::{Amount, Report};
use crate::serve::fill;
use crate::serve::program::Folder;
use crate::statistics::median;

const PENDING: usize = 1_000;

/// From the press of the first option to the second frame after it: what was pressed is on the screen.
const PRESS: &str = "
    const option = document.querySelector('.question input[data-label]');
    const start = performance.now();
    option.click();
    await new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
    return performance.now() - start;";

pub fn measure(setup: &Setup, report: &mut Report) -> Result<()> {
    let desk = Desk::open(Folder::with_store(&setup.askwell)?)?;
    let tab = &desk.browser;
    watch_scripts(tab);
    let page = desk.page(&desk.asks(&request(50, 100))?);
    let (mut ready, mut pressed) = (Vec::new(), Vec::new());
    for _ in 0..(setup.rounds / 4).max(5) {
        tab.open(&page);
        ready.push(taken_over(tab));
        pressed.push(millis(&tab.run_async(PRESS, &[])));
    }
    report.value("page: 50 questions × 100 options, ready", Amount::Time(median(&ready)));
    report.value("  press of an option to the frame that shows it", Amount::Time(median(&pressed)));
    drop(desk);

    let folder = Folder::with_store(&setup.askwell)?;
    fill::fill(&folder.place(), 0, PENDING)?;
    let desk = Desk::open(folder)?;
    watch_scripts(&desk.browser);
    let mut ready: Vec<Duration> = Vec::new();
    for _ in 0..(setup.rounds / 4).max(5) {
        desk.browser.open(format!("{}/", desk.address));
        ready.push(taken_over(&desk.browser));
    }
    let shown = desk.browser.css("#inbox a[data-state=pending]").count();
    let what = format!("page: inbox with {PENDING} pending ({shown} of them shown), ready");
    report.value(what, Amount::Time(median(&ready)));
    Ok(())
}

/// What is asked, with so many questions and options.
fn request(questions: usize, options: usize) -> String {
    let questions = (0..questions).map(|number| {
        let options = (0..options).map(|it| json!({"label": format!("Option {it}")}));
        json!({
            "id": format!("q{number}"), "question": format!("Question {number}: which of these?"),
            "options": options.collect::<Vec<_>>(), "multiSelect": true,
        })
    });
    json!({"questions": questions.collect::<Vec<_>>()}).to_string()
}
