//! `askwell inbox`: a person answers what waits at the host, one after the other, in this terminal.
//!
//! What is on the screen is `askwell_tui`'s; here is the host's side: [`feed`] hears what happens
//! there, [`desk`] reads and writes what a dialog wants.

mod desk;
mod feed;

use std::time::Duration;

use askwell::inbox::wire::{Inbox as _, ListQuery, RequestId, Role};
use askwell::messages::Messages;
use askwell::terminal::editor_of_this_user;
use askwell_tui::inbox::Feed;
use askwell_tui::{Inbox, InboxEvent, InboxOptions, Session, Unavailable};
use clap::Args;

use super::answer;
use super::ask::Language;
use crate::config::Config;
use crate::hosts::{self, Start};
use crate::report::{self, Exit, Failure};
use crate::settings;
use desk::HostDesk;

/// Answer what waits, one after the other, in this terminal
///
/// Lists the requests that wait, by who asks, and those that have ended. Enter opens one; after an
/// answer the next one opens. Drafts are shared with the browser and every other screen. Leaving ends
/// nothing. Starts a host in the background where none runs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell inbox
  askwell inbox --plain                                # by lines, for a screen reader or a slow link
  askwell inbox 01998a3c-7f7e-7cc1-9a55-1f0a3b1c2d3e   # that one alone; leaves after it

In tmux, on a key (prefix a), over whatever is on the screen:
  bind-key a display-popup -E -w 90% -h 90% 'askwell inbox'

Exit codes:
  0         left
  1, 2, 3   failure; bad usage; no terminal, or no host")]
pub struct Arguments {
    /// Show this request alone, and leave after it
    id: Option<RequestId>,

    /// The language of the inbox [default: by locale]
    #[arg(long, value_enum)]
    lang: Option<Language>,

    /// Leave the mouse to the terminal [also: ASKWELL_NO_MOUSE=1]
    #[arg(long)]
    no_mouse: bool,

    /// Do not ring the terminal's bell when a request arrives [also: ASKWELL_NOTIFY_BELL=0]
    #[arg(long)]
    no_bell: bool,

    /// By plain lines: no drawing, numbers and letters to type [also: ASKWELL_PLAIN=1]
    #[arg(long)]
    plain: bool,
}

/// The first frame is drawn from so many.
const FIRST_PAGE: u32 = 100;

/// Shows the inbox until it is left.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    askwell_tui::check_terminal().map_err(|error| no_terminal(&error))?;
    let set = settings::dialog(arguments.plain, arguments.no_mouse)?;
    let bell = settings::bell(arguments.no_bell)?;
    let config = Config::from_environment();
    let client = hosts::client(Role::Answerer, Start::Always)?;
    let query = ListQuery { limit: Some(FIRST_PAGE), ..ListQuery::default() };
    let first = client.list(&query)?;
    if let Some(id) = arguments.id {
        // What is not there is told where it can be read.
        client.get(id)?;
    }
    let options = InboxOptions {
        lang: arguments.lang.map_or(config.lang, Into::into),
        no_color: config.no_color,
        ascii: config.ascii,
        plain: set.plain || !askwell_tui::can_be_drawn_on(),
        only: arguments.id,
        panic_on_draw: config.panic_on_draw,
        editor: editor_of_this_user(),
        no_mouse: set.no_mouse,
        bell,
    };
    let messages = Messages::new(options.lang);
    let session = Session::open().map_err(|error| no_terminal(&error))?;
    let control = session.control();
    let routes = feed::Routes::default();
    let mut desk = HostDesk::new(&client, &control, &routes, options.lang, first.now);
    feed::start(&client, &first, &control, routes);
    let (mut inbox, mut effects) = Inbox::new(options);
    let listed = Feed::Waiting { page: first, first: true };
    // Before the first draw, which shows it.
    effects.extend(inbox.update(InboxEvent::Feed(listed), Duration::ZERO));
    let left = session
        .run_inbox(&mut inbox, effects, &mut desk)
        .map_err(|error| Failure::new(Exit::Failure, format!("the terminal: {error}")));
    for (id, left) in desk.finish() {
        answer::tell_unsaved(id, &left, &messages);
    }
    left.map(|session| {
        report::tell_left(session.left(), &messages);
        Exit::Success
    })
}

fn no_terminal(error: &Unavailable) -> Failure {
    Failure::new(Exit::NoProvider, format!("NO_PROVIDER: {error}"))
        .hint("see what waits with: askwell list")
        .hint("answer with: askwell answer ID --select LABEL, or in a browser: askwell open")
}
