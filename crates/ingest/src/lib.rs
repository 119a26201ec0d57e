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
//! # From a connection
//!
//! The push machine can be fed by hand, as above. Behind a connection, a driver does it:
//!
//! | | blocking | asynchronous |
//! |---|---|---|
//! | source | [`Source`] | [`AsyncSource`] |
//! | to the outcome | [`read`] | [`read_async`] |
//! | in steps, or with a flat body | [`Transfer::read`] | [`Transfer::read_async`] |
//! | decoded bytes, pulled | [`Reader`] | [`Reader`] |
//!
//! On a refusal and on a preview the source is cancelled, once, and neither read again nor drained. A
//! [`Pace`] bounds the time in all and the least rate, against a [`Clock`] or a timer of the caller's.
//!
#![doc = include_str!("../CLIENTS.md")]
//!
//! # Three fields out of a megabyte
//!
//! [`json::Select`] is an inspector that keeps what JSON Pointers name and nothing else, under a limit of its own. It
//! is the last inspector, and the last check of all: it tells its visitor that what was found counts when the decoder and
//! the inspectors before it have let the body end. [`ToolResult`] makes compact JSON of it, within a limit of bytes and, for
//! what a model reads, of tokens.
//!
//! ```
//! use plimsoll::budget::Capacity;
//! use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Template};
//! use plimsoll::{Coding, Head, Limits, Memory, Policy, Rejection, Rendered, ToolResult};
//!
//! const POINTERS: Pointers<'static, 3> = match Pointers::new(["/site/name", "/levels/*/mm", "/alarm"]) {
//!     Ok(pointers) => pointers.require([true, false, false]),
//!     Err(_) => panic!("found when this is compiled"),
//! };
//! const TEMPLATE: Template<'static, 3> = match Template::new(&POINTERS, ["site", "levels", "alarm"]) {
//!     Ok(template) => template,
//!     Err(_) => panic!("found when this is compiled"),
//! };
//! static CAPACITY: Capacity = Capacity::new(64 * 1024, 4);
//!
//! # fn receive(pieces: &[&[u8]]) -> Result<String, Rejection> {
//! let policy = Policy::strict(Limits::GATEWAY);
//! let (mut bytes, mut slots) = ([0; 256], [Slot::EMPTY; 16]); // 256 bytes of 16 matches
//! let fields = Fields::new(&mut bytes, &mut slots);
//! let mut select = Select::<Counted<32>, _, 3>::of_fields(&POINTERS, policy.limits.document, fields)
//!     .expect("room for 32 levels");
//! let mut permit = CAPACITY.try_acquire()?;
//! let mut memory = Memory::<32768>::new(); // on a device: in a static
//!
//! let inspectors = (&mut permit, &mut select); // the selection last
//! let mut ingest = memory.ring(&Head::new(Coding::Identity), &policy, inspectors, ());
//! for piece in pieces {
//!     let Ok(_) = ingest.push(piece);
//! }
//! let Ok(outcome) = ingest.finish();
//! let mut buffer = [0; 128];
//! let result = ToolResult::new(&mut buffer).object(&TEMPLATE, select.into_selected(), outcome);
//! match result {
//!     (_, Rendered::Complete(text)) => Ok(text.to_owned()),
//!     (outcome, _) => Err(outcome.rejection().expect("no preview was asked for")),
//! }
//! # }
//! # let pieces = [&br#"{"levels": [{"mm": 1840.0, "more": []}, {"mm": 17}], "site": {"na"#[..], br#"me": "Oslo"}}"#];
//! # assert_eq!(receive(&pieces).unwrap(), r#"{"site":"Oslo","levels":[1840.0,17]}"#);
//! # assert_eq!(receive(&pieces[..1]).unwrap_err().reason(), plimsoll::Reason::IncompleteJson);
//! ```
//!
//! [`json::SelectRecords`] does so in every record of a stream, and a [`ToolResult`] takes a line of each.
#![cfg_attr(all(feature = "serde", feature = "embedded-io"), doc = include_str!("../TYPED.md"))]
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
//!     let mut ingest = Ingest::flat(head, policy, engine, output, &mut permit);
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
//! # Features
//!
//! The default needs nothing but `core`, and every feature only adds.
//!
//! | feature | adds |
//! |---|---|
//! | `embedded-io` | `ReadSource`, `BufReadSource`; [`Reader`] as `Read` and `BufRead`; the sinks `Staged` and `Through`; `json::Reader` |
//! | `embedded-io-async` | the same sources and the reader, asynchronous |
//! | `std` | `StdIo`, which makes sources and sinks of `std::io`; [`Reader`] as `std::io::{Read, BufRead}`; `StdClock` |
//! | `heapless` | the sink `VecSink` |
//! | `serde` | typed values, `json::de`; `Serialize` for the [`Outcome`] |
//! | `float` | floats of JSON, as numbers and in typed values |
//! | `report` | the report as one line of JSON; with it `serde` |
//! | `defmt` | `Format` for every error, outcome and counter |
//! | `crc32fast` | CRC-32 by the instructions of a host's processor |
//! | `small-crc` | CRC-32 by a table of 64 bytes instead of 1 KiB, at seven instructions a byte instead of four |
//! | `miniz` | a second DEFLATE engine, [`plimsoll_inflate`]'s `Miniz` |
//! | `portable-atomic` | [`Capacity`](budget::Capacity) on targets without compare-and-swap |
//!
//! # What a refusal is not
//!
//! A response that was refused, and a request that was cancelled, are no proof that the peer did nothing: it may
//! have carried the request out in full and have sent its answer too late, or too long. A request that changes
//! state must not be sent again blindly.
//!
//! # What a byte costs
//!
//! Work is bounded by what is sent and by the limits, and the bounds are tested by counting:
//!
//! | what | at most |
//! |---|---|
//! | calls of a source, and looks at a clock | one and two for each piece; a [`Reader`] shows a piece again for each run that it brings |
//! | calls of a decoder | two for each piece, one for each lap of its ring, three for each member |
//! | steps of decompression that bring no output | [`Limits::work`] and one for each decoded byte; 48 for an encoded byte |
//! | bytes shown to an inspector or a sink | each decoded byte once |
//! | looks of a JSON check at a byte | 4, and 6 in records |
//!
//! On a Cortex-M4 at opt-level 2, an ordinary gzip body of JSON with four fields selected takes 21.1 instructions per decoded byte in
//! pieces of 512 bytes. Against hostile ones every part has a bound, and each is paid by a byte that a limit counts: CRC-32 and
//! inflate as [`plimsoll_inflate`] says, of which blocks that yield nothing are ended by [`Limits::work`] after less than a
//! million instructions, and the inspectors as [`plimsoll_json`] says, for each byte that [`Limits::decoded`] lets pass.
//!
//! # What is not counted
//!
//! TLS and its records, the fields and the framing of HTTP, and the memory that is not handed in here: the
//! buffers of the connection, the caller's buffer that the pieces arrive in, and what a sink of the caller's own
//! keeps. Time is counted from the moment that a [`Watch`] is made, so not that of connecting and sending the
//! request, unless it is made before.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

