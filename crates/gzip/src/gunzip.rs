//! The member framing: RFC 1952, sections 2.2 and 2.3.
//!
//! It keeps between calls where in the grammar it stands, the running CRC and length, four counters and what was found
//! wrong: some 100 bytes besides the decoder behind it. Header bytes are looked at one by one and not kept.

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
    /// MTIME, XFL and OS.
    Fixed,
    ExtraLength,
    Extra,
    Name,
    Comment,
    HeaderCrc,
    Body,
    Checksum,
    Length,
    /// Zero bytes behind the last member.
    Padding,
    Ended,
}

/// What is wrong with the byte that is being looked at, or with a field that began `back` bytes before it. All else
/// that a rejection says is found in the state, which stays as it is: [`Gunzip::refuse`].
#[derive(Clone, Copy, Debug)]
struct Fault {
    reason: Reason,
    back: u8,
}

impl Fault {
    const fn new(reason: Reason) -> Self {
        Self { reason, back: 0 }
    }

    const fn before(reason: Reason, back: u8) -> Self {
        Self { reason, back }
    }
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
    /// Bytes of a field of known length that are still to come.
    left: u16,
    /// The latest four bytes, the last one highest: a field of that length, and in its upper half one of two bytes.
    field: u32,
    /// Optional fields of this header that are still to come.
    flags: u8,
    /// Of the header while in one, then of the member's decoded bytes.
    crc: Crc32,
    /// Decoded bytes of this member modulo 2^32.
    length: u32,
    /// Header bytes that are still allowed, over all members.
    header_left: u64,
    members: u64,
    /// Encoded bytes consumed: 64 bits do not run over.
    offset: u64,
    /// Offset at which this member's compressed data begins.
    body_start: u64,
    /// What was wrong with the framing. A fault of the compressed data is kept where it was found, by the raw decoder.
    fault: Option<Fault>,
}

impl<D: Decode + Restart> Gunzip<D> {
    /// A decoder at the start of a body.
    #[must_use]
    pub const fn new(inner: D, policy: Policy) -> Self {
        Self {
            inner,
            policy,
            state: State::Boundary,
            left: 0,
            field: 0,
            flags: 0,
            crc: Crc32::new(),
            length: 0,
            header_left: policy.header_limit,
            members: 0,
            offset: 0,
            body_start: 0,
            fault: None,
        }
    }

    /// The raw decoder.
    #[must_use]
    pub const fn inner(&self) -> &D {
        &self.inner
    }

    /// The raw decoder, to change it.
    #[must_use]
    pub const fn inner_mut(&mut self) -> &mut D {
        &mut self.inner
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

    /// Header bytes read so far, over all members.
    #[must_use]
    pub const fn header_bytes(&self) -> u64 {
        self.policy.header_limit.wrapping_sub(self.header_left)
    }

    /// Reads headers, trailers and what lies between, up to the next compressed byte. Returns how much of
    /// `input` that was.
    fn frame(&mut self, input: &[u8]) -> Result<usize, Fault> {
        let mut consumed: usize = 0;
        for &byte in input {
            if matches!(self.state, State::Body | State::Ended) || !self.read(byte)? {
                break;
            }
            self.offset = self.offset.wrapping_add(1);
            consumed = consumed.wrapping_add(1);
            if self.state == State::Body {
                self.begin_body();
            }
        }
        Ok(consumed)
    }

    /// Reads one byte; says whether it belongs to the body.
    fn read(&mut self, byte: u8) -> Result<bool, Fault> {
        match self.state {
            State::Boundary if !self.begins_member(byte) => return self.behind(byte),
            State::Boundary => self.crc = Crc32::new(),
            State::Id2 => self.second_magic(byte)?,
            State::Padding => {
                return if byte == 0 { Ok(true) } else { Err(Fault::new(Reason::TrailingData)) };
            }
            _ => {}
        }
        if !matches!(self.state, State::Checksum | State::Length) {
            self.count_header_byte(byte)?;
        }
        self.field = (self.field >> 8) | (u32::from(byte) << 24);
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.end_field(byte)?;
        }
        Ok(true)
    }

    /// Whether a member begins with this byte, which is the first of the body or lies behind a member.
    const fn begins_member(&self, byte: u8) -> bool {
        byte == ID1 && (self.members == 0 || self.policy.members > 1)
    }

    /// What a byte means that begins no member.
    fn behind(&mut self, byte: u8) -> Result<bool, Fault> {
        match self.policy.trailing {
            _ if self.members == 0 => return Err(Fault::new(Reason::NotGzip)),
            Trailing::ZeroPadding if byte == 0 => self.state = State::Padding,
            Trailing::HandBack => self.state = State::Ended,
            _ => return Err(Fault::new(Reason::TrailingData)),
        }
        Ok(self.state == State::Padding)
    }

