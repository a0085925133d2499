//! Claude Code: a hook in its settings, or our MCP server in the place of its own tool.

use std::path::Path;

use serde_json::{Value, json};

use super::json::{self, Change};
use super::{
    Found, PATIENCE, PATIENT_ARGUMENTS, Places, Refused, SERVER, Scope, Target, Wish, rules,
};
use crate::claude_code::QUESTION_TOOL;

pub(super) fn targets(wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
    let settings = places.folder(super::Agent::ClaudeCode, scope).join("settings.json");
    if !wish.mcp {
        let mut changes = vec![hook(wish, "PreToolUse", true)];
        changes.push(hook(wish, "Elicitation", wish.forms));
        changes.push(tools(&[]));
        changes.push(denied(wish, places, &[]));
        return vec![Target::json(settings, changes)];
    }
    let server = json!({
        "type": "stdio", "command": wish.program, "args": PATIENT_ARGUMENTS,
        "timeout": PATIENCE * 1_000,
    });
    let servers = Change::Member { path: vec!["mcpServers", SERVER], value: server };
    let changes = vec![
        hook(wish, "PreToolUse", false),
        hook(wish, "Elicitation", wish.forms),
        tools(&[json!(format!("mcp__{SERVER}__*"))]),
        denied(wish, places, &[json!(QUESTION_TOOL)]),
    ];
    vec![Target::json(settings, changes), Target::json(places.claude_servers(scope), vec![servers])]
}

/// The hook of an event, or none of ours.
fn hook(wish: &Wish, event: &'static str, is_wished: bool) -> Change {
    let mut command = format!("{} hook claude-code", in_shell(&wish.program));
    if wish.always {
        command.push_str(" --when always");
    }
    let hook = json!({
        "type": "command", "command": command, "timeout": PATIENCE,
        "statusMessage": "Waiting for an answer in the askwell inbox",
    });
    let group = match event {
        "PreToolUse" => json!({ "matcher": QUESTION_TOOL, "hooks": [hook] }),
        _ => json!({ "hooks": [hook] }),
    };
    let items = if is_wished { vec![group] } else { Vec::new() };
    Change::Items { path: vec!["hooks", event], items, ours: is_hook }
}

/// A program as a word of a shell's line.
fn in_shell(program: &str) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "/._-+".contains(it);
    match program.chars().all(is_plain) {
        true => program.to_owned(),
        false => format!("'{}'", program.replace('\'', "'\\''")),
    }
}

fn is_hook(group: &Value) -> bool {
    let hooks = group["hooks"].as_array().into_iter().flatten();
    let mut commands = hooks.map(|hook| hook["command"].as_str().unwrap_or_default()).peekable();
    // A group that somebody put another hook into is theirs by now.
    commands.peek().is_some() && commands.all(is_command)
}

fn is_command(command: &str) -> bool {
    command.contains("askwell") && command.contains(" hook claude-code")
}

fn tools(allowed: &[Value]) -> Change {
    let ours = |rule: &Value| rule.as_str() == Some("mcp__askwell__*");
    Change::Items { path: vec!["permissions", "allow"], items: allowed.to_vec(), ours }
}

fn denied(wish: &Wish, places: &Places, tools: &[Value]) -> Change {
    let mut items = tools.to_vec();
    items.extend(rules::COMMANDS.iter().map(|name| json!(format!("Bash(*askwell {name}*)"))));
    // Two slashes: from the root, not from the folder of the settings.
    let state = places.in_rules(&wish.state, "/");
    items.extend(["Read", "Edit"].map(|tool| json!(format!("{tool}({state}/**)"))));
    Change::Items { path: vec!["permissions", "deny"], items, ours: is_denied }
}

fn is_denied(rule: &Value) -> bool {
    let Some(rule) = rule.as_str() else { return false };
    let command = rule.strip_prefix("Bash(*askwell ").and_then(|rest| rest.strip_suffix("*)"));
    let of_the_state = ["Read(", "Edit("].iter().any(|tool| rule.starts_with(tool))
        && rule.ends_with("/askwell/**)");
    rule == QUESTION_TOOL || of_the_state || command.is_some_and(|it| rules::COMMANDS.contains(&it))
}

pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    let settings = json::read(text)?;
    let events = settings["hooks"].as_object().into_iter().flatten();
    let hooks = events.flat_map(|(event, groups)| {
        let groups = groups.as_array().into_iter().flatten();
        let hooks = groups.flat_map(|group| group["hooks"].as_array().into_iter().flatten());
        hooks.filter_map(move |hook| {
            let command = hook["command"].as_str().filter(|command| is_command(command))?;
            let fault = match hook["timeout"].as_u64() {
                Some(time) if time > 600 => None,
                _ => Some(format!("the time limit of its {event} hook was not raised")),
            };
            Some(Found { program: program_of(command), fault })
        })
    });
    let mut all: Vec<Found> = hooks.collect();
    let server = &settings["mcpServers"][SERVER];
    if let Some(program) = server["command"].as_str() {
        all.push(Found { program: program.to_owned(), fault: None });
    }
    Ok(all)
}

/// The program of a line that we wrote for a shell.
fn program_of(command: &str) -> String {
    let program = command.split(" hook claude-code").next().unwrap_or_default();
    match program.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(quoted) => quoted.replace("'\\''", "'"),
        None => Path::new(program).display().to_string(),
    }
}
