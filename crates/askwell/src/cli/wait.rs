//! `askwell wait`: comes back for the outcome of a request.

use std::time::Duration;

use askwell::inbox::wire::{Inbox as _, RequestId, RequestView, Role};
use askwell::{State, project};
use clap::Args;
use serde_json::{Value, json};

use super::timeout::Timeout;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};

/// Wait for the outcome of a request, and print it
///
/// Prints the same document and ends with the same code as `askwell ask`: 0 answered, 124 expired,
/// 130 cancelled, 143 aborted; and 75 where it is still pending after --timeout. Ending this command
/// withdraws nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  id=$(askwell ask release.json --detach)
  askwell wait \"$id\"
  askwell wait \"$id\" --timeout 10m; [ $? = 75 ] && echo 'still pending'")]
pub struct Arguments {
    /// The id of the request, as `askwell ask --detach` prints it
    id: RequestId,

    /// Wait at most for this time: 0, 90, 30s, 10m, 2h, 1d
    #[arg(long, value_name = "TIME")]
    timeout: Option<Timeout>,
}

/// Waits.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Asker, Start::WithStore)?;
    let at_most = arguments.timeout.as_ref().map(|timeout| Duration::from_secs(timeout.seconds));
    let view = client.wait(arguments.id, at_most.unwrap_or(Duration::MAX))?;
    report::deliver(&report::json_line(&document(&view)))?;
    Ok(Exit::from(view.state))
}

/// What its asker gets of a request as it stands.
pub fn document(view: &RequestView) -> Value {
    project::of_view(view).unwrap_or_else(|| pending(view.id, view.url.as_deref()))
}

/// A request that is not answered yet.
fn pending(id: RequestId, url: Option<&str>) -> Value {
    let message = format!(
        "Not answered yet; neither yes nor no. Do only work that does not depend on it, then come \
         back with: askwell wait {id}"
    );
    match url {
        Some(url) => {
            json!({ "state": State::Pending, "id": id, "url": url, "message": message })
        }
        None => json!({ "state": State::Pending, "id": id, "message": message }),
    }
}
