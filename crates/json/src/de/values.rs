//! One value per record of NDJSON or a JSON text sequence.
//!
//! [`Values`] is a deserializer over records. It keeps nothing besides that.

use core::marker::PhantomData;

use plimsoll_core::{Reason, Rejection};
use serde::Deserialize;

use super::deserializer::Deserializer;
use super::error::Error;
use super::lookahead::{Lookahead, Signal, Walk, Want};
#[cfg(feature = "embedded-io")]
use super::source::Buffered;
use super::source::{Bytes, Slice};
use crate::assembler::Assembler;
use crate::levels::Levels;
use crate::records::{Record, Records, Skipped};

/// What came of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordValue<T> {
    /// All of it was checked, and this is its value.
    Value {
        /// Which record, and where it begins.
        record: Record,
        /// Its value.
        value: T,
    },
    /// It was refused and passed over. Only under [`Records::skip_refused`].
    Skipped(Skipped),
}

/// The values of a stream's records, one after the other.
///
/// The limits, the framing, and whether a refused record ends the stream are those of the [`Records`] that it is made
/// from. A record that is JSON and not of the type is refused like any other: what follows the fault in it is not
/// looked at.
///
/// ```
/// use plimsoll_json::de::{self, RecordValue, Values};
/// use plimsoll_json::{Assembler, Counted, Framing, Limits, RecordLimits, Records};
///
/// let mut scratch = [0; 16];
/// let assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
/// let records = Records::new(Framing::Lines, RecordLimits::DEVICE, assembler).skip_refused();
/// let mut values = Values::from_slice(b"[1,2]\n[3]\n[5,6]\n", records);
/// let (mut sum, mut skipped) = (0, vec![]);
/// while let Some(next) = values.next::<(u8, u8)>()? {
///     match next {
///         RecordValue::Value { value: (a, b), .. } => sum += a + b,
///         RecordValue::Skipped(record) => skipped.push((record.record.index, record.rejection.reason().as_str())),
///     }
/// }
/// assert_eq!((sum, skipped), (14, vec![(1, "type_mismatch")]));
/// # Ok::<(), de::Error>(())
/// ```
pub struct Values<'s, S, L: Levels> {
    deserializer: Deserializer<S, Records<Lookahead<'s, L>>>,
}

impl<'de, 's, L: Levels> Values<'s, Slice<'de>, L> {
    /// Of a body that lies in `input`, whole.
    #[must_use]
    pub fn from_slice(input: &'de [u8], records: Records<Assembler<'s, L>>) -> Self {
        Self { deserializer: Deserializer::over(Slice(input), records.map(Lookahead::new)) }
    }
}

#[cfg(feature = "embedded-io")]
impl<'s, R: embedded_io::BufRead, L: Levels> Values<'s, Buffered<R>, L> {
    /// Of a body that comes from `source`.
    #[must_use]
    pub fn from_reader(source: R, records: Records<Assembler<'s, L>>) -> Self {
        Self { deserializer: Deserializer::over(Buffered(source), records.map(Lookahead::new)) }
    }
}

impl<'s, S, L: Levels> Values<'s, S, L> {
    /// The value of the next record. `None` says that the body has ended, and all of it was checked.
    ///
    /// # Errors
    /// As [`from_slice`](super::from_slice) and [`Records`]; every rejection that arises in a record has its index.
    /// [`Error::Source`] between two records loses nothing, and the call may be repeated. Within a record it loses that
    /// record, which is then refused with `source_error`.
    pub fn next<'de, T>(&mut self) -> Result<Option<RecordValue<T>>, Error<S::Error>>
    where
        T: Deserialize<'de>,
        S: Bytes<'de>,
        S::Error: core::error::Error + 'static,
    {
        loop {
            let record = match self.deserializer.step(Want::Ahead)? {
                None => return Ok(None),
                Some(Signal::Begin(record)) => record,
                Some(Signal::Refused(skipped)) => return Ok(Some(RecordValue::Skipped(skipped))),
                other => return Err(self.deserializer.unexpected(other)),
            };
            match self.value() {
                Ok(value) => return Ok(Some(RecordValue::Value { record, value })),
                Err(error) => {
                    if let Some(skipped) = self.give_up(error)? {
                        return Ok(Some(RecordValue::Skipped(skipped)));
                    }
                }
            }
        }
    }

    /// The value of the record that began, and its end.
    fn value<'de, T>(&mut self) -> Result<T, Error<S::Error>>
    where
        T: Deserialize<'de>,
        S: Bytes<'de>,
        S::Error: core::error::Error + 'static,
    {
        let value = self.deserializer.value(PhantomData)?;
        self.deserializer.end_record()?;
        Ok(value)
    }

    /// Refuses the current record, and with it the stream where records are not skipped. Gives what was passed over
    /// already.
    fn give_up<'de>(&mut self, error: Error<S::Error>) -> Result<Option<Skipped>, Error<S::Error>>
    where
        S: Bytes<'de>,
    {
        if let Some(skipped) = self.deserializer.take_passed() {
            return Ok(Some(skipped));
        }
        let (rejection, depth) = match &error {
            Error::Unsupported(_) => return Err(error),
            Error::Rejected { rejection, depth } => (*rejection, *depth),
            Error::Source(_) => {
                let machine = self.deserializer.machine();
                (Rejection::fault(Reason::SourceError, machine.at()), machine.depth())
            }
        };
        self.deserializer.forget();
        match self.deserializer.machine().refuse(rejection) {
            Ok(()) if matches!(error, Error::Source(_)) => Err(error),
            Ok(()) => Ok(None),
            Err(rejection) => {
                self.deserializer.fail(rejection, depth);
                Err(if matches!(error, Error::Source(_)) {
                    error
                } else {
                    Error::Rejected { rejection, depth }
                })
            }
        }
    }
}
