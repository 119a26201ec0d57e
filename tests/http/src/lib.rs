//! The two kinds of peer that clients of plimsoll are tested against, on the loopback interface only: one that is
//! written to do wrong, and nginx.
#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails fails loudly"
)]

pub mod bodies;
pub mod bomb;
pub mod hostile;
pub mod memory;
pub mod nginx;
pub mod relay;
