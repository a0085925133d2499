//! A text of the dialog in the person's own editor (Ctrl-G).
//!
//! Invariants: while it is open no key acts here and the dialog does not end; what came back is in
//! the draft before anything else happens.

use std::ffi::OsString;
use std::path::PathBuf;

use askwell_core::text::sanitize_line;
use askwell_core::{Outcome, limits};

use super::{Dialog, Effect, Focus, Phase, PromptKind, Row, Screen, Status};
use crate::event::{EditorFault, EditorFaultKind};
use crate::terminal::file_name;

/// The person's own editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEditor {
    /// As a shell reads it: a program, perhaps with arguments, as `EDITOR` has it.
    pub command: OsString,
    /// Where its file goes: a folder of this user alone. Made where it is missing.
    pub folder: PathBuf,
}

/// The editor is open.
pub(super) struct External {
    text: Text,
    /// How the dialog ends once it is closed, where that is settled.
    ending: Option<Outcome>,
}

#[derive(Debug, Clone, Copy)]
enum Text {
    Custom(usize),
    Comment,
}

impl Dialog {
    /// Opens the editor on the text that is written here.
    pub(crate) fn open_external(&mut self, effects: &mut Vec<Effect>) {
        if self.phase != Phase::Open {
            return;
        }
        let (text, begun, limit) = match (&self.prompt, self.overlay, self.screen) {
            (Some(prompt), None, _) if matches!(prompt.kind, PromptKind::Comment) => {
                (Text::Comment, self.comment.text(), limits::COMMENT)
            }
            (None, None, Screen::Question(index)) => {
                if !self.question_at(index).allow_custom {
                    return self.note("no-custom");
                }
                (Text::Custom(index), self.questions[index].editor.text(), limits::CUSTOM)
            }
            _ => return,
        };
        if self.options.editor.is_none() {
            return self.error("editor-unset");
        }
        let question = match text {
            Text::Custom(index) => Some(index),
            Text::Comment => None,
        };
        let name = file_name(&self.options.edit_key, question);
        effects.push(Effect::OpenEditor { text: begun.to_owned(), limit, name });
        self.external = Some(External { text, ending: None });
        if let Text::Custom(index) = text {
            self.questions[index].row = Row::Custom;
            self.questions[index].focus = Focus::Field;
        }
    }

    /// Whether the editor has the terminal.
    pub(crate) fn is_at_editor(&self) -> bool {
        self.external.is_some()
    }

    /// The dialog ends, but not under the editor. One that has to leave does not wait for a person.
    pub(super) fn end_after_editor(&mut self, outcome: Outcome, effects: &mut Vec<Effect>) {
        let Some(external) = &mut self.external else { return };
        let leaves = matches!(outcome, Outcome::Aborted { .. });
        if leaves && !matches!(external.ending, Some(Outcome::Aborted { .. })) {
            effects.push(Effect::CloseEditor);
            external.ending = Some(outcome);
        } else {
            external.ending.get_or_insert(outcome);
        }
    }

    /// The editor is closed: its text takes the place of the one here, as one step of undo.
    pub(super) fn editor_closed(
        &mut self,
        result: Result<String, EditorFault>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(external) = self.external.take() else { return };
        self.status = None;
        match (result, external.text) {
            (Ok(text), Text::Custom(index)) => {
                let editor = &mut self.questions[index].editor;
                if editor.text() != text {
                    editor.set_text(&text);
                    editor.to_end();
                    self.written(index);
                }
            }
            (Ok(text), Text::Comment) => {
                if self.comment.text() != text {
                    self.comment.set_text(&text);
                    self.comment.to_end();
                    self.saving.edited(self.now);
                }
            }
            (Err(fault), _) => self.status = Some(Status::Error(self.editor_fault(&fault))),
        }
        // What was typed into the editor's last moments is not meant for the dialog.
        self.guard.rearm();
        if let Some(outcome) = external.ending {
            self.end(outcome, effects);
        }
    }

    fn editor_fault(&self, fault: &EditorFault) -> String {
        let told = |reason: &str| [("reason", sanitize_line(reason).into_owned().into())];
        let what = match &fault.kind {
            EditorFaultKind::Unset => self.messages.get("editor-unset"),
            EditorFaultKind::Start(reason) => self.messages.with("editor-start", told(reason)),
            EditorFaultKind::Failed(reason) => self.messages.with("editor-failed", told(reason)),
            EditorFaultKind::Unreadable(reason) => {
                self.messages.with("editor-unreadable", told(reason))
            }
            EditorFaultKind::NotText => self.messages.get("editor-not-text"),
            EditorFaultKind::TooLong(limit) => {
                self.messages.with("editor-too-long", [("limit", (*limit).into())])
            }
        };
        match &fault.kept {
            None => what,
            Some(path) => {
                let path = sanitize_line(&path.to_string_lossy()).into_owned();
                // Where comes last: a narrow line may cut it, and it is told once more at the end.
                self.messages.with("editor-kept", [("what", what.into()), ("path", path.into())])
            }
        }
    }
}
