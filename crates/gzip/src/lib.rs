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
#![no_std]
#![forbid(unsafe_code)]

mod crc32;
mod gunzip;
mod policy;

pub use gunzip::Gunzip;
pub use policy::{Policy, Trailing};
