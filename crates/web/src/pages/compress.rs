//! Pages made shorter on their way. Not over TLS: there the length of a page that holds an asker's
//! text beside the person's would tell of the one by the other to whoever sees it pass.

use std::io::Write as _;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::BodyExt as _;

use crate::app::App;

/// Shorter ones fit into one packet as they are.
const WORTH_IT: usize = 1024;

/// Whether the browser that sent these headers gets pages compressed.
pub(super) fn is_wanted(app: &App, headers: &HeaderMap) -> bool {
    super::assets::takes(headers, "gzip") && !app.names.is_over_tls(headers)
}

/// The same response, shorter where it is a page.
pub(super) async fn response(app: &App, response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let media_type = parts.headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_page = media_type.is_some_and(|it| it.starts_with(b"text/html"));
    // It is there as a whole: nothing is waited for.
    let Ok(whole) = body.collect().await else { return parts.into_response() };
    let bytes = whole.to_bytes();
    if !is_page || bytes.len() < WORTH_IT {
        return (parts, bytes).into_response();
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    let Ok(shorter) = encoder.write_all(&bytes).and_then(|()| encoder.finish()) else {
        return (parts, bytes).into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    Response::from_parts(parts, app.held.page(shorter))
}
