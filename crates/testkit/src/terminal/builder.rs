//! How a program is put into a terminal: command, size, environment, redirections.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use portable_pty::CommandBuilder;

use super::TestTerminal;
use crate::TestEnvironment;

/// A program in a terminal that is being put together.
#[derive(Debug, Clone)]
pub struct TerminalBuilder {
    pub(super) environment: TestEnvironment,
    what: What,
    variables: BTreeMap<OsString, OsString>,
    work: PathBuf,
    redirections: Vec<(&'static str, PathBuf)>,
    pub(super) columns: u16,
    pub(super) rows: u16,
    pub(super) kitty: bool,
}

#[derive(Debug, Clone)]
enum What {
    Program(Vec<OsString>),
    Shell(OsString),
}

impl TestEnvironment {
    /// The program, with these arguments, in a terminal.
    pub fn terminal<I, S>(&self, arguments: I) -> TerminalBuilder
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        let arguments = arguments.into_iter().map(Into::into).collect();
        TerminalBuilder::new(self, What::Program(arguments))
    }

    /// A line of shell in a terminal, for pipes and substitutions; `"$ASKWELL"` is the program.
    /// Signals go to the shell, unless the line says `exec`.
    pub fn shell(&self, line: impl Into<OsString>) -> TerminalBuilder {
        TerminalBuilder::new(self, What::Shell(line.into()))
    }
}

impl TerminalBuilder {
    fn new(environment: &TestEnvironment, what: What) -> Self {
        let mut variables = environment.variables().clone();
        variables.entry("TERM".into()).or_insert_with(|| "xterm-256color".into());
        Self {
            environment: environment.clone(),
            what,
            variables,
            work: environment.work(),
            redirections: Vec::new(),
            columns: 80,
            rows: 24,
            kitty: false,
        }
    }

    /// Columns and rows, 80×24 unless told; 0×0 is a terminal that nobody sized.
    #[must_use]
    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// Sets a variable for this run.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Takes a variable away for this run.
    #[must_use]
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.variables.remove(name.as_ref());
        self
    }

    /// Runs in another folder than the work folder.
    #[must_use]
    pub fn current_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.work = folder.into();
        self
    }

    /// Standard input comes from this file of the work folder; keys still come from the terminal.
    #[must_use]
    pub fn stdin_from(self, file: impl AsRef<Path>) -> Self {
        self.redirect("<", file)
    }

    /// Standard output goes to this file of the work folder.
    #[must_use]
    pub fn stdout_to(self, file: impl AsRef<Path>) -> Self {
        self.redirect(">", file)
    }

    /// Standard error goes to this file of the work folder.
    #[must_use]
    pub fn stderr_to(self, file: impl AsRef<Path>) -> Self {
        self.redirect("2>", file)
    }

    /// The terminal speaks the kitty keyboard protocol, and says so when asked.
    #[must_use]
    pub fn kitty_keyboard(mut self) -> Self {
        self.kitty = true;
        self
    }

    /// Starts it.
    ///
    /// # Panics
    /// When there is no pseudo-terminal to be had, or no such program.
    #[track_caller]
    pub fn spawn(self) -> TestTerminal {
        TestTerminal::start(self)
    }

    fn redirect(mut self, operator: &'static str, file: impl AsRef<Path>) -> Self {
        self.redirections.push((operator, self.environment.work().join(file)));
        self
    }

    pub(super) fn command(&self) -> CommandBuilder {
        let program = self.environment.program();
        let mut command = match &self.what {
            What::Program(arguments) if self.redirections.is_empty() => {
                let mut command = CommandBuilder::new(program);
                command.args(arguments);
                command
            }
            // The shell only opens the files, then the program takes its place: it leads the
            // session and is the foreground process, as when a person types the line.
            What::Program(arguments) => {
                let mut command = self.shell_command("exec \"$@\"");
                command.arg(program);
                command.args(arguments);
                command
            }
            What::Shell(line) => self.shell_command(line),
        };
        assert!(self.work.is_dir(), "{} is no folder", self.work.display());
        command.cwd(&self.work);
        command.env_clear();
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }

    /// `/bin/sh -c` with the redirections; `$0` is `sh`, arguments may follow.
    fn shell_command(&self, line: impl AsRef<OsStr>) -> CommandBuilder {
        let mut script = OsString::from("exec");
        for (operator, file) in &self.redirections {
            script.push(format!(" {operator} '"));
            script.push(file.to_str().expect("a test's path is text").replace('\'', r"'\''"));
            script.push("'");
        }
        script.push("\n");
        script.push(line);
        let mut command = CommandBuilder::new("/bin/sh");
        command.arg("-c");
        command.arg(script);
        command.arg("sh");
        command
    }
}
