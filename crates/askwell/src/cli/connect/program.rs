//! How an agent finds this program.

use std::path::{Path, PathBuf};

use askwell_agents::connect::{Agent, Scope};

use crate::report::{Exit, Failure};

/// `askwell`, where that is this very program for who runs the agent; else where it is found, or is.
pub fn named(agent: Agent, scope: Scope) -> Result<String, Failure> {
    let own = std::env::current_exe().map_err(|error| {
        Failure::new(Exit::Failure, format!("this program's file can't be found: {error}"))
    })?;
    // A desktop starts programs with fewer folders on its path than a shell.
    let on_path = scope == Scope::Project || !agent.is_of_a_desktop();
    let found = find("askwell").filter(|found| is_same(found, &own));
    if on_path && found.is_some() {
        return Ok("askwell".to_owned());
    }
    // What is on the path may be a link that the next version moves.
    let place = found.filter(|found| found.is_absolute()).unwrap_or(own);
    place.into_os_string().into_string().map_err(|path| {
        Failure::new(Exit::Failure, format!("{} is no text", Path::new(&path).display()))
    })
}

/// The program that a name or a path means.
pub fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return is_program(Path::new(program)).then(|| PathBuf::from(program));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(one).is_some_and(|one| Some(one) == whole(other))
}
