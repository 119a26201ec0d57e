//! Typed values: `#[derive(Deserialize)]` types filled from the tokens, without a heap and under the document's limits.
//!
//! [`from_slice`] takes a body that lies in memory, [`from_reader`] (feature `embedded-io`) one that comes from a
//! blocking source, through a decompressor too; [`Values`] takes one value from each record. All of them read on to the end
//! of the body, and `Ok` says that everything was checked, also what is not in the value.
//!
//! ```
//! use plimsoll_json::{Assembler, Counted, Limits, de};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, PartialEq, Debug)]
//! struct Reading<'a> {
//!     station: &'a str,
//!     celsius: [i16; 3],
//!     battery: Option<u8>,
//! }
//!
//! let body = br#"{"station": "Oslo", "note": "fog at n\u00f8on", "celsius": [-3, 0, 4], "battery": null}"#;
//! let mut scratch = [0; 16];
//! let assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
//! let reading: Reading = de::from_slice(body, assembler)?;
//! assert_eq!(reading, Reading { station: "Oslo", celsius: [-3, 0, 4], battery: None });
//! # Ok::<(), de::Error>(())
//! ```
//!
//! # Memory
//!
//! A deserializer is its assembler and less than 200 bytes, and borrows the assembler's scratch, which has to hold the longest
//! key of an object whose fields matter, and the longest string and number that is asked for; one that is longer is
//! refused as the [`Assembler`] says. A member that no field has is passed over without being stored, and so is what is
//! asked for as [`IgnoredAny`](serde::de::IgnoredAny): only [`Limits`](crate::Limits) bound it.
//!
//! The value itself is built on the stack, as derived code does: a type takes several times its own size there, since it
//! is moved from where it was made to where it is kept. That code calls itself for a type that contains itself, at most
//! once per open container, so the limit of depth bounds it: the stack has to hold that many frames of the type's. A type
//! that contains itself without a container in between, `struct A(Option<Box<A>>)`, would call itself forever, and is
//! answered with [`Unsupported::Recursion`]. Nothing here calls itself, whatever is passed over.
//!
//! # What becomes of what
//!
//! | Rust | JSON |
//! |---|---|
//! | `bool` | `true`, `false` |
//! | `i8` to `i128`, `u8` to `u128` | a number written without fraction and exponent, exactly; `-0` is 0 |
//! | `f32`, `f64` (feature `float`) | any number, the nearest, and never infinity |
//! | `char`, `&str`, strings | a string |
//! | `&[u8]`, byte buffers | a string, as its UTF-8; a buffer also from an array of numbers |
//! | `Option` | `null`, or the value |
//! | `()`, unit structs | `null` |
//! | newtype structs | as what they contain |
//! | sequences, tuples, tuple structs | an array, of exactly as many elements where that is fixed |
//! | maps, structs | an object; keys that are numbers or `bool` are read from the key's text |
//! | enums | the variant's name as a string, or an object of one member: the name and the content |
//! | adjacently tagged enums | an object of the tag and the content, in this order |
//! | what takes any value | that value; an integer as the first of `u64`, `i64`, `u128` and `i128` that holds it |
//!
//! A `&str` or `&[u8]` can be had only where the whole body lies in one slice and the string has no escapes; elsewhere it
//! is `type_mismatch`. `#[serde(default)]`, `rename`, `alias`, `deny_unknown_fields`, `with`, `try_from` and the like work
//! as anywhere. Flattened fields, untagged and internally tagged enums, and adjacently tagged ones whose content comes before the
//! tag, need a copy of what they look at twice: they are answered with [`Unsupported::Buffer`] when it comes to that.
//!
//! # What is refused
//!
//! Whatever [`Check`](crate::Check) refuses, with the same reasons and offsets, as far as it comes first, and:
//!
//! | reason | when | `at` |
//! |---|---|---|
//! | `type_mismatch` | the value is not of its type, has too few or too many elements, an unknown variant, or, where they are denied, an unknown field; a type's own conversion refuses it | the first byte of the value, key, surplus element, or of `]` |
//! | `number_range` | the number does not fit | its first byte |
//! | `missing_field` | the object has no such member | `}` |
//! | `duplicate_key` | a field's second member; of a map what its own type makes of a key that comes again, mostly the last value | the first byte of its key |
//! | `retained_limit` | a string or collection has no room for it; the limit is the room in bytes | the first byte of the string, of the element that is one too many, or of its key |
//!
//! A mismatch is told when the value's first byte is seen, before its text is taken in.

