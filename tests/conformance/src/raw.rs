//! The decoders by themselves: raw DEFLATE and gzip framing, run with every cut and both patterns.

use core::fmt;

use plimsoll::DefaultEngine;
use plimsoll::budget::WorkMeter;
use plimsoll::gzip::{Gunzip, Policy};
use plimsoll::inflate::{Engine, Flat, Inflate, Ring};
use plimsoll::{Decode, Rejection, Run};

use crate::cut::{Cut, Cuts};
use crate::rig::{PATTERNS, Receive, Rig};

/// What a run of a decoder came to.
#[derive(Clone, PartialEq, Eq)]
pub struct Seen {
    /// Everything it lent.
    pub bytes: Vec<u8>,
    /// What its end came to: after the last piece, or after it ended by itself.
    pub verdict: Result<(), Rejection>,
    /// How many encoded bytes were consumed when it ended by itself.
    pub ended: Option<usize>,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes with CRC {:08x}, ", self.bytes.len(), crc32fast::hash(&self.bytes))?;
        write!(f, "{:?}, ended {:?}", self.verdict, self.ended)
    }
}

impl Seen {
    /// The bytes, of a run that went well.
    #[track_caller]
    #[must_use]
    pub fn whole(self) -> Vec<u8> {
        assert_eq!(self.verdict, Ok(()), "{self:?}");
        self.bytes
    }

    /// The rejection, of a run that did not.
    #[track_caller]
    #[must_use]
    pub fn refused(&self) -> Rejection {
        self.verdict.expect_err("a refusal")
    }
}

/// Feeds a body to a decoder. The contract of [`Decode`] is checked on the way: a step makes progress, need of
/// input comes when all of it was consumed, an end and a refusal are final.
pub fn decode_all<D: Decode>(decoder: &mut D, body: &[u8], cut: Cut, receive: &mut Receive) -> Seen {
    let mut seen = Seen { bytes: Vec::new(), verdict: Ok(()), ended: None };
    for piece in cut.pieces(body.len()) {
        let start = piece.start;
        let goes_on = receive.with(body, piece, |piece| {
            let mut rest = piece;
            let mut idle = 0;
            loop {
                match decoder.decode(rest) {
                    Ok(step) => {
                        rest = &rest[step.consumed..];
                        match step.run {
                            Run::Bytes(bytes) => {
                                idle = if step.consumed == 0 && bytes.is_empty() { idle + 1 } else { 0 };
                                assert!(idle < 4, "{idle} steps without progress");
                                seen.bytes.extend_from_slice(bytes);
                            }
                            Run::NeedInput => {
                                assert!(rest.is_empty(), "input is needed and {} bytes are left", rest.len());
                                return true;
                            }
                            Run::End => {
                                seen.ended = Some(start + piece.len() - rest.len());
                                return false;
                            }
                        }
                    }
                    Err(rejection) => {
                        seen.verdict = Err(rejection);
                        return false;
                    }
                }
            }
        });
        if !goes_on {
            break;
        }
    }
    if let Err(rejection) = seen.verdict {
        assert_eq!(decoder.decode(receive.poison()), Err(rejection), "a refusal is final");
        assert_eq!(decoder.decode(b""), Err(rejection), "a refusal is final");
    } else if seen.ended.is_some() {
        let step = decoder.decode(receive.poison()).expect("an end is final");
        assert_eq!((step.consumed, step.run), (0, Run::End), "an end is final");
    }
    let end = decoder.finish();
    if seen.verdict.is_err() {
        assert_eq!(end, seen.verdict, "a refusal is final");
    }
    if seen.ended.is_some() {
        assert_eq!(end, Ok(()), "an end is the end of something whole");
    }
    seen.verdict = end;
    assert_eq!(decoder.finish(), end, "the end can be asked for twice");
    if let Err(rejection) = end {
        assert_eq!(decoder.decode(receive.poison()), Err(rejection), "a refusal is final");
    }
    seen
}

/// Runs `run` with every cut and both patterns, and answers with what all agree on.
fn agree<E: Engine + Default>(
    body: &[u8],
    cuts: Cuts,
    (ring, output): (usize, usize),
    mut run: impl FnMut(&mut Rig<E>, Cut) -> Seen,
) -> Seen {
    let mut rig = Rig::new(ring, output, body.len());
    let mut first: Option<Seen> = None;
    for cut in cuts.of(body.len()) {
        for pattern in PATTERNS {
            rig.fill(pattern);
            let seen = run(&mut rig, cut);
            let expected = first.get_or_insert_with(|| seen.clone());
            assert!(*expected == seen, "whole: {expected:?}\n{cut:?} over {pattern:#04x}: {seen:?}");
        }
    }
    first.expect("there is a cut")
}

