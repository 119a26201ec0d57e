//! How often a decoder, the inspectors and a sink are called for a body, and how much work is charged for it.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::cell::Cell;
use std::convert::Infallible;

use plimsoll::budget::WorkMeter;
use plimsoll::inflate::{Flat, Inflate};
use plimsoll::{
    Coding, Decode, DefaultEngine, Head, Ingest, Inspect, Limits, Policy, Reason, Refusal, Rejection,
    Restart, Ring, RingDecoder, Run, Sink, Step, Work,
};
use plimsoll_tests_cost::{Bits, Body, bodies, member};

/// Limits that only the bodies' bytes meet.
const LIMITS: Limits = Limits {
    encoded: u64::MAX,
    decoded: u64::MAX,
    header: u64::MAX,
    work: u64::MAX,
    members: u64::MAX,
    ..Limits::HOST
};

/// Counts calls and bytes of whatever it stands for.
#[derive(Debug, Default)]
struct Count {
    calls: Cell<u64>,
    bytes: Cell<u64>,
}

impl Count {
    fn note(&self, bytes: usize) {
        self.calls.set(self.calls.get() + 1);
        self.bytes.set(self.bytes.get() + bytes as u64);
    }

    fn take(&self) -> (u64, u64) {
        (self.calls.take(), self.bytes.take())
    }
}

/// A decoder whose calls are counted.
struct Counted<'c, D>(D, &'c Count);

impl<D: Decode> Decode for Counted<'_, D> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        self.1.note(input.len());
        self.0.decode(input)
    }
    fn finish(&mut self) -> Result<(), Rejection> {
        self.0.finish()
    }
}

impl<D: Restart> Restart for Counted<'_, D> {
    fn restart(&mut self) {
        self.0.restart();
    }
}

impl Inspect for &Count {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.note(bytes.len());
        Ok(())
    }
    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}

struct Counting<'c>(&'c Count);

impl Sink for Counting<'_> {
    type Error = Infallible;
    const EXPOSES: bool = false;
    fn capacity(&self) -> u64 {
        u64::MAX
    }
    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.note(bytes.len());
        Ok(())
    }
    fn commit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn discard(&mut self) {}
}

#[test]
fn a_decoder_is_called_twice_for_each_piece_and_once_for_each_lap_of_its_ring_and_each_member() {
    for Body { name, sent, text, members } in bodies() {
        for ring in [1, 16, 1024, 32_768] {
            for cut in [1, 7, 512, usize::MAX] {
                let (mut engine, mut window) = (DefaultEngine::new(), vec![0; ring]);
                let (decoder, inspector, sink) = (Count::default(), Count::default(), Count::default());
                let (head, policy) = (Head::new(Coding::Gzip), Policy::strict(LIMITS));
                let chain = RingDecoder::new(
                    Coding::Gzip,
                    &policy,
                    &mut engine,
                    Ring::from_slice(&mut window).unwrap(),
                );
                let mut machine =
                    Ingest::new(&head, &policy, Counted(chain, &decoder), &inspector, Counting(&sink));
                let mut pieces = 0;
                for piece in sent.chunks(cut.min(sent.len())) {
                    pieces += 1;
                    let Ok(_) = machine.push(piece);
                }
                let Ok(outcome) = machine.finish();
                assert!(outcome.is_complete(), "{name}: {outcome:?}");
                let context = format!("{name} through {ring} in pieces of {cut}");
                // A piece ends with the call that asks for more; before that, each call brings a run, or ends a member.
                let laps = (text.len() / ring) as u64;
                let most = 2 * pieces + laps + 3 * members;
                let (calls, _) = decoder.take();
                assert!(calls <= most, "{context}: {calls} calls, {most} at most");
                // Each decoded byte passes once.
                let (inspected, passed) = inspector.take();
                assert_eq!(passed, text.len() as u64, "{context}");
                assert!(inspected <= calls, "{context}");
                let (runs, taken) = sink.take();
                assert_eq!(taken, text.len() as u64, "{context}");
                assert!(runs <= inspected, "{context}");
            }
        }
    }
}

#[test]
fn a_raw_decoder_is_called_for_bytes_of_the_stream_and_not_for_those_of_headers_and_trailers() {
    for Body { name, sent, text, members } in bodies() {
        let (mut engine, mut window, count) = (DefaultEngine::new(), [0; 1024], Count::default());
        let raw = Inflate::new(&mut engine, Ring::new(&mut window), Ledger::default());
        let policy = plimsoll::gzip::Policy { members: u64::MAX, ..plimsoll::gzip::Policy::single(u64::MAX) };
        let mut gunzip = plimsoll::gzip::Gunzip::new(Counted(raw, &count), policy);
        for byte in sent.chunks(1) {
            let mut rest = byte;
            loop {
                let step = gunzip.decode(rest).unwrap();
                rest = &rest[step.consumed..];
                if step.run == Run::NeedInput {
                    break;
                }
            }
        }
        gunzip.finish().unwrap();
        let framing = 18 * members;
        let most = 2 * (sent.len() as u64 - framing) + (text.len() / 1024) as u64 + 2 * members;
        let (calls, _) = count.take();
        assert!(calls <= most, "{name}: {calls} calls, {most} at most");
    }
}

