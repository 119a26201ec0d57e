//! Typed values.

use plimsoll_tests_serde::compare::TYPES;
use plimsoll_tests_serde::shape::Shape;

use crate::input::Input;

/// A document read into a type through serde has the value that `serde_json` gives it or is refused by both, and comes
/// to the same in any pieces.
pub fn values(input: Input<'_>) {
    let (judge, shape) = TYPES[usize::from(input.dials[4]) % TYPES.len()];
    judge(input.body, usize::from(input.dials[5]) % 64 + 1, shape().has_object());
}

/// The shape of the documents that the type of an input takes.
pub(crate) fn shape(input: Input<'_>) -> Shape {
    TYPES[usize::from(input.dials[4]) % TYPES.len()].1()
}
