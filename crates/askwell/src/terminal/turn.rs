//! Whose turn it is at the terminal, which shows one dialog at a time.
//!
//! Invariant: turns come in the order of the calls, and a call that is withdrawn or runs out of
//! time while it waits never gets one.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use askwell_core::Outcome;

use crate::Cancel;

/// A process has one controlling terminal.
static TERMINAL: Queue = Queue::new();

/// Waits for the turn at the terminal.
pub(super) fn wait(cancel: &Cancel, deadline: Option<Instant>) -> Result<Turn<'static>, Outcome> {
    TERMINAL.wait(cancel, deadline)
}

struct Queue {
    line: Mutex<Line>,
    moved: Condvar,
}

struct Line {
    numbers: VecDeque<u64>,
    next: u64,
}

/// The turn, until it is dropped.
pub(super) struct Turn<'a> {
    queue: &'a Queue,
    number: u64,
}

impl Queue {
    const fn new() -> Self {
        let line = Line { numbers: VecDeque::new(), next: 0 };
        Self { line: Mutex::new(line), moved: Condvar::new() }
    }

    fn wait(
        &'static self,
        cancel: &Cancel,
        deadline: Option<Instant>,
    ) -> Result<Turn<'static>, Outcome> {
        let turn = {
            let mut line = self.lock();
            let number = line.next;
            line.next += 1;
            line.numbers.push_back(number);
            Turn { queue: self, number }
        };
        // Under the lock, so that no waiter looks just before and sleeps just after.
        let _waking = cancel.on_cancel(|_| {
            let _line = self.lock();
            self.moved.notify_all();
        });
        let mut line = self.lock();
        loop {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            let ended = match (cancel.reason(), left) {
                (Some(reason), _) => Some(Outcome::Aborted { reason }),
                (None, Some(left)) if left.is_zero() => Some(Outcome::Expired),
                (None, _) => None,
            };
            if let Some(outcome) = ended {
                drop(line);
                return Err(outcome);
            }
            if line.numbers.front() == Some(&turn.number) {
                drop(line);
                return Ok(turn);
            }
            line = match left {
                None => self.moved.wait(line).unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    let woken = self.moved.wait_timeout(line, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut line = self.queue.lock();
        line.numbers.retain(|number| *number != self.number);
        self.queue.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn queue() -> &'static Queue {
        Box::leak(Box::new(Queue::new()))
    }

    /// Waits until so many calls stand in line.
    fn wait_for(queue: &Queue, count: usize) {
        let until = Instant::now() + Duration::from_secs(10);
        while queue.lock().numbers.len() != count {
            assert!(Instant::now() < until, "never {count} in line");
            thread::yield_now();
        }
    }

    #[test]
    fn b111_turns_come_in_the_order_of_the_calls() {
        let queue = queue();
        let first = queue.wait(&Cancel::new(), None).ok().unwrap();
        let (told, heard) = channel();
        let threads: Vec<_> = (1..=5)
            .map(|number| {
                let told = told.clone();
                let thread = thread::spawn(move || {
                    let _turn = queue.wait(&Cancel::new(), None).ok().unwrap();
                    told.send(number).unwrap();
                });
                wait_for(queue, number + 1);
                thread
            })
            .collect();
        drop(told);

        assert!(heard.try_recv().is_err());
        drop(first);

        assert_eq!(heard.iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }

    #[test]
    fn b114_a_call_withdrawn_while_it_waits_ends_and_lets_the_others_go_on() {
        let queue = queue();
        let first = queue.wait(&Cancel::new(), None).ok().unwrap();
        let cancel = Cancel::new();
        let withdrawn = thread::spawn({
            let cancel = cancel.clone();
            move || queue.wait(&cancel, None).err()
        });
        wait_for(queue, 2);
        let last = thread::spawn(move || queue.wait(&Cancel::new(), None).is_ok());
        wait_for(queue, 3);

        cancel.cancel("a test");

        let reason = "a test".to_owned();
        assert_eq!(withdrawn.join().unwrap(), Some(Outcome::Aborted { reason }));
        drop(first);
        assert!(last.join().unwrap());
        wait_for(queue, 0);
    }

    #[test]
    fn the_time_of_a_request_runs_while_it_waits() {
        let queue = queue();
        let _first = queue.wait(&Cancel::new(), None).ok().unwrap();

        let soon = Instant::now() + Duration::from_millis(20);

        assert_eq!(queue.wait(&Cancel::new(), Some(soon)).err(), Some(Outcome::Expired));
    }

    #[test]
    fn b008_withdrawn_before_its_turn_is_aborted_even_where_nobody_waits() {
        let cancel = Cancel::new();
        cancel.cancel("a test");

        let reason = "a test".to_owned();
        assert_eq!(queue().wait(&cancel, None).err(), Some(Outcome::Aborted { reason }));
    }
}
