//! Cumulative meters, and capacity that several bodies share.
//!
//! A limit that is reset by a new member or a new piece of input is no limit. Meters count over the whole
//! life of a body, and one of them can serve several stages through `&mut`:
//!
//! - [`Meter`] counts bytes (24 bytes of state);
//! - [`WorkMeter`] counts steps of work that no output has paid for (16 bytes of state).
//!
//! ```
//! use plimsoll_budget::Meter;
//! use plimsoll_core::{Inspect, Reason};
//!
//! let mut meter = Meter::decoded(5);
//! assert!(meter.inspect(b"hel").is_ok());
//! assert!(meter.inspect(b"lo").is_ok());
//! let refusal = meter.inspect(b"!").unwrap_err();
//! assert_eq!((refusal.accepted, refusal.rejection.reason()), (0, Reason::DecodedLimit));
//! assert_eq!(meter.used(), 6);
//! ```
//!
//! A meter is one body's. [`Capacity`] bounds what all bodies that are in hand hold together, in bytes and in
//! number, and gives each of them a [`Permit`]. It needs compare-and-swap; the feature `portable-atomic`
//! brings it to targets without.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(any(target_has_atomic = "ptr", feature = "portable-atomic"))]
mod capacity;
mod meter;
mod work;

#[cfg(any(target_has_atomic = "ptr", feature = "portable-atomic"))]
pub use capacity::{Capacity, Permit};
pub use meter::Meter;
pub use work::WorkMeter;
