//! The plain pages: a notice, the same for everybody. They show nothing of any request, and of the
//! address neither.

use axum::http::{HeaderValue, header};
use axum::response::Response;

const NOTICE: &str = include_str!("notice.html");
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Says that a host is here and how its requests are answered.
pub(crate) async fn notice() -> Response {
    let mut response = Response::new(NOTICE.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
