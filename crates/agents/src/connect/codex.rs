//! Codex: our MCP server in `config.toml`, and rules in a file of our own.

use super::{Agent, Content, Found, Places, Refused, Scope, Target, Wish, rules, table};

pub(super) fn targets(wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
    let folder = places.folder(Agent::Codex, scope);
    let server = table::Server { program: wish.program.clone() };
    vec![
        Target { path: folder.join("config.toml"), content: Content::Toml(server) },
        Target::whole(folder.join("rules/askwell.rules"), forbidden(wish)),
    ]
}

/// Rules in the words of its own language, which reads strings as JSON does.
fn forbidden(wish: &Wish) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut programs = vec![quoted("askwell")];
    if wish.program != "askwell" {
        programs.push(quoted(&wish.program));
    }
    let commands: Vec<String> = rules::COMMANDS.iter().map(|name| quoted(name)).collect();
    format!(
        "# Written by askwell connect codex, taken out by askwell connect codex --remove.\n\
         prefix_rule(\n    pattern = [[{}], [{}]],\n    decision = \"forbidden\",\n    \
         justification = {},\n)\n",
        programs.join(", "),
        commands.join(", "),
        quoted(rules::WHY),
    )
}

pub(super) fn found(text: &str) -> Result<Vec<Found>, Refused> {
    table::found(text)
}
