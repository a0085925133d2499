//! A person's draft on the wire: state, never a toggle, with a revision for each question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{RequestId, UnixMillis};
use crate::draft::DraftState;

/// The draft of one question as the host has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftEntry {
    /// What was entered.
    #[serde(flatten)]
    pub state: DraftState,
    /// Counts the writes of this question; 0 for an untouched one. The `base` of the next write.
    pub revision: u64,
    /// Texts that lost against another screen, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<StoredText>,
}

/// A text that lost against another screen, and was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredText {
    /// The text.
    pub text: String,
    /// When it was written.
    pub at: UnixMillis,
}

/// A person's draft of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftView {
    /// The request.
    pub request: RequestId,
    /// Counts the writes of the whole draft; 0 for an untouched one.
    pub revision: u64,
    /// When it was last edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<UnixMillis>,
    /// One entry for each question, in their order.
    pub questions: Vec<DraftEntry>,
    /// What the person had entered when the same was asked before: to be offered, never applied
    /// silently. Only while this draft is untouched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<OfferedDraft>,
}

impl DraftView {
    /// The states of all questions, for [`crate::RequestDraft::from_states`].
    pub fn states(&self) -> Vec<DraftState> {
        self.questions.iter().map(|entry| entry.state.clone()).collect()
    }
}

/// The draft of an earlier request with equal questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedDraft {
    /// The request that it was written for.
    pub from: RequestId,
    /// When it was last edited.
    pub edited_at: UnixMillis,
    /// What was entered, one state for each question.
    pub questions: Vec<DraftState>,
}

/// A write to some questions of a draft. Each is saved or refused for itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftWrite {
    /// The questions that were edited.
    pub questions: Vec<EntryWrite>,
}

/// What one question's draft shall be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryWrite {
    /// What is entered now.
    #[serde(flatten)]
    pub state: DraftState,
    /// The revision on which it was edited; 0 for an untouched one.
    #[serde(default)]
    pub base: u64,
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftSaved {
    /// The revision of the whole draft now.
    pub revision: u64,
    /// One result for each question of the write, in its order.
    pub questions: Vec<EntrySaved>,
}

impl DraftSaved {
    /// Whether every question was saved.
    pub fn is_saved(&self) -> bool {
        self.questions.iter().all(|question| question.result == Saved::Saved)
    }
}

/// What became of one question of a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntrySaved {
    /// Whether it was saved.
    pub result: Saved,
    /// How this question's draft stands now: the write in its canonical form, or what another
    /// screen wrote meanwhile.
    #[serde(flatten)]
    pub entry: DraftEntry,
}

/// Whether one question of a write was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum Saved {
    /// It is on disk, on a new revision.
    #[serde(rename = "saved")]
    Saved,
    /// It was edited on an old base. Its text is kept beside the draft.
    #[serde(rename = "STALE_DRAFT")]
    Stale,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_write_is_flat_and_what_is_left_out_is_untouched() {
        let json =
            json!({"questions": [{"id": "db", "chosen": ["A"], "customOn": true, "base": 3}]});
        let write: DraftWrite = serde_json::from_value(json).unwrap();

        let state = DraftState {
            id: "db".to_owned(),
            chosen: vec!["A".to_owned()],
            custom_on: true,
            ..DraftState::default()
        };
        assert_eq!(write, DraftWrite { questions: vec![EntryWrite { state, base: 3 }] });
    }

    #[test]
    fn a_refused_question_says_so_and_shows_how_it_stands() {
        let state = DraftState { id: "db".to_owned(), ..DraftState::default() };
        let entry = DraftEntry { state, revision: 4, kept: Vec::new() };
        let saved =
            DraftSaved { revision: 9, questions: vec![EntrySaved { result: Saved::Stale, entry }] };

        let json = json!({"revision": 9, "questions": [{"result": "STALE_DRAFT", "id": "db",
            "chosen": [], "custom": "", "customOn": false, "skipped": false, "revision": 4}]});
        assert_eq!(serde_json::to_value(&saved).unwrap(), json);
        assert_eq!(serde_json::from_value::<DraftSaved>(json).unwrap(), saved);
        assert!(!saved.is_saved());
    }
}
