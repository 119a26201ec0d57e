//! What the images share: a gateway that fetches a telemetry document over a serial line, takes it in under limits, and
//! keeps a few of its fields.
//!
//! Read in this order: [`telemetry`] says what is kept, [`intake`] puts the stages in front of it, [`memory`] holds what they
//! need, [`uart`] brings the bytes, [`show`] prints what came of it. [`gzip`] makes small bodies.
#![no_std]

pub mod gzip;
pub mod intake;
pub mod memory;
pub mod show;
pub mod telemetry;
pub mod uart;
