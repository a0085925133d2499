//! `cargo xtask fuzz`: sends what nobody would think of to everything that reads what strangers send.

use std::fs;

use crate::steps::{Result, Steps, cargo, output_of, target, workspace};

/// The version that the flags below are written for.
const CARGO_FUZZ: &str = "0.13.2";

/// How long each target runs, unless `--seconds` says otherwise.
const SECONDS: &str = "60";

/// Every target, or those that are named, one after the other. What it finds stays in `fuzz/artifacts`.
pub fn run(steps: &mut Steps, arguments: &[String]) -> Result {
    let (seconds, named) = read(arguments)?;
    let known = targets()?;
    if let Some(unknown) = named.iter().find(|name| !known.contains(name)) {
        return Err(format!("no such target: {unknown}; there are: {}", known.join(", ")));
    }
    install(steps)?;
    let folder = workspace().join("fuzz");
    for name in if named.is_empty() { known } else { named } {
        // What is new goes to the first folder, so that the corpus stays what was committed.
        let (work, corpus) = (folder.join("work").join(&name), folder.join("corpus").join(&name));
        fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
        let mut command = cargo(["fuzz", "run", "--sanitizer", "none", "--target-dir"]);
        command.current_dir(&folder).arg(target().join("fuzz")).args([&name, "--"]);
        // Arguments of libFuzzer: a slow input is a finding too.
        command.args([&format!("-max_total_time={seconds}"), "-timeout=5", "-rss_limit_mb=2048"]);
        command.args(["-max_len=16384", "-print_final_stats=1"]).args([&work, &corpus]);
        steps.run(&format!("fuzz {name}"), &mut command)?;
    }
    Ok(())
}

fn read(arguments: &[String]) -> std::result::Result<(String, Vec<String>), String> {
    let mut seconds = SECONDS.to_owned();
    let mut named = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument != "--seconds" {
            named.push(argument.clone());
            continue;
        }
        let given = arguments.next().filter(|given| given.parse::<u32>().is_ok_and(|it| it > 0));
        seconds = given.cloned().ok_or("--seconds needs a whole number from 1 on")?;
    }
    Ok((seconds, named))
}

/// The targets, by the names of their files.
fn targets() -> std::result::Result<Vec<String>, String> {
    let folder = workspace().join("fuzz/targets");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    names.sort();
    Ok(names)
}

fn install(steps: &mut Steps) -> Result {
    let version = output_of(&mut cargo(["fuzz", "--version"]));
    if version.as_deref() == Some(&format!("cargo-fuzz {CARGO_FUZZ}")) {
        return Ok(());
    }
    // Forced, since another version may be there.
    let package = format!("cargo-fuzz@{CARGO_FUZZ}");
    steps.run("cargo-fuzz", &mut cargo(["install", "--locked", "--quiet", "--force", &package]))
}
