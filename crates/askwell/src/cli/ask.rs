//! `askwell ask`: reads a request, has it answered, hands the result over.
//!
//! Invariants: nothing is shown before the whole request is valid; the draft goes only after the
//! result was written.

use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};

use askwell::drafts::{DraftFolder, KEPT};
use askwell::messages::{Lang, Messages};
use askwell::terminal::{Settled, Terminal};
use askwell::{
    AskError, Asker, BadRequest, Cancel, Outcome, RequestCode, ValidRequest, lenient, project,
    texts,
};
use clap::{Args, ValueEnum};

use askwell::inbox::wire::Role;

use super::ask_inbox;
use super::flags::QuestionFlags;
use super::rule;
use super::timeout::Timeout;
use crate::config::Config;
use crate::hosts::{self, Start};
use crate::input::{self, Input};
use crate::report::{self, Exit, Failure};
use crate::settings;
use crate::unsaved::{Lost, NO_FOLDER};

/// Ask a person and print the answer
///
/// The request is a JSON file, standard input, or one question from flags. The dialog is drawn on
/// the terminal that askwell was started from, never on standard output, so that
/// `answer=$(askwell ask request.json)` works. What is entered is kept as a draft until it was
/// sent, and offered back when the same is asked again.
#[derive(Debug, Args)]
#[command(after_help = "Examples, exit codes and environment: askwell ask --help")]
#[command(after_long_help = AFTER_HELP)]
pub struct Arguments {
    /// The request, as JSON; `-` is standard input, also the default in a pipe
    #[arg(value_name = "FILE", conflicts_with_all = super::flags::NAMES)]
    file: Option<PathBuf>,

    /// Where the person is asked
    #[arg(long, value_enum, default_value_t = Via::Auto)]
    via: Via,

    /// Post the request to the inbox, print its id and leave; `askwell wait ID` comes back
    #[arg(long, conflicts_with_all = ["answers", "print0"])]
    detach: bool,

    /// With the inbox: asking again with the same key is the same request, and its outcome
    #[arg(long, value_name = "KEY", conflicts_with = "answers")]
    key: Option<String>,

    /// End as expired after this time: 90, 30s, 10m, 2h, 1d. Goes before the request's own
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    timeout: Option<Timeout>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,

    /// With `--format lines`: end each with a NUL byte, so that a text of several lines stays whole
    #[arg(long)]
    print0: bool,

    /// Take recorded answers from this file; nobody is asked
    #[arg(
        long,
        value_name = "FILE",
        long_help = "Take recorded answers from this file, for CI; nobody is asked, whatever \
                     --via says. A document that askwell printed is such a file. Entries have an \
                     `id`, or a `match` (a regular expression on the question's text):\n\n  \
                     {\"answers\":[{\"id\":\"db\",\"selected\":[\"Postgres\"]},\n              \
                     {\"match\":\"(?i)features\",\"selected\":[],\"custom\":\"none\"}]}\n\n\
                     A question that no entry answers is an error. Also: ASKWELL_ANSWERS."
    )]
    answers: Option<PathBuf>,

    /// Draw the dialog on the whole screen, not below the prompt
    #[arg(long)]
    fullscreen: bool,

    /// Leave the mouse to the terminal [also: ASKWELL_NO_MOUSE=1]
    #[arg(long)]
    no_mouse: bool,

    /// The language of the dialog [default: by locale]
    #[arg(long, value_enum)]
    lang: Option<Language>,

    /// Ask by plain lines: no drawing, numbers and letters to type [also: ASKWELL_PLAIN=1]
    #[arg(long)]
    plain: bool,

    /// The name of the program that asks, as the person sees it
    #[arg(long, value_name = "NAME")]
    asker: Option<String>,

    #[command(flatten)]
    question: QuestionFlags,
}

const AFTER_HELP: &str = "\
Examples:
  askwell ask --question 'Deploy now?' --option Yes --option No --no-custom
  askwell ask --question 'Which database?' --option Postgres --describe 'a server' \\
      --option SQLite --describe 'a file'
  git branch --format='%(refname:short)' |
      askwell ask --multi --question 'Delete which branches?' --option - --format lines
  answer=$(askwell ask release.json --timeout 10m) && echo \"$answer\" | jq .answers
  id=$(askwell ask release.json --detach); askwell wait $id
  CI: ASKWELL_ANSWERS=release.answers.json askwell ask release.json

