//! The words of our own chrome, in English and Chinese, from one Fluent catalogue that the terminal
//! and the page share. The texts of askers are never in here, and are never translated.

mod lines;

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language of the chrome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The language of a tag such as `zh_CN.UTF-8`, `zh-Hans` or `en`, where we have it.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let language = tag.split(['_', '-', '.', '@']).next().unwrap_or_default();
        match language.to_ascii_lowercase().as_str() {
            "zh" => Some(Self::Zh),
            "en" | "c" | "posix" => Some(Self::En),
            _ => None,
        }
    }

    /// The language of the first of some tags that is not empty, such as `LC_ALL`, `LC_MESSAGES`,
    /// `LANG`; English where that one is of no language that we have.
    pub fn from_locale<'a>(tags: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let first = tags.into_iter().flatten().find(|tag| !tag.is_empty());
        first.and_then(Self::from_tag).unwrap_or_default()
    }

    /// Its tag, as HTML and a command line take it.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    fn id(self) -> LanguageIdentifier {
        // Without a language the plural rules are those of the root locale.
        self.tag().parse().unwrap_or_default()
    }

    fn source(self) -> &'static str {
        match self {
            Self::En => include_str!("../../messages/en.ftl"),
            Self::Zh => include_str!("../../messages/zh.ftl"),
        }
    }
}

/// The messages of one language.
pub struct Messages {
    lang: Lang,
    ascii: bool,
    /// Parsed when the first message is asked for that is more than a line.
    bundle: OnceLock<FluentBundle<FluentResource>>,
}

impl Messages {
    /// The catalogue of a language.
    pub fn new(lang: Lang) -> Self {
        Self { lang, ascii: false, bundle: OnceLock::new() }
    }

    /// The same with the typographic characters of our own words in ASCII.
    #[must_use]
    pub fn in_ascii(mut self, ascii: bool) -> Self {
        self.ascii = ascii;
        self
    }

    /// The language of these messages.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The message with this id; the id itself where there is none.
    pub fn get(&self, id: &str) -> String {
        self.format(id, None)
    }

    /// The message with this id and these values.
    pub fn with<'a, const N: usize>(
        &self,
        id: &str,
        values: [(&'static str, FluentValue<'a>); N],
    ) -> String {
        self.format(id, Some(&FluentArgs::from_iter(values)))
    }

    fn format(&self, id: &str, values: Option<&FluentArgs<'_>>) -> String {
        let text = lines::line(self.lang, id, values).or_else(|| self.by_fluent(id, values));
        let text = text.unwrap_or_else(|| id.to_owned());
        match self.ascii {
            true => text.chars().map(ascii).collect(),
            false => text,
        }
    }

    fn by_fluent(&self, id: &str, values: Option<&FluentArgs<'_>>) -> Option<String> {
        let bundle = self.bundle.get_or_init(|| bundle(self.lang));
        let pattern = bundle.get_message(id)?.value()?;
        Some(bundle.format_pattern(pattern, values, &mut Vec::new()).into_owned())
    }
}

fn bundle(lang: Lang) -> FluentBundle<FluentResource> {
    let mut bundle = FluentBundle::new_concurrent(vec![lang.id()]);
    // Isolation marks would be control characters in a terminal.
    bundle.set_use_isolating(false);
    let resource = match FluentResource::try_new(lang.source().to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

/// A typographic character of our own words in ASCII.
fn ascii(character: char) -> char {
    match character {
        '·' | '–' => '-',
        '…' => '~',
        '↑' => '^',
        '↓' => 'v',
        '«' | '»' | '“' | '”' => '"',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rstest::rstest;

    use super::*;

    /// The ids of a catalogue, each with the names of its values.
    fn ids(lang: Lang) -> BTreeMap<&'static str, Vec<&'static str>> {
        let mut ids: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let mut current = "";
        for line in lang.source().lines() {
            if let Some((id, _)) = line.split_once(" =")
                && !line.starts_with([' ', '#', '-'])
            {
                current = id;
                ids.entry(id).or_default();
            }
            let values = line.match_indices("{ $").map(|(at, _)| {
                let rest = &line[at + 3..];
                rest.split([' ', '}']).next().unwrap_or_default()
            });
            let known = ids.entry(current).or_default();
            for value in values {
                if !known.contains(&value) {
                    known.push(value);
                }
            }
            known.sort_unstable();
        }
        ids.remove("");
        ids
    }

    #[test]
    fn both_languages_have_the_same_messages_with_the_same_values() {
        pretty_assertions::assert_eq!(ids(Lang::En), ids(Lang::Zh));
        assert!(ids(Lang::En).len() > 20);
    }

    #[rstest]
    #[case(Lang::En)]
    #[case(Lang::Zh)]
    fn every_catalogue_parses_whole(#[case] lang: Lang) {
        assert!(FluentResource::try_new(lang.source().to_owned()).is_ok());
    }

    #[rstest]
    #[case([Some(""), None, Some("zh_CN.UTF-8")], Lang::Zh)]
    #[case([Some("C"), None, Some("zh_CN.UTF-8")], Lang::En)]
    #[case([None, None, None], Lang::En)]
    #[case([Some("fr_FR.UTF-8"), None, None], Lang::En)]
    #[case([None, Some("zh-Hant"), Some("en")], Lang::Zh)]
    fn the_first_tag_that_is_set_decides(#[case] tags: [Option<&str>; 3], #[case] lang: Lang) {
        assert_eq!(Lang::from_locale(tags), lang);
    }
}
