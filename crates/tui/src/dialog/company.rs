//! Other persons at the same request: who they are, never what they enter.

use std::time::Duration;

use askwell_core::facts;

use super::{Dialog, Phase, Status};

/// Who else is answering, and until when they count as doing so.
#[derive(Debug, Default)]
pub(super) struct Company(Vec<(String, Duration)>);

impl Company {
    /// Somebody is at it for so long; whether that is news.
    fn joins(&mut self, person: String, until: Duration, now: Duration) -> bool {
        match self.0.iter_mut().find(|(known, _)| *known == person) {
            Some((_, known)) => {
                let is_back = *known <= now;
                // Who has left it is known of no longer; an older word of who goes on changes nothing.
                *known = if until <= now { now } else { until.max(*known) };
                is_back
            }
            None => {
                self.0.push((person, until));
                true
            }
        }
    }

    fn names(&self, now: Duration) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().filter(move |(_, until)| now < *until).map(|(person, _)| person.as_str())
    }

    /// When somebody stops being at it.
    pub(super) fn next(&self, now: Duration) -> Option<Duration> {
        self.0.iter().map(|(_, until)| *until).filter(|until| now < *until).min()
    }
}

impl Dialog {
    /// Whoever is at it when the dialog begins.
    pub(super) fn meet_company(&mut self) {
        for (person, lasts) in std::mem::take(&mut self.options.answering) {
            self.company.joins(person, self.now + lasts, self.now);
        }
    }

    /// Somebody else answers, or goes on. Told once; keys and what is entered stay as they are.
    pub(super) fn joined(&mut self, person: String, lasts: Duration) {
        let until = self.now + lasts;
        let told = facts::persons(&self.messages, std::iter::once(person.as_str()));
        let is_news = self.company.joins(person, until, self.now) && !lasts.is_zero();
        // A refusal is not talked over.
        if is_news && self.phase == Phase::Open && !matches!(self.status, Some(Status::Error(_))) {
            let values = [("names", told.unwrap_or_default().into())];
            self.status = Some(Status::Note(self.messages.with("answering-now", values)));
        }
    }

    /// Who else is answering, in these words; nobody any more once it has ended.
    pub(crate) fn company_in(&self, words: &str) -> Option<String> {
        if self.phase == Phase::Ended {
            return None;
        }
        let names = facts::persons(&self.messages, self.company.names(self.now))?;
        Some(self.messages.with(words, [("names", names.into())]))
    }
}
