//! Serving connections: how many, how slow they may be, and how they end.
//!
//! Invariant: from the moment of a shutdown streams and waits end at once, what is under way is
//! finished, and nothing outlives the deadline.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use askwell_host::Host;
use askwell_mcp::Endpoint;

use crate::app::App;
use crate::body::LAST_PAUSE;
use crate::connection::{Activity, Stalling, Waiting};
use crate::failure::Failure;
use crate::listen::{Listeners, ServeError, bind};
use crate::options::{Listen, ServeOptions};
use crate::router;

/// Binds and serves until `shutdown` is cancelled, by the caller or by `POST /api/v1/stop`.
///
/// # Errors
/// [`ServeError`] where the address can't be had.
pub async fn serve(
    host: Host,
    options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let listeners = bind(&options)?;
    serve_on(listeners, host, options, shutdown).await
}

/// Serves what was bound until `shutdown` is cancelled, by the caller or by `POST /api/v1/stop`.
///
/// Streams and waits end at once then; what is under way is finished, within
/// [`Limits::shutdown`](crate::Limits::shutdown). The store is still open when this returns:
/// [`Host::shutdown`] comes next.
///
/// # Errors
/// [`ServeError::Io`] where the listeners can't be used.
pub async fn serve_on(
    listeners: Listeners,
    host: Host,
    options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let mcp = Endpoint::new(options.mcp.clone(), shutdown.child_token());
    serve_tools(mcp, listeners, host, options, shutdown).await
}

/// The same with other tools of agents than our own, for `examples/fixture.rs`.
#[doc(hidden)]
pub async fn serve_tools(
    mcp: Endpoint,
    listeners: Listeners,
    host: Host,
    mut options: ServeOptions,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let connections = allow_connections(options.limits.connections);
    host.set_page_base(listeners.page_url(host.label()));
    if let Listen::At(address) = &mut options.listen {
        // 0 was any port.
        address.set_port(listeners.address().port());
    }
    let app = App::with(mcp, host.clone(), &options, shutdown.clone());
    let server = Server {
        router: router::routes(app.clone()),
        free: Arc::new(Semaphore::new(connections)),
        waiting: Waiting::new(connections / 2),
        turned_away: Arc::new(Semaphore::new(TURNED_AWAY)),
        app,
        open: TaskTracker::new(),
        cut: CancellationToken::new(),
    };
    // Nothing goes on where this future is dropped.
    let _stop = shutdown.drop_guard();
    let _cut = server.cut.clone().drop_guard();
    let accepting = TaskTracker::new();
    for socket in listeners.sockets {
        accepting.spawn(server.clone().accept(TcpListener::from_std(socket)?));
    }
    accepting.close();
    accepting.wait().await;
    host.begin_shutdown();
    server.open.close();
    if timeout(options.limits.shutdown, server.open.wait()).await.is_err() {
        tracing::warn!("connections are cut that did not end in time");
        server.cut.cancel();
        server.open.wait().await;
    }
    Ok(())
}

/// Asks for as many open files as these connections take; the number of them that fit.
fn allow_connections(wanted: usize) -> usize {
    /// Files beside connections: the store, the log, listeners, those that are turned away.
    const BESIDE: u64 = 192;
    let files = wanted as u64 + BESIDE;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= files) {
        return wanted;
    }
    // A process may begin with fewer than it may have.
    let more = maximum.map_or(files, |maximum| maximum.min(files));
    let granted = match setrlimit(Resource::Nofile, Rlimit { current: Some(more), maximum }) {
        Ok(()) => Some(more),
        Err(_) => current,
    };
    if granted.is_none_or(|granted| granted >= files) {
        return wanted;
    }
    let fit = granted.unwrap_or(files).saturating_sub(BESIDE).max(16) as usize;
    tracing::warn!(wanted, fit, "fewer connections fit into the limit of open files");
    fit
}

/// The address that a request's connection is from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub IpAddr);

/// Connections that are told at the same time that they are one too many.
const TURNED_AWAY: usize = 64;

#[derive(Clone)]
struct Server {
    router: Router,
    app: App,
    free: Arc<Semaphore>,
    /// Those that have a place and wait for a head.
    waiting: Waiting,
    turned_away: Arc<Semaphore>,
    open: TaskTracker,
    /// Cancelled when the deadline of a shutdown is over.
    cut: CancellationToken,
}

impl Server {
    async fn accept(self, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                biased;
                () = self.app.shutdown.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => self.connected(stream),
                // The client left before it was its turn.
                Err(error) if is_of_one_client(&error) => {}
                Err(error) => {
                    // Such as too many open files: some will be closed.
                    tracing::warn!(%error, "can't accept a connection");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn connected(&self, stream: TcpStream) {
        if let Ok(place) = Arc::clone(&self.free).try_acquire_owned() {
            let served = self.clone().serve(stream);
            self.open.spawn(async move {
                served.await;
                drop(place);
            });
            return;
        }
        self.app.metrics.refused();
        if let Ok(place) = Arc::clone(&self.turned_away).try_acquire_owned() {
            self.open.spawn(async move {
                let _ = timeout(Duration::from_secs(1), turn_away(stream)).await;
                drop(place);
            });
        }
    }

    async fn serve(self, stream: TcpStream) {
        let limits = &self.app.limits;
        let _ = stream.set_nodelay(true);
        let _counted = self.app.metrics.connected();
        let activity = self.waiting.connected();
        let peer = stream.peer_addr().ok().map(|address| Peer(address.ip()));
        let io = TokioIo::new(Stalling::new(stream, limits.write_pause, activity.clone()));
        let (router, calls) = (self.router.clone(), activity.clone());
        let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
            let (router, calls) = (router.clone(), calls.clone());
            if let Some(peer) = peer {
                request.extensions_mut().insert(peer);
            }
            async move { calls.call(router, request).await }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(BUFFER)
            .serve_connection(io, service);
        tokio::pin!(connection);
        let ended = tokio::select! {
            biased;
            ended = connection.as_mut() => ended,
            // Those who send nothing make room for those who do.
            () = activity.crowded_out(limits.crowded_head) => return,
            () = self.app.shutdown.cancelled() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    () = self.given_up(&activity) => Ok(()),
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke");
        }
    }

    /// What is under way may end by itself, up to the deadline; one on which nothing is (half a head
    /// was sent) is not waited for.
    async fn given_up(&self, activity: &Activity) {
        sleep(LAST_PAUSE).await;
        if activity.is_busy() {
            self.cut.cancelled().await;
        }
    }
}

/// Bytes that are buffered of one connection, each way; also the bound of a request's head.
const BUFFER: usize = 64 * 1024;

fn is_of_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Tells a client that it is one too many.
async fn turn_away(mut stream: TcpStream) -> io::Result<()> {
    let failure = Failure::rate_limited("too many connections are open", 1);
    let (status, body) = (failure.status(), failure.body());
    let head = format!(
        "HTTP/1.1 {status} Too Many Requests\r\ncontent-type: {}\r\ncontent-length: {}\r\n\
         retry-after: 1\r\nconnection: close\r\n\r\n",
        crate::failure::PROBLEM_JSON,
        body.len(),
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await?;
    // Closed with something unread, the client might lose what it was told.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}
