//! `askwell connect`: writes an agent's configuration so that its questions come here.
//!
//! What is written is `askwell_agents::connect`'s; here is how: shown first, asked for, written whole, and
//! remembered so that it can be undone. Invariant: nothing is written that was not shown, unless somebody
//! said yes beforehand.

mod file;
mod program;
mod undo;

use std::io::{IsTerminal as _, stdin};
use std::path::PathBuf;

use askwell::text::sanitize_line;
use askwell_agents::connect::{self, Agent, Found, Places, Scope, Target, Wish};
use clap::{Args, ValueEnum};

use self::file::Edit;
pub use self::program::find;
use self::undo::Undo;
use super::hook::When;
use crate::hosts;
use crate::report::{self, Exit, Failure};

/// Have an agent's questions come to askwell: writes its configuration
///
/// Shows what would change and asks before it writes. Everything else in the files stays as it is. Done
/// twice it changes nothing; --remove takes it out again, and gives back the very files where nobody has
/// changed them since. It also forbids the agent to answer in your place, where it has such rules.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  askwell connect claude-code            # a hook: its own questions, in the inbox while you look at it
  askwell connect claude-code --mcp      # our tool in the place of its own
  askwell connect codex --yes
  askwell connect vscode --project       # .vscode/mcp.json of this folder
  askwell connect gemini --print         # to paste it yourself
  askwell connect claude-code --remove

Exit codes:
  0   written, or nothing to change
  1   a file can't be read or written, or was left alone because you said no
  2   bad usage, or a file that is not understood: nothing was written")]
pub struct Arguments {
    /// The agent
    #[arg(value_enum)]
    agent: Name,

    /// Claude Code: our MCP tool in the place of its own questions, not the hook
    #[arg(long)]
    mcp: bool,

    /// Claude Code: when its questions go to the inbox
    #[arg(long, value_enum, default_value_t = When::Watched, conflicts_with = "mcp")]
    when: When,

    /// Claude Code: answer the forms of other MCP servers in the inbox too
    #[arg(long)]
    forms: bool,

    /// For the project in this folder, not for everything that you do
    #[arg(long)]
    project: bool,

    /// Only show what belongs into which file
    #[arg(long, conflicts_with_all = ["yes", "remove"])]
    print: bool,

    /// Write without asking
    #[arg(long)]
    yes: bool,

    /// Take it out again
    #[arg(long, conflicts_with_all = ["mcp", "forms"])]
    remove: bool,
}

/// An agent on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Claude Code, by Anthropic
    ClaudeCode,
    /// Codex, by OpenAI
    Codex,
    /// Gemini CLI, by Google
    Gemini,
    /// opencode
    Opencode,
    /// Chat in Visual Studio Code
    Vscode,
    /// Cursor
    Cursor,
}

impl From<Name> for Agent {
    fn from(name: Name) -> Self {
        match name {
            Name::ClaudeCode => Self::ClaudeCode,
            Name::Codex => Self::Codex,
            Name::Gemini => Self::Gemini,
            Name::Opencode => Self::Opencode,
            Name::Vscode => Self::Vscode,
            Name::Cursor => Self::Cursor,
        }
    }
}

/// Connects, shows or disconnects.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let agent = Agent::from(arguments.agent);
    let claude_only = arguments.mcp || arguments.forms || arguments.when != When::Watched;
    if claude_only && agent != Agent::ClaudeCode {
        return Err(Failure::usage(format!(
            "--mcp, --when and --forms are for claude-code; {} has its MCP tool anyway",
            agent.as_str()
        )));
    }
    let scope = if arguments.project { Scope::Project } else { Scope::User };
    let places = places(scope)?;
    let wish = Wish {
        program: program::named(agent, scope)?,
        state: hosts::place()?.folder().to_owned(),
        mcp: arguments.mcp,
        always: arguments.when == When::Always,
        forms: arguments.forms,
        passed_on: connect::passed_on(&places.home, |name| std::env::var_os(name)),
    };
    if arguments.print {
        return print(&agent.targets(&wish, scope, &places));
    }
    let undo = Undo::of_this_user()?;
    let mut edits = Vec::new();
    let mut others = agent.all_targets(&wish, scope, &places);
    if !arguments.remove {
        let targets = agent.targets(&wish, scope, &places);
        // What another kind of connection has left in a file of its own goes.
        others.retain(|other| targets.iter().all(|target| target.path != other.path));
        edits.extend(additions(agent, &targets)?);
    }
    edits.extend(removals(&others, &undo)?);
    edits.retain(Edit::changes);
    if edits.is_empty() {
        report::note(&format!("nothing to change: {}", settled(agent, arguments.remove)));
        return Ok(Exit::Success);
    }
    edits.iter().try_for_each(Edit::check)?;
    let shown: Vec<String> = edits.iter().flat_map(Edit::diff).collect();
    report::deliver_to_reader(&report::plain_lines(&shown))?;
    if !arguments.yes && !confirmed()? {
        report::note("nothing was written");
        return Ok(Exit::Failure);
    }
    write(&edits, &undo)?;
    tell_done(agent, arguments);
    Ok(Exit::Success)
}

/// Writes all of them or none.
fn write(edits: &[Edit], undo: &Undo) -> Result<(), Failure> {
    for (done, edit) in edits.iter().enumerate() {
        let kept = if edit.is_removal { Ok(()) } else { undo.keep(edit) };
        if let Err(failure) = kept.and_then(|()| edit.write()) {
            return Err(take_back(&edits[..done], failure));
        }
    }
    // A folder that was made for several is empty after the first of them.
    let mut removed = edits.iter().rev().filter(|edit| edit.is_removal);
    removed.try_for_each(|edit| undo.forget(&edit.path))
}

