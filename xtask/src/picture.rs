//! `cargo xtask picture`: makes the picture of the README anew, from the program in a real terminal and a
//! real browser.

use crate::needs;
use crate::steps::{Result, Steps, cargo};

pub fn run(steps: &mut Steps) -> Result {
    needs::install(steps)?;
    let test = ["test", "--package", "askwell", "--test", "it", "--"];
    let program = ["--ignored", "--exact", "browser::picture::picture_of_the_readme"];
    steps.run("docs/images/askwell.png", cargo(test).args(program))
}
