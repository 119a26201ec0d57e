//! What the tests of the DEFLATE engines share.
//!
//! - [`mod@reference`]: a decoder written from the RFC bit by bit, which says what every verdict must be;
//! - [`oracles`]: zlib-rs, `miniz_oxide` and libdeflate, which say what is accepted;
//! - [`generate`]: random streams of legal and nearly legal blocks;
//! - [`corpora`] and [`producers`]: real files and the encoders that are installed;
//! - [`drive`]: an engine over a history, fed in pieces.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

pub mod bits;
pub mod corpora;
pub mod drive;
pub mod generate;
pub mod oracles;
pub mod producers;
pub mod random;
pub mod reference;

pub use drive::{Cut, Engines, Memory, Outcome};
