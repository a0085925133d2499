//! The strip above a request's own words: who asks, as verified and as it says of itself, from
//! where, to whom the answer goes, and how much time is left.
//!
//! Owns what verified names are called: the host gives the programs of its own user one that says
//! nothing to that user.

use maud::{Markup, html};

use askwell_core::facts::{self as told, NAMED, folder, own_name};
use askwell_core::messages::Messages;
use askwell_core::text::{is_blank, sanitize_line};
use askwell_core::wire::{Answering, LOCAL, RequestView, UnixMillis};

use super::phrase::{literal, phrase, quoted, theirs};
use super::time;

/// Who asked, and from where.
pub(super) fn asker(texts: &Messages, view: &RequestView) -> Markup {
    let asker = view.request.asker.as_ref();
    let session = asker.and_then(|asker| asker.session.as_deref());
    let session = session.filter(|session| !is_blank(session));
    html! {
        span.who title=(texts.get("page-verified")) { (sender(texts, view)) }
        @if let Some(cwd) = asker.and_then(folder) {
            span.cwd title=(sanitize_line(cwd)) {
                (phrase(texts, "page-in-folder", [("folder", literal(cwd))]))
            }
        }
        @if let Some(session) = session {
            span.session title=(sanitize_line(session)) {
                (phrase(texts, "page-session", [("session", literal(session))]))
            }
        }
    }
}

/// Who asked.
pub(super) fn sender(texts: &Messages, view: &RequestView) -> Markup {
    let name = view.request.asker.as_ref().and_then(own_name);
    who(texts, &view.credential, name.as_deref())
}

/// The name that an asker gives itself, and the verified one.
pub(super) fn who(texts: &Messages, verified: &str, name: Option<&str>) -> Markup {
    let verified = program(texts, verified);
    match name {
        Some(name) => phrase(texts, "page-who", [("name", quoted(name)), ("verified", verified)]),
        None => verified,
    }
}

/// The same where there is little room: the verified name only where it says more than that the
/// asker is a program of this user.
pub(super) fn who_in_list(texts: &Messages, verified: &str, name: Option<&str>) -> Markup {
    match (verified, name) {
        (LOCAL, Some(name)) => quoted(name),
        (verified, name) => who(texts, verified, name),
    }
}

/// An asker by the verified name of its credential.
fn program(texts: &Messages, credential: &str) -> Markup {
    match credential {
        LOCAL => html! { (texts.get("page-local-program")) },
        credential => theirs(credential),
    }
}

/// A person; nothing where the name tells nothing.
pub(super) fn person(name: &str) -> Option<Markup> {
    (name != LOCAL).then(|| theirs(name))
}

/// Who else is answering, on a card: a script keeps it up to date.
fn also_answering(texts: &Messages, view: &RequestView, now: UnixMillis) -> Markup {
    let names = names(texts, &view.answering, now);
    html! {
        span.answering data-answering hidden[names.is_none()] {
            @let names = html! { span data-names { (names.unwrap_or_default()) } };
            (phrase(texts, "answering-too", [("names", names)]))
        }
    }
}

/// The same in a list, where anybody is.
pub(super) fn answering_in_list(
    texts: &Messages,
    others: &[Answering],
    now: UnixMillis,
) -> Option<Markup> {
    let names = names(texts, others, now)?;
    let told = phrase(texts, "inbox-answering", [("names", names)]);
    Some(html! { span.answering { (told) } })
}

/// The same as a part of its own: nothing where nobody is.
pub(super) fn others(texts: &Messages, view: &RequestView, now: UnixMillis) -> Markup {
    names(texts, &view.answering, now).unwrap_or_default()
}

/// Those who are at it now; each says until when.
fn names(texts: &Messages, others: &[Answering], now: UnixMillis) -> Option<Markup> {
    let others: Vec<&Answering> = others.iter().filter(|other| other.ends_at() > now).collect();
    (!others.is_empty()).then(|| {
        html! {
            @for (index, other) in others.iter().take(NAMED).enumerate() {
                @if index > 0 { ", " }
                bdi dir="auto" data-person=(other.person) data-until=(other.ends_at()) {
                    (told::person(texts, &other.person))
                }
            }
            @if others.len() > NAMED { ", +" (others.len() - NAMED) }
        }
    })
}

/// To whom the answer goes.
pub(super) fn words_go_to(texts: &Messages, view: &RequestView) -> Markup {
    html! {
        span.words {
            @match view.credential.as_str() {
                LOCAL => (texts.get("page-words-go-here")),
                name => (phrase(texts, "page-words-go-to", [("name", theirs(name))])),
            }
        }
    }
}

/// When it was asked, who else is answering it, and whether its asker is away.
pub(super) fn standing(texts: &Messages, view: &RequestView, now: UnixMillis) -> Markup {
    let away = view.away_since.map(|since| time::age(texts, since, now));
    html! {
        (asked(texts, view, now))
        (also_answering(texts, view, now))
        span.away data-away hidden[away.is_none()] {
            @match away {
                Some(time) => (phrase(texts, "page-away-for", [("time", time)])),
                None => (texts.get("page-away")),
            }
        }
    }
}

/// How long ago it was asked.
pub(super) fn asked(texts: &Messages, view: &RequestView, now: UnixMillis) -> Markup {
    html! {
        span.age {
            (phrase(texts, "page-asked", [("time", time::ago(texts, view.created_at, now))]))
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use askwell_core::messages::Lang;

    #[test]
    fn the_hosts_own_name_for_programs_of_its_user_is_told_in_words() {
        let texts = Messages::new(Lang::En);
        let words = |markup: Markup| {
            let text = markup.into_string();
            text.split('<').filter_map(|part| part.split('>').next_back()).collect::<String>()
        };

        assert_eq!(words(who(&texts, LOCAL, None)), "a local program");
        assert_eq!(words(who(&texts, LOCAL, Some("codex"))), "codex (a local program)");
        assert_eq!(words(who(&texts, "ci", Some("codex"))), "codex (ci)");
        assert_eq!(words(who_in_list(&texts, LOCAL, Some("codex"))), "codex");
        assert_eq!(words(who_in_list(&texts, "ci", Some("codex"))), "codex (ci)");
        assert_eq!(person(LOCAL).map(words), None);
        assert_eq!(person("mara").map(words), Some("mara".to_owned()));
    }
}
