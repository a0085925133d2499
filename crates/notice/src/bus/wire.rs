//! Messages of D-Bus as bytes, little end first.

use std::io;

/// The bytes that every message begins with, up to the length of its header fields.
pub(crate) const HEAD: usize = 16;
/// The longest message that is read.
const LONGEST: usize = 1024 * 1024;

const CALL: u8 = 1;
const RETURN: u8 = 2;
const ERROR: u8 = 3;

const FIELD_PATH: u8 = 1;
const FIELD_INTERFACE: u8 = 2;
const FIELD_MEMBER: u8 = 3;
const FIELD_ERROR: u8 = 4;
const FIELD_REPLY_TO: u8 = 5;
const FIELD_DESTINATION: u8 = 6;
const FIELD_SIGNATURE: u8 = 8;

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(u32),
    Signed(i32),
    Texts(Vec<String>),
    /// A dictionary of one byte.
    Hint(&'static str, u8),
}

impl Value {
    fn signature(&self) -> &'static str {
        match self {
            Self::Text(_) => "s",
            Self::Number(_) => "u",
            Self::Signed(_) => "i",
            Self::Texts(_) => "as",
            Self::Hint(..) => "a{sv}",
        }
    }
}

/// What a method gave back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    signature: String,
    body: Vec<u8>,
}

impl Reply {
    /// The texts of a list of them; none where it is anything else.
    pub(crate) fn strings(&self) -> Vec<String> {
        if self.signature != "as" {
            return Vec::new();
        }
        let mut reader = Reader { bytes: &self.body, at: 0 };
        let Some(end) = reader.u32().map(|length| reader.at + length as usize) else {
            return Vec::new();
        };
        let mut strings = Vec::new();
        while reader.at < end
            && let Some(text) = reader.text()
        {
            strings.push(text);
        }
        strings
    }
}

/// A call of a method.
pub(crate) fn call(
    serial: u32,
    (name, path, member): (&str, &str, &str),
    arguments: &[Value],
) -> Vec<u8> {
    let mut body = Writer::default();
    arguments.iter().for_each(|argument| body.value(argument));
    let signature: String = arguments.iter().map(Value::signature).collect();
    let mut fields = Writer::default();
    fields.field(FIELD_PATH, "o", path);
    fields.field(FIELD_DESTINATION, "s", name);
    fields.field(FIELD_INTERFACE, "s", name);
    fields.field(FIELD_MEMBER, "s", member);
    if !signature.is_empty() {
        fields.field(FIELD_SIGNATURE, "g", &signature);
    }
    let mut message = Writer(vec![b'l', CALL, 0, 1]);
    message.u32(body.0.len() as u32);
    message.u32(serial);
    message.u32(fields.0.len() as u32);
    message.0.extend_from_slice(&fields.0);
    message.align(8);
    message.0.extend_from_slice(&body.0);
    message.0
}

/// How many bytes follow the first ones of a message.
pub(crate) fn length(head: &[u8; HEAD]) -> io::Result<usize> {
    if head[0] != b'l' {
        return Err(invalid("a message with the big end first"));
    }
    let mut reader = Reader { bytes: head, at: 4 };
    let (body, _, fields) = (reader.u32(), reader.u32(), reader.u32());
    let all = body
        .zip(fields)
        .map(|(body, fields)| (fields as usize).next_multiple_of(8) + body as usize);
    all.filter(|all| *all <= LONGEST).ok_or_else(|| invalid("a message that is too long"))
}

/// What the message says, if it answers the call with this number.
pub(crate) fn reply(message: &[u8], serial: u32) -> io::Result<Option<Reply>> {
    let mut reader = Reader { bytes: message, at: 12 };
    let fields = reader.u32().ok_or_else(|| invalid("half a message"))? as usize;
    let end = HEAD + fields;
    let (mut answers, mut error, mut signature) = (None, None, String::new());
    while reader.at < end {
        match reader.field().ok_or_else(|| invalid("a header that can't be read"))? {
            (FIELD_REPLY_TO, Field::Number(number)) => answers = Some(number),
            (FIELD_ERROR, Field::Text(name)) => error = Some(name),
            (FIELD_SIGNATURE, Field::Text(text)) => signature = text,
            _ => {}
        }
    }
    if answers != Some(serial) {
        return Ok(None);
    }
    reader.align(8);
    let body = message.get(reader.at..).unwrap_or_default().to_vec();
    match message[1] {
        RETURN => Ok(Some(Reply { signature, body })),
        ERROR => {
            // Its name says what went wrong; its text may be anybody's.
            Err(io::Error::other(error.unwrap_or_else(|| "an error without a name".to_owned())))
        }
        _ => Ok(None),
    }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }

    fn u32(&mut self, number: u32) {
        self.align(4);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        // A text ends with a zero byte, and can hold none.
        let text = text.replace('\0', "");
        self.u32(text.len() as u32);
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    fn signature(&mut self, signature: &str) {
        self.0.push(signature.len() as u8);
        self.0.extend_from_slice(signature.as_bytes());
        self.0.push(0);
    }

    fn field(&mut self, field: u8, kind: &str, value: &str) {
        self.align(8);
        self.0.push(field);
        self.signature(kind);
        match kind {
            "g" => self.signature(value),
            _ => self.text(value),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Text(text) => self.text(text),
            Value::Number(number) => self.u32(*number),
            Value::Signed(number) => self.u32(number.cast_unsigned()),
            Value::Texts(texts) => self.list(4, |it| texts.iter().for_each(|text| it.text(text))),
            Value::Hint(name, byte) => self.list(8, |it| {
                it.text(name);
                it.signature("y");
                it.0.push(*byte);
            }),
        }
    }

    /// The elements that `write` writes, whose first is at a multiple of `align`.
    fn list(&mut self, align: usize, write: impl FnOnce(&mut Self)) {
        self.u32(0);
        let length = self.0.len() - 4;
        self.align(align);
        let begin = self.0.len();
        write(self);
        let count = (self.0.len() - begin) as u32;
        self.0[length..length + 4].copy_from_slice(&count.to_le_bytes());
    }
}

