//! A way to tell, and what becomes of one try.

use std::fmt;

use crate::{Desktop, Message, Ntfy, Program, Webhook};

/// A way to tell.
#[derive(Debug, Clone)]
pub enum Channel {
    /// The desktop of this machine.
    Desktop(Desktop),
    /// A program.
    Command(Program),
    /// A signed post.
    Webhook(Webhook),
    /// A topic of ntfy.
    Ntfy(Ntfy),
}

/// Why a try came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Why, without anything that an asker wrote.
    pub why: String,
    /// What to do about it.
    pub hint: Option<&'static str>,
    /// Whether the other side has surely not taken it, so that it may be tried again.
    pub again: bool,
}

impl Failed {
    pub(crate) fn for_good(why: impl Into<String>) -> Self {
        Self { why: why.into(), hint: None, again: false }
    }

    pub(crate) fn for_now(why: impl Into<String>) -> Self {
        Self { again: true, ..Self::for_good(why) }
    }

    pub(crate) fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

impl Channel {
    /// What it is called in settings and logs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Desktop(_) => "desktop",
            Self::Command(_) => "command",
            Self::Webhook(_) => "webhook",
            Self::Ntfy(_) => "ntfy",
        }
    }

    /// Whether what is told can be read on the way.
    pub fn is_open(&self) -> bool {
        match self {
            Self::Desktop(_) | Self::Command(_) => false,
            Self::Webhook(webhook) => webhook.address().is_open(),
            Self::Ntfy(ntfy) => ntfy.address().is_open(),
        }
    }

    /// Tells it once. `id` is the same for every try of one message.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn send(&self, id: &str, message: &Message) -> Result<String, Failed> {
        match self {
            Self::Desktop(desktop) => desktop.send(message).await,
            Self::Command(program) => program.run(message).await,
            Self::Webhook(webhook) => webhook.send(id, message).await,
            Self::Ntfy(ntfy) => ntfy.send(message).await,
        }
    }
}

/// Where it goes, without what is secret about it.
impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Desktop(desktop) => desktop.fmt(f),
            Self::Command(program) => program.fmt(f),
            Self::Webhook(webhook) => webhook.address().fmt(f),
            Self::Ntfy(ntfy) => ntfy.address().fmt(f),
        }
    }
}
