//! The server for one client that has started it, over a pair of streams.
//!
//! Invariant: from the moment at which the client closes its end nothing lasts longer than
//! [`LAST`].

mod lines;
mod wire;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::delivery::Taken;
use crate::server::{Place, Server, Shared};
use crate::{Options, Seat};
use wire::Wire;

/// How long the server goes on once its client has closed its end.
const LAST: Duration = Duration::from_millis(1_500);

/// How serving a client ended.
#[derive(Debug)]
pub enum Ended {
    /// The client has closed its end.
    Closed,
    /// What came was not the beginning of MCP.
    NotMcp(String),
}

/// Serves one client until it closes its end.
pub async fn serve(
    options: Options,
    seat: Seat,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Ended {
    let closed = CancellationToken::new();
    let input = Watched { input, closed: closed.clone() };
    let taken = Taken::default();
    let place = Place::Process { seat, closed: closed.clone(), taken: taken.clone() };
    let server = Server::new(Shared::new(options), place);
    let serving = async {
        match server.serve(Wire::new(input, output, taken)).await {
            Ok(running) => {
                let _ = running.waiting().await;
                Ended::Closed
            }
            Err(
                ServerInitializeError::ConnectionClosed(_)
                | ServerInitializeError::TransportError { .. },
            ) => Ended::Closed,
            Err(error) => Ended::NotMcp(error.to_string()),
        }
    };
    let last = async {
        closed.cancelled().await;
        tokio::time::sleep(LAST).await;
    };
    tokio::select! {
        ended = serving => ended,
        () = last => Ended::Closed,
    }
}

/// An input that tells when it has ended.
struct Watched<R> {
    input: R,
    closed: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.input).poll_read(cx, buffer));
        if read.is_err() || buffer.filled().len() == before {
            self.closed.cancel();
        }
        Poll::Ready(read)
    }
}
