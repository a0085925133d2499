use super::*;
use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

fn text(text: &str) -> Span {
    Span { text: text.to_owned(), style: SpanStyle::default() }
}

fn styled(text: &str, style: SpanStyle) -> Span {
    Span { text: text.to_owned(), style }
}

fn link(text: &str, url: &str) -> Span {
    styled(text, SpanStyle { link: Some(url.into()), ..SpanStyle::default() })
}

fn paragraph(words: &str) -> Block {
    Block::Paragraph(vec![text(words)])
}

fn item(words: &str) -> Item {
    Item { task: None, blocks: vec![paragraph(words)] }
}

#[rstest]
#[case("")]
#[case(" \n\t\n")]
fn blank_text_has_no_blocks(#[case] markdown: &str) {
    assert_eq!(blocks(markdown), []);
    assert_eq!(plain(markdown), "");
}

#[test]
fn blocks_of_every_kind() {
    let markdown = "# Title\n\nText\nruns on\\\nnew line\n\n> quoted\n\n---\n\n```rust x\n\tlet a;\n```\n\n\
        3. three\n4. four\n\n- [x] done\n- [ ] open\n";
    let task = |task, words| Item { task: Some(task), ..item(words) };
    assert_eq!(
        blocks(markdown),
        [
            Block::Heading { level: 1, spans: vec![text("Title")] },
            paragraph("Text runs on\nnew line"),
            Block::Quote(vec![paragraph("quoted")]),
            Block::Rule,
            Block::Code { language: Some("rust x".into()), text: "    let a;".into() },
            Block::List {
                ordered_from: Some(3),
                tight: true,
                items: vec![item("three"), item("four")]
            },
            Block::List {
                ordered_from: None,
                tight: true,
                items: vec![task(true, "done"), task(false, "open")]
            },
        ]
    );
}

#[test]
fn spans_carry_their_styles() {
    let bold = SpanStyle { bold: true, ..SpanStyle::default() };
    let both = SpanStyle { italic: true, ..bold.clone() };
    let strike = SpanStyle { strike: true, ..SpanStyle::default() };
    let code = SpanStyle { code: true, ..SpanStyle::default() };
    assert_eq!(
        blocks("**b _i_** ~~s~~ `c`"),
        [Block::Paragraph(vec![
            styled("b ", bold),
            styled("i", both),
            text(" "),
            styled("s", strike),
            text(" "),
            styled("c", code),
        ])]
    );
}

#[rstest]
#[case("[docs](https://e.org \"the title\")", vec![link("docs", "https://e.org"), text(" \"the title\"")])]
#[case("see https://e.org", vec![text("see "), link("https://e.org", "https://e.org")])]
#[case("<a@e.org>", vec![link("a@e.org", "mailto:a@e.org")])]
#[case("[](https://e.org)", vec![link("https://e.org", "https://e.org")])]
#[case("[click](javascript:alert%281%29)", vec![text("click (javascript:alert%281%29)")])]
#[case("[docs/a.md](docs/a.md)", vec![text("docs/a.md")])]
#[case("![a cat](https://e.org/c.png)", vec![text("a cat ("), link("https://e.org/c.png", "https://e.org/c.png"), text(")")])]
#[case("![](cat.png)", vec![text("cat.png")])]
#[case("[r][1]\n\n[1]: https://e.org", vec![link("r", "https://e.org")])]
#[case("a <b onclick=x>bold</b> &amp; <!-- c -->", vec![text("a <b onclick=x>bold</b> & <!-- c -->")])]
#[case("<script>\nalert(1)\n</script>", vec![text("<script>\nalert(1)\n</script>")])]
#[case("a\u{1b}[2J&#x202e;b&#27;&#0;", vec![text("a␛[2J<U+202E>b␛\u{fffd}")])]
#[case("[x](https://e.org/&#x202e;gro)", vec![text("x (https://e.org/<U+202E>gro)")])]
fn inline_text(#[case] markdown: &str, #[case] spans: Vec<Span>) {
    assert_eq!(blocks(markdown), [Block::Paragraph(spans)]);
}

#[test]
fn tables_keep_cells_beyond_the_last_column() {
    let cell = |words: &str| vec![text(words)];
    assert_eq!(
        blocks("> | a | b |\n> |:-:|--:|\n> | 1 | 2 | three | four |\n> | x |"),
        [Block::Quote(vec![Block::Table {
            header: vec![cell("a"), cell("b")],
            rows: vec![vec![cell("1"), cell("2"), cell("three | four")], vec![cell("x"), vec![]]],
            alignments: vec![Alignment::Center, Alignment::Right],
        }])]
    );
}

#[rstest]
#[case("[unused]: https://e.org 'title'", &["[unused]: https://e.org 'title'"])]
#[case("> [a]:\n> /next", &["", "[a]: > /next"])]
#[case("[a]: /x\n[a]: /y\n\n[a]", &["a (/x)", "[a]: /y"])]
#[case("text\n[a]: no definition", &["text [a]: no definition"])]
#[case("    [a]: code", &["[a]: code"])]
fn definitions_do_not_vanish(#[case] markdown: &str, #[case] shown: &[&str]) {
    let shown_blocks: Vec<String> = blocks(markdown)
        .iter()
        .map(|block| match block {
            Block::Paragraph(spans) => spans.iter().map(|span| span.text.as_str()).collect(),
            Block::Code { text, .. } => text.clone(),
            _ => String::new(),
        })
        .collect();
    assert_eq!(shown_blocks, shown);
}

