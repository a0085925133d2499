//! Many at once: one winner each. (Ten thousand claims and eight processes: in the store's tests.)

use std::collections::HashMap;

use askwell_core::State;
use askwell_core::wire::{ProviderName, Response};
use pretty_assertions::assert_eq;
use serde_json::json;

use crate::story::{Story, db, r1, valid};

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn eight_race_for_every_claim_and_each_has_one_winner() {
    let story = Story::begin().await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        let tasks: Vec<_> = (0..100)
            .map(|_| {
                let (host, agent) = (story.host.clone(), story.agent.clone());
                tokio::spawn(async move {
                    host.ask(&agent, &valid(&r1()), &Default::default()).await.unwrap().id
                })
            })
            .collect();
        for task in tasks {
            ids.push(task.await.unwrap());
        }
    }
    let labels = ["Postgres", "SQLite", "DuckDB"];

    let racers: Vec<_> = (0..8_usize)
        .map(|racer| {
            let (host, ann, ids) = (story.host.clone(), story.ann.clone(), ids.clone());
            tokio::spawn(async move {
                let mut won = Vec::new();
                for chunk in ids.chunks(250) {
                    let claims = chunk.iter().map(|id| {
                        let (host, ann, id) = (host.clone(), ann.clone(), *id);
                        let label = labels[racer % 3];
                        tokio::spawn(async move {
                            let provider = ProviderName::Api;
                            let response = Response { answers: db(label), provider };
                            (id, label, host.answer(&ann, id, response).await)
                        })
                    });
                    for claim in claims.collect::<Vec<_>>() {
                        match claim.await.unwrap() {
                            (id, label, Ok(_)) => won.push((id, label)),
                            (.., Err(error)) => assert_eq!(error.code.as_str(), "NOT_PENDING"),
                        }
                    }
                }
                won
            })
        })
        .collect();
    let mut winners = HashMap::new();
    for racer in racers {
        for (id, label) in racer.await.unwrap() {
            assert_eq!(winners.insert(id, label), None, "two winners of {id}");
        }
    }

    assert_eq!(winners.len(), ids.len());
    for id in ids.iter().step_by(97) {
        let view = story.get(*id).await;
        assert_eq!(view.state, State::Answered);
        assert_eq!(view.outcome, Some(json!({"answers": db(winners[id])})));
    }
    assert_eq!(story.host.stats().pending, 0);
}
