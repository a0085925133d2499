//! `askwell connect`: the configuration of agents in a home of the test's own, and back again.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use askwell_testkit::{Run, TestEnvironment};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::Value;

use super::{askwell, assert_refused};

/// An agent, where its first file is below the test's folder, and what a person may have in it.
struct Known(&'static str, &'static str, &'static str);

const CLAUDE: Known = Known(
    "claude-code",
    "home/.claude/settings.json",
    "{\n  \"model\": \"opus\",\n  \"hooks\": {},\n  \"permissions\": {\"deny\": [ \"Read(./.env)\" ]}\n}",
);
const CODEX: Known = Known(
    "codex",
    "home/.codex/config.toml",
    "# mine\nmodel = 'o5'   # the newest\n\n[mcp_servers]\n# none yet\n",
);
const GEMINI: Known = Known(
    "gemini",
    "home/.gemini/settings.json",
    "{ \"mcpServers\": {}, \"ui\": {\"theme\": \"Ayu\"} }\n\n",
);
const OPENCODE: Known = Known(
    "opencode",
    "config/opencode/opencode.jsonc",
    "// mine\n{\n\t\"permission\": \"ask\", // all of it\n}\n",
);
const VSCODE: Known = Known(
    "vscode",
    "config/Code/User/mcp.json",
    "{\r\n    /* none */\r\n    \"servers\": {},\r\n    \"inputs\": []\r\n}",
);
const CURSOR: Known =
    Known("cursor", "home/.cursor/mcp.json", "{\"mcpServers\":{\"files\":{\"command\":\"f\"}}}");

fn connect(here: &TestEnvironment, arguments: &[&str]) -> Run {
    here.run(["connect"].into_iter().chain(arguments.iter().copied()))
}

/// Every file and folder below those in which agents look, with what a file holds.
fn files(here: &TestEnvironment) -> Vec<(PathBuf, String)> {
    fn all(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => {
                    into.push((path.clone(), String::new()));
                    all(&path, into);
                }
                false => into.push((path.clone(), fs::read_to_string(&path).unwrap())),
            }
        }
    }
    let mut files = Vec::new();
    ["home", "config", "work"].iter().for_each(|it| all(&here.root().join(it), &mut files));
    files.sort();
    files
}

