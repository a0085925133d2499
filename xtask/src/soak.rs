//! `cargo xtask soak`: the crash and race tests of `tests/crash`, for longer than CI has time, on
//! the release program. A failure tells the seed with which it comes again.

use std::path::PathBuf;

use crate::steps::{Result, Steps, cargo, target};

/// A flag, the variable by which the tests hear of it, and what it is where it is left out.
const FLAGS: [(&str, &str, Option<u64>); 3] = [
    ("--rounds", "ASKWELL_SOAK_ROUNDS", Some(2_000)),
    ("--claims", "ASKWELL_SOAK_CLAIMS", Some(10_000)),
    ("--seed", "ASKWELL_SOAK_SEED", None),
];

pub fn run(steps: &mut Steps, arguments: &[String]) -> Result {
    let variables = variables(arguments)?;
    let program = ["build", "--release", "--package", "askwell", "--bin", "askwell"];
    steps.run("program", &mut cargo(program))?;
    let mut tests = cargo(["test", "--package", "askwell", "--all-features", "--test", "it"]);
    tests.args(["--", "crash::", "--nocapture", "--test-threads", "1"]);
    steps.run("soak", tests.env("ASKWELL_SOAK_PROGRAM", released()).envs(variables))
}

fn released() -> PathBuf {
    target().join("release/askwell")
}

fn variables(arguments: &[String]) -> std::result::Result<Vec<(&'static str, String)>, String> {
    let mut values = FLAGS.map(|(.., default)| default);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let flag = FLAGS.iter().position(|(flag, ..)| flag == word);
        let flag = flag.ok_or_else(|| format!("no such argument: {word}"))?;
        let value = words.next().and_then(|value| value.parse().ok());
        values[flag] = Some(value.ok_or_else(|| format!("{word} needs a number"))?);
    }
    let set = FLAGS.iter().zip(values);
    Ok(set.filter_map(|((_, variable, _), value)| Some((*variable, value?.to_string()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_told_to_the_tests_and_what_is_none_is_refused() {
        let told = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let told = variables(&words)?;
            Ok::<_, String>(told.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(" "))
        };

        assert_eq!(told(""), Ok("2000 10000".to_owned()));
        assert_eq!(told("--rounds 5 --seed 7"), Ok("5 10000 7".to_owned()));
        assert_eq!(told("--rounds"), Err("--rounds needs a number".to_owned()));
        assert_eq!(told("--rounds many"), Err("--rounds needs a number".to_owned()));
        assert_eq!(told("5"), Err("no such argument: 5".to_owned()));
    }
}
