//! The types that documents are read into, and documents after their shape.
#![allow(missing_docs, reason = "the types are all there is to say")]

use std::vec::Vec as StdVec;

use heapless::{String, Vec};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::shape::Shape;

/// What asks for bytes.
#[derive(PartialEq, Debug)]
pub struct Blob(Vec<u8, 16>);

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

#[derive(Deserialize, PartialEq, Debug)]
pub struct Nothing;

#[derive(Deserialize, PartialEq, Debug)]
pub struct Wrapped(u16);

#[derive(Deserialize, PartialEq, Debug)]
pub struct Triple(i8, String<6>, Option<bool>);

#[derive(Deserialize, PartialEq, Debug)]
pub struct Reading {
    name: String<16>,
    level: Option<i16>,
    #[serde(default)]
    flags: Vec<bool, 4>,
    #[serde(rename = "kind")]
    sort: Sort,
    at: (u8, u8),
}

#[derive(Deserialize, PartialEq, Debug)]
pub enum Sort {
    Plain,
    Number(i32),
    Pair(u8, String<4>),
    Named { low: i8, high: Option<i8> },
    Empty {},
    Deep(Option<Wrapped>),
}

#[must_use]
pub fn sort() -> Shape {
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

#[must_use]
pub fn reading() -> Shape {
    Shape::Struct(vec![
        ("name", Shape::String(10)),
        ("level", Shape::Option(boxed(Shape::Integer(15)))),
        ("flags", Shape::Seq(boxed(Shape::Bool), 3)),
        ("kind", sort()),
        ("at", Shape::Tuple(vec![Shape::Integer(7), Shape::Integer(7)])),
    ])
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Strict {
    a: u8,
    b: Option<char>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(default)]
pub struct Default {
    a: u8,
    #[serde(alias = "zz")]
    b: u16,
}

impl core::default::Default for Default {
    fn default() -> Self {
        Self { a: 1, b: 2 }
    }
}

#[derive(Deserialize, PartialEq, Debug)]
pub struct Tree {
    value: u8,
    children: StdVec<Tree>,
    parent: Option<Box<Tree>>,
}

/// What has room for four members.
pub type Small = heapless::LinearMap<String<8>, i32, 4>;

/// Only whether there is a value.
#[derive(Deserialize, Debug)]
pub struct Passed(pub IgnoredAny);

impl PartialEq for Passed {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

#[must_use]
pub fn tree() -> Shape {
    let leaf = Shape::Struct(vec![
        ("value", Shape::Integer(7)),
        ("children", Shape::Seq(boxed(Shape::Any), 0)),
        ("parent", Shape::Unit),
    ]);
    Shape::Struct(vec![
        ("value", Shape::Integer(7)),
        ("children", Shape::Seq(boxed(leaf.clone()), 3)),
        ("parent", Shape::Option(boxed(leaf))),
    ])
}

#[must_use]
pub fn strict() -> Shape {
    Shape::Struct(vec![("a", Shape::Integer(7)), ("b", Shape::Option(boxed(Shape::Char)))])
}

fn boxed(shape: Shape) -> Box<Shape> {
    Box::new(shape)
}
