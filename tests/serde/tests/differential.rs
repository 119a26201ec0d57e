//! Derived types over documents made at random: equal to what `serde_json` makes of them, or refused by both; and the
//! same value or the same rejection however the document is cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::fmt::Debug;

use heapless::{LinearMap, String, Vec};
use plimsoll_tests_serde::compare::{self, Tried};
use plimsoll_tests_serde::shape::{Maker, Random, Shape};
use plimsoll_tests_serde::types::{
    self, Blob, Nothing, Passed, Reading, Sort, Strict, Tree, Triple, Wrapped,
};
use serde::de::DeserializeOwned;

/// Compares over many documents. Gives how many of them had a value.
fn compare<T: DeserializeOwned + PartialEq + Debug>(shape: &Shape, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut accepted = 0;
    for round in 0..4_000 {
        let made = Maker::make(shape, [8, 30, 200, 100_000][round % 4], &mut random);
        let tried = compare::judge::<T>(made.text.as_bytes(), 1 + random.below(12), shape.has_object());
        accepted += usize::from(tried == Tried::Equal);
    }
    accepted
}

/// Enough documents had a value, and the comparison is not of refusals only.
fn agrees<T: DeserializeOwned + PartialEq + Debug>(shape: Shape) {
    let accepted = compare::<T>(&shape, 0x9e37_79b9_7f4a_7c15);
    assert!(accepted > 400, "{accepted} of {shape:?}");
}

fn boxed(shape: Shape) -> Box<Shape> {
    Box::new(shape)
}

#[test]
fn integers_of_every_width() {
    macro_rules! integers {
        ($($type:ty, $bits:literal;)*) => {$(
            agrees::<$type>(Shape::Integer($bits));
            agrees::<Vec<$type, 8>>(Shape::Seq(boxed(Shape::Integer($bits)), 8));
        )*};
    }
    integers! { i8, 8; i16, 16; i32, 32; i64, 64; i128, 127; u8, 8; u16, 16; u32, 32; u64, 64; u128, 127; }
    agrees::<core::num::NonZeroU8>(Shape::Integer(8));
    agrees::<core::num::NonZeroI64>(Shape::Integer(64));
}

#[test]
fn floats_of_both_widths() {
    agrees::<f64>(Shape::Float);
    agrees::<Vec<f64, 8>>(Shape::Seq(boxed(Shape::Float), 8));
    agrees::<(f64, f64)>(Shape::Tuple(vec![Shape::Float, Shape::Integer(64)]));
    // Of one that is beyond f32 `serde_json` makes infinity, so there is none here.
    agrees::<Vec<f32, 8>>(Shape::Seq(boxed(Shape::Integer(16)), 8));
}

#[test]
fn strings_and_characters_and_bytes() {
    agrees::<String<12>>(Shape::String(8));
    agrees::<std::string::String>(Shape::String(40));
    agrees::<char>(Shape::Char);
    agrees::<Vec<char, 4>>(Shape::Seq(boxed(Shape::Char), 4));
    agrees::<Option<String<8>>>(Shape::Option(boxed(Shape::String(6))));
    agrees::<Blob>(Shape::String(6));
    agrees::<Blob>(Shape::Seq(boxed(Shape::Integer(8)), 8));
}

#[test]
fn what_may_be_missing() {
    agrees::<()>(Shape::Unit);
    agrees::<bool>(Shape::Bool);
    agrees::<Option<u8>>(Shape::Option(boxed(Shape::Integer(7))));
    agrees::<Option<Option<bool>>>(Shape::Option(boxed(Shape::Option(boxed(Shape::Bool)))));
    agrees::<Vec<Option<()>, 4>>(Shape::Seq(boxed(Shape::Option(boxed(Shape::Unit))), 4));
}

#[test]
fn tuples_and_the_small_structs() {
    agrees::<Nothing>(Shape::Unit);
    agrees::<Wrapped>(Shape::Integer(15));
    agrees::<Option<Wrapped>>(Shape::Option(boxed(Shape::Integer(15))));
    let triple = vec![Shape::Integer(7), Shape::String(4), Shape::Option(boxed(Shape::Bool))];
    agrees::<Triple>(Shape::Tuple(triple.clone()));
    agrees::<(i8, String<6>, Option<bool>)>(Shape::Tuple(triple));
    agrees::<[u8; 3]>(Shape::Tuple(vec![Shape::Integer(7), Shape::Integer(7), Shape::Integer(7)]));
    agrees::<()>(Shape::Unit);
    agrees::<Vec<Vec<(u8, u8), 3>, 3>>(Shape::Seq(
        boxed(Shape::Seq(boxed(Shape::Tuple(vec![Shape::Integer(7), Shape::Integer(7)])), 3)),
        3,
    ));
}

#[test]
fn structs_and_enums() {
    agrees::<Sort>(types::sort());
    agrees::<Reading>(types::reading());
    agrees::<Vec<Reading, 3>>(Shape::Seq(boxed(types::reading()), 3));
    agrees::<Option<Reading>>(Shape::Option(boxed(types::reading())));
}

#[test]
fn attributes_that_need_no_copy() {
    assert!(compare::<Strict>(&types::strict(), 1) > 400);
    agrees::<types::Default>(Shape::Map(boxed(Shape::Char), boxed(Shape::Integer(7)), 2));
}

#[test]
fn maps_with_keys_of_text_numbers_and_names() {
    agrees::<LinearMap<String<8>, i32, 4>>(Shape::Map(boxed(Shape::String(4)), boxed(Shape::Integer(31)), 3));
    agrees::<std::collections::BTreeMap<u8, bool>>(Shape::Map(
        boxed(Shape::Integer(8)),
        boxed(Shape::Bool),
        3,
    ));
    agrees::<std::collections::BTreeMap<i64, u8>>(Shape::Map(
        boxed(Shape::Integer(63)),
        boxed(Shape::Integer(7)),
        3,
    ));
    agrees::<std::collections::BTreeMap<char, u8>>(Shape::Map(
        boxed(Shape::Char),
        boxed(Shape::Integer(7)),
        3,
    ));
    agrees::<std::collections::BTreeMap<bool, u8>>(Shape::Map(
        boxed(Shape::Bool),
        boxed(Shape::Integer(7)),
        3,
    ));
}

#[test]
fn types_that_contain_themselves() {
    agrees::<Tree>(types::tree());
}

#[test]
fn what_is_passed_over() {
    agrees::<Passed>(Shape::Any);
    agrees::<Vec<Passed, 6>>(Shape::Seq(boxed(Shape::Any), 5));
    agrees::<(u8, Passed, u8)>(Shape::Tuple(vec![Shape::Integer(7), Shape::Any, Shape::Integer(7)]));
}
