//! The words that a model reads, in one place. They decide whether it waits, asks twice or invents
//! consent, so they are short and every one says what to do.

use crate::fault::BadRequest;

/// The description of the tool `ask_user_question`.
pub const ASK_USER_QUESTION: &str = "Ask the person you work for and get their decision. Use it \
when the choice is theirs (scope, taste, risk, cost) and you cannot find the answer yourself. Put \
all open questions into one call. Recommended option first, its label ending \" (Recommended)\". \
No \"Other\" option: they can always write their own text. multiSelect when several may apply. \
Give context: they may not see this chat. Never ask for passwords or keys. `selected` and `custom` \
both empty = they skipped it: choose sensibly and say what you chose. A result with `state` is not \
a decision and never consent: do what its message says.";

/// What a request looks like, for whoever sent something else.
pub const EXPECTED_SHAPE: &str = r#"{"questions":[{"id":"db","question":"Which database?","options":[{"label":"Postgres"},{"label":"SQLite"}],"multiSelect":false}]}"#;

/// Nothing can show the request.
pub const NO_PROVIDER: &str = "Nobody saw this: no inbox and no terminal. Write the questions in \
your reply and end your turn.";

/// The person put the request aside.
pub fn cancelled(comment: Option<&str>) -> String {
    match comment {
        Some(comment) => format!(
            "The person set the questions aside and wrote: «{comment}». Respond to that first. No \
             option was chosen. Don't repeat the same questions unchanged."
        ),
        None => "The person set the questions aside and gave no reason. Stop this line of work, \
                 or ask in chat how to go on."
            .to_owned(),
    }
}

/// The request's time, in seconds, ran out.
pub fn expired(seconds: Option<u64>) -> String {
    let within = match seconds {
        Some(seconds) => format!("within {}", duration(seconds)),
        None => "in time".to_owned(),
    };
    format!(
        "Nobody answered {within}. No decision was made. Do only what is safe and reversible, name \
         your assumption, or stop. Don't ask again now."
    )
}

/// The asker withdrew the request.
pub fn aborted(reason: &str) -> String {
    format!("Withdrawn by {reason} before an answer. No decision.")
}

/// A request that was shown to nobody.
pub fn bad_request(bad: &BadRequest) -> String {
    /// More faults than a reader mends at once only push the expected shape out of sight.
    const SHOWN: usize = 20;
    let faults = bad.faults();
    let count = match faults.len() {
        1 => "1 fault".to_owned(),
        count => format!("{count} faults"),
    };
    let mut list: Vec<String> = faults.iter().take(SHOWN).map(ToString::to_string).collect();
    if faults.len() > SHOWN {
        list.push(format!("and {} more", faults.len() - SHOWN));
    }
    format!(
        "Not shown to anyone. {count}: {}. Expected {EXPECTED_SHAPE}. Fix all and call once.",
        list.join("; ")
    )
}

/// A length of time in words, such as `1 h 30 min`.
pub fn duration(seconds: u64) -> String {
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let mut rest = seconds;
    let parts: Vec<String> = units
        .iter()
        .filter_map(|(size, name)| {
            let count = rest / size;
            rest %= size;
            (count > 0).then(|| format!("{count} {name}"))
        })
        .take(2)
        .collect();
    match parts.is_empty() {
        true => "0 s".to_owned(),
        false => parts.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_its_two_largest_units() {
        assert_eq!(duration(0), "0 s");
        assert_eq!(duration(90), "1 min 30 s");
        assert_eq!(duration(600), "10 min");
        assert_eq!(duration(90_061), "1 d 1 h");
    }
}
