//! A place of its own for the program under test: home, state, configuration and work folders that
//! nothing else uses, an environment with nothing in it that was not put there, and plain runs
//! without any controlling terminal.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::deadline;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It left by itself, with this code.
    Code(i32),
    /// A signal of this number ended it.
    Signal(i32),
}

impl Exit {
    /// The code it left with.
    ///
    /// # Panics
    /// When a signal ended it.
    #[track_caller]
    pub fn code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(number) => panic!("ended by signal {number}, not by an exit code"),
        }
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt as _;
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(number)) => Self::Signal(number),
            (None, None) => unreachable!("an ended process has a code or a signal"),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit {code}"),
            Self::Signal(number) => write!(formatter, "signal {number}"),
        }
    }
}

/// Folders and variables of one test. Clones share the folders, which go when the last one does.
#[derive(Debug, Clone)]
pub struct TestEnvironment {
    root: Arc<TempDir>,
    program: PathBuf,
    variables: BTreeMap<OsString, OsString>,
}

impl TestEnvironment {
    /// An empty environment for `program` (in an integration test: `env!("CARGO_BIN_EXE_askwell")`).
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let program = program.into();
        let root = tempfile::Builder::new().prefix("askwell-test-").tempdir().unwrap();
        // The resolved path: what a program prints of its folder is then what a test knows.
        let path = root.path().canonicalize().unwrap();
        let mut variables = BTreeMap::new();
        for (name, folder) in [
            ("HOME", "home"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_RUNTIME_DIR", "run"),
            ("TMPDIR", "tmp"),
        ] {
            fs::create_dir(path.join(folder)).unwrap();
            variables.insert(name.into(), path.join(folder).into());
        }
        fs::create_dir(path.join("work")).unwrap();
        variables.insert("LANG".into(), "C.UTF-8".into());
        variables.insert("ASKWELL".into(), program.clone().into());
        if let Some(search) = std::env::var_os("PATH") {
            variables.insert("PATH".into(), search);
        }
        Self { root: Arc::new(root), program, variables }
    }

    /// Sets a variable for every later run.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// The program under test.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The folder that holds the others.
    pub fn root(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap()
    }

    /// `XDG_STATE_HOME` of the runs.
    pub fn state(&self) -> PathBuf {
        self.root().join("state")
    }

    /// The folder that programs run in.
    pub fn work(&self) -> PathBuf {
        self.root().join("work")
    }

    /// Writes a file into the work folder (or to an absolute path), making folders on the way.
    pub fn write(&self, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        path
    }

    /// Reads a text file of the work folder.
    ///
    /// # Panics
    /// When it is not there, or is not UTF-8.
    #[track_caller]
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.work().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A run of the program with these arguments and without any terminal.
    pub fn command<I, S>(&self, arguments: I) -> RunBuilder
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        let mut variables = self.variables.clone();
        // Help text is wrapped by the width of a terminal: without one, always at the same column.
        variables.entry("COLUMNS".into()).or_insert_with(|| "80".into());
        RunBuilder {
            environment: self.clone(),
            program: self.program.clone().into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            variables,
            work: self.work(),
            input: Vec::new(),
        }
    }

    /// Runs the program with these arguments, an empty standard input and no terminal.
    #[track_caller]
    pub fn run<I, S>(&self, arguments: I) -> Run
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.command(arguments).run()
    }

    /// Runs a line of shell without a terminal; `"$ASKWELL"` is the program.
    #[track_caller]
    pub fn run_shell(&self, line: &str) -> Run {
        let mut builder = self.command(["-c", line]);
        builder.program = "/bin/sh".into();
        builder.run()
    }

    /// Every variable that a run sees.
    pub fn variables(&self) -> &BTreeMap<OsString, OsString> {
        &self.variables
    }
}

/// A plain run that is being put together.
#[derive(Debug)]
pub struct RunBuilder {
    environment: TestEnvironment,
    program: OsString,
    arguments: Vec<OsString>,
    variables: BTreeMap<OsString, OsString>,
    work: PathBuf,
    input: Vec<u8>,
}

impl RunBuilder {
    /// What the program reads from its standard input.
    #[must_use]
    pub fn stdin(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Sets a variable for this run.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Runs in another folder than the work folder.
    #[must_use]
    pub fn current_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.work = folder.into();
        self
    }

