use std::path::PathBuf;

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;

fn places() -> Places {
    Places {
        home: PathBuf::from("/home/kim"),
        config: PathBuf::from("/home/kim/.config"),
        project: PathBuf::from("/home/kim/shop"),
        claude: None,
        codex: None,
        opencode_comments: false,
        is_mac: false,
    }
}

fn wish() -> Wish {
    Wish {
        program: "/opt/askwell/askwell".to_owned(),
        state: PathBuf::from("/home/kim/.local/state/askwell"),
        mcp: false,
        always: false,
        forms: false,
        passed_on: Vec::new(),
    }
}

fn target(agent: Agent, wish: &Wish, at: usize) -> Target {
    agent.targets(wish, Scope::User, &places()).swap_remove(at)
}

#[track_caller]
fn changed(target: &Target, before: &str) -> String {
    let after = target.with(Some(before)).unwrap();
    assert_eq!(target.with(Some(&after)).unwrap(), after, "a second time changes nothing");
    after
}

/// Lines of rules that every golden text would have.
fn folded(text: &str) -> String {
    let is_rule = |line: &&str| line.contains("*askwell ");
    let is_folded = |line: &&str| is_rule(line) && !line.contains("askwell answer");
    text.lines().filter(|line| !is_folded(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn where_the_files_are() {
    let all = |scope| {
        let paths = Agent::ALL.into_iter().flat_map(move |agent| {
            agent.all_targets(&wish(), scope, &places()).into_iter().map(|target| target.path)
        });
        paths.map(|path| path.display().to_string()).collect::<Vec<_>>()
    };

    assert_eq!(
        all(Scope::User),
        [
            "/home/kim/.claude/settings.json",
            "/home/kim/.claude.json",
            "/home/kim/.codex/config.toml",
            "/home/kim/.codex/rules/askwell.rules",
            "/home/kim/.gemini/settings.json",
            "/home/kim/.gemini/policies/askwell.toml",
            "/home/kim/.config/opencode/opencode.json",
            "/home/kim/.config/Code/User/mcp.json",
            "/home/kim/.cursor/mcp.json",
        ]
    );
    assert_eq!(
        all(Scope::Project),
        [
            "/home/kim/shop/.claude/settings.json",
            "/home/kim/shop/.mcp.json",
            "/home/kim/shop/.codex/config.toml",
            "/home/kim/shop/.codex/rules/askwell.rules",
            "/home/kim/shop/.gemini/settings.json",
            "/home/kim/shop/.gemini/policies/askwell.toml",
            "/home/kim/shop/opencode.json",
            "/home/kim/shop/.vscode/mcp.json",
            "/home/kim/shop/.cursor/mcp.json",
        ]
    );
}

#[test]
fn the_hook_of_claude_code_stands_beside_what_is_there() {
    let before = r#"{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}
        ]
    },
    "permissions": {"allow": ["Bash(git:*)"], "deny": ["Read(./.env)"]}
}
"#;

    let after = changed(&target(Agent::ClaudeCode, &wish(), 0), before);

    assert_eq!(
        folded(&after),
        r#"{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]},
            {
                "matcher": "AskUserQuestion",
                "hooks": [
                    {
                        "type": "command",
                        "command": "/opt/askwell/askwell hook claude-code",
                        "timeout": 86400,
                        "statusMessage": "Waiting for an answer in the askwell inbox"
                    }
                ]
            }
        ]
    },
    "permissions": {"allow": ["Bash(git:*)"], "deny": [
            "Read(./.env)",
            "Bash(*askwell answer*)",
            "Read(~/.local/state/askwell/**)",
            "Edit(~/.local/state/askwell/**)"
        ]}
}
"#
    );
    let target = target(Agent::ClaudeCode, &wish(), 0);
    let left = target.without(&after).unwrap().unwrap();
    assert_eq!(json::read(&left), json::read(before));
}

