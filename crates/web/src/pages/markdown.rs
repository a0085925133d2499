//! Markdown of askers as markup, from the core's blocks: the same words as in the terminal, and
//! nothing but these elements. No images, no raw HTML; a link shows its whole target.

use maud::{Markup, html};

use askwell_core::text::markdown::{Alignment, Block, Cell, Item, Span, blocks};

/// A document, in a place whose headings begin below `level`.
pub(crate) fn document(markdown: &str, level: u8) -> Markup {
    all(&blocks(markdown), level)
}

fn all(blocks: &[Block], level: u8) -> Markup {
    html! { @for block in blocks { (one(block, level)) } }
}

fn one(block: &Block, level: u8) -> Markup {
    match block {
        Block::Heading { level: own, spans } => heading(spans, level.saturating_add(*own)),
        Block::Paragraph(spans) => html! { p dir="auto" { (line(spans)) } },
        // Focusable, since it scrolls.
        Block::Code { language, text } => html! {
            pre dir="ltr" tabindex="0" data-language=[language.as_deref()] { code { (text) } }
        },
        Block::Quote(blocks) => html! { blockquote dir="auto" { (all(blocks, level)) } },
        Block::List { ordered_from, tight, items } => list(*ordered_from, *tight, items, level),
        Block::Table { header, rows, alignments } => table(header, rows, alignments),
        Block::Rule => html! { hr; },
    }
}

fn heading(spans: &[Span], level: u8) -> Markup {
    let text = line(spans);
    html! {
        @match level {
            0..=2 => h2 dir="auto" { (text) },
            3 => h3 dir="auto" { (text) },
            4 => h4 dir="auto" { (text) },
            5 => h5 dir="auto" { (text) },
            _ => h6 dir="auto" { (text) },
        }
    }
}

fn list(ordered_from: Option<usize>, tight: bool, items: &[Item], level: u8) -> Markup {
    let class = tight.then_some("tight");
    let items = html! {
        @for item in items {
            li dir="auto" class=[item.task.map(|_| "task")] {
                @match item.task {
                    Some(true) => span.task-mark { "☑ " },
                    Some(false) => span.task-mark { "☐ " },
                    None => {},
                }
                (item_blocks(&item.blocks, tight, level))
            }
        }
    };
    html! {
        @match ordered_from {
            Some(1) => ol class=[class] { (items) },
            Some(start) => ol class=[class] start=(start) { (items) },
            None => ul class=[class] { (items) },
        }
    }
}

/// The paragraphs of a tight list stand in its items as they are.
fn item_blocks(blocks: &[Block], tight: bool, level: u8) -> Markup {
    html! {
        @for block in blocks {
            @match block {
                Block::Paragraph(spans) if tight => (line(spans)),
                block => (one(block, level)),
            }
        }
    }
}

fn table(header: &[Cell], rows: &[Vec<Cell>], alignments: &[Alignment]) -> Markup {
    let class = |index: usize| match alignments.get(index) {
        Some(Alignment::Right) => Some("end"),
        Some(Alignment::Center) => Some("center"),
        _ => None,
    };
    html! {
        div.table tabindex="0" {
            table {
                thead { tr {
                    @for (index, cell) in header.iter().enumerate() {
                        th scope="col" dir="auto" class=[class(index)] { (line(cell)) }
                    }
                } }
                tbody {
                    @for row in rows { tr {
                        @for (index, cell) in row.iter().enumerate() {
                            td dir="auto" class=[class(index)] { (line(cell)) }
                        }
                    } }
                }
            }
        }
    }
}

fn line(spans: &[Span]) -> Markup {
    html! {
        @for (index, span) in spans.iter().enumerate() {
            (styled(span))
            @if let Some(target) = ends_link(spans, index) {
                " " span.target dir="ltr" { "(" (target) ")" }
            }
        }
    }
}

