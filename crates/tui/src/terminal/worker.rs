//! Keeps the draft and hands the answer over on a thread of its own, so that a slow disk or a slow
//! receiver never holds a key up.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use askwell_core::Answers;
use askwell_core::draft::Entered;

use super::Control;
use crate::event::{Event, Merged};

/// Where drafts and answers go.
pub trait DraftSink: Send {
    /// Keeps the draft. Called at most half a second after the first edit that is not kept yet, and
    /// at every exit.
    ///
    /// # Errors
    /// Why it could not be kept, in words for the person.
    fn save(&mut self, entered: &Entered) -> Result<(), String>;

    /// A draft from elsewhere was taken in: the saves that follow were made knowing it.
    fn merged(&mut self, merged: Merged) {
        let _ = merged;
    }

    /// Takes the answer. The dialog shows that it is being sent until this returns.
    ///
    /// # Errors
    /// Why it was not taken, in words for the person, who then goes on with all that was entered.
    fn submit(&mut self, answers: &Answers) -> Result<(), Vec<String>> {
        let _ = answers;
        Ok(())
    }

    /// Puts the deadline off by ten minutes, and tells the dialog the new one. Asked for only where
    /// the request belongs to a host.
    ///
    /// # Errors
    /// Why it could not be put off, in words for the person.
    fn extend(&mut self) -> Result<(), String> {
        Ok(())
    }
}

enum Job {
    Save(Entered),
    Merged(Merged),
    Submit(Answers),
    Extend,
}

/// Carries out what a dialog wants done with its draft and its answer. The thread starts with the
/// first job: a dialog that is only looked at needs none.
pub struct Worker {
    /// Until the thread has it.
    sink: Option<Box<dyn DraftSink>>,
    control: Control,
    running: Option<Running>,
}

struct Running {
    jobs: Sender<Job>,
    done: Receiver<()>,
}

impl Worker {
    /// What becomes of it is told by `control`.
    pub fn new(sink: Box<dyn DraftSink>, control: Control) -> Self {
        Self { sink: Some(sink), control, running: None }
    }

    /// Keeps a draft.
    pub fn save(&mut self, entered: Entered) {
        self.hand_over(Job::Save(entered));
    }

    /// Tells that a draft from elsewhere was taken in.
    pub fn merged(&mut self, merged: Merged) {
        self.hand_over(Job::Merged(merged));
    }

    /// Hands an answer over.
    pub fn submit(&mut self, answers: Answers) {
        self.hand_over(Job::Submit(answers));
    }

    /// Puts the deadline off.
    pub fn extend(&mut self) {
        self.hand_over(Job::Extend);
    }

    fn hand_over(&mut self, job: Job) {
        if let Some(sink) = self.sink.take() {
            match start(sink, self.control.clone()) {
                Ok(running) => self.running = Some(running),
                Err(error) => {
                    let reason = error.to_string();
                    self.control.send(Event::DraftSaved(Err(reason.clone())));
                    self.control.send(Event::SubmitRejected(vec![reason]));
                }
            }
        }
        if let Some(running) = &self.running {
            let _ = running.jobs.send(job);
        }
    }

    /// Waits until everything handed over is done, at most `limit`. Whether it is.
    pub fn finish(self, limit: Duration) -> bool {
        let Some(Running { jobs, done }) = self.running else { return true };
        drop(jobs);
        done.recv_timeout(limit).is_ok()
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("running", &self.running.is_some()).finish_non_exhaustive()
    }
}

fn start(mut sink: Box<dyn DraftSink>, control: Control) -> io::Result<Running> {
    let (jobs, queue) = channel::<Job>();
    let (finished, done) = channel();
    std::thread::Builder::new().name("draft".into()).spawn(move || {
        let mut next = None;
        while let Some(job) = next.take().or_else(|| queue.recv().ok()) {
            control.send(match job {
                Job::Save(mut entered) => {
                    // Behind a slow disk only the last one counts.
                    while let Ok(job) = queue.try_recv() {
                        match job {
                            Job::Save(later) => entered = later,
                            other => {
                                next = Some(other);
                                break;
                            }
                        }
                    }
                    Event::DraftSaved(sink.save(&entered))
                }
                Job::Merged(merged) => {
                    sink.merged(merged);
                    continue;
                }
                Job::Extend => Event::Extended(sink.extend()),
                Job::Submit(answers) => match sink.submit(&answers) {
                    Ok(()) => Event::SubmitAccepted,
                    Err(issues) => Event::SubmitRejected(issues),
                },
            });
        }
        let _ = finished.send(());
    })?;
    Ok(Running { jobs, done })
}
