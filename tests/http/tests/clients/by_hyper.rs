//! hyper, asynchronous, without a layer that decompresses. Its frames are lent as they are; the task of the connection is aborted on a
//! cancel, because a body alone, when it is dropped, may still be read to its end.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::TokioIo;
use plimsoll::{AsyncSource, Failure, Outcome, Supply, read_async};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

use crate::cases::{self, Client};
use crate::intake::{Fields, Intake, watch};

pub(crate) struct Hyper;

#[test]
fn hyper_takes_what_is_whole() {
    cases::takes_what_is_whole(&Hyper);
}

#[test]
fn hyper_gives_up_what_is_refused() {
    cases::gives_up_what_is_refused(&Hyper);
}

#[test]
fn hyper_is_not_deceived() {
    cases::is_not_deceived(&Hyper);
}

/// A body, its frames lent without a copy.
struct Frames {
    body: Incoming,
    /// What of the latest frame is not consumed.
    piece: Bytes,
    connection: AbortHandle,
}

impl Supply for Frames {
    type Error = hyper::Error;

    fn cancel(&mut self) {
        self.connection.abort();
    }
}

impl AsyncSource for Frames {
    /// Dropped, it loses nothing: a frame is kept before it is lent.
    async fn fill(&mut self) -> Result<&[u8], Failure<hyper::Error>> {
        while self.piece.is_empty() {
            match self.body.frame().await {
                None => break,
                // Trailers are no part of the body.
                Some(frame) => self.piece = frame.map_err(Failure::Failed)?.into_data().unwrap_or_default(),
            }
        }
        Ok(&self.piece)
    }

    fn consume(&mut self, count: usize) {
        let _ = self.piece.split_to(count);
    }
}

impl Client for Hyper {
    fn get(
        &self,
        address: SocketAddr,
        paths: &[&str],
        intake: &mut Intake,
        deadline: Duration,
    ) -> Vec<(Outcome, Option<Vec<u8>>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let stream = TcpStream::connect(address).await.unwrap();
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
            let connection = tokio::spawn(connection);
            let mut taken = Vec::new();
            for path in paths {
                let request = Request::get(*path)
                    .header("host", address.to_string())
                    .header("accept-encoding", "gzip")
                    .body(Empty::<Bytes>::new())
                    .unwrap();
                let timer = pin!(tokio::time::sleep(deadline));
                let watch = watch(deadline).with_timer(timer);
                sender.ready().await.unwrap();
                let (head, body) = sender.send_request(request).await.unwrap().into_parts();
                let field = |name: &str| {
                    let values = head.headers.get_all(name).iter().map(|value| value.to_str().unwrap());
                    values.collect::<Vec<_>>().join(", ")
                };
                let fields = Fields {
                    encoding: field("content-encoding"),
                    media: field("content-type"),
                    length: field("content-length").parse().ok(),
                };
                let source = Frames { body, piece: Bytes::new(), connection: connection.abort_handle() };
                let Ok(outcome) = read_async(intake.machine(&fields), source, watch).await;
                taken.push((outcome, intake.body().map(<[u8]>::to_vec)));
            }
            taken
        })
    }
}