    /// Runs to the end.
    ///
    /// # Panics
    /// When the program cannot be started, does not end before the [`deadline`], or prints
    /// anything that is not UTF-8.
    #[track_caller]
    pub fn run(self) -> Run {
        // `setsid` starts a session that has no controlling terminal, as cron and CI do; a child
        // that leads no process group is replaced by the program, so the process id stays.
        let mut child = Command::new("setsid")
            .arg("--wait")
            .arg(&self.program)
            .args(&self.arguments)
            .env_clear()
            .envs(&self.variables)
            .current_dir(&self.work)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("setsid (of util-linux) is on the PATH");
        let process = Pid::from_child(&child);

        let mut pipe = child.stdin.take().unwrap();
        let input = self.input;
        // A program may end without reading what it was given: a broken pipe is no fault.
        let writer = thread::spawn(move || drop(pipe.write_all(&input)));
        let (sender, receiver) = mpsc::channel();
        let waiter = thread::spawn(move || sender.send(child.wait_with_output()));

        let Ok(output) = receiver.recv_timeout(deadline()) else {
            kill_process(process, Signal::KILL).unwrap();
            panic!("still running after {:?}: {:?} {:?}", deadline(), self.program, self.arguments);
        };
        let output = output.unwrap();
        writer.join().unwrap();
        drop(waiter.join());
        let text = |name: &str, bytes: Vec<u8>| {
            String::from_utf8(bytes).unwrap_or_else(|error| panic!("{name} is not UTF-8: {error}"))
        };
        Run {
            exit: output.status.into(),
            stdout: text("stdout", output.stdout),
            stderr: text("stderr", output.stderr),
            root: self.environment.root(),
        }
    }
}

/// What a plain run left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// How it ended.
    pub exit: Exit,
    /// Everything on its standard output.
    pub stdout: String,
    /// Everything on its standard error.
    pub stderr: String,
    root: PathBuf,
}

impl Run {
    /// The exit code.
    ///
    /// # Panics
    /// When a signal ended it.
    #[track_caller]
    pub fn code(&self) -> i32 {
        self.exit.code()
    }

    /// Standard output as one JSON document and a line end.
    ///
    /// # Panics
    /// When it is anything else.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        let document =
            self.stdout.strip_suffix('\n').unwrap_or_else(|| panic!("no line end: {self}"));
        serde_json::from_str(document).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

/// All three in one text for a snapshot, with the test's own folder as `[ROOT]`.
impl fmt::Display for Run {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = OsStr::to_string_lossy(self.root.as_os_str());
        let part = |name: &str, text: &str| {
            let text = text.replace(root.as_ref(), "[ROOT]");
            let end =
                if text.is_empty() || text.ends_with('\n') { "" } else { "\n(no line end)\n" };
            format!("--- {name}\n{text}{end}")
        };
        let (stdout, stderr) = (part("stdout", &self.stdout), part("stderr", &self.stderr));
        write!(formatter, "{}\n{stdout}{stderr}", self.exit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_run_is_told_in_one_text() {
        let environment = TestEnvironment::new("/bin/cat");

        let run = environment.run_shell("cat; pwd; echo wrong >&2; printf rest; exit 3");

        assert_eq!(
            run.to_string(),
            "exit 3\n--- stdout\n[ROOT]/work\nrest\n(no line end)\n--- stderr\nwrong\n"
        );
        assert_eq!(run.code(), 3);
    }

    #[test]
    fn input_reaches_the_program_and_nothing_else_does() {
        let environment = TestEnvironment::new("/bin/cat").env("EXTRA", "1");

        assert_eq!(environment.command([] as [&str; 0]).stdin("{\"a\":1}\n").run().json()["a"], 1);
        let names: Vec<String> = environment
            .run_shell("env | cut -d= -f1 | sort")
            .stdout
            .lines()
            .filter(|name| !matches!(*name, "PWD" | "_" | "OLDPWD" | "SHLVL"))
            .map(str::to_owned)
            .collect();
        let expected = "ASKWELL COLUMNS EXTRA HOME LANG PATH TMPDIR XDG_CACHE_HOME XDG_CONFIG_HOME \
                        XDG_RUNTIME_DIR XDG_STATE_HOME";
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn a_run_has_no_terminal() {
        let run = TestEnvironment::new("/bin/true").run_shell("exec 3<>/dev/tty");

        assert_ne!(run.exit, Exit::Code(0));
    }

    #[test]
    fn a_signal_is_not_a_code() {
        let run = TestEnvironment::new("/bin/true").run_shell("kill -TERM $$");

        assert_eq!(run.exit, Exit::Signal(15));
    }
}
