//! Whether another site opened a page and holds on to its window.
//!
//! Where it may, the page says that it stands apart, and the browser takes the window out of that
//! site's hands. It does so by starting another process, which costs as much time as all of the page
//! does: so a page that nobody else opened (from a terminal, a bookmark, our own link) does not say it.

use axum::http::{HeaderMap, HeaderName};

/// The header, and what it says.
pub(super) const POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
pub(super) const APART: &str = "same-origin";

/// Whether a page of another site may have opened what was asked for so. A browser that does not say
/// who sent it is not trusted.
pub(super) fn may_hold(headers: &HeaderMap) -> bool {
    let mut senders = headers.get_all("sec-fetch-site").iter();
    let is_own = senders.next().is_some_and(|site| site == "none" || site == "same-origin");
    !is_own || senders.next().is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["none"], false)]
    #[case(&["same-origin"], false)]
    #[case(&["same-site"], true)]
    #[case(&["cross-site"], true)]
    #[case(&["none", "cross-site"], true)]
    #[case(&[""], true)]
    #[case(&[], true)]
    fn only_what_a_person_or_a_page_of_ours_opened_is_held_by_nobody(
        #[case] sites: &[&str],
        #[case] held: bool,
    ) {
        let mut headers = HeaderMap::new();
        for site in sites {
            headers.append("sec-fetch-site", site.parse().unwrap());
        }

        assert_eq!(may_hold(&headers), held);
    }
}