/// Calls a macro with what serde asks for each type of integer: its method, the conversion of [`Number`](crate::Number) that is at
/// least as wide, and the visit.
macro_rules! each_integer {
    ($of:ident) => {
        $of! {
            deserialize_i8 to_i32 visit_i8
            deserialize_i16 to_i32 visit_i16
            deserialize_i32 to_i32 visit_i32
            deserialize_i64 to_i64 visit_i64
            deserialize_i128 to_i128 visit_i128
            deserialize_u8 to_u32 visit_u8
            deserialize_u16 to_u32 visit_u16
            deserialize_u32 to_u32 visit_u32
            deserialize_u64 to_u64 visit_u64
            deserialize_u128 to_u128 visit_u128
        }
    };
}

mod access;
mod deserializer;
mod error;
mod key;
mod lookahead;
mod source;
mod typed;
mod values;

use core::marker::PhantomData;

use serde::Deserialize;
#[cfg(feature = "embedded-io")]
use {embedded_io::BufRead, serde::de::DeserializeOwned};

use crate::assembler::Assembler;
use crate::levels::Levels;

pub use deserializer::Deserializer;
pub use error::{Error, Unsupported};
pub use lookahead::Lookahead;
#[cfg(feature = "embedded-io")]
pub use source::Buffered;
pub use source::Slice;
pub use values::{RecordValue, Values};

/// The value of a document that lies in `input`, whole.
///
/// # Errors
/// [`Error::Rejected`] with a reason of the module's table, and [`Error::Unsupported`].
pub fn from_slice<'de, T, L>(input: &'de [u8], assembler: Assembler<'_, L>) -> Result<T, Error>
where
    T: Deserialize<'de>,
    L: Levels,
{
    let mut deserializer = Deserializer::from_slice(input, assembler);
    let value = deserializer.value(PhantomData)?;
    deserializer.end()?;
    Ok(value)
}

/// The value of a document that comes from `source`, which is read to its end and has been checked when this is `Ok`.
///
/// A read that was interrupted is repeated. Over a reader that decodes a compressed stream the end is the verified one;
/// one that is wanted back, for its outcome, is lent: `&mut reader`.
///
/// ```
/// use plimsoll_json::{Assembler, Counted, Limits, de};
///
/// let mut scratch = [0; 16];
/// let assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
/// let pair: (u8, char) = de::from_reader(&b"[7, \"\\u00e5\"]"[..], assembler)?;
/// assert_eq!(pair, (7, 'å'));
/// # Ok::<(), de::Error>(())
/// ```
///
/// # Errors
/// As [`from_slice`], and [`Error::Source`] when the source fails. A value that was begun is lost then.
#[cfg(feature = "embedded-io")]
pub fn from_reader<T, R, L>(source: R, assembler: Assembler<'_, L>) -> Result<T, Error<R::Error>>
where
    T: DeserializeOwned,
    R: BufRead,
    R::Error: 'static,
    L: Levels,
{
    let mut deserializer = Deserializer::from_reader(source, assembler);
    let value = deserializer.value(PhantomData)?;
    deserializer.end()?;
    Ok(value)
}

impl<'de, 's, L: Levels> Deserializer<Slice<'de>, Lookahead<'s, L>> {
    /// Of a document that lies in `input`, whole.
    #[must_use]
    pub const fn from_slice(input: &'de [u8], assembler: Assembler<'s, L>) -> Self {
        Self::over(Slice(input), Lookahead::new(assembler))
    }
}

#[cfg(feature = "embedded-io")]
impl<'s, R: BufRead, L: Levels> Deserializer<Buffered<R>, Lookahead<'s, L>> {
    /// Of a document that comes from `source`.
    #[must_use]
    pub const fn from_reader(source: R, assembler: Assembler<'s, L>) -> Self {
        Self::over(Buffered(source), Lookahead::new(assembler))
    }
}
