//! Display width, counted by extended grapheme cluster exactly as the terminal library lays cells out.
//!
//! Invariant: the width of a text is the sum of the widths of its clusters. A cluster may be wider than two columns
//! (a conjunct of several letters); it is never clamped, since then our layout and the drawn cells would disagree.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What stands where a text was cut.
const ELLIPSIS: &str = "…";

/// The extended grapheme clusters of a text, in order.
#[derive(Debug, Clone)]
pub struct Clusters<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Clusters<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (cluster, rest) = self.rest.split_at_checked(first_len(self.rest))?;
        self.rest = rest;
        (!cluster.is_empty()).then_some(cluster)
    }
}

/// The byte length of the first cluster.
fn first_len(text: &str) -> usize {
    match text.as_bytes() {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        [first] if first.is_ascii() => 1,
        [first, second, ..] if first.is_ascii() && second.is_ascii() => 1,
        _ => {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(first), second)
                    if simple_width(first).is_some()
                        && second.is_none_or(|second| simple_width(second).is_some()) =>
                {
                    first.len_utf8()
                }
                _ => text.graphemes(true).next().map_or(0, str::len),
            }
        }
    }
}

/// The columns of a character that is drawn and never shares a cluster with another such character. Most text is made
/// of them, and needs no tables then.
pub(super) fn simple_width(c: char) -> Option<usize> {
    match c {
        ' '..='~'
        | '\u{a1}'..='\u{ac}'
        | '\u{ae}'..='\u{2ff}'
        | '\u{391}'..='\u{3a1}'
        | '\u{3b1}'..='\u{3c9}'
        | '\u{400}'..='\u{482}'
        | '\u{48a}'..='\u{52f}'
        | '\u{2010}'..='\u{2027}' => Some(1),
        '\u{3001}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{ff01}'..='\u{ff60}' => Some(2),
        _ => None,
    }
}

/// The extended grapheme clusters of `text`.
pub fn clusters(text: &str) -> Clusters<'_> {
    Clusters { rest: text }
}

/// The cluster that starts at byte `at`, which must be a cluster limit. `None` at the end of the text.
pub fn next_cluster(text: &str, at: usize) -> Option<&str> {
    clusters(text.get(at..)?).next()
}

/// The columns that one cluster takes. A cluster with a control character takes none, because it is not drawn.
pub fn cluster_width(cluster: &str) -> usize {
    let mut chars = cluster.chars();
    if let (Some(only), None) = (chars.next(), chars.next())
        && let Some(width) = simple_width(only)
    {
        return width;
    }
    if cluster.contains(char::is_control) {
        return 0;
    }
    // The terminal library counts the halfwidth voicing marks once more, and we have to agree with it.
    cluster.width() + cluster.matches(['\u{ff9e}', '\u{ff9f}']).count()
}

/// The columns that `text` takes on one row.
pub fn width(text: &str) -> usize {
    clusters(text).map(cluster_width).sum()
}

/// Cuts `text` to at most `columns` columns, at a cluster limit, with `…` inside that width where something was cut.
pub fn truncate(text: &str, columns: usize) -> Cow<'_, str> {
    let Some(room) = columns.checked_sub(width(ELLIPSIS)) else {
        return Cow::Borrowed(if width(text) == 0 { text } else { "" });
    };
    let (mut used, mut at, mut cut) = (0, 0, 0);
    for cluster in clusters(text) {
        used += cluster_width(cluster);
        at += cluster.len();
        if used <= room {
            cut = at;
        }
        if used > columns {
            let mut short = text.get(..cut).unwrap_or_default().to_owned();
            short.push_str(ELLIPSIS);
            return Cow::Owned(short);
        }
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("", 0)]
    #[case("plain", 5)]
    #[case("資料庫遷移", 10)]
    #[case("検索🔍", 6)]
    #[case("Ａ全角", 6)]
    #[case("résumé", 6)]
    #[case("re\u{301}sume\u{301}", 6)]
    #[case("👩‍💻 dev", 6)]
    #[case("🇯🇵", 2)]
    #[case("ที่", 1)]
    #[case("\u{1b}[1m", 3)]
    fn b095_width_is_counted_by_cluster(#[case] text: &str, #[case] columns: usize) {
        assert_eq!(width(text), columns);
    }

    #[rstest]
    #[case("hello", 5, "hello")]
    #[case("hello", 4, "hel…")]
    #[case("hello", 1, "…")]
    #[case("hello", 0, "")]
    #[case("", 0, "")]
    #[case("一二三", 5, "一二…")]
    #[case("一二三", 4, "一…")]
    fn truncation(#[case] text: &str, #[case] columns: usize, #[case] cut: &str) {
        assert_eq!(truncate(text, columns), cut);
    }

    #[rstest]
    fn b096_labels_are_cut_between_clusters(#[values(10, 11, 12, 13, 14)] columns: usize) {
        for cluster in ["👨‍👩‍👧‍👦", "e\u{301}"] {
            let label = cluster.repeat(40);
            let cut = truncate(&label, columns);

            let kept = (columns - 1) / cluster_width(cluster);
            assert_eq!(cut, format!("{}…", cluster.repeat(kept)));
            assert!(width(&cut) <= columns);
        }
    }

    #[test]
    fn simple_characters_are_as_wide_as_the_tables_say_and_stand_alone() {
        let simple = ('\0'..=char::MAX).filter(|&c| simple_width(c).is_some());
        for c in simple {
            let pair = format!("{c}{c}");
            assert_eq!(
                UnicodeWidthStr::width(pair.as_str()),
                2 * simple_width(c).unwrap(),
                "{c:?}"
            );
            assert_eq!(pair.graphemes(true).count(), 2, "{c:?}");
            assert_eq!(format!("a{c}中{c}가").graphemes(true).count(), 5, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn clusters_are_those_of_the_standard(text in "[a-c \r\n\u{301}\u{200d}👩💻🇯🇵ที่क्ष가ᄀ\u{1f3fb}]{0,24}") {
            let ours: Vec<_> = clusters(&text).collect();
            prop_assert_eq!(ours, text.graphemes(true).collect::<Vec<_>>());
        }

        #[test]
        fn truncated_text_fits(text in "[a一é\u{301}👩\u{200d}🇯 ]{0,24}", columns in 0usize..20) {
            let cut = truncate(&text, columns);
            prop_assert!(width(&cut) <= columns);
            prop_assert!(text.starts_with(cut.trim_end_matches('…')));
            prop_assert_eq!(width(&text) <= columns, cut == text);
        }
    }
}