Exit codes:
  0    answered: the answer is on standard output
  1    failure: a fault of askwell or of the machine, or an output that can't be written
  2    bad usage, or a request that breaks a rule; nobody has seen it
  3    no provider: nothing here can show the request to a person
  124  expired: nobody answered in time
  130  cancelled: the person put the whole request aside, perhaps with a comment
  143  aborted: withdrawn by a signal, a terminal that was closed, or askwell abort
With --format json 0, 124, 130 and 143 print exactly one JSON document, only that of 0 has
`answers`; with --format lines only 0 prints. 1, 2 and 3 print nothing on standard output.

Lines:
  The chosen labels, then the person's own text, of each question in order, one a line.

Environment:
  ASKWELL_ANSWERS             recorded answers, as --answers
  ASKWELL_PLAIN               plain lines in place of a drawn dialog, as --plain; TERM=dumb too
  LC_ALL, LC_MESSAGES, LANG   the language of the dialog, as --lang
  NO_COLOR, ASKWELL_ASCII     draw without colours; draw the dialog's own marks in ASCII
  ASKWELL_URL, ASKWELL_TOKEN  another host than this user's own, and the credential for it
  ASKWELL_NO_MOUSE            leave the mouse to the terminal, as --no-mouse
  VISUAL, EDITOR              what Ctrl-G opens on a text
  CI                          no host is started in the background
  XDG_STATE_HOME              holds askwell/drafts, for 7 days [default: ~/.local/state]";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Via {
    /// The terminal, where askwell runs in the foreground of one; else a host that already runs
    Auto,
    /// The dialog in this terminal
    Terminal,
    /// The inbox of the host, which is started in the background where none runs
    Inbox,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON document
    Json,
    /// The chosen labels and texts, one a line
    Lines,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Language {
    /// English
    En,
    /// Chinese
    Zh,
}

impl From<Language> for Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Self::En,
            Language::Zh => Self::Zh,
        }
    }
}

/// How the dialog is shown.
#[derive(Debug, Clone, Copy)]
struct Looks {
    lang: Option<Language>,
    plain: bool,
    fullscreen: bool,
    no_mouse: bool,
}

/// How the result is printed.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    format: Format,
    print0: bool,
    lang: Lang,
}

/// Asks.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let config = Config::from_environment();
    let lang = arguments.lang.map_or(config.lang, Into::into);
    let output = Output { format: arguments.format, print0: arguments.print0, lang };
    if output.print0 && output.format != Format::Lines {
        return Err(Failure::usage("--print0 needs --format lines"));
    }
    let looks = Looks {
        lang: arguments.lang,
        plain: arguments.plain,
        fullscreen: arguments.fullscreen,
        no_mouse: arguments.no_mouse,
    };
    let via = arguments.via;
    let posting = ask_inbox::Posted { detach: arguments.detach, key: arguments.key.clone() };
    if via == Via::Terminal && posting.needs_inbox() {
        return Err(Failure::usage(
            "--detach and --key go with the inbox, not with --via terminal",
        ));
    }
    let answers = arguments.answers.clone().or_else(|| config.answers.clone());
    let request = match read_request(arguments)? {
        Ok(request) => request,
        Err(signal) => {
            let outcome = Outcome::Aborted { reason: format!("a signal ({signal})") };
            deliver(&outcome, None, output)?;
            return Ok(Exit::Aborted);
        }
    };
    if output.print0 && labels(&request).any(|label| label.contains('\0')) {
        return Err(Failure::usage("--print0 can't tell the answers apart: a label holds U+0000"));
    }
    if let Some(path) = answers {
        return by_rule(&request, &path, output);
    }
    match via {
        Via::Inbox => ask_inbox::ask(&request, posting, Start::Always, output),
        Via::Auto if posting.detach => ask_inbox::ask(&request, posting, Start::Always, output),
        Via::Auto if posting.needs_inbox() => {
            ask_inbox::ask(&request, posting, Start::Never, output)
        }
        Via::Auto if askwell_tui::check_terminal().is_err() && hosts::runs(Role::Asker) => {
            ask_inbox::ask(&request, posting, Start::Never, output)
        }
        Via::Auto | Via::Terminal => in_terminal(&request, looks, &config, output),
    }
}

