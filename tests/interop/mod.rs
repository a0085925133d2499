//! Against software of others, as it is: run by `cargo xtask interop`, which installs it. Ignored
//! everywhere else.

mod claude_code;
mod codex;
mod inspector;
mod sdks;

use std::path::PathBuf;

/// The folder in which the software of others is installed.
fn cache() -> PathBuf {
    std::env::var_os("ASKWELL_INTEROP").unwrap().into()
}
