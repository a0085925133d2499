//! The assets of the pages, made ready to be sent: each file of `assets/` gets a name with the hash
//! of its content and is compressed. A folder there is one file: `style` is a style sheet, of its
//! parts in the order of their names; `page` is a script, of modules that import each other, each
//! after those that it imports. What comes out is a table that `src/pages/assets.rs` includes.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// What is served, by its extension.
const TYPES: [(&str, &str); 3] = [
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=assets");
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("assets");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut table = String::from("&[\n");
    for (name, content) in read(&folder)? {
        write_entry(&mut table, &out, &name, &content)?;
    }
    table.push_str("]\n");
    fs::write(out.join("assets.rs"), table)?;
    Ok(())
}

/// The files that are served, by name.
fn read(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for path in entries(folder)? {
        if path.is_dir() {
            let (extension, content) = joined(&path)?;
            files.insert(format!("{}.{extension}", name(&path)), content);
        } else {
            println!("cargo::rerun-if-changed={}", path.display());
            files.insert(name(&path).to_owned(), fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

/// What a folder is one file of, with the extension of that file.
fn joined(folder: &Path) -> Result<(&'static str, String)> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut parts = BTreeMap::new();
    for path in entries(folder)? {
        println!("cargo::rerun-if-changed={}", path.display());
        parts.insert(name(&path).to_owned(), fs::read_to_string(&path)?);
    }
    let is_script = parts.keys().all(|name| extension(name) == "js");
    match is_script {
        true => Ok(("js", lighter(&script(parts)?))),
        false => Ok(("css", lighter(&parts.into_values().collect::<String>()))),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    Ok(entries.collect::<std::io::Result<_>>()?)
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The modules as one script: a browser asks once, and not six times. They share one scope, so no
/// two may give a name twice.
fn script(mut modules: BTreeMap<String, String>) -> Result<String> {
    let mut whole = String::new();
    let mut names = BTreeSet::new();
    while !modules.is_empty() {
        let imports_nothing_open = |(_, content): &(&String, &String)| {
            !modules.keys().any(|other| content.contains(&format!("from \"./{other}\"")))
        };
        let next = modules.iter().find(imports_nothing_open).map(|(name, _)| name.clone());
        let next = next.ok_or_else(|| format!("these import each other: {:?}", modules.keys()))?;
        let (name, content) = modules.remove_entry(&next).unwrap_or_default();
        for line in own_lines(&content).map_err(|line| format!("{name}: can't join: {line}"))? {
            if let Some(given) = given(line)
                && !names.insert(given.to_owned())
            {
                return Err(format!("{name}: another module has the name {given} too").into());
            }
            whole.push_str(line);
            whole.push('\n');
        }
    }
    Ok(whole)
}

/// The lines of a module without its imports and without the word that exports. The line, where it is
/// more than that.
fn own_lines(content: &str) -> std::result::Result<Vec<&str>, &str> {
    let mut own = Vec::new();
    let mut lines = content.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut last = line;
            while !last.ends_with(';') {
                last = lines.next().unwrap_or(";");
                if last.contains(" as ") {
                    return Err(last);
                }
            }
            if line.contains(" as ") || !last.contains("from \"./") {
                return Err(line);
            }
            continue;
        }
        let exported = line.strip_prefix("export ");
        if exported.is_some_and(|it| it.starts_with(['{', '*']) || it.starts_with("default")) {
            return Err(line);
        }
        own.push(exported.unwrap_or(line));
    }
    Ok(own)
}

/// The name that a line gives to something of the whole module.
fn given(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let kinds = ["function ", "class ", "const ", "let "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|it: char| !it.is_alphanumeric() && it != '_' && it != '$').next()
}

/// A script or style without what only its readers need: indentation, and comments on lines of their own.
/// Where a text over several lines stood in one, this would be wrong: none does.
fn lighter(content: &str) -> String {
    let mut light = String::with_capacity(content.len());
    let mut in_comment = false;
    for line in content.lines().map(str::trim) {
        let opens = line.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/"));
        if !in_comment && !opens && !line.starts_with("//") && !line.is_empty() {
            light.push_str(line);
            light.push('\n');
        }
        in_comment = (in_comment || opens) && !line.ends_with("*/");
    }
    light
}

fn write_entry(table: &mut String, out: &Path, name: &str, content: &str) -> Result<()> {
    let (stem, extension) = name.rsplit_once('.').ok_or("a file without an extension")?;
    let media_type = TYPES.iter().find(|(own, _)| *own == extension);
    let media_type = media_type.ok_or_else(|| format!("{name}: of no known type"))?.1;
    let content = content.as_bytes();
    let mut hashed = format!("{stem}.");
    for byte in &Sha256::digest(content)[..8] {
        write!(hashed, "{byte:02x}")?;
    }
    write!(hashed, ".{extension}")?;
    write!(table, "    Asset {{ name: {name:?}, hashed: {hashed:?}, media_type: {media_type:?}")?;
    let forms =
        [("plain", content.to_vec()), ("brotli", brotli(content)?), ("gzip", gzip(content)?)];
    for (form, bytes) in forms {
        // What is compressed already only grows.
        let of_use = form == "plain" || bytes.len() < content.len();
        let file = out.join(format!("{name}.{form}"));
        fs::write(&file, if of_use { bytes } else { Vec::new() })?;
        write!(table, ", {form}: include_bytes!({:?})", file.display().to_string())?;
    }
    table.push_str(" },\n");
    Ok(())
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &params)?;
    Ok(compressed)
}

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}
