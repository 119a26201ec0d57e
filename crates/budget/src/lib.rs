//! Cumulative meters.
//!
//! A limit that is reset by a new member or a new piece of input is no limit. These count over the whole
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
#![no_std]
#![forbid(unsafe_code)]

mod meter;
mod work;

pub use meter::Meter;
pub use work::WorkMeter;
