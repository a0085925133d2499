//! The language of our own words: the one that a person chose (`?lang=`, kept in a cookie), else the
//! first that the browser asks for and we have. Asker text is never translated.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, Uri, header};

use askwell_core::messages::{Lang, Messages};

const COOKIE: &str = "askwell_lang";
const KEPT: u32 = 365 * 24 * 60 * 60;

/// The languages that there are, each by its own name.
pub(crate) const ALL: [(Lang, &str); 2] = [(Lang::En, "English"), (Lang::Zh, "中文")];

/// Our words in this language.
pub(crate) fn texts(lang: Lang) -> &'static Messages {
    static TEXTS: LazyLock<[Messages; 2]> =
        LazyLock::new(|| [Messages::new(Lang::En), Messages::new(Lang::Zh)]);
    match lang {
        Lang::En => &TEXTS[0],
        Lang::Zh => &TEXTS[1],
    }
}

/// The language for a request.
pub(crate) fn of(uri: &Uri, headers: &HeaderMap) -> Lang {
    switched_to(uri).or_else(|| kept(headers)).unwrap_or_else(|| wished(headers))
}

/// The language that the address itself asks for.
pub(crate) fn switched_to(uri: &Uri) -> Option<Lang> {
    let query = uri.query().unwrap_or_default().as_bytes();
    let (_, tag) = form_urlencoded::parse(query).find(|(name, _)| name == "lang")?;
    known(&tag)
}

/// The cookie that keeps a choice. It is no secret, and tells nothing of anybody.
pub(crate) fn cookie(lang: Lang) -> Option<HeaderValue> {
    let tag = lang.tag();
    format!("{COOKIE}={tag}; Path=/; Max-Age={KEPT}; SameSite=Lax; HttpOnly").try_into().ok()
}

/// The language with this very tag, where we have it.
pub(crate) fn known(tag: &str) -> Option<Lang> {
    ALL.into_iter().map(|(lang, _)| lang).find(|lang| lang.tag() == tag)
}

fn kept(headers: &HeaderMap) -> Option<Lang> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|it| it.split_once('='));
    pairs.find_map(|(name, value)| (name.trim() == COOKIE).then(|| known(value.trim())).flatten())
}

fn wished(headers: &HeaderMap) -> Lang {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    let wishes = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let mut best: Option<(f32, Lang)> = None;
    for wish in wishes {
        let (tag, weight) = wish.split_once(';').unwrap_or((wish, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(1.0, |q| q.parse().unwrap_or(0.0));
        let Some(lang) = Lang::from_tag(tag.trim()) else { continue };
        if weight > best.map_or(0.0, |(most, _)| most) {
            best = Some((weight, lang));
        }
    }
    best.map_or(Lang::En, |(_, lang)| lang)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/", "", "", Lang::En)]
    #[case("/", "", "zh-CN,zh;q=0.9,en;q=0.8", Lang::Zh)]
    #[case("/", "", "fr, en;q=0.5, zh;q=0.7", Lang::Zh)]
    #[case("/", "", "zh;q=0, en;q=0.1", Lang::En)]
    #[case("/", "", "fr, de", Lang::En)]
    #[case("/", "", "zh;q=x", Lang::En)]
    #[case("/", "other=1; askwell_lang=zh", "en", Lang::Zh)]
    #[case("/", "askwell_lang=fr", "zh", Lang::Zh)]
    #[case("/r/x?a=b&lang=en", "askwell_lang=zh", "zh", Lang::En)]
    #[case("/?lang=%3Cscript%3E", "", "zh", Lang::Zh)]
    fn the_choice_goes_before_the_wish(
        #[case] uri: Uri,
        #[case] cookie: &str,
        #[case] wish: &str,
        #[case] lang: Lang,
    ) {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        headers.insert(header::ACCEPT_LANGUAGE, wish.parse().unwrap());

        assert_eq!(of(&uri, &headers), lang);
    }
}
