//! What of a session's environment says where the host is. An agent that starts a server with less than
//! its own environment is told their names, and never a value.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;

use super::{Scope, Wish};

/// The names.
pub(super) const NAMES: [&str; 7] = [
    "ASKWELL_ANSWERS",
    "ASKWELL_TOKEN",
    "ASKWELL_URL",
    "CI",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];

/// Those that somebody has set to something else than what holds without them, for an agent in whose file
/// a name stands with what it is replaced by.
pub fn chosen(home: &Path, value: impl Fn(&str) -> Option<OsString>) -> Vec<&'static str> {
    let is_chosen = |name: &str| {
        let value = value(name).filter(|value| !value.is_empty());
        value.is_some_and(|value| match name {
            // Of the session, not of a choice: every program of it has its own.
            "CI" | "XDG_RUNTIME_DIR" => false,
            "XDG_CONFIG_HOME" => Path::new(&value) != home.join(".config"),
            "XDG_STATE_HOME" => Path::new(&value) != home.join(".local/state"),
            _ => true,
        })
    };
    NAMES.into_iter().filter(|name| is_chosen(name)).collect()
}

/// Them with what an agent puts a value in the place of. A project has none: its file is read by others,
/// who have not set them.
pub(super) fn by_name(wish: &Wish, scope: Scope, stands: impl Fn(&str) -> String) -> Option<Value> {
    let names = wish.passed_on.iter().map(|name| ((*name).to_owned(), stands(name).into()));
    let is_wished = scope == Scope::User && !wish.passed_on.is_empty();
    is_wished.then(|| Value::Object(names.collect()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&[], &[])]
    #[case(&[("CI", "true"), ("XDG_RUNTIME_DIR", "/run/user/1"), ("ASKWELL_URL", "")], &[])]
    #[case(&[("XDG_STATE_HOME", "/home/kim/.local/state/"), ("XDG_CONFIG_HOME", "/home/kim/.config")], &[])]
    #[case(
        &[("XDG_STATE_HOME", "/data/state"), ("ASKWELL_URL", "https://ask.example.com"), ("ASKWELL_TOKEN", "t")],
        &["ASKWELL_TOKEN", "ASKWELL_URL", "XDG_STATE_HOME"]
    )]
    fn what_holds_anyway_is_not_named(#[case] set: &[(&str, &str)], #[case] named: &[&str]) {
        let value = |name: &str| {
            set.iter().find(|(set, _)| *set == name).map(|(_, value)| OsString::from(value))
        };

        assert_eq!(chosen(Path::new("/home/kim"), value), named);
    }
}