#[test]
fn another_kind_of_connection_takes_the_place_of_the_first() {
    let hook = changed(&target(Agent::ClaudeCode, &wish(), 0), "{\"model\": \"opus\"}");
    let always = Wish { always: true, forms: true, ..wish() };
    let both = changed(&target(Agent::ClaudeCode, &always, 0), &hook);
    let settings = json::read(&both).unwrap();
    let commands: Vec<&str> = ["PreToolUse", "Elicitation"]
        .iter()
        .flat_map(|event| settings["hooks"][event].as_array().unwrap())
        .map(|group| group["hooks"][0]["command"].as_str().unwrap())
        .collect();
    assert_eq!(commands, ["/opt/askwell/askwell hook claude-code --when always"; 2]);

    let mcp = changed(&target(Agent::ClaudeCode, &Wish { mcp: true, ..wish() }, 0), &both);

    let settings = json::read(&mcp).unwrap();
    assert_eq!(settings["hooks"], serde_json::Value::Null);
    assert_eq!(settings["permissions"]["allow"][0], "mcp__askwell__*");
    let denied = settings["permissions"]["deny"].as_array().unwrap();
    assert_eq!(denied.last().unwrap(), "AskUserQuestion");
    let back = changed(&target(Agent::ClaudeCode, &wish(), 0), &mcp);
    assert_eq!(json::read(&back), json::read(&hook));
}

#[test]
fn the_hook_of_another_program_is_replaced_and_a_shared_group_is_left() {
    let before = r#"{"hooks":{"PreToolUse":[
{"matcher":"AskUserQuestion","hooks":[{"type":"command","command":"/old/askwell hook claude-code","timeout":600}]},
{"matcher":"AskUserQuestion","hooks":[{"type":"command","command":"/old/askwell hook claude-code"},{"type":"command","command":"log"}]}
]}}"#;

    let settings = json::read(&changed(&target(Agent::ClaudeCode, &wish(), 0), before)).unwrap();

    let groups = settings["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert_eq!(groups[0]["hooks"].as_array().unwrap().len(), 2);
    assert_eq!(groups[1]["hooks"][0]["command"], "/opt/askwell/askwell hook claude-code");
}

#[test]
fn a_program_with_a_special_name_is_one_word_of_a_shell() {
    let program = "/opt/kim's tools/askwell".to_owned();

    let text = target(Agent::ClaudeCode, &Wish { program, ..wish() }, 0).with(None).unwrap();

    let settings = json::read(&text).unwrap();
    let command = &settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
    assert_eq!(command, "'/opt/kim'\\''s tools/askwell' hook claude-code");
    let found = Agent::ClaudeCode.found(&text).unwrap();
    assert_eq!(found, [Found { program: "/opt/kim's tools/askwell".to_owned(), fault: None }]);
}

#[test]
fn comments_and_trailing_commas_stay() {
    let before = "// mine\n{\n\t// the servers\n\t\"servers\": {\n\t\t\"files\": {\"command\": \"files\"}, // all of them\n\t},\n}\n";

    let after = changed(&target(Agent::Vscode, &wish(), 0), before);

    assert_eq!(
        after,
        "// mine\n{\n\t// the servers\n\t\"servers\": {\n\t\t\"files\": {\"command\": \"files\"}, // all of them\n\
         \t\t\"askwell\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/askwell/askwell\",\n\
         \t\t\t\"args\": [\"mcp\"],\n\t\t},\n\t},\n}\n"
    );
    let target = target(Agent::Vscode, &wish(), 0);
    assert_eq!(target.without(&after).unwrap().unwrap(), before);
}

#[test]
fn lines_that_end_as_on_windows_and_a_mark_at_the_beginning_stay() {
    let before = "\u{feff}{\r\n  \"mcpServers\": {}\r\n}\r\n";

    let after = changed(&target(Agent::Cursor, &wish(), 0), before);

    assert!(after.starts_with("\u{feff}{\r\n"), "{after:?}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
}

#[rstest]
#[case(Agent::Cursor, "${env:ASKWELL_TOKEN}", "${env:ASKWELL_URL}")]
#[case(Agent::Gemini, "$ASKWELL_TOKEN", "$ASKWELL_URL")]
fn an_agent_is_told_the_names_of_what_says_where_the_host_is_and_a_project_is_not(
    #[case] agent: Agent,
    #[case] token: &str,
    #[case] url: &str,
) {
    let wish = Wish { passed_on: vec!["ASKWELL_TOKEN", "ASKWELL_URL"], ..wish() };

    let own = changed(&target(agent, &wish, 0), "");
    let of_the_project = agent.targets(&wish, Scope::Project, &places()).swap_remove(0);

    let server = json::read(&own).unwrap()["mcpServers"]["askwell"].take();
    let by_name = serde_json::json!({ "ASKWELL_TOKEN": token, "ASKWELL_URL": url });
    assert_eq!(server["env"], by_name);
    assert!(!changed(&of_the_project, "").contains("env"));
}

#[test]
fn rules_of_opencode_come_last_and_a_plain_value_holds_for_the_rest() {
    let before = r#"{
  "$schema": "https://opencode.ai/config.json",
  "permission": {"bash": "ask", "read": {"*.env": "deny"}}
}
"#;

    let after = changed(&target(Agent::Opencode, &wish(), 0), before);

    assert_eq!(
        folded(&after),
        r#"{
  "$schema": "https://opencode.ai/config.json",
  "permission": {"bash": {
      "*": "ask",
      "*askwell answer*": "deny",
    }, "read": {
      "*.env": "deny",
      "~/.local/state/askwell/**": "deny"
    }},
  "mcp": {
    "askwell": {
      "type": "local",
      "command": ["/opt/askwell/askwell", "mcp"],
      "enabled": true,
      "timeout": 86400000
    }
  }
}
"#
    );
}

