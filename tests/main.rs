//! The one integration binary: the real program, a folder a surface.

#![allow(clippy::unwrap_used, reason = "a broken fixture must stop the test where it broke")]

mod agent;
mod browser;
mod cli;
mod crash;
mod docs;
mod hook;
mod host;
mod interop;
mod mcp;
mod terminal;
use std::fs;
use std::path::{Path, PathBuf};

/// A message that nothing shows is a sentence that translators keep for nothing.
#[test]
fn every_message_is_shown_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let catalogue = fs::read_to_string(root.join("crates/core/messages/en.ftl")).unwrap();
    let ids = catalogue.lines().filter_map(|line| line.split_once(" = ")).map(|(id, _)| id);
    let sources: String = ["agents", "askwell", "core", "mcp", "notice", "tui", "web"]
        .iter()
        .flat_map(|name| rust_files(&root.join("crates").join(name).join("src")))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let unused: Vec<&str> = ids
        .filter(|id| id.chars().all(|it| it.is_ascii_lowercase() || it == '-'))
        .filter(|id| !sources.contains(&format!("\"{id}\"")))
        .collect();
    assert_eq!(unused, [""; 0]);
    let shown = ["messages.get(\"", "texts.get(\"", ".with(\""]
        .into_iter()
        .flat_map(|call| sources.split(call).skip(1).filter_map(|rest| rest.split('"').next()));
    let unknown: Vec<&str> =
        shown.filter(|id| id.contains('-') && !catalogue.contains(&format!("\n{id} = "))).collect();
    assert_eq!(unknown, [""; 0]);
}

/// A forgotten file would be tests that never run.
#[test]
fn every_test_file_is_a_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let files = rust_files(&root);

    let forgotten: Vec<_> = files
        .iter()
        .filter(|file| **file != root.join("main.rs"))
        .filter(|file| {
            let declaration = format!("mod {};", module_name(file));
            let parent = fs::read_to_string(parent_of(file, &root)).unwrap_or_default();
            !parent.lines().any(|line| line.trim_start_matches("pub ") == declaration)
        })
        .collect();

    assert!(forgotten.is_empty(), "not declared in the file above them: {forgotten:#?}");
    assert!(files.len() > 5, "looked in the wrong folder: {files:#?}");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => rust_files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The name under which a file must be declared: its own, or its folder's for `mod.rs`.
fn module_name(file: &Path) -> String {
    let named = match file.ends_with("mod.rs") {
        true => file.parent().unwrap(),
        false => file,
    };
    named.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The file that must declare it.
fn parent_of(file: &Path, root: &Path) -> PathBuf {
    let folder = file.parent().unwrap();
    let folder = if file.ends_with("mod.rs") { folder.parent().unwrap() } else { folder };
    let name = if folder == root { "main.rs" } else { "mod.rs" };
    folder.join(name)
}
