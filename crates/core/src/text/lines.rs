//! Blank text and line ends, as the contract means them.

use std::borrow::Cow;

/// Whether `text` holds nothing but Unicode `White_Space`.
pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// CRLF and CR become LF.
pub fn normalize_line_ends(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}
