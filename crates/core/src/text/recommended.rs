//! The asker's own "(Recommended)" mark at the end of a label. It is only looked at: the label stays the value.

/// Splits the suffix `(Recommended)` or `(推荐)` off a label, in either bracket width and any case.
///
/// Returns the label without the suffix and `true`, or the whole label and `false`. A label that is nothing but
/// the suffix is not split, since a label must show something.
///
/// ```
/// use askwell_core::text::split_recommended;
/// assert_eq!(split_recommended("Postgres (Recommended)"), ("Postgres", true));
/// assert_eq!(split_recommended("Postgres"), ("Postgres", false));
/// ```
pub fn split_recommended(label: &str) -> (&str, bool) {
    match without_suffix(label) {
        Some(rest) if !rest.is_empty() => (rest, true),
        _ => (label, false),
    }
}

fn without_suffix(label: &str) -> Option<&str> {
    let inner = label.trim_end().strip_suffix([')', '）'])?.trim_end();
    let before = strip_word(inner, "recommended").or_else(|| inner.strip_suffix("推荐"))?;
    Some(before.trim_end().strip_suffix(['(', '（'])?.trim_end())
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (before, tail) = text.split_at_checked(text.len().checked_sub(word.len())?)?;
    tail.eq_ignore_ascii_case(word).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("Postgres (Recommended)", "Postgres", true)]
    #[case("Postgres(recommended)", "Postgres", true)]
    #[case("Postgres  （RECOMMENDED）", "Postgres", true)]
    #[case("数据库（推荐）", "数据库", true)]
    #[case("数据库 (推荐)", "数据库", true)]
    #[case("mixed （Recommended)", "mixed", true)]
    #[case("trailing (Recommended) ", "trailing", true)]
    #[case("twice (Recommended) (Recommended)", "twice (Recommended)", true)]
    #[case("(Recommended)", "(Recommended)", false)]
    #[case(" （推荐）", " （推荐）", false)]
    #[case("Recommended", "Recommended", false)]
    #[case("(Recommended) first", "(Recommended) first", false)]
    #[case("not (unrecommended)", "not (unrecommended)", false)]
    #[case("é)", "é)", false)]
    #[case("", "", false)]
    fn suffix_is_split(#[case] label: &str, #[case] rest: &str, #[case] recommended: bool) {
        assert_eq!(split_recommended(label), (rest, recommended));
    }

    proptest! {
        #[test]
        fn rest_is_a_prefix(label in ".{0,12}[(（]?(recommended|推荐)?[)）]?") {
            let (rest, recommended) = split_recommended(&label);
            prop_assert!(label.starts_with(rest));
            prop_assert!(recommended || rest == label);
        }
    }
}
