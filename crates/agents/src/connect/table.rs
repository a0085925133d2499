//! Changes of a TOML file: one table, `[mcp_servers.askwell]`; everything else stays as it is.

use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::{Found, PATIENCE, PATIENT_ARGUMENTS, Refused, SERVER, passed};

const SERVERS: &str = "mcp_servers";

/// The server that is run.
#[derive(Debug, Clone)]
pub(super) struct Server {
    pub(super) program: String,
}

fn parse(text: &str) -> Result<DocumentMut, Refused> {
    text.parse::<DocumentMut>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = error.message().lines().next().unwrap_or_default().to_owned();
        Refused::because(format!("it is not valid TOML: {message} on line {line} column {column}"))
    })
}

/// The text with the server in it.
pub(super) fn with(text: &str, server: &Server) -> Result<String, Refused> {
    let mut document = parse(text)?;
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers
        .as_table_like_mut()
        .ok_or_else(|| Refused::because(format!("{SERVERS} is no table")))?;
    let own = servers.entry(SERVER).or_insert_with(|| Item::Table(Table::new()));
    let own = own
        .as_table_like_mut()
        .ok_or_else(|| Refused::because(format!("{SERVERS}.{SERVER} is no table")))?;
    let arguments: Array = PATIENT_ARGUMENTS.into_iter().collect();
    let patience = i64::try_from(PATIENCE).unwrap_or(i64::MAX);
    let wished: [(&str, Value); 3] = [
        ("command", server.program.as_str().into()),
        ("args", arguments.into()),
        ("tool_timeout_sec", patience.into()),
    ];
    for (name, wished) in wished {
        let there = own.get(name).and_then(Item::as_value);
        let same = there.is_some_and(|there| there.to_string().trim() == wished.to_string().trim());
        if !same {
            own.insert(name, value(wished));
        }
    }
    let passed = own.entry("env_vars").or_insert_with(|| value(Array::new()));
    // Another form than a list is a person's own business.
    if let Some(passed) = passed.as_array_mut() {
        let is_there = |passed: &Array, name| passed.iter().any(|it| it.as_str() == Some(name));
        for name in passed::NAMES {
            if !is_there(passed, name) {
                passed.push(name);
            }
        }
    }
    Ok(document.to_string())
}

/// The text without the server.
pub(super) fn without(text: &str) -> Result<String, Refused> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(SERVERS) else { return Ok(text.to_owned()) };
    let is_shared = servers.as_table().is_some_and(|servers| !servers.is_implicit());
    let Some(servers) = servers.as_table_like_mut() else { return Ok(text.to_owned()) };
    if servers.remove(SERVER).is_none() {
        return Ok(text.to_owned());
    }
    if servers.is_empty() && !is_shared {
        document.remove(SERVERS);
    }
    Ok(document.to_string())
}

/// The server that a file has.
pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    let document = parse(text)?;
    let own = document.get(SERVERS).and_then(|servers| servers.get(SERVER));
    let Some(own) = own else { return Ok(Vec::new()) };
    let program = own.get("command").and_then(Item::as_str).unwrap_or_default().to_owned();
    let time = own.get("tool_timeout_sec").and_then(Item::as_integer);
    let fault = match time {
        Some(time) if time >= 600 => None,
        _ => Some("its time limit was not raised".to_owned()),
    };
    Ok(vec![Found { program, fault }])
}
