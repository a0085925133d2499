//! Names that Claude Code and we must agree on.

/// The name under which its questions are shown.
pub const ASKER: &str = "claude-code";

/// Its own tool for questions.
pub const QUESTION_TOOL: &str = "AskUserQuestion";

/// The name of our own MCP server: its forms are in the inbox already.
pub const SERVER: &str = "askwell";
