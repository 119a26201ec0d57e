//! The driver behind the conformance tests: it runs a body through every form of the library, cut in every
//! way, and answers only with what all of those runs agree on.
//!
//! | part | for |
//! |---|---|
//! | [`Case`], [`agreed`] | a response: head, policy and encoded body through `Ingest`, flat and ring |
//! | [`Raw`], [`Gunzipped`] | the decoders below: `Inflate` and `Gunzip` by themselves |
//! | [`Member`] | a gzip member from its parts, each of which can be spoiled |
//! | [`Bits`], [`Dynamic`] | raw DEFLATE written bit by bit |
//! | [`oracle`], [`inputs`] | what others say about a body, and bodies to say it about |
//!
//! The driver compares runs with each other. What they should have come to is stated by the test, from the
//! RFC, from an oracle or from a calculation by hand.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::panic_in_result_fn,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]
#![allow(clippy::must_use_candidate, reason = "an expectation need not be looked at again")]

mod bits;
mod case;
mod cut;
pub mod inputs;
mod member;
pub mod oracle;
mod raw;
mod recorder;
mod rig;

pub use bits::{Bits, Dynamic};
pub use case::{Agreed, Case, agreed, agreed_with};
pub use cut::{Cut, Cuts};
pub use member::{HeaderCrc, Member, flag};
pub use raw::{Gunzipped, Raw, Seen, decode_all};
pub use recorder::{Broken, Recorder};
pub use rig::{PATTERNS, POISON, Rig};
