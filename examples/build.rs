//! A build script that asks whoever builds, in the terminal that cargo was started from: a `build.rs` with
//! askwell among its `[build-dependencies]` (`default-features = false, features = ["recorded", "terminal"]`).
//!
//! ```sh
//! cargo run --example build
//! TLS_BACKEND=rustls cargo run --example build                     # decided beforehand
//! TLS_ANSWERS='{"answers": [{"id": "tls", "selected": ["rustls"]}]}' cargo run --example build
//! ```
//!
//! The dialog is drawn on the terminal itself, so that cargo may keep this program's outputs to itself. Where
//! there is no terminal, as in CI, nothing is asked and nothing is guessed: the build says what to set.

#![allow(clippy::print_stdout, reason = "a build script talks to cargo on standard output")]

use std::env;
use std::error::Error;

use askwell::recorded::Recorded;
use askwell::terminal::Terminal;
use askwell::{AskError, Askwell, Cancel, Question, Request};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=TLS_BACKEND");
    println!("cargo:rerun-if-env-changed=TLS_ANSWERS");
    let backend = match env::var("TLS_BACKEND") {
        Ok(backend) => backend,
        Err(_) => ask()?,
    };
    println!("cargo:rustc-cfg=tls=\"{backend}\"");
    Ok(())
}

fn ask() -> Result<String, Box<dyn Error>> {
    let question = Question::new("tls", "Which TLS should be built in?");
    let mut question = question.option("rustls").option("native-tls");
    question.allow_custom = false;
    let request = Request::new([question]).validate()?;
    let askwell = match env::var("TLS_ANSWERS") {
        Ok(recorded) => Askwell::new().with(Recorded::from_json(&recorded)?)?,
        Err(_) => Askwell::new().with(Terminal::new())?,
    };
    match askwell.ask(&request, &Cancel::new()) {
        Ok(answers) => {
            let chosen = answers.as_slice()[0].selected.first();
            Ok(chosen.cloned().ok_or("skipped: set TLS_BACKEND to rustls or native-tls")?)
        }
        Err(AskError::NoProvider { .. }) => {
            Err("nobody to ask: set TLS_BACKEND to rustls or native-tls".into())
        }
        Err(error) => Err(error.into()),
    }
}
