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
use plimsoll_core::Reason;
use plimsoll_json::de;
use plimsoll_tests_serde::shape::{Maker, Random, Shape};
use plimsoll_tests_serde::{assembler, source};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Whether the text has an integer `-0`, which is 0 here and a float to `serde_json`.
fn has_minus_zero(text: &str) -> bool {
    text.match_indices("-0").any(|(at, _)| !text[at + 2..].starts_with(['.', 'e', 'E']))
}

/// Compares over many documents. Gives how many of them had a value.
fn compare<T: DeserializeOwned + PartialEq + Debug>(shape: &Shape, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let has_object = shape.has_object();
    let mut accepted = 0;
    for round in 0..4_000 {
        let made = Maker::make(shape, [8, 30, 200, 100_000][round % 4], &mut random);
        let text = made.text;
        let mut scratch = [0xaa; 4096];
        let ours = de::from_slice::<T, _>(text.as_bytes(), assembler(&mut scratch));
        let theirs = serde_json::from_str::<T>(&text);
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours, theirs, "{text}");
                accepted += 1;
            }
            (Err(de::Error::Rejected { rejection, .. }), Err(_)) => {
                assert!(rejection.at().is_some(), "{text}")
            }
            // It takes half a surrogate pair, and text that is not UTF-8, where nobody looks.
            (Err(_), Ok(_)) if serde_json::from_str::<serde_json::Value>(&text).is_err() => {}
            // It takes an array for a struct.
            (Err(de::Error::Rejected { rejection, .. }), Ok(_))
                if has_object
                    && rejection.reason() == Reason::TypeMismatch
                    && rejection.at().is_some_and(|at| text.as_bytes()[at as usize] == b'[') => {}
            (Ok(_), Err(_)) if has_minus_zero(&text) => {}
            _ => panic!("{text}: {ours:?}, but {theirs:?}"),
        }
        let size = 1 + random.below(12);
        let mut scratch = [0x55; 4096];
        let cut = de::from_reader::<T, _, _>(source::quiet(text.as_bytes(), size), assembler(&mut scratch));
        match (ours, cut) {
            (Ok(ours), Ok(cut)) => assert_eq!(ours, cut, "{text} by {size}"),
            (
                Err(de::Error::Rejected { rejection, depth }),
                Err(de::Error::Rejected { rejection: cut, depth: cut_depth }),
            ) => assert_eq!((rejection, depth), (cut, cut_depth), "{text} by {size}"),
            (ours, cut) => panic!("{text} by {size}: {ours:?}, but {cut:?}"),
        }
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

/// What asks for bytes.
#[derive(PartialEq, Debug)]
struct Blob(Vec<u8, 16>);

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> serde::de::Visitor<'de> for Bytes {
            type Value = Blob;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Blob, E> {
                Vec::from_slice(bytes).map(Blob).map_err(|_| E::invalid_length(bytes.len(), &self))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut access: A) -> Result<Blob, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = access.next_element()? {
                    let full = |_| serde::de::Error::invalid_length(17, &self);
                    bytes.push(byte).map_err(full)?;
                }
                Ok(Blob(bytes))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

#[test]
fn what_may_be_missing() {
    agrees::<()>(Shape::Unit);
    agrees::<bool>(Shape::Bool);
    agrees::<Option<u8>>(Shape::Option(boxed(Shape::Integer(7))));
    agrees::<Option<Option<bool>>>(Shape::Option(boxed(Shape::Option(boxed(Shape::Bool)))));
    agrees::<Vec<Option<()>, 4>>(Shape::Seq(boxed(Shape::Option(boxed(Shape::Unit))), 4));
}

#[derive(Deserialize, PartialEq, Debug)]
struct Nothing;

#[derive(Deserialize, PartialEq, Debug)]
struct Wrapped(u16);

#[derive(Deserialize, PartialEq, Debug)]
struct Triple(i8, String<6>, Option<bool>);

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

#[derive(Deserialize, PartialEq, Debug)]
struct Reading {
    name: String<16>,
    level: Option<i16>,
    #[serde(default)]
    flags: Vec<bool, 4>,
    #[serde(rename = "kind")]
    sort: Sort,
    at: (u8, u8),
}

#[derive(Deserialize, PartialEq, Debug)]
enum Sort {
    Plain,
    Number(i32),
    Pair(u8, String<4>),
    Named { low: i8, high: Option<i8> },
    Empty {},
    Deep(Option<Wrapped>),
}

fn sort() -> Shape {
    let low_high = vec![("low", Shape::Integer(7)), ("high", Shape::Option(boxed(Shape::Integer(7))))];
    Shape::Enum(vec![
        ("Plain", None),
        ("Number", Some(Shape::Integer(31))),
        ("Pair", Some(Shape::Tuple(vec![Shape::Integer(7), Shape::String(2)]))),
        ("Named", Some(Shape::Struct(low_high))),
        ("Empty", Some(Shape::Map(boxed(Shape::String(4)), boxed(Shape::Any), 2))),
        ("Deep", Some(Shape::Option(boxed(Shape::Integer(15))))),
    ])
}

fn reading() -> Shape {
    Shape::Struct(vec![
        ("name", Shape::String(10)),
        ("level", Shape::Option(boxed(Shape::Integer(15)))),
        ("flags", Shape::Seq(boxed(Shape::Bool), 3)),
        ("kind", sort()),
        ("at", Shape::Tuple(vec![Shape::Integer(7), Shape::Integer(7)])),
    ])
}

#[test]
fn structs_and_enums() {
    agrees::<Sort>(sort());
    agrees::<Reading>(reading());
    agrees::<Vec<Reading, 3>>(Shape::Seq(boxed(reading()), 3));
    agrees::<Option<Reading>>(Shape::Option(boxed(reading())));
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: u8,
    b: Option<char>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(default)]
struct Default {
    a: u8,
    #[serde(alias = "zz")]
    b: u16,
}

impl core::default::Default for Default {
    fn default() -> Self {
        Self { a: 1, b: 2 }
    }
}

#[test]
fn attributes_that_need_no_copy() {
    let right = Shape::Struct(vec![("a", Shape::Integer(7)), ("b", Shape::Option(boxed(Shape::Char)))]);
    assert!(compare::<Strict>(&right, 1) > 400);
    agrees::<Default>(Shape::Map(boxed(Shape::Char), boxed(Shape::Integer(7)), 2));
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

#[derive(Deserialize, PartialEq, Debug)]
struct Tree {
    value: u8,
    children: std::vec::Vec<Tree>,
    parent: Option<Box<Tree>>,
}

#[test]
fn types_that_contain_themselves() {
    let leaf = Shape::Struct(vec![
        ("value", Shape::Integer(7)),
        ("children", Shape::Seq(boxed(Shape::Any), 0)),
        ("parent", Shape::Unit),
    ]);
    let tree = Shape::Struct(vec![
        ("value", Shape::Integer(7)),
        ("children", Shape::Seq(boxed(leaf.clone()), 3)),
        ("parent", Shape::Option(boxed(leaf))),
    ]);
    agrees::<Tree>(tree);
}

/// Only whether there is a value.
#[derive(Deserialize, Debug)]
struct Passed(IgnoredAny);

impl PartialEq for Passed {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

#[test]
fn what_is_passed_over() {
    agrees::<Passed>(Shape::Any);
    agrees::<Vec<Passed, 6>>(Shape::Seq(boxed(Shape::Any), 5));
    agrees::<(u8, Passed, u8)>(Shape::Tuple(vec![Shape::Integer(7), Shape::Any, Shape::Integer(7)]));
}
