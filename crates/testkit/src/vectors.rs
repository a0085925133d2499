//! The language-neutral cases: the project's own copy in `tests/vectors`, and a further folder of
//! the same form when `ASKWELL_VECTORS` names one. Only reads; what a case means is the caller's.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What a case is about, told by its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A request's questions and an answer to them (`answer`).
    Answer,
    /// Operations on an empty draft (`operations`).
    Draft,
    /// A request (`request`).
    Request,
}

/// One case.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The file it was read from.
    pub file: PathBuf,
    /// Its id, unique in its file.
    pub id: String,
    /// The whole case: `why`, the input and `expect`.
    pub value: Value,
}

impl Case {
    /// Where it stands, for a failure message: file, id and the reason for the case.
    pub fn place(&self) -> String {
        let file = self.file.file_name().unwrap_or_default().to_string_lossy();
        format!("{file} {}: {}", self.id, self.value["why"].as_str().unwrap_or_default())
    }
}

/// Every case of `kind`, the project's own first.
///
/// # Panics
/// When a folder holds no case file, a file is not of the form, or no case of `kind` is found: a
/// test over no cases would pass for nothing.
#[track_caller]
pub fn cases(kind: Kind) -> Vec<Case> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut folders = vec![workspace.join("tests/vectors")];
    if let Some(further) = std::env::var_os("ASKWELL_VECTORS").filter(|name| !name.is_empty()) {
        folders.push(workspace.join(further));
    }
    let all = folders.iter().flat_map(|folder| read_folder(folder));
    let found: Vec<Case> = all.filter(|(of, _)| *of == kind).map(|(_, case)| case).collect();
    assert!(!found.is_empty(), "no {kind:?} case in {folders:?}");
    found
}

fn read_folder(folder: &Path) -> Vec<(Kind, Case)> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no case file in {}", folder.display());
    files.iter().flat_map(|file| read_file(file)).collect()
}

fn read_file(file: &Path) -> Vec<(Kind, Case)> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let document: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let cases = document["cases"].as_array();
    let cases = cases.unwrap_or_else(|| panic!("{}: no `cases`", file.display()));
    assert!(!cases.is_empty(), "{}: no case", file.display());
    cases.iter().map(|value| read_case(file, value)).collect()
}

fn read_case(file: &Path, value: &Value) -> (Kind, Case) {
    let id =
        value["id"].as_str().unwrap_or_else(|| panic!("{}: a case without id", file.display()));
    let kind = if value.get("operations").is_some() {
        Kind::Draft
    } else if value.get("answer").is_some() {
        Kind::Answer
    } else if value.get("request").is_some() {
        Kind::Request
    } else {
        panic!("{}: case {id} is of no known kind", file.display())
    };
    (kind, Case { file: file.to_owned(), id: id.to_owned(), value: value.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_cases() {
        for (kind, first) in
            [(Kind::Answer, "A001"), (Kind::Draft, "D001"), (Kind::Request, "R001")]
        {
            let cases = cases(kind);

            assert_eq!(cases[0].id, first);
            assert!(cases[0].place().contains(first));
            assert!(cases.iter().all(|case| case.value.get("expect").is_some()));
        }
    }
}
