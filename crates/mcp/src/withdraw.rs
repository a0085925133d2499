//! `cancel_question`: withdraws a request that waits.

use std::time::Duration;

use askwell_core::ErrorCode;
use askwell_core::wire::RequestId;
use rmcp::model::{CallToolResult, JsonObject};

use crate::arguments::Arguments;
use crate::call::Call;
use crate::reply;

impl Call {
    /// Withdraws. Of what has ended it brings the outcome.
    pub async fn cancel_question(self, arguments: JsonObject) -> CallToolResult {
        let arguments = match Arguments::read(arguments) {
            Ok(arguments) => arguments,
            Err(wrong) => return reply::failed("BAD_REQUEST", wrong),
        };
        let Some(written) = arguments.request_id else {
            let wrong = "request_id is missing (expected a string)";
            return reply::failed("BAD_REQUEST", wrong.to_owned());
        };
        let Ok(id) = written.trim().parse::<RequestId>() else {
            return self.unknown(&written).await;
        };
        let reason = format!("{} (cancel_question)", self.client);
        let view = match self.seat.desk.abort(id, &reason).await {
            Ok(_) => self.seat.desk.wait(id, Duration::ZERO).await,
            Err(error) if error.code == ErrorCode::NotPending => {
                self.seat.desk.wait(id, Duration::ZERO).await
            }
            Err(error) => Err(error),
        };
        match view {
            Ok(view) => reply::document(self.outcome(&view)),
            Err(error) => self.not_found(&written, &error).await,
        }
    }
}
