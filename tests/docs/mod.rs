//! The documentation is so: every block of every page is run as a reader would run it, or read as what
//! it claims to be; every command that a page names exists, and every link leads somewhere. How a page
//! tells what a test has to know beside it is in [`page`].

mod commands;
mod documents;
mod page;
mod session;
mod translated;

use std::fs;

use askwell_testkit::TestEnvironment;
use commands::Commands;
use documents::Masked;
use page::{Block, Page, root};
use pretty_assertions::assert_eq;
use session::Session;

macro_rules! pages {
    ($($test:ident: $page:literal,)*) => {
        /// The pages of which every block is run; their translations have the same blocks.
        const RUN: &[&str] = &[$($page),*];

        $(#[test]
        fn $test() {
            every_block_is_so($page);
        })*
    };
}

pages! {
    architecture: "ARCHITECTURE.md",
    contributing: "CONTRIBUTING.md",
    readme: "README.md",
    accessibility: "docs/accessibility.md",
    agents: "docs/agents.md",
    agents_claude_code: "docs/agents/claude-code.md",
    agents_codex: "docs/agents/codex.md",
    agents_cursor: "docs/agents/cursor.md",
    agents_gemini: "docs/agents/gemini.md",
    agents_opencode: "docs/agents/opencode.md",
    agents_other: "docs/agents/other.md",
    agents_vscode: "docs/agents/vscode.md",
    command_line: "docs/command-line.md",
    concepts: "docs/concepts.md",
    http_api: "docs/http-api.md",
    library: "docs/library.md",
    mcp: "docs/mcp.md",
    notices: "docs/notices.md",
    operations: "docs/operations.md",
}

#[track_caller]
fn every_block_is_so(name: &str) {
    let session = Session::start();
    let page = Page::read(name);
    let mut printed = None;
    for block in &page.blocks {
        let before = printed.take().filter(|_| block.follows);
        printed = check(&session, block, before).unwrap_or_else(|fault| {
            panic!(
                "{name}:{}: {fault}

```{}
{}```",
                block.line, block.language, block.text
            )
        });
    }
}

/// Checks a block; gives back what it printed, where that is for the next one to tell.
fn check(
    session: &Session,
    block: &Block,
    before: Option<String>,
) -> Result<Option<String>, String> {
    if let Some(name) = block.note("file") {
        session.write(name, &block.text);
    }
    if let Some(commands) = block.note("prepare") {
        run(session, commands, None)?;
    }
    let shell = ["sh", "console", "tmux"].contains(&block.language.as_str());
    if shell {
        let faults = Commands::of(session.askwell()).faults(&block.text);
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
    }
    let printed = match (block.language.as_str(), before) {
        _ if block.note("not run").is_some_and(|reason| !reason.is_empty()) => None,
        ("sh", _) if block.text.starts_with("#!") => {
            let script = session.askwell().write("script", &block.text);
            run(session, &format!("sh -n {}", script.display()), None).map(|_| None)?
        }
        ("sh", _) => Some(run(session, block.note("instead").unwrap_or(&block.text), Some(block))?),
        ("console", _) => console(session, block).map(|()| None)?,
        ("json", _) if block.note("instead").is_some() => {
            let printed = run(session, block.note("instead").unwrap_or_default(), None)?;
            same_documents(&printed, &block.text).map(|()| None)?
        }
        ("json", Some(printed)) => same_documents(&printed, &block.text).map(|()| None)?,
        ("json", None) => {
            let documents = documents::parse(&block.text)?;
            let faults = documents.iter().filter_map(|it| documents::fault(session.askwell(), it));
            let faults: Vec<String> = faults.collect();
            if faults.is_empty() { None } else { return Err(faults.join("\n")) }
        }
        (_, Some(printed)) if block.text.contains("\nevent: ") => {
            documents::same_events(&printed, &block.text).map(|()| None)?
        }
        (_, Some(printed)) => same_text(&printed, &block.text).map(|()| None)?,
        ("toml", None) => {
            session.write("~/.config/askwell/config.toml", &block.text);
            run(session, "askwell config show && rm ~/.config/askwell/config.toml", None)
                .map(|_| None)?
        }
        ("rust", _) => stands_in_an_example(&block.text).map(|()| None)?,
        _ if block.note("file").is_some() => None,
        _ => return Err("nothing says what to do with it".to_owned()),
    };
    if let Some(commands) = block.note("then") {
        run(session, commands, None)?;
    }
    Ok(printed)
}