#[test]
fn deep_blocks_become_plain_text() {
    fn depth(blocks: &[Block]) -> usize {
        blocks
            .iter()
            .map(|block| match block {
                Block::Quote(inner) => 1 + depth(inner),
                Block::List { items, .. } => {
                    1 + items.iter().map(|item| depth(&item.blocks)).max().unwrap_or(0)
                }
                _ => 0,
            })
            .max()
            .unwrap_or(0)
    }
    let blocks = blocks(&format!("{} deep *down*\n\n# and after", "> - ".repeat(60)));

    assert!(depth(&blocks) <= MAX_DEPTH + 1);
    let mut words = Vec::new();
    collect_words(&blocks, &mut words);
    assert!(words.concat().contains("deep down"), "{words:?}");
}

/// Sources that make naive parsers slow, deep or large. In release all of them are far below a second.
#[rstest]
#[case("> ")]
#[case(">")]
#[case("- ")]
#[case("1. ")]
#[case("> - ")]
#[case("[")]
#[case("![")]
#[case("[a](")]
#[case("*a ")]
#[case("**a _b ")]
#[case("a**b")]
#[case("~~a ")]
#[case("`a ``")]
#[case("<a ")]
#[case("<!--")]
#[case("&")]
#[case("\\")]
#[case("|")]
#[case("|a|b\n|-|-\n")]
#[case("[a]: /x\n")]
#[case("[a][a")]
#[case("a@b.c ")]
#[case("http://a.b/(")]
#[case("www.")]
#[case("- a\n\n  ")]
#[case("> a\nb\n")]
#[case("\u{202e}\u{301}")]
#[case("[*a*](/u) ")]
#[case("```\n")]
#[case("<b>\n")]
fn hostile_sources_end_soon(#[case] pattern: &str) {
    ends_soon(&pattern.repeat(LENGTH / pattern.len()));
}

#[rstest]
#[case(">".repeat(LENGTH / 2) + "\n" + &"a\n".repeat(LENGTH / 4))]
#[case(">".repeat(LENGTH / 2) + "\n" + &">\n".repeat(LENGTH / 4))]
#[case("- ".repeat(100) + &"\n".repeat(LENGTH))]
#[case((0..LENGTH.isqrt() / 2).map(|depth| "  ".repeat(depth) + "- a\n").collect())]
#[case((0..LENGTH.isqrt() / 2).map(|depth| "> ".repeat(depth) + "\n").collect())]
#[case("|a".repeat(LENGTH / 8) + "\n" + &"|-".repeat(LENGTH / 8) + "\n" + &"|\n".repeat(LENGTH / 4))]
#[case(format!("[a]: /{}\n\n{}", "x".repeat(LENGTH / 4), "[a] ".repeat(LENGTH / 8)))]
#[case(format!("[{}](https://e.org/{})", "*a* ".repeat(LENGTH / 8), "x".repeat(LENGTH / 2)))]
#[case((0..LENGTH / 10).map(|n| format!("[{n}]: /{n}\n")).collect())]
#[case((0..LENGTH.isqrt()).map(|n| format!("{}\n", "`".repeat(n))).collect())]
#[case(format!("{}a{}", "*".repeat(LENGTH / 2), "*".repeat(LENGTH / 2)))]
#[case(format!("{}a{}", "[".repeat(LENGTH / 2), "](u)".repeat(LENGTH / 8)))]
#[case(format!("{}a{}", "![".repeat(LENGTH / 6), "](u)".repeat(LENGTH / 6)))]
fn hostile_shapes_end_soon(#[case] source: String) {
    ends_soon(&source);
}

const LENGTH: usize = if cfg!(debug_assertions) { 16 * 1024 } else { 256 * 1024 };

fn ends_soon(source: &str) {
    let started = std::time::Instant::now();
    assert!(!blocks(source).is_empty());
    assert!(started.elapsed().as_secs_f32() < 2.0, "{:?}", started.elapsed());
}

#[test]
fn long_honest_text_is_read_as_markdown() {
    let section = "## A *heading*\n\n- **item** with [a link](https://e.org) and `code`\n  - nested\n\n> quote\n\n\
        | a | b |\n|---|---|\n| 1 | 2 |\n\n";
    let blocks = blocks(&section.repeat(LENGTH / section.len()));
    assert_eq!(blocks.len(), 4 * (LENGTH / section.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn words_survive_and_are_clean(
        parts in proptest::collection::vec("([a-z]{1,3}|[ \n\t>|*_~`<\\-#\\[\\]()!:&.]|\u{202e}|\u{1b}|\\[k\\]: /w\n)", 0..60),
    ) {
        let source = parts.concat();
        let mut shown = Vec::new();
        let blocks = blocks(&source);
        collect_words(&blocks, &mut shown);
        let mut shown = shown.concat();
        let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        prop_assert!(!shown.contains(hidden));
        // Addresses and languages are in no span's text.
        shown.push_str(&format!("{blocks:?}"));
        for word in source.split(|c: char| !c.is_ascii_lowercase()).filter(|word| !word.is_empty()) {
            prop_assert!(shown.contains(word), "{word:?} of {source:?}");
        }
    }
}
