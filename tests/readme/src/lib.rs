//! The pages at the root of the repository and of each crate, whose examples are compiled and run as tests of the documentation.
#![allow(clippy::doc_markdown, reason = "these pages are read as pages, with names as people write them")]

#[doc = include_str!("../../../README.md")]
pub mod readme {}

#[doc = include_str!("../../../CONTRIBUTING.md")]
pub mod contributing {}

#[doc = include_str!("../../../crates/core/README.md")]
pub mod core {}

#[doc = include_str!("../../../crates/budget/README.md")]
pub mod budget {}

#[doc = include_str!("../../../crates/inflate/README.md")]
pub mod inflate {}

#[doc = include_str!("../../../crates/gzip/README.md")]
pub mod gzip {}

#[doc = include_str!("../../../crates/utf8/README.md")]
pub mod utf8 {}

#[doc = include_str!("../../../crates/json/README.md")]
pub mod json {}

#[doc = include_str!("../../../crates/ingest/README.md")]
pub mod plimsoll {}

#[doc = include_str!("../../../crates/ingest/RECIPES.md")]
pub mod recipes {}
