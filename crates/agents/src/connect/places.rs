//! Where agents keep their configuration.

use std::path::{Path, PathBuf};

use super::{Agent, Scope};

/// The folders that everything is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The user's home.
    pub home: PathBuf,
    /// `XDG_CONFIG_HOME`, or what stands for it.
    pub config: PathBuf,
    /// The project.
    pub project: PathBuf,
    /// `CLAUDE_CONFIG_DIR`.
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`.
    pub codex: Option<PathBuf>,
    /// Whether opencode has its configuration with comments (`opencode.jsonc`).
    pub opencode_comments: bool,
    /// Whether this is a Mac, where some programs keep theirs elsewhere.
    pub is_mac: bool,
}

impl Places {
    /// The agent's own folder, by which it is known to be here. A project has it or not.
    pub fn folder(&self, agent: Agent, scope: Scope) -> PathBuf {
        match (agent, scope) {
            (Agent::ClaudeCode, Scope::User) => or(&self.claude, self.home.join(".claude")),
            (Agent::ClaudeCode, Scope::Project) => self.project.join(".claude"),
            (Agent::Codex, Scope::User) => or(&self.codex, self.home.join(".codex")),
            (Agent::Codex, Scope::Project) => self.project.join(".codex"),
            (Agent::Gemini, Scope::User) => self.home.join(".gemini"),
            (Agent::Gemini, Scope::Project) => self.project.join(".gemini"),
            (Agent::Opencode, Scope::User) => self.config.join("opencode"),
            (Agent::Opencode, Scope::Project) => self.project.clone(),
            (Agent::Vscode, Scope::User) if self.is_mac => {
                self.home.join("Library/Application Support/Code/User")
            }
            (Agent::Vscode, Scope::User) => self.config.join("Code/User"),
            (Agent::Vscode, Scope::Project) => self.project.join(".vscode"),
            (Agent::Cursor, Scope::User) => self.home.join(".cursor"),
            (Agent::Cursor, Scope::Project) => self.project.join(".cursor"),
        }
    }

    /// The file in which Claude Code keeps MCP servers.
    pub(super) fn claude_servers(&self, scope: Scope) -> PathBuf {
        match scope {
            Scope::User => self.claude.as_ref().unwrap_or(&self.home).join(".claude.json"),
            Scope::Project => self.project.join(".mcp.json"),
        }
    }

    /// A path as it is written in rules: below the home where it is there.
    pub(super) fn in_rules(&self, path: &Path, absolute: &str) -> String {
        match path.strip_prefix(&self.home) {
            Ok(below) => format!("~/{}", below.display()),
            Err(_) => format!("{absolute}{}", path.display()),
        }
    }
}

fn or(chosen: &Option<PathBuf>, usual: PathBuf) -> PathBuf {
    chosen.clone().unwrap_or(usual)
}
