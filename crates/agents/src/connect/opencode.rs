//! opencode: our MCP server and rules in its one file.

use serde_json::json;

use super::json::Change;
use super::{Agent, Found, PATIENCE, Places, Refused, SERVER, Scope, Target, Wish, json, rules};

pub(super) fn targets(wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
    let server = json!({
        "type": "local", "command": [wish.program, "mcp"], "enabled": true,
        "timeout": PATIENCE * 1_000,
    });
    let name = if places.opencode_comments { "opencode.jsonc" } else { "opencode.json" };
    let commands = rules::COMMANDS.iter().map(|name| format!("*askwell {name}*"));
    let state = places.in_rules(&wish.state, "");
    let deny = |rules: Vec<String>| rules.into_iter().map(|rule| (rule, json!("deny"))).collect();
    let changes = vec![
        Change::Member { path: vec!["mcp", SERVER], value: server },
        Change::Rules {
            path: vec!["permission", "bash"],
            rules: deny(commands.collect()),
            ours: is_command,
        },
        Change::Rules {
            path: vec!["permission", "read"],
            rules: deny(vec![format!("{state}/**")]),
            ours: |rule| rule.ends_with("/askwell/**"),
        },
    ];
    vec![Target::json(places.folder(Agent::Opencode, scope).join(name), changes)]
}

fn is_command(rule: &str) -> bool {
    let command = rule.strip_prefix("*askwell ").and_then(|rest| rest.strip_suffix('*'));
    command.is_some_and(|command| rules::COMMANDS.contains(&command))
}

pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    let settings = json::read(text)?;
    let server = &settings["mcp"][SERVER];
    let Some(program) = server["command"][0].as_str() else { return Ok(Vec::new()) };
    let fault = match (server["enabled"].as_bool(), server["timeout"].is_null()) {
        (Some(false), _) => Some("it is switched off".to_owned()),
        (_, true) => Some("its time limit was not raised".to_owned()),
        _ => None,
    };
    Ok(vec![Found { program: program.to_owned(), fault }])
}
