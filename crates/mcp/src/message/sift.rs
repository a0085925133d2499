//! The id of a call that can't be read: found in a stream of bytes, whatever is wrong with them, in a
//! memory that does not grow with them.

use serde_json::Value;

/// The most of a name or of a value that is looked at.
const MOST: usize = 1024;

/// Takes bytes in and keeps the id of the outermost object. Only what has a method is a call.
#[derive(Debug, Default)]
pub(crate) struct Sift {
    /// In how many objects and lists this is.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// What the outermost object has named last.
    name: Vec<u8>,
    /// What stands there now: a name, or after it the value.
    word: Vec<u8>,
    id: Option<Value>,
    is_call: bool,
}

impl Sift {
    pub fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take(*byte);
        }
    }

    /// The id of the call, a number or a string.
    pub fn id(self) -> Option<Value> {
        self.id.filter(|_| self.is_call)
    }

    fn take(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return;
        }
        match byte {
            b'"' => {
                self.keep(byte);
                self.in_string = true;
            }
            b'{' | b'[' => {
                self.keep(byte);
                self.depth += 1;
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.name = std::mem::take(&mut self.word),
            b',' if self.depth == 1 => self.member(),
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() < MOST {
            self.word.push(byte);
        }
    }

    /// A member of the outermost object is over.
    fn member(&mut self) {
        let (name, value) = (std::mem::take(&mut self.name), std::mem::take(&mut self.word));
        match name.as_slice() {
            br#""id""# => {
                let id = serde_json::from_slice(&value).ok();
                self.id = id.filter(|id: &Value| id.is_number() || id.is_string());
            }
            br#""method""# => self.is_call = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::first(r#"{"id":1,"method":"m","params":{"id":2}}"#, json!(1))]
    #[case::last(r#"{"method":"m","params":{"id":2,"x":["id",{"id":3}]}, "id" : "a\"b" }"#, json!("a\"b"))]
    #[case::within_a_text(r#"{"method":"m","params":{"q":"\"},\"id\":9,\\"},"id":4}"#, json!(4))]
    #[case::an_answer(r#"{"id":1,"result":{"method":"m"}}"#, json!(null))]
    #[case::none(r#"{"method":"m","params":{"id":2}}"#, json!(null))]
    #[case::a_list(r#"[{"id":1,"method":"m"}]"#, json!(null))]
    fn the_id_is_that_of_the_outermost_object(#[case] text: &str, #[case] id: Value) {
        // Wherever the reads of a stream cut it.
        for at in 0..text.len() {
            let mut sift = Sift::default();
            let (first, rest) = text.as_bytes().split_at(at);
            sift.feed(first);
            sift.feed(rest);
            assert_eq!(json!(sift.id()), id, "cut at {at}");
        }
    }
}
