//! What a type asks for, answered from the tokens: numbers converted, strings lent, arrays, objects and enums walked.
//!
//! It keeps nothing; an error of a conversion gets the place of its value.

use core::marker::PhantomData;

#[cfg(not(feature = "float"))]
use plimsoll_core::Reason;
use plimsoll_core::Rejection;
use serde::de::{self, DeserializeSeed, Visitor};

use super::access::{Elements, Members, ObjectVariant, UnitVariant};
use super::deserializer::{Deserializer, Lent};
use super::error::{Error, Unsupported};
use super::key::{Key, narrow};
use super::lookahead::Walk;
use super::source::Bytes;
use crate::number::Number;

impl<'de, S: Bytes<'de>, P: Walk> Deserializer<S, P>
where
    S::Error: core::error::Error + 'static,
{
    /// A value of a seed, and what its own conversion refuses has the value's place.
    pub(super) fn value<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error<S::Error>> {
        self.ahead()?;
        let at = self.start();
        seed.deserialize(&mut *self).map_err(|error| self.place(error, at))
    }

    /// A number, converted.
    fn number<T>(
        &mut self,
        convert: impl FnOnce(Number<'_>) -> Result<T, Rejection>,
    ) -> Result<T, Error<S::Error>> {
        if !matches!(self.ahead()?, b'-' | b'0'..=b'9') {
            return Err(self.mismatch());
        }
        let at = self.start();
        self.token(|text| convert(Number::checked(text.as_bytes())).map_err(Error::unplaced))
            .map_err(|error| self.place(error, at))
    }

    /// A string.
    fn string<T>(
        &mut self,
        visit: impl FnOnce(Lent<'de, '_>) -> Result<T, Error<S::Error>>,
    ) -> Result<T, Error<S::Error>> {
        if self.ahead()? != b'"' {
            return Err(self.mismatch());
        }
        let at = self.start();
        self.token(visit).map_err(|error| self.place(error, at))
    }

    /// An array.
    fn array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error<S::Error>> {
        if self.ahead()? != b'[' {
            return Err(self.mismatch());
        }
        self.structure()?;
        let mut elements = Elements::new(self);
        let outcome = visitor.visit_seq(&mut elements);
        let outcome = outcome.map_err(|error| elements.place(error));
        let value = outcome?;
        self.close(b']')?;
        Ok(value)
    }

    /// An object.
    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error<S::Error>> {
        if self.ahead()? != b'{' {
            return Err(self.mismatch());
        }
        self.structure()?;
        let mut members = Members::new(self);
        let outcome = visitor.visit_map(&mut members);
        let outcome = outcome.map_err(|error| members.place(error));
        let value = outcome?;
        self.close(b'}')?;
        Ok(value)
    }

    /// Any number, as the narrowest of what visitors take.
    fn any_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error<S::Error>> {
        let at = self.start();
        let number = self.number(Any::of)?;
        let outcome = match number {
            Any::Unsigned(value) => visitor.visit_u64(value),
            Any::Signed(value) => visitor.visit_i64(value),
            Any::LongUnsigned(value) => visitor.visit_u128(value),
            Any::LongSigned(value) => visitor.visit_i128(value),
            #[cfg(feature = "float")]
            Any::Float(value) => visitor.visit_f64(value),
        };
        outcome.map_err(|error| self.place(error, at))
    }
}

/// A number for whoever takes any.
enum Any {
    Unsigned(u64),
    Signed(i64),
    LongUnsigned(u128),
    LongSigned(i128),
    #[cfg(feature = "float")]
    Float(f64),
}

impl Any {
    fn of(number: Number<'_>) -> Result<Self, Rejection> {
        if !number.is_integer() {
            #[cfg(feature = "float")]
            return number.to_f64().map(Self::Float);
            #[cfg(not(feature = "float"))]
            return Err(Rejection::new(Reason::TypeMismatch));
        }
        if number.is_negative() {
            return number.to_i64().map(Self::Signed).or_else(|_| number.to_i128().map(Self::LongSigned));
        }
        number.to_u64().map(Self::Unsigned).or_else(|_| number.to_u128().map(Self::LongUnsigned))
    }
}

/// Whether a visitor is one of those with which serde copies a value to look at it twice. They ask for any value,
/// as others do, and only their name tells them apart.
fn copies<V>() -> bool {
    let name = core::any::type_name::<V>();
    name.starts_with("serde") && name.contains("Content")
}

/// An integer of a type that [`Number`] converts to, or a narrower one.
macro_rules! integers {
    ($($method:ident $convert:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            self.ahead()?;
            let at = self.start();
            let value = self.number(|number| narrow(number.$convert()?))?;
            visitor.$visit(value).map_err(|error| self.place(error, at))
        })*
    };
}

macro_rules! floats {
    ($($method:ident $convert:ident $visit:ident)*) => {
        $(
            #[cfg(feature = "float")]
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
                self.ahead()?;
                let at = self.start();
                let value = self.number(|number| number.$convert())?;
                visitor.$visit(value).map_err(|error| self.place(error, at))
            }

            #[cfg(not(feature = "float"))]
            fn $method<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
                let at = self.start();
                Err(self.place(Error::Unsupported(Unsupported::Float), at))
            }
        )*
    };
}

impl<'de, S: Bytes<'de>, P: Walk> de::Deserializer<'de> for &mut Deserializer<S, P>
where
    S::Error: core::error::Error + 'static,
{
    type Error = Error<S::Error>;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let byte = self.ahead()?;
        let at = self.start();
        if copies::<V>() {
            return Err(self.place(Error::Unsupported(Unsupported::Buffer), at));
        }
        match byte {
            b'{' => self.object(visitor),
            b'[' => self.array(visitor),
            b'"' => self.string(|text| text.visit(visitor)),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            _ => self.any_number(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let value = match self.ahead()? {
            b't' => true,
            b'f' => false,
            _ => return Err(self.mismatch()),
        };
        let at = self.start();
        self.structure()?;
        visitor.visit_bool(value).map_err(|error| self.place(error, at))
    }

    each_integer!(integers);

    floats! {
        deserialize_f32 to_f32 visit_f32
        deserialize_f64 to_f64 visit_f64
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.string(|text| text.visit(visitor))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        if self.ahead()? == b'[' {
            self.array(visitor)
        } else {
            self.string(|text| text.visit_bytes(visitor))
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let (byte, at) = self.wrapped()?;
        let outcome = if byte == b'n' {
            self.structure()?;
            visitor.visit_none()
        } else {
            visitor.visit_some(&mut *self)
        };
        outcome.map_err(|error| self.place(error, at))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        if self.ahead()? != b'n' {
            return Err(self.mismatch());
        }
        let at = self.start();
        self.structure()?;
        visitor.visit_unit().map_err(|error| self.place(error, at))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        let (_, at) = self.wrapped()?;
        visitor.visit_newtype_struct(&mut *self).map_err(|error| self.place(error, at))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.array(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Self::Error> {
        self.array(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.array(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.object(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        let byte = self.ahead()?;
        let at = self.start();
        match byte {
            b'"' => self.string(|text| visitor.visit_enum(UnitVariant(Key(text, PhantomData)))),
            b'{' => {
                self.structure()?;
                if self.ahead()? == b'}' {
                    return Err(self.mismatch());
                }
                let value =
                    visitor.visit_enum(ObjectVariant(&mut *self)).map_err(|error| self.place(error, at))?;
                self.close(b'}')?;
                Ok(value)
            }
            _ => Err(self.mismatch()),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.skip()?;
        visitor.visit_unit()
    }
}
