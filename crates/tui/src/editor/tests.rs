use proptest::prelude::*;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::Style;
use rstest::rstest;

use askwell_core::text;

use super::*;

/// An editor of `marked`, in which `|` stands for the caret.
fn editor(marked: &str) -> Editor {
    let mut editor = Editor::with_text(&marked.replacen('|', "", 1));
    editor.place_caret(marked.find('|').expect("a caret mark"));
    editor
}

fn marked(editor: &Editor) -> String {
    let (before, after) = editor.text().split_at(editor.caret());
    format!("{before}|{after}")
}

/// Runs operations, such as `left left type:x`, at a width of 10 columns.
fn run(editor: &mut Editor, operations: &str) {
    for operation in operations.split_whitespace() {
        match operation {
            "left" => editor.left(),
            "right" => editor.right(),
            "word-left" => editor.word_left(),
            "word-right" => editor.word_right(),
            "home" => editor.home(10),
            "end" => editor.end(10),
            "up" => editor.up(10),
            "down" => editor.down(10),
            "page-up" => editor.page_up(10, 3),
            "page-down" => editor.page_down(10, 3),
            "start" => editor.to_start(),
            "finish" => editor.to_end(),
            "newline" => editor.newline(),
            "backspace" => editor.backspace(),
            "delete" => editor.delete(),
            "word-back" => editor.delete_word_back(),
            "word-forward" => editor.delete_word_forward(),
            "line-start" => editor.delete_to_line_start(),
            "line-end" => editor.delete_to_line_end(),
            "yank" => editor.yank().inserted > 0,
            "undo" => editor.undo(),
            "redo" => editor.redo(),
            _ => {
                let typed = operation.strip_prefix("type:").expect("an operation");
                typed.replace('_', " ").chars().all(|c| editor.insert_char(c))
            }
        };
    }
}

#[rstest]
#[case("a|", "type:b", "ab|")]
#[case("|", "type:a newline type:b", "a\nb|")]
#[case("ab|", "backspace", "a|")]
#[case("|ab", "backspace", "|ab")]
#[case("|ab", "delete", "|b")]
#[case("ab|", "delete", "ab|")]
#[case("a\n|b", "backspace", "a|b")]
#[case("x👨‍👩‍👧‍👦|", "backspace", "x|")]
#[case("x👨‍👩‍👧‍👦|", "left", "x|👨‍👩‍👧‍👦")]
#[case("|👨‍👩‍👧‍👦x", "right", "👨‍👩‍👧‍👦|x")]
#[case("|👨‍👩‍👧‍👦x", "delete", "|x")]
#[case("🇯🇵🇫🇷|", "backspace", "🇯🇵|")]
#[case("🇯🇵🇫🇷|", "left left", "|🇯🇵🇫🇷")]
#[case("ae\u{301}|", "backspace", "a|")]
#[case("ae\u{301}|", "left", "a|e\u{301}")]
#[case("e|x", "type:\u{301}", "e\u{301}|x")]
#[case("👩|💻", "type:\u{200d}", "👩\u{200d}💻|")]
#[case("a|\n\u{301}", "delete", "a\u{301}|")]
#[case("|\u{301}", "type:e", "e\u{301}|")]
#[case("|🇫🇷", "type:🇵", "🇵🇫|🇷")]
fn clusters_are_the_unit(#[case] before: &str, #[case] operations: &str, #[case] after: &str) {
    let mut editor = editor(before);
    run(&mut editor, operations);
    assert_eq!(marked(&editor), after);
}

#[rstest]
#[case("กที่|", "backspace", "กที|")]
#[case("กที่|", "backspace backspace", "กท|")]
#[case("กที่|", "backspace backspace backspace", "ก|")]
#[case("กที่|", "left", "ก|ที่")]
#[case("ก|ที่", "delete", "ก|")]
#[case("ที่|", "backspace backspace backspace backspace", "|")]
#[case("aकि|", "backspace", "aक|")]
#[case("می\u{200c}|", "backspace", "می|")]
fn b098_marks_with_a_key_are_taken_back_one_by_one(
    #[case] before: &str,
    #[case] operations: &str,
    #[case] after: &str,
) {
    let mut editor = editor(before);
    run(&mut editor, operations);
    assert_eq!(marked(&editor), after);
}

