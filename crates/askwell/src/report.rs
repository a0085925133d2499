//! The one place where results and errors become bytes on stdout and stderr, and exit codes.
//!
//! Invariants: stdout holds a whole result or the exit code says that it does not; no control
//! character of a request, an answer or an error reaches a terminal; a stderr that is gone stops
//! nothing.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::ExitCode;

use askwell::inbox::wire::InboxError;
use askwell::messages::Messages;
use askwell::text::{sanitize, sanitize_line};
use askwell::{Answers, ErrorCode, Outcome, State};
use serde_json::Value;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Answered, or done.
    Success = 0,
    /// A fault of askwell or of the machine.
    Failure = 1,
    /// Bad usage, or a bad request.
    Usage = 2,
    /// Nothing can show the request.
    NoProvider = 3,
    /// It still waits for a person.
    Pending = 75,
    /// Its time ran out.
    Expired = 124,
    /// The person put it aside.
    Cancelled = 130,
    /// The asker withdrew it.
    Aborted = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<State> for Exit {
    fn from(state: State) -> Self {
        match state {
            State::Pending => Self::Pending,
            State::Answered => Self::Success,
            State::Cancelled => Self::Cancelled,
            State::Aborted => Self::Aborted,
            State::Expired => Self::Expired,
        }
    }
}

impl From<&Outcome> for Exit {
    fn from(outcome: &Outcome) -> Self {
        Self::from(outcome.state())
    }
}

/// Why a command did not do what it was told to.
#[derive(Debug)]
pub struct Failure {
    /// How the program ends.
    pub exit: Exit,
    /// What happened, in one line.
    pub message: String,
    /// Its parts, one a line.
    pub details: Vec<String>,
    /// What to do about it, one a line.
    pub hints: Vec<String>,
}

impl Failure {
    /// A failure of this kind.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        let (details, hints) = (Vec::new(), Vec::new());
        Self { exit, message: message.into(), details, hints }
    }

    /// Bad usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// With its parts.
    #[must_use]
    pub fn details(mut self, details: impl IntoIterator<Item = impl Display>) -> Self {
        self.details.extend(details.into_iter().map(|detail| detail.to_string()));
        self
    }

    /// With something to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// What happened and its parts, for a place where there is one line.
    pub fn in_one_line(self) -> String {
        [vec![self.message], self.details].concat().join("; ")
    }
}

/// What a host has to say, or that there is none.
impl From<InboxError> for Failure {
    fn from(error: InboxError) -> Self {
        let exit = match error.code {
            ErrorCode::NoProvider | ErrorCode::HostUnreachable => Exit::NoProvider,
            ErrorCode::Request(_) | ErrorCode::BadResponse => Exit::Usage,
            _ => Exit::Failure,
        };
        let faults =
            error.details.faults.iter().map(|fault| format!("{} {}", fault.path, fault.rule));
        let issues = error.details.issues.iter().map(|issue| match &issue.question {
            Some(question) => format!("question {question:?}: {}", issue.message),
            None => issue.message.clone(),
        });
        let failure = Self::new(exit, error.to_string()).details(faults.chain(issues));
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// Tells a failure on stderr.
pub fn failure(failure: &Failure) -> Exit {
    let mut lines = vec![format!("askwell: {}", sanitize_line(&failure.message))];
    lines.extend(failure.details.iter().map(|detail| format!("  - {}", sanitize_line(detail))));
    lines.extend(failure.hints.iter().map(|hint| format!("hint: {}", sanitize_line(hint))));
    to_stderr(&lines.join("\n"));
    failure.exit
}

/// Tells something by the way on stderr.
pub fn note(message: &str) {
    to_stderr(&format!("askwell: {}", sanitize_line(message)));
}

/// Tells lines that are clean already on stderr.
pub fn lines(lines: &[String]) {
    to_stderr(&lines.join("\n"));
}

/// Asks something on stderr; the answer is typed behind it.
pub fn question(question: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "askwell: {} ", sanitize_line(question)).and_then(|()| stderr.flush());
}

/// Tells where there is what the person's own editor wrote and the dialog could not take.
pub fn tell_left(files: &[PathBuf], messages: &Messages) {
    for file in files {
        let path = file.display().to_string().into();
        note(&messages.with("note-editor-kept", [("path", path)]));
    }
}

/// Tells what the command-line parser has to say: help on stdout, errors on stderr.
pub fn usage(error: &clap::Error) -> Exit {
    if error.use_stderr() {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        to_stderr(&format!("askwell: {}", sanitize(text).trim_end()));
        return Exit::Usage;
    }
    // Help that nobody wants to read to its end is no failure.
    let _ = error.print();
    Exit::Success
}

/// Tells what there is, to whoever gave no command.
pub fn short_help(command: &mut clap::Command) -> Exit {
    to_stderr(command.render_help().to_string().trim_end());
    Exit::Usage
}

/// Replaces the report of a panic by a plain line, without what would draw over the screen.
pub fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
        let message = format!("a fault of askwell, please report it: {message}{place}");
        to_stderr(&format!("askwell: {}", sanitize_line(&message)));
    }));
}

