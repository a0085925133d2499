//! What led to a question: the agent's last words, from the transcript of its session.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use askwell_agents::claude_code::{Session, holds_call, last_words};

/// The most of a transcript that is read, from its end.
const TAIL: u64 = 256 * 1024;

/// An agent may write its transcript a little later than it calls: how often it is looked into until the
/// call stands in it, and how long that is apart. 280 ms in all.
const LOOKS: u32 = 15;
const APART: Duration = Duration::from_millis(20);

/// What the agent said last before this call. A transcript that can't be read tells nothing.
pub fn of(session: &Session) -> Option<String> {
    let transcript = session.transcript()?;
    words_before(session.tool_use(), || tail(transcript), || sleep(APART))
}

/// The last words in what is looked into, once the call stands there; else in what is there in the end.
fn words_before(
    call: Option<&str>,
    look: impl Fn() -> Option<Vec<u8>>,
    wait: impl Fn(),
) -> Option<String> {
    let mut tail = look()?;
    for _ in 1..LOOKS {
        if call.is_none_or(|call| holds_call(&tail, call)) {
            break;
        }
        wait();
        tail = look()?;
    }
    last_words(&tail)
}

fn tail(transcript: &Path) -> Option<Vec<u8>> {
    if !transcript.is_file() {
        return None;
    }
    let mut file = File::open(transcript).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).ok()?;
    Some(tail)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn said(block: serde_json::Value) -> String {
        let message = json!({ "id": "m", "content": [block] });
        format!("{}\n", json!({ "type": "assistant", "message": message }))
    }

    /// `after`: how often it was looked into before the words and the call are there.
    #[rstest]
    #[case::there(Some("toolu_1"), 0, Some("New words."), 0)]
    #[case::a_little_late(Some("toolu_1"), 3, Some("New words."), 3)]
    #[case::never(Some("toolu_1"), u32::MAX, Some("Old words."), LOOKS - 1)]
    #[case::of_no_call(None, u32::MAX, Some("Old words."), 0)]
    fn a_call_that_is_not_there_yet_is_waited_for_a_little(
        #[case] call: Option<&str>,
        #[case] after: u32,
        #[case] words: Option<&str>,
        #[case] waited: u32,
    ) {
        let waits = Cell::new(0);
        let look = || {
            let mut text = said(json!({ "type": "text", "text": "Old words." }));
            text += &said(json!({ "type": "tool_use", "id": "toolu_0", "name": "Read" }));
            if waits.get() >= after {
                let result = json!({ "content": [{ "type": "tool_result" }] });
                text += &format!("{}\n", json!({ "type": "user", "message": result }));
                text += &said(json!({ "type": "text", "text": "New words." }))
                    .replace("\"m\"", "\"n\"");
                text +=
                    &said(json!({ "type": "tool_use", "id": "toolu_1" })).replace("\"m\"", "\"n\"");
            }
            Some(text.into_bytes())
        };

        let told = words_before(call, look, || waits.set(waits.get() + 1));

        assert_eq!(told.as_deref(), words);
        assert_eq!(waits.get(), waited);
    }
}
