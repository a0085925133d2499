//! What an agent may not do: answer in a person's place, or look into what is the person's.

/// Our commands that act for a person or an admin. (`ask`, `wait`, `check` and the like are an asker's.)
pub(super) const COMMANDS: [&str; 13] = [
    "answer",
    "cancel",
    "connect",
    "elsewhere",
    "history",
    "inbox",
    "list",
    "open",
    "purge",
    "restart",
    "show",
    "stop",
    "token",
];

/// Why, for who meets a rule.
pub(super) const WHY: &str = "A person answers askwell's questions, not an agent.";
