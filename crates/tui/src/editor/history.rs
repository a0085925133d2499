//! The changes of a text that can be taken back.
//!
//! Invariant: undoing every step leads back to the text at the start, as long as the steps fit in [`KEPT_BYTES`].

/// How many bytes of removed and inserted text are kept; older steps are forgotten first.
const KEPT_BYTES: usize = 8 * 1024 * 1024;

/// One change: at `at`, `removed` gave way to `inserted`.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    pub at: usize,
    pub removed: String,
    pub inserted: String,
}

/// What made a change. Runs of the same kind are one step, but every [`Kind::Whole`] is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Typed,
    Backspace,
    Delete,
    Whole,
}

#[derive(Debug, Clone)]
struct Step {
    edit: Edit,
    kind: Kind,
    caret_before: usize,
    caret_after: usize,
}

impl Step {
    fn size(&self) -> usize {
        self.edit.removed.len() + self.edit.inserted.len()
    }

    /// Takes `edit` in, if it goes on where this step ended.
    fn absorb(&mut self, edit: &Edit, kind: Kind) -> bool {
        let mine = &mut self.edit;
        let goes_on = kind == self.kind
            && match kind {
                // A step ends where a word begins, so that undo goes back word by word.
                Kind::Typed => {
                    edit.at == mine.at + mine.inserted.len()
                        && (edit.inserted.starts_with(char::is_whitespace)
                            || !mine.inserted.ends_with(char::is_whitespace))
                }
                Kind::Backspace => edit.at + edit.removed.len() == mine.at,
                Kind::Delete => edit.at == mine.at,
                Kind::Whole => false,
            };
        if goes_on {
            mine.inserted.push_str(&edit.inserted);
            if kind == Kind::Backspace {
                mine.at = edit.at;
                mine.removed.insert_str(0, &edit.removed);
            } else {
                mine.removed.push_str(&edit.removed);
            }
        }
        goes_on
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct History {
    done: std::collections::VecDeque<Step>,
    undone: Vec<Step>,
    /// Whether the next change begins a new step.
    sealed: bool,
    bytes: usize,
}

impl History {
    pub fn record(&mut self, edit: Edit, kind: Kind, caret_before: usize, caret_after: usize) {
        self.undone.clear();
        self.bytes += edit.removed.len() + edit.inserted.len();
        let sealed = std::mem::replace(&mut self.sealed, false);
        let last = self.done.back_mut().filter(|_| !sealed);
        if let Some(last) = last
            && last.absorb(&edit, kind)
        {
            last.caret_after = caret_after;
        } else {
            self.done.push_back(Step { edit, kind, caret_before, caret_after });
        }
        while self.bytes > KEPT_BYTES && self.done.len() > 1 {
            self.bytes -= self.done.pop_front().map_or(0, |step| step.size());
        }
    }

    /// Ends the step, so that what comes next is undone by itself.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    /// The change to take back, and where the caret goes then.
    pub fn undo(&mut self) -> Option<(Edit, usize)> {
        let step = self.done.pop_back()?;
        self.sealed = true;
        self.bytes -= step.size();
        let result = (step.edit.clone(), step.caret_before);
        self.undone.push(step);
        Some(result)
    }

    /// The change to make again, and where the caret goes then.
    pub fn redo(&mut self) -> Option<(Edit, usize)> {
        let step = self.undone.pop()?;
        self.sealed = true;
        self.bytes += step.size();
        let result = (step.edit.clone(), step.caret_after);
        self.done.push_back(step);
        Some(result)
    }
}
