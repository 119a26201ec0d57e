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
//! A meter is one response's. [`Capacity`] bounds what all bodies that are in hand hold together, in bytes and in
//! number, and gives each of them a [`Permit`]. It needs compare-and-swap; the feature `portable-atomic`
//! brings it to targets without.
//!
//! With the feature `defmt` meters can be logged.
//!
//! # Recipe: one capacity for all responses in hand
//!
//! Each response may decode to 32 KiB, and all that are in hand at one time to 64 KiB, in four places. The permit stays with the
//! body, so that what the body takes is given back when both are dropped.
//!
//! ```
//! # #[cfg(target_has_atomic = "ptr")] {
//! use plimsoll_budget::{Capacity, Meter, Permit};
//! use plimsoll_core::{Decode, Reason, Rejection, Run};
//!
//! static CAPACITY: Capacity = Capacity::new(64 * 1024, 4);
//!
//! /// What `decoder` makes of the pieces of a response, with the permit that it holds.
//! fn take_in(decoder: impl Decode, pieces: &[&[u8]]) -> Result<(Vec<u8>, Permit<'static>), Rejection> {
//!     let mut permit = CAPACITY.try_acquire()?; // a place: before the request is sent
//!     let mut body = Vec::new();
//!     let limits = (Meter::decoded(32 * 1024), &mut permit); // what both let pass is lent
//!     let mut stage = plimsoll_core::Inspected::new(decoder, limits);
//!     for mut rest in pieces.iter().copied() {
//!         loop {
//!             let step = stage.decode(rest)?;
//!             rest = &rest[step.consumed..];
//!             match step.run {
//!                 Run::Bytes(bytes) => body.extend_from_slice(bytes),
//!                 Run::NeedInput | Run::End => break,
//!             }
//!         }
//!     }
//!     stage.finish()?;
//!     Ok((body, permit))
//! }
//!
//! use plimsoll_core::Identity; // or a `Gunzip` of plimsoll-gzip
//! let piece = [b'x'; 10 * 1024];
//! let refused = |pieces: &[&[u8]]| take_in(Identity::new(), pieces).err().map(|rejection| rejection.reason());
//!
//! let first = take_in(Identity::new(), &[&piece[..]; 3]).unwrap();
//! assert_eq!(refused(&[&piece[..]; 4]), Some(Reason::DecodedLimit)); // 40 KiB are too much for one
//! let second = take_in(Identity::new(), &[&piece[..]; 3]).unwrap();
//! assert_eq!(refused(&[&piece]), Some(Reason::Capacity)); // 60 KiB are in hand
//! drop(first);
//! assert_eq!(refused(&[&piece]), None);
//! # }
//! ```
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
