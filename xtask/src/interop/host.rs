//! A host on a state folder that is thrown away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const REQUEST: &str = r#"{"questions": [
  {"id": "q", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}], "multiSelect": true}
], "expiresInSeconds": 86400}"#;

/// How long a host may take to tell where it is.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

pub struct Host {
    program: PathBuf,
    folder: PathBuf,
    child: Child,
    /// Where it is, without a path.
    pub url: String,
}

impl Host {
    /// Starts one on an empty store below this folder.
    pub fn start(program: &Path, folder: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        fs::create_dir_all(folder).map_err(failed)?;
        let log = fs::File::create(folder.join("host.log")).map_err(failed)?;
        let mut command = askwell(program, folder);
        command.arg("serve").env("ASKWELL_PORT", "0").stdout(Stdio::null()).stderr(log);
        let child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let (program, folder) = (program.to_owned(), folder.to_owned());
        let mut host = Self { program, folder, child, url: String::new() };
        host.url = host.found()?;
        Ok(host)
    }

    fn found(&mut self) -> Result<String, String> {
        let begun = Instant::now();
        while begun.elapsed() < STARTS_WITHIN {
            let told = fs::read_to_string(self.state().join("host.json")).unwrap_or_default();
            // One line of JSON that we have written ourselves; its address holds no quote.
            let url = told.split_once("\"url\":\"").and_then(|(_, rest)| rest.split_once('"'));
            if let Some((url, _)) = url {
                return Ok(url.to_owned());
            }
            if let Ok(Some(_)) = self.child.try_wait() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(format!("no host: {}", self.log()))
    }

    /// Posts a request; its id.
    pub fn ask(&self) -> Result<String, String> {
        let path = self.folder.join("request.json");
        fs::write(&path, REQUEST).map_err(|error| error.to_string())?;
        let mut command = askwell(&self.program, &self.folder);
        let output = command.args(["ask", "--detach"]).arg(path).output();
        let output = output.map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// The local credential of a role.
    pub fn token(&self, role: &str) -> Result<String, String> {
        let path = self.state().join("credentials").join(role);
        let token = fs::read_to_string(&path);
        token.map(|it| it.trim().to_owned()).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Fails where it has ended, or panicked, meanwhile.
    pub fn has_borne_it(mut self) -> Result<(), String> {
        if let Ok(Some(status)) = self.child.try_wait() {
            return Err(format!("the host has ended ({status}): {}", self.log()));
        }
        let log = self.log();
        match log.contains("panicked") {
            true => Err(format!("the host has panicked: {log}")),
            false => Ok(()),
        }
    }

    fn state(&self) -> PathBuf {
        self.folder.join("state/askwell")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.join("host.log")).unwrap_or_default()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program with this state folder and nothing else of the environment.
fn askwell(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", folder).env("XDG_STATE_HOME", folder.join("state"));
    command.stdin(Stdio::null());
    command
}
