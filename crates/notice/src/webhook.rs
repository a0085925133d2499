//! A post of JSON that its receiver can verify.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use ring::hmac::{HMAC_SHA256, Key, sign};

use crate::http::{Post, post};
use crate::{Address, Failed, Message};

/// What signs a webhook. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// This text, as its bytes.
    pub fn new(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A signed post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    address: Address,
    secret: Secret,
}

impl Webhook {
    /// To this address, signed with this secret.
    pub fn new(address: Address, secret: Secret) -> Self {
        Self { address, secret }
    }

    /// Where it goes.
    pub fn address(&self) -> &Address {
        &self.address
    }

    pub(crate) async fn send(&self, id: &str, message: &Message) -> Result<String, Failed> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let body = message.document.to_string();
        let headers = vec![
            ("content-type", "application/json".to_owned()),
            ("askwell-delivery", id.to_owned()),
            ("askwell-signature", signature(&self.secret, now, &body)),
        ];
        post(&self.address, Post { headers, body }).await
    }
}

/// The time, and the HMAC-SHA256 over time, full stop and body: an old post can't pass for a new one.
fn signature(secret: &Secret, time: u64, body: &str) -> String {
    let key = Key::new(HMAC_SHA256, &secret.0);
    let tag = sign(&key, format!("{time}.{body}").as_bytes());
    format!("t={time},v1={}", hex(tag.as_ref()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_openssl_makes_of_time_and_body() {
        // printf '1800000000.{"count":1}' | openssl dgst -sha256 -hmac 'top secret'
        let expected =
            "t=1800000000,v1=5b62a0ed1805e89a5d06318d7f0e1971091596e389bf8dc67a97114e9ef283e5";
        assert_eq!(
            signature(&Secret::new("top secret"), 1_800_000_000, r#"{"count":1}"#),
            expected
        );
    }

    #[test]
    fn a_secret_is_never_shown() {
        assert_eq!(format!("{:?}", Secret::new("top secret")), "Secret");
    }
}
