//! Section 6: roles, ownership and tokens.

use std::time::Duration;

use askwell_core::ErrorCode;
use askwell_core::wire::{
    CredentialId, InboxError, Leaving, NewCredential, Posting, ProviderName, RequestId, Response,
    Role,
};
use askwell_host::{Caller, Host};
use pretty_assertions::assert_eq;

use crate::story::{Story, code, db, r1, valid};

/// Every call, and which roles may make it.
async fn call(host: &Host, who: &Caller, name: &str, id: RequestId) -> Result<(), InboxError> {
    let response = Response { answers: db("SQLite"), provider: ProviderName::Web };
    let new = NewCredential { role: Role::Asker, name: "new".to_owned(), person: None };
    match name {
        "ask" => host.ask(who, &valid(&r1()), &Posting::detached()).await.map(drop),
        "get" => host.get(who, id).await.map(drop),
        "wait" => host.wait(who, id, Duration::ZERO).await.map(drop),
        "list" => host.list(who, &Default::default()).await.map(drop),
        "detach" => host.detach(who, id, Leaving::Told).await.map(drop),
        "draft" => host.draft(who, id).await.map(drop),
        "save_draft" => host.save_draft(who, id, &Default::default()).await.map(drop),
        "extend" => host.extend(who, id).await.map(drop),
        "history" => host.history(who, &Default::default()).await.map(drop),
        "subscribe" => host.subscribe(who, None).map(drop),
        "purge" => host.purge(who, Duration::MAX).await.map(drop),
        "credentials" => host.credentials(who).await.map(drop),
        "sign_in" => host.make_sign_in(who, &Default::default()).map(drop),
        "devices" => host.devices(who).map(drop),
        "sign_out" => host.sign_out(who, CredentialId::from_bytes([9; 16])).await,
        "create" => host.create_credential(who, new).await.map(drop),
        "revoke" => host.revoke_credential(who, CredentialId::from_bytes([9; 16])).await,
        "answer" => host.answer(who, id, response).await.map(drop),
        "cancel" => host.cancel(who, id, None, ProviderName::Web).await.map(drop),
        "abort" => host.abort(who, id, "a test").await.map(drop),
        _ => panic!("{name}"),
    }
}

const OF_ASKER: [&str; 7] = ["ask", "get", "wait", "list", "detach", "subscribe", "abort"];
const OF_ANSWERER: [&str; 13] = [
    "get",
    "wait",
    "list",
    "draft",
    "save_draft",
    "extend",
    "history",
    "subscribe",
    "answer",
    "cancel",
    "sign_in",
    "devices",
    "sign_out",
];
const OF_ADMIN: [&str; 6] = ["purge", "credentials", "create", "revoke", "abort", "sign_in"];

#[tokio::test]
async fn each_role_may_do_its_own_and_nothing_else() {
    let story = Story::begin().await;
    let admin = Caller::owner();
    let all: std::collections::BTreeSet<&str> =
        OF_ASKER.into_iter().chain(OF_ANSWERER).chain(OF_ADMIN).collect();
    assert_eq!(all.len(), 20);
    for (who, allowed) in
        [(&story.agent, &OF_ASKER[..]), (&story.ann, &OF_ANSWERER[..]), (&admin, &OF_ADMIN[..])]
    {
        for name in &all {
            let id = story.post(&r1()).await;
            let result = call(&story.host, who, name, id).await;
            let is_forbidden =
                result.as_ref().is_err_and(|error| error.code == ErrorCode::Forbidden);
            assert_eq!(
                !is_forbidden,
                allowed.contains(name),
                "{name} by {}: {result:?}",
                who.name()
            );
            // What is allowed works; the credential to be revoked is not there.
            let is_missing = ["revoke", "sign_out"].contains(name);
            assert!(is_forbidden || is_missing || result.is_ok(), "{name}: {result:?}");
        }
    }
}

#[tokio::test]
async fn another_askers_request_is_not_there() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;

    for name in ["get", "wait", "detach", "abort"] {
        let result = call(&story.host, &story.other, name, id).await;
        assert_eq!(code(result), "NOT_FOUND", "{name}");
    }
    story.answer(id, db("SQLite")).await.unwrap();
    for name in ["get", "wait", "detach", "abort"] {
        let result = call(&story.host, &story.other, name, id).await;
        assert_eq!(code(result), "NOT_FOUND", "{name}");
    }
}

