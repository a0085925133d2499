//! The messages of one client, in and out. What is none is refused, and so is a call with the id of one
//! that is not answered yet: two answers with one id are nobody's. What a result carries counts as taken
//! once its line is flushed.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use askwell_core::texts;
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, RequestId};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::task::JoinHandle;

use super::lines::Lines;
use crate::delivery::Taken;
use crate::message::{Message, Refusal};

/// The streams of a client.
pub(super) struct Wire<R, W> {
    lines: Lines<R>,
    output: Output<W>,
    open: Open,
    taken: Taken,
    /// A refusal that is being written. Nothing is read meanwhile: who writes nonsense has to read, too.
    refusing: Option<JoinHandle<()>>,
}

impl<R: AsyncRead + Unpin, W> Wire<R, W> {
    pub fn new(input: R, output: W, taken: Taken) -> Self {
        Self {
            lines: Lines::new(input),
            output: Output(Arc::new(tokio::sync::Mutex::new(Some(output)))),
            open: Open::default(),
            taken,
            refusing: None,
        }
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.open.answered(&message);
        let result = match &message {
            TxJsonRpcMessage::<RoleServer>::Response(response) => self.taken.by(&response.id),
            _ => None,
        };
        let output = self.output.clone();
        async move {
            output.write(serde_json::to_vec(&message)?).await?;
            if let Some(result) = result {
                result.taken().await;
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<Message> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let _ = refusing.await;
                self.refusing = None;
            }
            let refusal = match self.lines.next().await? {
                Ok(message) => match self.open.begin(&message) {
                    Ok(()) => return Some(message),
                    Err(refusal) => refusal,
                },
                Err(refusal) => refusal,
            };
            tracing::warn!(?refusal, "no message");
            let output = self.output.clone();
            // A task of its own: this may be dropped at any moment, and what is half written has to end.
            self.refusing = Some(tokio::spawn(async move {
                let _ = output.write(refusal.to_json()).await;
            }));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.output.0.lock().await.take());
        Ok(())
    }
}

/// Where messages go, one at a time.
struct Output<W>(Arc<tokio::sync::Mutex<Option<W>>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: AsyncWrite + Unpin> Output<W> {
    async fn write(&self, mut line: Vec<u8>) -> io::Result<()> {
        line.push(b'\n');
        let mut output = self.0.lock().await;
        let output = output.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        output.write_all(&line).await?;
        output.flush().await
    }
}

/// The calls that are not answered yet.
#[derive(Default)]
struct Open(Mutex<HashSet<RequestId>>);

impl Open {
    /// Takes a message in; a refusal where it is a call with an id that is in use.
    fn begin(&self, message: &Message) -> Result<(), Refusal> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match message {
            Message::Request(call) if !open.insert(call.id.clone()) => {
                let id = call.id.clone().into_json_value();
                let why = texts::id_in_use(&id.to_string());
                return Err(Refusal::invalid(Some(id), why));
            }
            Message::Notification(notification) => {
                // What its client has cancelled is not answered.
                if let ClientNotification::CancelledNotification(it) = &notification.notification
                    && let Some(id) = &it.params.request_id
                {
                    open.remove(id);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn answered(&self, message: &TxJsonRpcMessage<RoleServer>) {
        let id = match message {
            TxJsonRpcMessage::<RoleServer>::Response(response) => Some(&response.id),
            TxJsonRpcMessage::<RoleServer>::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        }
    }
}
