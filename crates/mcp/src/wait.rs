//! Waiting for a person within a call.

use std::pin::Pin;
use std::time::Duration;

use askwell_core::State;
use askwell_core::wire::{InboxError, RequestId, RequestView};
use futures_util::future::select_all;

use crate::call::Call;
use crate::cut::Cut;

/// What is shown in a client beside the inbox.
pub(crate) type Beside = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How a wait ended.
#[derive(Debug)]
pub(crate) enum Waited {
    /// By the end of a request.
    Ended(Box<RequestView>),
    /// By the time that the call may take.
    Over,
    /// By the client.
    Cut(Cut),
    /// By the host.
    Failed(InboxError),
}

impl Call {
    /// Waits until the first of these requests ends, and gives signs of life meanwhile.
    pub async fn wait_for(&mut self, ids: &[RequestId], at_most: Duration) -> Waited {
        let Self { seat, under_way, progress, .. } = self;
        if ids.is_empty() {
            return Waited::Over;
        }
        let waits = select_all(ids.iter().map(|id| seat.desk.wait(*id, at_most)));
        tokio::select! {
            biased;
            cut = under_way.cut() => Waited::Cut(cut),
            (ended, _, _) = waits => match ended {
                Ok(view) if view.state == State::Pending => Waited::Over,
                Ok(view) => Waited::Ended(Box::new(view)),
                Err(error) => Waited::Failed(error),
            },
            () = progress.tell_on() => Waited::Over,
        }
    }
}
