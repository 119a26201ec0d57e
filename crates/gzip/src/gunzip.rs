//! The member framing: RFC 1952, sections 2.2 and 2.3.
//!
//! It keeps between calls where in the grammar it stands, the running CRC and length, three counters and the
//! verdict: some 150 bytes besides the decoder behind it. Header bytes are looked at one by one and not kept.

use plimsoll_core::{Decode, Detail, Reason, Rejection, Restart, Run, Step};

use crate::crc32::Crc32;
use crate::policy::{Policy, Trailing};

const ID1: u8 = 0x1F;
const ID2: u8 = 0x8B;
const DEFLATE: u8 = 8;

/// The bits of FLG that say which optional fields follow. FTEXT means nothing to a decoder.
mod flag {
    pub(super) const HEADER_CRC: u8 = 1 << 1;
    pub(super) const EXTRA: u8 = 1 << 2;
    pub(super) const NAME: u8 = 1 << 3;
    pub(super) const COMMENT: u8 = 1 << 4;
    pub(super) const RESERVED: u8 = 0b1110_0000;
}

/// Where in the grammar the next byte stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// At the start of the body or behind a member.
    Boundary,
    Id2,
    Method,
    Flags,
    /// MTIME, XFL and OS: so many bytes are left.
    Fixed(u8),
    ExtraLength,
    ExtraLengthHigh(u8),
    Extra(u16),
    Name,
    Comment,
    HeaderCrc,
    HeaderCrcHigh(u8),
    Body,
    /// So many bytes of the trailer were read.
    Trailer(u8),
    /// Zero bytes behind the last member.
    Padding,
    Ended,
}

/// A gzip decoder over the raw decoder `D`.
///
/// `D` is restarted for each member. It reports its own end; what it did not consume is the trailer.
///
/// The decoded bytes are lent before the trailer is read: they are provisional until
/// [`finish`](Decode::finish), or [`Run::End`] under [`Trailing::HandBack`], says that the body is complete.
///
/// ```
/// use plimsoll_budget::WorkMeter;
/// use plimsoll_core::{Decode, Run};
/// use plimsoll_gzip::{Gunzip, Policy};
/// use plimsoll_inflate::{Flat, Inflate, Native};
///
/// // `printf hello | gzip -n`
/// let body = [
///     0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, // header
///     0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, // DEFLATE
///     0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0, // CRC-32 and length
/// ];
/// let (mut engine, mut output) = (Native::new(), [0; 5]);
/// let inflate = Inflate::new(&mut engine, Flat::new(&mut output), WorkMeter::new(4096));
/// let mut gunzip = Gunzip::new(inflate, Policy::single(4096));
/// let mut rest = &body[..];
/// loop {
///     let step = gunzip.decode(rest)?;
///     rest = &rest[step.consumed..];
///     if let Run::NeedInput = step.run {
///         break;
///     }
/// }
/// gunzip.finish()?;
/// assert_eq!(gunzip.into_inner().into_history().into_written(), b"hello");
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Debug)]
pub struct Gunzip<D> {
    inner: D,
    policy: Policy,
    state: State,
    /// Optional fields of this header that are still to come.
    flags: u8,
    /// Of the header while in one, then of the member's decoded bytes.
    crc: Crc32,
    /// Decoded bytes of this member modulo 2^32.
    length: u32,
    /// The trailer's field that is being read.
    field: u32,
    header_bytes: u64,
    members: u64,
    /// Encoded bytes consumed.
    offset: u64,
    /// Offset at which this member's compressed data begins.
    body_start: u64,
    refused: Option<Rejection>,
}

impl<D: Decode + Restart> Gunzip<D> {
    /// A decoder at the start of a body.
    #[must_use]
    pub const fn new(inner: D, policy: Policy) -> Self {
        Self {
            inner,
            policy,
            state: State::Boundary,
            flags: 0,
            crc: Crc32::new(),
            length: 0,
            field: 0,
            header_bytes: 0,
            members: 0,
            offset: 0,
            body_start: 0,
            refused: None,
        }
    }

