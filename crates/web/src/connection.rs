//! A connection as it is looked after: it gives up on a client that takes nothing of what is written
//! to it, and knows whether anything is under way.
//!
//! A connection on which nothing is waits for a head: at first, and between calls. They are counted,
//! so that those who send none can be hurried when there are many.

use std::convert::Infallible;
use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};
use tower::ServiceExt as _;

/// The connections that wait for a head.
#[derive(Debug, Clone)]
pub(crate) struct Waiting(Arc<Crowd>);

#[derive(Debug)]
struct Crowd {
    began: Instant,
    count: AtomicUsize,
    /// More are too many.
    most: usize,
    too_many: watch::Sender<bool>,
}

impl Waiting {
    pub fn new(most: usize) -> Self {
        let (began, count) = (Instant::now(), AtomicUsize::new(0));
        Self(Arc::new(Crowd { began, count, most, too_many: watch::Sender::default() }))
    }

    /// A new connection, which waits for its first head.
    pub fn connected(&self) -> Activity {
        let flags = Flags {
            crowd: Arc::clone(&self.0),
            calls: AtomicUsize::new(0),
            writing: AtomicBool::new(false),
            since: AtomicU64::new(0),
        };
        flags.wait();
        Activity(Arc::new(flags))
    }
}

/// What is under way on a connection.
#[derive(Debug, Clone)]
pub(crate) struct Activity(Arc<Flags>);

#[derive(Debug)]
struct Flags {
    crowd: Arc<Crowd>,
    calls: AtomicUsize,
    writing: AtomicBool,
    /// Since when it waits for a head, in milliseconds.
    since: AtomicU64,
}

impl Flags {
    /// It waits for a head from now on.
    fn wait(&self) {
        self.since.store(self.crowd.began.elapsed().as_millis() as u64, Relaxed);
        if self.crowd.count.fetch_add(1, Relaxed) == self.crowd.most {
            self.crowd.told();
        }
    }

    /// It does not wait any more.
    fn go(&self) {
        if self.crowd.count.fetch_sub(1, Relaxed) == self.crowd.most + 1 {
            self.crowd.told();
        }
    }
}

impl Crowd {
    /// The count has crossed the bound.
    fn told(&self) {
        // Read within, so that the last one to tell tells how it is.
        self.too_many.send_modify(|it| *it = self.count.load(Relaxed) > self.most);
    }
}

impl Drop for Flags {
    fn drop(&mut self) {
        if self.calls.load(Relaxed) == 0 {
            self.go();
        }
    }
}

impl Activity {
    /// Returns once this connection has waited for a head for so long, and too many others wait
    /// as well.
    pub async fn crowded_out(&self, patience: Duration) {
        let mut too_many = self.0.crowd.too_many.subscribe();
        loop {
            // The crowd outlives its connections.
            let _ = too_many.wait_for(|it| *it).await;
            let waited = match self.0.calls.load(Relaxed) {
                0 => {
                    let since = Duration::from_millis(self.0.since.load(Relaxed));
                    self.0.crowd.began.elapsed().saturating_sub(since)
                }
                _ => Duration::ZERO,
            };
            match patience.checked_sub(waited) {
                None | Some(Duration::ZERO) if !self.is_busy() => return,
                left => sleep(left.unwrap_or(patience).max(Duration::from_millis(1))).await,
            }
        }
    }

    /// Whether a call is answered, or something of a response was not taken yet.
    pub fn is_busy(&self) -> bool {
        self.0.calls.load(Relaxed) > 0 || self.0.writing.load(Relaxed)
    }

    /// Answers a call, which is under way until the last of its response was made.
    pub async fn call(
        &self,
        router: Router,
        request: Request<Incoming>,
    ) -> Result<Response<Watched>, Infallible> {
        if self.0.calls.fetch_add(1, Relaxed) == 0 {
            self.0.go();
        }
        let under_way = UnderWay(Arc::clone(&self.0));
        let response = router.oneshot(request).await?;
        Ok(response.map(|body| Watched { body, _under_way: under_way }))
    }
}

struct UnderWay(Arc<Flags>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if self.0.calls.fetch_sub(1, Relaxed) == 1 {
            self.0.wait();
        }
    }
}

/// The body of a response. Its call is under way for as long as it lives.
pub(crate) struct Watched {
    body: Body,
    _under_way: UnderWay,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The connection. Writing fails once nothing was taken for this long.
#[derive(Debug)]
pub(crate) struct Stalling {
    stream: TcpStream,
    pause: Duration,
    activity: Activity,
    /// Made at the first pause.
    over: Option<Pin<Box<Sleep>>>,
    paused: bool,
}

impl Stalling {
    pub fn new(stream: TcpStream, pause: Duration, activity: Activity) -> Self {
        Self { stream, pause, activity, over: None, paused: false }
    }

    fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.set_paused(false);
            return written;
        }
        let over = self.over.get_or_insert_with(|| Box::pin(sleep(self.pause)));
        if !self.paused {
            over.as_mut().reset(Instant::now() + self.pause);
        }
        let over = over.as_mut().poll(cx);
        self.set_paused(true);
        over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn set_paused(&mut self, paused: bool) {
        if self.paused != paused {
            self.paused = paused;
            self.activity.0.writing.store(paused, Relaxed);
        }
    }
}

impl AsyncRead for Stalling {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stalling {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Nothing is kept back by a socket.
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
