//! UTF-8.

use plimsoll_tests_utf8::Comparison;

use crate::input::Input;

/// Validator, runs and repair agree with `core` on the verdict, its place and the text, in any pieces.
pub fn text(input: Input<'_>) {
    let mut comparison = Comparison::default();
    comparison.expect(input.body);
    comparison.compare(core::iter::once(input.body.len()));
    let lengths: Vec<usize> = input.pieces().iter().map(|piece| piece.len()).collect();
    comparison.compare(lengths.into_iter());
}
