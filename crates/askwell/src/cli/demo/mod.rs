//! `askwell demo`: an agent asks, you answer in this terminal or in a browser, and see what it got.

mod agent;
mod enter;
mod play;
mod stage;

use std::net::IpAddr;

use askwell::messages::{Lang, Messages};
use clap::Args;

use super::ask::Language;
use crate::config::Config;
use crate::report::{Exit, Failure};
use crate::settings;
use play::Play;
use stage::Stage;

/// Try it: an agent asks you, here and in the browser, and you see what it gets
///
/// A scripted agent asks through the MCP tool that any agent would use: three questions, then a plan to decide on. Answer
/// in this terminal or in the browser; both show the same draft. It has a host of its own, on a folder that is removed at
/// the end: your inbox and your settings are left alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell demo
  askwell demo --phone       # also a code for the camera of a phone in the same network
  askwell demo --plain       # by plain lines, with nothing drawn")]
pub struct Arguments {
    /// Let a phone in: listen on this machine's network address, and show a code for its camera
    #[arg(long)]
    phone: bool,

    /// Print the link and open no browser
    #[arg(long)]
    print: bool,

    /// The language of the demo [default: by locale]
    #[arg(long, value_enum)]
    lang: Option<Language>,

    /// Answer by plain lines: no drawing, numbers and letters to type [also: ASKWELL_PLAIN=1]
    #[arg(long)]
    plain: bool,
}

/// Plays.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let config = Config::from_environment();
    let lang = arguments.lang.map_or(config.lang, Lang::from);
    let dialog = settings::dialog(arguments.plain, false)?;
    let bind = arguments.phone.then(own_address).transpose()?;
    let stage = Stage::open(bind)?;
    let opens = !arguments.print;
    Play { stage: &stage, messages: Messages::new(lang), dialog, opens }.run()
}

fn own_address() -> Result<IpAddr, Failure> {
    askwell_web::address_of_this_machine().ok_or_else(|| {
        Failure::new(Exit::Failure, "this machine has no address in a network")
            .hint("without a phone: askwell demo")
    })
}
