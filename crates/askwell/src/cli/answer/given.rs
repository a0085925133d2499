//! Answers that a command line or a file gives. The order of the flags says which question each is
//! for.

use std::collections::HashSet;

use askwell::recorded::Recorded;
use askwell::{Answer, Answers, BadResponse, ValidRequest, answer};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::input::Input;
use crate::report::Failure;

/// The names of all flags here.
pub const NAMES: [&str; 4] = ["question", "select", "custom", "skip"];

/// `--question`, `--select`, `--custom` and `--skip`, in the order of the command line.
#[derive(Debug, Default)]
pub struct GivenFlags(Vec<Flag>);

#[derive(Debug)]
enum Flag {
    Question(String),
    Select(String),
    Custom(String),
    Skip,
}

impl GivenFlags {
    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The answer.
    ///
    /// # Errors
    /// A flag without its question, or an answer that does not fit.
    pub fn answers(self, request: &ValidRequest) -> Result<Answers, Failure> {
        let mut answers: Vec<Answer> = Vec::new();
        if let [only] = request.questions.as_slice()
            && !matches!(self.0.first(), Some(Flag::Question(_)))
        {
            answers.push(empty(only.id.clone()));
        }
        let mut skipped = HashSet::new();
        for flag in self.0 {
            if let Flag::Question(id) = flag {
                answers.push(empty(id));
                continue;
            }
            let Some(answer) = answers.last_mut() else {
                let ids: Vec<&str> =
                    request.questions.iter().map(|question| question.id.as_str()).collect();
                return Err(Failure::usage("say which question each flag is for")
                    .hint(format!("give --question ID before them; the ids: {}", ids.join(", "))));
            };
            match flag {
                Flag::Select(label) => answer.selected.push(label),
                Flag::Custom(text) => answer.custom = Some(text),
                Flag::Skip | Flag::Question(_) => {
                    skipped.insert(answers.len() - 1);
                }
            }
        }
        // A question with nothing given is a slip of the hand, unless it says that it is skipped.
        if let Some(bare) = answers
            .iter()
            .enumerate()
            .find(|(index, answer)| answer.is_skipped() && !skipped.contains(index))
        {
            let message = format!("question {:?} is given no answer", bare.1.id);
            return Err(Failure::usage(message)
                .hint("give --select LABEL, --custom TEXT, or --skip to skip it"));
        }
        answer::validate(request, answers).map_err(|bad| refused(&bad))
    }
}

fn empty(id: String) -> Answer {
    Answer { id, selected: Vec::new(), custom: None }
}

/// Answers in a file.
///
/// # Errors
/// Where it can't be read, or is of another form.
pub fn from_file(input: &Input) -> Result<Recorded, Failure> {
    Recorded::from_json(&input.read_text()?).map_err(|bad| refused(&bad))
}

/// Answers that do not fit. Nothing was sent.
pub fn refused(bad: &BadResponse) -> Failure {
    Failure::usage("BAD_RESPONSE: the answer does not fit, and nothing was sent")
        .details(&bad.issues)
}

impl Args for GivenFlags {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name(value)
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
                .help(help)
                .help_heading("Answers")
        };
        command
            .arg(flag("question", "ID", "What follows answers this question, if there are several"))
            .arg(flag("select", "LABEL", "Choose this option; repeat it for more"))
            .arg(flag("custom", "TEXT", "Answer in your own words"))
            .arg(
                Arg::new("skip")
                    .long("skip")
                    .action(ArgAction::Append)
                    .num_args(0)
                    .default_missing_value("true")
                    .value_parser(clap::value_parser!(bool))
                    .help("Skip the question")
                    .help_heading("Answers"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GivenFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags: Vec<(usize, Flag)> = Vec::new();
        for (name, flag) in [
            ("question", Flag::Question as fn(String) -> Flag),
            ("select", Flag::Select as fn(String) -> Flag),
            ("custom", Flag::Custom as fn(String) -> Flag),
        ] {
            let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
            let places = matches.indices_of(name).into_iter().flatten();
            flags.extend(places.zip(values.map(flag)));
        }
        let skips = matches.indices_of("skip").into_iter().flatten();
        flags.extend(skips.map(|place| (place, Flag::Skip)));
        flags.sort_by_key(|(place, _)| *place);
        Ok(Self(flags.into_iter().map(|(_, flag)| flag).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
