//! What `docs/library.md` and the README show, as one program: a request, and the ways to have it
//! answered.
//!
//! ```sh
//! cargo run --example library                 # here, in a dialog
//! cargo run --example library -- terminal     # the same, with every end told apart
//! cargo run --example library -- inbox        # at the inbox of a host, as long as it takes
//! cargo run --example library -- later        # the same, but this program leaves in between
//! cargo run --example library -- recorded     # by a file, as in CI
//! cargo run --example library -- scripted     # by a person who follows a script, in a test
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use askwell::inbox::{Client, InboxProvider, Local, Place, wire::Role};
use askwell::recorded::Recorded;
use askwell::scripted::{Act, Scripted};
use askwell::{AskError, Outcome, ValidRequest};
use askwell::{Askwell, Cancel, Question, Request, terminal::Terminal};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let asked = request().and_then(|request| match std::env::args().nth(1).as_deref() {
        None => short(),
        Some("terminal") => in_the_terminal(&request),
        Some("inbox") => at_the_inbox(&request),
        Some("later") => later(&request),
        Some("recorded") => recorded(&request),
        Some("scripted") => scripted(&request),
        _ => Err("say how: terminal, inbox, later, recorded or scripted".into()),
    });
    match asked {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("library: {error}");
            ExitCode::FAILURE
        }
    }
}

/// All of it, as short as it gets.
fn short() -> Result<()> {
    let targets = Question::new("targets", "Where should this ship?");
    let targets = targets.option("Code").option("Docs").multi_select();
    let request = Request::new([targets]).validate()?;
    let answers = Askwell::new().with(Terminal::new())?.ask(&request, &Cancel::new())?;
    println!("{answers:?}");
    Ok(())
}

fn request() -> Result<ValidRequest> {
    let targets = Question::new("targets", "Where should this ship?");
    let targets = targets.option("Code").option("Docs").multi_select();
    Ok(Request::new([targets]).validate()?)
}

fn in_the_terminal(request: &ValidRequest) -> Result<()> {
    let askwell = Askwell::new().with(Terminal::new())?;
    match askwell.ask(request, &Cancel::new()) {
        Ok(answers) => {
            let targets = &answers.as_slice()[0];
            println!("ticked: {:?}, written: {:?}", targets.selected, targets.custom);
        }
        Err(AskError::Cancelled { comment }) => println!("cancelled: {comment:?}"),
        Err(AskError::NoProvider { .. }) => println!("there is no terminal"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn at_the_inbox(request: &ValidRequest) -> Result<()> {
    let place = Place::of_this_user().ok_or("no home folder")?;
    let inbox = InboxProvider::new(Client::new(Local::new(place, Role::Asker)));
    let answers = Askwell::new().with(inbox)?.ask(request, &Cancel::new())?;
    println!("{answers:?}");
    Ok(())
}

fn later(request: &ValidRequest) -> Result<()> {
    let place = Place::of_this_user().ok_or("no home folder")?;
    let inbox = InboxProvider::new(Client::new(Local::new(place, Role::Asker)));
    let id = inbox.post(request)?.id;
    // … remember the id, leave, come back, in another process if need be:
    match inbox.outcome(id, request, Duration::from_secs(60))? {
        None => println!("still pending"),
        Some(Outcome::Answered(answers)) => println!("{answers:?}"),
        Some(other) => println!("not answered: {}", other.state().as_str()),
    }
    Ok(())
}

fn recorded(request: &ValidRequest) -> Result<()> {
    let recorded = Recorded::from_json(
        r#"{"answers": [{"id": "targets", "selected": ["Docs"], "custom": "the blog"}]}"#,
    )?;
    let answers = Askwell::new().with(recorded)?.ask(request, &Cancel::new())?;
    println!("{answers:?}");
    Ok(())
}

fn scripted(request: &ValidRequest) -> Result<()> {
    let person = Arc::new(Scripted::new(|form| {
        form.choose("targets", "Docs").write("targets", "the blog");
        Act::Submit
    }));
    let answers = Askwell::new().with(person.clone())?.ask(request, &Cancel::new())?;
    println!("{answers:?}, after {} request", person.asked().len());
    Ok(())
}
