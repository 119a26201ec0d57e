//! The engine of this crate: RFC 1951 in about 2 KB (32-bit targets) or 3 KB (64-bit ones).
//!
//! [`blocks`] reads what stands around the symbols, [`symbols`] reads those exactly, and a fast loop ([`wide`],
//! [`narrow`]) does the same where input and room are ample; it leaves everything out of the ordinary to the
//! exact one, which alone knows faults and edges, so that both are one machine with one meaning.
//!
//! Between calls it keeps the tables of a dynamic block (see [`code`]), the bits of an unfinished field, a
//! match whose distance or room is still missing, and where in the block it is.

mod bits;
mod blocks;
mod code;
mod entry;
mod measuring;
mod narrow;
mod output;
mod strides;
mod symbols;
mod wide;

use plimsoll_core::{Detail, Reason, Work};

use crate::engine::{Advance, Engine, Fault, Room, Stop};
use bits::{Bits, Carry};
use code::Tables;
use entry::Layout;
use output::{Match, Output};

/// Steps that a block costs, whatever its type.
const BLOCK: u32 = 4;
/// Steps that the three codes of a dynamic block cost besides one for each code length.
const CODES: u32 = 256;

/// What comes next in the stream.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Next {
    /// `BFINAL` and `BTYPE`, or behind the last block nothing.
    Block = 0,
    /// `LEN` and `NLEN` of a stored block.
    StoredLength,
    /// The bytes of a stored block.
    Stored,
    /// `HLIT`, `HDIST` and `HCLEN` of a dynamic block.
    CodeCounts,
    /// The lengths of the code length code.
    CodeLengthCode,
    /// The lengths of the other two codes.
    CodeLengths,
    /// Literals, lengths and distances.
    Symbols,
}

/// The state of a stream, with entries and fast loop `F`. In this order, so that what is small has a small offset:
/// instructions that reach it are shorter.
#[repr(C)]
struct Machine<F, const LITERALS: usize> {
    carry: Carry,
    next: Next,
    /// Whether this is the last block.
    last: bool,
    /// Whether this block has the fixed codes.
    fixed: bool,
    /// Code lengths of the code length code.
    code_length_codes: u8,
    /// Literal/length codes, and both codes together.
    literal_codes: u16,
    all_codes: u16,
    /// Bytes that a stored block still has, or code lengths that were read.
    progress: u16,
    unfinished: Match,
    tables: Tables<LITERALS>,
    layout: F,
}

/// What one call works with besides the state.
struct Call<'c, W> {
    bits: Bits<'c>,
    output: Output<'c>,
    work: &'c mut W,
    /// Up to where output has paid for work.
    paid: usize,
    /// Why the call stops when it does: for want of input, unless something else comes first.
    stop: Stop,
}

impl<W: Work> Call<'_, W> {
    /// Charges work behind all output that was made before it.
    #[inline(never)]
    fn charge(&mut self, steps: u32) -> Option<()> {
        self.credit();
        match self.work.charge(steps) {
            Ok(()) => Some(()),
            Err(_) => self.stop(Stop::Refused),
        }
    }

    #[inline(never)]
    fn credit(&mut self) {
        self.work.credit(self.output.at.wrapping_sub(self.paid));
        self.paid = self.output.at;
    }

    /// Stops for another reason than want of input.
    const fn stop<T>(&mut self, stop: Stop) -> Option<T> {
        self.stop = stop;
        None
    }

    /// Stops at a fault of the field that begins `skipped` bits before the next one.
    #[cold]
    #[inline(never)]
    const fn fault(&mut self, detail: Detail, skipped: u32) -> Option<Next> {
        let reason = match detail {
            Detail::Window(_) => Reason::WindowTooSmall,
            _ => Reason::BadDeflate,
        };
        self.stop(Stop::Fault(Fault { reason, detail: Some(detail), back: self.bits.back(skipped) }))
    }
}

