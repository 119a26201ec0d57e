//! UTF-8 over any chunking, without a heap.
//!
//! | form | gives | keeps | for |
//! |---|---|---|---|
//! | [`Utf8`] | a verdict: an [`Inspect`](plimsoll_core::Inspect) | 8 bytes | a stage that only watches |
//! | [`Runs`] | `&str`, strict | 12 bytes | whole characters, in order, none cut |
//! | [`Lossy`] | `&str` or a replacement | 12 bytes | previews, where text may be repaired |
//!
//! All three follow Table 3-7 of the Unicode Standard, section 3.9, which is also the syntax of RFC 3629,
//! section 4: no overlong forms, no surrogates, nothing beyond U+10FFFF. However the stream is cut, offsets
//! and lengths are those of `core::str::from_utf8` on the whole, and the text is that of
//! `String::from_utf8_lossy` for [`Lossy`].
//!
//! A byte order mark is text (U+FEFF) here. NUL and other control characters are text too.
//!
//! # Recipe: a preview that ends at a character
//!
//! The first bytes of a body for a log or a display, as many as it has room for. What is ill-formed shows as U+FFFD, and of a
//! character that the limit cuts nothing shows. The type says that it is for showing and no more: nothing of it was checked.
//!
//! ```
//! use plimsoll_utf8::Lossy;
//!
//! /// What there is to show of the first bytes of a body.
//! struct Shown(String);
//!
//! fn preview<'p>(pieces: impl IntoIterator<Item = &'p [u8]>, mut most: usize) -> Shown {
//!     let (mut lossy, mut text) = (Lossy::new(), String::new());
//!     for piece in pieces {
//!         let mut rest = &piece[..piece.len().min(most)];
//!         most -= rest.len();
//!         while !rest.is_empty() {
//!             let run = lossy.step(rest);
//!             text.push_str(run.piece.as_str());
//!             rest = &rest[run.consumed..];
//!         }
//!         if most == 0 {
//!             return Shown(text); // the limit ended it, and not the body: what is cut is left out
//!         }
//!     }
//!     text.extend(lossy.finish().map(|piece| piece.as_str())); // the body ended within a character
//!     Shown(text)
//! }
//!
//! let pieces = [&b"Hafenbecken s\xC3"[..], b"\xBCd: \xFF 10 \xE2\x82", b"\xAC"];
//! assert_eq!(preview(pieces, 64).0, "Hafenbecken süd: \u{FFFD} 10 €");
//! assert_eq!(preview(pieces, 23).0, "Hafenbecken süd: \u{FFFD} 10 "); // in the middle of the euro sign
//! assert_eq!(preview([&b"10 \xE2\x82"[..]], 64).0, "10 \u{FFFD}");
//! ```
//!
//! # Speed
//! Bulk goes through `core::str::from_utf8`, or through `simdutf8` with the feature of that name, which is
//! for hosts. A character cut by a chunk costs a few steps of a state machine, one per byte.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod bulk;
mod lossy;
mod runs;
mod state;
mod utf8;

pub use lossy::{Lossy, LossyRun, Piece};
pub use runs::{Runs, TextRun};
pub use utf8::Utf8;
