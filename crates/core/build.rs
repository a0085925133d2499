//! Finds the messages of the catalogues that are one line of text and plain values, so that a
//! program that shows a few of them at its start parses none. `src/messages/lines.rs` includes the
//! tables that come out.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    for lang in ["en", "zh"] {
        let path = format!("messages/{lang}.ftl");
        println!("cargo:rerun-if-changed={path}");
        let source = fs::read_to_string(&path)?;
        let mut lines = plain_lines(&source);
        lines.sort_unstable_by(|a, b| a.id.cmp(b.id));
        let rows: Vec<_> = lines.iter().map(|line| line.row()).collect();
        fs::write(Path::new(&out).join(format!("{lang}.rs")), format!("&[{}]", rows.join(",")))?;
    }
    Ok(())
}

/// A message of one line, and where its id and its text begin in the catalogue.
struct Line<'a> {
    id: &'a str,
    id_at: usize,
    text: &'a str,
    text_at: usize,
}

impl Line<'_> {
    fn row(&self) -> String {
        format!("[{},{},{},{}]", self.id_at, self.id.len(), self.text_at, self.text.len())
    }
}

fn plain_lines(source: &str) -> Vec<Line<'_>> {
    let offset = |part: &str| part.as_ptr() as usize - source.as_ptr() as usize;
    let mut lines = source.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let goes_on = lines.peek().is_some_and(|next| next.starts_with([' ', '}']));
        if let Some((id, text)) = line.split_once(" = ")
            && id.starts_with(|first: char| first.is_ascii_alphabetic())
            && !goes_on
            && has_only_values(text)
        {
            let text = text.trim();
            found.push(Line { id, id_at: offset(id), text, text_at: offset(text) });
        }
    }
    found
}

/// Whether each placeable is `{ $name }`.
fn has_only_values(text: &str) -> bool {
    text.split('{').skip(1).all(|rest| {
        let value = rest.strip_prefix(" $").and_then(|rest| rest.split_once(" }"));
        value.is_some_and(|(name, _)| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
    })
}
