//! The inside of arrays, objects and enums.

use core::marker::PhantomData;

use plimsoll_core::{Reason, Rejection};
use serde::de::{self, Deserialize, DeserializeSeed, Unexpected, Visitor};

use super::deserializer::Deserializer;
use super::error::Error;
use super::key::Key;
use super::lookahead::Walk;
use super::source::Bytes;

/// What a collection would have retained: serde says how many elements, and here is how large each is.
fn retained<E>(error: Error<E>, size: usize) -> Error<E> {
    match error {
        Error::Rejected { rejection, depth } if error.is_unplaced() => match rejection.limit() {
            Some(limit) => {
                let bytes = limit.value.saturating_mul(size as u64);
                Error::Rejected { rejection: Rejection::limit_exceeded(rejection.reason(), bytes), depth }
            }
            None => error,
        },
        other => other,
    }
}

/// The elements of an array, behind `[`.
pub(super) struct Elements<'a, S, P: Walk> {
    deserializer: &'a mut Deserializer<S, P>,
    /// Offset of the last element, or of `]`.
    at: u64,
    /// Bytes of memory that an element takes.
    size: usize,
    ended: bool,
}

impl<'a, 'de, S: Bytes<'de>, P: Walk> Elements<'a, S, P> {
    pub(super) const fn new(deserializer: &'a mut Deserializer<S, P>) -> Self {
        let at = deserializer.start();
        Self { deserializer, at, size: 0, ended: false }
    }

    /// Gives an error of the visitor its place: of what does not fit, the first element; of what is missing, `]`.
    pub(super) fn place(&mut self, error: Error<S::Error>) -> Error<S::Error> {
        let error = match error {
            Error::Rejected { rejection, .. }
                if self.ended && error.is_unplaced() && rejection.reason() == Reason::RetainedLimit =>
            {
                Error::mismatch()
            }
            other => retained(other, self.size),
        };
        self.deserializer.place(error, self.at)
    }
}

impl<'de, S: Bytes<'de>, P: Walk> de::SeqAccess<'de> for &mut Elements<'_, S, P>
where
    S::Error: core::error::Error + 'static,
{
    type Error = Error<S::Error>;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Self::Error> {
        let byte = self.deserializer.ahead()?;
        self.at = self.deserializer.start();
        self.size = size_of::<T::Value>();
        self.ended = byte == b']';
        if self.ended {
            return Ok(None);
        }
        self.deserializer.value(seed).map(Some)
    }
}

/// The members of an object, behind `{`.
pub(super) struct Members<'a, S, P: Walk> {
    deserializer: &'a mut Deserializer<S, P>,
    /// Offset of the last key, or of `}`.
    at: u64,
    /// Bytes of memory that a key and its value take.
    size: usize,
}

impl<'a, 'de, S: Bytes<'de>, P: Walk> Members<'a, S, P> {
    pub(super) const fn new(deserializer: &'a mut Deserializer<S, P>) -> Self {
        let at = deserializer.start();
        Self { deserializer, at, size: 0 }
    }

    /// Gives an error of the visitor its place: of what does not fit or stands twice, the key; of what is missing, `}`.
    pub(super) fn place(&mut self, error: Error<S::Error>) -> Error<S::Error> {
        let error = retained(error, self.size);
        self.deserializer.place(error, self.at)
    }
}

impl<'de, S: Bytes<'de>, P: Walk> de::MapAccess<'de> for &mut Members<'_, S, P>
where
    S::Error: core::error::Error + 'static,
{
    type Error = Error<S::Error>;

    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Self::Error> {
        let byte = self.deserializer.ahead()?;
        self.at = self.deserializer.start();
        if byte == b'}' {
            return Ok(None);
        }
        self.size = size_of::<T::Value>();
        let key = self.deserializer.token(|text| seed.deserialize(Key(text, PhantomData)));
        key.map(Some).map_err(|error| self.deserializer.place(error, self.at))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Self::Error> {
        self.size = self.size.saturating_add(size_of::<T::Value>());
        self.deserializer.value(seed)
    }
}

/// A variant that is a string: its name, and nothing else.
pub(super) struct UnitVariant<D>(pub(super) D);

impl<'de, D: de::Deserializer<'de>> de::EnumAccess<'de> for UnitVariant<D> {
    type Error = D::Error;
    type Variant = NoContent<D::Error>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), D::Error> {
        Ok((seed.deserialize(self.0)?, NoContent(PhantomData)))
    }
}

/// What a string has behind the variant's name.
pub(super) struct NoContent<E>(PhantomData<E>);

impl<'de, E: de::Error> de::VariantAccess<'de> for NoContent<E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _seed: T) -> Result<T::Value, E> {
        Err(only_unit("newtype variant"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, _visitor: V) -> Result<V::Value, E> {
        Err(only_unit("tuple variant"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, E> {
        Err(only_unit("struct variant"))
    }
}

/// A variant that is an object, behind `{`: the key is its name, the value its content.
pub(super) struct ObjectVariant<'a, S, P: Walk>(pub(super) &'a mut Deserializer<S, P>);

impl<'de, S: Bytes<'de>, P: Walk> de::EnumAccess<'de> for ObjectVariant<'_, S, P>
where
    S::Error: core::error::Error + 'static,
{
    type Error = Error<S::Error>;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Self::Error> {
        let at = self.0.start();
        let name = self.0.token(|text| seed.deserialize(Key(text, PhantomData)));
        let name = name.map_err(|error| self.0.place(error, at))?;
        Ok((name, self))
    }
}

impl<'de, S: Bytes<'de>, P: Walk> de::VariantAccess<'de> for ObjectVariant<'_, S, P>
where
    S::Error: core::error::Error + 'static,
{
    type Error = Error<S::Error>;

    fn unit_variant(self) -> Result<(), Self::Error> {
        Deserialize::deserialize(self.0)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Self::Error> {
        self.0.value(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Self::Error> {
        de::Deserializer::deserialize_tuple(self.0, len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        de::Deserializer::deserialize_struct(self.0, "", fields, visitor)
    }
}

/// Only a unit variant is a string.
fn only_unit<E: de::Error>(expected: &'static str) -> E {
    E::invalid_type(Unexpected::UnitVariant, &expected)
}
