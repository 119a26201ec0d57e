//! Types at random: a value that serde asks for shape by shape, out of documents that mostly have it, through gzip and cut
//! anywhere. It is what `serde_json` makes of the same document, or both refuse it.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::fmt;

use answers::document::{key, style, tree, written};
use answers::{config, gzip};
use plimsoll::json::{Assembler, Counted, de};
use plimsoll::{Coding, Head, Limits, Memory, NoClock, Pace, Policy, ReadError, Reader, Reason, Watch};
use proptest::prelude::*;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

/// A type: what of it serde asks for, and what of the document is kept.
#[derive(Clone, Debug)]
enum Shape {
    Unit,
    Bool,
    Signed,
    Unsigned,
    Small,
    Text,
    Option(Box<Shape>),
    Seq(Box<Shape>),
    Tuple(Vec<Shape>),
    Map(Box<Shape>),
    /// An object with these keys, each of which it must have; others are passed over.
    Struct(Vec<(String, Shape)>),
    Ignored,
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Unit),
        Just(Shape::Bool),
        Just(Shape::Signed),
        Just(Shape::Unsigned),
        Just(Shape::Small),
        Just(Shape::Text),
        Just(Shape::Ignored),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(Shape::Option),
            boxed.clone().prop_map(Shape::Seq),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Shape::Tuple),
            boxed.prop_map(Shape::Map),
            prop::collection::btree_map(key(), inner, 0..5)
                .prop_map(|fields| Shape::Struct(fields.into_iter().collect())),
        ]
    })
}

impl Shape {
    /// A tree that has this type, with what is left open filled from `other`.
    fn tree(&self, other: &[Value], turn: &mut usize) -> Value {
        *turn += 1;
        let other_value = &other[*turn % other.len()];
        match self {
            Self::Unit => json!(null),
            Self::Bool => json!(turn.is_multiple_of(2)),
            Self::Signed => json!(other_value.as_i64().unwrap_or(i64::MIN)),
            Self::Unsigned => json!(other_value.as_u64().unwrap_or(u64::MAX)),
            Self::Small => json!(*turn % 256),
            Self::Text => json!(other_value.as_str().unwrap_or("é\"\n")),
            Self::Option(_) if turn.is_multiple_of(3) => json!(null),
            Self::Option(some) => some.tree(other, turn),
            Self::Seq(element) => (0..*turn % 4).map(|_| element.tree(other, turn)).collect(),
            Self::Tuple(shapes) => shapes.iter().map(|shape| shape.tree(other, turn)).collect(),
            Self::Map(value) => {
                let keys = ["", "a", "é\n", "\u{1F600}"].into_iter().take(*turn % 5);
                Value::Object(keys.map(|key| (key.to_owned(), value.tree(other, turn))).collect())
            }
            Self::Struct(fields) => {
                let mut members: Map<_, _> =
                    fields.iter().map(|(key, shape)| (key.clone(), shape.tree(other, turn))).collect();
                if turn.is_multiple_of(2) {
                    members.entry("surplus").or_insert_with(|| other_value.clone());
                }
                Value::Object(members)
            }
            Self::Ignored => other_value.clone(),
        }
    }
}

impl<'de> DeserializeSeed<'de> for &Shape {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self {
            Shape::Unit => deserializer.deserialize_unit(self),
            Shape::Bool => deserializer.deserialize_bool(self),
            Shape::Signed => deserializer.deserialize_i64(self),
            Shape::Unsigned => deserializer.deserialize_u64(self),
            Shape::Small => deserializer.deserialize_u8(self),
            Shape::Text => deserializer.deserialize_string(self),
            Shape::Option(_) => deserializer.deserialize_option(self),
            Shape::Seq(_) => deserializer.deserialize_seq(self),
            Shape::Tuple(shapes) => deserializer.deserialize_tuple(shapes.len(), self),
            Shape::Map(_) => deserializer.deserialize_map(self),
            Shape::Struct(_) => deserializer.deserialize_map(self),
            Shape::Ignored => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| json!("ignored")),
        }
    }
}

impl<'de> Visitor<'de> for &Shape {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        matches!(self, Shape::Unit).then(|| json!(null)).ok_or_else(|| E::custom("unit"))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        matches!(self, Shape::Bool).then(|| json!(value)).ok_or_else(|| E::custom("bool"))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        match self {
            Shape::Signed => Ok(json!(value)),
            Shape::Unsigned => u64::try_from(value).map(|value| json!(value)).map_err(E::custom),
            Shape::Small => u8::try_from(value).map(|value| json!(value)).map_err(E::custom),
            _ => Err(E::custom("integer")),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        match self {
            Shape::Signed => i64::try_from(value).map(|value| json!(value)).map_err(E::custom),
            Shape::Unsigned => Ok(json!(value)),
            Shape::Small => u8::try_from(value).map(|value| json!(value)).map_err(E::custom),
            _ => Err(E::custom("integer")),
        }
    }

