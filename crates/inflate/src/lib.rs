//! Raw DEFLATE (RFC 1951) into memory that the caller supplies.
//!
//! [`Inflate`] is a [`Decode`](plimsoll_core::Decode) made of three parts:
//!
//! | part | what it is | choices |
//! |---|---|---|
//! | engine | the state of the decompressor, apart from history | [`Miniz`] |
//! | history | the last 32 KiB of output, which matches refer to | [`Flat`], [`Ring`] |
//! | work | the meter for blocks that bring no output | any [`Work`](plimsoll_core::Work) |
//!
//! *Flat*: the output buffer is the history. There is no window at all, and the buffer's length is a limit of
//! its own; best for small documents. *Ring*: a window of a power of two bytes is written round and round and
//! lent run by run; for bodies larger than memory.
//!
//! What is refused: `bad_deflate` (with a [`Detail`](plimsoll_core::Detail)), `window_too_small`,
//! `work_limit`, `decoded_limit` (flat only: one byte more than the buffer holds), `incomplete_gzip` (the input
//! ended before the last block did). A distance that reaches before the start of the stream is refused in both
//! modes, so the old contents of a buffer can never reach the output.
//!
//! Bytes after the last block are handed back: [`Run::End`](plimsoll_core::Run::End) comes with what was
//! consumed, exactly.
#![no_std]
#![forbid(unsafe_code)]

mod engine;
mod history;
mod inflate;
#[cfg(feature = "miniz")]
mod miniz;
mod native;

pub use engine::{Advance, Engine, Fault, Room, Stop};
pub use history::{Flat, History, Ring};
pub use inflate::Inflate;
#[cfg(feature = "miniz")]
pub use miniz::Miniz;
pub use native::{Native, Native32, Native64};

/// The engine to choose where there is no reason for another.
#[cfg(feature = "miniz")]
pub type DefaultEngine = Miniz;

/// The farthest that a DEFLATE distance reaches back, in bytes (RFC 1951, section 3.2.5).
pub const MAX_DISTANCE: usize = 32_768;

/// A work limit for bodies of real encoders, in steps: none owes an eighth of it, however short the body and small
/// the blocks, while 64 KiB of blocks that yield nothing reach it.
///
/// What is owed at most over the corpora of the tests, with all levels of gzip, pigz, zopfli, libdeflate and 7-Zip,
/// is some 600 steps: the first dynamic block. The prices are at [`Native`].
pub const SUGGESTED_WORK_LIMIT: u64 = 32_768;
