//! Cursor: our MCP server in `mcp.json`. Its editor has no rules that forbid a command.

use serde_json::json;

use super::json::Change;
use super::{ARGUMENTS, Agent, Found, Places, Refused, SERVER, Scope, Target, Wish, json, passed};

pub(super) fn targets(wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
    let mut server = json!({ "command": wish.program, "args": ARGUMENTS });
    if let Some(names) = passed::by_name(wish, scope, |name| format!("${{env:{name}}}")) {
        server["env"] = names;
    }
    let servers = Change::Member { path: vec!["mcpServers", SERVER], value: server };
    vec![Target::json(places.folder(Agent::Cursor, scope).join("mcp.json"), vec![servers])]
}

pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    let program = json::read(text)?["mcpServers"][SERVER]["command"].as_str().map(str::to_owned);
    Ok(program.map(|program| Found { program, fault: None }).into_iter().collect())
}
