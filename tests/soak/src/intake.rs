//! One response through plimsoll, in one of its forms, in memory that serves all of them one after another.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use fastrand::Rng;
use plimsoll::budget::Permit;
use plimsoll::json::Counted;
use plimsoll::{
    BufReadSource, HashSink, Ingest, Inspector, Memory, Next, NoClock, Outcome, Pace, ReadError, ReadSource,
    Reader, Slice, Transfer, VecSink, Watch, read,
};

use crate::oracle::DEPTH;
use crate::response::{LARGEST, Response};

/// The memory of one thread, with a ring for everything that is not flat.
pub struct Room {
    ring: Box<Memory<32_768>>,
    flat: Box<Memory<LARGEST>>,
    slice: Box<[u8; LARGEST]>,
    vector: Box<VecSink<LARGEST>>,
    piece: Box<[u8; 512]>,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            ring: Box::new(Memory::new()),
            flat: Box::new(Memory::new()),
            slice: Box::new([0; LARGEST]),
            vector: Box::new(VecSink::new()),
            piece: Box::new([0; 512]),
        }
    }
}

/// The forms in which a response can be taken in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Pushed through a ring into a slice.
    Push,
    /// Pushed into a flat buffer.
    Flat,
    /// Driven from a reader that copies, into a vector.
    Read,
    /// Driven by a future that is dropped and made anew, into a hash.
    Async,
    /// Pulled out of a reader.
    Pull,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Push, Self::Flat, Self::Read, Self::Async, Self::Pull];
}

/// Takes a response in, and says whether what came back is exactly its text: `None` where nothing did.
///
/// Nothing is allocated here.
pub fn take(
    form: Form,
    response: &Response,
    room: &mut Room,
    permit: &mut Permit<'_>,
    rng: &mut Rng,
) -> (Outcome, Option<bool>) {
    let Response { head, media, policy, sent, text, .. } = response;
    let Ok(json) = Inspector::<Counted<{ DEPTH as usize }>>::new(*media, &policy.limits) else {
        panic!("there is room for the limits")
    };
    let inspector = (json, permit);
    let watch = Watch::new(Pace::within(1), NoClock);
    match form {
        Form::Push => {
            let mut sink = Slice::new(&mut room.slice[..]);
            let mut machine = room.ring.ring(head, policy, inspector, &mut sink);
            push_all(&mut machine, sent, rng);
            let Ok(outcome) = machine.finish();
            (outcome, sink.body().map(|body| body == text))
        }
        Form::Flat => {
            let mut machine = room.flat.flat(head, policy, inspector);
            push_all(&mut machine, sent, rng);
            let (outcome, body) = machine.finish_flat();
            (outcome, body.map(|body| body == text))
        }
        Form::Read => {
            *room.vector = VecSink::new();
            let machine = room.ring.ring(head, policy, inspector, &mut *room.vector);
            let source = ReadSource::new(Drips::new(sent, rng), &mut room.piece, |_| ());
            let Ok(outcome) = read(machine, source, watch);
            (outcome, room.vector.body().map(|body| body == text))
        }
        Form::Async => {
            let mut sink = HashSink::new(Hash::new(), Hash::update);
            let machine = room.ring.ring(head, policy, inspector, &mut sink);
            let source = BufReadSource::new(Drips::new(sent, rng), |_| ());
            let mut context = Context::from_waker(Waker::noop());
            let mut transfer = Transfer::new(machine, source, watch);
            while pin!(transfer.read_async()).poll(&mut context).is_pending() {}
            let Ok(outcome) = transfer.finish();
            (outcome, sink.into_hash().map(|hash| hash == Hash::of(text)))
        }
        Form::Pull => {
            let machine = room.ring.ring(head, policy, inspector, ());
            let mut reader = Reader::new(machine, BufReadSource::new(Drips::new(sent, rng), |_| ()), watch);
            let mut hash = Hash::new();
            loop {
                match embedded_io::Read::read(&mut reader, &mut room.piece[..]) {
                    Ok(0) => break (reader.finish(), Some(hash == Hash::of(text))),
                    Ok(count) => hash.update(&room.piece[..count]),
                    Err(ReadError::Interrupted) => {}
                    Err(_) => break (reader.finish(), None),
                }
            }
        }
    }
}

/// Pushes a body in pieces of random sizes, until it has ended or is refused.
fn push_all<
    D: plimsoll::Decode,
    I: plimsoll::Inspect,
    S: plimsoll::Sink<Error = std::convert::Infallible>,
>(
    machine: &mut Ingest<D, I, S>,
    sent: &[u8],
    rng: &mut Rng,
) {
    let most = [1, 16, 512, 8_192][rng.usize(..4)];
    let mut rest = sent;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rng.usize(1..=most).min(rest.len()));
        let Ok(next) = machine.push(piece);
        if next == Next::Stop {
            break;
        }
        rest = behind;
    }
}

/// FNV-1a, of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn of(bytes: &[u8]) -> Self {
        let mut hash = Self::new();
        hash.update(bytes);
        hash
    }
}

/// A source that brings a body in pieces of random sizes, and is interrupted or not ready now and then.
struct Drips<'r> {
    rest: &'r [u8],
    lent: usize,
    most: usize,
    rng: &'r mut Rng,
}

impl<'r> Drips<'r> {
    fn new(rest: &'r [u8], rng: &'r mut Rng) -> Self {
        let most = [3, 64, 1_000, 8_192][rng.usize(..4)];
        Self { rest, lent: 0, most, rng }
    }

    fn lend(&mut self) -> Result<&[u8], embedded_io::ErrorKind> {
        if self.lent == 0 {
            if self.rng.u8(..32) == 0 {
                return Err(embedded_io::ErrorKind::Interrupted);
            }
            self.lent = self.rng.usize(1..=self.most).min(self.rest.len());
        }
        Ok(&self.rest[..self.lent])
    }

    fn take(&mut self, count: usize) {
        self.lent -= count;
        self.rest = &self.rest[count..];
    }
}

impl embedded_io::ErrorType for Drips<'_> {
    type Error = embedded_io::ErrorKind;
}

impl embedded_io::Read for Drips<'_> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> {
        let lent = self.lend()?;
        let count = lent.len().min(buf.len());
        buf[..count].copy_from_slice(&lent[..count]);
        self.take(count);
        Ok(count)
    }
}

impl embedded_io::BufRead for Drips<'_> {
    fn fill_buf(&mut self) -> Result<&[u8], Self::Error> {
        self.lend()
    }

    fn consume(&mut self, amt: usize) {
        self.take(amt);
    }
}

impl embedded_io_async::Read for Drips<'_> {
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> {
        embedded_io::Read::read(self, buf)
    }
}

impl embedded_io_async::BufRead for Drips<'_> {
    async fn fill_buf(&mut self) -> Result<&[u8], Self::Error> {
        let mut pending = self.lent == 0 && self.rng.u8(..4) == 0;
        poll_fn(|_| if core::mem::take(&mut pending) { Poll::Pending } else { Poll::Ready(()) }).await;
        self.lend()
    }

    fn consume(&mut self, amt: usize) {
        self.take(amt);
    }
}
