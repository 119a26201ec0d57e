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
//! # Several at a time
//!
//! Limits bound one response. What all that are in hand may hold together is bounded by a
//! [`Capacity`](budget::Capacity) that they share, whose permit is an inspector.
//!
//! ```
//! use plimsoll::budget::Capacity;
//! use plimsoll::{DefaultEngine, Head, Ingest, Policy, Rejection};
//!
//! /// 64 KiB of decoded bytes, and four responses, at one time.
//! static CAPACITY: Capacity = Capacity::new(64 * 1024, 4);
//!
//! fn receive(head: &Head, policy: &Policy, memory: &mut (DefaultEngine, [u8; 8192])) -> Result<(), Rejection> {
//!     // Before the request is sent; where this answers `capacity`, none is.
//!     let mut permit = CAPACITY.try_acquire()?;
//!     // For a body that is not to be refused half-way. Without this it takes bytes as they come.
//!     permit.reserve(8192)?;
//!
//!     let (engine, output) = memory;
//!     let ingest = Ingest::flat(head, policy, engine, output, &mut permit);
//!     // Push as above, then:
//!     let (outcome, body) = ingest.finish_flat();
//!     if let Some(body) = body {
//!         permit.shrink_to_fit(); // the rest is for others
//!         handle(body);
//!     }
//!     outcome.rejection().map_or(Ok(()), Err)
//!     // The permit is dropped with what it stood for: all is given back, on a panic or a dropped future too.
//! }
//! # fn handle(body: &[u8]) {}
//! # let mut memory = (DefaultEngine::new(), [0; 8192]);
//! # let policy = Policy::strict(plimsoll::Limits::SMALL_DEVICE);
//! # assert_eq!(receive(&Head::new(plimsoll::Coding::Identity), &policy, &mut memory), Ok(()));
//! # assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.bytes_peak(), CAPACITY.places_in_use()), (0, 8192, 0));
//! # let _all = CAPACITY.try_acquire().and_then(|mut permit| permit.reserve(64 * 1024 - 8191).map(|()| permit));
//! # assert_eq!(
//! #     receive(&Head::new(plimsoll::Coding::Identity), &policy, &mut memory).unwrap_err().reason(),
//! #     plimsoll::Reason::Capacity
//! # );
//! ```
//!
//! # What a refusal is not
//!
//! A refused or cancelled response is no proof that the peer did nothing: a request that changes state must not
//! be sent again blindly. And what is not counted here: TLS, the fields and framing of HTTP, and the buffers
//! that the pieces arrive in.
#![no_std]
#![forbid(unsafe_code)]

mod decoder;
mod head;
mod ingest;
mod inspector;
mod media;
mod outcome;
mod policy;
mod sink;

pub use decoder::{Coded, FlatDecoder, RingDecoder};
pub use head::{Coding, Head};
pub use ingest::{Ingest, Next};
pub use inspector::Inspector;
pub use media::Media;
pub use outcome::{Outcome, REPORT_MAX, ReportTooLong, Verdict};
pub use policy::{Limits, OverCeiling, Policy};
pub use sink::{Sink, Slice};

pub use plimsoll_budget as budget;
pub use plimsoll_core as core;
pub use plimsoll_core::{Detail, Limit, Reason, Rejection, Stage, Unit};
pub use plimsoll_gzip as gzip;
pub use plimsoll_inflate as inflate;
pub use plimsoll_inflate::{DefaultEngine, Ring};
pub use plimsoll_json as json;
pub use plimsoll_utf8 as utf8;
