//! edge-http, asynchronous, over edge-nal on the host's sockets. It never decompresses.
//!
//! Dropping the connection closes it, while its `complete`, its `close` and its next request read the body to its end. Its
//! version 0.8 takes the end of the connection for the end of a body, within a known length as well as where a chunk may
//! begin. So the sockets here note their end, which a body with a length or with chunks never comes to see.

use std::cell::Cell;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use edge_http::Method;
use edge_http::io::client::Connection;
use edge_http::io::{Body, Error};
use edge_nal::{Close, Readable, TcpConnect, TcpShutdown, TcpSplit};
use edge_nal_std::{Stack, TcpSocket};
use embedded_io_async::{ErrorType, Read, Write};
use plimsoll::{Outcome, ReadSource, read_async};

use crate::cases::{self, Client};
use crate::intake::{Fields, Intake, watch};

struct EdgeHttp;

#[test]
fn edge_http_takes_what_is_whole() {
    cases::takes_what_is_whole(&EdgeHttp);
}

#[test]
fn edge_http_gives_up_what_is_refused() {
    cases::gives_up_what_is_refused(&EdgeHttp);
}

#[test]
fn edge_http_is_not_deceived() {
    cases::is_not_deceived(&EdgeHttp);
}

/// Sockets that note their end.
struct Noting {
    stack: Stack,
    ended: Cell<bool>,
}

struct Noted<'n> {
    socket: TcpSocket,
    ended: &'n Cell<bool>,
}

impl TcpConnect for Noting {
    type Error = io::Error;
    type Socket<'a> = Noted<'a>;

    async fn connect(&self, remote: SocketAddr) -> io::Result<Noted<'_>> {
        self.ended.set(false);
        Ok(Noted { socket: self.stack.connect(remote).await?, ended: &self.ended })
    }
}

impl ErrorType for Noted<'_> {
    type Error = io::Error;
}

impl Read for Noted<'_> {
    async fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.socket.read(buf).await?;
        if count == 0 && !buf.is_empty() {
            self.ended.set(true);
        }
        Ok(count)
    }
}

impl Write for Noted<'_> {
    async fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.socket.write(buf).await
    }

    async fn flush(&mut self) -> io::Result<()> {
        self.socket.flush().await
    }
}

impl Readable for Noted<'_> {
    async fn readable(&mut self) -> io::Result<()> {
        self.socket.readable().await
    }
}

impl TcpShutdown for Noted<'_> {
    async fn close(&mut self, what: Close) -> io::Result<()> {
        self.socket.close(what).await
    }

    async fn abort(&mut self) -> io::Result<()> {
        self.socket.abort().await
    }
}

impl TcpSplit for Noted<'_> {
    type Read<'a>
        = <TcpSocket as TcpSplit>::Read<'a>
    where
        Self: 'a;
    type Write<'a>
        = <TcpSocket as TcpSplit>::Write<'a>
    where
        Self: 'a;

    fn split(&mut self) -> (Self::Read<'_>, Self::Write<'_>) {
        self.socket.split()
    }
}

/// A body that ends where it says that it does.
struct Whole<'b, 's, 'n> {
    body: &'b mut Body<'s, Noted<'n>>,
    ended: &'n Cell<bool>,
}

impl ErrorType for Whole<'_, '_, '_> {
    type Error = Error<io::Error>;
}

impl Read for Whole<'_, '_, '_> {
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, Error<io::Error>> {
        let count = self.body.read(buf).await?;
        // Only a body that has neither a length nor chunks is whole where its connection must be closed.
        let open_ended = self.body.is_complete() && self.body.needs_close();
        let cut = count == 0 && self.ended.get() && !open_ended;
        if cut { Err(Error::IncompleteBody) } else { Ok(count) }
    }
}

impl Client for EdgeHttp {
    fn get(
        &self,
        address: SocketAddr,
        paths: &[&str],
        intake: &mut Intake,
        deadline: Duration,
    ) -> Vec<(Outcome, Option<Vec<u8>>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let stack = Noting { stack: Stack::new(), ended: Cell::new(false) };
            let (mut buffer, host) = ([0; 4096], address.to_string());
            let mut connection = Connection::<_>::new(&mut buffer, &stack, address);
            let mut taken = Vec::new();
            for path in paths {
                let timer = pin!(tokio::time::sleep(deadline));
                let watch = watch(deadline).with_timer(timer);
                let fields = [("Host", host.as_str()), ("Accept-Encoding", "gzip")];
                connection.initiate_request(true, Method::Get, path, &fields).await.unwrap();
                connection.initiate_response().await.unwrap();
                let (head, body) = connection.split();
                let field = |name: &str| {
                    let named = head.headers.iter().filter(|field| field.0.eq_ignore_ascii_case(name));
                    named.map(|field| field.1).collect::<Vec<_>>().join(", ")
                };
                let fields = Fields {
                    encoding: field("content-encoding"),
                    media: field("content-type"),
                    length: field("content-length").parse().ok(),
                };
                let mut piece = [0; 2048];
                let source = ReadSource::new(Whole { body, ended: &stack.ended }, &mut piece, |_| ());
                let Ok(outcome) = read_async(intake.machine(&fields), source, watch).await;
                taken.push((outcome, intake.body().map(<[u8]>::to_vec)));
            }
            taken
        })
    }
}