mod decoder;
mod effects;
mod head;
mod ingest;
mod inspector;
mod media;
mod memory;
mod outcome;
mod policy;
mod preview;
mod reader;
mod result;
mod sink;
mod source;
mod time;
mod tokens;
mod transfer;

pub use decoder::{Coded, FlatDecoder, Relend, RingDecoder};
pub use effects::{EachRecord, RecordEffect};
pub use head::{Coding, Head};
pub use ingest::{Ingest, Next};
pub use inspector::Inspector;
pub use media::Media;
pub use memory::{Memory, flat_bytes, ring_bytes};
pub use outcome::{Outcome, REPORT_MAX, ReportTooLong, Verdict};
pub use policy::{Limits, OverCeiling, Policy};
pub use preview::{Preview, Received};
pub use reader::{ReadError, Reader};
pub use result::{Rendered, ResultPreview, ToolResult};
#[cfg(feature = "heapless")]
pub use sink::VecSink;
pub use sink::{Exposed, HashSink, Sink, Slice};
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
pub use tokens::{ByteBound, ResultMeter, TokenCounter};
pub use transfer::{Transfer, read, read_async};

/// Whatever a log may hold can be logged.
#[cfg(feature = "defmt")]
const _: () = {
    const fn logs<T: defmt::Format>() {}
    logs::<Outcome>();
    logs::<Verdict>();
    logs::<Rejection>();
    logs::<(Reason, Stage)>();
    logs::<(Limit, Unit, Detail)>();
    logs::<Next>();
    logs::<(ReportTooLong, ReadError, Failure<u8>, OverCeiling)>();
    logs::<(Pace, Rate)>();
    logs::<(budget::Meter, budget::WorkMeter)>();
    #[cfg(feature = "embedded-io")]
    logs::<WriteError<u8>>();
};

pub use plimsoll_budget as budget;
pub use plimsoll_core::{
    Decode, Detail, Identity, Inspect, Inspected, Limit, Reason, Refusal, Rejection, Restart, Run, Stage,
    Step, Unit, Work,
};
pub use plimsoll_gzip as gzip;
pub use plimsoll_inflate as inflate;
pub use plimsoll_inflate::{DefaultEngine, Ring};
pub use plimsoll_json as json;
pub use plimsoll_utf8 as utf8;