    /// Checks the field that ends with this byte, and goes on to the next one.
    fn end_field(&mut self, byte: u8) -> Result<(), Fault> {
        let short = (self.field >> 16) as u16;
        match self.state {
            State::Boundary => self.state = State::Id2,
            State::Id2 => self.state = State::Method,
            State::Method if byte == DEFLATE => self.state = State::Flags,
            State::Flags if byte & flag::RESERVED == 0 => {
                self.flags = byte;
                self.await_field(State::Fixed, 6);
            }
            State::Method | State::Flags => return Err(Fault::new(Reason::BadHeader)),
            State::ExtraLength if short > 0 => self.await_field(State::Extra, short),
            State::Name | State::Comment if byte != 0 => {}
            State::HeaderCrc if short != self.crc.value() as u16 => {
                return Err(Fault::before(Reason::HeaderChecksum, 1));
            }
            State::Checksum if self.field != self.crc.value() => {
                return Err(Fault::before(Reason::Checksum, 3));
            }
            State::Checksum => self.await_field(State::Length, 4),
            State::Length if self.field != self.length => return Err(Fault::before(Reason::LengthField, 3)),
            State::Length => {
                self.members = self.members.wrapping_add(1);
                let last = self.members >= self.policy.members;
                let handed_back = last && self.policy.trailing == Trailing::HandBack;
                self.state = if handed_back { State::Ended } else { State::Boundary };
            }
            _ => self.next_field(),
        }
        Ok(())
    }

    fn second_magic(&self, byte: u8) -> Result<(), Fault> {
        if byte != ID2 {
            return Err(match self.members {
                0 => Fault::new(Reason::NotGzip),
                _ => Fault::before(Reason::TrailingData, 1),
            });
        }
        if self.members == self.policy.members {
            return Err(Fault::new(Reason::MemberLimit));
        }
        Ok(())
    }

    /// The next `bytes` bytes are a field.
    const fn await_field(&mut self, state: State, bytes: u16) {
        self.state = state;
        self.left = bytes;
    }

    /// Goes on to the next optional field that FLG announced, or to the body.
    const fn next_field(&mut self) {
        let (bit, state, bytes) = match self.flags {
            flags if flags & flag::EXTRA != 0 => (flag::EXTRA, State::ExtraLength, 2),
            flags if flags & flag::NAME != 0 => (flag::NAME, State::Name, 0),
            flags if flags & flag::COMMENT != 0 => (flag::COMMENT, State::Comment, 0),
            flags if flags & flag::HEADER_CRC != 0 => (flag::HEADER_CRC, State::HeaderCrc, 2),
            _ => (0, State::Body, 0),
        };
        self.flags &= !bit;
        self.await_field(state, bytes);
    }

    fn begin_body(&mut self) {
        self.inner.restart();
        self.body_start = self.offset;
        self.crc = Crc32::new();
        self.length = 0;
    }

    fn count_header_byte(&mut self, byte: u8) -> Result<(), Fault> {
        if self.header_left == 0 {
            return Err(Fault::new(Reason::HeaderLimit));
        }
        self.header_left = self.header_left.wrapping_sub(1);
        // The header's CRC does not cover itself.
        if self.state != State::HeaderCrc {
            self.crc.update(&[byte]);
        }
        Ok(())
    }

    /// Refuses the body for good.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, fault: Fault) -> Rejection {
        self.fault = Some(fault);
        let [.., byte] = self.field.to_le_bytes();
        let Fault { reason, back } = fault;
        let rejection = match reason {
            Reason::HeaderLimit => Rejection::limit_exceeded(reason, self.policy.header_limit),
            Reason::MemberLimit => Rejection::limit_exceeded(reason, self.policy.members),
            _ => Rejection::fault(reason, self.offset.wrapping_sub(u64::from(back))),
        };
        match (reason, self.state) {
            (Reason::BadHeader, State::Method) => rejection.with_detail(Detail::Method(byte)),
            (Reason::BadHeader, _) => rejection.with_detail(Detail::ReservedFlags(byte & flag::RESERVED)),
            _ => rejection,
        }
    }
}

impl<D: Decode + Restart> Decode for Gunzip<D> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        let framed = match self.fault.map_or_else(|| self.frame(input), Err) {
            Ok(framed) => framed,
            Err(fault) => return Err(self.refuse(fault)),
        };
        match self.state {
            State::Body => {}
            State::Ended => return Ok(Step::end(framed)),
            _ => return Ok(Step::need_input(framed)),
        }
        match self.inner.decode(input.get(framed..).unwrap_or(&[])) {
            Ok(step) => {
                self.offset = self.offset.wrapping_add(step.consumed as u64);
                let consumed = framed.wrapping_add(step.consumed);
                match step.run {
                    Run::Bytes(bytes) => {
                        self.crc.update(bytes);
                        // ISIZE is the length modulo 2^32, and so is a cast to 32 bits.
                        self.length = self.length.wrapping_add(bytes.len() as u32);
                        Ok(Step::lend(consumed, bytes))
                    }
                    Run::NeedInput => Ok(Step::need_input(consumed)),
                    Run::End => {
                        (self.state, self.left) = (State::Checksum, 4);
                        Ok(Step::silent(consumed))
                    }
                }
            }
            Err(rejection) => Err(rejection.shifted(self.body_start)),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        let fault = match (self.fault, self.state) {
            (Some(fault), _) => fault,
            (_, State::Boundary) if self.members > 0 || self.policy.empty => return Ok(()),
            (_, State::Padding | State::Ended) => return Ok(()),
            (_, State::Id2) if self.members > 0 && self.members == self.policy.members => {
                Fault::before(Reason::TrailingData, 1)
            }
            _ => Fault::new(Reason::IncompleteGzip),
        };
        // What the raw decoder has refused it refuses again, and if it has not, its data end too early.
        if self.state == State::Body
            && let Err(rejection) = self.inner.finish()
        {
            return Err(rejection.shifted(self.body_start));
        }
        Err(self.refuse(fault))
    }
}
