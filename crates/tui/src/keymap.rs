//! Which key means what, per place. One table a place; what a key does is the dialog's.
//!
//! Invariant: where text is entered, a printable key without Ctrl or Alt is text and nothing else.

use termina::event::{KeyCode, KeyEvent, Modifiers};

/// A key in the list of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKey {
    Up,
    Down,
    /// Down, but never into the field.
    StepDown,
    First,
    Last,
    Enter,
    Choose,
    Digit(usize),
    Field,
    Next,
    Previous,
    Skip,
    All,
    None,
    Undo,
    Filter,
    Help,
    Fold,
    Reader,
    PageUp,
    PageDown,
    /// A line of the preview, or of the plan.
    PeekUp,
    PeekDown,
    /// A page of it.
    PeekPageUp,
    PeekPageDown,
    Review,
    Leave,
    /// A plan as an ordinary question, and back.
    View,
    Esc,
}

/// A key on a plan that is not one of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlanKey {
    Approve,
    Decline,
    Dismiss,
}

/// A key where text is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKey {
    Enter,
    Esc,
    Next,
    Previous,
    Up,
    Down,
    PageUp,
    PageDown,
    Edit(Edit),
}

/// A change of the text or of the caret's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    Insert(char),
    Newline,
    Backspace,
    Delete,
    DeleteWordBack,
    DeleteWordForward,
    DeleteToLineStart,
    DeleteToLineEnd,
    Yank,
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
    Start,
    Finish,
    Undo,
    Redo,
}

/// A key in the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewKey {
    Up,
    Down,
    First,
    Last,
    Send,
    Edit,
    SkipRest,
    Back,
    Help,
    Fold,
    Leave,
}

/// A key in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptKey {
    Up,
    Down,
    Enter,
    Esc,
    Letter(char),
}

/// A key in a text to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReaderKey {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Close,
}

/// A key in the list of an inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InboxKey {
    Up,
    Down,
    First,
    Last,
    PageUp,
    PageDown,
    Part,
    Open,
    Search,
    Clear,
    ClearAll,
    Help,
    Leave,
    Esc,
}

pub(crate) fn is_interrupt(key: &KeyEvent) -> bool {
    // On a Cyrillic layout the same key, where the terminal does not tell its place.
    let letter = matches!(key.code, KeyCode::Char('c' | 'C' | 'с' | 'С'));
    letter && key.modifiers.contains(Modifiers::CONTROL)
}

/// Ctrl-X: ten more minutes.
pub(crate) fn is_extend(key: &KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('x' | 'X')) && key.modifiers == Modifiers::CONTROL
}

/// Ctrl-G: the text in the person's own editor.
pub(crate) fn is_external(key: &KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('g' | 'G')) && key.modifiers == Modifiers::CONTROL
}

/// Ctrl-L: everything drawn anew.
pub(crate) fn is_redraw(key: &KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('l' | 'L')) && key.modifiers == Modifiers::CONTROL
}

/// Ctrl-T: what another screen shows in place of what this one does.
pub(crate) fn is_swap(key: &KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char('t' | 'T')) && key.modifiers == Modifiers::CONTROL
}

