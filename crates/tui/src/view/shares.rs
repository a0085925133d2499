//! How the rows of a window are shared out over the parts of a question.

/// How many rows each part gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shares {
    pub(super) question: usize,
    pub(super) reading: usize,
    pub(super) options: usize,
    pub(super) field: usize,
    /// Below the list and the field; beside them it has their rows as well.
    pub(super) preview: usize,
    pub(super) blanks: usize,
}

/// What each part would like.
pub(super) struct Wishes {
    pub(super) rows: usize,
    pub(super) question: usize,
    pub(super) reading: usize,
    /// With all descriptions; with that of the highlighted option only.
    pub(super) options: (usize, usize),
    pub(super) field: usize,
    /// The caret is in the field, so that this is what has to be seen.
    pub(super) in_field: bool,
    pub(super) preview: usize,
    /// The preview stands beside the list.
    pub(super) beside: bool,
}

impl Wishes {
    /// The most rows of the question itself. Where there is nothing else to show it has them all.
    fn question_most(&self, field: usize) -> usize {
        match self.options.0 {
            0 if self.reading == 0 => self.rows.saturating_sub(field).max(1),
            _ => (self.rows / 3).max(1),
        }
    }

    /// Shares the rows out. The second value: whether all descriptions are shown.
    pub(super) fn share(&self) -> (Shares, bool) {
        let field = self.field.min((self.rows / 3).max(1));
        let question = self.question.min(self.question_most(field));
        let scarce = self.rows < question + field + usize::from(self.options.0 > 0);
        if scarce {
            let field = if self.in_field { self.rows.saturating_sub(question).min(1) } else { 0 };
            let options = self.rows.saturating_sub(question + field).min(self.options.0);
            return (Shares { question, reading: 0, options, field, preview: 0, blanks: 0 }, false);
        }
        let rest = self.rows - question - field;
        let reading_least = least(self.reading, rest);
        let preview_least = match self.beside {
            true => 0,
            false => least(self.preview, rest - reading_least),
        };
        let described = self.options.0 + reading_least + preview_least <= rest;
        let wanted = if described { self.options.0 } else { self.options.1 };
        let listed =
            |taken: usize| wanted.min(rest.saturating_sub(taken)).max(usize::from(wanted > 0));
        let options = listed(reading_least + preview_least);
        let preview = match self.beside {
            true => self.preview.saturating_sub(options + field),
            false => self.preview,
        };
        let preview = preview.min(rest.saturating_sub(options + reading_least));
        let reading = self.reading.min(rest.saturating_sub(options + preview));
        let options = listed(reading + preview);
        let blanks = rest.saturating_sub(reading + options + preview).min(3);
        (Shares { question, reading, options, field, preview, blanks }, described)
    }
}

/// The rows that a text to read has before options show their descriptions.
fn least(wanted: usize, rest: usize) -> usize {
    match rest {
        0..6 => 0,
        _ => wanted.min((rest / 3).max(3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(rows: usize, reading: usize, options: (usize, usize)) -> (Shares, bool) {
        wishes(rows, reading, options).share()
    }

    fn wishes(rows: usize, reading: usize, options: (usize, usize)) -> Wishes {
        Wishes {
            rows,
            question: 1,
            reading,
            options,
            field: 1,
            in_field: false,
            preview: 0,
            beside: false,
        }
    }

    #[test]
    fn what_fits_is_shown_whole_with_blank_lines() {
        let (shares, described) = share(20, 4, (9, 5));
        assert_eq!((shares.reading, shares.options, shares.blanks, described), (4, 9, 3, true));
    }

    #[test]
    fn blank_lines_go_first_then_descriptions_then_the_detail() {
        let (shares, described) = share(16, 4, (9, 5));
        assert_eq!((shares.reading, shares.options, shares.blanks, described), (4, 9, 1, true));
        let (shares, described) = share(12, 4, (9, 5));
        assert_eq!((shares.reading, shares.options, shares.blanks, described), (4, 5, 1, false));
        let (shares, _) = share(5, 4, (9, 5));
        assert_eq!((shares.question, shares.reading, shares.options, shares.field), (1, 0, 3, 1));
    }

    #[test]
    fn b034_free_rows_are_used_before_anything_is_hidden() {
        let (shares, _) = share(26, 120, (3, 3));
        assert_eq!(shares.question + shares.reading + shares.options + shares.field, 26);
        assert_eq!(shares.options, 3);
    }
    #[test]
    fn a_preview_below_goes_before_the_question_the_highlighted_option_the_field() {
        for rows in 3..40 {
            let wishes = Wishes { preview: 50, ..wishes(rows, 50, (9, 5)) };
            let (shares, _) = wishes.share();
            assert_eq!((shares.question, shares.field), (1, 1), "{rows}: {shares:?}");
            assert!(shares.options > 0, "{rows}: {shares:?}");
            let all = shares.question
                + shares.reading
                + shares.options
                + shares.field
                + shares.preview
                + shares.blanks;
            assert_eq!(all, rows, "{shares:?}");
        }
    }

    #[test]
    fn a_preview_beside_takes_only_the_rows_that_the_list_does_not_have() {
        let wishes = Wishes { preview: 12, beside: true, ..wishes(30, 50, (9, 5)) };
        let (shares, described) = wishes.share();
        assert_eq!((shares.options, shares.preview, described), (9, 2, true));
        assert_eq!(shares.reading, 17);
    }
}
