//! `askwell answer`: a person answers a request of the host, here in the terminal, from a file or
//! from flags.

mod dialog;
pub mod follow;
mod given;
pub mod kept;
pub mod sink;

use std::path::{Path, PathBuf};

use askwell::inbox::Client;
use askwell::inbox::wire::{
    Inbox as _, ListQuery, ProviderName, RequestId, RequestView, Response, Role,
};
use askwell::messages::{Lang, Messages};
use askwell::{Outcome, State, ValidRequest, project, request};
use clap::Args;
use serde_json::json;

use super::ask::Language;
use super::format::Format;
use crate::config::Config;
use crate::hosts::{self, Start};
use crate::input::Input;
use crate::report::{self, Exit, Failure};
use crate::settings;
use crate::unsaved::Lost;
use given::GivenFlags;

/// Answer a request: in the dialog in this terminal, from a file, or from flags
///
/// The dialog goes on with what was entered so far, here or in a browser, and shows what is entered
/// elsewhere meanwhile. Ctrl-C leaves; the request still waits, and the draft is kept.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell answer 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e
  askwell answer 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e --select Postgres
  askwell answer 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e --file answers.json
  askwell answer 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e \\
      --question feat --select Auth --select Export --custom 'also SSO' --question name --skip

Exit codes:
  0    answered
  75   left: it still waits
  124, 130, 143   it had expired, was cancelled (here or elsewhere), or was withdrawn
  1, 2, 3         failure; bad usage or an answer that does not fit; no host")]
pub struct Arguments {
    /// The id of the request; without it, the ids of those that wait are told
    id: Option<RequestId>,

    /// Take the answers from this file, as `askwell ask` prints them; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = given::NAMES)]
    file: Option<PathBuf>,

    /// The language of the dialog [default: by locale]
    #[arg(long, value_enum)]
    lang: Option<Language>,

    /// Answer by plain lines: no drawing, numbers and letters to type [also: ASKWELL_PLAIN=1]
    #[arg(long)]
    plain: bool,

    /// Draw below the prompt, so that what is above stays readable
    #[arg(long)]
    in_place: bool,

    /// Leave the mouse to the terminal [also: ASKWELL_NO_MOUSE=1]
    #[arg(long)]
    no_mouse: bool,

    /// Print the request as it stands then, as JSON
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    given: GivenFlags,
}

/// Answers.
pub fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let client = hosts::client(Role::Answerer, Start::WithStore)?;
    let Some(id) = arguments.id else { return Err(which(&client)?) };
    let config = Config::from_environment();
    let lang = arguments.lang.map_or(config.lang, Into::into);
    let answers = match (&arguments.file, arguments.given.is_empty()) {
        (Some(path), _) => Some(given::from_file(&Input::named(path))?),
        (None, false) => None,
        (None, true) => {
            let set = settings::dialog(arguments.plain, arguments.no_mouse)?;
            let looks = dialog::Looks { lang, set, in_place: arguments.in_place };
            let left = dialog::answer(&client, id, &config, looks)?;
            return told(id, left, arguments.format, lang);
        }
    };
    // One that has ended as well: the host keeps what comes too late.
    let (view, request) = read(&client, id)?;
    let answers = match answers {
        Some(recorded) => recorded.answers(&request).map_err(|bad| given::refused(&bad))?,
        None => arguments.given.answers(&request)?,
    };
    let document = project::document(&Outcome::Answered(answers), None);
    let response = Response { answers: document["answers"].clone(), provider: ProviderName::Api };
    let view = client.answer(view.id, &response).map_err(|error| super::late(error, true))?;
    told(view.id, Ended::Here(view), arguments.format, lang)
}

/// How the person left a request.
pub enum Ended {
    /// It ended here.
    Here(RequestView),
    /// It ended elsewhere meanwhile.
    Elsewhere(RequestView),
    /// It still waits, as far as is known.
    Left(Left),
}