pub(crate) fn list(key: &KeyEvent) -> Option<ListKey> {
    let shift = key.modifiers == Modifiers::SHIFT;
    Some(match key.code {
        KeyCode::Up if shift => ListKey::PeekUp,
        KeyCode::Down if shift => ListKey::PeekDown,
        KeyCode::Up => ListKey::Up,
        KeyCode::Down => ListKey::Down,
        KeyCode::Home => ListKey::First,
        KeyCode::End => ListKey::Last,
        KeyCode::Enter if key.modifiers.is_empty() => ListKey::Enter,
        KeyCode::BackTab => ListKey::Previous,
        KeyCode::Tab if key.modifiers.contains(Modifiers::SHIFT) => ListKey::Previous,
        KeyCode::Tab | KeyCode::Right => ListKey::Next,
        KeyCode::Left => ListKey::Previous,
        KeyCode::PageUp => ListKey::PageUp,
        KeyCode::PageDown => ListKey::PageDown,
        KeyCode::Escape => ListKey::Esc,
        _ => match plain(key)? {
            'j' => ListKey::StepDown,
            'k' => ListKey::Up,
            'J' => ListKey::PeekPageDown,
            'K' => ListKey::PeekPageUp,
            'g' => ListKey::First,
            'G' => ListKey::Last,
            ' ' => ListKey::Choose,
            digit @ '1'..='9' => ListKey::Digit(digit as usize - '0' as usize),
            'c' => ListKey::Field,
            's' => ListKey::Skip,
            'a' => ListKey::All,
            'n' => ListKey::None,
            'u' => ListKey::Undo,
            '/' => ListKey::Filter,
            '?' => ListKey::Help,
            'z' => ListKey::Fold,
            'o' => ListKey::Reader,
            'r' => ListKey::Review,
            'x' => ListKey::Leave,
            'v' => ListKey::View,
            _ => return None,
        },
    })
}

/// The letters that mean something else where a plan is decided on.
pub(crate) fn plan(key: &KeyEvent) -> Option<PlanKey> {
    Some(match plain(key)? {
        'a' => PlanKey::Approve,
        'd' => PlanKey::Decline,
        'x' => PlanKey::Dismiss,
        _ => return None,
    })
}

pub(crate) fn field(key: &KeyEvent) -> Option<FieldKey> {
    let control = key.modifiers.contains(Modifiers::CONTROL);
    let alt = key.modifiers.contains(Modifiers::ALT);
    let shift = key.modifiers.contains(Modifiers::SHIFT);
    let edit = match key.code {
        KeyCode::Enter if alt || shift || control => Edit::Newline,
        KeyCode::Enter => return Some(FieldKey::Enter),
        KeyCode::Escape => return Some(FieldKey::Esc),
        KeyCode::BackTab => return Some(FieldKey::Previous),
        KeyCode::Tab if shift => return Some(FieldKey::Previous),
        KeyCode::Tab => return Some(FieldKey::Next),
        KeyCode::Up => return Some(FieldKey::Up),
        KeyCode::Down => return Some(FieldKey::Down),
        KeyCode::PageUp => return Some(FieldKey::PageUp),
        KeyCode::PageDown => return Some(FieldKey::PageDown),
        KeyCode::Left if control || alt => Edit::WordLeft,
        KeyCode::Right if control || alt => Edit::WordRight,
        KeyCode::Left => Edit::Left,
        KeyCode::Right => Edit::Right,
        KeyCode::Home if control => Edit::Start,
        KeyCode::End if control => Edit::Finish,
        KeyCode::Home => Edit::Home,
        KeyCode::End => Edit::End,
        KeyCode::Backspace if control || alt => Edit::DeleteWordBack,
        KeyCode::Backspace => Edit::Backspace,
        KeyCode::Delete if control || alt => Edit::DeleteWordForward,
        KeyCode::Delete => Edit::Delete,
        KeyCode::Char(character) if control && !alt => match character.to_ascii_lowercase() {
            'j' => Edit::Newline,
            'a' => Edit::Home,
            'e' => Edit::End,
            'b' => Edit::Left,
            'f' => Edit::Right,
            'h' => Edit::Backspace,
            'd' => Edit::Delete,
            'w' => Edit::DeleteWordBack,
            'u' => Edit::DeleteToLineStart,
            'k' => Edit::DeleteToLineEnd,
            'y' => Edit::Yank,
            'z' | '_' | '7' => Edit::Undo,
            _ => return None,
        },
        KeyCode::Char(character) if alt && !control => match character {
            'b' => Edit::WordLeft,
            'f' => Edit::WordRight,
            'd' => Edit::DeleteWordForward,
            'z' => Edit::Redo,
            _ => return None,
        },
        // AltGr arrives as Ctrl and Alt together on some terminals: that is text.
        KeyCode::Char(character) => Edit::Insert(character),
        _ => return None,
    };
    Some(FieldKey::Edit(edit))
}

