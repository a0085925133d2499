//! What the environment says. Read here and nowhere else in the program, when a command needs it;
//! a flag goes before it.

use std::env::var_os;
use std::ffi::OsString;
use std::path::PathBuf;

use askwell::messages::Lang;

/// What the environment says.
#[derive(Debug, Clone)]
pub struct Config {
    /// `ASKWELL_ANSWERS`: recorded answers.
    pub answers: Option<PathBuf>,
    /// The language of the locale.
    pub lang: Lang,
    /// `NO_COLOR`.
    pub no_color: bool,
    /// `ASKWELL_ASCII`.
    pub ascii: bool,
    /// Panic at the first draw. Only a test's build listens.
    pub panic_on_draw: bool,
    /// Panic in each call of an agent. Only a test's build listens.
    pub panic_in_calls: bool,
}

impl Config {
    /// Reads the environment. A variable that is empty is not set.
    pub fn from_environment() -> Self {
        let panics = test_knob("ASKWELL_TEST_PANIC");
        let panics = |at: &str| panics.as_ref().is_some_and(|value| value == at);
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].map(text);
        Self {
            answers: set("ASKWELL_ANSWERS").map(PathBuf::from),
            lang: Lang::from_locale(locale.iter().map(Option::as_deref)),
            no_color: set("NO_COLOR").is_some(),
            ascii: set("ASKWELL_ASCII").is_some(),
            panic_on_draw: panics("draw"),
            panic_in_calls: panics("mcp"),
        }
    }
}

fn set(name: &str) -> Option<OsString> {
    var_os(name).filter(|value| !value.is_empty())
}

fn text(name: &str) -> Option<String> {
    set(name)?.into_string().ok()
}

/// A variable that only tests set. A release build knows none.
fn test_knob(name: &str) -> Option<OsString> {
    if cfg!(debug_assertions) { set(name) } else { None }
}