#[rstest]
#[case("one two|", "word-left", "one |two")]
#[case("one two  |", "word-left word-left", "|one two  ")]
#[case("|one, two", "word-right word-right", "one, two|")]
#[case("日本|", "word-left", "日|本")]
#[case("don't|", "word-left", "|don't")]
#[case("one two |", "word-back", "one |")]
#[case("one\n  |", "word-back", "one\n|")]
#[case("one\n|", "word-back", "one|")]
#[case("|one two", "word-forward", "| two")]
#[case("|\none", "word-forward", "|one")]
#[case("foo --|", "word-back", "|")]
#[case("a\nbc|d", "line-start", "a\n|d")]
#[case("a\nbc|d", "line-end", "a\nbc|")]
#[case("a\n|d", "line-start", "a|d")]
#[case("a|\nd", "line-end", "a|d")]
#[case("one two|", "word-back start yank", "two|one ")]
#[case("one|", "line-start backspace yank yank", "oneone|")]
#[case("ab|", "line-end line-start yank", "ab|")]
fn words_lines_and_what_was_cut(
    #[case] before: &str,
    #[case] operations: &str,
    #[case] after: &str,
) {
    let mut editor = editor(before);
    run(&mut editor, operations);
    assert_eq!(marked(&editor), after);
}

#[rstest]
#[case("abc\nde|", "home", "abc\n|de")]
#[case("abc\n|de", "end", "abc\nde|")]
#[case("abcdefghijkl|", "home", "abcdefghij|kl")]
#[case("abcdefghijkl|", "home home", "|abcdefghijkl")]
#[case("|abcdefghijkl", "end", "abcdefghi|jkl")]
#[case("|abcdefghijkl", "end end", "abcdefghijkl|")]
#[case("hello big|world", "end", "hello bigworld|")]
#[case("abc\nde|", "up", "ab|c\nde")]
#[case("abc|\nd\nefg", "down down", "abc\nd\nefg|")]
#[case("abc|\nd\nefg", "down type:x down", "abc\ndx\nef|g")]
#[case("a日|本\nxyz", "down", "a日本\nxyz|")]
#[case("日本\nabc|", "up", "日|本\nabc")]
#[case("a\nb\nc\nd\ne|", "page-up", "a\nb|\nc\nd\ne")]
#[case("a|\nb\nc\nd\ne", "page-down page-down", "a\nb\nc\nd\ne|")]
#[case("ab|c", "start", "|abc")]
#[case("a|bc", "finish", "abc|")]
fn rows_and_goal_column(#[case] before: &str, #[case] operations: &str, #[case] after: &str) {
    let mut editor = editor(before);
    run(&mut editor, operations);
    assert_eq!(marked(&editor), after);
}

#[rstest]
#[case("|", "type:one_two undo", "one |")]
#[case("|", "type:one_two undo undo", "|")]
#[case("|", "type:ab left type:c undo", "a|b")]
#[case("ab|", "backspace backspace undo", "ab|")]
#[case("|ab", "delete delete undo", "|ab")]
#[case("one two|", "word-back undo redo", "one |")]
#[case("a|", "type:b undo type:c redo", "ac|")]
#[case("|", "undo redo", "|")]
fn history(#[case] before: &str, #[case] operations: &str, #[case] after: &str) {
    let mut editor = editor(before);
    run(&mut editor, operations);
    assert_eq!(marked(&editor), after);
}

#[test]
fn up_and_down_tell_when_there_is_no_row() {
    let mut editor = editor("abcdefghij|kl");
    assert!(editor.up(10));
    assert!(!editor.up(10));
    assert!(editor.down(10));
    assert!(!editor.down(10));
}

#[test]
fn paste_is_cleaned_and_capped() {
    let mut editor = Editor::new().with_limit(12);
    let report = editor.paste("a\r\nb\rc\t\u{1b}[m\u{7f}");
    assert_eq!(
        (editor.text(), report),
        ("a\nb\nc\t[m", PasteReport { inserted: 8, stripped: 2, cut: 0 })
    );

    let report = editor.paste("xe\u{301}e\u{301}");
    assert_eq!(
        (editor.text(), report),
        ("a\nb\nc\t[mxe\u{301}", PasteReport { inserted: 4, stripped: 0, cut: 3 })
    );
    assert!(!editor.insert_char('y'));
    assert!(editor.undo() && editor.undo());
    assert_eq!(editor.text(), "");
}

