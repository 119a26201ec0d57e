//! A tool for a model, with hyper: three fields of a response that is not trusted, as JSON of at most so many tokens.
//!
//! `cargo run -p plimsoll-tests-http --example adapter`
//!
//! The body is never in memory as a whole, only what is selected, and the model sees nothing of it unless all of it was
//! checked. Here a token is counted as a byte, which holds for every vocabulary; an adapter that has one counts by
//! a `TokenCounter` of its own.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "an example may stop")]

use std::pin::pin;
use std::time::Duration;

use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::{Bytes, Incoming};
use hyper_util::rt::TokioIo;
use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Template};
use plimsoll::{
    AsyncSource, ByteBound, Coding, Failure, Head, Limits, Media, Memory, Outcome, Pace, Policy, Rejection,
    Rendered, StdClock, Supply, ToolResult, Watch, read_async,
};
use plimsoll_tests_http::bodies::{document, gzip};
use plimsoll_tests_http::hostile::Server;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

const POINTERS: Pointers<'static, 3> = match Pointers::new(["/0/vessel", "/0/draught", "/1/vessel"]) {
    Ok(pointers) => pointers.require([true, true, false]),
    Err(_) => panic!("three JSON Pointers"),
};
const NAMES: [&str; 3] = ["vessel", "draught", "next"];
const TOKENS: u64 = 200;
const DEADLINE: Duration = Duration::from_secs(10);

/// The frames of a body, lent as they came. Giving up aborts the connection: a body alone may be read to its end.
struct Frames {
    body: Incoming,
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
    async fn fill(&mut self) -> Result<&[u8], Failure<hyper::Error>> {
        while self.piece.is_empty() {
            match self.body.frame().await {
                None => break,
                Some(frame) => self.piece = frame.map_err(Failure::Failed)?.into_data().unwrap_or_default(),
            }
        }
        Ok(&self.piece)
    }

    fn consume(&mut self, count: usize) {
        let _ = self.piece.split_to(count);
    }
}

/// What the tool answers: the text for the model, or why there is none.
async fn tool(server: &Server) -> Result<String, Outcome> {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::get("/").header("host", "localhost").header("accept-encoding", "gzip");
    let response = sender.send_request(request.body(Empty::<Bytes>::new()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let field = |name: &str| {
        let values = parts.headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("not a text"));
        values.collect::<Vec<_>>().join(", ")
    };

    let policy = Policy::strict(Limits::GATEWAY);
    let template = Template::new(&POINTERS, NAMES).unwrap();
    let (mut bytes, mut slots, mut memory) =
        ([0; 1024], [Slot::EMPTY; 3], Box::new(Memory::<{ 32 * 1024 }>::new()));
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut select =
        Select::<Counted<32>, _, 3>::of_fields(&POINTERS, policy.limits.document, fields).unwrap();

    let head = Coding::from_header(&field("content-encoding"));
    let media = Media::from_header(&field("content-type")).and_then(|media| media.among(&[Media::Json]));
    let refused: Option<Rejection> = head.err().or(media.err());
    let head =
        Head { coding: head.unwrap_or(Coding::Identity), length: field("content-length").parse().ok() };
    let mut machine = memory.ring(&head, &policy, &mut select, ());
    if let Some(rejection) = refused {
        machine.refuse(rejection);
    }
    let source = Frames { body, piece: Bytes::new(), connection: connection.abort_handle() };
    let timer = pin!(tokio::time::sleep(DEADLINE));
    let watch = Watch::new(Pace::within(DEADLINE.as_millis() as u64), StdClock::new()).with_timer(timer);
    let Ok(outcome) = read_async(machine, source, watch).await;

    let mut buffer = [0; 1024];
    let result = ToolResult::new(&mut buffer).with_tokens(TOKENS, ByteBound);
    match result.object(&template, select.into_selected(), outcome) {
        (_, Rendered::Complete(text)) => Ok(text.to_owned()),
        (outcome, _) => Err(outcome),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n";
    let answer = |body: Vec<u8>, declared: usize| {
        let head = format!("{head}Content-Length: {declared}\r\n\r\n");
        Server::answer([head.as_bytes(), &body].concat())
    };

    let body = gzip(&document(2_000));
    let whole = body.len();
    println!("{}", tool(&answer(body.clone(), whole)).await.unwrap());

    // The fields stood at the beginning, but the body was cut: the model sees none of it.
    let refused = tool(&answer(body[..whole / 2].to_vec(), whole)).await.unwrap_err();
    println!("{}", refused.rejection().unwrap());
}
