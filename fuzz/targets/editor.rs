//! Keys in the editor of texts. The caret is always at a limit between clusters and has a cell, the
//! rows cover the text, and undoing everything leads back to the beginning.

#![no_main]

use askwell_tui::editor::Editor;
use libfuzzer_sys::fuzz_target;
use unicode_segmentation::GraphemeCursor;

const BEGUN: &str = "one 日本 👩‍👩‍👧\n\ttwo é";

fuzz_target!(|keys: &str| {
    let mut editor = Editor::with_text(BEGUN).with_limit(4_096);
    let mut width = 12;
    let mut keys = keys.chars();
    while let Some(key) = keys.next() {
        match key {
            '\u{1}' => editor.left(),
            '\u{2}' => editor.right(),
            '\u{3}' => editor.up(width),
            '\u{4}' => editor.down(width),
            '\u{5}' => editor.word_left(),
            '\u{6}' => editor.word_right(),
            '\u{7}' => editor.home(width),
            '\u{8}' => editor.end(width),
            '\u{b}' => editor.backspace(),
            '\u{c}' => editor.delete(),
            '\u{e}' => editor.delete_word_back(),
            '\u{f}' => editor.delete_word_forward(),
            '\u{10}' => editor.delete_to_line_start(),
            '\u{11}' => editor.delete_to_line_end(),
            '\u{12}' => editor.yank().cut == 0,
            '\u{13}' => editor.undo(),
            '\u{14}' => editor.redo(),
            '\u{15}' => {
                let text: String = keys.by_ref().take(8).collect();
                editor.paste(&text).cut == 0
            }
            '\u{16}' => {
                let text: String = keys.by_ref().take(12).collect();
                editor.set_text(&text);
                true
            }
            '\u{17}' => {
                width = keys.next().map_or(1, |it| it as usize % 30);
                true
            }
            '\u{18}' => editor.place(width, keys.next().map_or(0, |it| it as usize % 40), 5),
            other => editor.insert_char(other),
        };
        check(&editor, width);
    }
    let text = editor.text().to_owned();
    let mut steps = 0;
    while editor.undo() {
        check(&editor, width);
        steps += 1;
    }
    assert_eq!(editor.text(), BEGUN);
    (0..steps).for_each(|_| assert!(editor.redo()));
    assert_eq!(editor.text(), text);
});

fn check(editor: &Editor, width: usize) {
    let (text, caret) = (editor.text(), editor.caret());
    let limit = GraphemeCursor::new(caret, text.len(), true).is_boundary(text, 0);
    assert_eq!(limit, Ok(true), "caret at {caret} of {text:?}");
    let layout = editor.layout(width);
    let mut at = 0;
    for line in layout.lines.iter() {
        assert_eq!(line.range.start, at, "a gap in {text:?}");
        at = line.range.end;
    }
    assert_eq!(at, text.len());
    let (row, column) = layout.caret;
    assert!(row < layout.lines.len() && column < width.max(1), "{:?} in {text:?}", layout.caret);
}
