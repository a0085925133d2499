//! Style, scripts and pictures of the pages, by names that hold the hash of their content: whoever
//! has one has it for ever. The table is made by `build.rs`.

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;

/// A file that is served.
struct Asset {
    name: &'static str,
    hashed: &'static str,
    media_type: &'static str,
    plain: &'static [u8],
    /// Empty where it would not be shorter.
    brotli: &'static [u8],
    gzip: &'static [u8],
}

const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Where an asset is, by the name of its file.
pub(crate) fn place(name: &str) -> Option<String> {
    let asset = ASSETS.iter().find(|asset| asset.name == name)?;
    Some(format!("/assets/{}", asset.hashed))
}

pub(super) async fn get(name: Option<Path<String>>, request: Request) -> Response {
    let asset = name.and_then(|Path(name)| ASSETS.iter().find(|asset| asset.hashed == name));
    let Some(asset) = asset else { return StatusCode::NOT_FOUND.into_response() };
    let (bytes, encoding) = match accepted(request.headers()) {
        Encoding::Brotli if !asset.brotli.is_empty() => (asset.brotli, Some("br")),
        Encoding::Brotli | Encoding::Gzip if !asset.gzip.is_empty() => (asset.gzip, Some("gzip")),
        _ => (asset.plain, None),
    };
    let mut response = Response::new(Body::from(Bytes::from_static(bytes)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(FOR_EVER));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

#[derive(Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

/// The best encoding that a client takes.
fn accepted(headers: &HeaderMap) -> Encoding {
    if takes(headers, "br") {
        Encoding::Brotli
    } else if takes(headers, "gzip") {
        Encoding::Gzip
    } else {
        Encoding::Plain
    }
}

/// Whether a client takes this encoding.
pub(super) fn takes(headers: &HeaderMap, wanted: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut all = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    all.any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(1.0, |q| q.parse().unwrap_or(0.0));
        name.trim().eq_ignore_ascii_case(wanted) && weight > 0.0
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("gzip, deflate, br, zstd", Encoding::Brotli)]
    #[case("gzip;q=0.5", Encoding::Gzip)]
    #[case("br;q=0, gzip", Encoding::Gzip)]
    #[case("identity", Encoding::Plain)]
    #[case("", Encoding::Plain)]
    fn the_shortest_form_that_is_taken_is_sent(#[case] accept: &str, #[case] best: Encoding) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accept.parse().unwrap());

        assert_eq!(accepted(&headers), best);
    }
}
