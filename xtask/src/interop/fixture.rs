//! The fixture of a suite: a host with other tools than ours at `/mcp`, on a store that is thrown away.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub struct Fixture {
    child: Child,
    /// Where it is, without a path.
    pub url: String,
    /// The token of an asker.
    pub token: String,
}

impl Fixture {
    /// Starts this program on an empty store in this folder.
    pub fn start(program: &Path, folder: &Path) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed)?;
        }
        fs::create_dir_all(folder).map_err(failed)?;
        let log = fs::File::create(folder.join("fixture.log")).map_err(failed)?;
        let mut command = Command::new(program);
        command.arg(folder).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        let child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let mut fixture = Self { child, url: String::new(), token: String::new() };
        let lines = fixture.child.stdout.take().map(|out| BufReader::new(out).lines());
        let mut lines = lines.into_iter().flatten().map_while(Result::ok);
        match (lines.next(), lines.next()) {
            (Some(url), Some(token)) => (fixture.url, fixture.token) = (url, token),
            _ => return Err(format!("no fixture: see {}", folder.join("fixture.log").display())),
        }
        Ok(fixture)
    }

    /// Fails where it has ended, or panicked, meanwhile.
    pub fn has_borne_it(mut self, folder: &Path) -> Result<(), String> {
        let log = fs::read_to_string(folder.join("fixture.log")).unwrap_or_default();
        match self.child.try_wait() {
            Ok(None) if !log.contains("panicked") => Ok(()),
            _ => Err(format!("the fixture has ended or panicked: {log}")),
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
