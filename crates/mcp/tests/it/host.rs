//! A host in memory: requests that end when the test says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askwell_core::wire::{
    Asked, EventId, InboxError, Leaving, ListQuery, Page, Posting, RequestId, RequestView,
};
use askwell_core::{ErrorCode, Outcome, State, ValidRequest, answer, project};
use askwell_mcp::{Calling, Desk};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

/// A host. Clones are the same one.
#[derive(Clone, Default)]
pub struct FakeHost(Arc<Mutex<Shared>>);

#[derive(Default)]
struct Shared {
    requests: HashMap<RequestId, watch::Sender<RequestView>>,
    /// What was told of leaving, in order.
    left: Vec<Leaving>,
    /// What a person says as soon as anything is asked.
    ready: Option<Value>,
}

impl FakeHost {
    /// One at which a person answers before whoever asked can have heard that it was asked.
    pub fn answering(answers: Value) -> Self {
        let host = Self::default();
        host.0.lock().unwrap().ready = Some(answers);
        host
    }

    /// Answers the only request.
    pub fn answer(&self, answers: &Value) {
        let shared = self.0.lock().unwrap();
        let (_, request) = shared.requests.iter().next().unwrap();
        request.send_modify(|view| end(view, answers));
    }

    pub fn left(&self) -> Vec<Leaving> {
        self.0.lock().unwrap().left.clone()
    }

    fn watch(&self, id: RequestId) -> Result<watch::Receiver<RequestView>, InboxError> {
        let shared = self.0.lock().unwrap();
        let request = shared.requests.get(&id).map(watch::Sender::subscribe);
        request.ok_or_else(|| InboxError::new(ErrorCode::NotFound, "no such request"))
    }
}

/// A person has answered.
fn end(view: &mut RequestView, answers: &Value) {
    let asked = view.request.clone().validate().unwrap();
    let answers = answer::validate_json(&asked, answers).unwrap();
    view.state = State::Answered;
    view.outcome = Some(project::document(&Outcome::Answered(answers), None));
}

impl Desk for FakeHost {
    fn ask<'a>(&'a self, request: &'a ValidRequest, _: &'a Posting) -> Calling<'a, Asked> {
        let mut shared = self.0.lock().unwrap();
        let id = RequestId::mint(shared.requests.len() as u64, [7; 10]);
        let mut view = RequestView {
            id,
            state: State::Pending,
            request: request.clone().into_inner(),
            credential: "local".to_owned(),
            created_at: 0,
            deadline_at: None,
            away_since: None,
            attached: true,
            watching: 0,
            answering: Vec::new(),
            url: None,
            receipt: None,
            outcome: None,
            late: Vec::new(),
        };
        if let Some(answers) = &shared.ready {
            end(&mut view, answers);
        }
        shared.requests.insert(id, watch::Sender::new(view));
        let asked =
            Asked { id, state: State::Pending, url: None, watching: 0, joined: false, note: None };
        Box::pin(async move { Ok(asked) })
    }

    fn wait(&self, id: RequestId, at_most: Duration) -> Calling<'_, RequestView> {
        Box::pin(async move {
            let mut request = self.watch(id)?;
            let _ = timeout(at_most, request.wait_for(|it| it.state != State::Pending)).await;
            let view = request.borrow().clone();
            Ok(view)
        })
    }

    fn pick_up(&self, id: RequestId) -> Calling<'_, RequestView> {
        Box::pin(async move { Ok(self.watch(id)?.borrow().clone()) })
    }

    fn list<'a>(&'a self, _: &'a ListQuery) -> Calling<'a, Page> {
        let event_id = EventId { epoch: 1, number: 0 };
        Box::pin(async move { Ok(Page { requests: Vec::new(), next: None, event_id, now: 0 }) })
    }

    fn detach(&self, id: RequestId, leaving: Leaving) -> Calling<'_, RequestView> {
        self.0.lock().unwrap().left.push(leaving);
        Box::pin(async move { Ok(self.watch(id)?.borrow().clone()) })
    }

    fn abort<'a>(&'a self, id: RequestId, _: &'a str) -> Calling<'a, RequestView> {
        Box::pin(async move { Ok(self.watch(id)?.borrow().clone()) })
    }
}
