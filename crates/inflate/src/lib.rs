//! Raw DEFLATE (RFC 1951) into memory that the caller supplies.
//!
//! [`Inflate`] is a [`Decode`](plimsoll_core::Decode) made of three parts:
//!
//! | part | what it is | choices |
//! |---|---|---|
//! | engine | the state of the decompressor, apart from history | [`Native`], `Miniz` (the feature `miniz`), [`Measuring`] |
//! | history | the last 32 KiB of output, which matches refer to | [`Flat`], [`Ring`] |
//! | work | the meter for blocks that bring no output | any [`Work`](plimsoll_core::Work) |
//!
//! *Flat*: the output buffer is the history. There is no window at all, and the buffer's length is a limit of
//! its own; best for small documents. *Ring*: a window of a power of two bytes is written round and round and
//! lent run by run; for bodies larger than memory.
//!
//! ```
//! use plimsoll_budget::WorkMeter;
//! use plimsoll_core::{Decode, Run};
//! use plimsoll_inflate::{Inflate, Native, Ring, SUGGESTED_WORK_LIMIT};
//!
//! // "hello hello hello", and a byte that is not the stream's.
//! let stream = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00, 0xFF];
//! let (mut engine, mut window) = (Native::new(), [0; 1024]);
//! let work = WorkMeter::new(SUGGESTED_WORK_LIMIT);
//! let mut inflate = Inflate::new(&mut engine, Ring::new(&mut window), work);
//! let (mut text, mut rest) = (Vec::new(), &stream[..]);
//! loop {
//!     let step = inflate.decode(rest)?;
//!     rest = &rest[step.consumed..];
//!     match step.run {
//!         Run::Bytes(bytes) => text.extend_from_slice(bytes),
//!         Run::NeedInput => break,
//!         Run::End => break,
//!     }
//! }
//! inflate.finish()?;
//! assert_eq!((&text[..], rest), (&b"hello hello hello"[..], &[0xFF][..]));
//! # Ok::<(), plimsoll_core::Rejection>(())
//! ```
//!
//! # Recipe: flat or ring, and how large
//!
//! | the decoded body | take | memory besides the engine |
//! |---|---|---|
//! | lies in memory anyway, and is not much longer than 32 KiB | [`Flat`] over the buffer that it is to lie in | none |
//! | is longer, or only passes: to flash, to a parser, to another connection | [`Ring`] | 32 KiB for any encoder |
//! | the same, from an encoder of yours that packs with a window of 2^n bytes (`windowBits` of zlib) | [`Ring`] | 2^n bytes |
//! | the same, from an encoder that packs with a larger window than there is memory | nothing: have it packed otherwise | - |
//!
//! A body that is shorter than the encoder's window needs no more than its own length. What is too small is said with what was
//! asked for; [`Measuring`] tells the greatest distance of a stream, and so does the command `plimsoll profile`.
//!
//! ```
//! use plimsoll_budget::WorkMeter;
//! use plimsoll_core::{Decode, Detail, Reason, Rejection, Run};
//! use plimsoll_inflate::{Flat, History, Inflate, Native, Ring, SUGGESTED_WORK_LIMIT};
//!
//! fn inflate(history: impl History, mut stream: &[u8]) -> Result<Vec<u8>, Rejection> {
//!     let (mut engine, work) = (Native::new(), WorkMeter::new(SUGGESTED_WORK_LIMIT));
//!     let mut inflate = Inflate::new(&mut engine, history, work);
//!     let mut text = Vec::new();
//!     loop {
//!         let step = inflate.decode(stream)?;
//!         stream = &stream[step.consumed..];
//!         match step.run {
//!             Run::Bytes(bytes) => text.extend_from_slice(bytes),
//!             Run::NeedInput | Run::End => break,
//!         }
//!     }
//!     inflate.finish().map(|()| text)
//! }
//!
//! // "hello hello hello": 17 bytes, in which a match reaches 6 back.
//! let stream = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00];
//! assert_eq!(inflate(Flat::new(&mut [0; 17]), &stream).unwrap(), b"hello hello hello");
//! assert_eq!(inflate(Flat::new(&mut [0; 16]), &stream).unwrap_err().reason(), Reason::DecodedLimit);
//! assert_eq!(inflate(Ring::new(&mut [0; 8]), &stream).unwrap(), b"hello hello hello");
//! let rejection = inflate(Ring::new(&mut [0; 4]), &stream).unwrap_err();
//! assert_eq!((rejection.reason(), rejection.detail()), (Reason::WindowTooSmall, Some(Detail::Window(6))));
//! ```
//!
//! # What is refused
//!
//! A distance that reaches before the start of the stream is refused in both modes, so the old contents of a
//! buffer can never reach the output. Otherwise what zlib 1.3 accepts is accepted and what it refuses is refused.
//! The reason, its [`Detail`](plimsoll_core::Detail) and its place do not depend on how the input or the room was
//! cut. The place is the encoded byte that holds the first bit of what the table names.
//!
//! | reason | detail | place |
//! |---|---|---|
//! | `bad_deflate` | `BlockType` | the header of the block, three bits |
//! | | `StoredLength` | `LEN` |
//! | | `TooManyCodes` | `HLIT`, whether it or `HDIST` is too large |
//! | | `CodeLengthCode` | the last length of the code length code |
//! | | `CodeLengthRepeat` | the symbol that repeats nothing or too often |
//! | | `MissingEndOfBlock`, `LiteralCode`, `DistanceCode` | the symbol that brought the last code length; where several hold, the first of these is said |
//! | | `LengthSymbol`, `DistanceSymbol` | the symbol, or the bits that are no code: known from the first of them |
//! | | `DistanceTooFar` | the distance symbol |
//! | `window_too_small` | `Window(distance)` | the distance symbol |
//! | `incomplete_gzip` | | the end of the input: it came before the last block ended |
//! | `decoded_limit` | | none; flat only, when a byte more than the buffer holds is certain |
//! | `work_limit` | | none |
//!
//! A distance that reaches both beyond the ring and before the start is `DistanceTooFar`: no larger ring would help.
//!
//! Bytes after the last block are handed back: [`Run::End`](plimsoll_core::Run::End) comes with what was
//! consumed, exactly.
//!
//! # Work
//!
//! Every byte of output pays for a step; these cost some, when their fields have been read:
//!
//! | what | steps |
//! |---|---|
//! | a block of any type | 4 |
//! | the codes of a dynamic block | 256, and 1 for each of its 258 to 316 code lengths |
//!
//! Symbols of a block and bytes of a stored block bring output and cost nothing. So what is done for a stream is
//! proportional to its output plus the limit, and [`SUGGESTED_WORK_LIMIT`] is a limit that real encoders stay far
//! from. The most that is known for encoded bytes is 576 steps in 98 bits, a dynamic block with all code lengths and
//! nothing in it: 48 for a byte. An encoder that flushes after each message pays 8 steps for a flush (a block and an empty stored one).
//! `Miniz` has prices of its own.
//!
//! # Figures
//!
//! State besides history: 2,008 bytes on 32-bit targets, 3,032 on 64-bit ones (`miniz_oxide` 10,500).
//!
//! A Cortex-M4, `github_events.json` in 512-byte pieces through a ring of 32 KiB: 6.3 instructions per decoded byte
//! at opt-level 2 and 6.9 at s (`miniz_oxide` 11.7 and 12.2).
//!
//! The worst that a search over sequences of blocks has found is that of minimal dynamic blocks: 855 instructions per byte
//! of input and output (1,105 where the pieces are single bytes; ordinary are 5.4 and 64). They bring no output, so
//! [`SUGGESTED_WORK_LIMIT`] ends them after some 700 of their bytes and less than a million instructions.
//!
//! Stack on thumbv7em at opt-level s: at most 328 bytes besides the state. The codes are built in one function that is
//! left before the symbols are read, with 32 bytes of scratch; refusals are kept as codes of a few bytes, and a rejection,
//! which has 32, is made where it is answered; tables are doubled without a call of `memcpy`, whose frame has 84.
//!
//! Flash there, a raw decoder through a ring: 5.9 KB, of which 1.3 KB are the constant tables of the fixed codes, and
//! there is no panic machinery. The `memcpy` that it shares with the rest of the firmware makes it 6.8 KB in an image
//! that has no other use for it (`miniz_oxide` 8.1 KB, with panics): 0.3 KB more than the 6.5 KB that were wanted. What
//! made it smaller: a step that answers in a byte, one copy loop for edges and overlaps, fields taken in out of line,
//! small fields at small offsets, one function that makes all codes, one place that makes entries. What was tried without
//! gain: functions for the kinds of block (each costs more than it saves, as they are called from one place), copies of our
//! own instead of `memcpy` for stored blocks, a slice instead of a pointer and a length for the search of long codes (the
//! fast loop then keeps other things in registers: 0.2 instructions a byte).
//!
//! A host, `gzip -6` of twitter, `citm_catalog` and canada, 4 KiB pieces through a ring of 32 KiB, as medians of
//! ratios within one run of `cargo xtask bench inflate`: 1.64, 1.57 and 1.95 times `miniz_oxide`; 1.19, 1.15 and 1.28
//! times zlib-rs where it may find AVX2 and BMI2 at run time, which safe code without `std` cannot. Flat: 0.93, 0.84
//! and 0.91 times zlib-rs flat, which finds them too. A text and a binary: 1.75 and 1.43 times `miniz_oxide`, 1.16
//! and 1.10 times zlib-rs, flat 0.89 and 0.95 times. 64 KiB of empty fixed blocks take 9 ns per encoded byte where
//! zlib-rs takes 11, minimal dynamic and fixed ones in turn 41 where it takes 24.
//!
//! Of what was wanted, canada misses 2.0 times `miniz_oxide` and 1.35 times zlib-rs with run-time detection,
//! `citm_catalog` misses 1.2 times the latter, and flat `citm_catalog` and the text miss 0.9 times zlib-rs flat, by 7 and
//! 1 percent.
//! What a ring costs over a flat buffer is to read what strides overrun and put it back, match by match. To keep a
//! stretch of 64 to 2,048 bytes ahead and put it back once brought canada up to 8 percent and took 3 to 12 from the
//! other two. What else was tried without gain in a ring: exact copies of long matches, strides instead of
//! `memmove`, one bounds check less for each load and store (18 percent fewer instructions, the same time),
//! narrower copies for short matches, copies over short distances out of line, and compiling this crate for AVX2
//! and BMI2.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
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
pub use native::{Measuring, Native, Native32, Native64};

/// The engine to choose where there is no reason for another.
pub type DefaultEngine = Native;

/// The farthest that a DEFLATE distance reaches back, in bytes (RFC 1951, section 3.2.5).
pub const MAX_DISTANCE: usize = 32_768;

/// A work limit for bodies of real encoders, in steps: none owes an eighth of it, however short the body and small
/// the blocks, while 64 KiB of blocks that yield nothing reach it.
///
/// Over the corpora of the tests, with all levels of gzip, pigz, zopfli, libdeflate and 7-Zip, at most 946 steps are
/// owed. The prices stand at [the crate](crate#work).
pub const SUGGESTED_WORK_LIMIT: u64 = 32_768;