/// What a person left behind.
#[derive(Default)]
pub struct Left {
    /// The request, if the host was there to show it.
    pub view: Option<Box<RequestView>>,
    /// Whether nothing was entered.
    pub untouched: bool,
    /// Whether the host does not have all of the draft.
    pub unsaved: bool,
    /// The file that has it then.
    pub kept: Option<PathBuf>,
    /// What is neither there nor in a file, and why not.
    pub lost: Option<Lost>,
}

/// So many are told; the list has all.
const TOLD: u32 = 9;

/// Nobody knows an id by heart.
fn which(client: &Client) -> Result<Failure, Failure> {
    let page = client.list(&ListQuery { limit: Some(TOLD), ..ListQuery::default() })?;
    if page.requests.is_empty() {
        return Ok(Failure::usage("no request was named, and none waits"));
    }
    let waiting =
        page.requests.iter().map(|waiting| format!("{} {}", waiting.id, waiting.question));
    let failure = Failure::usage("no request was named; these wait").details(waiting);
    Ok(failure
        .hint("askwell answer ID; one after the other: askwell inbox; all that wait: askwell list"))
}

/// The note for what a person has done here.
fn ended_here(state: State) -> &'static str {
    match state {
        State::Answered => "note-answered",
        State::Cancelled => "note-cancelled",
        State::Aborted => "note-aborted",
        State::Expired => "note-expired",
        State::Pending => "note-left",
    }
}

/// The note for what has come to pass before.
fn ended_elsewhere(state: State) -> &'static str {
    match state {
        State::Answered => "note-answered-elsewhere",
        State::Cancelled => "note-cancelled-elsewhere",
        State::Aborted => "note-aborted-elsewhere",
        State::Expired => "note-expired-elsewhere",
        State::Pending => "note-left",
    }
}

fn told(id: RequestId, ended: Ended, format: Format, lang: Lang) -> Result<Exit, Failure> {
    let note = |note: &str| {
        report::note(&Messages::new(lang).with(note, [("id", id.to_string().into())]));
    };
    let elsewhere = |state: State| note(ended_elsewhere(state));
    let view = match ended {
        Ended::Here(view) => {
            note(ended_here(view.state));
            view
        }
        Ended::Elsewhere(view) => {
            elsewhere(view.state);
            view
        }
        Ended::Left(left) => {
            let Some(view) = left.view else {
                note("note-left-no-host");
                return Ok(Exit::Pending);
            };
            match view.state {
                State::Pending if left.unsaved || left.untouched => note("note-left"),
                State::Pending => note("note-left-draft"),
                state => elsewhere(state),
            }
            *view
        }
    };
    if format == Format::Json {
        report::deliver(&report::json_line(&json!(view)))?;
    }
    Ok(Exit::from(view.state))
}

/// Says where the text is that the host does not have, or the text.
pub fn tell_unsaved(id: RequestId, left: &Left, messages: &Messages) {
    if let Some(path) = &left.kept {
        report::note(&format!("what you entered is not on the host yet; {}", kept_in(id, path)));
    }
    if let Some(lost) = &left.lost {
        lost.tell(messages);
    }
}

fn kept_in(id: RequestId, path: &Path) -> String {
    format!("it is kept in {}, and offered by: askwell answer {id}", path.display())
}

/// A request, whether it waits or not.
///
/// # Errors
/// Where the host does not have it, or shows it in another form.
pub fn read(client: &Client, id: RequestId) -> Result<(RequestView, ValidRequest), Failure> {
    let view = client.get(id)?;
    let request = request::from_value(json!(view.request)).map_err(|bad| {
        Failure::new(Exit::Failure, format!("the host shows a request of another form: {bad}"))
    })?;
    Ok((view, request))
}

/// A request that can still be answered.
fn pending(client: &Client, id: RequestId) -> Result<(RequestView, ValidRequest), Failure> {
    let (view, request) = read(client, id)?;
    match (&view.receipt, view.state) {
        (_, State::Pending) | (None, _) => Ok((view, request)),
        (Some(receipt), state) => {
            let ended = crate::words::ended(state, receipt, hosts::now());
            Err(Failure::new(Exit::Failure, format!("NOT_PENDING: {id} was {ended}"))
                .hint(format!("see it with: askwell show {id}")))
        }
    }
}