/// Raw DEFLATE.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'b> {
    data: &'b [u8],
    work: u64,
    cuts: Cuts,
}

impl<'b> Raw<'b> {
    /// The data, with 4096 steps of work.
    #[must_use]
    pub const fn new(data: &'b [u8]) -> Self {
        Self { data, work: 4096, cuts: Cuts::Usual }
    }

    /// The same with so many steps of work.
    #[must_use]
    pub const fn work(self, work: u64) -> Self {
        Self { work, ..self }
    }

    /// The same with these cuts.
    #[must_use]
    pub const fn cuts(self, cuts: Cuts) -> Self {
        Self { cuts, ..self }
    }

    /// Through a flat buffer of `room` bytes.
    #[must_use]
    pub fn flat(self, room: usize) -> Seen {
        self.flat_with::<DefaultEngine>(room)
    }

    /// Through a ring of `size` bytes.
    #[must_use]
    pub fn ring(self, size: usize) -> Seen {
        self.ring_with::<DefaultEngine>(size)
    }

    /// Through a flat buffer with the engine `E`.
    #[must_use]
    pub fn flat_with<E: Engine + Default>(self, room: usize) -> Seen {
        agree::<E>(self.data, self.cuts, (1, room), |rig, cut| {
            let history = Flat::new(&mut rig.output);
            let mut inflate = Inflate::new(&mut rig.engine, history, WorkMeter::new(self.work));
            let seen = decode_all(&mut inflate, self.data, cut, &mut rig.receive);
            assert_eq!(inflate.history().written(), seen.bytes, "what was lent is what was written");
            seen
        })
    }

    /// Through a ring with the engine `E`.
    #[must_use]
    pub fn ring_with<E: Engine + Default>(self, size: usize) -> Seen {
        agree::<E>(self.data, self.cuts, (size, 0), |rig, cut| {
            let history = Ring::from_slice(&mut rig.ring).expect("a power of two");
            let mut inflate = Inflate::new(&mut rig.engine, history, WorkMeter::new(self.work));
            decode_all(&mut inflate, self.data, cut, &mut rig.receive)
        })
    }
}

/// A gzip body through [`Gunzip`] by itself.
#[derive(Clone, Copy, Debug)]
pub struct Gunzipped<'b> {
    body: &'b [u8],
    policy: Policy,
    cuts: Cuts,
}

impl<'b> Gunzipped<'b> {
    /// The body under a policy.
    #[must_use]
    pub const fn new(body: &'b [u8], policy: Policy) -> Self {
        Self { body, policy, cuts: Cuts::Usual }
    }

    /// The same with these cuts.
    #[must_use]
    pub const fn cuts(self, cuts: Cuts) -> Self {
        Self { cuts, ..self }
    }

    /// Through a flat buffer of 32 KiB and a ring of as much, which must agree.
    #[must_use]
    pub fn both(self) -> Seen {
        self.both_with::<DefaultEngine>()
    }

    /// The same with the engine `E`.
    #[must_use]
    pub fn both_with<E: Engine + Default>(self) -> Seen {
        const SIZE: usize = 32 * 1024;
        let flat = agree::<E>(self.body, self.cuts, (1, SIZE), |rig, cut| {
            let history = Flat::new(&mut rig.output);
            let inflate = Inflate::new(&mut rig.engine, history, WorkMeter::new(64 * 1024));
            decode_all(&mut Gunzip::new(inflate, self.policy), self.body, cut, &mut rig.receive)
        });
        let ring = agree::<E>(self.body, self.cuts, (SIZE, 0), |rig, cut| {
            let history = Ring::from_slice(&mut rig.ring).expect("a power of two");
            let inflate = Inflate::new(&mut rig.engine, history, WorkMeter::new(64 * 1024));
            decode_all(&mut Gunzip::new(inflate, self.policy), self.body, cut, &mut rig.receive)
        });
        assert!(flat == ring, "flat: {flat:?}\nring: {ring:?}");
        flat
    }
}
