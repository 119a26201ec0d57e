//! The engine over `miniz_oxide`: 10.5 KB of state, fast on 64-bit hosts.
//!
//! What that crate leaves open is closed here:
//!
//! - In its ring mode it takes a distance that reaches before the start of the stream, and hands out what the
//!   ring held before. Its other mode checks, so the first lap of every stream runs in that one; after a full
//!   lap, everything in the ring is the stream's own.
//! - When the output is exactly full it says that there is more, also where only the end of the block is
//!   missing. A probe with one byte of room and no input tells the two apart.
//! - It has no limit for blocks that bring no output, and does not say where blocks begin. The input is given
//!   to it in segments that are aligned to the stream, and each is charged what its output does not pay for:
//!   the price does not depend on the cut. A byte of output pays for two of input, because no symbol of DEFLATE
//!   takes more (a literal at most 15 bits, a match at most 43 for its first 3 bytes), so that only what brings
//!   no output can fall into debt.
//! - It has one answer for all faults. In a ring shorter than 32 KiB a distance beyond the ring is one of them,
//!   so there every fault once the ring is full is answered as `window_too_small`, with a detail that says that
//!   the data may as well be corrupt.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_core::{Detail, Reason, Rejection, Work};

use crate::MAX_DISTANCE;
use crate::engine::{Advance, Engine, Fault, Room, Stop};

/// Encoded bytes that are charged together.
const SEGMENT: usize = 256;

/// Encoded bytes that one decoded byte pays for: the most that it can have taken, rounded up.
const PAYS: usize = 2;

/// `miniz_oxide` as an [`Engine`].
///
/// Work is priced by segments of 256 encoded bytes, the last of a stream being shorter, one step for each byte:
/// every decoded byte pays for two of them, the rest is charged, and what a segment brings beyond that pays for
/// earlier ones.
///
/// `new` is all zeros, so a `static` of it lies in `.bss`. `miniz_oxide` has no constant constructor and cannot
/// be filled in place without unsafe code, so the first stream passes once over the stack with 10.5 KB.
pub struct Miniz {
    slot: Slot,
    /// Encoded bytes given in this segment.
    given: usize,
    /// Decoded bytes that this segment brought.
    brought: usize,
}

/// The decompressor cannot be made in a constant, but its absence can.
#[repr(u8)]
#[allow(clippy::large_enum_variant, reason = "there is no heap to put the large one on")]
enum Slot {
    Empty = 0,
    Ready(DecompressorOxide),
}

impl Miniz {
    /// A state without a stream.
    #[must_use]
    pub const fn new() -> Self {
        Self { slot: Slot::Empty, given: 0, brought: 0 }
    }

    /// The most input that belongs to the current segment.
    fn piece<'i>(&self, rest: &'i [u8]) -> &'i [u8] {
        let left = SEGMENT.saturating_sub(self.given);
        rest.get(..left).unwrap_or(rest)
    }

    /// Charges a segment whose every byte has been worked off, or the part of one at the end of a stream.
    fn settle<W: Work>(&mut self, work: &mut W) -> Result<(), Rejection> {
        let paid = self.brought.saturating_mul(PAYS);
        let short = u32::try_from(self.given.saturating_sub(paid)).unwrap_or(0);
        work.credit(paid.saturating_sub(self.given));
        self.given = 0;
        self.brought = 0;
        work.charge(short)
    }
}

impl Default for Miniz {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Miniz {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Miniz").finish_non_exhaustive()
    }
}

impl Engine for Miniz {
    fn restart(&mut self) {
        // What a stream that was given up has left unsettled is not the next one's.
        self.given = 0;
        self.brought = 0;
        match &mut self.slot {
            Slot::Ready(decompressor) => decompressor.init(),
            empty @ Slot::Empty => *empty = Slot::Ready(DecompressorOxide::default()),
        }
    }

    fn advance<const WRAPS: bool, W: Work>(&mut self, input: &[u8], room: Room<'_>, work: &mut W) -> Advance {
        let Room { bytes, at, reach } = room;
        let lapped = WRAPS && reach >= bytes.len();
        let flags = if lapped {
            TINFL_FLAG_HAS_MORE_INPUT
        } else {
            TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        };
        let mut rest = input;
        let mut end = at;
        let stop = loop {
            let piece = self.piece(rest);
            let Slot::Ready(decompressor) = &mut self.slot else {
                self.restart();
                continue;
            };
            let (status, consumed, produced) = decompress(decompressor, piece, bytes, end, flags);
            rest = rest.get(consumed..).unwrap_or(&[]);
            end = end.saturating_add(produced);
            self.given = self.given.saturating_add(consumed);
            self.brought = self.brought.saturating_add(produced);
            match status {
                TINFLStatus::Done => break self.settle(work).map_or(Stop::Refused, |()| Stop::End),
                TINFLStatus::HasMoreOutput if WRAPS || wants_to_write(decompressor) => break Stop::Full,
                // A stored block waits for room before it looks at its input.
                TINFLStatus::HasMoreOutput if consumed == 0 && !piece.is_empty() => break Stop::Full,
                TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => {}
                _ => {
                    // By what the ring holds now, not by what it held before this input: the cut does not matter.
                    let held = reach.saturating_add(end.saturating_sub(at));
                    let full = WRAPS && held >= bytes.len();
                    break Stop::Fault(fault(full && bytes.len() < MAX_DISTANCE));
                }
            }
            if self.given == SEGMENT && self.settle(work).is_err() {
                break Stop::Refused;
            }
            if rest.is_empty() {
                break Stop::NeedInput;
            }
        };
        let consumed = input.len().saturating_sub(rest.len());
        Advance { consumed, produced: end.saturating_sub(at), stop }
    }
}

/// Whether a decompressor that stands before a full output has a byte for it. Without input it can only go on
/// by writing; the byte is lost, since one more than the limit is refused.
fn wants_to_write(decompressor: &mut DecompressorOxide) -> bool {
    decompress(decompressor, &[], &mut [0], 0, TINFL_FLAG_HAS_MORE_INPUT).2 > 0
}

const fn fault(window: bool) -> Fault {
    if window {
        Fault { reason: Reason::WindowTooSmall, detail: Some(Detail::WindowOrCorrupt), back: 1 }
    } else {
        Fault { reason: Reason::BadDeflate, detail: Some(Detail::Unspecified), back: 1 }
    }
}
