//! How much of a slice is the current record's, told by the delimiter alone.

use crate::records::{Framing, delimiter};

/// Begins a record of a JSON text sequence.
pub(super) const RECORD_SEPARATOR: u8 = 0x1e;

/// How much of a slice is the record's, and what follows.
pub(super) struct Extent {
    pub(super) content: usize,
    /// Bytes of the delimiter behind it that go with the record.
    pub(super) delimiter: Option<usize>,
    /// Whether the slice ends in a CR behind the content.
    pub(super) carriage_return: bool,
}

impl Extent {
    /// Of the current record in `input`.
    pub(super) fn of(framing: Framing, input: &[u8]) -> Self {
        match framing {
            Framing::Lines => match delimiter::find(input, b'\n') {
                Some(end) => match input.get(..end) {
                    Some([content @ .., b'\r']) => Extent::delimited(content.len(), 2),
                    _ => Extent::delimited(end, 1),
                },
                None => match input {
                    [content @ .., b'\r'] => {
                        Extent { content: content.len(), delimiter: None, carriage_return: true }
                    }
                    _ => Extent::open(input.len()),
                },
            },
            // An RS is the beginning of the next record and is left to it.
            Framing::Sequence => match delimiter::find(input, RECORD_SEPARATOR) {
                Some(end) => Extent::delimited(end, 0),
                None => Extent::open(input.len()),
            },
        }
    }

    const fn delimited(content: usize, delimiter: usize) -> Self {
        Self { content, delimiter: Some(delimiter), carriage_return: false }
    }

    const fn open(content: usize) -> Self {
        Self { content, delimiter: None, carriage_return: false }
    }
}

/// Whether a text that ends in `byte` is a number or a literal, or else is not whole anyway.
pub(super) const fn needs_white_space(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'e' | b'l')
}
