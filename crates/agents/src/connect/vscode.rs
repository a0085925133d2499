//! Visual Studio Code: our MCP server in `mcp.json`. It has no rules that forbid a command.

use serde_json::json;

use super::json::Change;
use super::{ARGUMENTS, Agent, Found, Places, Refused, SERVER, Scope, Target, Wish, json};

pub(super) fn targets(wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
    let server = json!({ "type": "stdio", "command": wish.program, "args": ARGUMENTS });
    let servers = Change::Member { path: vec!["servers", SERVER], value: server };
    vec![Target::json(places.folder(Agent::Vscode, scope).join("mcp.json"), vec![servers])]
}

pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    let program = json::read(text)?["servers"][SERVER]["command"].as_str().map(str::to_owned);
    Ok(program.map(|program| Found { program, fault: None }).into_iter().collect())
}
