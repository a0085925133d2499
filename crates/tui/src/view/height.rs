//! How many rows a dialog below the prompt takes: so many that nothing of any question has to be
//! cut or scrolled.

use askwell_core::Question;
use askwell_core::text::{sanitize, wrap};

use super::Renderer;
use super::field::Field;
use super::key_rows;
use super::options::{Options, Verbs};
use super::preview::Columns;
use crate::dialog::Dialog;

/// Fewer are too few for the prompts.
const LEAST: usize = 10;
/// Blank rows between the parts, which a text of several lines may grow into.
const BLANKS: usize = 3;
/// The strip above and the status line below.
const CHROME: usize = 2;

impl Renderer {
    /// The rows that show every question whole at this width; none where that takes more than
    /// `most`.
    pub fn rows_wanted(&mut self, dialog: &Dialog, columns: u16, most: u16) -> Option<u16> {
        let most = usize::from(most);
        let mut wanted = LEAST;
        // The first one last: its lines are kept, and it is drawn first.
        for index in (0..dialog.request.questions.len()).rev() {
            let question = dialog.question_at(index);
            if bytes(question) > most * usize::from(columns) * 4 || question.options.len() > most {
                return None;
            }
            wanted = wanted.max(self.body_rows(dialog, index, columns, most) + CHROME);
            if wanted > most {
                return None;
            }
        }
        let review = 3 + 2 * dialog.request.questions.len();
        if dialog.has_review() {
            // Which scrolls.
            wanted = wanted.max((review + CHROME).min(most.saturating_sub(2)));
        }
        let keys = key_rows(u16::try_from(wanted + 2).unwrap_or(u16::MAX));
        let wanted = wanted + keys;
        (wanted <= most).then(|| u16::try_from(wanted).ok()).flatten()
    }

    fn body_rows(&mut self, dialog: &Dialog, index: usize, columns: u16, most: usize) -> usize {
        let theme = self.theme;
        let question = dialog.question_at(index);
        let room = usize::from(columns).saturating_sub(2).max(1);
        let text = sanitize(&question.question);
        let asked = wrap(text.trim_end(), room).len();
        let reading = self.reading.lines(dialog, index, room, false, &theme).len();
        let plan = dialog.plan();
        let at = match &plan {
            Some(_) => Columns { list: columns, beside: None },
            None => Columns::of(question, columns),
        };
        let preview = match &plan {
            Some(_) => 0,
            None => self.preview.wanted(dialog, index, at, most + 1, &theme),
        };
        let shown: Vec<usize> = (0..question.options.len()).collect();
        let options = Options {
            question,
            shown: &shown,
            highlighted: None,
            columns: at.list.into(),
            recommended: &dialog.messages.get("recommended"),
            verbs: plan.map(|plan| Verbs::of(plan, &dialog.messages)),
            between: theme.marks.between,
            remark: &|option| dialog.remark(index, option),
        };
        let (options, _) = self.options.heights(index, &options);
        let field = question.allow_custom.then(|| Field::new(dialog, index, at.list, &theme));
        let list = options + field.map_or(0, |field| field.wanted(true));
        let list = match at.beside {
            Some(_) => list.max(preview),
            None => list + preview,
        };
        // A question that takes more than a third is cut there.
        (asked + reading + list + BLANKS).max(3 * asked)
    }
}

/// About how much there is to read: enough to know what can't fit without wrapping it.
fn bytes(question: &Question) -> usize {
    let options = question.options.iter();
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let options = options.map(|it| it.label.len() + length(&it.description));
    question.question.len() + length(&question.detail) + options.sum::<usize>()
}