/// What is charged and what is paid, and how large one charge is at most.
#[derive(Debug, Default)]
struct Ledger {
    charged: u64,
    calls: u64,
    largest: u64,
    paid: u64,
}

impl Work for Ledger {
    fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
        self.charged += u64::from(steps);
        self.calls += 1;
        self.largest = self.largest.max(steps.into());
        Ok(())
    }
    fn credit(&mut self, bytes: usize) {
        self.paid += bytes as u64;
    }
}

/// Steps of a block and of its codes, as `plimsoll_inflate` has them: 4, and 256 with one for each code length.
const BLOCK: u64 = 4;
const LARGEST: u64 = 256 + 316;

/// No stream is charged more than this for an encoded byte: the dearest block has 576 steps in 98 bits.
const PER_BYTE: u64 = 48;

#[test]
fn what_is_charged_for_an_encoded_byte_is_bounded_and_every_block_is_charged() {
    for Body { name, sent, text, members } in bodies() {
        for cut in [1, 5, usize::MAX] {
            let (mut engine, mut output) = (DefaultEngine::new(), vec![0; text.len()]);
            let mut ledger = Ledger::default();
            let mut at = 0;
            let mut written = 0;
            for _ in 0..members {
                let stream = &sent[at + 10..];
                let mut raw = Inflate::new(&mut engine, Flat::new(&mut output[written..]), &mut ledger);
                let (mut consumed, mut ended) = (0, false);
                for piece in stream.chunks(cut.min(stream.len())) {
                    let mut rest = piece;
                    while !ended {
                        let step = raw.decode(rest).unwrap();
                        consumed += step.consumed;
                        rest = &rest[step.consumed..];
                        match step.run {
                            Run::Bytes(bytes) => written += bytes.len(),
                            Run::NeedInput => break,
                            Run::End => ended = true,
                        }
                    }
                    if ended {
                        break;
                    }
                }
                at += 10 + consumed + 8;
            }
            assert_eq!(
                (at, ledger.paid),
                (sent.len(), text.len() as u64),
                "{name}: every output pays, and once"
            );
            assert!(
                ledger.charged <= PER_BYTE * sent.len() as u64,
                "{name}: {} for {}",
                ledger.charged,
                sent.len()
            );
            assert!(ledger.largest <= LARGEST && ledger.charged >= BLOCK * members, "{name}");
        }
    }
}

#[test]
fn the_cheapest_ways_to_make_work_are_charged_as_the_documentation_says() {
    for (name, block, steps) in [
        ("stored", (|bits| bits.stored(&[])) as fn(Bits) -> Bits, BLOCK),
        ("fixed", Bits::fixed, BLOCK),
        ("dynamic", Bits::dynamic, BLOCK + 256 + 258),
        ("dynamic with all codes", Bits::dynamic_all, BLOCK + LARGEST),
    ] {
        let count = 300;
        let stream = (0..count).fold(Bits::default(), |bits, _| block(bits)).last();
        let (mut engine, mut ledger) = (DefaultEngine::new(), Ledger::default());
        let mut raw = Inflate::new(&mut engine, Flat::new(&mut []), &mut ledger);
        assert_eq!(raw.decode(&stream), Ok(Step::end(stream.len())), "{name}");
        assert_eq!(ledger.charged, count * steps + BLOCK, "{name}");
    }
}

/// A meter, and what it let pass.
struct Metered(WorkMeter, Ledger);

impl Work for Metered {
    fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
        self.0.charge(steps)?;
        self.1.charge(steps)
    }
    fn credit(&mut self, bytes: usize) {
        self.0.credit(bytes);
        self.1.credit(bytes);
    }
}

#[test]
fn the_work_for_any_body_is_at_most_its_output_and_the_limit() {
    for Body { name, sent, text, members } in bodies() {
        for limit in [0, 3, 4, 100, 2_000, u64::MAX] {
            let (mut engine, mut output) = (DefaultEngine::new(), vec![0; text.len()]);
            let raw = Inflate::new(
                &mut engine,
                Flat::new(&mut output),
                Metered(WorkMeter::new(limit), Ledger::default()),
            );
            let policy = plimsoll::gzip::Policy { members, ..plimsoll::gzip::Policy::single(u64::MAX) };
            let mut gunzip = plimsoll::gzip::Gunzip::new(raw, policy);
            let mut rest = &sent[..];
            let verdict = loop {
                match gunzip.decode(rest) {
                    Ok(step) if step.run == Run::NeedInput => break gunzip.finish(),
                    Ok(step) => rest = &rest[step.consumed..],
                    Err(rejection) => break Err(rejection),
                }
            };
            let Metered(_, Ledger { charged, paid, .. }) = gunzip.inner().work();
            assert!(u128::from(*charged) <= u128::from(*paid) + u128::from(limit), "{name} at most {limit}");
            let refused = Err(Rejection::limit_exceeded(Reason::WorkLimit, limit));
            assert!(verdict == Ok(()) || verdict == refused, "{name} at most {limit}: {verdict:?}");
            assert!(limit > 0 || verdict == refused, "the first block costs something");
            assert!(limit < u64::MAX || verdict == Ok(()));
        }
    }
}

#[test]
fn a_member_is_what_gzip_says_it_is() {
    // The empty member: header, one fixed block, and the checksum and length of nothing.
    let empty = member(&Bits::default().last(), &[]);
    assert_eq!(empty[10..], [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}
