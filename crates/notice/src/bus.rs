//! Where a session bus is. What is said there is `desktop`'s, and how it is said is zbus's.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use percent_encoding::percent_decode;
use zbus::Address;
use zbus::address::Transport;
use zbus::address::transport::{Unix, UnixSocket};

/// A session bus of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bus(UnixSocket);

impl Bus {
    /// The one of these two variables, `DBUS_SESSION_BUS_ADDRESS` and `XDG_RUNTIME_DIR`: where the
    /// first names none, the socket that systemd has in the second.
    pub fn of(address: Option<&str>, runtime: Option<&Path>) -> Option<Self> {
        let named = address.and_then(|addresses| addresses.split(';').find_map(socket));
        let usual = || Some(UnixSocket::File(runtime?.join("bus")));
        Some(Self(named.or_else(usual)?))
    }

    /// Whether it is there, as far as can be seen.
    pub fn is_there(&self) -> bool {
        match &self.0 {
            UnixSocket::File(path) => path.exists(),
            _ => true,
        }
    }

    pub(crate) fn address(&self) -> Address {
        Address::new(Transport::Unix(Unix::new(self.0.clone())))
    }
}

impl fmt::Display for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            UnixSocket::File(path) => path.display().fmt(f),
            _ => self.address().fmt(f),
        }
    }
}

/// The socket of one address such as `unix:path=/run/user/1000/bus,guid=…`.
fn socket(address: &str) -> Option<UnixSocket> {
    match address.parse::<Address>().ok()?.transport() {
        Transport::Unix(unix) => match unix.path() {
            UnixSocket::Dir(_) | UnixSocket::TmpDir(_) => None,
            // zbus leaves a path as it is written.
            UnixSocket::File(path) => {
                let path = percent_decode(path.as_os_str().as_bytes()).collect();
                Some(UnixSocket::File(OsString::from_vec(path).into()))
            }
            socket => Some(socket.clone()),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("unix:path=/run/user/7/bus,guid=0123456789abcdef0123456789abcdef", "/run/user/7/bus")]
    #[case("unix:path=/tmp/a%20b", "/tmp/a b")]
    #[case("tcp:host=there,port=1;unix:abstract=/tmp/dbus-x", "unix:abstract=/tmp/dbus-x")]
    fn a_bus_is_found_by_its_address(#[case] address: &str, #[case] expected: &str) {
        assert_eq!(Bus::of(Some(address), None).unwrap().to_string(), expected);
    }

    #[test]
    fn without_an_address_it_is_the_socket_of_the_session_if_there_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let bus = Bus::of(Some("tcp:host=there"), Some(folder.path())).unwrap();
        assert!(!bus.is_there());
        std::fs::write(folder.path().join("bus"), "").unwrap();
        assert!(bus.is_there());
        assert_eq!(Bus::of(None, None), None);
    }
}
