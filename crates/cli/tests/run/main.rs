//! The command from outside: what it writes where, and how it exits.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a test that fails fails loudly"
)]

mod child;
mod documents;
mod fetch;
mod hostile;
mod outcomes;
mod output;
mod pages;
mod profile;
mod select;
mod streams;
mod terminal;
mod usage;
#[cfg(feature = "tiktoken")]
mod vocabulary;
