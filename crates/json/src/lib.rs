//! A JSON tokenizer and checker that need no heap: incremental, bounded, strict RFC 8259.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod check;
mod cursor;
mod escape;
mod levels;
mod limits;
mod machine;
mod number;
mod scan;
mod state;
mod string;
mod tally;
mod token;
mod tokenizer;
mod utf8;
mod word;

pub use check::Check;
pub use levels::{Counted, Levels, Uncounted};
pub use limits::{Limits, LimitsError};
pub use number::Number;
pub use token::{Step, Text, Token};
pub use tokenizer::Tokenizer;
