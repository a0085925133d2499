//! Random orders of everything that can happen, against a model that can be read at a glance: no
//! answer lost, none invented, none twice.

use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{EventId, Leaving, Posting, RequestId};
use proptest::prelude::*;

use crate::story::{Story, db, drain, expiring, r1};

/// Something that happens to one of three requests, or to the host.
#[derive(Debug, Clone, Copy)]
enum Step {
    Answer(usize),
    AnswerBadly(usize),
    Cancel(usize),
    Abort(usize),
    Type(usize),
    Extend(usize),
    Poll(usize),
    Leave(usize, bool),
    Pass(u64),
    Jump(i64),
    Restart(u64),
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    let request = 0..3_usize;
    prop_oneof![
        2 => request.clone().prop_map(Step::Answer),
        1 => request.clone().prop_map(Step::AnswerBadly),
        1 => request.clone().prop_map(Step::Cancel),
        1 => request.clone().prop_map(Step::Abort),
        3 => request.clone().prop_map(Step::Type),
        2 => request.clone().prop_map(Step::Extend),
        2 => request.clone().prop_map(Step::Poll),
        1 => (request, any::<bool>()).prop_map(|(request, told)| Step::Leave(request, told)),
        3 => prop_oneof![Just(1_u64), Just(20), Just(31), Just(600), Just(86_400)]
            .prop_map(Step::Pass),
        1 => (-100_000_000..100_000_000_i64).prop_map(Step::Jump),
        1 => (0..2_000_u64).prop_map(Step::Restart),
        1 => Just(Step::Crash),
    ]
}

/// What must be true of one request.
struct Model {
    id: RequestId,
    /// How it ended, once somebody was told that it did.
    ended: Option<(State, Option<String>)>,
    late: usize,
    texts: Vec<String>,
    revision: u64,
}

impl Model {
    async fn check(&self, story: &Story) {
        let view = story.get(self.id).await;
        match &self.ended {
            Some((state, text)) => {
                assert_eq!(view.state, *state);
                let outcome = view.outcome.unwrap().to_string();
                assert!(text.as_ref().is_none_or(|text| outcome.contains(text)), "{outcome}");
            }
            // Only time ends what nobody has ended.
            None => assert!(matches!(view.state, State::Pending | State::Expired | State::Aborted)),
        }
        assert_eq!(view.late.len(), self.late);
        let draft = story.host.draft(&story.ann, self.id).await.unwrap();
        let entry = &draft.questions[0];
        if let Some(last) = self.texts.last() {
            assert_eq!((&entry.state.custom, entry.revision), (last, self.revision));
        }
    }
}

async fn run(steps: Vec<Step>) {
    let mut story = Story::begin().await;
    let mut models = Vec::new();
    for number in 0..3 {
        let id = match number {
            0 => story.post(&r1()).await,
            1 => story.attach(&expiring(r1(), 900)).await,
            _ => story.ask_as(&story.agent, &r1(), &Posting::attached()).await,
        };
        models.push(Model { id, ended: None, late: 0, texts: Vec::new(), revision: 0 });
    }
    for (turn, step) in steps.into_iter().enumerate() {
        apply(&mut story, &mut models, turn, step).await;
        for model in &mut models {
            // Whatever time has done is done for good.
            let state = story.state(model.id).await;
            if model.ended.is_none() && state != State::Pending {
                model.ended = Some((state, None));
            }
            model.check(&story).await;
        }
    }
    told_once(&story, &models).await;
}

