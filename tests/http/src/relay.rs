//! A relay before a server, that does to one connection what happens to connections on their way.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::hostile::PATIENCE;

/// What becomes of the bytes for the client.
#[derive(Clone, Copy, Debug)]
pub enum Manner {
    /// After so many bytes the connection is closed, in order.
    Cut(usize),
    /// After so many bytes none follow.
    Stall(usize),
    /// Of the first so many bytes, a piece of this length is sent and then this time is waited, over and over.
    Falter(usize, usize, Duration),
}

/// Relays one connection to a server, from the address that comes back.
pub fn start(server: SocketAddr, manner: Manner) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(server).unwrap();
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream.set_write_timeout(Some(PATIENCE)).unwrap();
        }
        let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let requests = thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            // The client has gone.
            let _ = to.shutdown(Shutdown::Both);
        });
        // Either may go before the other.
        let _ = answer(&server, &client, manner);
        if !matches!(manner, Manner::Stall(_)) {
            let _ = client.shutdown(Shutdown::Both);
        }
        requests.join().unwrap();
    });
    address
}

fn answer(mut server: &TcpStream, mut client: &TcpStream, manner: Manner) -> io::Result<()> {
    match manner {
        Manner::Cut(after) | Manner::Stall(after) => {
            io::copy(&mut server.take(after as u64), &mut client)?;
        }
        Manner::Falter(first, length, pause) => {
            let mut piece = vec![0; length];
            for _ in 0..first / length {
                let count = server.read(&mut piece)?;
                client.write_all(&piece[..count])?;
                thread::sleep(pause);
            }
            io::copy(&mut server, &mut client)?;
        }
    }
    Ok(())
}
