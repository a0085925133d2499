//! The words that a model reads, in one place. They decide whether it waits, asks twice or invents
//! consent, so they are short and every one says what to do.

use crate::fault::BadRequest;
use crate::limits;
use crate::text::{next_cluster, sanitize_line};

/// The description of the tool `ask_user_question`.
pub const ASK_USER_QUESTION: &str = "Ask the person you work for and get their decision. Use it \
when the choice is theirs (scope, taste, risk, cost) and you cannot find the answer yourself. Put \
all open questions into one call. Recommended option first, its label ending \" (Recommended)\". \
No \"Other\" option: they can always write their own text. multiSelect when several may apply. \
Give context: they may not see this chat. Never ask for passwords or keys. `selected` and `custom` \
both empty = they skipped it: choose sensibly and say what you chose. A result with `state` is not \
a decision and never consent: do what its message says.";

/// The same with what stood in the way, for the person to whom the model turns now.
pub fn no_provider(why: &str) -> String {
    format!("{NO_PROVIDER} ({why})")
}

/// The host has refused the request.
pub fn not_asked(why: &str) -> String {
    format!("Nobody saw this: {why}. Write the questions in your reply and end your turn.")
}

/// Recorded answers stand in for the person, and do not answer the request.
pub fn no_recorded_answer(why: &str) -> String {
    not_asked(&format!(
        "recorded answers stand in for the person here, without one to this ({why})"
    ))
}

/// The description of the tool `get_answers`.
pub const GET_ANSWERS: &str = "Collect answers that were pending. Without request_id: everything \
of this session that is open or not picked up yet.";

/// The description of the tool `cancel_question`.
pub const CANCEL_QUESTION: &str = "Withdraw a question that the person need not answer any more.";

/// What an MCP server says of itself.
pub const INSTRUCTIONS: &str = "Puts questions to the person you work for and brings back their \
whole answer. When a result says pending, collect it with get_answers; never answer for them.";

/// What a request looks like, for whoever sent something else.
pub const EXPECTED_SHAPE: &str = r#"{"questions":[{"id":"db","question":"Which database?","options":[{"label":"Postgres"},{"label":"SQLite"}],"multiSelect":false}]}"#;

/// Nothing can show the request.
pub const NO_PROVIDER: &str = "Nobody saw this: no inbox and no terminal. Write the questions in \
your reply and end your turn.";

/// Nobody has answered yet.
pub const NOT_ANSWERED: &str = "Not answered yet; neither yes nor no.";

/// The model waits for an answer, and has been told so `times` times, this one included. `question`
/// is what it asked, `inbox` where the person finds it.
pub fn pending(id: &str, times: u32, question: &str, inbox: Option<&str>) -> String {
    /// So often a model may come back before it only burns its turns.
    const PATIENCE: u32 = 2;
    if times <= PATIENCE {
        return format!(
            "{NOT_ANSWERED} Do only work that doesn't depend on it, then call get_answers with \
             request_id \"{id}\". Don't ask again, don't choose for them."
        );
    }
    let question = short(question);
    let place = inbox.map(|inbox| format!(" at {inbox}")).unwrap_or_default();
    format!(
        "{NOT_ANSWERED} End your turn now and tell the user that question \u{ab}{question}\u{bb} \
         waits in their askwell inbox{place}. Its request_id is \"{id}\"."
    )
}

/// Enough of a question to know it by.
fn short(question: &str) -> String {
    const MOST: usize = 120;
    let line = sanitize_line(question);
    let mut end = 0;
    while let Some(cluster) = next_cluster(&line, end)
        && end + cluster.len() <= MOST
    {
        end += cluster.len();
    }
    match end == line.len() {
        true => line.into_owned(),
        false => format!("{}…", &line[..end]),
    }
}

/// A question that the person skipped, where its empty answer can't be seen.
pub const SKIPPED: &str = "Skipped by the person: choose sensibly and say what you chose";

/// The time that was asked for is shorter than the person allows.
pub fn expiry_raised(asked: u64, least: u64) -> String {
    format!(
        "You gave them {}; here a question waits at least {}.",
        duration(asked),
        duration(least)
    )
}

/// There is no such tool.
pub fn unknown_tool(name: &str) -> String {
    format!("There is no tool \"{}\".", short(name))
}

/// What came is not even JSON.
pub fn not_json(why: &str) -> String {
    format!("This is not JSON: {why}. Nothing was done: send the whole message again, in UTF-8.")
}

/// What came is JSON, and no message of the protocol.
pub fn not_a_message(why: &str) -> String {
    format!("This is no message of MCP: {why}. Nothing was done.")
}

/// What came is longer than what is read.
pub fn line_too_long(most: usize) -> String {
    format!(
        "This line is longer than {most} bytes, and was not read. A request has at most {} bytes: \
         shorten it.",
        limits::REQUEST
    )
}

/// A call came with the id of one that is still under way.
pub fn id_in_use(id: &str) -> String {
    format!(
        "The id {} is that of a call that is not answered yet. This one was not made: make it with \
         an id of its own.",
        short(id)
    )
}

/// What a method was called with does not fit.
pub fn wrong_params(method: &str, why: &str) -> String {
    format!("{method} was not done: {why}. Correct that and call again.")
}

/// There is no such request.
pub fn unknown_id(id: &str, open: &[String], not_picked_up: &[String]) -> String {
    let list = |ids: &[String]| match ids {
        [] => "none".to_owned(),
        ids => ids.join(", "),
    };
    let id = short(id);
    let (open, not_picked_up) = (list(open), list(not_picked_up));
    format!("No \"{id}\" here. In this session open: {open}. Not picked up: {not_picked_up}.")
}

/// Nothing waits, and nothing is to be collected.
pub const NOTHING_OPEN: &str = "Nothing of this session is open or waits to be picked up.";

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

/// The asker withdrew the request. The reason is why, in the asker's words or in ours.
pub fn aborted(reason: &str) -> String {
    let reason = reason.trim().trim_end_matches(['.', '。']);
    format!("Withdrawn before an answer: {reason}. No decision.")
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
    fn what_is_pending_is_told_otherwise_from_the_third_time_on() {
        let told = |times| pending("ID", times, "Which\n database?", Some("http://x/r/ID"));

        assert_eq!(told(1), told(2));
        assert_eq!(
            told(2),
            "Not answered yet; neither yes nor no. Do only work that doesn't depend on it, then \
             call get_answers with request_id \"ID\". Don't ask again, don't choose for them."
        );
        assert_eq!(
            told(3),
            "Not answered yet; neither yes nor no. End your turn now and tell the user that \
             question «Which␤ database?» waits in their askwell inbox at http://x/r/ID. Its \
             request_id is \"ID\"."
        );
        assert!(
            pending("ID", 3, &"é".repeat(200), None).contains("é…» waits in their askwell inbox.")
        );
    }

    #[test]
    fn an_unknown_id_is_told_with_those_that_are_known() {
        assert_eq!(
            unknown_id("x", &["a".to_owned(), "b".to_owned()], &[]),
            "No \"x\" here. In this session open: a, b. Not picked up: none."
        );
    }

    #[test]
    fn a_duration_is_told_in_its_two_largest_units() {
        assert_eq!(duration(0), "0 s");
        assert_eq!(duration(90), "1 min 30 s");
        assert_eq!(duration(600), "10 min");
        assert_eq!(duration(90_061), "1 d 1 h");
    }
}
