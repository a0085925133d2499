//! What a form of a page brings: its fields, read within the same bounds as every body.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};

use crate::app::App;
use crate::body;
use crate::failure::Failure;

/// The fields of a form, in the order in which they were sent.
#[derive(Debug)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads a form of at most `most` bytes.
    pub async fn read(
        app: &App,
        headers: &HeaderMap,
        body: &mut Body,
        most: usize,
    ) -> Result<Self, Failure> {
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let media_type = media_type.unwrap_or_default().split(';').next().unwrap_or_default();
        if !media_type.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Failure::fault("Content-Type", "is not application/x-www-form-urlencoded")
                .with_status(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        }
        let received = body::read(body, most, &app.limits, &app.held, &app.shutdown).await?;
        Ok(Self(form_urlencoded::parse(received.bytes()).into_owned().collect()))
    }

    /// Every field, in the order in which they were sent.
    pub fn into_fields(self) -> impl Iterator<Item = (String, String)> {
        self.0.into_iter()
    }

    /// The first field of this name; nothing where there is none.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }
}