#[tokio::test]
async fn an_id_that_never_was_is_not_found_by_anybody() {
    let story = Story::begin().await;
    let unknown = RequestId::mint(1, [3; 10]);
    let owner = Caller::owner();
    for (who, names) in [
        (&story.agent, &["get", "wait", "detach", "abort"][..]),
        (&story.ann, &["get", "wait", "draft", "save_draft", "extend", "answer", "cancel"][..]),
        (&owner, &["abort"][..]),
    ] {
        for name in names {
            let result = call(&story.host, who, name, unknown).await;
            assert_eq!(code(result), "NOT_FOUND", "{name}");
        }
    }
}

#[tokio::test]
async fn a_token_is_secret_verified_and_revoked() {
    let story = Story::begin().await;
    let owner = Caller::owner();
    let new = NewCredential {
        role: Role::Answerer,
        name: "phone".to_owned(),
        person: Some("ann".to_owned()),
    };
    let (credential, token) = story.host.create_credential(&owner, new).await.unwrap();

    let phone = story.host.authenticate(&token).unwrap();
    assert_eq!((phone.name(), &**phone.person(), phone.role()), ("phone", "ann", Role::Answerer));
    for wrong in ["", "askwell_", &token[1..], &token.to_uppercase()] {
        assert_eq!(code(story.host.authenticate(wrong)), "UNAUTHORIZED");
    }
    // Only its hash is on disk.
    for file in std::fs::read_dir(story.store_folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let secret = token.strip_prefix("askwell_").unwrap().as_bytes();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }

    let mut events = story.host.subscribe(&phone, None).unwrap();
    story.host.revoke_credential(&owner, credential.id).await.unwrap();
    assert_eq!(code(story.host.authenticate(&token)), "UNAUTHORIZED");
    assert_eq!(events.next().await.err().map(|error| error.code), Some(ErrorCode::Unauthorized));
    assert_eq!(code(story.host.revoke_credential(&owner, credential.id).await), "NOT_FOUND");
}

#[tokio::test]
async fn a_credential_has_a_name_within_its_bound() {
    let story = Story::begin().await;
    for (name, expected) in [(" ", "BAD_QUESTION"), (&"n".repeat(1_025), "LIMIT_EXCEEDED")] {
        let new = NewCredential { role: Role::Asker, name: name.to_owned(), person: None };
        assert_eq!(code(story.host.create_credential(&Caller::owner(), new).await), expected);
    }
}

#[tokio::test]
async fn ids_of_one_moment_do_not_follow_from_each_other() {
    let story = Story::begin().await;
    let (one, other) = (story.post(&r1()).await, story.post(&r1()).await);

    // The clock stands still: the same time, and nothing else in common.
    let (one, other) = (one.as_bytes(), other.as_bytes());
    assert_eq!(one[..6], other[..6]);
    let differing = |range: std::ops::Range<usize>| {
        one[range.clone()].iter().zip(&other[range]).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>()
    };
    assert!(differing(6..16) > 12);
    assert!(differing(6..11) > 2 && differing(11..16) > 2);
}

#[tokio::test]
async fn a_call_that_was_let_in_before_a_revocation_does_nothing_after_it() {
    let story = Story::begin().await;
    let id = story.post(&r1()).await;
    for caller in [&story.ann, &story.agent] {
        story.host.revoke_credential(&Caller::owner(), caller.credential()).await.unwrap();
    }

    assert_eq!(code(story.answer(id, db("SQLite")).await), "UNAUTHORIZED");
    assert_eq!(code(story.cancel(id, "no").await), "UNAUTHORIZED");
    assert_eq!(code(story.type_text(&story.ann, id, 0, "x").await), "UNAUTHORIZED");
    let asked = story.host.ask(&story.agent, &valid(&r1()), &Default::default()).await;
    assert_eq!(code(asked), "UNAUTHORIZED");
    assert_eq!(code(story.host.abort(&story.agent, id, "").await), "UNAUTHORIZED");
    assert!(story.host.is_pending(id));
}
