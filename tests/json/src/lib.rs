//! What the conformance tests of plimsoll-json share: where their data is, how a document is fed in pieces, and what
//! came out.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic_in_result_fn,
    reason = "a test fails by a panic"
)]

pub mod data;
pub mod feed;
pub mod oracle;
pub mod records;
pub mod select;
pub mod whole;
