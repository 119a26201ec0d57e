//! Every reason of a refusal: what to do about it, and the smallest input that provokes it.
//!
//! [`ENTRIES`] is the list, in the order of the vocabulary, and [`page`] what is made of it for people. An entry has its input
//! apart from the way in which it is taken, so that a test can take away from the input and see that nothing less is refused for
//! the same reason.
#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a test fails by a panic")]

mod entries;
mod page;
mod take;

use plimsoll::{Reason, Rejection};

pub use entries::ENTRIES;
pub use page::page;

/// A reason, and how it comes about.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The reason.
    pub reason: Reason,
    /// What whoever sees it should do.
    pub advice: &'static str,
    /// Under which setting the input provokes it.
    pub setting: &'static str,
    /// What provokes it.
    pub input: Input,
    /// Takes an input of that kind under that setting.
    pub take: fn(&[u8]) -> Option<Rejection>,
}

/// What is taken in.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// A body that is text.
    Text(&'static str),
    /// A body that is not.
    Bytes(&'static [u8]),
    /// The value of a header field.
    Field(&'static str),
}

impl Input {
    /// As bytes.
    #[must_use]
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Text(text) | Self::Field(text) => text.as_bytes(),
        }
    }
}
