//! A page of the documentation, as a test reads it: its blocks of code, its spans of code, its links
//! and its headings. A note for the test stands in a comment right before a block, where no reader
//! of the page sees it:
//!
//! - `not run: REASON`: the block is only looked at, for our own commands in it
//! - `prepare: COMMANDS`, `then: COMMANDS`: what is run before and after it, in the same shell
//! - `instead: COMMANDS`: what is run in its place; of a document, what prints it
//! - `person: TEXT → KEYS; …`: it runs in a terminal, where a person who sees the text presses the keys
//! - `file: PATH`: it is written there
//! - `exit: CODE`: how its last command ends

use std::fs;
use std::path::{Path, PathBuf};

const NOTES: [&str; 7] = ["not run", "prepare", "then", "instead", "person", "file", "exit"];

/// One page.
pub struct Page {
    /// Its path from the root of the repository.
    pub name: String,
    /// Its blocks of code, in order.
    pub blocks: Vec<Block>,
    /// Everything else, line by line, with their numbers.
    pub prose: Vec<(usize, String)>,
}

/// A block of code.
#[derive(Clone)]
pub struct Block {
    /// The line of its fence.
    pub line: usize,
    /// What the fence says of it.
    pub language: String,
    /// What it holds.
    pub text: String,
    /// Whether nothing stands between it and the block before it: then it is what that one prints.
    pub follows: bool,
    notes: Vec<(String, String)>,
}

impl Block {
    /// What a note says.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every page of the documentation and of the repository's root, by its path from there.
pub fn all() -> Vec<String> {
    let root = root();
    let mut found: Vec<String> = ["", "docs", "docs/agents", "docs/zh"]
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).into_iter().flatten())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    found
}

impl Page {
    /// Reads a page.
    #[track_caller]
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).unwrap();
        let mut page = Self { name: name.to_owned(), blocks: Vec::new(), prose: Vec::new() };
        let mut notes = Vec::new();
        let mut follows = false;
        let mut lines = text.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            let start = line.trim_start();
            if let Some(language) = start.strip_prefix("```") {
                let indent = line.len() - start.len();
                let inside = lines.by_ref().map(|(line, _)| line);
                let inside = inside.take_while(|line| line.trim() != "```");
                let text: String = inside.map(|line| format!("{}\n", cut(line, indent))).collect();
                let (language, notes) = (language.to_owned(), std::mem::take(&mut notes));
                page.blocks.push(Block { line: number, language, text, follows, notes });
                follows = true;
            } else if let Some(begin) = start.strip_prefix("<!--") {
                let mut comment = begin.to_owned();
                while !comment.contains("-->") {
                    let more = lines.next().map(|(line, _)| line);
                    comment = format!("{comment}\n{}", more.unwrap());
                }
                let comment = comment.split("-->").next().unwrap_or_default();
                let (name, value) = comment.split_once(':').unwrap_or((comment, ""));
                let name = name.trim();
                assert!(NOTES.contains(&name), "{}:{number}: no such note: {name}", page.name);
                notes.push((name.to_owned(), value.trim().to_owned()));
            } else if !start.is_empty() {
                assert!(notes.is_empty(), "{}:{number}: a note stands before no block", page.name);
                follows = false;
                page.prose.push((number, line.to_owned()));
            }
        }
        page
    }

    /// The code spans of the prose, with the line that each stands in.
    pub fn spans(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose.iter().flat_map(|(number, line)| {
            line.split('`').skip(1).step_by(2).map(|span| (*number, span))
        })
    }

    /// Where the links lead, with the line that each stands in.
    pub fn links(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose.iter().flat_map(|(number, line)| {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            targets.map(|target| (*number, target))
        })
    }

    /// The names by which a link finds a heading, as GitHub makes them.
    pub fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for (_, line) in &self.prose {
            let Some(heading) = line.strip_prefix('#') else { continue };
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = |character: &char| character.is_alphanumeric() || " -_".contains(*character);
            let anchor: String = heading.chars().filter(kept).collect::<String>().replace(' ', "-");
            let same = anchors.iter().filter(|other| **other == anchor).count();
            anchors.push(if same == 0 { anchor } else { format!("{anchor}-{same}") });
        }
        anchors
    }
}

fn cut(line: &str, indent: usize) -> &str {
    let blanks = line.len() - line.trim_start().len();
    &line[blanks.min(indent)..]
}
