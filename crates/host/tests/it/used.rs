//! What counts as use of a host: everything that people and programs call, reads and streams too.

use std::time::Duration;

use pretty_assertions::assert_eq;

use crate::story::{Story, r1};

#[tokio::test]
async fn reads_are_use_and_looking_at_the_counts_is_none() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    let calls = || story.host.stats().calls;
    let before = calls();
    assert_eq!(calls(), before);

    story.host.get(&story.ann, id).await.unwrap();
    story.host.wait(&story.agent, id, Duration::ZERO).await.unwrap();
    story.host.list(&story.ann, &Default::default()).await.unwrap();
    story.host.history(&story.ann, &Default::default()).await.unwrap();
    story.host.draft(&story.ann, id).await.unwrap();

    assert_eq!(calls(), before + 5);
}

#[tokio::test]
async fn an_askers_stream_is_use_and_nobody_who_watches() {
    let story = Story::begin().await;
    let counts = || (story.host.stats().streams, story.host.stats().watching);

    let askers = story.host.subscribe(&story.agent, None).unwrap();
    assert_eq!(counts(), (1, 0));
    let answerers = story.host.subscribe(&story.ann, None).unwrap();
    assert_eq!(counts(), (2, 1));

    drop((askers, answerers));
    assert_eq!(counts(), (0, 0));
}
