//! Links the unwinder into the program where GNU's is a shared library: one library less to load
//! is a tenth of a millisecond of every start.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let is_program = env::var_os("CARGO_FEATURE_CLI").is_some();
    if is_program && target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-lib=gcc_eh");
    }
}
