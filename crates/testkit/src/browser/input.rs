//! Keys, text, fingers and input methods, as a browser gets them. Keys go to whatever has the focus.

use serde_json::{Value, json};

use super::Tab;
use super::driver::Refusal;
use crate::notation::{Part, parts};

const SHIFT: &str = "\u{e008}";
const CONTROL: &str = "\u{e009}";
const ALT: &str = "\u{e00a}";
const META: &str = "\u{e03d}";

impl Tab {
    /// Presses keys, in the notation of the test terminal: `"<tab><space>2<s-enter><c-enter>"`.
    #[track_caller]
    pub fn presses(&self, notation: &str) -> &Self {
        self.has_seen();
        let strokes = parts(notation).into_iter().flat_map(|part| match part {
            Part::Character(key) => stroke(None, key),
            Part::Name(name) => {
                named(name).unwrap_or_else(|| panic!("<{name}> is no key ({notation:?})"))
            }
        });
        self.acts("key", "keyboard", &strokes.collect::<Vec<_>>())
    }

    /// Holds a key down, so that it repeats: so often in all.
    #[track_caller]
    pub fn holds(&self, notation: &str, times: usize) -> &Self {
        let [Part::Name(name)] = parts(notation)[..] else { panic!("one named key: {notation}") };
        let key = key_of(name).unwrap_or_else(|| panic!("<{name}> is no key"));
        let mut strokes = vec![json!({"type": "keyDown", "value": key}); times];
        strokes.push(json!({"type": "keyUp", "value": key}));
        self.acts("key", "keyboard", &strokes)
    }

    /// Types text, character for character.
    #[track_caller]
    pub fn types(&self, text: &str) -> &Self {
        assert!(!text.contains('\n'), "a line is broken by a key: {text:?}");
        let mut buffer = [0; 4];
        let strokes = text.chars().flat_map(|it| stroke(None, it.encode_utf8(&mut buffer)));
        self.acts("key", "keyboard", &strokes.collect::<Vec<_>>())
    }

    /// Puts text in as one piece, as a paste or a dictation does.
    #[track_caller]
    pub fn pastes(&self, text: &str) -> &Self {
        self.devtools("Input.insertText", &json!({"text": text}));
        self
    }

    /// An input method shows this as being composed.
    #[track_caller]
    pub fn composes(&self, text: &str) -> &Self {
        let end = text.encode_utf16().count();
        let composition = json!({"text": text, "selectionStart": end, "selectionEnd": end});
        self.devtools("Input.imeSetComposition", &composition);
        self
    }

    /// A key that the input method takes for itself while it composes: the page is told that
    /// something was pressed, and not what.
    #[track_caller]
    pub fn presses_in_composition(&self, key: &str) -> &Self {
        let code = json!({"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": 229});
        self.devtools("Input.dispatchKeyEvent", &code);
        self
    }

    /// The input method puts in what was composed.
    #[track_caller]
    pub fn commits(&self, text: &str) -> &Self {
        self.pastes(text)
    }

    pub(super) fn try_tap(&self, element: &Value) -> Result<(), Refusal> {
        let moved =
            json!({"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": element});
        let (down, up) = (json!({"type": "pointerDown"}), json!({"type": "pointerUp"}));
        let finger = json!({
            "type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"},
            "actions": [moved, down, up],
        });
        self.try_post("actions", &json!({"actions": [finger]})).map(drop)
    }

    #[track_caller]
    fn acts(&self, kind: &str, id: &str, actions: &[Value]) -> &Self {
        self.post("actions", &json!({"actions": [{"type": kind, "id": id, "actions": actions}]}));
        self
    }
}

/// A key pressed and let go, with a modifier around it.
fn stroke(modifier: Option<&str>, key: &str) -> Vec<Value> {
    let down = |key: &str| json!({"type": "keyDown", "value": key});
    let up = |key: &str| json!({"type": "keyUp", "value": key});
    match modifier {
        None => vec![down(key), up(key)],
        Some(modifier) => vec![down(modifier), down(key), up(key), up(modifier)],
    }
}

fn named(name: &str) -> Option<Vec<Value>> {
    let (modifier, key) = match name.split_once('-') {
        Some(("s", key)) => (Some(SHIFT), key),
        Some(("c", key)) => (Some(CONTROL), key),
        Some(("a", key)) => (Some(ALT), key),
        Some(("m", key)) => (Some(META), key),
        _ => (None, name),
    };
    Some(stroke(modifier, key_of(key)?))
}

/// How WebDriver writes a key.
fn key_of(name: &str) -> Option<&str> {
    Some(match name {
        "backspace" => "\u{e003}",
        "tab" => "\u{e004}",
        "enter" => "\u{e007}",
        "esc" => "\u{e00c}",
        "space" => " ",
        "pgup" => "\u{e00e}",
        "pgdn" => "\u{e00f}",
        "end" => "\u{e010}",
        "home" => "\u{e011}",
        "left" => "\u{e012}",
        "up" => "\u{e013}",
        "right" => "\u{e014}",
        "down" => "\u{e015}",
        "delete" => "\u{e017}",
        "lt" => "<",
        "gt" => ">",
        _ if name.chars().count() == 1 => name,
        _ => return None,
    })
}