/// Logs on stderr from now on.
pub fn log(level: tracing::Level) {
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_ansi(false)
        // A log on a full disk is no reason to panic, which is what telling of it comes to.
        .log_internal_errors(false)
        .finish();
    // Whoever embeds the program may have one.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

fn to_stderr(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a result to stdout, whole.
///
/// # Errors
/// Where it can't be written: closed, full, or read by nobody.
pub fn deliver(result: &[u8]) -> Result<(), Failure> {
    write_out(result).map_err(not_written)
}

fn write_out(result: &[u8]) -> io::Result<()> {
    // Not through the buffer of `io::stdout()`, which takes a closed one for written.
    File::from(io::stdout().as_fd().try_clone_to_owned()?).write_all(result)
}

fn not_written(error: io::Error) -> Failure {
    Failure::new(Exit::Failure, format!("can't write to stdout: {error}"))
}

/// The same for what is only looked at: a reader that has seen enough, such as `head`, is no
/// failure.
///
/// # Errors
/// Where it can't be written otherwise.
pub fn deliver_to_reader(result: &[u8]) -> Result<(), Failure> {
    match write_out(result) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(not_written),
    }
}

/// Whether standard output leads nowhere: it was closed, for which the runtime opens the null
/// device, or is that device from the start. The two can't be told apart, and it is no failure; but
/// nobody has got what was written.
pub fn leads_nowhere() -> bool {
    let stdout = io::stdout();
    let null = std::fs::metadata("/dev/null").map(|null| null.rdev());
    let same = rustix::fs::fstat(&stdout).is_ok_and(|own| null.is_ok_and(|it| it == own.st_rdev));
    let flags = rustix::fs::fcntl_getfl(&stdout);
    // A shell opens it for writing only.
    same && flags.is_ok_and(|flags| flags & rustix::fs::OFlags::ACCMODE == rustix::fs::OFlags::RDWR)
}

/// A JSON document and a line end.
pub fn json_line(document: &Value) -> Vec<u8> {
    let formatter = JsonFormatter { for_terminal: io::stdout().is_terminal() };
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    // Neither a value nor a vector of bytes can fail.
    let _ = serde::Serialize::serialize(document, &mut serializer);
    bytes.push(b'\n');
    bytes
}

/// Lines of text for people.
pub fn plain_lines(lines: &[String]) -> Vec<u8> {
    let lines = lines.iter().map(|line| format!("{}\n", sanitize_line(line)));
    lines.collect::<String>().into_bytes()
}

/// The labels, then the text of each answer, each ended by `end`.
pub fn answer_lines(answers: &Answers, end: char) -> Vec<u8> {
    let for_terminal = io::stdout().is_terminal();
    let mut lines = String::new();
    for answer in answers.as_slice() {
        for line in answer.selected.iter().chain(&answer.custom) {
            match for_terminal {
                true => lines.push_str(&sanitize(line)),
                false => lines.push_str(line),
            }
            lines.push(end);
        }
    }
    lines.into_bytes()
}

/// Compact JSON. For a terminal, what could steer it is written as an escape; the value is the same.
struct JsonFormatter {
    for_terminal: bool,
}

impl Formatter for JsonFormatter {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if !self.for_terminal {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(steers_a_terminal) {
            let (plain, special) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            let mut characters = special.chars();
            // All of them are below U+10000: one escape each.
            let code = characters.next().map_or(0, u32::from);
            write!(writer, "\\u{code:04x}")?;
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        CompactFormatter.write_char_escape(writer, escape)
    }
}

fn steers_a_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}')
}