/// The failure, after which everything is as it was, or what is not.
fn take_back(written: &[Edit], failure: Failure) -> Failure {
    let still = written.iter().rev().filter(|edit| edit.taken_back().write().is_err());
    still.fold(failure, |failure, edit| {
        failure.hint(format!("{} was changed before that, and still is", edit.path.display()))
    })
}

fn settled(agent: Agent, removed: bool) -> String {
    match removed {
        true => format!("{} is not connected", agent.name()),
        false => format!("{} is connected so already", agent.name()),
    }
}

fn tell_done(agent: Agent, arguments: &Arguments) {
    let (name, word) = (agent.name(), agent.as_str());
    if arguments.remove {
        report::note(&format!("{name} is disconnected; restart it where it runs"));
        return;
    }
    let project = if arguments.project { " --project" } else { "" };
    report::note(&format!(
        "{name} is connected; restart it where it runs. Undo it with: askwell connect {word}{project} \
         --remove"
    ));
    if agent == Agent::ClaudeCode && !arguments.mcp && arguments.when == When::Watched {
        report::note(
            "its questions come to the inbox while a page or an inbox is open (askwell open, askwell \
             inbox), or after: askwell elsewhere on",
        );
    }
    if !agent.has_rules() {
        report::note(&format!(
            "{name} has no rules that forbid it to run askwell answer: do not let it run commands unasked"
        ));
    }
}

/// What there is to be changed, all of it before anything is written.
fn additions(agent: Agent, targets: &[Target]) -> Result<Vec<Edit>, Failure> {
    let edits = targets.iter().map(|target| {
        let path = target.path.clone();
        let before = file::read(&path)?;
        let after = target.with(before.as_deref()).map_err(|refused| {
            let print = format!("askwell connect {} --print", agent.as_str());
            Failure::usage(format!("{} is left as it is: {refused}", path.display()))
                .hint(format!("see what belongs into it: {print}"))
        })?;
        Ok(Edit { path, before, after: Some(after), is_removal: false })
    });
    edits.collect()
}

/// The files as they were, where nobody has changed them since; else without what is ours.
fn removals(targets: &[Target], undo: &Undo) -> Result<Vec<Edit>, Failure> {
    let mut edits = Vec::new();
    for target in targets {
        let path = target.path.clone();
        let Some(before) = file::read(&path)? else { continue };
        let after = match undo.before(&path, &before) {
            Some(known) => known,
            None => target.without(&before).map_err(|refused| {
                Failure::usage(format!("{} is left as it is: {refused}", path.display()))
            })?,
        };
        edits.push(Edit { path, before: Some(before), after, is_removal: true });
    }
    Ok(edits)
}

fn print(targets: &[Target]) -> Result<Exit, Failure> {
    let mut lines = Vec::new();
    for target in targets {
        let text = target.with(None).map_err(|error| Failure::usage(error.to_string()))?;
        lines.push(format!("# {}", target.path.display()));
        lines.extend(text.lines().map(str::to_owned));
        lines.push(String::new());
    }
    lines.pop();
    report::deliver_to_reader(&report::plain_lines(&lines))?;
    Ok(Exit::Success)
}

fn confirmed() -> Result<bool, Failure> {
    if !stdin().is_terminal() {
        return Err(Failure::usage("there is no terminal to ask at whether this is to be written")
            .hint("give --yes to write it, or --print to see what belongs into which file"));
    }
    report::question("write this? (y/N)");
    let mut line = String::new();
    let read = stdin().read_line(&mut line);
    read.map_err(|error| Failure::new(Exit::Failure, format!("can't read your answer: {error}")))?;
    Ok(matches!(sanitize_line(line.trim()).to_lowercase().as_str(), "y" | "yes"))
}

fn places(scope: Scope) -> Result<Places, Failure> {
    let home = std::env::home_dir().filter(|path| path.is_absolute());
    let home = home.ok_or_else(|| Failure::new(Exit::Failure, "HOME names no folder"))?;
    let set =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let project = std::env::current_dir().map_err(|error| {
        Failure::new(Exit::Failure, format!("this folder can't be found: {error}"))
    })?;
    let mut places = Places {
        opencode_comments: false,
        config: set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")),
        claude: set("CLAUDE_CONFIG_DIR"),
        codex: set("CODEX_HOME"),
        is_mac: cfg!(target_os = "macos"),
        project,
        home,
    };
    let commented = places.folder(Agent::Opencode, scope).join("opencode.jsonc");
    places.opencode_comments = commented.is_file();
    Ok(places)
}

/// What is found of the connections of an agent, or why its files can't be read.
type Connections = Result<Vec<Found>, String>;

/// What is found of a connection of this user, for each agent that is here.
pub fn connections() -> Result<Vec<(Agent, Connections)>, Failure> {
    let places = places(Scope::User)?;
    let wish = Wish {
        program: String::new(),
        state: hosts::place()?.folder().to_owned(),
        mcp: false,
        always: false,
        forms: false,
        passed_on: Vec::new(),
    };
    let here = Agent::ALL.into_iter().filter(|agent| places.folder(*agent, Scope::User).is_dir());
    let found = here.map(|agent| {
        let files = agent.all_targets(&wish, Scope::User, &places).into_iter();
        let found = files.filter(Target::tells).map(|target| {
            let path = target.path.display().to_string();
            let text = file::read(&target.path).map_err(|failure| failure.message)?;
            let text = text.unwrap_or_default();
            agent.found(&text).map_err(|refused| format!("{path}: {refused}"))
        });
        let all = found.collect::<Result<Vec<_>, String>>();
        (agent, all.map(|all| all.into_iter().flatten().collect()))
    });
    Ok(found.collect())
}
