//! Text as people see it: made safe to draw, measured in terminal columns, broken into lines, and read from markdown.
//!
//! Owns every rule that the terminal and the page must share about showing a text that somebody else wrote.
//! Does not own colours, markup or widgets, and never changes a value: what is sent back is the asker's own text.
//! Invariant: nothing here panics or loses text, whatever the input is.

mod lines;
pub mod markdown;
mod recommended;
mod sanitize;
mod width;
mod wrap;

pub use lines::{holds, is_blank, named, normalize_line_ends};
pub use recommended::split_recommended;
pub use sanitize::{TAB_STOP, sanitize, sanitize_line};
pub use width::{Clusters, cluster_width, clusters, next_cluster, truncate, width};
pub use wrap::{Line, LineEnd, next_editable_line, wrap, wrap_editable};
