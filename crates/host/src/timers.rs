//! What time brings: a request expires, an asker is away, a request is withdrawn after its grace.

use std::time::Duration;

use askwell_core::outcome::Outcome;
use askwell_core::wire::{Receipt, RequestId, UnixMillis};
use askwell_core::{State, project};
use askwell_store::{Condition, Settled, Settlement};

use crate::Host;
use crate::memory::{AskerState, Due, moment};

/// The longest sleep while anything is to happen by time: a machine that slept has not counted.
const LOOK: Duration = Duration::from_secs(1);

impl Host {
    /// Does everything that is due by now, and waits until it is on disk.
    pub async fn run_due(&self) {
        loop {
            let due = self.memory().take_due(self.now(), moment(LOOK));
            match due {
                None => return,
                Some((id, Due::Away)) => self.asker_is_away(id),
                Some((id, Due::Expire { deadline_at, created_at })) => {
                    self.expire(id, deadline_at, created_at).await;
                }
                Some((id, Due::Withdraw { since, draft_writes })) => {
                    self.withdraw(id, since, draft_writes).await;
                }
            }
        }
    }

    pub(crate) fn start_timer(&self) {
        let host = self.clone();
        self.runtime().spawn(async move {
            let mut interrupts = host.interrupts();
            loop {
                let next = host.memory().next_timer();
                let sleep =
                    next.map(|at| LOOK.min(Duration::from_millis(at.saturating_sub(host.now()))));
                tokio::select! {
                    _ = interrupts.wait_for(|it| it.stopping) => return,
                    () = host.timer().notified() => {}
                    () = tokio::time::sleep(sleep.unwrap_or_default()), if sleep.is_some() => {}
                }
                host.run_due().await;
            }
        });
    }

    fn asker_is_away(&self, id: RequestId) {
        let (now, away) = (self.now(), self.away_as_from_now());
        self.set_asker(id, |entry| {
            let lapsed =
                matches!(entry.asker, AskerState::Attached { lease_until } if lease_until <= now);
            (lapsed && entry.waits == 0).then_some(away)
        });
        self.memory().not_due(id);
    }

    async fn expire(&self, id: RequestId, deadline_at: UnixMillis, created_at: UnixMillis) {
        let seconds = deadline_at.saturating_sub(created_at).unsigned_abs() / 1_000;
        let outcome = project::document(&Outcome::Expired, Some(seconds));
        self.end_by_time(id, State::Expired, outcome, Condition::Deadline(deadline_at)).await;
    }

    async fn withdraw(&self, id: RequestId, since: UnixMillis, draft_writes: u64) {
        let grace = self.config().grace.as_secs();
        let reason = match grace / 3_600 {
            0 => format!("its asker stayed away for {grace} s"),
            hours => format!("its asker stayed away for {hours} h"),
        };
        let outcome = project::document(&Outcome::Aborted { reason }, None);
        let condition = Condition::Away { since, draft_writes };
        self.end_by_time(id, State::Aborted, outcome, condition).await;
    }

    async fn end_by_time(
        &self,
        id: RequestId,
        state: State,
        outcome: serde_json::Value,
        condition: Condition,
    ) {
        let receipt = Receipt { at: self.wall(), provider: None, by: None, picked_up_at: None };
        let settlement = Settlement { id, condition, state, outcome, receipt, late: None };
        match self.settle(settlement).await {
            Ok(Settled::Won { .. }) => {}
            // Put off, answered or edited in the meantime.
            Ok(Settled::NotDue) => self.memory().not_due(id),
            Ok(Settled::Late(_) | Settled::Missing) => {
                self.recent().remove(id);
                self.memory().end(id, &None, self.now());
            }
            // Tried again in a moment: an end by time is not lost with a full disk.
            Err(error) => tracing::warn!(%error, %id, "the end of a request was not written"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use askwell_core::wire::{NewCredential, Posting, Role};
    use askwell_core::{Question, Request};
    use askwell_store::SqliteStore;

    use super::*;
    use crate::{Caller, Config, ManualClock, Timers};

    #[tokio::test]
    async fn a_wait_that_begins_as_the_lease_lapses_is_not_overtaken_by_away() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("askwell.db")).unwrap();
        let clock = Arc::new(ManualClock::new(0));
        let config = Config { timers: Timers::Manual, ..Config::default() };
        let host = Host::start(Arc::new(store), Arc::clone(&clock) as _, config).unwrap();
        let new = NewCredential { role: Role::Asker, name: "agent".to_owned(), person: None };
        let (credential, _) = host.create_credential(&Caller::owner(), new).await.unwrap();
        let agent = Caller::of(&credential);
        let request = Request::new([Question::new("q", "?")]).validate().unwrap();
        let id = host.ask(&agent, &request, &Posting::attached()).await.unwrap().id;
        clock.advance(Duration::from_secs(30));
        // The timer has looked, and now the asker is faster.
        let due = host.memory().take_due(host.now(), moment(LOOK));
        assert_eq!(due, Some((id, Due::Away)));
        let (waits, agent) = (host.clone(), agent.clone());
        let wait = tokio::spawn(async move { waits.wait(&agent, id, LOOK * 60).await });
        tokio::task::yield_now().await;

        host.asker_is_away(id);

        assert_eq!(host.stats().away, 0);
        wait.abort();
        let _ = wait.await;
        host.shutdown().await;
    }
}