fn labels(request: &ValidRequest) -> impl Iterator<Item = &str> {
    request.questions.iter().flat_map(|question| &question.options).map(|it| it.label.as_str())
}

/// Answers from a recording.
fn by_rule(request: &ValidRequest, path: &Path, output: Output) -> Result<Exit, Failure> {
    let outcome = Outcome::Answered(rule::answers(request, path)?);
    deliver(&outcome, request.expires_in_seconds, output)?;
    Ok(Exit::from(&outcome))
}

/// Asks in the dialog.
fn in_terminal(
    request: &ValidRequest,
    looks: Looks,
    config: &Config,
    output: Output,
) -> Result<Exit, Failure> {
    let homeless = DraftFolder::of_this_user().is_none();
    let lang = looks.lang.map_or(config.lang, Lang::from);
    let set = settings::dialog(looks.plain, looks.no_mouse)?;
    let terminal = Terminal::new()
        .lang(lang)
        .no_color(config.no_color)
        .ascii(config.ascii)
        .plain(set.plain)
        .in_place(!looks.fullscreen)
        .no_mouse(set.no_mouse)
        .panic_on_draw(config.panic_on_draw);
    let shown = terminal.show(request, &Cancel::new()).map_err(|error| not_shown(&error))?;
    let outcome = shown.outcome.clone();
    // First the result: whatever the disk of the drafts does, the asker gets it.
    let delivered = deliver(&outcome, shown.expires_in_seconds, output);
    let arrived = delivered.is_ok() && !report::leads_nowhere();
    if delivered.is_ok() && !arrived {
        report::note("warning: standard output is closed, so nobody got the answer");
    }
    report::tell_left(&shown.left, &Messages::new(lang));
    let mut settled = shown.settle(arrived);
    if homeless {
        settled.failure = Some(NO_FOLDER.to_owned());
    }
    tell_draft(request, settled, &outcome, arrived, &Messages::new(lang));
    delivered?;
    Ok(Exit::from(&outcome))
}

/// Prints an outcome. `expires_in_seconds` is the time that the request had, where that is known.
pub fn deliver(
    outcome: &Outcome,
    expires_in_seconds: Option<u64>,
    output: Output,
) -> Result<(), Failure> {
    if output.format == Format::Json {
        let document = project::document(outcome, expires_in_seconds);
        return report::deliver(&report::json_line(&document));
    }
    let messages = Messages::new(output.lang);
    report::note(&match outcome {
        Outcome::Answered(answers) => {
            let end = if output.print0 { '\0' } else { '\n' };
            return report::deliver(&report::answer_lines(answers, end));
        }
        Outcome::Cancelled { comment: Some(comment) } => {
            messages.with("note-person-commented", [("comment", comment.into())])
        }
        Outcome::Cancelled { comment: None } => messages.get("note-person-cancelled"),
        Outcome::Aborted { reason } => messages.with("note-withdrawn", [("reason", reason.into())]),
        Outcome::Expired => messages.get("note-out-of-time"),
    });
    Ok(())
}

fn tell_draft(
    request: &ValidRequest,
    settled: Settled,
    outcome: &Outcome,
    arrived: bool,
    messages: &Messages,
) {
    if let Some(path) = &settled.kept {
        let answered = arrived && matches!(outcome, Outcome::Answered(_));
        let id = if answered { "note-text-kept" } else { "note-draft-kept" };
        let days = KEPT.as_secs() / 86_400;
        let kept = messages.with(id, [("days", days.into())]);
        report::note(&format!("{kept} ({})", path.display()));
    }
    match (settled.failure, settled.lost) {
        (Some(why), Some(entered)) => {
            Lost { request: request.clone(), entered, why }.tell(messages);
        }
        (Some(why), None) => report::note(&format!("warning: no draft could be saved: {why}")),
        (None, _) => {}
    }
}

