//! The controlling terminal of this process: whether there is one to show anything on, and how large
//! it is.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;

use ratatui::layout::Size;
use rustix::fs::OFlags;
use rustix::termios::{tcgetpgrp, tcgetsid, tcgetwinsize};

/// Why no dialog can be shown here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    reason: String,
}

impl Unavailable {
    pub(super) fn failed(error: &dyn fmt::Display) -> Self {
        Self { reason: format!("the terminal can't be used: {error}") }
    }

    fn because(reason: &str) -> Self {
        Self { reason: reason.to_owned() }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unavailable {}

/// Whether a dialog can be shown: there is a controlling terminal, this process is in its
/// foreground.
///
/// # Errors
/// [`Unavailable`] with the reason.
pub fn check_terminal() -> Result<(), Unavailable> {
    open_terminal().map(|_| ())
}

/// The session whose terminal it is: other processes of the same terminal have the same.
pub fn terminal_session() -> Option<i32> {
    let tty = File::open("/dev/tty").ok()?;
    tcgetsid(tty).ok().map(|session| session.as_raw_nonzero().get())
}

pub(super) fn open_terminal() -> Result<File, Unavailable> {
    let tty = OpenOptions::new()
        .read(true)
        .write(true)
        // Ours alone, so that nobody else meets the flag: a terminal that does not read must not
        // keep the dialog from its signals, its clock and its draft.
        .custom_flags(i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0))
        .open("/dev/tty")
        .map_err(|_| Unavailable::because("no terminal is attached"))?;
    let foreground =
        tcgetpgrp(&tty).map_err(|_| Unavailable::because("no terminal is attached"))?;
    if foreground != rustix::process::getpgrp() {
        return Err(Unavailable::because("this process runs in the background of its terminal"));
    }
    Ok(tty)
}

/// Whether the terminal can be drawn on, by what it says of itself. Lines can be written to any.
pub fn can_be_drawn_on() -> bool {
    std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
}

/// The window; 80×24 where nobody has given it a size.
pub(super) fn size_of(tty: &File) -> Size {
    match tcgetwinsize(tty) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => Size::new(size.ws_col, size.ws_row),
        _ => Size::new(80, 24),
    }
}
