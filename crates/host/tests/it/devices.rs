//! Devices: browsers that signed in by a link.

use std::time::Duration;

use askwell_core::ErrorCode;
use askwell_core::wire::{NewCredential, NewSignIn, Role};
use askwell_host::{BadCode, Caller, NotSignedIn};
use pretty_assertions::assert_eq;

use crate::story::{START, Story, code, r1};

const HOUR: i64 = 3_600_000;

#[tokio::test]
async fn a_link_makes_a_device_of_the_same_person_once() {
    let story = Story::begin().await;
    let new = NewSignIn { next: Some("/r/x".to_owned()), ..NewSignIn::default() };
    let link = story.host.make_sign_in(&story.ann, &new).unwrap();
    assert_eq!(story.host.sign_in(&link.code).unwrap().person, "ann");

    let signed_in = story.host.use_sign_in(&link.code, "Firefox on Linux", None).await.unwrap();

    assert_eq!(signed_in.next.as_deref(), Some("/r/x"));
    let token = signed_in.token.unwrap();
    let device = story.host.authenticate_device(&token).unwrap();
    assert_eq!((device.name(), device.person()), ("Firefox on Linux", story.ann.person()));
    let used = NotSignedIn::Code(BadCode::Used);
    assert_eq!(story.host.use_sign_in(&link.code, "x", None).await, Err(used));
    assert_eq!(story.host.sign_in("x"), Err(BadCode::Unknown));
    // One that was made by hand is none, whoever holds it.
    let new = NewCredential {
        role: Role::Answerer,
        name: "cli".to_owned(),
        person: Some("ann".to_owned()),
    };
    let (_, secret) = story.host.create_credential(&Caller::owner(), new).await.unwrap();
    assert_eq!(code(story.host.authenticate_device(&secret)), "UNAUTHORIZED");
    assert_eq!(story.host.devices(&story.ann).unwrap().len(), 1);
    assert_eq!(story.host.devices(&story.ben).unwrap(), []);
}

#[tokio::test]
async fn when_a_device_was_used_is_kept_to_the_hour() {
    let mut story = Story::begin().await;
    let link = story.host.make_sign_in(&story.ann, &NewSignIn::default()).unwrap();
    let signed_in = story.host.use_sign_in(&link.code, "a browser", None).await.unwrap();
    let token = signed_in.token.unwrap();
    let used_at = |story: &Story| {
        let devices = story.host.devices(&story.ann).unwrap();
        devices[0].device.unwrap().used_at
    };
    let hour = START - START % HOUR;
    assert_eq!(used_at(&story), hour);

    story.clock.advance(Duration::from_secs(2 * 3_600));
    story.host.authenticate_device(&token).unwrap();
    assert_eq!(used_at(&story), hour + 2 * HOUR);
    // A program that holds it is not the device.
    story.clock.advance(Duration::from_secs(3_600));
    story.host.authenticate(&token).unwrap();

    story.restart_after(Duration::from_secs(3_600)).await;
    assert_eq!(used_at(&story), hour + 2 * HOUR);
    story.host.authenticate_device(&token).unwrap();
    assert_eq!(used_at(&story), hour + 4 * HOUR);
}

#[tokio::test]
async fn a_wait_ends_when_its_credential_is_revoked_and_no_other_does() {
    let story = Story::begin().await;
    let id = story.attach(&r1()).await;
    let wait = |who: &Caller| {
        let (host, who) = (story.host.clone(), who.clone());
        tokio::spawn(async move { host.wait(&who, id, Duration::from_secs(60)).await })
    };
    let (of_agent, of_ann, of_ben) = (wait(&story.agent), wait(&story.ann), wait(&story.ben));
    tokio::time::sleep(Duration::from_millis(50)).await;

    let revoke = |who: &Caller| {
        let (host, id) = (story.host.clone(), who.credential());
        async move { host.revoke_credential(&Caller::owner(), id).await.unwrap() }
    };
    revoke(&story.other).await;
    revoke(&story.ann).await;
    revoke(&story.agent).await;

    for wait in [of_agent, of_ann] {
        let ended = tokio::time::timeout(Duration::from_secs(5), wait).await.unwrap().unwrap();
        assert_eq!(ended.unwrap_err().code, ErrorCode::Unauthorized);
    }
    // One that had been let in a moment before ends as well.
    let late = story.host.wait(&story.agent, id, Duration::from_secs(60)).await;
    assert_eq!(code(late), "UNAUTHORIZED");
    assert!(!of_ben.is_finished());
    story.host.begin_shutdown();
    assert!(of_ben.await.unwrap().is_ok());
}