#[test]
fn a_plain_permission_for_everything_stays_the_rule_for_the_rest() {
    let after = changed(&target(Agent::Opencode, &wish(), 0), "{\"permission\": \"ask\"}");

    let permission = json::read(&after).unwrap()["permission"].take();
    let names: Vec<&String> = permission.as_object().unwrap().keys().collect();
    assert_eq!(names, ["*", "bash", "read"]);
    assert_eq!(permission["*"], "ask");
}

#[test]
fn where_nothing_is_ours_nothing_is_taken_out() {
    for (agent, text) in [
        (Agent::ClaudeCode, "{\"hooks\": {\"PreToolUse\": []}, \"permissions\": {\"deny\": []}}"),
        (Agent::Codex, "[mcp_servers]\n# none yet\n"),
        (Agent::Opencode, "{\"mcp\": {}, \"permission\": {\"bash\": {}, \"read\": \"ask\"}}"),
        (Agent::Cursor, "{\"mcpServers\": {}}\n"),
    ] {
        assert_eq!(target(agent, &wish(), 0).without(text).unwrap().as_deref(), Some(text));
    }
}

#[test]
fn a_rule_that_a_person_put_after_ours_is_passed_again() {
    let target = target(Agent::Opencode, &wish(), 0);
    let before = changed(&target, "{}");
    let later = before.replace(
        "\"*askwell token*\": \"deny\"",
        "\"*askwell token*\": \"deny\", \"*\": \"allow\"",
    );
    assert_ne!(later, before);

    let settings = json::read(&changed(&target, &later)).unwrap();

    let rules: Vec<&String> = settings["permission"]["bash"].as_object().unwrap().keys().collect();
    assert_eq!((rules[0].as_str(), rules[1].as_str()), ("*", "*askwell answer*"));
}

#[test]
fn toml_keeps_its_comments_and_its_order() {
    let before = "# mine\nmodel = \"o5\" # the newest\n\n[mcp_servers.files]\ncommand = \"files\"\n\n[tui]\ntheme = \"dark\"\n";

    let after = changed(&target(Agent::Codex, &wish(), 0), before);

    assert_eq!(
        after,
        "# mine\nmodel = \"o5\" # the newest\n\n[mcp_servers.files]\ncommand = \"files\"\n\n\
         [mcp_servers.askwell]\ncommand = \"/opt/askwell/askwell\"\nargs = [\"mcp\", \"--wait\", \"12h\"]\n\
         tool_timeout_sec = 86400\nenv_vars = [\"ASKWELL_ANSWERS\", \"ASKWELL_TOKEN\", \"ASKWELL_URL\", \
         \"CI\", \"XDG_CONFIG_HOME\", \"XDG_RUNTIME_DIR\", \"XDG_STATE_HOME\"]\n\n[tui]\ntheme = \"dark\"\n"
    );
    let target = target(Agent::Codex, &wish(), 0);
    assert_eq!(target.without(&after).unwrap().unwrap(), before);
}

#[test]
fn what_a_person_set_of_our_server_in_toml_stays() {
    let before = "[mcp_servers.askwell]\ncommand = \"askwell\" # moved\nargs = [\"mcp\"]\nenabled = false\nenv_vars = [\"CI\", \"LANG\"]\n";

    let after = changed(&target(Agent::Codex, &wish(), 0), before);

    assert!(after.contains("enabled = false"), "{after}");
    assert!(after.contains("env_vars = [\"CI\", \"LANG\", \"ASKWELL_ANSWERS\", "), "{after}");
    assert!(after.contains("command = \"/opt/askwell/askwell\""), "{after}");
}

