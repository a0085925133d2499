//! From the parser's inline nodes to spans. Walks without recursion, since emphasis may be nested as deeply as the
//! source is long.

use std::sync::Arc;

use comrak::arena_tree::NodeEdge;
use comrak::nodes::{Node, NodeLink, NodeValue};

use super::{Span, SpanStyle};
use crate::text::{sanitize, sanitize_line};

/// All text below `root`, in spans. Blocks below it, if there are any, become lines.
pub(super) fn spans(root: Node<'_>) -> Vec<Span> {
    let mut collector = Collector::default();
    collector.literal(&root.data().value);
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(node) if node.same_node(root) => {}
            NodeEdge::Start(node) => collector.enter(&node.data().value),
            NodeEdge::End(node) => collector.leave(&node.data().value),
        }
    }
    collector.finish()
}

/// Whether a link may lead to `url`: the web or mail, and no character in it that hides where.
fn is_link(url: &str) -> bool {
    let scheme = |scheme: &str| {
        url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    (scheme("http://") || scheme("https://") || scheme("mailto:"))
        && !url.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"'))
        && sanitize_line(url) == url
}

#[derive(Default)]
struct Collector {
    spans: Vec<Span>,
    /// Everything pushed so far, to see whether a link's text is its address.
    plain: String,
    bold: usize,
    italic: usize,
    strike: usize,
    code: bool,
    links: Vec<OpenLink>,
}

struct OpenLink {
    /// Where it leads, or what it is in leads.
    target: Option<Arc<str>>,
    followed: bool,
    /// Where its text starts in `plain`.
    start: usize,
}

impl Collector {
    fn enter(&mut self, value: &NodeValue) {
        match value {
            NodeValue::Strong => self.bold += 1,
            NodeValue::Emph => self.italic += 1,
            NodeValue::Strikethrough => self.strike += 1,
            NodeValue::Link(link) => self.open_link(is_link(&link.url).then_some(&link.url)),
            NodeValue::Image(_) => self.open_link(None),
            NodeValue::TaskItem(task) => {
                self.new_line();
                self.push(if task.symbol.is_some() { "[x] " } else { "[ ] " });
            }
            value if value.block() => {
                self.new_line();
                self.literal(value);
            }
            value => self.literal(value),
        }
    }

    fn leave(&mut self, value: &NodeValue) {
        match value {
            NodeValue::Strong => self.bold = self.bold.saturating_sub(1),
            NodeValue::Emph => self.italic = self.italic.saturating_sub(1),
            NodeValue::Strikethrough => self.strike = self.strike.saturating_sub(1),
            NodeValue::Link(link) => self.close_link(link, false),
            NodeValue::Image(image) => self.close_link(image, true),
            _ => {}
        }
    }

    fn open_link(&mut self, url: Option<&String>) {
        let around = || self.links.last().and_then(|link| link.target.clone());
        let target = url.map(|url| Arc::from(url.as_str())).or_else(around);
        self.links.push(OpenLink { target, followed: url.is_some(), start: self.plain.len() });
    }

    /// Writes what a reader could otherwise not see of a link: its title, and its address where it cannot be followed.
    fn close_link(&mut self, link: &NodeLink, image: bool) {
        let Some(open) = self.links.last() else {
            return;
        };
        let text = self.plain.get(open.start..).unwrap_or_default();
        let (empty, same) = (text.is_empty(), text == link.url);
        let shown = open.followed && !empty;
        if !shown && !same && !link.url.is_empty() {
            let (before, after) = if empty { ("", "") } else { (" (", ")") };
            self.push(before);
            self.open_link((image && is_link(&link.url)).then_some(&link.url));
            self.push(&link.url);
            self.links.pop();
            self.push(after);
        }
        self.links.pop();
        if !link.title.is_empty() {
            self.push(&format!(" \"{}\"", link.title));
        }
    }

    fn literal(&mut self, value: &NodeValue) {
        match value {
            NodeValue::Text(text) => self.push(text),
            NodeValue::SoftBreak => self.push(" "),
            NodeValue::LineBreak => self.push("\n"),
            NodeValue::Code(code) => {
                self.code = true;
                self.push(&code.literal);
                self.code = false;
            }
            NodeValue::CodeBlock(code) => {
                if !code.info.is_empty() {
                    self.push(&code.info);
                    self.new_line();
                }
                self.push(code.literal.trim_end_matches('\n'));
            }
            NodeValue::HtmlBlock(html) => self.push(html.literal.trim_end_matches('\n')),
            NodeValue::HtmlInline(html) => self.push(html),
            _ => {}
        }
    }

    fn new_line(&mut self) {
        if !self.plain.is_empty() && !self.plain.ends_with('\n') {
            self.push("\n");
        }
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.plain.push_str(text);
        let style = SpanStyle {
            bold: self.bold > 0,
            italic: self.italic > 0,
            code: self.code,
            strike: self.strike > 0,
            link: self.links.last().and_then(|link| link.target.clone()),
        };
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.spans.push(Span { text: text.to_owned(), style }),
        }
    }

    /// Entities may have brought in what was cleaned out of the source, so the text is cleaned again.
    fn finish(mut self) -> Vec<Span> {
        for span in &mut self.spans {
            if let std::borrow::Cow::Owned(clean) = sanitize(&span.text) {
                span.text = clean;
            }
        }
        self.spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("https://example.org/a?b=c#d", true)]
    #[case("HTTP://example.org", true)]
    #[case("mailto:a@example.org", true)]
    #[case("javascript:alert(1)", false)]
    #[case("data:text/html,x", false)]
    #[case("file:///etc/passwd", false)]
    #[case("docs/readme.md", false)]
    #[case("//example.org", false)]
    #[case("http:example.org", false)]
    #[case("https://example.org/\u{202e}gro", false)]
    #[case("https://exam ple.org", false)]
    #[case("", false)]
    fn only_web_and_mail_are_links(#[case] url: &str, #[case] link: bool) {
        assert_eq!(is_link(url), link);
    }
}