/// Runs commands; with a block, by its person and with its exit code.
fn run(session: &Session, commands: &str, block: Option<&Block>) -> Result<String, String> {
    let ran = match block.and_then(|block| block.note("person")) {
        Some(steps) => session.run_with_person(commands, steps),
        None => session.run(commands),
    };
    let expected = block.and_then(|block| block.note("exit")).unwrap_or("0");
    if ran.code.to_string() != expected {
        let (code, out, error) = (ran.code, ran.stdout, ran.stderr);
        return Err(format!("exit {code}, not {expected}, of: {commands}\n{out}\n{error}"));
    }
    Ok(ran.stdout)
}

/// Runs what stands behind a `$`; what stands below it is what it prints.
fn console(session: &Session, block: &Block) -> Result<(), String> {
    for command in format!("\n{}", block.text).split("\n$ ").skip(1) {
        let (command, expected) = command.split_once('\n').unwrap_or((command, ""));
        let printed = match block.note("person") {
            Some(steps) => session.run_with_person(command, steps).stderr,
            None => session.run(&format!("exec 2>&1\n{command}")).stdout,
        };
        // What follows in a terminal may be left out.
        let printed = match block.note("person") {
            Some(_) => printed.chars().take(expected.trim_end().chars().count()).collect(),
            None => printed,
        };
        same_text(&printed, expected)?;
    }
    Ok(())
}

fn same_documents(printed: &str, expected: &str) -> Result<(), String> {
    let (mut of_page, mut of_run) = (Masked::new(), Masked::new());
    let expected: Vec<_> = documents::parse(expected)?.iter().map(|it| of_page.value(it)).collect();
    let printed: Vec<_> = documents::parse(printed)
        .map_err(|error| format!("{error}: {printed}"))?
        .iter()
        .map(|it| of_run.value(it))
        .collect();
    same(&expected, &printed)
}

fn same_text(printed: &str, expected: &str) -> Result<(), String> {
    same(&Masked::new().text(expected.trim_end()), &Masked::new().text(printed.trim_end()))
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, printed: &T) -> Result<(), String> {
    match expected == printed {
        true => Ok(()),
        false => {
            Err(format!("the page has\n{expected:#?}\n, but what is printed is\n{printed:#?}"))
        }
    }
}

/// Code of a page is compiled where it stands: line by line in one of the examples.
fn stands_in_an_example(code: &str) -> Result<(), String> {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    let wanted = lines(code);
    let examples = fs::read_dir(root().join("examples")).unwrap();
    let found = examples
        .filter_map(|entry| fs::read_to_string(entry.unwrap().path()).ok())
        .any(|example| lines(&example).windows(wanted.len()).any(|part| part == wanted));
    found.then_some(()).ok_or_else(|| "it stands in none of the examples".to_owned())
}

#[test]
fn every_page_is_run_or_translated_or_has_no_blocks() {
    let pages = page::all().into_iter().filter(|name| !Page::read(name).blocks.is_empty());
    let unknown: Vec<String> = pages
        .filter(|name| !RUN.contains(&name.as_str()) && translated::original(name).is_none())
        .collect();
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn every_command_that_a_page_names_exists() {
    let askwell = TestEnvironment::new(env!("CARGO_BIN_EXE_askwell"));
    let mut commands = Commands::of(&askwell);
    let mut faults = Vec::new();
    for name in page::all() {
        for (line, span) in Page::read(&name).spans() {
            let found = commands.faults(span).into_iter();
            faults.extend(found.map(|fault| format!("{name}:{line}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_command_that_a_help_text_names_exists() {
    let askwell = TestEnvironment::new(env!("CARGO_BIN_EXE_askwell"));
    let mut commands = Commands::of(&askwell);
    let texts = commands.help_texts();
    assert!(texts.len() > 30, "too few commands: {}", texts.len());
    let mut faults = Vec::new();
    for (name, text) in texts {
        let examples = text.lines().filter(|line| line.starts_with("  askwell "));
        for fault in examples.flat_map(|line| commands.faults(line)) {
            faults.push(format!("askwell {name} --help: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for name in page::all() {
        let page = Page::read(&name);
        for (line, target) in page.links() {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => root().join(&name),
                _ => root().join(&name).parent().unwrap().join(file),
            };
            let there = path.exists()
                && (anchor.is_empty() || {
                    let path = path.canonicalize().unwrap();
                    let path = path.strip_prefix(root()).unwrap().to_str().unwrap();
                    Page::read(path).anchors().iter().any(|it| it == anchor)
                });
            if !there {
                broken.push(format!("{name}:{line}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