/// What a person or the asker does that ends a request.
async fn end(story: &Story, model: &mut Model, turn: usize, step: Step) {
    let (state, text, result) = match step {
        Step::Answer(_) => {
            let label = ["Postgres", "SQLite", "DuckDB"][turn % 3];
            let result = story.answer(model.id, db(label)).await;
            (State::Answered, label.to_owned(), result)
        }
        Step::Cancel(_) => {
            let comment = format!("comment {turn}");
            let result = story.cancel(model.id, &comment).await;
            (State::Cancelled, comment, result)
        }
        _ => {
            let reason = format!("reason {turn}");
            let result = story.host.abort(&story.agent, model.id, &reason).await;
            (State::Aborted, reason, result)
        }
    };
    match (&model.ended, result) {
        (None, Ok(view)) => {
            assert_eq!(view.state, state);
            model.ended = Some((state, Some(text)));
        }
        (Some((ended, said)), Err(error)) => {
            assert_eq!(error.code.as_str(), "NOT_PENDING");
            let told = error.details.ended.unwrap();
            assert_eq!(told.state, *ended);
            // Kept, unless it says what the outcome says, or what was kept before.
            let before = story.get(model.id).await.late;
            let same = *ended == state && said.as_ref() == Some(&text);
            assert!(
                same || state == State::Aborted
                    || before.iter().any(|late| { late.response.to_string().contains(&text) }),
                "{text}"
            );
            model.late = before.len().max(model.late);
        }
        (ended, result) => panic!("{ended:?}: {result:?}"),
    }
}

async fn apply(story: &mut Story, models: &mut [Model], turn: usize, step: Step) {
    match step {
        Step::Answer(n) | Step::Cancel(n) | Step::Abort(n) => {
            end(story, &mut models[n], turn, step).await;
        }
        Step::AnswerBadly(n) => {
            let model = &mut models[n];
            let error = story.answer(model.id, db("Oracle")).await.unwrap_err();
            let expected = if model.ended.is_some() { "NOT_PENDING" } else { "BAD_RESPONSE" };
            assert_eq!(error.code.as_str(), expected);
            if model.ended.is_some() {
                model.late = story.get(model.id).await.late.len();
            }
        }
        Step::Type(n) => {
            let model = &mut models[n];
            let text = format!("text {turn}");
            let saved = story.type_text(&story.ann, model.id, model.revision, &text).await;
            let saved = match saved {
                Ok(saved) => saved,
                Err(error) => {
                    assert!(model.ended.is_some() && error.code.as_str() == "NOT_PENDING");
                    error.details.draft.unwrap()
                }
            };
            assert!(saved.is_saved());
            model.revision += 1;
            model.texts.push(text);
        }
        Step::Extend(n) => {
            let result = story.host.extend(&story.ann, models[n].id).await;
            assert_eq!(result.is_err(), models[n].ended.is_some());
        }
        Step::Poll(n) => {
            let view = story.host.wait(&story.agent, models[n].id, Duration::ZERO).await.unwrap();
            assert_eq!(view.state != State::Pending, models[n].ended.is_some());
        }
        Step::Leave(n, told) => {
            let leaving = if told { Leaving::Told } else { Leaving::Cut };
            story.host.detach(&story.agent, models[n].id, leaving).await.unwrap();
        }
        Step::Pass(seconds) => story.pass(seconds).await,
        Step::Jump(millis) => story.clock.jump(millis),
        Step::Restart(seconds) => {
            story.restart_after(Duration::from_secs(seconds)).await;
            story.host.run_due().await;
        }
        Step::Crash => {
            story.crash().await;
            story.host.run_due().await;
        }
    }
}

/// The log tells each request once, and its end once, as it is.
async fn told_once(story: &Story, models: &[Model]) {
    let page = story.host.list(&story.ann, &Default::default()).await.unwrap();
    let start = EventId { number: 0, ..page.event_id };
    let mut events = story.host.subscribe(&story.agent, Some(start)).unwrap();
    let told = drain(&mut events).await;
    for model in models {
        let of = |what: &str| {
            let end = format!(" {what} {}", model.id);
            told.iter().filter(|line| line.ends_with(&end)).count()
        };
        assert_eq!(of("requested"), 1, "{told:?}");
        for state in [State::Answered, State::Cancelled, State::Aborted, State::Expired] {
            let expected = model.ended.as_ref().is_some_and(|(ended, _)| *ended == state);
            assert_eq!(of(state.as_str()), usize::from(expected), "{told:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_answer_is_lost_none_invented_none_twice(
        steps in prop::collection::vec(step(), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(run(steps));
    }
}
