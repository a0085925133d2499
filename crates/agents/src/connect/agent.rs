//! The agents that can be connected, what may be wished of a connection, and what is found of one.

use std::path::PathBuf;

use super::{Places, Target, claude_code, codex, cursor, gemini, opencode, vscode};

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// OpenAI Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Visual Studio Code.
    Vscode,
    /// Cursor.
    Cursor,
}

/// For whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// For everything that this user does.
    User,
    /// For the project in this folder.
    Project,
}

/// What is wished of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The program to be run, as the agent finds it.
    pub program: String,
    /// The state folder, which is none of an agent's business.
    pub state: PathBuf,
    /// The MCP tool, where there is a hook to be had as well.
    pub mcp: bool,
    /// Whether the hook asks in the inbox whoever looks at it.
    pub always: bool,
    /// Whether forms of other MCP servers are answered in the inbox too.
    pub forms: bool,
    /// Variables that say where the host is ([`passed_on`](super::passed_on)).
    pub passed_on: Vec<&'static str>,
}

/// What is found of a connection in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program that is run.
    pub program: String,
    /// What is wrong with it besides.
    pub fault: Option<String>,
}

impl Agent {
    /// Every agent.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Opencode, Self::Vscode, Self::Cursor];

    /// Its name on our command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Vscode => "vscode",
            Self::Cursor => "cursor",
        }
    }

    /// Its own name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
            Self::Vscode => "VS Code",
            Self::Cursor => "Cursor",
        }
    }

    /// Whether it has rules that forbid commands, which a connection adds to.
    pub fn has_rules(self) -> bool {
        !matches!(self, Self::Vscode | Self::Cursor)
    }

    /// Whether it is started by a desktop, which may know of fewer folders with programs than a shell.
    pub fn is_of_a_desktop(self) -> bool {
        matches!(self, Self::Vscode | Self::Cursor)
    }

    /// The files that make the connection, each with what it gets.
    pub fn targets(self, wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
        match self {
            Self::ClaudeCode => claude_code::targets(wish, scope, places),
            Self::Codex => codex::targets(wish, scope, places),
            Self::Gemini => gemini::targets(wish, scope, places),
            Self::Opencode => opencode::targets(wish, scope, places),
            Self::Vscode => vscode::targets(wish, scope, places),
            Self::Cursor => cursor::targets(wish, scope, places),
        }
    }

    /// The files in which a connection of whichever kind may be: each knows what to take out.
    pub fn all_targets(self, wish: &Wish, scope: Scope, places: &Places) -> Vec<Target> {
        // The tool needs every file that the hook needs.
        self.targets(&Wish { mcp: true, ..wish.clone() }, scope, places)
    }

    /// The connections that a file of this agent holds.
    ///
    /// # Errors
    /// [`super::Refused`] where the file is not understood.
    pub fn found(self, text: &str) -> Result<Vec<Found>, super::Refused> {
        match self {
            Self::ClaudeCode => claude_code::found(text),
            Self::Codex => codex::found(text),
            Self::Gemini => gemini::found(text),
            Self::Opencode => opencode::found(text),
            Self::Vscode => vscode::found(text),
            Self::Cursor => cursor::found(text),
        }
    }
}
