//! The transcript of a session: one JSON document a line. Only its end is read, and only the agent's own
//! words in it.

use serde_json::Value;

/// More than that is not what led to a question but the whole story.
const MOST: usize = 16 * 1024;

/// What the agent said last, from the end of a transcript: the texts of its last message that has any,
/// since the person (or a tool) last said something. Lines that can't be read are passed over: the first
/// may have been cut, and the last be written just now.
pub fn last_words(tail: &[u8]) -> Option<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut message = None;
    for line in tail.rsplit(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Value>(line) else { continue };
        if line["isSidechain"] == true {
            continue;
        }
        match line["type"].as_str() {
            Some("assistant") => {
                let id = line["message"]["id"].as_str().map(str::to_owned);
                let said = words(&line["message"]["content"]);
                if said.is_empty() {
                    continue;
                }
                // A message stands in several lines, one a block.
                if !texts.is_empty() && (id.is_none() || id != message) {
                    break;
                }
                message = id;
                texts.push(said);
            }
            Some("user") if !texts.is_empty() || is_said(&line["message"]["content"]) => break,
            _ => {}
        }
    }
    texts.reverse();
    let text = texts.join("\n\n");
    let text = text.trim();
    (!text.is_empty()).then(|| last_part(text))
}

/// Whether this call of a tool stands in the end of a transcript. What was said before it stands there too
/// then, since lines are added at the end.
pub fn holds_call(tail: &[u8], id: &str) -> bool {
    let lines = tail.rsplit(|byte| *byte == b'\n');
    let mut lines = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    lines.any(|line| {
        let blocks = line["message"]["content"].as_array().into_iter().flatten();
        line["type"] == "assistant"
            && blocks.into_iter().any(|block| block["type"] == "tool_use" && block["id"] == id)
    })
}

/// Whether it is a person's message, not the result of a tool.
fn is_said(content: &Value) -> bool {
    match content {
        Value::Array(blocks) => blocks.iter().any(|block| block["type"] == "text"),
        content => content.is_string(),
    }
}

fn words(content: &Value) -> String {
    let blocks = match content {
        Value::String(text) => return text.trim().to_owned(),
        Value::Array(blocks) => blocks,
        _ => return String::new(),
    };
    let texts = blocks.iter().filter(|block| block["type"] == "text");
    let texts = texts.filter_map(|block| block["text"].as_str()).map(str::trim);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The end of a long text, from the beginning of a line where there is one near.
fn last_part(text: &str) -> String {
    if text.len() <= MOST {
        return text.to_owned();
    }
    let from = text.ceil_char_boundary(text.len() - MOST);
    let rest = &text[from..];
    let near = rest.find('\n').filter(|at| *at < MOST / 4).map_or(0, |at| at + 1);
    format!("…\n{}", &rest[near..])
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn transcript(lines: &[Value]) -> Vec<u8> {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        format!("{}\n", lines.join("\n")).into_bytes()
    }

    fn said(id: &str, content: Value) -> Value {
        json!({"type": "assistant", "isSidechain": false,
               "message": {"id": id, "role": "assistant", "content": content}})
    }

    #[test]
    fn the_last_message_is_put_together_from_its_lines() {
        let text = |text: &str| json!([{"type": "text", "text": text}]);
        let tail = transcript(&[
            json!({"type": "user", "message": {"role": "user", "content": "Build the shop."}}),
            said("m1", text("I look around.")),
            said("m1", json!([{"type": "tool_use", "id": "t1", "name": "Read", "input": {}}])),
            json!({"type": "user", "message": {"content": [{"type": "tool_result", "content": "…"}]}}),
            said("m2", json!([{"type": "thinking", "thinking": "hm"}])),
            said("m2", text("There are two ways.")),
            said("m2", text(" Both are fine. ")),
            said("m2", json!([{"type": "tool_use", "name": "AskUserQuestion", "input": {}}])),
            json!({"type": "system", "subtype": "hook"}),
        ]);

        assert_eq!(last_words(&tail).unwrap(), "There are two ways.\n\nBoth are fine.");
        // Cut in the middle of a line, and with another one half written.
        let cut = [&tail[40..], b"{\"type\":\"assist"].concat();
        assert_eq!(last_words(&cut).unwrap(), "There are two ways.\n\nBoth are fine.");
    }

    #[test]
    fn words_before_a_tool_are_still_what_led_to_it_and_those_before_a_person_are_not() {
        let tool = json!([{"type": "tool_use", "name": "Read", "input": {}}]);
        let result = json!({"type": "user", "message": {"content": [{"type": "tool_result"}]}});
        let person = json!({"type": "user", "message": {"content": "Go on."}});
        let sub = json!({"type": "assistant", "isSidechain": true,
                         "message": {"id": "s", "content": "of a sub-agent"}});
        let words = said("m1", json!("I compare both."));

        let after_a_tool = [words.clone(), result, sub, said("m2", tool.clone())];
        assert_eq!(last_words(&transcript(&after_a_tool)).unwrap(), "I compare both.");
        assert_eq!(last_words(&transcript(&[words, person, said("m2", tool)])), None);
        assert_eq!(last_words(b""), None);
        assert_eq!(last_words(b"no JSON\n[]\n7\n"), None);
    }

    #[test]
    fn of_a_long_text_the_end_is_told() {
        let line = "ü".repeat(99);
        let long = format!("{}the end", format!("{line}\n").repeat(200));

        let told = last_words(&transcript(&[said("m", json!(long))])).unwrap();

        assert!(told.len() <= MOST + 8 && told.ends_with("\nthe end"), "{}", told.len());
        assert!(told.starts_with(&format!("…\n{line}\n")), "{}", &told[..300]);
    }
}