    /// The raw decoder.
    #[must_use]
    pub const fn inner(&self) -> &D {
        &self.inner
    }

    /// Takes the raw decoder back.
    #[must_use]
    pub fn into_inner(self) -> D {
        self.inner
    }

    /// How many members were read and checked.
    #[must_use]
    pub const fn members(&self) -> u64 {
        self.members
    }

    /// Reads headers, trailers and what lies between, up to the next compressed byte. Returns how much of
    /// `input` that was.
    fn frame(&mut self, input: &[u8]) -> Result<usize, Rejection> {
        let mut consumed: usize = 0;
        for &byte in input {
            if matches!(self.state, State::Body | State::Ended) {
                break;
            }
            self.state = match self.state {
                State::Boundary => match self.boundary(byte)? {
                    State::Ended => {
                        self.state = State::Ended;
                        break;
                    }
                    next => next,
                },
                State::Padding if byte == 0 => State::Padding,
                State::Padding => return Err(self.fault(Reason::TrailingData)),
                State::Trailer(read) => self.trailer(read, byte)?,
                _ => self.header(byte)?,
            };
            self.offset = self.offset.saturating_add(1);
            consumed = consumed.saturating_add(1);
            if self.state == State::Body {
                self.begin_body();
            }
        }
        Ok(consumed)
    }

    /// What the first byte of the body, or behind a member, begins.
    fn boundary(&mut self, byte: u8) -> Result<State, Rejection> {
        let behind = self.members > 0;
        if byte == ID1 && !(behind && self.policy.members == 1) {
            self.crc = Crc32::new();
            self.count_header_byte(byte)?;
            return Ok(State::Id2);
        }
        match self.policy.trailing {
            _ if !behind => Err(self.fault(Reason::NotGzip)),
            Trailing::ZeroPadding if byte == 0 => Ok(State::Padding),
            Trailing::HandBack => Ok(State::Ended),
            _ => Err(self.fault(Reason::TrailingData)),
        }
    }

    /// One byte of a header behind ID1.
    fn header(&mut self, byte: u8) -> Result<State, Rejection> {
        if self.state == State::Id2 {
            self.second_magic(byte)?;
        }
        let expected = self.crc.value();
        self.count_header_byte(byte)?;
        match self.state {
            State::Id2 => Ok(State::Method),
            State::Method if byte == DEFLATE => Ok(State::Flags),
            State::Method => Err(self.fault(Reason::BadHeader).with_detail(Detail::Method(byte))),
            State::Flags if byte & flag::RESERVED == 0 => {
                self.flags = byte;
                Ok(State::Fixed(6))
            }
            State::Flags => {
                Err(self.fault(Reason::BadHeader).with_detail(Detail::ReservedFlags(byte & flag::RESERVED)))
            }
            State::Fixed(left @ 2..) => Ok(State::Fixed(left.saturating_sub(1))),
            State::ExtraLength => Ok(State::ExtraLengthHigh(byte)),
            State::ExtraLengthHigh(low) => match u16::from_le_bytes([low, byte]) {
                0 => Ok(self.next_field()),
                length => Ok(State::Extra(length)),
            },
            State::Extra(left @ 2..) => Ok(State::Extra(left.saturating_sub(1))),
            State::Name | State::Comment if byte != 0 => Ok(self.state),
            State::HeaderCrc => {
                // The CRC does not cover itself: what it should be is kept over the field's second byte.
                self.field = expected;
                Ok(State::HeaderCrcHigh(byte))
            }
            State::HeaderCrcHigh(low) => {
                let [expected_low, expected_high, ..] = self.field.to_le_bytes();
                if (low, byte) == (expected_low, expected_high) {
                    Ok(self.next_field())
                } else {
                    Err(self.fault_before(Reason::HeaderChecksum, 1))
                }
            }
            _ => Ok(self.next_field()),
        }
    }

    fn second_magic(&self, byte: u8) -> Result<(), Rejection> {
        if byte != ID2 {
            return Err(match self.members {
                0 => self.fault(Reason::NotGzip),
                _ => self.fault_before(Reason::TrailingData, 1),
            });
        }
        if self.members == self.policy.members {
            return Err(Rejection::limit_exceeded(Reason::MemberLimit, self.policy.members));
        }
        Ok(())
    }