#[rstest]
#[case("one t|wo", "one three", "one t|hree")]
#[case("one| two", "one three", "one| three")]
#[case("one two|", "zero one two", "zero one two|")]
#[case("one two|", "", "|")]
#[case("ab|", "e\u{301}", "e\u{301}|")]
fn text_from_outside_keeps_the_caret(
    #[case] before: &str,
    #[case] text: &str,
    #[case] after: &str,
) {
    let mut editor = editor(before);
    editor.set_text(text);
    assert_eq!(marked(&editor), after);
    editor.undo();
    assert_eq!(editor.text(), before.replace('|', ""));
}

fn picture(editor: &Editor, width: usize) -> Vec<String> {
    editor.layout(width).lines.iter().map(|line| editor.display(line)).collect()
}

#[rstest]
#[case("日本|", 10, &["日本"], (0, 4))]
#[case("日本語|", 5, &["日本", "語"], (1, 2))]
#[case("日本|", 4, &["日本", ""], (1, 0))]
#[case("日本|\nx", 4, &["日本", "", "x"], (1, 0))]
#[case("ab日|本", 5, &["ab日", "本"], (1, 0))]
#[case("one two|", 5, &["one ", "two"], (1, 3))]
#[case("a\t|b", 10, &["a    b"], (0, 5))]
#[case("a\u{202e}|b", 12, &["a<U+202E>b"], (0, 9))]
#[case("|\u{301}", 9, &["◌\u{301}"], (0, 0))]
#[case("👨‍👩‍👧‍👦|", 9, &["👨‍👩‍👧‍👦"], (0, 2))]
#[case("|", 0, &[""], (0, 0))]
#[case("ab|", 0, &["a", "b", ""], (2, 0))]
fn b101_caret_is_counted_by_display_width(
    #[case] before: &str,
    #[case] width: usize,
    #[case] rows: &[&str],
    #[case] caret: (usize, usize),
) {
    let editor = editor(before);
    assert_eq!(editor.layout(width).caret, caret);
    assert_eq!(picture(&editor, width), rows);
}

#[rstest]
fn b035_long_answer_wraps(#[values("", " ")] space: &str) {
    let answer: String = format!("wordy{space}").chars().cycle().take(500).collect();
    let mut editor = Editor::new();
    for c in answer.chars() {
        editor.insert_char(c);
        let layout = editor.layout(48);
        assert!(layout.caret.0 < layout.lines.len() && layout.caret.1 < 48);
    }
    assert_eq!(picture(&editor, 48).concat(), answer);
    assert!(editor.layout(48).lines.len() > 10);

    editor.home(48);
    assert_eq!(editor.layout(48).caret.1, 0);
    editor.end(48);
    assert_eq!(editor.caret(), 500);
    editor.left();
    assert_eq!((editor.caret(), editor.text()), (499, answer.as_str()));
}

/// A guard against work that grows with the square of the text, with room for a busy machine.
#[rstest]
fn a_key_in_a_long_text_is_fast(#[values("word ", "長", "x", "\n", "🇯🇵", "\t")] part: &str) {
    let mut editor = Editor::with_text(&part.repeat(DEFAULT_LIMIT / part.len() - 1));
    editor.place(60, 1000, 7);
    let started = std::time::Instant::now();
    for _ in 0..5 {
        editor.insert_char('y');
        editor.layout(60);
        editor.backspace();
        editor.layout(60);
    }
    let each = started.elapsed() / 10;
    let limit = if cfg!(debug_assertions) { 1000 } else { 20 };
    assert!(each.as_millis() < limit, "{each:?}");
}

