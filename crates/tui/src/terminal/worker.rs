//! Keeps the draft and hands the answer over on a thread of its own, so that a slow disk or a slow
//! receiver never holds a key up.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use askwell_core::Answers;
use askwell_core::draft::DraftState;

use super::Control;
use crate::event::Event;

/// Where drafts and answers go.
pub trait DraftSink: Send {
    /// Keeps the draft. Called at most half a second after the first edit that is not kept yet, and
    /// at every exit.
    ///
    /// # Errors
    /// Why it could not be kept, in words for the person.
    fn save(&mut self, states: &[DraftState]) -> Result<(), String>;

    /// Takes the answer. The dialog shows that it is being sent until this returns.
    ///
    /// # Errors
    /// Why it was not taken, in words for the person, who then goes on with all that was entered.
    fn submit(&mut self, answers: &Answers) -> Result<(), Vec<String>> {
        let _ = answers;
        Ok(())
    }
}

enum Job {
    Save(Vec<DraftState>),
    Submit(Answers),
}

pub(super) struct Worker {
    jobs: Sender<Job>,
    done: Receiver<()>,
}

impl Worker {
    pub(super) fn start(mut sink: Box<dyn DraftSink>, control: Control) -> io::Result<Self> {
        let (jobs, queue) = channel::<Job>();
        let (finished, done) = channel();
        std::thread::Builder::new().name("draft".into()).spawn(move || {
            for job in queue {
                control.send(match job {
                    Job::Save(states) => Event::DraftSaved(sink.save(&states)),
                    Job::Submit(answers) => match sink.submit(&answers) {
                        Ok(()) => Event::SubmitAccepted,
                        Err(issues) => Event::SubmitRejected(issues),
                    },
                });
            }
            let _ = finished.send(());
        })?;
        Ok(Self { jobs, done })
    }

    pub(super) fn save(&self, states: Vec<DraftState>) {
        let _ = self.jobs.send(Job::Save(states));
    }

    pub(super) fn submit(&self, answers: Answers) {
        let _ = self.jobs.send(Job::Submit(answers));
    }

    /// Waits until everything handed over is done, at most `limit`.
    pub(super) fn finish(self, limit: Duration) {
        drop(self.jobs);
        let _ = self.done.recv_timeout(limit);
    }
}
