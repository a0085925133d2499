//! One question from flags. `--option` and `--describe` may come in any number, and their order on
//! the command line is what says which description belongs to which option.

use askwell::{Question, QuestionOption, Request};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::input::Input;
use crate::report::Failure;

/// The names of all flags here: none of them goes with a FILE.
pub const NAMES: [&str; 8] =
    ["question", "option", "describe", "multi", "header", "detail", "no_custom", "id"];

/// The flags of one question.
#[derive(Debug, Args)]
#[command(next_help_heading = "One question")]
pub struct QuestionFlags {
    /// Ask this question, in place of a FILE
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    question: Option<String>,

    #[command(flatten)]
    options: OptionFlags,

    /// Let several options be chosen
    #[arg(long, requires = "question")]
    multi: bool,

    /// A short name of the topic
    #[arg(long, value_name = "TEXT", requires = "question", allow_hyphen_values = true)]
    header: Option<String>,

    /// Markdown shown below the question
    #[arg(long, value_name = "TEXT", requires = "question", allow_hyphen_values = true)]
    detail: Option<String>,

    /// Take only the options, no own text
    #[arg(long, requires = "question")]
    no_custom: bool,

    /// The question's id in the answer [default: q1]
    #[arg(long, value_name = "ID", requires = "question", allow_hyphen_values = true)]
    id: Option<String>,
}

impl QuestionFlags {
    /// The request of this one question; nothing where there is none.
    ///
    /// # Errors
    /// A description without an option, or labels of standard input that can't be read.
    pub fn request(self) -> Result<Option<Request>, Failure> {
        let Some(question) = self.question else { return Ok(None) };
        let question = Question {
            id: self.id.unwrap_or_else(|| "q1".to_owned()),
            header: self.header,
            question,
            detail: self.detail,
            options: self.options.read()?,
            multi_select: self.multi,
            allow_custom: !self.no_custom,
            intent: None,
        };
        Ok(Some(Request::new([question])))
    }
}

/// `--option` and `--describe`, in the order of the command line.
#[derive(Debug, Default)]
struct OptionFlags(Vec<Flag>);

#[derive(Debug)]
enum Flag {
    Option(String),
    Describe(String),
}

impl OptionFlags {
    fn read(self) -> Result<Vec<QuestionOption>, Failure> {
        let mut options: Vec<QuestionOption> = Vec::new();
        let mut stdin_read = false;
        // Whether a description may follow.
        let mut one_before = false;
        for flag in self.0 {
            match flag {
                Flag::Option(label) if label == "-" => {
                    if stdin_read {
                        return Err(Failure::usage("--option - can be given once"));
                    }
                    options.extend(labels_of_stdin()?.into_iter().map(option));
                    (stdin_read, one_before) = (true, false);
                }
                Flag::Option(label) => {
                    options.push(option(label));
                    one_before = true;
                }
                Flag::Describe(text) => {
                    let described = options.last_mut().filter(|_| one_before);
                    let Some(described) = described else {
                        let message = format!("--describe {text:?} has no --option before it");
                        return Err(Failure::usage(message)
                            .hint("give --describe right after its --option LABEL"));
                    };
                    described.description = Some(text);
                    one_before = false;
                }
            }
        }
        Ok(options)
    }
}

fn option(label: String) -> QuestionOption {
    QuestionOption { label, ..QuestionOption::default() }
}

/// One label a line, just as it is.
fn labels_of_stdin() -> Result<Vec<String>, Failure> {
    let text = Input::Stdin.read_text()?;
    let labels: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Some(line) = labels.iter().position(|label| label.contains('\0')) {
        let message = format!("line {} of standard input holds a NUL byte", line + 1);
        return Err(Failure::usage(message).hint("--option - reads one label a line"));
    }
    match labels.is_empty() {
        true => Err(Failure::usage("--option - found no label on standard input")),
        false => Ok(labels),
    }
}

impl Args for OptionFlags {
    fn augment_args(command: Command) -> Command {
        let flag = |name: &'static str, value: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name(value)
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
                .requires("question")
        };
        command
            .arg(flag("option", "LABEL").help("Offer this option; repeat it for more").long_help(
                "Offer this option; repeat it for more. The label is taken as it is, and comes \
                 back byte for byte.\n\n\
                 `--option -` reads labels from standard input, one a line. (To offer a label \
                 that is itself `-`, write it as a line there.)",
            ))
            .arg(flag("describe", "TEXT").help("Say what the option before it means"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags: Vec<(usize, Flag)> = Vec::new();
        for (name, flag) in [
            ("option", Flag::Option as fn(String) -> Flag),
            ("describe", Flag::Describe as fn(String) -> Flag),
        ] {
            let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
            let places = matches.indices_of(name).into_iter().flatten();
            flags.extend(places.zip(values.map(flag)));
        }
        flags.sort_by_key(|(place, _)| *place);
        Ok(Self(flags.into_iter().map(|(_, flag)| flag).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
