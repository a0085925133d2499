//! Recorded answers for the tools.

use std::path::PathBuf;

use askwell::ValidRequest;
use askwell_mcp::{Rule, Ruling};

use crate::cli::rule;

/// The answers of a file, which is read at each call.
pub struct Recording(pub PathBuf);

impl Rule for Recording {
    fn answers<'a>(&'a self, request: &'a ValidRequest) -> Ruling<'a> {
        let (path, request) = (self.0.clone(), request.clone());
        let answers = move || rule::answers_to_agent(&request, &path);
        Box::pin(async move {
            match tokio::task::spawn_blocking(answers).await {
                Ok(answers) => answers.map_err(|failure| failure.in_one_line()),
                Err(error) => Err(error.to_string()),
            }
        })
    }
}