#[rstest]
fn connected_twice_and_taken_out_again_every_file_is_what_it_was(
    #[values(CLAUDE, CODEX, GEMINI, OPENCODE, VSCODE, CURSOR)] known: Known,
    #[values(true, false)] was_there: bool,
) {
    let Known(agent, file, text) = known;
    let here = askwell();
    let path = here.root().join(file);
    if was_there {
        here.write(&path, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    }
    let before = files(&here);

    let run = connect(&here, &[agent, "--yes"]);
    assert_eq!(run.code(), 0, "{run}");
    assert!(run.stdout.contains("+++ ") && run.stderr.contains("is connected"), "{run}");
    let written = files(&here);
    if was_there {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    let again = connect(&here, &[agent, "--yes"]);
    assert_eq!((again.code(), again.stdout.as_str()), (0, ""), "{again}");
    assert!(again.stderr.contains("nothing to change"), "{again}");
    assert_eq!(files(&here), written);

    let back = connect(&here, &[agent, "--remove", "--yes"]);
    assert_eq!(back.code(), 0, "{back}");
    assert_eq!(files(&here), before);
    let nothing = connect(&here, &[agent, "--remove"]);
    assert!(nothing.stderr.contains("nothing to change"), "{nothing}");
}

#[test]
fn what_was_changed_since_stays_and_only_ours_is_taken_out() {
    let here = askwell();
    let path = here.root().join(CLAUDE.1);
    here.write(&path, CLAUDE.2);
    connect(&here, &["claude-code", "--yes"]);
    let changed = fs::read_to_string(&path).unwrap().replace("\"opus\"", "\"sonnet\"");
    here.write(&path, changed);

    let run = connect(&here, &["claude-code", "--remove", "--yes"]);

    assert_eq!(run.code(), 0, "{run}");
    let left: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(
        left,
        serde_json::json!({"model": "sonnet", "permissions": {"deny": ["Read(./.env)"]}})
    );
}

#[test]
fn the_tool_of_claude_code_and_the_hook_take_each_other_s_place() {
    let here = askwell();
    let before = files(&here);
    connect(&here, &["claude-code", "--yes", "--mcp"]);
    let servers = here.root().join("home/.claude.json");
    assert!(fs::read_to_string(&servers).unwrap().contains("\"timeout\": 86400000"));

    let run = connect(&here, &["claude-code", "--yes", "--when", "always", "--forms"]);

    assert_eq!(run.code(), 0, "{run}");
    assert!(!servers.exists());
    let settings = fs::read_to_string(here.root().join("home/.claude/settings.json")).unwrap();
    assert_eq!(settings.matches("hook claude-code --when always").count(), 2, "{settings}");
    assert!(!settings.contains("mcp__askwell"), "{settings}");
    connect(&here, &["claude-code", "--yes", "--remove"]);
    assert_eq!(files(&here), before);
}

#[rstest]
#[case(CLAUDE, "{\n  \"hooks\": {\n    \"PreToolUse\": [}\n", "line 3 column")]
#[case(CODEX, "model = \n", "line 1 column")]
#[case(OPENCODE, "{\"mcp\": {'askwell': 1}}", "line 1 column 10")]
fn a_file_that_is_not_understood_is_left_and_told_with_its_place(
    #[case] known: Known,
    #[case] text: &str,
    #[case] place: &str,
) {
    let Known(agent, file, _) = known;
    let here = askwell();
    here.write(here.root().join(file), text);
    let before = files(&here);

    let run = connect(&here, &[agent, "--yes"]);

    assert_refused(&run, 2, &[file, "is left as it is", place, "--print"]);
    assert_eq!(files(&here), before);
}

#[test]
fn nothing_is_written_that_nobody_said_yes_to() {
    let here = askwell();
    let before = files(&here);

    let run = connect(&here, &["codex"]);
    assert_eq!(run.code(), 2, "{run}");
    assert!(run.stdout.contains("+[mcp_servers.askwell]"), "{run}");
    assert!(run.stderr.contains("--yes"), "{run}");
    let run = connect(&here, &["codex", "--print"]);
    assert!(run.stdout.contains("tool_timeout_sec = 86400"), "{run}");
    assert_eq!(files(&here), before);

    let terminal = here.terminal(["connect", "codex"]).spawn();
    terminal.wait_for("write this? (y/N)").keys("<enter>");
    assert_eq!(terminal.wait_code(), 1);
    assert_eq!(files(&here), before);
    let terminal = here.terminal(["connect", "codex"]).spawn();
    terminal.wait_for("write this? (y/N)").types("y").keys("<enter>");
    assert_eq!(terminal.wait_code(), 0);
    assert!(here.root().join("home/.codex/config.toml").is_file());
}

#[test]
fn a_link_stays_a_link_and_a_project_has_a_file_of_its_own() {
    let here = askwell();
    let dotfiles = here.write(here.root().join("home/dotfiles/cursor.json"), CURSOR.2);
    let link = here.root().join(CURSOR.1);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&dotfiles, &link).unwrap();

    connect(&here, &["cursor", "--yes"]);
    let run = connect(&here, &["cursor", "--yes", "--project"]);
    assert!(run.stderr.contains("askwell connect cursor --project --remove"), "{run}");

    assert!(link.is_symlink());
    assert!(fs::read_to_string(&dotfiles).unwrap().contains("askwell"));
    assert!(here.read(".cursor/mcp.json").contains("askwell"));
    connect(&here, &["cursor", "--yes", "--remove"]);
    assert_eq!(fs::read_to_string(&dotfiles).unwrap(), CURSOR.2);
    assert!(here.read(".cursor/mcp.json").contains("askwell"));
}

#[test]
fn what_can_t_be_written_whole_is_not_written_at_all() {
    let here = askwell();
    let config = here.write(here.root().join(CODEX.1), CODEX.2);
    let rules = here.root().join("home/.codex/rules");
    let refused = |told: &[&str]| {
        let before = files(&here);
        let run = connect(&here, &["codex", "--yes"]);
        assert_eq!(run.code(), 1, "{run}");
        told.iter().for_each(|part| assert!(run.stderr.contains(part), "{part}: {run}"));
        assert_eq!(files(&here), before);
    };

    let mode = |mode| fs::set_permissions(&config, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o444);
    refused(&[".codex/config.toml is left as it is", "it is read-only", "chmod u+w"]);
    mode(0o644);
    // What it was can't be kept: there is no undoing it.
    let state = here.state().join("askwell");
    fs::create_dir_all(state.parent().unwrap()).unwrap();
    fs::write(&state, "").unwrap();
    refused(&["what it was can't be kept"]);
    fs::remove_file(&state).unwrap();
    // The second of two files.
    symlink("/proc/none", &rules).unwrap();
    let run = connect(&here, &["codex", "--yes"]);
    assert_eq!(run.code(), 1, "{run}");
    assert_eq!(fs::read_to_string(&config).unwrap(), CODEX.2);
    fs::remove_file(&rules).unwrap();
    assert_eq!(connect(&here, &["codex", "--yes"]).code(), 0);

    fs::remove_file(&config).unwrap();
    symlink("none.toml", &config).unwrap();
    let run = connect(&here, &["codex", "--yes"]);
    assert!(run.stderr.contains("config.toml leads to none.toml, which is not there"), "{run}");
}

#[test]
fn the_program_is_named_by_its_place_unless_it_is_the_one_on_the_path() {
    let here = askwell();
    let bin = here.root().join("bin");
    fs::create_dir(&bin).unwrap();
    let command = |here: &TestEnvironment| {
        let run = connect(here, &["codex", "--print"]);
        run.stdout.lines().find(|line| line.starts_with("command")).unwrap().to_owned()
    };
    let whole = here.program().canonicalize().unwrap();
    assert_eq!(command(&here), format!("command = \"{}\"", whole.display()));

    symlink(here.program(), bin.join("askwell")).unwrap();

    let here = here.clone().env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    assert_eq!(command(&here), "command = \"askwell\"");
    // A desktop knows of fewer folders than a shell; a link may lead to a newer version tomorrow.
    let link = bin.join("askwell");
    assert!(connect(&here, &["vscode", "--print"]).stdout.contains(link.to_str().unwrap()));
}

#[test]
fn the_doctor_tells_what_is_connected_and_what_is_wrong_with_it() {
    let here = askwell();
    for folder in [".codex", ".gemini", ".cursor"] {
        fs::create_dir(here.root().join("home").join(folder)).unwrap();
    }
    connect(&here, &["claude-code", "--yes"]);
    connect(&here, &["gemini", "--yes"]);
    let settings = here.root().join("home/.gemini/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    here.write(&settings, text.replace("\"command\": \"", "\"command\": \"/gone"));
    here.write(here.root().join("home/.cursor/mcp.json"), "{");

    here.write("../config/askwell/config.toml", "port = 1\nmine = [\n");
    let run = here.command(["doctor"]).env("ASKWELL_ANSWERS", "a.json").run();

    assert_eq!(run.code(), 1, "{run}");
    let line = |name: &str| {
        let found = run.stdout.lines().find(|line| line[6..].starts_with(name));
        found.unwrap_or_default().to_owned()
    };
    let settings = line("settings");
    assert!(settings.contains("is not valid TOML; line 2: unclosed array"), "{run}");
    assert!(line("answers").contains("a.json answers in the place of a person"), "{run}");
    assert!(line("claude-code").starts_with("ok "), "{run}");
    assert!(line("codex").contains("not connected: askwell connect codex"), "{run}");
    let wrong = line("gemini");
    assert!(wrong.starts_with("WRONG") && wrong.contains("/gone") && wrong.contains("no program"));
    assert!(wrong.ends_with("write it again: askwell connect gemini"), "{run}");
    assert!(line("cursor").contains("not valid JSON"), "{run}");
    assert!(!run.stdout.contains("opencode") && !run.stdout.contains("vscode"), "{run}");
}

#[test]
fn what_is_for_claude_code_is_refused_for_others() {
    let here = askwell();
    for flags in [&["--mcp"][..], &["--forms"], &["--when", "always"]] {
        let run = connect(&here, &[&["codex"], flags].concat());
        assert_refused(&run, 2, &["for claude-code"]);
    }
}
