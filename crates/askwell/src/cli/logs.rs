//! `askwell logs`: what a host in the background has to say.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind};
use std::thread;
use std::time::Duration;

use clap::Args;

use crate::hosts;
use crate::report::{self, Exit, Failure};

/// Show the log of the host that runs in the background
///
/// One in the foreground (askwell serve) logs on its own terminal.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell logs --lines 100
  askwell logs --follow")]
pub struct Arguments {
    /// How many of the last lines
    #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = 50)]
    lines: usize,

    /// Go on with what is logged from now on
    #[arg(long, short = 'f')]
    follow: bool,
}

/// Shows.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let path = hosts::place()?.log();
    let failed = |error: io::Error| {
        Failure::new(Exit::Failure, format!("can't read {}: {error}", path.display()))
    };
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            report::note("no host has run in the background yet");
            return Ok(Exit::Success);
        }
        Err(error) => return Err(failed(error)),
    };
    let mut reader = BufReader::new(file);
    let mut last = VecDeque::new();
    while let Some(line) = next_line(&mut reader).map_err(failed)? {
        last.push_back(line);
        if last.len() > arguments.lines {
            last.pop_front();
        }
    }
    report::deliver_to_reader(&report::plain_lines(last.make_contiguous()))?;
    if !arguments.follow {
        return Ok(Exit::Success);
    }
    loop {
        match next_line(&mut reader).map_err(failed)? {
            Some(line) => report::deliver_to_reader(&report::plain_lines(&[line]))?,
            None => thread::sleep(Duration::from_millis(200)),
        }
    }
}

fn next_line(reader: &mut BufReader<File>) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = reader.read_until(b'\n', &mut line)?;
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    Ok((length > 0).then(|| String::from_utf8_lossy(line).into_owned()))
}