#[rstest]
#[case(Agent::ClaudeCode, "{\n  \"a\": 1\n  \"b\": 2\n}", "line 2 column 9")]
#[case(Agent::ClaudeCode, "{'a': 1}", "line 1 column 2")]
#[case(Agent::Gemini, "[]", "it is no JSON object")]
#[case(Agent::Gemini, "{\"mcpServers\": []}", "mcpServers is no object")]
#[case(Agent::ClaudeCode, "{\"hooks\": {\"PreToolUse\": {}}}", "hooks.PreToolUse is no list")]
#[case(Agent::Cursor, "{\"mcpServers\": {}, \"mcpServers\": {}}", "mcpServers stands there twice")]
#[case(Agent::Opencode, "{\"permission\": {\"bash\": 7}}", "permission.bash is no object")]
#[case(Agent::Codex, "model = \"o5\"\nmodel = \"o6\"\n", "line 2 column 1")]
#[case(Agent::Codex, "mcp_servers = 7\n", "mcp_servers is no table")]
fn what_is_not_understood_is_refused_with_its_place(
    #[case] agent: Agent,
    #[case] text: &str,
    #[case] why: &str,
) {
    let refused = target(agent, &wish(), 0).with(Some(text)).unwrap_err();

    assert!(refused.to_string().contains(why), "{refused}");
}

#[test]
fn rules_of_our_own_files_are_in_the_words_of_their_agents() {
    let text = |agent| target(agent, &wish(), 1).with(Some("anything")).unwrap();

    assert_eq!(
        text(Agent::Codex),
        "# Written by askwell connect codex, taken out by askwell connect codex --remove.\n\
         prefix_rule(\n    pattern = [[\"askwell\", \"/opt/askwell/askwell\"], [\"answer\", \"cancel\", \
         \"connect\", \"elsewhere\", \"history\", \"inbox\", \"list\", \"open\", \"purge\", \"restart\", \
         \"show\", \"stop\", \"token\"]],\n    decision = \"forbidden\",\n    \
         justification = \"A person answers askwell's questions, not an agent.\",\n)\n"
    );
    assert_eq!(
        text(Agent::Gemini),
        r#"# Written by askwell connect gemini, taken out by askwell connect gemini --remove.
[[rule]]
toolName = "run_shell_command"
commandRegex = ".*askwell (answer|cancel|connect|elsewhere|history|inbox|list|open|purge|restart|show|stop|token)"
decision = "deny"
priority = 900
denyMessage = "A person answers askwell's questions, not an agent."

[[rule]]
toolName = ["glob", "grep_search", "list_directory", "read_file", "read_many_files", "replace", "run_shell_command", "write_file"]
argsPattern = "\\.local/state/askwell/"
decision = "deny"
priority = 900
denyMessage = "A person answers askwell's questions, not an agent."
"#
    );
    assert_eq!(target(Agent::Gemini, &wish(), 1).without("anything").unwrap(), None);
}

#[test]
fn every_connection_is_found_again() {
    for agent in Agent::ALL {
        for wish in [wish(), Wish { mcp: true, ..wish() }] {
            let all = agent.targets(&wish, Scope::User, &places()).into_iter();
            let found = all
                .filter(Target::tells)
                .flat_map(|target| agent.found(&target.with(None).unwrap()).unwrap());
            let expected = Found { program: "/opt/askwell/askwell".to_owned(), fault: None };
            assert_eq!(found.collect::<Vec<_>>(), [expected], "{agent:?}");
        }
    }
}

#[rstest]
#[case(
    Agent::ClaudeCode,
    "\"timeout\": 86400",
    "\"timeout\": 60",
    "PreToolUse hook was not raised"
)]
#[case(Agent::Codex, "tool_timeout_sec = 86400", "", "was not raised")]
#[case(Agent::Gemini, "\"timeout\": 86400000", "\"timeout\": 30000", "was lowered")]
#[case(Agent::Opencode, "\"enabled\": true", "\"enabled\": false", "switched off")]
fn a_time_limit_that_was_taken_back_is_a_fault(
    #[case] agent: Agent,
    #[case] ours: &str,
    #[case] theirs: &str,
    #[case] fault: &str,
) {
    let text = target(agent, &wish(), 0).with(None).unwrap();
    assert!(text.contains(ours), "{text}");

    let found = agent.found(&text.replace(ours, theirs)).unwrap();

    let told = found[0].fault.as_deref().unwrap_or_default();
    assert!(told.contains(fault), "{told}");
}
