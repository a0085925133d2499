//! Gemini CLI: our MCP server in its settings, and policies in a file of our own.

use serde_json::json;

use super::json::Change;
use super::{
    Agent, Found, PATIENCE, PATIENT_ARGUMENTS, Places, Refused, SERVER, Scope, Target, Wish, json,
    passed, rules,
};

pub(super) fn targets(wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
    let folder = places.folder(Agent::Gemini, scope);
    // Trusted: else the person has to be at the agent to let it ask.
    let mut server = json!({
        "command": wish.program, "args": PATIENT_ARGUMENTS, "timeout": PATIENCE * 1_000,
        "trust": true,
    });
    // It keeps back what is named like a secret, and in some places everything that is not named here.
    if let Some(names) = passed::by_name(wish, scope, |name| format!("${name}")) {
        server["env"] = names;
    }
    let servers = Change::Member { path: vec!["mcpServers", SERVER], value: server };
    vec![
        Target::json(folder.join("settings.json"), vec![servers]),
        Target::whole(folder.join("policies/askwell.toml"), policies(wish, places)),
    ]
}

/// What touches files, by the names of its own tools.
const TOOLS: [&str; 8] = [
    "glob",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "replace",
    "run_shell_command",
    "write_file",
];

fn policies(wish: &Wish, places: &Places) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    // Wherever in a line it stands, by whatever path.
    let commands = format!(".*askwell ({})", rules::COMMANDS.join("|"));
    let state = wish.state.strip_prefix(&places.home).unwrap_or(&wish.state);
    let folder = format!("{}/", literally(&state.display().to_string()));
    let tools: Vec<String> = TOOLS.iter().map(|tool| quoted(tool)).collect();
    let denied =
        format!("decision = \"deny\"\npriority = 900\ndenyMessage = {}\n", quoted(rules::WHY));
    format!(
        "# Written by askwell connect gemini, taken out by askwell connect gemini --remove.\n\
         [[rule]]\ntoolName = \"run_shell_command\"\ncommandRegex = {}\n{denied}\n\
         [[rule]]\ntoolName = [{}]\nargsPattern = {}\n{denied}",
        quoted(&commands),
        tools.join(", "),
        quoted(&folder),
    )
}

/// A text as a regular expression for it alone.
fn literally(text: &str) -> String {
    text.chars().fold(String::new(), |mut pattern, it| {
        if "\\.+*?()|[]{}^$".contains(it) {
            pattern.push('\\');
        }
        pattern.push(it);
        pattern
    })
}

pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    let settings = json::read(text)?;
    let server = &settings["mcpServers"][SERVER];
    let Some(program) = server["command"].as_str() else { return Ok(Vec::new()) };
    let fault = match server["timeout"].as_u64() {
        None => Some("its time limit was not raised".to_owned()),
        Some(time) if time < 600_000 => Some("its time limit was lowered".to_owned()),
        Some(_) => None,
    };
    Ok(vec![Found { program: program.to_owned(), fault }])
}