    fn visit_u8<E: Error>(self, value: u8) -> Result<Value, E> {
        self.visit_u64(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        matches!(self, Shape::Text).then(|| json!(value)).ok_or_else(|| E::custom("string"))
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(json!("none"))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Shape::Option(some) = self else { return Err(D::Error::custom("option")) };
        Ok(json!([some.deserialize(deserializer)?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        match self {
            Shape::Seq(element) => {
                while let Some(item) = seq.next_element_seed(&**element)? {
                    items.push(item);
                }
            }
            Shape::Tuple(shapes) => {
                for (index, shape) in shapes.iter().enumerate() {
                    let item = seq.next_element_seed(shape)?;
                    items.push(item.ok_or_else(|| A::Error::invalid_length(index, &self))?);
                }
            }
            _ => return Err(A::Error::custom("array")),
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            match self {
                Shape::Map(value) => {
                    members.insert(key, map.next_value_seed(&**value)?);
                }
                Shape::Struct(fields) => match fields.iter().find(|(name, _)| *name == key) {
                    Some((_, shape)) => {
                        members.insert(key, map.next_value_seed(shape)?);
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
                _ => return Err(A::Error::custom("object")),
            }
        }
        match self {
            Shape::Struct(fields) if fields.len() != members.len() => Err(A::Error::missing_field("field")),
            _ => Ok(Value::Object(members)),
        }
    }
}

/// The value of this type in a gzip body, read by pieces of `size` decoded bytes at most.
fn receive(shape: &Shape, body: &[u8], size: usize) -> Result<Value, de::Error<ReadError>> {
    let policy = Policy::strict(Limits::GATEWAY);
    let mut memory = Box::new(Memory::<32768>::new());
    let machine = memory.ring(&Head::new(Coding::Gzip), &policy, (), ());
    let source = Pieces { body, size };
    let mut scratch = [0xff; 512];
    let assembler = Assembler::<Counted<32>>::new(policy.limits.document, &mut scratch).unwrap();
    let reader = Reader::new(machine, source, Watch::new(Pace::within(10_000), NoClock));
    let mut deserializer = de::Deserializer::from_reader(reader, assembler);
    let value = shape.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// A body that comes in pieces.
struct Pieces<'b> {
    body: &'b [u8],
    size: usize,
}

impl plimsoll::Supply for Pieces<'_> {
    type Error = ();

    fn cancel(&mut self) {}
}

impl plimsoll::Source for Pieces<'_> {
    fn fill(&mut self) -> Result<&[u8], plimsoll::Failure<()>> {
        Ok(&self.body[..self.body.len().min(self.size)])
    }

    fn consume(&mut self, count: usize) {
        self.body = &self.body[count..];
    }
}

/// What the oracle makes of it.
fn oracle(shape: &Shape, body: &str) -> Option<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(body);
    let value = shape.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(value)
}

proptest! {
    #![proptest_config(config(1200))]

    #[test]
    fn a_type_takes_the_documents_that_have_it(
        shape in shape(), others in prop::collection::vec(tree(), 1..4), style in style(), size in 1..48_usize
    ) {
        let body = written(&shape.tree(&others, &mut 0), &style);
        let value = receive(&shape, &gzip(body.as_bytes()), size);
        let expected = oracle(&shape, &body);
        prop_assert_eq!(value.as_ref().ok(), expected.as_ref(), "{} {:?}", body, value);
        prop_assert!(value.is_ok(), "{:?}", value);
    }

    #[test]
    fn a_type_takes_of_any_document_what_the_oracle_takes(
        shape in shape(), tree in tree(), style in style(), size in 1..48_usize
    ) {
        let body = written(&tree, &style);
        let value = receive(&shape, &gzip(body.as_bytes()), size);
        let expected = oracle(&shape, &body);
        prop_assert_eq!(value.as_ref().ok(), expected.as_ref(), "{} {:?}", body, value);
        if let Err(error) = value {
            let rejection = error.rejection().unwrap();
            prop_assert!(rejection.at().is_some_and(|at| at <= body.len() as u64));
        }
    }

    #[test]
    fn no_value_comes_of_a_body_that_was_cut(
        shape in shape(), others in prop::collection::vec(tree(), 1..4), style in style(), cut in any::<prop::sample::Index>()
    ) {
        let body = gzip(written(&shape.tree(&others, &mut 0), &style).as_bytes());
        let end = cut.index(body.len());
        let error = receive(&shape, &body[..end], 16).unwrap_err();
        let reason = match error {
            de::Error::Source(ReadError::Rejected(rejection)) => rejection.reason(),
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        };
        prop_assert_eq!(reason, Reason::IncompleteGzip);
    }
}
