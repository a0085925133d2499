//! An empty POST handler on axum: what askwell's host is measured against. Prints the port that it
//! listens on, then serves until it is killed. Usage: `axum-peer`

#![allow(clippy::print_stdout, reason = "a program, not a library")]

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    let listener = listener.tap_io(|stream| {
        // As askwell's host does it.
        let _ = stream.set_nodelay(true);
    });
    let router = Router::new().route("/", post(|_: Bytes| async {}));
    axum::serve(listener, router).await
}
