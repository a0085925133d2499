//! What the buttons of a card are called, and ask for.

use askwell_core::messages::Lang;
use askwell_core::wire::RequestId;

use super::entered::Posted;
use super::language;

/// What a button asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Submit,
    SendWithout,
    SendWith,
    /// An option of a plan.
    Choose(usize),
    /// The own text on a plan.
    Reply,
    Save,
    Review,
    SkipRest,
    SkipRestYes,
    Back,
    /// Back, to this question.
    Edit(usize),
    Dismiss,
    DismissYes,
    Extend,
    Restore,
    StartEmpty,
    AsQuestion,
    AsPlan,
    Language(Lang),
    Leave(Way),
}

/// Where a page leads on to. Without scripts a pending card takes what was entered along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Inbox,
    Ended,
    Devices,
    Request(RequestId),
}

impl Way {
    /// Its address.
    pub fn address(self) -> String {
        match self {
            Self::Inbox => "/".to_owned(),
            Self::Ended => "/?ended=".to_owned(),
            Self::Devices => "/devices".to_owned(),
            Self::Request(id) => format!("/r/{id}"),
        }
    }

    /// What its button is called.
    pub fn button(self) -> String {
        match self {
            Self::Inbox => "leave-inbox".to_owned(),
            Self::Ended => "leave-ended".to_owned(),
            Self::Devices => "leave-devices".to_owned(),
            Self::Request(id) => format!("leave-{id}"),
        }
    }

    fn of(word: &str) -> Option<Self> {
        match word.strip_prefix("leave-")? {
            "inbox" => Some(Self::Inbox),
            "ended" => Some(Self::Ended),
            "devices" => Some(Self::Devices),
            id => id.parse().ok().map(Self::Request),
        }
    }
}

impl Action {
    pub fn of(posted: &Posted) -> Self {
        let word = posted.get("do").unwrap_or("submit");
        let number = |prefix: &str| word.strip_prefix(prefix).and_then(|text| text.parse().ok());
        if let Some(option) = number("choose-") {
            return Self::Choose(option);
        }
        if let Some(question) = number("edit-") {
            return Self::Edit(question);
        }
        if let Some(lang) = word.strip_prefix("lang-").and_then(language::known) {
            return Self::Language(lang);
        }
        if let Some(way) = Way::of(word) {
            return Self::Leave(way);
        }
        match word {
            "submit" => Self::Submit,
            "send-without" => Self::SendWithout,
            "send-with" => Self::SendWith,
            "reply" => Self::Reply,
            "review" => Self::Review,
            "skip-rest" => Self::SkipRest,
            "skip-rest-yes" => Self::SkipRestYes,
            "back" => Self::Back,
            "dismiss" => Self::Dismiss,
            "dismiss-yes" => Self::DismissYes,
            "extend" => Self::Extend,
            "restore" => Self::Restore,
            "start-empty" => Self::StartEmpty,
            "view-question" => Self::AsQuestion,
            "view-plan" => Self::AsPlan,
            // Does no harm, whatever was meant.
            _ => Self::Save,
        }
    }

    /// Whether it ends the request, where all goes well.
    pub fn sends(self) -> bool {
        matches!(
            self,
            Self::Submit | Self::SendWithout | Self::SendWith | Self::Choose(_) | Self::Reply
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_leads_to_pages_of_ours_only() {
        let id = RequestId::from_bytes([7; 16]);

        for way in [Way::Inbox, Way::Ended, Way::Devices, Way::Request(id)] {
            assert_eq!(Way::of(&way.button()), Some(way));
            assert!(way.address().starts_with('/'));
        }
        for word in ["leave-", "leave-//evil.example", "leave-/devices", "inbox"] {
            assert_eq!(Way::of(word), None, "{word}");
        }
    }
}
