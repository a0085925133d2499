//! The words that scripts show, from the same catalogue as all others, as one JSON object in the page.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use askwell_core::messages::{Lang, Messages};

/// Messages with the names of the values that a script puts in.
const TEXTS: &[(&str, &[&str])] = &[
    ("page-js-next", &[]),
    ("page-js-review", &[]),
    ("page-js-sending", &[]),
    ("page-js-skip", &[]),
    ("page-js-unskip", &[]),
    ("page-js-saved", &[]),
    ("page-js-waits", &[]),
    ("page-js-signed-out", &[]),
    ("page-js-too-long", &[]),
    ("page-js-elsewhere", &[]),
    ("page-js-other", &[]),
    ("page-js-take-other", &[]),
    ("page-js-insert", &[]),
    ("page-js-open", &["places"]),
    ("page-js-collapse", &[]),
    ("page-js-expand", &[]),
    ("page-js-ended", &[]),
    ("page-js-typed-here", &[]),
    ("page-js-copy", &[]),
    ("page-js-copied", &[]),
    ("page-js-auto-next", &[]),
    ("page-js-notify", &[]),
    ("page-js-notify-on", &[]),
    ("page-js-notify-off", &[]),
    ("page-js-notify-denied", &[]),
    ("page-js-notify-title", &["name"]),
    ("page-js-new", &["question"]),
    ("page-js-host-away", &[]),
    ("page-js-try-again", &[]),
    ("page-js-send-failed", &[]),
    ("page-js-send-again", &[]),
    ("page-js-not-saved", &[]),
    ("page-js-keep-open", &[]),
    ("page-js-gone", &[]),
    ("page-js-show-all", &[]),
    ("page-js-show-less", &[]),
    ("page-js-help", &[]),
    ("answering-now", &["names"]),
    ("page-js-help-digits", &[]),
    ("page-js-help-arrows", &[]),
    ("page-js-help-enter", &[]),
    ("page-js-help-newline", &[]),
    ("page-js-help-custom", &[]),
    ("page-js-help-all", &[]),
    ("page-js-help-skip", &[]),
    ("page-js-help-filter", &[]),
    ("page-js-help-questions", &[]),
    ("page-js-help-collapse", &[]),
    ("page-js-help-escape", &[]),
    ("page-js-help-single", &[]),
    ("page-send", &[]),
    ("page-edit", &[]),
    ("page-chosen", &[]),
    ("page-kept", &[]),
    ("page-kept-skipped", &[]),
    ("page-not-sent", &[]),
    ("page-unfinished", &[]),
    ("page-unfinished-reply", &[]),
    ("page-skip-rest", &[]),
    ("page-dismiss-title", &[]),
    ("page-dismiss-comment", &[]),
    ("page-dismiss-yes", &[]),
    ("page-time-now", &[]),
    ("page-time-ago", &["time"]),
    ("page-time-left", &["time"]),
    ("page-time-seconds", &["count"]),
    ("page-time-minutes", &["count"]),
    ("page-time-hours", &["count"]),
    ("page-time-days", &["count"]),
    ("position", &["at", "total"]),
    ("selected", &["count"]),
    ("page-js-filter", &["count"]),
    ("page-js-filter-hides", &["count"]),
    ("filter-none", &["filter"]),
    ("filter-status", &["filter", "shown", "total"]),
    ("hidden-by-filter", &["number"]),
    ("with-your-text", &["count"]),
    ("your-text", &[]),
    ("review-title", &[]),
    ("review-open", &[]),
    ("review-skipped", &[]),
    ("unsent-without", &[]),
    ("unsent-with", &[]),
    ("unsent-instead", &[]),
    ("unsent-mixed", &[]),
    ("unsent-back", &[]),
    ("skip-rest-yes", &[]),
    ("skip-rest-no", &[]),
    ("leave-stay", &[]),
    ("leave-draft", &[]),
    ("rejected-title", &[]),
    ("close", &[]),
];

/// Messages that tell of a number, once for one and once for more.
const COUNTED: &[&str] = &["unsent-title", "skip-rest-title", "page-kept-elsewhere"];

/// `{"next":"Next","selected":"{count} selected","skip-rest-title-1":"Skip 1 open question?",…}`
pub(crate) fn for_scripts(lang: Lang) -> &'static str {
    static TEXTS: LazyLock<[String; 2]> = LazyLock::new(|| [Lang::En, Lang::Zh].map(object));
    match lang {
        Lang::En => &TEXTS[0],
        Lang::Zh => &TEXTS[1],
    }
}

fn object(lang: Lang) -> String {
    let texts = Messages::new(lang);
    let mut object = Map::new();
    for (id, names) in TEXTS {
        let mut text = texts.get(id);
        for name in *names {
            // A value that is missing stands in the text by its name.
            text = text.replace(&format!("{{${name}}}"), &format!("{{{name}}}"));
        }
        object.insert(key(id).to_owned(), Value::String(text));
    }
    for id in COUNTED {
        let text = |count: &'static str| texts.with(id, [("count", count.into())]);
        object.insert(key(id).to_owned(), Value::String(text("{count}")));
        let one = texts.with(id, [("count", 1.into())]);
        object.insert(format!("{}-1", key(id)), Value::String(one));
    }
    Value::Object(object).to_string()
}

/// What scripts call a message.
fn key(id: &str) -> &str {
    id.strip_prefix("page-js-").or_else(|| id.strip_prefix("page-")).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_there_with_a_place_for_its_values() {
        for lang in [Lang::En, Lang::Zh] {
            let texts: Map<String, Value> = serde_json::from_str(for_scripts(lang)).unwrap();

            assert_eq!(texts.len(), TEXTS.len() + 2 * COUNTED.len());
            for (id, names) in TEXTS {
                let text = texts[key(id)].as_str().unwrap();
                assert_ne!(text, *id);
                assert!(!text.contains('$'), "{text}");
                for name in *names {
                    assert!(text.contains(&format!("{{{name}}}")), "{text}");
                }
            }
            assert_ne!(texts["skip-rest-title"], texts["skip-rest-title-1"]);
        }
    }

    #[test]
    fn scripts_show_these_texts_and_no_others() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/page");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let scripts: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let texts: Map<String, Value> = serde_json::from_str(for_scripts(Lang::En)).unwrap();

        let shown = scripts.split("text(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let unknown: Vec<&str> = shown.filter(|key| !texts.contains_key(*key)).collect();
        // Their ends are names of what they tell of.
        let built = ["help-", "review-"];
        let unused: Vec<&String> = texts
            .keys()
            .filter(|key| !built.iter().any(|start| key.starts_with(start)))
            .filter(|key| !scripts.contains(&format!("\"{key}\"")))
            .collect();

        assert_eq!((unknown, unused), (Vec::<&str>::new(), Vec::<&String>::new()));
    }
}
