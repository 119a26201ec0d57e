//! A document read into a type by ours and by `serde_json`, and by ours in pieces.

use core::fmt::Debug;

use plimsoll_core::Reason;
use plimsoll_json::{Assembler, Counted, Limits, de};
use serde::de::DeserializeOwned;

use crate::shape::Shape;
use crate::source;
use crate::types::{self, Blob, Passed, Reading, Sort, Strict, Tree, Triple};

/// What came of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tried {
    /// Both have the same value.
    Equal,
    /// Both refuse it.
    Refused,
    /// One of the places where the two differ on purpose, each of which stands in [`judge`].
    Apart,
}

/// Reads a document into a type and compares. Pieces are of `size` bytes. `objects` says whether the type asks for
/// an object anywhere.
///
/// # Panics
/// When ours differs from `serde_json`, or from itself in pieces.
#[allow(clippy::must_use_candidate, reason = "that they agree is mostly all that is wanted")]
pub fn judge<T: DeserializeOwned + PartialEq + Debug>(text: &[u8], size: usize, objects: bool) -> Tried {
    let limits = Limits { depth: 32, number: 1 << 20, key: 1 << 20, ..Limits::HOST };
    let mut scratch = vec![0xaa; text.len().max(4096)];
    let assembler = Assembler::<Counted<32>>::new(limits, &mut scratch).unwrap();
    let ours = de::from_slice::<T, _>(text, assembler);
    let theirs = serde_json::from_slice::<T>(text);
    let about = || format!("{}: {ours:?}, but {theirs:?}", text.escape_ascii());
    let tried = match (&ours, &theirs) {
        (Ok(value), Ok(other)) => {
            assert_eq!(value, other, "{}", about());
            Tried::Equal
        }
        (Err(de::Error::Rejected { rejection, .. }), Err(_)) => {
            assert!(rejection.at().is_some(), "{}", about());
            Tried::Refused
        }
        (Err(de::Error::Rejected { rejection, .. }), Ok(_)) if is_stricter(text, rejection, objects) => {
            Tried::Apart
        }
        (Ok(_), Err(_)) if has_minus_zero(text) => Tried::Apart,
        (Ok(value), Err(_)) if is_so_without_escapes(text, value) => Tried::Apart,
        _ => panic!("{}", about()),
    };

    let mut scratch = vec![0x55; text.len().max(4096)];
    let assembler = Assembler::<Counted<32>>::new(limits, &mut scratch).unwrap();
    let cut = de::from_reader::<T, _, _>(source::quiet(text, size), assembler);
    let about = || format!("{} by {size}", text.escape_ascii());
    match (ours, cut) {
        (Ok(ours), Ok(cut)) => assert_eq!(ours, cut, "{}", about()),
        (
            Err(de::Error::Rejected { rejection, depth }),
            Err(de::Error::Rejected { rejection: cut, depth: cut_depth }),
        ) => assert_eq!((rejection, depth), (cut, cut_depth), "{}", about()),
        (ours, cut) => panic!("{}: {ours:?}, but {cut:?}", about()),
    }
    tried
}

/// Whether ours refuses what `serde_json` takes, for a reason that is known.
fn is_stricter(text: &[u8], rejection: &plimsoll_core::Rejection, objects: bool) -> bool {
    // The one limit that is met.
    rejection.reason() == Reason::DepthLimit
        // It takes half a surrogate pair, and text that is not UTF-8, where nobody looks.
        || serde_json::from_slice::<serde_json::Value>(text).is_err()
        // It takes an array for a struct.
        || (objects
            && rejection.reason() == Reason::TypeMismatch
            && rejection.at().is_some_and(|at| text.get(at as usize) == Some(&b'[')))
}

/// Whether the text has an integer `-0`, which is 0 here and a float to `serde_json`.
fn has_minus_zero(text: &[u8]) -> bool {
    let behind = |at: usize| text.get(at + 2).is_some_and(|byte| matches!(byte, b'.' | b'e' | b'E'));
    text.windows(2).enumerate().any(|(at, pair)| pair == b"-0" && !behind(at))
}

/// Whether `serde_json` makes the same of the document without escapes in its keys. It reads a key that is to be a number
/// as it is written, and RFC 8259, section 8.3, has keys compared after their unescaping: `"\u0031"` is the key `1`.
fn is_so_without_escapes<T: DeserializeOwned + PartialEq>(text: &[u8], value: &T) -> bool {
    let document: Option<serde_json::Value> = serde_json::from_slice(text).ok();
    document.filter(|_| text.contains(&b'\\')).is_some_and(|document| {
        let text = document.to_string();
        has_minus_zero(text.as_bytes()) || serde_json::from_str(&text).is_ok_and(|other: T| other == *value)
    })
}

/// A type: how a document is judged by it, and the shape of one that it takes.
pub type Judge = (fn(&[u8], usize, bool) -> Tried, fn() -> Shape);

/// Types of every kind that serde knows.
pub const TYPES: [Judge; 16] = [
    (judge::<Reading>, types::reading),
    (judge::<Sort>, types::sort),
    (judge::<Tree>, types::tree),
    (judge::<Strict>, types::strict),
    (judge::<types::Default>, || Shape::Map(boxed(Shape::Char), boxed(Shape::Integer(7)), 2)),
    (judge::<Triple>, || {
        Shape::Tuple(vec![Shape::Integer(7), Shape::String(4), Shape::Option(boxed(Shape::Bool))])
    }),
    (judge::<Blob>, || Shape::Seq(boxed(Shape::Integer(8)), 8)),
    (judge::<Passed>, || Shape::Any),
    (judge::<Vec<Passed>>, || Shape::Seq(boxed(Shape::Any), 5)),
    (judge::<Vec<Option<i64>>>, || Shape::Seq(boxed(Shape::Option(boxed(Shape::Integer(64)))), 5)),
    (judge::<Vec<u128>>, || Shape::Seq(boxed(Shape::Integer(127)), 5)),
    (judge::<Vec<f64>>, || Shape::Seq(boxed(Shape::Float), 5)),
    (judge::<Vec<String>>, || Shape::Seq(boxed(Shape::String(40)), 5)),
    (judge::<Vec<char>>, || Shape::Seq(boxed(Shape::Char), 5)),
    (judge::<std::collections::BTreeMap<i16, bool>>, || {
        Shape::Map(boxed(Shape::Integer(16)), boxed(Shape::Bool), 3)
    }),
    (judge::<types::Small>, || Shape::Map(boxed(Shape::String(4)), boxed(Shape::Integer(31)), 3)),
];

fn boxed(shape: Shape) -> Box<Shape> {
    Box::new(shape)
}
