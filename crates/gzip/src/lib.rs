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
