//! Taking hold of the port, apart from serving, so that whoever starts a host knows its address (or
//! that it is taken) before anything else happens.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};

use crate::options::{Listen, ServeOptions};

/// Why a host can't be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address can't be had; of kind `AddrInUse` where another program listens there.
    #[error("can't listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The listeners can't be used.
    #[error("can't serve: {0}")]
    Io(#[from] io::Error),
}

impl ServeError {
    /// Whether another program listens there.
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Bind { source, .. } if source.kind() == io::ErrorKind::AddrInUse)
    }
}

/// What listens. Connections wait until it is served.
#[derive(Debug)]
pub struct Listeners {
    pub(crate) sockets: Vec<TcpListener>,
    address: SocketAddr,
    page_url: String,
}

impl Listeners {
    /// The address of the first listener.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where programs on this machine reach the API: `http://127.0.0.1:2759`.
    pub fn base_url(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        format!("http://{}", SocketAddr::new(ip, self.address.port()))
    }

    /// Where people reach the pages: the public address, or the base URL.
    pub fn page_url(&self) -> &str {
        &self.page_url
    }
}

/// Takes hold of the port.
///
/// On loopback both families are taken where the machine has both: a name such as `localhost` may
/// mean either, and nobody else is to answer on the other.
///
/// # Errors
/// [`ServeError::Bind`] where the address can't be had.
pub fn bind(options: &ServeOptions) -> Result<Listeners, ServeError> {
    let (first, also) = match options.listen {
        Listen::At(address) => (address, false),
        Listen::Loopback(port) => (SocketAddr::from((Ipv4Addr::LOCALHOST, port)), true),
    };
    let mut attempts = 0;
    loop {
        let (socket, address) = listen(first)?;
        let mut sockets = vec![socket];
        if also {
            match listen(SocketAddr::from((Ipv6Addr::LOCALHOST, address.port()))) {
                Ok((socket, _)) => sockets.push(socket),
                // Of a port that the system chose, the other half may be taken: another one then.
                Err(error) if error.is_taken() && first.port() == 0 && attempts < 16 => {
                    attempts += 1;
                    continue;
                }
                Err(error) if error.is_taken() => return Err(error),
                // A machine without IPv6.
                Err(_) => {}
            }
        }
        let mut listeners = Listeners { sockets, address, page_url: String::new() };
        listeners.page_url = match &options.public_url {
            Some(public) => public.origin().to_owned(),
            None => listeners.base_url(),
        };
        return Ok(listeners);
    }
}

/// Bytes that the system keeps of one connection, each way.
const SOCKET_BUFFER: usize = 128 * 1024;

fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let bound = || {
        let socket = TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        // Connections inherit them. Left alone, the system keeps megabytes for each slow client.
        set_socket_send_buffer_size(&socket, SOCKET_BUFFER)?;
        set_socket_recv_buffer_size(&socket, SOCKET_BUFFER)?;
        let address = socket.local_addr()?;
        Ok((socket, address))
    };
    bound().map_err(|source| ServeError::Bind { address, source })
}