/// The target of the link that ends with the span at `index`, where its text does not show it.
fn ends_link(spans: &[Span], index: usize) -> Option<&str> {
    let target = spans[index].style.link.as_deref()?;
    let is_it = |span: &Span| span.style.link.as_deref() == Some(target);
    if spans.get(index + 1).is_some_and(is_it) {
        return None;
    }
    let start = spans[..index].iter().rposition(|span| !is_it(span)).map_or(0, |at| at + 1);
    let text: String = spans[start..=index].iter().map(|span| span.text.as_str()).collect();
    (text.trim() != target).then_some(target)
}

fn styled(span: &Span) -> Markup {
    let style = &span.style;
    let mut markup = broken(&span.text);
    if style.code {
        markup = html! { code dir="auto" { (markup) } };
    }
    if style.strike {
        markup = html! { s { (markup) } };
    }
    if style.italic {
        markup = html! { em { (markup) } };
    }
    if style.bold {
        markup = html! { strong { (markup) } };
    }
    match &style.link {
        None => markup,
        Some(target) => html! {
            a href=(target) target="_blank" rel="noopener noreferrer nofollow" { (markup) }
        },
    }
}

/// Text with the line breaks that its author wanted.
fn broken(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('\n').enumerate() {
            @if index > 0 { br; }
            (part)
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "a *b* **c** `d` ~~e~~",
        r#"<p dir="auto">a <em>b</em> <strong>c</strong> <code dir="auto">d</code> <s>e</s></p>"#
    )]
    #[case("# One", r#"<h3 dir="auto">One</h3>"#)]
    #[case("###### Six", r#"<h6 dir="auto">Six</h6>"#)]
    #[case("a  \nb", r#"<p dir="auto">a<br>b</p>"#)]
    #[case("- a\n- b", r#"<ul class="tight"><li dir="auto">a</li><li dir="auto">b</li></ul>"#)]
    #[case("3. a", r#"<ol class="tight" start="3"><li dir="auto">a</li></ol>"#)]
    #[case("- [x] a", r#"<ul class="tight"><li dir="auto" class="task"><span class="task-mark">☑ </span>a</li></ul>"#)]
    #[case("> a", r#"<blockquote dir="auto"><p dir="auto">a</p></blockquote>"#)]
    #[case(
        "```rust\n<b>\n```",
        r#"<pre dir="ltr" tabindex="0" data-language="rust"><code>&lt;b&gt;</code></pre>"#
    )]
    #[case("---", "<hr>")]
    fn blocks_become_elements(#[case] markdown: &str, #[case] markup: &str) {
        assert_eq!(document(markdown, 2).into_string(), markup);
    }

    #[rstest]
    #[case(
        "[bank](https://evil.example/x)",
        r#"<a href="https://evil.example/x" target="_blank" rel="noopener noreferrer nofollow">bank</a> <span class="target" dir="ltr">(https://evil.example/x)</span>"#
    )]
    #[case(
        "<https://example.org>",
        r#"<a href="https://example.org" target="_blank" rel="noopener noreferrer nofollow">https://example.org</a>"#
    )]
    #[case("[x](javascript:alert(1))", "x (javascript:alert(1))")]
    #[case("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;")]
    fn b128_a_link_shows_where_it_leads_and_nothing_else_acts(
        #[case] markdown: &str,
        #[case] inner: &str,
    ) {
        assert_eq!(document(markdown, 2).into_string(), format!(r#"<p dir="auto">{inner}</p>"#));
    }

    #[test]
    fn a_link_of_several_styles_shows_its_target_once() {
        let markup = document("[a *b*](https://example.org)", 2).into_string();

        assert_eq!(markup.matches("(https://example.org)").count(), 1, "{markup}");
        assert!(!document("![pixel](https://example.org/p.png)", 2).into_string().contains("<img"));
    }

    #[test]
    fn the_cells_of_a_table_stand_as_it_says() {
        let markup = document("| a | b |\n|---|--:|\n| 1 | 2 |", 2).into_string();

        assert_eq!(
            markup,
            r#"<div class="table" tabindex="0"><table><thead><tr><th scope="col" dir="auto">a</th><th scope="col" dir="auto" class="end">b</th></tr></thead><tbody><tr><td dir="auto">1</td><td dir="auto" class="end">2</td></tr></tbody></table></div>"#
        );
    }
}
