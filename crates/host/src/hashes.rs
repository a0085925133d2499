//! What makes two requests the same, and tokens that are kept as their hash.

use askwell_core::ValidRequest;
use askwell_core::wire::{CredentialId, InboxError, RequestId, UnixMillis};
use askwell_store::Digest;
use sha2::{Digest as _, Sha256};

use crate::errors;

/// The hash of the questions of a request: of their canonical form, however they were written.
pub(crate) fn questions(request: &ValidRequest) -> Result<Digest, InboxError> {
    let json = serde_json::to_vec(&request.questions).map_err(errors::internal)?;
    Ok(Sha256::digest(json).into())
}

/// The hashes of "the same is asked again": equal questions of the same credential in the same
/// session, or in the same folder; of an asker that tells neither, equal questions.
pub(crate) fn matches(
    request: &ValidRequest,
    credential: CredentialId,
    questions: &Digest,
) -> Vec<Digest> {
    let asker = request.asker.as_ref();
    let hash = |kind: &[u8], value: &str| {
        let mut hash = Sha256::new();
        hash.update(kind);
        hash.update(credential.as_bytes());
        hash.update(questions);
        hash.update(value.as_bytes());
        Digest::from(hash.finalize())
    };
    let session = asker.and_then(|asker| asker.session.as_deref());
    let cwd = asker.and_then(|asker| asker.cwd.as_deref());
    let mut matches = Vec::with_capacity(2);
    matches.extend(session.map(|session| hash(b"session", session)));
    matches.extend(cwd.map(|cwd| hash(b"cwd", cwd)));
    if matches.is_empty() {
        matches.push(hash(b"neither", ""));
    }
    matches
}

/// A new token of 256 random bits.
pub(crate) fn new_token() -> Result<String, InboxError> {
    Ok(format!("askwell_{}", hex::<32>()?))
}

/// A new code of 128 random bits, for a link.
pub(crate) fn new_code() -> Result<String, InboxError> {
    hex::<16>()
}

fn hex<const BYTES: usize>() -> Result<String, InboxError> {
    use std::fmt::Write;

    let mut text = String::with_capacity(2 * BYTES);
    for byte in random::<BYTES>()? {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// What is kept of a token.
pub(crate) fn token(token: &str) -> Digest {
    Sha256::digest(token).into()
}

/// Compares in a time that does not tell where two hashes differ.
pub(crate) fn equal(one: &Digest, other: &Digest) -> bool {
    one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other)) == 0
}

/// A new id that can't be guessed.
pub(crate) fn new_request_id(now: UnixMillis) -> Result<RequestId, InboxError> {
    random().map(|random| RequestId::mint(now.unsigned_abs(), random))
}

/// The same for a credential.
pub(crate) fn new_credential_id(now: UnixMillis) -> Result<CredentialId, InboxError> {
    random().map(|random| CredentialId::mint(now.unsigned_abs(), random))
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], InboxError> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(errors::internal)?;
    Ok(random)
}

#[cfg(test)]
mod tests {
    use askwell_core::{Asker, Question, Request};

    use super::*;

    fn request(session: Option<&str>, cwd: Option<&str>) -> ValidRequest {
        let mut request = Request::new([Question::new("q", "Which?")]);
        let (session, cwd) = (session.map(str::to_owned), cwd.map(str::to_owned));
        request.asker = Some(Asker { session, cwd, ..Asker::default() });
        request.validate().unwrap()
    }

    #[test]
    fn the_same_is_asked_again_in_the_same_session_or_folder_by_the_same_credential() {
        let of = |session, cwd, credential| {
            let request = request(session, cwd);
            let questions = questions(&request).unwrap();
            matches(&request, CredentialId::from_bytes([credential; 16]), &questions)
        };
        let share = |one: &[Digest], other: &[Digest]| one.iter().any(|hash| other.contains(hash));
        let first = of(Some("s1"), Some("/src"), 1);

        assert!(share(&first, &of(Some("s1"), Some("/other"), 1)));
        assert!(share(&first, &of(Some("s2"), Some("/src"), 1)));
        assert!(!share(&first, &of(Some("s2"), Some("/other"), 1)));
        assert!(!share(&first, &of(Some("/src"), Some("s1"), 1)));
        assert!(!share(&first, &of(Some("s1"), Some("/src"), 2)));
        assert!(!share(&first, &of(None, None, 1)));
        assert!(share(&of(None, None, 1), &of(None, None, 1)));
    }

    #[test]
    fn hashes_are_equal_or_not() {
        let (one, other) = (token("a"), token("b"));

        assert!(equal(&one, &token("a")));
        assert!(!equal(&one, &other));
        assert_ne!(new_token().unwrap(), new_token().unwrap());
        assert_eq!(new_token().unwrap().len(), 8 + 64);
    }
}