impl<F: Layout<LITERALS>, const LITERALS: usize> Machine<F, LITERALS> {
    const fn new() -> Self {
        Self {
            carry: Carry::EMPTY,
            next: Next::Block,
            last: false,
            fixed: false,
            code_length_codes: 0,
            literal_codes: 0,
            all_codes: 0,
            progress: 0,
            unfinished: Match::NONE,
            tables: Tables::EMPTY,
            layout: F::START,
        }
    }

    const fn restart(&mut self) {
        self.carry = Carry::EMPTY;
        self.next = Next::Block;
        self.last = false;
        self.unfinished = Match::NONE;
    }

    fn advance<const WRAPS: bool, W: Work>(&mut self, input: &[u8], room: Room<'_>, work: &mut W) -> Advance {
        let begin = room.at;
        let mut call = Call {
            bits: Bits::resume(self.carry, input),
            output: Output::new(room),
            work,
            paid: begin,
            stop: Stop::NeedInput,
        };
        while let Some(next) = self.step::<WRAPS, W>(&mut call) {
            self.next = next;
        }
        if call.stop == Stop::Full {
            call.bits.give_back();
        }
        call.credit();
        self.carry = call.bits.carry();
        let produced = call.output.at.wrapping_sub(begin);
        Advance { consumed: call.bits.consumed(), produced, stop: call.stop }
    }

    /// Reads what comes next, and says what comes then; `None` where the call stops instead.
    fn step<const WRAPS: bool, W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        match self.next {
            Next::Block => self.block(call),
            Next::StoredLength => self.stored_length(call),
            Next::Stored => self.stored(call),
            Next::CodeCounts => self.code_counts(call),
            Next::CodeLengthCode => self.code_length_code(call),
            Next::CodeLengths => self.code_lengths(call),
            Next::Symbols => self.symbols::<WRAPS, W>(call),
        }
    }
}

/// The engine in one of its two layouts.
macro_rules! engine {
    ($(#[$doc:meta])* $name:ident: $layout:ident::$form:ident, at most $size:literal bytes) => {
        $(#[$doc])*
        pub struct $name(Machine<$layout::$form, { $layout::LITERALS }>);

        impl $name {
            /// A state at the start of a stream: all zeros, so a `static` of it lies in `.bss`.
            #[must_use]
            pub const fn new() -> Self {
                const { assert!(size_of::<Self>() <= $size) };
                Self(Machine::new())
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl Engine for $name {
            #[inline]
            fn restart(&mut self) {
                self.0.restart();
            }

            #[inline]
            fn advance<const WRAPS: bool, W: Work>(
                &mut self,
                input: &[u8],
                room: Room<'_>,
                work: &mut W,
            ) -> Advance {
                self.0.advance::<WRAPS, W>(input, room, work)
            }
        }
    };
}

engine! {
    /// An engine that tells the greatest distance of all streams so far: how large a ring has to be for them, and
    /// that is the next power of two.
    ///
    /// As [`Native`] in everything else, but several times slower, because it has no fast loop.
    Measuring: measuring::Exact, at most 3072 bytes
}

impl Measuring {
    /// The greatest distance that was accepted, in bytes; 0 where there was no match.
    #[must_use]
    pub const fn greatest_distance(&self) -> usize {
        self.0.layout.greatest()
    }
}

engine! {
    /// [`Native`] in the layout for 64-bit words: 3 KB of state, a 10-bit literal/length table.
    Native64: wide::Wide, at most 3072 bytes
}

engine! {
    /// [`Native`] in the layout for 32-bit words: 2 KB of state, a 9-bit literal/length table. On a 64-bit host
    /// it is the smaller and slower one of the two.
    Native32: narrow::Narrow, at most 2048 bytes
}

/// The native engine, in the layout that suits the word size of the target.
#[cfg(target_pointer_width = "64")]
pub type Native = Native64;

/// The native engine, in the layout that suits the word size of the target.
#[cfg(not(target_pointer_width = "64"))]
pub type Native = Native32;
