//! Responses that are generated with what they measure, and the verdict that each must come to.
//!
//! [`document`] writes JSON and counts while it writes. [`response`] makes a body of it, with limits that are ample,
//! exact, or one that is too low, and may break the body at a random byte. [`oracle`] says what a broken body must come
//! to, with zlib-rs, `serde_json` and `core::str` in place of the stages. [`intake`] drives each through plimsoll.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

pub mod document;
pub mod intake;
pub mod oracle;
pub mod response;
