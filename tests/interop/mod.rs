//! Against software of others, as it is: run by `cargo xtask interop`, which installs it. Ignored
//! everywhere else.

mod claude_code;
