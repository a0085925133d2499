//! What the program says of itself: help, schema, completions.

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{askwell, assert_refused};

#[test]
fn without_a_command_the_first_thing_to_try_is_shown() {
    let run = askwell().run([] as [&str; 0]);

    assert_refused(
        &run,
        2,
        &["Try this first:\n  askwell demo\n  askwell ask --question", "Commands:"],
    );
}

#[rstest]
#[case(&["--help"], &["Try this first", "completions"])]
#[case(&["ask", "-h"], &["--print0", "askwell ask --help"])]
#[case(&["ask", "--help"], &["Examples:", "Exit codes:", "124  expired", "ASKWELL_ANSWERS", "XDG_STATE_HOME"])]
#[case(&["wait", "--help"], &["Examples:", "--timeout", "still pending"])]
#[case(&["list", "--help"], &["Examples:", "--open"])]
#[case(&["show", "--help"], &["Examples:", "--format"])]
#[case(&["answer", "--help"], &["Examples:", "Exit codes:", "--select", "--file"])]
#[case(&["cancel", "--help"], &["Examples:", "--comment"])]
#[case(&["abort", "--help"], &["Examples:", "--reason"])]
#[case(&["history", "--help"], &["Examples:", "--export"])]
#[case(&["open", "--help"], &["Examples:", "--print", "--phone"])]
#[case(&["serve", "--help"], &["Examples:", "--port", "--keep"])]
#[case(&["status", "--help"], &["Examples:", "Exit codes:"])]
#[case(&["stop", "--help"], &["Examples:"])]
#[case(&["restart", "--help"], &["Examples:"])]
#[case(&["logs", "--help"], &["Examples:", "--follow"])]
#[case(&["config", "show", "--help"], &["--format"])]
#[case(&["token", "--help"], &["Examples:", "revoke"])]
#[case(&["purge", "--help"], &["Examples:", "--keep"])]
#[case(&["doctor", "--help"], &["Examples:"])]
#[case(&["check", "--help"], &["Examples:", "--strict"])]
#[case(&["schema", "--help"], &["Examples:", "answer"])]
#[case(&["completions", "--help"], &["Examples:", "powershell"])]
#[case(&["man", "--help"], &["Examples:", "askwell-ask"])]
fn every_command_has_help(#[case] arguments: &[&str], #[case] told: &[&str]) {
    let run = askwell().run(arguments);

    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    for text in told {
        assert!(run.stdout.contains(text), "not told: {text:?}\n{run}");
    }
    // The example lines are told as they are typed, the rest is wrapped.
    let widest = run.stdout.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 110, "{widest} columns\n{run}");
}

#[test]
fn the_version_is_the_packages_and_says_which_build_it_is() {
    let run = askwell().run(["--version"]);

    let line =
        run.stdout.strip_prefix(concat!("askwell ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let build = line.strip_suffix(")\n").unwrap();
    let is_commit = build.len() == 8 && build.chars().all(|it| it.is_ascii_hexdigit());
    assert!(build == "debug" || is_commit, "{run}");
}

#[test]
fn the_schemas_are_the_librarys() {
    let askwell = askwell();

    assert_eq!(askwell.run(["schema", "request"]).json(), askwell::schema::request());
    assert_eq!(askwell.run(["schema", "answer"]).json(), askwell::schema::answer());
    assert_refused(&askwell.run(["schema", "other"]), 2, &["possible values: request, answer"]);
}

#[rstest]
#[case("bash", "complete -F _askwell")]
#[case("zsh", "#compdef askwell")]
#[case("fish", "complete -c askwell")]
#[case("elvish", "edit:completion:arg-completer[askwell]")]
#[case("powershell", "Register-ArgumentCompleter")]
fn completions_are_there_for_every_shell(#[case] shell: &str, #[case] told: &str) {
    let run = askwell().run(["completions", shell]);

    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains(told), "{run}");
    assert!(run.stdout.contains("print0"), "{run}");
}

#[test]
fn bash_takes_its_completions() {
    let line =
        "\"$ASKWELL\" completions bash >askwell.bash && bash -n askwell.bash && . ./askwell.bash";

    assert_eq!(
        askwell().run_shell(&format!("bash -c '{line}'")).to_string(),
        "exit 0\n--- stdout\n--- stderr\n"
    );
}

#[test]
fn a_manual_page_is_written_for_each_command() {
    let askwell = askwell();
    let run = askwell.run(["man", "share/man1"]);

    assert_eq!((run.code(), run.stdout.as_str()), (0, ""), "{run}");
    let page = |name: &str| askwell.read(format!("share/man1/{name}.1"));
    let commands = askwell.run(["--help"]).stdout;
    let (_, commands) = commands.split_once("Commands:\n").unwrap();
    let names = commands.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for name in names.filter(|name| !["", "help"].contains(name)) {
        assert!(page("askwell").contains(&format!("askwell\\-{name}(1)")), "{name}");
        assert!(page(&format!("askwell-{name}")).contains(".SH SYNOPSIS"), "{name}");
    }
    assert!(page("askwell-token-create").contains("\\-\\-role"));
    askwell.write("taken", "");
    assert_refused(&askwell.run(["man", "taken"]), 1, &["taken: ", "name a folder"]);
}

#[test]
fn a_misspelt_flag_is_told_with_the_right_one() {
    assert_refused(&askwell().run(["ask", "--lnag", "en"]), 2, &["--lnag", "--lang"]);
}
