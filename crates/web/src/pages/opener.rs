//! Whether another site opened a page and holds on to its window.
//!
//! Whoever holds a window can lead it elsewhere while a person writes in it. Every response says that it
//! stands apart (`guard::secure`), and the browser takes the window out of that site's hands: not only
//! pages, since any address may be opened in a window, and what follows there from our own site (a
//! reload, another address) would be held still.
//!
//! A browser does so by starting another process, which costs as much time as all of the page does: so
//! a page that nobody else opened (from a terminal, a bookmark, a page of ours) says that it need not.

use axum::http::{HeaderMap, HeaderName};

/// The header, what every response says, and what a page says that nobody else opened.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
pub(crate) const APART: &str = "same-origin";
pub(super) const AS_IT_IS: &str = "unsafe-none";

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