#[derive(Debug, Clone)]
enum Step {
    Run(&'static str),
    Type(char),
    Paste(String),
    Set(String),
    Place(usize, usize),
}

const SAMPLE: &str =
    "[ab \n\t一。é\u{301}\u{200d}\u{200b}\u{202e}👩💻🇯🇵🏻ทีกि्क\u{1161}\u{1100}\r\u{1b}ﾞ\u{fe0f}]";

fn sample(most: usize) -> impl Strategy<Value = String> {
    let pattern = format!("{SAMPLE}{{0,{most}}}");
    proptest::string::string_regex(&pattern).expect("a pattern")
}

fn step() -> impl Strategy<Value = Step> {
    const RUNS: &[&str] = &[
        "left",
        "right",
        "word-left",
        "word-right",
        "home",
        "end",
        "up",
        "down",
        "page-up",
        "page-down",
        "start",
        "finish",
        "newline",
        "backspace",
        "delete",
        "word-back",
        "word-forward",
        "line-start",
        "line-end",
        "yank",
        "undo",
        "redo",
    ];
    prop_oneof![
        8 => proptest::sample::select(RUNS).prop_map(Step::Run),
        4 => SAMPLE.prop_map(|text: String| Step::Type(text.chars().next().unwrap_or('x'))),
        1 => sample(30).prop_map(Step::Paste),
        1 => sample(30).prop_map(Step::Set),
        1 => (0usize..6, 0usize..12).prop_map(|(row, column)| Step::Place(row, column)),
    ]
}

fn check_layout(editor: &Editor, width: usize) -> Result<(), TestCaseError> {
    let layout = editor.layout(width);
    let fresh = Rows::new(editor.text(), width.max(1));
    prop_assert_eq!(&layout.lines, &fresh.lines);
    let (row, column) = layout.caret;
    prop_assert!(row < layout.lines.len() && column < width.max(1));
    let mut at = 0;
    for line in layout.lines.iter() {
        prop_assert_eq!(line.range.start, at);
        at = line.range.end;
        let drawn = editor.display(line);
        prop_assert!(!drawn.contains(char::is_control));
        prop_assert_eq!(text::width(&drawn), line.width, "{:?}", drawn);
        let single = clusters_of(editor, line) == 1;
        prop_assert!(line.width <= width.max(1) || single, "{:?}", drawn);
    }
    prop_assert_eq!(at, editor.text().len());
    Ok(())
}

fn clusters_of(editor: &Editor, line: &VisualLine) -> usize {
    text::clusters(&editor.text()[line.range.start..line.shown]).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_operations_keep_the_text_whole(
        initial in sample(40),
        steps in proptest::collection::vec(step(), 0..40),
        width in prop_oneof![Just(10usize), 0usize..14],
    ) {
        let mut editor = Editor::with_text(&initial);
        for step in steps {
            match step {
                Step::Run(operation) => run(&mut editor, operation),
                Step::Type(c) => { editor.insert_char(c); }
                Step::Paste(text) => { editor.paste(&text); }
                Step::Set(text) => {
                    editor.set_text(&text);
                    prop_assert_eq!(editor.text(), &text);
                }
                Step::Place(row, column) => { editor.place(10, row, column); }
            }
            prop_assert!(is_limit(editor.text(), editor.caret()));
            check_layout(&editor, width)?;
        }
        while editor.undo() {
            check_layout(&editor, width)?;
        }
        prop_assert_eq!(editor.text(), &initial);
    }

    #[test]
    fn up_and_down_reach_every_row(initial in sample(60), width in 1usize..9) {
        let mut editor = Editor::with_text(&initial);
        let rows = editor.layout(width).lines.len();
        editor.to_end();
        let ups = std::iter::from_fn(|| editor.up(width).then_some(())).count();
        prop_assert_eq!(ups, rows - 1);
        let downs = std::iter::from_fn(|| editor.down(width).then_some(())).count();
        prop_assert_eq!(downs, rows - 1);
    }

    #[test]
    fn our_width_is_that_of_the_terminal_library(
        source in prop_oneof![any::<String>(), sample(30)],
    ) {
        let clean = text::sanitize_line(&source);
        for cluster in text::clusters(&clean) {
            prop_assert_eq!(text::cluster_width(cluster), usize::from(cluster.cell_width()));
        }
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2000, 1));
        let (end, _) = buffer.set_stringn(0, 0, &clean, usize::MAX, Style::default());
        prop_assert_eq!(text::width(&clean), usize::from(end));
    }
}
