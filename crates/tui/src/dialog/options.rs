//! How a dialog begins.

use std::time::Duration;

use askwell_core::draft::{DraftState, Entered};
use askwell_core::messages::Lang;

use super::TextEditor;

/// How a dialog begins.
#[derive(Debug, Clone, Default)]
pub struct DialogOptions {
    /// The language of our own chrome.
    pub lang: Lang,
    /// What was entered in this request so far, here or elsewhere: where the person goes on.
    pub draft: Vec<DraftState>,
    /// Texts that lost against another screen's and are kept: the id of the question, and the text.
    pub kept: Vec<(String, String)>,
    /// An earlier draft of the same questions. Offered, never applied silently.
    pub offered: Option<OfferedDraft>,
    /// The request belongs to a host, where it stays pending: Ctrl-C leaves it, as signals do, and
    /// the outcome is aborted with that reason.
    pub stays_pending: bool,
    /// The dialog was opened from an inbox: Esc in the list leads back there, and the outcome is
    /// aborted as well.
    pub in_inbox: bool,
    /// The verified name of the asker's credential.
    pub credential: Option<String>,
    /// Other persons who are answering the same, and for how long they count as doing so.
    pub answering: Vec<(String, Duration)>,
    /// The time until the request expires.
    pub deadline: Option<Duration>,
    /// Drafts are not kept beyond this dialog, and nothing says that they are.
    pub forgets: bool,
    /// Draw without colours. Every state shows by its shape as well.
    pub no_color: bool,
    /// Draw our own chrome in ASCII.
    pub ascii: bool,
    /// Draw nothing: lines are written and read, as in [`crate::Plain`].
    pub plain: bool,
    /// Panic at the first draw, to prove that the terminal is restored.
    #[doc(hidden)]
    pub panic_on_draw: bool,
    /// The person's own editor, where one is set.
    pub editor: Option<TextEditor>,
    /// By which the files of that editor are found again when the same is asked: digits and letters.
    pub edit_key: String,
    /// Draw below the prompt, not on a screen of its own, where the window has rows enough for
    /// every question. A short summary remains.
    pub in_place: bool,
    /// Leave the mouse to the terminal. Below the prompt it always is: nobody knows the rows there.
    pub no_mouse: bool,
}

/// An earlier draft of the same questions.
#[derive(Debug, Clone)]
pub struct OfferedDraft {
    /// What was entered.
    pub entered: Entered,
    /// How long ago it was saved.
    pub age: Duration,
}
