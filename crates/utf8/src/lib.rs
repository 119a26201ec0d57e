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
