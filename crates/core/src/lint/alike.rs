//! Whether a person may take one label for another.
//!
//! Two labels look alike where nothing but these tells them apart: case, width and composition of
//! characters (NFKC), white space, what draws nothing, marks at the end, the suffix that recommends;
//! or letters that most fonts draw the same, such as `l`, `I` and `1`, `O` and `0`, a Latin and a
//! Cyrillic `a`. Each of the two kinds is looked at for itself: `I` and `i` differ in case, `I` and
//! `l` in nothing that can be seen, `i` and `l` are no look-alikes.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use crate::request::Question;
use crate::text::{cluster_width, split_recommended};

/// For each option the first other one that it looks like, if there is one before it.
pub fn look_alikes(question: &Question) -> Vec<Option<usize>> {
    let mut folds = HashMap::new();
    let mut shapes = HashMap::new();
    let mut first = |option: usize, label: &str| {
        let fold = *folds.entry(folded(label)).or_insert(option);
        let shape = *shapes.entry(shape(label)).or_insert(option);
        let earlier = fold.min(shape);
        (earlier < option).then_some(earlier)
    };
    let options = question.options.iter().enumerate();
    options.map(|(option, offered)| first(option, &offered.label)).collect()
}

/// A text without what is not looked at when it is read.
pub(super) fn folded(text: &str) -> String {
    let text = tidied(text).to_lowercase();
    let shorter = text.trim_end_matches(is_closing);
    if shorter.is_empty() { text } else { shorter.to_owned() }
}

/// A text by the shapes of its letters.
fn shape(text: &str) -> String {
    let text = tidied(text);
    let shorter = text.trim_end_matches(is_closing);
    let text = if shorter.is_empty() { &text } else { shorter };
    text.chars().map(drawn_as).collect()
}

/// NFKC, one space between words, nothing that can't be seen.
fn tidied(text: &str) -> String {
    let (text, _) = split_recommended(text);
    let text: String = text.nfkc().collect();
    let words = text.split_whitespace().map(|word| {
        word.chars().filter(|c| c.is_ascii() || !draws_nothing(*c)).collect::<String>()
    });
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Zero-width and direction controls, and the selectors of a variant; not the marks of scripts.
fn draws_nothing(c: char) -> bool {
    let mut buffer = [0; 4];
    c.is_control()
        || (matches!(c, '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
            && cluster_width(c.encode_utf8(&mut buffer)) == 0)
}

fn is_closing(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '…' | '。' | '、')
}

/// One for all letters that most fonts draw the same.
#[rustfmt::skip]
fn drawn_as(c: char) -> char {
    match c {
        'I' | '1' | '|' | 'Ι' | 'І' | 'Ӏ' | 'ӏ' => 'l',
        '0' | 'О' | 'Ο' => 'O',
        'А' | 'Α' => 'A', 'В' | 'Β' => 'B', 'С' => 'C', 'Е' | 'Ε' => 'E', 'Н' | 'Η' => 'H',
        'Ј' => 'J', 'К' | 'Κ' => 'K', 'М' | 'Μ' => 'M', 'Ν' => 'N', 'Р' | 'Ρ' => 'P', 'Ѕ' => 'S',
        'Т' | 'Τ' => 'T', 'Х' | 'Χ' => 'X', 'Υ' | 'Ү' => 'Y', 'Ζ' => 'Z',
        'а' => 'a', 'с' => 'c', 'ԁ' => 'd', 'е' => 'e', 'һ' => 'h', 'і' => 'i', 'ј' => 'j',
        'о' | 'ο' => 'o', 'р' | 'ρ' => 'p', 'ѕ' => 's', 'ν' => 'v', 'х' => 'x', 'у' => 'y',
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '‘' | '’' | '`' | '´' => '\'',
        '“' | '”' | '„' => '"',
        other => other,
    }
}
