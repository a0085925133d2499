//! Waiting for a person within a call.

use std::pin::Pin;
use std::time::Duration;

use askwell_core::wire::{InboxError, RequestId, RequestView};
use askwell_core::{ErrorCode, State};
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
    /// A request as it stands, by a host that is started where none runs any more.
    pub async fn look(&self, id: RequestId) -> Result<RequestView, InboxError> {
        match self.seat.desk.wait(id, Duration::ZERO).await {
            // The first try has found out that it is gone, and the next one looks for another.
            Err(error) if error.code == ErrorCode::HostUnreachable => {
                self.seat.desk.wait(id, Duration::ZERO).await
            }
            seen => seen,
        }
    }

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
