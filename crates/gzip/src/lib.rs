//! gzip (RFC 1952) member framing over any raw decoder.
//!
//! [`Gunzip`] reads the header of each member, lends what the raw decoder behind it brings, and checks the
//! trailer. It stores nothing of a header.
//!
//! | what is met | answer |
//! |---|---|
//! | wrong magic, at the first wrong byte | `not_gzip` |
//! | a method other than 8, or a reserved flag | `bad_header` with a [`Detail`](plimsoll_core::Detail) |
//! | more header bytes, over all members, than allowed | `header_limit` |
//! | a header CRC that does not match the whole header | `header_checksum` |
//! | CRC-32, or length modulo 2^32, that does not match | `checksum`, `length_field` |
//! | the input ends inside a member, or is empty | `incomplete_gzip` |
//! | anything that the policy does not allow behind a member | `trailing_data` |
//! | one member more than a policy of several allows | `member_limit` |
//!
//! MTIME, XFL and OS may have any value. The length field is compared, never believed as a size.
//!
//! Offsets count encoded bytes from the start of the body. For the fields of a header and a trailer that is
//! the first byte of the field; for `incomplete_gzip`, the byte that is missing; for `trailing_data`, the first
//! byte that does not belong there.
//!
//! # Recipe: a policy for what is sent
//!
//! | source | policy |
//! |---|---|
//! | an HTTP response, a manifest, a message | [`Policy::single`]: one member, and nothing behind it |
//! | logs that were compressed one by one and joined, or bgzip | `members` of as many as there may be |
//! | a tape, a partition, a block device | [`Trailing::ZeroPadding`] |
//! | gzip inside of something else: a frame, a body with a signature behind it | [`Trailing::HandBack`]: the rest is the caller's |
//! | the answer to a HEAD request, or 204 | `empty` |
//!
//! Limits hold over all members together: that of header bytes here, and that of decoded bytes, which is a meter behind the
//! decoder.
//!
//! ```
//! use plimsoll_budget::{Meter, WorkMeter};
//! use plimsoll_core::{Decode, Inspected, Reason, Rejection, Run};
//! use plimsoll_gzip::{Gunzip, Policy, Trailing};
//! use plimsoll_inflate::{Flat, Inflate, Native, SUGGESTED_WORK_LIMIT};
//!
//! /// The decoded bytes, at most 12 of them, and what stands behind the last member.
//! fn gunzip(mut input: &[u8], policy: Policy) -> Result<(Vec<u8>, &[u8]), Rejection> {
//!     let (mut engine, mut output) = (Native::new(), [0; 64]);
//!     let inflate = Inflate::new(&mut engine, Flat::new(&mut output), WorkMeter::new(SUGGESTED_WORK_LIMIT));
//!     let mut stage = Inspected::new(Gunzip::new(inflate, policy), Meter::decoded(12));
//!     let mut text = Vec::new();
//!     loop {
//!         let step = stage.decode(input)?;
//!         input = &input[step.consumed..];
//!         match step.run {
//!             Run::Bytes(bytes) => text.extend_from_slice(bytes),
//!             Run::NeedInput | Run::End => break,
//!         }
//!     }
//!     stage.finish().map(|()| (text, input))
//! }
//!
//! // `printf hello | gzip -n`
//! let hello = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0];
//! let twice = hello.repeat(2);
//! let reason = |input: &[u8], policy| gunzip(input, policy).unwrap_err().reason();
//!
//! let single = Policy::single(4096);
//! assert_eq!(reason(&twice, single), Reason::TrailingData);
//! let several = Policy { members: 16, ..single };
//! assert_eq!(gunzip(&twice, several).unwrap().0, b"hellohello");
//! assert_eq!(reason(&hello.repeat(3), several), Reason::DecodedLimit); // the third of the members
//!
//! let signed = [&hello[..], b"signature"].concat();
//! let inside = Policy { trailing: Trailing::HandBack, ..single };
//! assert_eq!(gunzip(&signed, inside).unwrap(), (b"hello".to_vec(), &b"signature"[..]));
//! ```
//!
//! # Features
//!
//! - `small-crc`: CRC-32 by a table of 64 bytes instead of 1 KiB.
//! - `crc32fast`: CRC-32 by the instructions of a host's processor.
//!
//! # Figures
//!
//! Flash on thumbv7em at opt-level s, with `plimsoll-inflate` through a ring and a work limit: 8.5 KB, of which 1.0 KB
//! are the table of the CRC and 1.3 KB those of the fixed codes, and there is no panic machinery. The feature
//! `small-crc` makes it 1.0 KB less: its table has 64 bytes, and costs 7.0 instructions a byte instead of 4.0. The 0.9 KB
//! of `memcpy` and `memclr` come on top in an image that has no other use for them. 8.0 KB were wanted with the large
//! table, 7.0 KB would have been better. Stack: at most 384 bytes besides the state.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod crc32;
mod gunzip;
mod policy;

pub use gunzip::Gunzip;
pub use policy::{Policy, Trailing};
