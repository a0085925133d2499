//! Our own commands, wherever a page names one: the subcommand and every flag of it have to exist.

use std::collections::BTreeMap;

use askwell_testkit::TestEnvironment;

/// What `--help` of each subcommand says, asked once.
pub struct Commands<'a> {
    askwell: &'a TestEnvironment,
    help: BTreeMap<String, Option<String>>,
}

impl<'a> Commands<'a> {
    pub fn of(askwell: &'a TestEnvironment) -> Self {
        Self { askwell, help: BTreeMap::new() }
    }

    /// What is wrong with the uses of `askwell` in a text of shell.
    pub fn faults(&mut self, shell: &str) -> Vec<String> {
        let shell = shell.replace("\\\n", " ");
        shell.lines().flat_map(|line| self.faults_of_line(line)).collect()
    }

    fn faults_of_line(&mut self, line: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let mut words = words(line).into_iter().peekable();
        while let Some(word) = words.next() {
            // The name of a container or a package is none of our commands.
            let named = |next: &String| next == "askwell" || next == "=" || !next.is_ascii();
            if word != "askwell" || words.peek().is_some_and(named) {
                continue;
            }
            let mut path = String::new();
            let mut help = self.help("").unwrap_or_default();
            while let Some(word) = words.next_if(|word| !SEPARATORS.contains(&word.as_str())) {
                if word == "--" {
                    break;
                } else if let Some(flag) = word.strip_prefix("--") {
                    let flag = format!("--{}", flag.split(['=', '[']).next().unwrap_or_default());
                    let follows = |rest: &str| {
                        !rest.starts_with(|it: char| it.is_alphanumeric() || it == '-')
                    };
                    if !help.split(&flag).skip(1).any(follows) {
                        faults.push(format!("`askwell {path}` has no {flag}: {line}"));
                    }
                } else if has_commands(&help) && is_name(&word) {
                    let below = format!("{path} {word}").trim().to_owned();
                    match self.help(&below) {
                        Some(found) => (path, help) = (below, found),
                        None => faults.push(format!("`askwell {below}` is no command: {line}")),
                    }
                }
            }
        }
        faults
    }

    /// The help text of every command, by its name and those above it.
    pub fn help_texts(&mut self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut paths = vec![String::new()];
        while let Some(path) = paths.pop() {
            let Some(help) = self.help(&path) else { continue };
            let list = help.split("Commands:\n").nth(1).unwrap_or_default();
            let rows = list.lines().take_while(|row| !row.is_empty());
            let names = rows.filter_map(|row| row.strip_prefix("  ")?.split(' ').next());
            let names = names.filter(|name| !name.is_empty() && *name != "help");
            paths.extend(names.map(|name| format!("{path} {name}").trim().to_owned()));
            found.push((path, help));
        }
        found
    }

    fn help(&mut self, path: &str) -> Option<String> {
        let askwell = self.askwell;
        let asked = self.help.entry(path.to_owned()).or_insert_with(|| {
            let run = askwell.run(path.split_whitespace().chain(["--help"]));
            (run.code() == 0).then_some(run.stdout)
        });
        asked.clone()
    }
}

const SEPARATORS: [&str; 8] = ["|", "||", "&&", "&", ";", "(", ")", "`"];

/// Whether a word of the command line can only be a subcommand: not a value, a variable, a file.
fn is_name(word: &str) -> bool {
    word.chars().all(|it| it.is_ascii_lowercase() || it == '-') && !word.starts_with('-')
}

fn has_commands(help: &str) -> bool {
    help.lines().any(|line| line.trim_end() == "Commands:" || line.contains("<COMMAND>"))
}

/// The words of a line of shell, without comments; what stands in quotes is one word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut before = ' ';
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => word.push(character),
            (None, '\'' | '"') => quote = Some(character),
            (None, '#') if before.is_whitespace() => break,
            (None, '|' | '&' | ';' | '(' | ')' | '`') => {
                words.extend([std::mem::take(&mut word), character.to_string()]);
            }
            (None, _) if character.is_whitespace() => words.push(std::mem::take(&mut word)),
            (None, _) => word.push(character),
        }
        before = character;
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}
