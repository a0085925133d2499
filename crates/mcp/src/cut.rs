//! How a call that is under way may be cut, and what that says of the person.
//!
//! Invariant: only a cancellation whose reason is plainly the person's own ends a request; whatever
//! else cuts a call leaves it to be answered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long the reason of a cancellation may come after it.
const REASON: Duration = Duration::from_millis(300);

/// Why a call was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The person has cancelled it at their client.
    ByPerson,
    /// The client has given up, has closed the stream, or is gone.
    Gone,
}

/// The calls of one session that are under way, with the reasons for which they are cancelled: the
/// notice comes beside the call, over HTTP in a message of its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls(Arc<Mutex<HashMap<RequestId, watch::Sender<Reason>>>>);

/// Nothing, or that it was cancelled and what was said of it.
type Reason = Option<Option<String>>;

impl Calls {
    /// A call is under way, until what this returns is dropped.
    pub fn begin(
        &self,
        id: RequestId,
        cancelled: CancellationToken,
        gone: Vec<CancellationToken>,
    ) -> UnderWay {
        let (tell, hear) = watch::channel(None);
        self.lock().insert(id.clone(), tell);
        UnderWay { calls: self.clone(), id, cancelled, gone, reason: hear }
    }

    /// The client has cancelled a call.
    pub fn cancel(&self, id: &RequestId, reason: Option<String>) {
        if let Some(tell) = self.lock().get(id) {
            tell.send_replace(Some(reason));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<RequestId, watch::Sender<Reason>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct UnderWay {
    calls: Calls,
    id: RequestId,
    cancelled: CancellationToken,
    /// The client has closed its end; any of them.
    gone: Vec<CancellationToken>,
    reason: watch::Receiver<Reason>,
}

impl UnderWay {
    /// Returns once the call is cut.
    pub async fn cut(&self) -> Cut {
        tokio::select! {
            cut = self.cancelled() => cut,
            () = self.gone() => Cut::Gone,
        }
    }

    /// Returns once the client has closed its end.
    async fn gone(&self) {
        let gone = self.gone.iter().map(|gone| Box::pin(gone.cancelled()));
        match self.gone.is_empty() {
            true => std::future::pending().await,
            false => drop(futures_util::future::select_all(gone).await),
        }
    }

    /// Returns once the client has cancelled the call.
    pub async fn cancelled(&self) -> Cut {
        self.cancelled.cancelled().await;
        let mut reason = self.reason.clone();
        let told = timeout(REASON, reason.wait_for(Option::is_some)).await;
        let told = told.ok().and_then(Result::ok).and_then(|reason| reason.clone().flatten());
        match told.is_some_and(|reason| is_of_the_person(&reason)) {
            true => Cut::ByPerson,
            false => Cut::Gone,
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.id);
    }
}

/// Whether a reason says plainly that it was the person who cancelled. Clients word it as they like,
/// so it takes both who and what, and no word of a time limit.
fn is_of_the_person(reason: &str) -> bool {
    const WHO: [&str; 5] = ["user", "person", "human", "operator", "用户"];
    const WHAT: [&str; 10] = [
        "cancel",
        "abort",
        "interrupt",
        "stop",
        "reject",
        "dismiss",
        "declin",
        "refus",
        "escape",
        "取消",
    ];
    const CLOCK: [&str; 5] = ["timeout", "timed out", "time out", "time limit", "deadline"];
    let reason = reason.to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    holds(&WHO) && holds(&WHAT) && !holds(&CLOCK)
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("User requested cancellation", true)]
    #[case("cancelled by the user", true)]
    #[case("Interrupted by user", true)]
    #[case("The user pressed Escape", true)]
    #[case("用户取消", true)]
    #[case("McpError: MCP error -32001: Request timed out", false)]
    #[case("request timeout", false)]
    #[case("Aborted after the user's time limit", false)]
    #[case("AbortError: This operation was aborted", false)]
    #[case("client shutting down", false)]
    #[case("", false)]
    fn b142_only_a_plain_word_of_the_person_is_the_person(
        #[case] reason: &str,
        #[case] person: bool,
    ) {
        assert_eq!(is_of_the_person(reason), person);
    }

    #[tokio::test(start_paused = true)]
    async fn b142_the_reason_may_come_a_moment_after_the_cancellation() {
        let calls = Calls::default();
        let id = NumberOrString::Number(7);
        let begin = || {
            let cancelled = CancellationToken::new();
            (calls.begin(id.clone(), cancelled.clone(), Vec::new()), cancelled)
        };

        let (call, cancelled) = begin();
        cancelled.cancel();
        let told = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            calls.cancel(&id, Some("by the user: cancelled".to_owned()));
        };
        assert_eq!(tokio::join!(call.cut(), told).0, Cut::ByPerson);
        drop(call);

        let (call, cancelled) = begin();
        cancelled.cancel();
        assert_eq!(call.cut().await, Cut::Gone);
        drop(call);
        assert!(calls.lock().is_empty());
    }

    #[tokio::test]
    async fn a_client_that_is_gone_cuts_its_call() {
        let (closed, open) = (CancellationToken::new(), CancellationToken::new());
        let gone = vec![open, closed.clone()];
        let id = NumberOrString::Number(1);
        let call = Calls::default().begin(id, CancellationToken::new(), gone);
        closed.cancel();

        assert_eq!(call.cut().await, Cut::Gone);
    }
}
