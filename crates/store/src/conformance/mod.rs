//! The story that every backend must pass: what a host relies on, told against the trait alone.
//!
//! A backend's test calls [`story`] with a function that opens the same store again each time.

#![allow(clippy::unwrap_used, reason = "a broken backend must stop the story where it broke")]

mod drafts;
pub mod fixture;
mod keys;
mod lists;
mod settling;

pub use fixture::Fixture;

use crate::Store;

/// Opens a store. The same one for the same name, also after the earlier one was closed.
pub type Open<'a> = &'a dyn Fn(&str) -> Box<dyn Store>;

/// Every chapter, each in a store of its own.
///
/// # Panics
/// Where the backend does not keep what a host relies on.
pub fn story(open: Open<'_>) {
    settling::one_end(open);
    settling::conditions(open);
    settling::late_responses(open);
    settling::everything_survives(open);
    keys::explicit(open);
    keys::derived(open);
    drafts::revisions(open);
    drafts::nothing_written_is_lost(open);
    drafts::what_is_kept_is_bounded(open);
    drafts::offered_again(open);
    drafts::who_else_is_at_it(open);
    lists::pages(open);
    lists::open_ones(open);
    lists::history(open);
    lists::log(open);
    lists::bookmarks(open);
    lists::purging(open);
    lists::credentials(open);
    lists::devices(open);
    lists::elsewhere(open);
}
