//! A client that calls back with pieces of the body, as `esp_http_client` does with `HTTP_EVENT_ON_DATA`.
//!
//! `cargo run -p plimsoll --example callback`
//!
//! The machine borrows its memory, which lies in a `static` on a device. What lives from one callback to the next is an
//! `Intake` of some hundred bytes. A piece may be overwritten as soon as its callback has returned.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "an example may stop"
)]

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, FlatDecoder, Head, Ingest, Inspector, Limits, Media, Memory, Next, Policy, Reason,
    Rejection,
};

/// 32 KiB of JSON at most, which are the output and the history at once.
type Room = Memory<{ 32 * 1024 }>;
const POLICY: Policy = Policy::strict(Limits::SMALL_DEVICE);
const _: () = assert!(Room::holds_flat(&POLICY));

type Machine<'m> = Ingest<FlatDecoder<'m, DefaultEngine>, Inspector<Counted<16>>, ()>;

/// What the client tells.
enum Event<'a> {
    Field { name: &'a str, value: &'a str },
    Data(&'a [u8]),
}

/// What the client is told: go on, or close the connection.
#[derive(PartialEq, Debug)]
enum Answer {
    GoOn,
    Close,
}

/// One response: its fields come first, then its body.
struct Intake<'m> {
    /// Until the body begins.
    room: Option<&'m mut Room>,
    head: Result<Head, Rejection>,
    /// Since the body has begun.
    machine: Option<Machine<'m>>,
}

impl<'m> Intake<'m> {
    fn new(room: &'m mut Room) -> Self {
        Self { room: Some(room), head: Ok(Head::new(Coding::Identity)), machine: None }
    }

    fn on(&mut self, event: Event<'_>) -> Answer {
        match event {
            Event::Field { name, value } => {
                self.head = self.head.and_then(|head| with_field(head, name, value))
            }
            Event::Data(piece) => {
                self.begin();
                // Where there is no machine, the head was refused.
                let next = self.machine.as_mut().map(|machine| machine.push(piece));
                if next != Some(Ok(Next::Read)) {
                    return Answer::Close;
                }
            }
        }
        if self.head.is_ok() { Answer::GoOn } else { Answer::Close }
    }

    /// Makes the machine when the head is known.
    fn begin(&mut self) {
        if let (Ok(head), Some(room)) = (&self.head, self.room.take()) {
            let json = Inspector::new(Media::Json, &POLICY.limits).expect("16 levels, as the limits say");
            self.machine = Some(room.flat(head, &POLICY, json));
        }
    }

    /// The client says that the response is over: whether in order or not, the machine knows.
    fn finish(mut self) -> Result<&'m [u8], Rejection> {
        self.begin();
        self.head?;
        let machine = self.machine.as_mut().ok_or(Rejection::new(Reason::Cancelled))?;
        match machine.finish_flat() {
            (_, Some(body)) => Ok(body),
            (outcome, None) => Err(outcome.rejection().unwrap_or(Rejection::new(Reason::Cancelled))),
        }
    }
}

/// The head with one field more. A field that is repeated is a coding upon a coding.
fn with_field(head: Head, name: &str, value: &str) -> Result<Head, Rejection> {
    if name.eq_ignore_ascii_case("content-encoding") {
        return match (head.coding, Coding::from_header(value)?) {
            (coding, Coding::Identity) | (Coding::Identity, coding) => Ok(Head { coding, ..head }),
            _ => Err(Rejection::new(Reason::StackedCoding)),
        };
    }
    if name.eq_ignore_ascii_case("content-length") {
        let length = value.trim().parse().map_err(|_| Rejection::new(Reason::LengthMismatch))?;
        return Ok(head.with_length(length));
    }
    if name.eq_ignore_ascii_case("content-type") {
        Media::from_header(value)?.among(&[Media::Json])?;
    }
    Ok(head)
}

/// What a client of ESP-IDF would do: call back with each field, then with each piece, until told to close.
fn client(fields: &[(&str, &str)], body: &[u8], intake: &mut Intake<'_>) -> Answer {
    let fields = fields.iter().map(|&(name, value)| Event::Field { name, value });
    let pieces = body.chunks(512).map(Event::Data);
    let refused = fields.chain(pieces).any(|event| intake.on(event) == Answer::Close);
    if refused { Answer::Close } else { Answer::GoOn }
}

fn main() {
    let mut room = Box::new(Room::new());
    let body = include_bytes!("../../../fixtures/telemetry.json.gz");
    let fields = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")];

    let mut intake = Intake::new(&mut room);
    assert_eq!(client(&fields, body, &mut intake), Answer::GoOn);
    println!("whole: {} bytes of JSON", intake.finish().expect("a response in order").len());

    // The connection ends early, and the client calls that the end.
    let mut intake = Intake::new(&mut room);
    assert_eq!(client(&fields, &body[..body.len() - 9], &mut intake), Answer::GoOn);
    println!("cut: {}", intake.finish().expect_err("a response that was cut"));

    // Told to close, the client does not call again.
    let mut intake = Intake::new(&mut room);
    assert_eq!(client(&[("Content-Encoding", "br")], body, &mut intake), Answer::Close);
    println!("refused at its head: {}", intake.finish().expect_err("a coding that is not decoded"));
}
