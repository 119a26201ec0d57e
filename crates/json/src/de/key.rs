//! The keys of an object, and the names of variants: text that a type may read as something else.

use core::marker::PhantomData;

use plimsoll_core::{Reason, Rejection};
use serde::de::{self, Visitor};

use super::access::UnitVariant;
use super::deserializer::Lent;
use super::error::Error;
use crate::number::Number;

/// A key. Where its type is a number or a `bool`, the key is that as it would be written as a value.
pub(super) struct Key<'de, 'a, E>(pub(super) Lent<'de, 'a>, pub(super) PhantomData<E>);

impl<E> Key<'_, '_, E> {
    fn number<T>(&self, convert: impl FnOnce(Number<'_>) -> Result<T, Rejection>) -> Result<T, Error<E>> {
        let number = Number::new(self.0.as_bytes()).ok_or(Error::mismatch())?;
        convert(number).map_err(Error::unplaced)
    }
}

/// The value in a narrower type.
pub(super) fn narrow<T: TryFrom<W>, W>(wide: W) -> Result<T, Rejection> {
    T::try_from(wide).map_err(|_| Rejection::new(Reason::NumberRange))
}

macro_rules! integers {
    ($($method:ident $convert:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            visitor.$visit(self.number(|number| narrow(number.$convert()?))?)
        })*
    };
}

impl<'de, E: core::error::Error + 'static> de::Deserializer<'de> for Key<'de, '_, E> {
    type Error = Error<E>;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.0.visit(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0.as_bytes() {
            b"true" => visitor.visit_bool(true),
            b"false" => visitor.visit_bool(false),
            _ => Err(Error::mismatch()),
        }
    }

    each_integer!(integers);

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.0.visit_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.0.visit_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_enum(UnitVariant(self))
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
