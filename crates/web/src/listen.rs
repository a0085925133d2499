//! Taking hold of the port, apart from serving, so that whoever starts a host knows its address (or
//! that it is taken) before anything else happens.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};

use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};

use crate::options::{Listen, PublicUrl, ServeOptions};

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
    public_url: Option<PublicUrl>,
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

    /// Where people reach the pages of the host with this label: the public address; on this machine
    /// `http://LABEL.localhost:2759`, a name of their own, since browsers do not tell the ports of one
    /// name apart when they send cookies.
    pub fn page_url(&self, label: &str) -> String {
        let port = self.address.port();
        match (&self.public_url, self.address.ip()) {
            (Some(public), _) => public.origin().to_owned(),
            (None, ip) if ip.is_unspecified() || is_localhost(ip) => {
                format!("http://{label}.localhost:{port}")
            }
            (None, _) => self.base_url(),
        }
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
        return Ok(Listeners { sockets, address, public_url: options.public_url.clone() });
    }
}

/// What `localhost` means.
fn is_localhost(ip: IpAddr) -> bool {
    ip == Ipv4Addr::LOCALHOST || ip == Ipv6Addr::LOCALHOST
}

/// Where other machines reach a host that listens so; nothing where they can't.
pub(crate) fn elsewhere(listen: Listen, public_url: Option<&PublicUrl>) -> Option<String> {
    if let Some(public) = public_url {
        return Some(public.origin().to_owned());
    }
    let Listen::At(address) = listen else { return None };
    let ip = match address.ip() {
        ip if ip.is_loopback() => return None,
        ip if ip.is_unspecified() => own_address(ip)?,
        ip => ip,
    };
    Some(format!("http://{}", SocketAddr::new(ip, address.port())))
}

/// The address by which others on its network reach this machine, as far as it can tell.
pub fn address_of_this_machine() -> Option<IpAddr> {
    own_address(Ipv6Addr::UNSPECIFIED.into())
}

/// The address by which this machine reaches others, as far as those of this kind are concerned.
fn own_address(any: IpAddr) -> Option<IpAddr> {
    // An address for documentation. Nothing is sent to it: the system only chooses the way.
    let v4: (IpAddr, IpAddr) = ([0; 4].into(), [192, 0, 2, 1].into());
    let v6: (IpAddr, IpAddr) = ([0; 16].into(), [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1].into());
    // Whoever listens on every address of IPv6 is reached by IPv4 too.
    let ways = if any.is_ipv4() { vec![v4] } else { vec![v4, v6] };
    ways.into_iter().find_map(|(from, to)| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_unspecified() && !own.is_loopback()).then_some(own)
    })
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn at(address: &str) -> Listen {
        Listen::At(address.parse().unwrap())
    }

    #[rstest]
    #[case(Listen::Loopback(2759), None)]
    #[case(at("127.0.0.1:2759"), None)]
    #[case(at("[::1]:2759"), None)]
    #[case(at("192.0.2.7:2759"), Some("http://192.0.2.7:2759"))]
    #[case(at("[2001:db8::7]:2759"), Some("http://[2001:db8::7]:2759"))]
    fn others_reach_what_is_bound_for_them(#[case] listen: Listen, #[case] url: Option<&str>) {
        let public = "https://ask.example.com".parse().unwrap();

        assert_eq!(elsewhere(listen, None).as_deref(), url);
        assert_eq!(elsewhere(listen, Some(&public)).as_deref(), Some("https://ask.example.com"));
    }

    #[test]
    fn of_every_address_it_is_one_that_others_can_call() {
        // A machine without any network has none.
        for any in ["0.0.0.0:2759", "[::]:2759"] {
            if let Some(url) = elsewhere(at(any), None) {
                assert!(url.ends_with(":2759") && !url.contains("0.0.0.0"), "{url}");
                assert!(!url.contains("127."), "{url}");
            }
        }
    }

    #[rstest]
    #[case("127.0.0.1:1", "http://abc.localhost:1")]
    #[case("[::1]:1", "http://abc.localhost:1")]
    #[case("0.0.0.0:1", "http://abc.localhost:1")]
    #[case("127.0.0.5:1", "http://127.0.0.5:1")]
    #[case("192.0.2.7:1", "http://192.0.2.7:1")]
    fn the_pages_have_a_name_of_their_own_where_it_leads_here(
        #[case] address: SocketAddr,
        #[case] url: &str,
    ) {
        let listeners = Listeners { sockets: Vec::new(), address, public_url: None };

        assert_eq!(listeners.page_url("abc"), url);
    }
}
