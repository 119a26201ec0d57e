//! A request from a small board with embassy and reqwless, in memory that is known at compile time.
//!
//! `cargo run -p plimsoll-tests-http --example board`
//!
//! It runs on a host: the executor and the timers are embassy's for one, and the network is the host's. On a board,
//! `embassy_net`'s `TcpClient` and `DnsSocket` stand in place of [`Stack`], and nothing else changes. The timer runs beside the
//! source, so a peer that falls silent is given up when the time is over.
#![allow(clippy::unwrap_used, clippy::panic, reason = "an example may stop")]

use core::pin::pin;

use embassy_executor::Spawner;
use embassy_time::{Instant, Timer};
use plimsoll::json::Counted;
use plimsoll::{
    BufReadSource, Coding, Head, Inspector, Limits, Media, Memory, Pace, Policy, Rejection, Transfer, Watch,
};
use plimsoll_tests_http::bodies::{document, gzip};
use plimsoll_tests_http::hostile::Server;
use reqwless::client::HttpClient;
use reqwless::request::RequestBuilder;
use static_cell::StaticCell;
use std_embedded_nal_async::Stack;

/// 16 KiB of JSON at most. With the engine's 2 KB this is nearly all the memory that a response takes.
type Room = Memory<{ 16 * 1024 }>;
const POLICY: Policy = Policy::strict(Limits { decoded: 16 * 1024, ..Limits::SMALL_DEVICE });
const _: () = assert!(Room::holds_flat(&POLICY));

/// Ten seconds for the whole body, and at least 64 bytes in each of them.
const PACE: Pace = Pace::within(10_000).at_least(64, 1_000);

static ROOM: StaticCell<Room> = StaticCell::new();

/// Asks for a document. What comes back is the whole of it, checked, in `room`.
async fn get<'m>(url: &str, room: &'m mut Room) -> Result<&'m [u8], Rejection> {
    let (tcp, dns) = (Stack::default(), Stack::default());
    let mut client = HttpClient::new(&tcp, &dns);
    let mut fields = [0; 1024];
    let mut request = client.request(reqwless::request::Method::GET, url).await.unwrap();
    request = request.headers(&[("Accept-Encoding", "gzip"), ("Accept", "application/json")]);
    let response = request.send(&mut fields).await.unwrap();

    let mut head = Head::new(Coding::Identity);
    let mut media = Media::Octets;
    for (name, value) in response.headers() {
        let value = core::str::from_utf8(value).unwrap_or("not a text");
        if name.eq_ignore_ascii_case("content-encoding") {
            head.coding = Coding::from_header(value)?;
        } else if name.eq_ignore_ascii_case("content-type") {
            media = Media::from_header(value)?;
        } else if name.eq_ignore_ascii_case("content-length") {
            head.length = value.parse().ok();
        }
    }
    let json = Inspector::<Counted<16>>::new(media.among(&[Media::Json])?, &POLICY.limits).unwrap();
    let machine = room.flat(&head, &POLICY, json);

    let timer = pin!(Timer::after_millis(PACE.deadline));
    let clock = || Instant::now().as_millis() as u32;
    let source = BufReadSource::new(response.body().reader(), |_| ());
    let mut transfer = Transfer::new(machine, source, Watch::new(PACE, clock).with_timer(timer));
    let Ok(()) = transfer.read_async().await;
    match transfer.finish_flat() {
        (_, Some(body)) => Ok(body),
        (outcome, None) => Err(outcome.rejection().unwrap_or_else(|| panic!("no preview was asked for"))),
    }
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let room = ROOM.init(Room::new());

    let body = gzip(&document(100));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n";
    let whole = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    let server = Server::answer([whole.as_bytes(), &body].concat());
    println!("{} bytes of JSON", get(&server.url(), room).await.unwrap().len());

    let body = gzip(&document(10_000));
    let bomb = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    let server = Server::answer([bomb.as_bytes(), &body].concat());
    println!("{}", get(&server.url(), room).await.unwrap_err());

    std::process::exit(0) // embassy's executor never ends
}