    /// The next optional field that FLG announced, or the body.
    fn next_field(&mut self) -> State {
        for (bit, state) in [
            (flag::EXTRA, State::ExtraLength),
            (flag::NAME, State::Name),
            (flag::COMMENT, State::Comment),
            (flag::HEADER_CRC, State::HeaderCrc),
        ] {
            if self.flags & bit != 0 {
                self.flags &= !bit;
                return state;
            }
        }
        State::Body
    }

    fn begin_body(&mut self) {
        self.inner.restart();
        self.body_start = self.offset;
        self.crc = Crc32::new();
        self.length = 0;
    }

    /// One byte of CRC32 and ISIZE (RFC 1952, section 2.3.1), both little-endian.
    fn trailer(&mut self, read: u8, byte: u8) -> Result<State, Rejection> {
        self.field = (self.field >> 8) | (u32::from(byte) << 24);
        match read {
            3 if self.field != self.crc.value() => Err(self.fault_before(Reason::Checksum, 3)),
            7 if self.field != self.length => Err(self.fault_before(Reason::LengthField, 3)),
            7 => {
                self.members = self.members.saturating_add(1);
                let last = self.members >= self.policy.members;
                Ok(if last && self.policy.trailing == Trailing::HandBack {
                    State::Ended
                } else {
                    State::Boundary
                })
            }
            _ => Ok(State::Trailer(read.saturating_add(1))),
        }
    }

    fn count_header_byte(&mut self, byte: u8) -> Result<(), Rejection> {
        if self.header_bytes >= self.policy.header_limit {
            return Err(Rejection::limit_exceeded(Reason::HeaderLimit, self.policy.header_limit));
        }
        self.header_bytes = self.header_bytes.saturating_add(1);
        self.crc.update(&[byte]);
        Ok(())
    }

    /// A fault at the byte that is being looked at.
    const fn fault(&self, reason: Reason) -> Rejection {
        self.fault_before(reason, 0)
    }

    /// A fault of a field that began `back` bytes before the byte that is being looked at.
    const fn fault_before(&self, reason: Reason, back: u64) -> Rejection {
        Rejection::fault(reason, self.offset.saturating_sub(back))
    }
}

impl<D: Decode + Restart> Decode for Gunzip<D> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        if let Some(rejection) = self.refused {
            return Err(rejection);
        }
        let framed = self.frame(input).inspect_err(|&rejection| self.refused = Some(rejection))?;
        match self.state {
            State::Body => {}
            State::Ended => return Ok(Step::end(framed)),
            _ => return Ok(Step::need_input(framed)),
        }
        match self.inner.decode(input.get(framed..).unwrap_or(&[])) {
            Ok(step) => {
                self.offset = self.offset.saturating_add(step.consumed as u64);
                let consumed = framed.saturating_add(step.consumed);
                match step.run {
                    Run::Bytes(bytes) => {
                        self.crc.update(bytes);
                        // ISIZE is the length modulo 2^32, and so is a cast to 32 bits.
                        self.length = self.length.wrapping_add(bytes.len() as u32);
                        Ok(Step::lend(consumed, bytes))
                    }
                    Run::NeedInput => Ok(Step::need_input(consumed)),
                    Run::End => {
                        self.state = State::Trailer(0);
                        Ok(Step::silent(consumed))
                    }
                }
            }
            Err(rejection) => {
                let rejection = rejection.shifted(self.body_start);
                self.refused = Some(rejection);
                Err(rejection)
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if let Some(rejection) = self.refused {
            return Err(rejection);
        }
        let rejection = match self.state {
            State::Boundary if self.members > 0 || self.policy.empty => return Ok(()),
            State::Padding | State::Ended => return Ok(()),
            State::Id2 if self.members > 0 && self.members == self.policy.members => {
                self.fault_before(Reason::TrailingData, 1)
            }
            _ => self.fault(Reason::IncompleteGzip),
        };
        self.refused = Some(rejection);
        Err(rejection)
    }
}
