//! Takes in one compressed response from a peer that is not trusted, under a limit at every boundary where the
//! data grows, and counts nothing as received until all of it has been checked.
//!
//! ```text
//! pieces of the body -> [encoded limit] -> identity | gunzip -> [decoded limit, inspectors] -> sink
//!                        declared length    header, members,                        provisional bytes,
//!                                           work, checksums                         then commit or discard
//! ```
//!
//! [`Ingest`] is a push machine without input or output of its own. It comes in two forms:
//!
//! - [`Ingest::flat`] decodes into one buffer of the caller's, which is history, body and limit at once. There
//!   is no window: 8 KiB of output need 8 KiB and the engine's state.
//! - [`Ingest::ring`] decodes through a window into a [`Sink`], for bodies larger than memory.
//!
//! # A small body on a device
//!
//! ```
//! use plimsoll::{Coding, DefaultEngine, Head, Ingest, Limits, Next, Policy};
//!
//! # fn receive(pieces: &[&[u8]]) -> Option<usize> {
//! let mut engine = DefaultEngine::new(); // on a device: in a static
//! let mut output = [0; 8192]; // likewise
//! let policy = Policy::strict(Limits { decoded: 8192, ..Limits::SMALL_DEVICE });
//! let head = Head::new(Coding::from_header("gzip").ok()?);
//!
//! let mut ingest = Ingest::flat(&head, &policy, &mut engine, &mut output, ());
//! for piece in pieces {
//!     let Ok(next) = ingest.push(piece);
//!     if next == Next::Stop {
//!         break; // cancel the request here: nothing more will be taken
//!     }
//! }
//! let (outcome, body) = ingest.finish_flat();
//! assert_eq!(outcome.is_complete(), body.is_some());
//! # Some(body?.len()) }
//! # let hello = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0];
//! # assert_eq!(receive(&[&hello[..9], &hello[9..]]), Some(5));
//! # assert_eq!(receive(&[&hello[..24]]), None);
//! ```
//!
//! # What a refusal is not
//!
//! A refused or cancelled response is no proof that the peer did nothing: a request that changes state must not
//! be sent again blindly. And what is not counted here: TLS, the fields and framing of HTTP, and the buffers
//! that the pieces arrive in.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

mod decoder;
mod head;
mod ingest;
mod memory;
mod outcome;
mod policy;
mod reader;
mod sink;
mod source;
mod time;
mod transfer;

pub use decoder::{Coded, FlatDecoder, Relend, RingDecoder};
pub use head::{Coding, Head};
pub use ingest::{Ingest, Next};
pub use memory::{Memory, flat_bytes, ring_bytes};
pub use outcome::{Outcome, REPORT_MAX, ReportTooLong, Verdict};
pub use policy::{Limits, Policy};
pub use reader::{ReadError, Reader};
#[cfg(feature = "heapless")]
pub use sink::VecSink;
pub use sink::{HashSink, Sink, Slice};
#[cfg(feature = "embedded-io")]
pub use sink::{Staged, Through, WriteError};
#[cfg(feature = "std")]
pub use source::StdIo;
pub use source::{AsyncSource, Failure, Source, Supply};
#[cfg(feature = "embedded-io")]
pub use source::{BufReadSource, ReadSource};
#[cfg(feature = "std")]
pub use time::StdClock;
pub use time::{Clock, NoClock, Pace, Rate, Watch};
pub use transfer::{Transfer, read, read_async};

pub use plimsoll_budget as budget;
pub use plimsoll_core as core;
pub use plimsoll_core::{Detail, Limit, Reason, Rejection, Stage, Unit};
pub use plimsoll_gzip as gzip;
pub use plimsoll_inflate as inflate;
pub use plimsoll_inflate::{DefaultEngine, Ring};
