//! What a DEFLATE engine is: the part that turns bits into bytes, without history, limits or offsets.
//!
//! An engine is told where to write and how far back it may reach, and says how far it came and why it
//! stopped. [`Inflate`](crate::Inflate) does the rest, so every engine has the same limits, the same order of
//! verdicts and the same offsets.

use plimsoll_core::{Detail, Reason, Work};

/// A DEFLATE engine.
///
/// # Contract
///
/// - [`advance`](Self::advance) goes on until it must stop, and says why. It keeps nothing of `input`.
/// - How the input and the room are cut makes no difference to the bytes, to the stop or to what is charged.
/// - A symbol that does not fit is not an error: the stop is [`Stop::Full`]. Where the room does not wrap,
///   `Full` is answered only when at least one more byte is certain, so that output which exactly fills a
///   buffer is accepted.
/// - Work that brings no output is charged, and output credited, in the order of the stream.
pub trait Engine {
    /// Begins a new stream.
    fn restart(&mut self);

    /// Decodes from `input` into `room`. `WRAPS` says that `room` is a ring whose every byte counts as
    /// history once [`Room::reach`] says so; otherwise history is what lies before [`Room::at`].
    fn advance<const WRAPS: bool, W: Work>(&mut self, input: &[u8], room: Room<'_>, work: &mut W) -> Advance;
}

impl<E: Engine + ?Sized> Engine for &mut E {
    #[inline]
    fn restart(&mut self) {
        (**self).restart();
    }

    #[inline]
    fn advance<const WRAPS: bool, W: Work>(&mut self, input: &[u8], room: Room<'_>, work: &mut W) -> Advance {
        (**self).advance::<WRAPS, W>(input, room, work)
    }
}

/// Where an engine writes.
#[derive(Debug)]
pub struct Room<'r> {
    /// The flat buffer from the start of the stream, or the ring. A ring's length is a power of two.
    pub bytes: &'r mut [u8],
    /// Where the next byte goes; free up to the end of `bytes`.
    pub at: usize,
    /// How many bytes of the stream were written before: no distance reaches farther. The count may stop at
    /// any number that neither a distance nor the ring's length exceeds. A ring holds the last of them.
    pub reach: usize,
}

/// How far an engine came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advance {
    /// Bytes of the input that are done with.
    pub consumed: usize,
    /// Bytes written from [`Room::at`] on.
    pub produced: usize,
    /// Why it stopped.
    pub stop: Stop,
}

/// Why an engine stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All of the input was consumed.
    NeedInput,
    /// There is no room for the next byte.
    Full,
    /// The last block has ended; what was not consumed lies behind it.
    End,
    /// The data cannot be decoded.
    Fault(Fault),
    /// The meter for work refused. It says why when it is charged again.
    Refused,
}

/// What is wrong with the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// `bad_deflate` or `window_too_small`.
    pub reason: Reason,
    /// Which cause, where that is known.
    pub detail: Option<Detail>,
    /// How many bytes before the end of what was consumed the byte at fault lies.
    pub back: usize,
}
