//! Which host a command talks to, and whether one is started for it.

use std::time::{SystemTime, UNIX_EPOCH};

use askwell::inbox::wire::{Role, UnixMillis};
use askwell::inbox::{Client, Environment, Local, Locate, Place, Starter};

use crate::report::{Exit, Failure};

/// When a host is started in the background where none runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Never.
    Never,
    /// Where a store holds something that it could show.
    WithStore,
    /// Always (but in CI and under cron).
    Always,
}

/// The state folder of this user.
///
/// # Errors
/// Where the environment names none.
pub fn place() -> Result<Place, Failure> {
    Place::of_this_user().ok_or_else(|| {
        Failure::new(Exit::Failure, "neither XDG_STATE_HOME nor HOME names a folder")
    })
}

/// A client in this role. Nothing is sent or started before its first call.
///
/// # Errors
/// Where there is no state folder.
pub fn client(role: Role, start: Start) -> Result<Client, Failure> {
    let local = local(role)?;
    let starts = match start {
        Start::Never => false,
        Start::WithStore => local.place.database().exists(),
        Start::Always => true,
    };
    match starts {
        false => Ok(Client::new(local)),
        true => Ok(Client::new(starter(local)?)),
    }
}

/// The host of this user in this role, unless the environment names another one.
///
/// # Errors
/// Where there is no state folder.
pub fn local(role: Role) -> Result<Local, Failure> {
    Ok(Local::new(place()?, role).or(Environment::read()))
}

/// Starts a host where none runs.
///
/// # Errors
/// Where this program's own file is gone.
pub fn starter(local: Local) -> Result<Starter, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(Exit::Failure, format!("this program's file can't be found: {error}"))
    })?;
    Ok(Starter::new(local, program))
}

/// Whether a host runs that could be asked.
pub fn runs(role: Role) -> bool {
    local(role).is_ok_and(|local| local.locate().is_ok())
}

/// Now, by this machine's clock.
pub fn now() -> UnixMillis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis::try_from(since.as_millis()).unwrap_or(UnixMillis::MAX)
}
