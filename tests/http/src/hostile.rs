//! An HTTP server that does what its script says, right or wrong, and tells what became of each connection.
//!
//! It listens on the loopback interface only, takes a number of connections that is known before, one after
//! another, and waits for nothing longer than [`PATIENCE`].

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for a connection, a request, room to send, or the end of a connection.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// A server at work.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    seen: Receiver<Seen>,
}

/// What became of a connection.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The request's line and fields.
    pub request: String,
    /// Bytes that were sent, those of the head included.
    pub sent: u64,
    /// Whether the client went before the script was done.
    pub early: bool,
    /// Time from the request to the end of the connection; `None` where it did not end.
    pub lasted: Option<Duration>,
}

/// A connection, as the script has it.
#[derive(Debug)]
pub struct Peer {
    stream: TcpStream,
    request: String,
    sent: u64,
    /// The request is left unread, so that closing the connection resets it.
    reset: bool,
}

impl Server {
    /// Takes so many connections, and plays the script to each.
    pub fn start(connections: usize, script: impl Fn(&mut Peer) -> io::Result<()> + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let (sender, seen) = channel();
        thread::spawn(move || {
            for _ in 0..connections {
                let Some(stream) = accept(&listener) else { return };
                if sender.send(serve(stream, &script).unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { address, seen }
    }

    /// Sends the same bytes to one connection, and ends it.
    pub fn answer(response: impl Into<Vec<u8>>) -> Self {
        let response = response.into();
        Self::start(1, move |peer| peer.send(&response))
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What became of the next connection.
    pub fn seen(&self) -> Seen {
        self.seen.recv_timeout(PATIENCE * 2).expect("no connection came, or it did not end")
    }
}

fn accept(listener: &TcpListener) -> Option<TcpStream> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        match listener.accept() {
            Ok((stream, _)) => return Some(stream),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(1));
            }
            Err(error) => panic!("{error}"),
        }
    }
    None
}

fn serve(stream: TcpStream, script: impl Fn(&mut Peer) -> io::Result<()>) -> io::Result<Seen> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = head(&stream)?;
    let requested = Instant::now();
    let mut peer = Peer { stream, request, sent: 0, reset: false };
    let played = script(&mut peer);
    let (request, sent) = (peer.request.clone(), peer.sent);
    let early = match played {
        Ok(()) => false,
        Err(error) if gone(&error) => true,
        Err(error) => return Err(error),
    };
    let lasted = (early || peer.end()?).then(|| requested.elapsed());
    Ok(Seen { request, sent, early, lasted })
}

fn gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted
    )
}

/// Looks at a request without reading it.
fn head(stream: &TcpStream) -> io::Result<String> {
    let mut request = [0; 8192];
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        let length = stream.peek(&mut request)?;
        // What does not begin as a request, such as the greeting of TLS, has no end to wait for.
        if request[..length].ends_with(b"\r\n\r\n") || !request[0].is_ascii_uppercase() {
            return Ok(String::from_utf8_lossy(&request[..length]).into_owned());
        }
        thread::sleep(Duration::from_millis(1));
    }
    Err(io::ErrorKind::TimedOut.into())
}

impl Peer {
    /// The request's line and fields.
    pub fn request(&self) -> &str {
        &self.request
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.sent += bytes.len() as u64;
        Ok(())
    }

    /// Sends a chunk with its size.
    pub fn chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        let size = format!("{:x}\r\n", bytes.len());
        self.send(&[size.as_bytes(), bytes, b"\r\n"].concat())
    }

    /// Sends one byte at a time, with a pause behind each.
    pub fn drip(&mut self, bytes: &[u8], pause: Duration) -> io::Result<()> {
        for byte in bytes {
            self.send(&[*byte])?;
            thread::sleep(pause);
        }
        Ok(())
    }

    /// Sends nothing until the client goes, which it must do first.
    pub fn stall(&mut self) -> io::Result<()> {
        let gone = self.wait()?;
        Err(if gone { io::ErrorKind::BrokenPipe } else { io::ErrorKind::TimedOut }.into())
    }

    /// Ends the connection by a reset.
    pub fn reset(&mut self) -> io::Result<()> {
        self.reset = true;
        Ok(())
    }

    /// Reads until the client goes; false where it does not.
    fn wait(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 8192];
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            match self.stream.read(&mut bytes) {
                Ok(0) => return Ok(true),
                Ok(_) => {}
                Err(error) if gone(&error) => return Ok(true),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Ends the connection, and waits for the client to do the same.
    fn end(mut self) -> io::Result<bool> {
        if self.reset {
            return Ok(true); // dropped with an unread request
        }
        match self.stream.shutdown(std::net::Shutdown::Write) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotConnected => return Ok(true),
            Err(error) => return Err(error),
        }
        self.wait()
    }
}

/// A response of status 200 with these fields.
pub fn response(fields: &[&str], body: &[u8]) -> Vec<u8> {
    let mut response = b"HTTP/1.1 200 OK\r\n".to_vec();
    for field in fields {
        response.extend_from_slice(field.as_bytes());
        response.extend_from_slice(b"\r\n");
    }
    response.extend_from_slice(b"\r\n");
    response.extend_from_slice(body);
    response
}
