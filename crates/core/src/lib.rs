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
//!
//! # Features
//!
//! - `defmt`: `Format` for every type that a log may hold.
//!
//! # Recipe: a decoder of one's own
//!
//! A body that comes over a serial line in SLIP (RFC 1055): `C0` ends it, `DB DC` and `DB DD` stand for `C0` and `DB`. What has no
//! escape is lent from the input as it is, so the decoder has no buffer; what an escape stands for, from a constant.
//!
//! ```
//! use plimsoll_core::{Decode, Reason, Rejection, Run, Step};
//!
//! #[derive(Default)]
//! struct Slip {
//!     escaped: bool,
//!     ended: bool,
//!     /// Encoded bytes so far.
//!     at: u64,
//!     refused: Option<Rejection>,
//! }
//!
//! impl Decode for Slip {
//!     fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
//!         if let Some(rejection) = self.refused {
//!             return Err(rejection); // once refused, always refused
//!         }
//!         let Some(&first) = input.first().filter(|_| !self.ended) else {
//!             return Ok(if self.ended { Step::end(0) } else { Step::need_input(0) });
//!         };
//!         let step = match (self.escaped, first) {
//!             (true, 0xDC) => Step::lend(1, &[0xC0]),
//!             (true, 0xDD) => Step::lend(1, &[0xDB]),
//!             (true, _) => {
//!                 let rejection = Rejection::fault(Reason::SourceError, self.at); // of the line, and not of the body
//!                 self.refused = Some(rejection);
//!                 return Err(rejection);
//!             }
//!             (false, 0xC0) => Step::end(1),
//!             (false, 0xDB) => Step::silent(1),
//!             (false, _) => {
//!                 let plain = input.iter().position(|byte| matches!(byte, 0xC0 | 0xDB)).unwrap_or(input.len());
//!                 Step::lend(plain, &input[..plain])
//!             }
//!         };
//!         self.escaped = !self.escaped && first == 0xDB;
//!         self.ended = step.run == Run::End;
//!         self.at += step.consumed as u64;
//!         Ok(step)
//!     }
//!
//!     fn finish(&mut self) -> Result<(), Rejection> {
//!         match self.refused {
//!             None if self.ended => Ok(()),
//!             refused => Err(refused.unwrap_or(Rejection::fault(Reason::SourceError, self.at))),
//!         }
//!     }
//! }
//!
//! fn body(line: &[u8], piece: usize) -> Result<Vec<u8>, Rejection> {
//!     let (mut slip, mut body) = (Slip::default(), Vec::new());
//!     for mut rest in line.chunks(piece) {
//!         loop {
//!             let step = slip.decode(rest)?;
//!             rest = &rest[step.consumed..];
//!             match step.run {
//!                 Run::Bytes(bytes) => body.extend_from_slice(bytes),
//!                 Run::NeedInput | Run::End => break,
//!             }
//!         }
//!     }
//!     slip.finish().map(|()| body)
//! }
//!
//! for piece in 1..8 {
//!     assert_eq!(body(b"ab\xDB\xDCc\xDB\xDD\xC0", piece), Ok(b"ab\xC0c\xDB".to_vec()));
//!     assert_eq!(body(b"ab\xDBc\xC0", piece), Err(Rejection::fault(Reason::SourceError, 3)));
//!     assert_eq!(body(b"ab", piece), Err(Rejection::fault(Reason::SourceError, 2)));
//! }
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
