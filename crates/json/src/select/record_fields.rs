//! Matches of one record after the other, each handed to a function when its record is complete.
//!
//! It keeps what [`Fields`] does, and which record it is.

use core::marker::PhantomData;

use plimsoll_core::Rejection;

use super::document::Retained;
use super::fields::{Fields, Selected};
use super::visit::{Kind, Visit};
use crate::records::Record;

/// Keeps the matches of one record at a time, and gives those of each that is complete to a function, in order.
///
/// The function may answer nothing or a `Result`. Its error refuses the record like any fault of it: the whole stream, or
/// that record where refused ones are skipped.
#[derive(Debug)]
pub struct RecordFields<'s, F, R = ()> {
    fields: Fields<'s>,
    record: Record,
    each: F,
    answer: PhantomData<R>,
}

impl<'s, R: Answer, F: FnMut(Record, Selected<'_>) -> R> RecordFields<'s, F, R> {
    /// Uses `fields` for one record after the other and calls `each` with what is complete.
    pub const fn new(fields: Fields<'s>, each: F) -> Self {
        Self { fields, record: Record { index: 0, at: 0 }, each, answer: PhantomData }
    }

    /// What there is room for, as limits.
    #[must_use]
    pub const fn room(&self) -> Retained {
        self.fields.room()
    }
}

/// What the function of [`RecordFields`] may answer. In a private module, so that their set is closed.
pub trait Answer {
    /// As a result.
    fn result(self) -> Result<(), Rejection>;
}

impl Answer for () {
    fn result(self) -> Result<(), Rejection> {
        Ok(())
    }
}

impl Answer for Result<(), Rejection> {
    fn result(self) -> Self {
        self
    }
}

impl<R: Answer, F: FnMut(Record, Selected<'_>) -> R> Visit for RecordFields<'_, F, R> {
    fn record(&mut self, record: Record) {
        self.record = record;
    }

    fn begin(&mut self, pointer: usize, kind: Kind) {
        self.fields.begin(pointer, kind);
    }

    fn scalar(&mut self, text: &[u8]) {
        self.fields.scalar(text);
    }

    fn raw(&mut self, text: &[u8]) {
        self.fields.raw(text);
    }

    fn end(&mut self, pointer: usize) {
        self.fields.end(pointer);
    }

    fn prepare(&mut self) -> Result<(), Rejection> {
        (self.each)(self.record, self.fields.selected()).result()
    }

    fn commit(&mut self) {
        self.fields.clear();
    }

    fn discard(&mut self) {
        self.fields.clear();
    }
}
