//! Two screens at work on one question: what stands when both have changed it.
//!
//! Pure. Invariant: what was changed here stands, and so does what was changed there and not here.

use crate::draft::DraftState;
use crate::request::Question;

/// A question as it stands after both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    /// How it stands.
    pub state: DraftState,
    /// Both have written a text, and not the same: the one from here stands.
    pub conflict: bool,
}

/// Merges what stands here and there, both begun on `base`. Ticks are merged one by one; on a
/// single-select question the choice and the switch of its text are one.
pub fn merge(
    question: &Question,
    base: &DraftState,
    mine: &DraftState,
    theirs: &DraftState,
) -> Merge {
    let whole = |state: &DraftState| Merge { state: state.clone(), conflict: false };
    if mine == base {
        return whole(theirs);
    }
    if theirs == base || theirs == mine {
        return whole(mine);
    }
    let mut state = mine.clone();
    let (wrote, written) = (mine.custom != base.custom, theirs.custom != base.custom);
    let conflict = wrote && written && mine.custom != theirs.custom;
    if question.is_multi_select() {
        let has = |state: &DraftState, label: &str| state.chosen.iter().any(|it| it == label);
        let stands = |label: &str| match has(mine, label) == has(base, label) {
            true => has(theirs, label),
            false => has(mine, label),
        };
        let labels = question.options.iter().map(|option| &option.label);
        state.chosen = labels.filter(|label| stands(label)).cloned().collect();
        if !wrote && mine.custom_on == base.custom_on {
            (state.custom, state.custom_on) = (theirs.custom.clone(), theirs.custom_on);
        }
        let only_looked_at = mine.chosen == base.chosen && !wrote && mine.skipped == base.skipped;
        if only_looked_at {
            state.skipped = theirs.skipped;
        }
    }
    if !wrote && written && state.custom != theirs.custom {
        // Their text is kept beside the choice from here.
        (state.custom, state.custom_on) = (theirs.custom.clone(), false);
    }
    Merge { state, conflict }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn state(chosen: &[&str], custom: &str) -> DraftState {
        DraftState {
            id: "q".to_owned(),
            chosen: chosen.iter().map(|label| (*label).to_owned()).collect(),
            custom: custom.to_owned(),
            custom_on: !custom.is_empty(),
            skipped: false,
        }
    }

    fn question() -> Question {
        Question::new("q", "Which?").option("A").option("B").option("C")
    }

    #[test]
    fn ticks_of_two_screens_both_stand_and_so_do_those_taken_back() {
        let question = Question { multi_select: true, ..question() };
        let (base, mine) = (state(&["C"], ""), state(&["A", "C"], ""));

        let merged = merge(&question, &base, &mine, &state(&["B"], "their text"));

        let expected = state(&["A", "B"], "their text");
        assert_eq!(merged, Merge { state: expected, conflict: false });
    }

    #[test]
    fn of_two_texts_the_one_from_here_stands_and_that_is_a_conflict() {
        let question = Question { multi_select: true, ..question() };

        let merged = merge(&question, &state(&[], ""), &state(&[], "x"), &state(&["B"], "y"));

        assert_eq!(merged, Merge { state: state(&["B"], "x"), conflict: true });
    }

    #[test]
    fn a_choice_here_keeps_the_text_from_there_switched_off() {
        let merged =
            merge(&question(), &state(&[], ""), &state(&["A"], ""), &state(&[], "their text"));

        let expected = DraftState { custom_on: false, ..state(&["A"], "their text") };
        assert_eq!(merged, Merge { state: expected, conflict: false });
    }
}
