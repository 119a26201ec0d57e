//! What a stage is and what a refusal is.
//!
//! Every crate of Plimsoll is a state machine that is fed slices and holds no heap. This one has the three
//! things they share, so that they compose without knowing each other:
//!
//! - [`Decode`]: bytes in, other bytes out, lent run by run from the decoder's own memory or from the input;
//! - [`Inspect`]: watches bytes pass and may refuse them: budgets, UTF-8, JSON;
//! - [`Rejection`]: one small answer for every refusal, with a [`Reason`] whose name is stable.
//!
//! [`Inspected`] joins the first two: a decoder whose every run passes an inspector before it is lent.
//! Inspectors join as tuples, `Option` and `&mut`.
//!
//! # The cut does not matter
//!
//! For every way to cut an input into pieces, single bytes included, a chain of stages gives the same bytes,
//! the same verdict and the same reason. Two rules make that so, and they are why the traits look as they do:
//!
//! - A decoder that meets a fault lends first what came before it, and reports the fault on the next call.
//! - An inspector that refuses says how many bytes of this run it had accepted ([`Refusal::accepted`]). Those
//!   are still lent, and of two inspectors that refuse within one run the earlier position wins, as it would
//!   have with single bytes.
//!
//! ```
//! use plimsoll_core::{Decode, Identity, Inspect, Inspected, Reason, Refusal, Rejection, Run};
//!
//! /// Refuses a zero byte.
//! struct NoZero { seen: u64 }
//!
//! impl Inspect for NoZero {
//!     fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
//!         match bytes.iter().position(|&byte| byte == 0) {
//!             None => { self.seen += bytes.len() as u64; Ok(()) }
//!             Some(accepted) => Err(Refusal {
//!                 accepted,
//!                 rejection: Rejection::fault(Reason::InvalidUtf8, self.seen + accepted as u64),
//!             }),
//!         }
//!     }
//!     fn finish(&mut self) -> Result<(), Rejection> { Ok(()) }
//! }
//!
//! let mut stage = Inspected::new(Identity::new(), NoZero { seen: 0 });
//! let step = stage.decode(b"ab\0c")?;
//! assert_eq!(step.run, Run::Bytes(b"ab"));
//! assert_eq!(stage.decode(b"").unwrap_err().at(), Some(2));
//! # Ok::<(), Rejection>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod decode;
mod inspect;
mod inspected;
mod reason;
mod rejection;
mod work;

pub use decode::{Decode, Identity, Restart, Run, Step};
pub use inspect::{Inspect, Refusal};
pub use inspected::Inspected;
pub use reason::{Reason, Stage, Unit};
pub use rejection::{Detail, Limit, Rejection};
pub use work::Work;
