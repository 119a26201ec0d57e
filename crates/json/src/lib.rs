//! A JSON tokenizer and checker that need no heap: incremental, bounded, strict RFC 8259.
//!
//! A document comes in slices, cut anywhere, and each slice may be overwritten as soon as its call is over.
//!
//! - [`Check`] looks at structure and limits only. It is an [`Inspect`](plimsoll_core::Inspect), to put behind a
//!   decoder, and has no scratch.
//! - [`Tokenizer`] makes tokens that borrow from this call's slice. What the slice cuts comes in parts, each of
//!   them whole characters; escapes come decoded.
//! - [`Select`] looks for the values that JSON Pointers name, in one pass and keeping nothing else; [`SelectRecords`]
//!   does so in every record of a stream.
//! - [`Template`] renders what was selected as compact JSON.
//! - [`Number`] is the text of a number. Integers convert exactly or not at all.
//!
//! These are one byte-exact machine, which alone knows states, limits, offsets and reasons, behind fast paths over
//! whole tokens, which judge nothing: whatever is cut, at fault or over a limit they leave to the machine. So no
//! cut can change a token, a verdict, a reason, an offset or a counter.
//!
//! # Recipe: lines of JSON from a UART
//!
//! A serial line begins anywhere, never ends, and has noise on it. Here each line that is a document with both fields counts, and one
//! that is not costs itself and nothing else. Memory is the receive buffer, room for the fields of one line, and the machine.
//!
//! ```
//! use plimsoll_core::{Inspect, Reason};
//! use plimsoll_json::{
//!     Counted, Fields, Framing, Limits, Pointers, RecordFields, RecordLimits, SelectRecords, Skipped, Slot, Value,
//! };
//!
//! const POINTERS: Pointers<'static, 2> = match Pointers::new(["/sensor", "/level_mm"]) {
//!     Ok(pointers) => pointers.require([true; 2]),
//!     Err(_) => panic!("two JSON Pointers"),
//! };
//!
//! let (mut levels, mut bad) = (vec![], vec![]);
//! let (mut bytes, mut slots) = ([0; 48], [Slot::EMPTY; 2]);
//! let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), |_, selected| {
//!     let sensor = selected.get(0).and_then(Value::as_str).unwrap_or("?").to_owned();
//!     levels.push((sensor, selected.get(1).and_then(Value::as_number).and_then(|level| level.to_u32().ok())));
//! });
//! let mut lines = SelectRecords::<Counted<8>, _, 2>::new(
//!     &POINTERS,
//!     Framing::Lines,
//!     RecordLimits { bytes: 256, ..RecordLimits::DEVICE },
//!     Limits { depth: 8, ..Limits::DEVICE },
//!     fields.room(),
//!     fields,
//! )
//! .unwrap()
//! .skip_refused(|skipped: Skipped| bad.push(skipped.rejection.reason()));
//!
//! let received = b"_mm\": 12}\n{\"sensor\": \"a\", \"level_mm\": 1840}\n{\"sensor\": \"\xFF\"}\n{\"level_mm\": 7, \"sensor\": \"b\"}\r\n";
//! for buffer in received.chunks(16) {
//!     lines.inspect(buffer).unwrap(); // only one record more than the limit refuses the stream
//! }
//! drop(lines);
//! assert_eq!(levels, [("a".to_owned(), Some(1840)), ("b".to_owned(), Some(7))]);
//! assert_eq!(bad, [Reason::JsonSyntax, Reason::InvalidUtf8]);
//! ```
//!
//! One document at a time: [`Check`] behind a decoder, [`Select`] for some of its fields, and the module `de` for typed values, each with its
//! example there.
//!
//! # Memory
//!
//! A machine is 64 bytes with 32 levels in [`Uncounted`] (a tokenizer 72), whatever the document; [`Counted`] takes
//! 4 bytes per level instead of one bit. A selection has 16 bytes per pointer besides. Everything else is the caller's
//! slice.
//!
//! # Cost
//!
//! However a body is cut and whatever it holds, a byte of a document is looked at no more than 4 times, by a check, a
//! tokenizer, an assembler or a selection, and a byte of a stream of records no more than 6 times, refused records that
//! are passed over included: the fast paths look ahead, and leave to the byte-exact machine what they do not take. In
//! ordinary documents it is once. A key on the way of a selection's pointers is compared with each of them besides.
//!
//! # What RFC 8259 leaves open, and what is done here
//!
//! 1. Any value may be the document (section 2).
//! 2. A byte order mark is refused with `byte_order_mark`, or skipped on request (section 8.1). It may be cut.
//! 3. Text must be UTF-8 (section 8.1). What is not, inside of a string, is refused with `invalid_utf8`; elsewhere it
//!    is `json_syntax`, since no character beyond ASCII may stand there. Nothing is replaced.
//! 4. Half a surrogate pair in escapes is refused with `lone_surrogate` (section 8.2), a reversed pair too. A high
//!    surrogate must be followed by `\u`; the escape behind that is judged when its four digits are there.
//! 5. U+0000 may be escaped. Control characters as such are refused, U+007F is not (section 7).
//! 6. Numbers have any size and precision within the limit of their bytes; they are not rounded, and `-0` stays
//!    `-0` (section 6). A digit behind a leading zero is `json_syntax`, also at the top level.
//! 7. Names of an object need not be unique (section 4): all members are told, in order. A selection refuses those that
//!    a pointer leads through with `duplicate_key`.
//! 8. White space is not limited (section 2); what limits it is the limit of the body's bytes.
//! 9. Nesting, strings, keys, numbers, items and values are limited (section 9) by [`Limits`].
//!
//! # What is refused, where, and which byte decides
//!
//! A rejection's [`at`](plimsoll_core::Rejection::at) counts bytes from the start of the body. The byte that decides
//! is the one behind those that [`Refusal::accepted`](plimsoll_core::Refusal::accepted) counts.
//!
//! | reason | `at` | decided by |
//! |---|---|---|
//! | `json_syntax` | the byte that cannot stand there; of what only begins like a byte order mark, its first | that byte; the byte that differs |
//! | `byte_order_mark` | its first byte | its third byte |
//! | `invalid_utf8` | the first byte of the bad sequence, as `core::str::from_utf8` | the byte that cannot continue it |
//! | `lone_surrogate` | the backslash of that half's escape | the byte behind which no other half can follow |
//! | `trailing_document` | the first byte behind the value that is no white space | that byte |
//! | `string_limit` `key_limit` `number_limit` | the byte that is one too many; of an escape, its last | that byte |
//! | `depth_limit` `item_limit` `value_limit` | the first byte of the container, item or value | that byte |
//! | `retained_limit` `duplicate_key` | see [`Select`] | see there |
//! | `incomplete_json` | the end of the input | the end |
//! | `incomplete_utf8` | the first byte of a character cut inside of a string | the end |
//!
//! A member that is one item too many is refused where its key begins. Where one byte exceeds several limits, the
//! order is value, item, depth.
//!
//! # What a byte costs at most
//!
//! Instructions per byte on a Cortex-M4 at opt-level 2, in pieces of 512 bytes / of single bytes, of an ordinary document and of
//! the worst ones that a search over the grammar has found:
//!
//! | | ordinary | worst |
//! |---|---|---|
//! | [`Check`] | 6.2 / 97 | 42 / 136 |
//! | [`Tokenizer`] | 8.8 / 254 | 128 / 313 |
//! | [`Select`], four pointers | 8.4 / 167 | 491 / 559 |
//!
//! Worst are short strings with a character beyond ASCII or an escape, and for a selection the items of an array into each of
//! which all pointers lead: some 250 instructions per item and pointer. No depth, length or cut makes a byte dearer than
//! that, so a document costs at most this times the limit of its bytes.
//!
//! # Features
//!
//! - `float`: conversions of [`Number`] to `f32` and `f64`.
//! - `embedded-io`, `async`: the pull reader `Reader` over an `embedded_io` or an `embedded_io_async` source.
//! - `serde`: the module `de`, which fills values of `#[derive(Deserialize)]` types, with `embedded-io` also from a
//!   source.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod assembler;
mod check;
mod cursor;
#[cfg(feature = "serde")]
pub mod de;
mod escape;
mod event;
mod levels;
mod limits;
mod machine;
mod number;
mod parse;
#[cfg(any(feature = "embedded-io", feature = "async", feature = "serde"))]
mod pull;
#[cfg(any(feature = "embedded-io", feature = "async"))]
mod read;
mod records;
mod scan;
mod select;
mod state;
mod steps;
mod string;
mod tally;
mod token;
mod tokenizer;
mod utf8;
mod watch;
mod word;

pub use assembler::Assembler;
pub use check::Check;
pub use event::{Event, Progress};
pub use levels::{Counted, Levels, Uncounted};
pub use limits::{Limits, LimitsError};
pub use number::Number;
pub use parse::{Document, Readable};
#[cfg(any(feature = "embedded-io", feature = "async"))]
pub use read::{ReadError, Reader};
pub use records::{
    CheckRecords, Frame, Framer, Framing, NoReport, Record, RecordEvent, RecordLimits, Records, Report,
    Skipped,
};
pub use select::{
    Fields, Kind, NameError, PointerError, PointerFault, Pointers, RecordFields, Retained, Select,
    SelectRecords, Selected, Slot, Template, Value, Visit,
};
pub use token::{Step, Text, Token};
pub use tokenizer::Tokenizer;