pub(crate) fn review(key: &KeyEvent) -> Option<ReviewKey> {
    Some(match key.code {
        KeyCode::Up => ReviewKey::Up,
        KeyCode::Down => ReviewKey::Down,
        KeyCode::Home => ReviewKey::First,
        KeyCode::End => ReviewKey::Last,
        KeyCode::Enter if key.modifiers.is_empty() => ReviewKey::Send,
        KeyCode::Escape | KeyCode::BackTab | KeyCode::Left => ReviewKey::Back,
        _ => match plain(key)? {
            'k' => ReviewKey::Up,
            'j' => ReviewKey::Down,
            'e' => ReviewKey::Edit,
            's' => ReviewKey::SkipRest,
            '?' => ReviewKey::Help,
            'z' => ReviewKey::Fold,
            'x' => ReviewKey::Leave,
            _ => return None,
        },
    })
}

pub(crate) fn prompt(key: &KeyEvent) -> Option<PromptKey> {
    Some(match key.code {
        KeyCode::Up => PromptKey::Up,
        KeyCode::Down => PromptKey::Down,
        KeyCode::Enter if key.modifiers.is_empty() => PromptKey::Enter,
        KeyCode::Escape => PromptKey::Esc,
        _ => match plain(key)? {
            'k' => PromptKey::Up,
            'j' => PromptKey::Down,
            letter => PromptKey::Letter(letter),
        },
    })
}

pub(crate) fn reader(key: &KeyEvent) -> Option<ReaderKey> {
    Some(match key.code {
        KeyCode::Up => ReaderKey::Up,
        KeyCode::Down => ReaderKey::Down,
        KeyCode::PageUp => ReaderKey::PageUp,
        KeyCode::PageDown => ReaderKey::PageDown,
        KeyCode::Home => ReaderKey::First,
        KeyCode::End => ReaderKey::Last,
        KeyCode::Escape | KeyCode::Enter => ReaderKey::Close,
        _ => match plain(key)? {
            'k' => ReaderKey::Up,
            'j' => ReaderKey::Down,
            'b' => ReaderKey::PageUp,
            ' ' => ReaderKey::PageDown,
            'g' => ReaderKey::First,
            'G' => ReaderKey::Last,
            'o' | 'q' | '?' => ReaderKey::Close,
            _ => return None,
        },
    })
}

pub(crate) fn inbox(key: &KeyEvent) -> Option<InboxKey> {
    Some(match key.code {
        KeyCode::Up => InboxKey::Up,
        KeyCode::Down => InboxKey::Down,
        KeyCode::PageUp => InboxKey::PageUp,
        KeyCode::PageDown => InboxKey::PageDown,
        KeyCode::Home => InboxKey::First,
        KeyCode::End => InboxKey::Last,
        KeyCode::Tab | KeyCode::BackTab => InboxKey::Part,
        KeyCode::Enter if key.modifiers.is_empty() => InboxKey::Open,
        KeyCode::Escape => InboxKey::Esc,
        _ => match plain(key)? {
            'k' => InboxKey::Up,
            'j' => InboxKey::Down,
            'g' => InboxKey::First,
            'G' => InboxKey::Last,
            '/' => InboxKey::Search,
            'x' => InboxKey::Clear,
            'X' => InboxKey::ClearAll,
            '?' => InboxKey::Help,
            'q' => InboxKey::Leave,
            _ => return None,
        },
    })
}

/// The character of a key pressed without Ctrl or Alt.
fn plain(key: &KeyEvent) -> Option<char> {
    let chord = Modifiers::CONTROL | Modifiers::ALT | Modifiers::SUPER;
    match key.code {
        KeyCode::Char(character) if !key.modifiers.intersects(chord) => Some(character),
        _ => None,
    }
}
