//! A JSON tokenizer and checker that need no heap: incremental, bounded, strict RFC 8259.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod assembler;
mod check;
mod cursor;
mod escape;
mod event;
mod levels;
mod limits;
mod machine;
mod number;
mod parse;
#[cfg(any(feature = "embedded-io", feature = "async"))]
mod read;
mod records;
mod scan;
mod token;
mod tokenizer;
mod utf8;
mod word;

pub use assembler::Assembler;
pub use check::Check;
pub use event::{Event, Progress};
pub use levels::{Counted, Levels, Uncounted};
pub use limits::{Limits, LimitsError};
pub use number::Number;
pub use parse::{Document, Readable};
#[cfg(any(feature = "embedded-io", feature = "async"))]
pub use read::{ReadError, Reader};
pub use records::{
    CheckRecords, Frame, Framer, Framing, NoReport, Record, RecordEvent, RecordLimits, Records, Report,
    Skipped,
};
pub use token::{Step, Text, Token};
pub use tokenizer::Tokenizer;
