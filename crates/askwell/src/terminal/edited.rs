//! What the person's own editor wrote under a dialog that was killed: offered beside the draft when the
//! same is asked again, and gone with the answer.

use std::fs;
use std::path::PathBuf;

use askwell_core::ValidRequest;
use askwell_core::draft::Entered;
use askwell_core::text::{holds, is_blank};
use askwell_tui::{LeftText, TextEditor, texts_left};

use crate::drafts::{DraftFolder, DraftRun, KEPT};

/// The texts of one request that an editor has left behind.
#[derive(Debug, Default)]
pub struct EditedTexts {
    key: String,
    left: Vec<LeftText>,
}

impl EditedTexts {
    /// Finds them; where no editor is set there is no key either, and nothing is looked for.
    pub fn find(editor: Option<&TextEditor>, run: Option<&DraftRun>) -> Self {
        let (Some(editor), Some(run)) = (editor, run) else { return Self::default() };
        let key = run.key();
        let left = texts_left(&editor.folder, &key, KEPT);
        Self { key, left }
    }

    /// By which they are found again.
    pub fn key(&self) -> String {
        self.key.clone()
    }

    /// Those that answer a question and that the earlier draft does not hold, by the question's id.
    pub fn kept(&self, request: &ValidRequest, earlier: Option<&Entered>) -> Vec<(String, String)> {
        let is_earlier = |id: &str, text: &str| {
            let mut states = earlier.iter().flat_map(|earlier| &earlier.states);
            states.any(|state| state.id == id && holds(&state.custom, text))
        };
        let kept = self.left.iter().filter_map(|left| {
            let question = request.questions.get(left.question?)?;
            let new = !is_blank(&left.text) && !is_earlier(&question.id, &left.text);
            new.then(|| (question.id.clone(), left.text.clone()))
        });
        kept.collect()
    }

    /// The files of those that can't be shown: what was written of a comment.
    pub fn comments(&self) -> Vec<PathBuf> {
        let comments = self.left.iter().filter(|left| left.question.is_none());
        comments.filter(|left| !is_blank(&left.text)).map(|left| left.path.clone()).collect()
    }

    /// The request was answered: nobody asks for them any more.
    pub fn remove(self) {
        for left in self.left.iter().filter(|left| left.question.is_some()) {
            // One that can't be removed goes when it is old.
            let _ = fs::remove_file(&left.path);
        }
    }
}

/// The person's own editor: `VISUAL`, else `EDITOR`. Its files go beside the drafts of this user.
pub fn editor_of_this_user() -> Option<TextEditor> {
    let command = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()))?;
    let folder = DraftFolder::of_this_user()?.path().parent()?.to_owned();
    Some(TextEditor { command, folder })
}
