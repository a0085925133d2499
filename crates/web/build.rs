//! The assets of the pages, made ready to be sent: each file of `assets/` gets a name with the hash
//! of its content, names the others by theirs, and is compressed. A folder there is one style sheet,
//! of its parts in the order of their names. What comes out is a table that `src/pages/assets.rs`
//! includes.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// What is served, by its extension.
const TYPES: [(&str, &str); 7] = [
    ("css", "text/css; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
];

/// Files of these types name others.
const REWRITTEN: [&str; 3] = ["css", "js", "webmanifest"];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=assets");
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("assets");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut waiting = read(&folder)?;
    let mut table = String::from("&[\n");
    let mut ready: BTreeMap<String, String> = BTreeMap::new();
    // Whatever names others comes after them, since its hash covers their names. Those that name
    // each other share one hash.
    while !waiting.is_empty() {
        let next = waiting.iter().find(|(name, content)| {
            let mut others = waiting.keys().filter(|other| other != name);
            !is_rewritten(name) || !others.any(|other| names(content, other))
        });
        let group = match next.map(|(name, _)| name.clone()) {
            Some(name) => waiting.remove_entry(&name).into_iter().collect(),
            None => std::mem::take(&mut waiting),
        };
        for asset in rewritten(group, &mut ready)? {
            write_entry(&mut table, &out, &asset)?;
        }
    }
    table.push_str("]\n");
    fs::write(out.join("assets.rs"), table)?;
    Ok(())
}

/// The files of the folder that are served, by name.
fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            files.insert(format!("{name}.css"), joined(&path)?);
            continue;
        }
        let is_declaration = name.ends_with(".d.ts");
        if !is_declaration && media_type(&name).is_some() {
            println!("cargo::rerun-if-changed={}", path.display());
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(files)
}

/// The style sheet whose parts are in this folder.
fn joined(folder: &Path) -> Result<Vec<u8>> {
    let parts = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut parts: Vec<PathBuf> = parts.collect::<std::io::Result<_>>()?;
    parts.retain(|path| path.extension().is_some_and(|extension| extension == "css"));
    parts.sort();
    let mut whole = Vec::new();
    for part in parts {
        println!("cargo::rerun-if-changed={}", part.display());
        whole.extend(fs::read(&part)?);
        whole.push(b'\n');
    }
    Ok(whole)
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn media_type(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(own, _)| *own == extension(name)).map(|(_, media_type)| *media_type)
}

fn is_rewritten(name: &str) -> bool {
    REWRITTEN.contains(&extension(name))
}

/// How another file is named: relative, in quotes or in `url()`.
fn mentions(name: &str) -> [(String, [&'static str; 2]); 3] {
    let name = format!("./{name}");
    [(name.clone(), ["\"", "\""]), (name.clone(), ["'", "'"]), (name, ["(", ")"])]
}

fn names(content: &[u8], other: &str) -> bool {
    let Ok(content) = std::str::from_utf8(content) else { return false };
    mentions(other)
        .iter()
        .any(|(name, [open, close])| content.contains(&format!("{open}{name}{close}")))
}

/// An asset as it is served.
struct Ready {
    name: String,
    hashed: String,
    content: Vec<u8>,
}

/// Gives these files their names and lets them name others by theirs. `ready` holds the names that
/// are known, and gets these.
fn rewritten(
    group: BTreeMap<String, Vec<u8>>,
    ready: &mut BTreeMap<String, String>,
) -> Result<Vec<Ready>> {
    let mut files = Vec::new();
    let mut digest = Sha256::new();
    for (name, content) in group {
        let content = match is_rewritten(&name) {
            true => renamed(lighter(&name, String::from_utf8(content)?), ready).into_bytes(),
            false => content,
        };
        digest.update(&content);
        files.push((name, content));
    }
    let mut hash = String::new();
    for byte in &digest.finalize()[..8] {
        write!(hash, "{byte:02x}")?;
    }
    for (name, _) in &files {
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        ready.insert(name.clone(), format!("{stem}.{hash}.{}", extension(name)));
    }
    let several = files.len() > 1;
    let files = files.into_iter().map(|(name, mut content)| {
        if several && is_rewritten(&name) {
            content = renamed(String::from_utf8(content)?, ready).into_bytes();
        }
        Ok(Ready { hashed: ready[&name].clone(), name, content })
    });
    files.collect()
}

/// A script without what only its readers need: indentation, and comments on lines of their own.
/// Where a text over several lines stood in one, this would be wrong: none does.
fn lighter(name: &str, content: String) -> String {
    if extension(name) != "js" {
        return content;
    }
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

fn renamed(mut content: String, ready: &BTreeMap<String, String>) -> String {
    for (name, hashed) in ready {
        for (name, [open, close]) in mentions(name) {
            let named = format!("{open}./{hashed}{close}");
            content = content.replace(&format!("{open}{name}{close}"), &named);
        }
    }
    content
}

fn write_entry(table: &mut String, out: &Path, asset: &Ready) -> Result<()> {
    let Ready { name, hashed, content } = asset;
    let media_type = media_type(name).unwrap_or_default();
    write!(table, "    Asset {{ name: {name:?}, hashed: {hashed:?}, media_type: {media_type:?}")?;
    let forms =
        [("plain", content.clone()), ("brotli", brotli(content)?), ("gzip", gzip(content)?)];
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
