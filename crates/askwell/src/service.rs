//! Asking, for whoever embeds askwell: one service, one provider, one call.
//!
//! Invariant: an answer comes from the provider or not at all.

use std::fmt;
use std::sync::Arc;

use askwell_core::{Answers, AskError, Outcome, ValidRequest, answer};

use crate::{Cancel, Provider};

/// Asks a person through one provider. Clones ask through the same one.
#[derive(Clone, Default)]
pub struct Askwell {
    provider: Option<Arc<dyn Provider>>,
}

impl Askwell {
    /// A service without a provider: nothing can be shown yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The service with its provider.
    ///
    /// # Errors
    /// [`AskError::DuplicateProvider`] where it has one already.
    pub fn with(mut self, provider: impl Provider + 'static) -> Result<Self, AskError> {
        match &self.provider {
            Some(provider) => Err(AskError::DuplicateProvider { name: provider.name().to_owned() }),
            None => {
                self.provider = Some(Arc::new(provider));
                Ok(self)
            }
        }
    }

    /// Asks, and waits until the request ends.
    ///
    /// # Errors
    /// Every end of the request but an answer, and everything that kept it from being shown:
    /// [`AskError::NoProvider`] at once where there is no provider.
    pub fn ask(&self, request: &ValidRequest, cancel: &Cancel) -> Result<Answers, AskError> {
        let Some(provider) = &self.provider else {
            return Err(AskError::NoProvider {
                reason: "this service was built without a provider".to_owned(),
            });
        };
        if let Some(reason) = cancel.reason() {
            return Err(AskError::Aborted { reason });
        }
        let outcome = provider.collect(request, cancel)?;
        if let Outcome::Answered(answers) = &outcome {
            belongs_to(request, answers, provider.name())?;
        }
        outcome.into_result(request.expires_in_seconds)
    }
}

/// The type says that the answers are canonical, not to which request they belong.
fn belongs_to(request: &ValidRequest, answers: &Answers, provider: &str) -> Result<(), AskError> {
    match answer::validate(request, answers.as_slice().to_vec()) {
        Ok(same) if same == *answers => Ok(()),
        _ => Err(AskError::Internal {
            message: format!("the provider {provider} answered another request"),
        }),
    }
}

impl fmt::Debug for Askwell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let provider = self.provider.as_ref().map(|provider| provider.name());
        f.debug_struct("Askwell").field("provider", &provider).finish()
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::{Question, Request};
    use serde_json::json;

    use super::*;

    /// Ends every request the same way.
    struct Scripted(Outcome);

    impl Provider for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn collect(&self, _: &ValidRequest, _: &Cancel) -> Result<Outcome, AskError> {
            Ok(self.0.clone())
        }
    }

    fn request(id: &str) -> ValidRequest {
        let question = Question::new(id, "Which database?").option("Postgres");
        Request::new([question]).validate().unwrap()
    }

    fn answers(request: &ValidRequest) -> Answers {
        let id = &request.questions[0].id;
        let answer = json!({"answers": [{"id": id, "selected": ["Postgres"]}]});
        answer::validate_json(request, &answer).unwrap()
    }

    fn ask(outcome: Outcome, cancel: &Cancel) -> Result<Answers, AskError> {
        let service = Askwell::new().with(Scripted(outcome)).unwrap();
        let request = request("db").expiring_in(5).unwrap();
        service.ask(&request, cancel)
    }

    #[test]
    fn every_outcome_is_its_own_result() {
        let answers = answers(&request("db"));
        let comment = Some("explain first".to_owned());
        let reason = "a test".to_owned();

        let table = [
            (Outcome::Answered(answers.clone()), Ok(answers)),
            (Outcome::Cancelled { comment: comment.clone() }, Err(AskError::Cancelled { comment })),
            (Outcome::Aborted { reason: reason.clone() }, Err(AskError::Aborted { reason })),
            (Outcome::Expired, Err(AskError::Expired { seconds: Some(5) })),
        ];
        for (outcome, result) in table {
            assert_eq!(ask(outcome, &Cancel::new()), result);
        }
    }

    #[test]
    fn b066_without_a_provider_nothing_is_invented() {
        let error = Askwell::new().ask(&request("db"), &Cancel::new()).unwrap_err();

        assert_eq!(error.code().as_str(), "NO_PROVIDER");
    }

    #[test]
    fn a_service_has_one_provider() {
        let service = Askwell::new().with(Scripted(Outcome::Expired)).unwrap();

        let error = service.with(Scripted(Outcome::Expired)).unwrap_err();

        let name = "scripted".to_owned();
        assert_eq!(error, AskError::DuplicateProvider { name });
        assert_eq!(error.code().as_str(), "DUPLICATE_PROVIDER");
    }

    #[test]
    fn b008_withdrawn_before_the_first_frame_is_aborted() {
        let cancel = Cancel::new();
        cancel.cancel("the asking program");

        let error = ask(Outcome::Cancelled { comment: None }, &cancel).unwrap_err();

        let reason = "the asking program".to_owned();
        assert_eq!(error, AskError::Aborted { reason });
    }

    #[test]
    fn b111_an_answer_to_another_request_is_refused() {
        let other = answers(&request("other"));

        let error = ask(Outcome::Answered(other), &Cancel::new()).unwrap_err();

        assert_eq!(error.code().as_str(), "INTERNAL");
    }
}
