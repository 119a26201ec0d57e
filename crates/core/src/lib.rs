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
//! /// Refuses a zero byte. For a check of one's own there is no reason but `cancelled`.
//! #[derive(Default)]
//! struct NoZero {
//!     seen: u64,
//!     refused: Option<Rejection>,
//! }
//!
//! impl Inspect for NoZero {
//!     fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
//!         if let Some(rejection) = self.refused {
//!             return Err(Refusal { accepted: 0, rejection }); // once refused, always refused
//!         }
//!         let Some(accepted) = bytes.iter().position(|&byte| byte == 0) else {
//!             self.seen += bytes.len() as u64;
//!             return Ok(());
//!         };
//!         let rejection = Rejection::fault(Reason::Cancelled, self.seen + accepted as u64);
//!         self.refused = Some(rejection);
//!         Err(Refusal { accepted, rejection })
//!     }
//!
//!     fn finish(&mut self) -> Result<(), Rejection> {
//!         self.refused.map_or(Ok(()), Err)
//!     }
//! }
//!
//! let mut stage = Inspected::new(Identity::new(), NoZero::default());
//! let step = stage.decode(b"ab\0c")?;
//! assert_eq!(step.run, Run::Bytes(b"ab"));
//! assert_eq!(stage.decode(b"").unwrap_err().at(), Some(2));
//! # Ok::<(), Rejection>(())
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
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