/// The request, or the signal that came while it was read.
fn read_request(arguments: Arguments) -> Result<Result<ValidRequest, &'static str>, Failure> {
    let (source, request) = match (arguments.question.request()?, arguments.file) {
        (Some(request), _) => {
            let source = "the question";
            let request = request.validate().map_err(|bad| refused(source, &bad))?;
            (source.to_owned(), request)
        }
        (None, None) if stdin().is_terminal() => {
            return Err(Failure::usage("nothing to ask: give a FILE, or a question")
                .hint("askwell ask --question 'Tea or coffee?' --option Tea --option Coffee"));
        }
        (None, file) => {
            let input = file.as_deref().map_or(Input::Stdin, Input::named);
            let read = input.read_or_signal().map_err(|failure| with_file_hint(failure, &input))?;
            let bytes = match read {
                Ok(bytes) => bytes,
                Err(signal) => return Ok(Err(signal)),
            };
            let source = input.to_string();
            let request = lenient::request_from_slice(&bytes)
                .map_err(|bad| with_bytes_hint(refused(&source, &bad), &bytes))?;
            (source, request)
        }
    };
    let request = match arguments.asker {
        Some(name) => asked_by(request, name)
            .map_err(|bad| refused(&source, &bad).hint("it comes from --asker"))?,
        None => request,
    };
    let Some(timeout) = arguments.timeout else { return Ok(Ok(request)) };
    request.expiring_in(timeout.seconds).map(Ok).map_err(|bad| {
        refused(&source, &bad).hint(format!("it comes from --timeout {}", timeout.text))
    })
}

fn asked_by(request: ValidRequest, name: String) -> Result<ValidRequest, BadRequest> {
    let mut request = request.into_inner();
    request.asker.get_or_insert_with(Asker::default).name = Some(name);
    request.validate()
}

/// The request breaks a rule.
fn refused(source: &str, bad: &BadRequest) -> Failure {
    /// More than that only pushes the hints out of sight.
    const SHOWN: usize = 20;
    let (code, faults) = (bad.code(), bad.faults());
    let count = match faults.len() {
        1 => "1 fault".to_owned(),
        count => format!("{count} faults"),
    };
    let message = format!("{}: {source} has {count} and was shown to nobody", code.as_str());
    let mut failure = Failure::usage(message).details(faults.iter().take(SHOWN));
    if faults.len() > SHOWN {
        let rest = faults.len() - SHOWN;
        failure = failure.hint(format!("{rest} more: askwell check tells all of them"));
    }
    match code {
        RequestCode::EmptyQuestions | RequestCode::BadRequest => {
            failure.hint(format!("a request looks like {}", texts::EXPECTED_SHAPE))
        }
        _ => failure,
    }
}

/// What the parser of JSON does not say.
fn with_bytes_hint(failure: Failure, bytes: &[u8]) -> Failure {
    if bytes.trim_ascii().is_empty() {
        return failure.hint("there was nothing to read");
    }
    match input::not_utf8(bytes) {
        Some(place) => failure.hint(format!("it is not UTF-8 text: {place}")),
        None => failure,
    }
}

/// Nobody has seen the request, or the terminal failed.
fn not_shown(error: &AskError) -> Failure {
    match error {
        AskError::NoProvider { .. } => Failure::new(Exit::NoProvider, error.to_string())
            .hint("run it in the foreground of a terminal, where a person can see and answer it")
            .hint("where there is no person, as in CI, give recorded answers with --answers FILE"),
        _ => Failure::new(Exit::Failure, error.to_string()),
    }
}

/// What was perhaps meant by a FILE that is not there.
fn with_file_hint(failure: Failure, input: &Input) -> Failure {
    let Input::File(path) = input else { return failure };
    let name = path.to_string_lossy();
    let name = name.trim_start();
    if path.exists() {
        failure
    } else if name.starts_with(['{', '[']) {
        failure.hint("FILE is the name of a file; pipe a request in: … | askwell ask -")
    } else if name.contains([' ', '?', '？']) {
        failure.hint("to ask a question: askwell ask --question TEXT")
    } else {
        failure
    }
}