/// The value of a header field.
enum Field {
    Text(String),
    Number(u32),
}

struct Reader<'m> {
    bytes: &'m [u8],
    at: usize,
}

impl Reader<'_> {
    fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.align(4);
        let bytes: [u8; 4] = self.take(4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes))
    }

    fn ended(&mut self, length: usize) -> Option<String> {
        let text = String::from_utf8(self.take(length)?.to_vec()).ok()?;
        self.take(1)?;
        Some(text)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        self.ended(length)
    }

    fn signature(&mut self) -> Option<String> {
        let length = usize::from(*self.take(1)?.first()?);
        self.ended(length)
    }

    fn field(&mut self) -> Option<(u8, Field)> {
        self.align(8);
        let field = *self.take(1)?.first()?;
        let value = match self.signature()?.as_str() {
            "s" | "o" => Field::Text(self.text()?),
            "g" => Field::Text(self.signature()?),
            "u" => Field::Number(self.u32()?),
            _ => return None,
        };
        Some((field, value))
    }
}

/// What a bus answers.
#[cfg(test)]
pub(crate) mod answers {
    use super::*;

    pub(crate) fn returned(to: u32, values: &[Value]) -> Vec<u8> {
        let signature: String = values.iter().map(Value::signature).collect();
        answer(RETURN, to, |it| it.field(FIELD_SIGNATURE, "g", &signature), values)
    }

    pub(crate) fn failed(to: u32, name: &str) -> Vec<u8> {
        answer(ERROR, to, |it| it.field(FIELD_ERROR, "s", name), &[])
    }

    fn answer(kind: u8, to: u32, fields: impl FnOnce(&mut Writer), body: &[Value]) -> Vec<u8> {
        let mut written = Writer::default();
        written.align(8);
        written.0.push(FIELD_REPLY_TO);
        written.signature("u");
        written.u32(to);
        fields(&mut written);
        let mut bytes = Writer::default();
        body.iter().for_each(|value| bytes.value(value));
        let mut message = Writer(vec![b'l', kind, 0, 1]);
        message.u32(bytes.0.len() as u32);
        message.u32(9);
        message.u32(written.0.len() as u32);
        message.0.extend_from_slice(&written.0);
        message.align(8);
        message.0.extend_from_slice(&bytes.0);
        message.0
    }
}

#[cfg(test)]
mod tests {
    use super::answers::{failed, returned};
    use super::*;

    #[test]
    fn an_answer_is_told_from_what_others_say() {
        let (other, own) = (returned(3, &[]), returned(4, &[Value::Number(7)]));

        assert_eq!(reply(&other, 4).unwrap(), None);
        let expected = Reply { signature: "u".to_owned(), body: vec![7, 0, 0, 0] };
        assert_eq!(reply(&own, 4).unwrap(), Some(expected));
        let head: [u8; HEAD] = own[..HEAD].try_into().unwrap();
        assert_eq!(HEAD + length(&head).unwrap(), own.len());
    }

    #[test]
    fn an_error_is_told_by_its_name() {
        let name = "org.freedesktop.DBus.Error.ServiceUnknown";
        assert_eq!(reply(&failed(1, name), 1).unwrap_err().to_string(), name);
    }

    #[test]
    fn a_list_of_texts_is_read() {
        let mut body = Writer::default();
        body.value(&Value::Texts(vec!["body".to_owned(), "body-markup".to_owned()]));

        let reply = Reply { signature: "as".to_owned(), body: body.0 };

        assert_eq!(reply.strings(), ["body", "body-markup"]);
    }

    #[test]
    fn half_a_message_and_a_false_length_are_errors_and_no_panic() {
        let whole = returned(1, &[Value::Texts(Vec::new())]);
        for end in HEAD..whole.len() {
            let _ = reply(&whole[..end], 1);
        }
        let mut head: [u8; HEAD] = whole[..HEAD].try_into().unwrap();
        head[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(length(&head).is_err());
    }
}
