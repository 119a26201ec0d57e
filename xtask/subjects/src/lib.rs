//! What is measured, on a host and on a device: documents ([`corpora`]), and DEFLATE streams that cost work and yield
//! nothing ([`deflate`]); and when and with what ([`stamp`]).
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::panic,
    reason = "a measurement whose data is missing must stop"
)]

pub mod corpora;
pub mod deflate;
pub mod stamp;
