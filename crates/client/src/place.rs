//! Where a host and its clients find each other: the names of the files in one user's state folder.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use askwell_core::wire::Role;

/// A state folder. It is made when something is first written to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// A folder of one's own choice.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// This user's: `askwell` below `$XDG_STATE_HOME`, or `~/.local/state`.
    pub fn of_this_user() -> Option<Self> {
        let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
        let state = state.filter(|path| path.is_absolute()).or_else(|| {
            let home = std::env::home_dir().filter(|path| path.is_absolute())?;
            Some(home.join(".local/state"))
        })?;
        Some(Self::new(state.join("askwell")))
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The store.
    pub fn database(&self) -> PathBuf {
        self.folder.join("askwell.db")
    }

    /// What tells where the running host is.
    pub fn discovery(&self) -> PathBuf {
        self.folder.join("host.json")
    }

    /// What only one host at a time can hold.
    pub fn lock(&self) -> PathBuf {
        self.folder.join("host.lock")
    }

    /// What a host in the background has to say.
    pub fn log(&self) -> PathBuf {
        self.folder.join("host.log")
    }

    /// The same of earlier ones, once it had become long.
    pub fn log_before(&self) -> PathBuf {
        self.folder.join("host.log.1")
    }

    /// The port that the last host listened on.
    pub fn port(&self) -> PathBuf {
        self.folder.join("port")
    }

    /// What seals that which MCP clients carry for us.
    pub fn mcp_key_file(&self) -> PathBuf {
        self.folder.join("mcp-key")
    }

    /// The local credential of this role.
    pub fn credential(&self, role: Role) -> PathBuf {
        self.folder.join("credentials").join(role.as_str())
    }

    /// What signs webhooks, where the settings have no secret.
    pub fn webhook_secret_file(&self) -> PathBuf {
        self.folder.join("webhook-secret")
    }

    /// Makes the folder, with nothing in it for anybody else to see.
    ///
    /// # Errors
    /// Where it can't be made.
    pub fn prepare(&self) -> io::Result<()> {
        make_private(&self.folder)
    }
}

/// Makes a folder that only its owner can look into. One that is there is closed to others.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mode = fs::metadata(folder)?.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    }
    Ok(())
}
