//! Where a record begins and where it ends, and what it is counted for and refused with there.

use plimsoll_core::{Reason, Rejection};

use super::extent::needs_white_space;
use super::{Frame, Framer, State};
use crate::event::Progress;
use crate::records::{Framing, Record, Skipped};

impl Framer {
    /// Gets ready for the record that begins at the next byte, if one does.
    pub(super) fn open(&mut self) {
        (self.at, self.length, self.held) = (self.offset, 0, false);
        self.state = match self.framing {
            Framing::Lines => State::Between,
            Framing::Sequence => State::Start,
        };
    }

    /// Counts a record.
    pub(super) fn begin(&mut self) -> Result<Record, Rejection> {
        let index = self.begun;
        self.begun = index.wrapping_add(1);
        if index >= self.limits.records {
            let rejection = Rejection::limit_exceeded(Reason::RecordCount, self.limits.records);
            self.rejection = Some(rejection.with_at(self.offset).with_record(index));
            self.state = State::Refused;
            self.refused()?;
        }
        (self.state, self.clear, self.last) = (State::Inside, 0, 0);
        Ok(Record { index, at: self.at })
    }

    /// Says that a CR held back is a byte of the record, and whether that is within its limit.
    pub(super) fn release(&mut self) -> Result<bool, Rejection> {
        self.held = false;
        self.last = b'\r';
        self.length = self.length.wrapping_add(1);
        if self.length <= self.limits.bytes {
            return Ok(true);
        }
        self.refuse_length()?;
        Ok(false)
    }

    /// The next byte is one too many for the record.
    pub(super) fn exceed(&mut self) -> Result<(), Rejection> {
        // A record that is skipped counts it when it goes over it.
        self.length = self.length.wrapping_add(u64::from(!self.skip));
        self.refuse_length()
    }

    fn refuse_length(&mut self) -> Result<(), Rejection> {
        if self.state == State::Between {
            // A line that is blank so far. It is refused for its length, whatever number it has.
            self.begun = self.begun.wrapping_add(1);
        }
        let limit = self.limits.bytes;
        let at = self.at.wrapping_add(limit);
        self.refuse(Rejection::limit_exceeded(Reason::RecordLimit, limit).with_at(at))
    }

    /// Ends the record in front of a delimiter, of which `consumed` bytes are taken in.
    pub(super) fn close<'a>(&mut self, consumed: usize) -> Result<Progress<Frame<'a>>, Rejection> {
        self.offset = self.offset.wrapping_add(consumed as u64);
        self.state = State::Closed;
        if self.framing == Framing::Sequence && needs_white_space(self.last) {
            self.refuse(Rejection::fault(Reason::IncompleteJson, self.offset))?;
            return self.report(consumed);
        }
        Ok(Progress::event(consumed, Frame::End))
    }

    /// Reports the record that was skipped.
    pub(super) fn report<'a>(&mut self, consumed: usize) -> Result<Progress<Frame<'a>>, Rejection> {
        self.state = State::Closed;
        let Some(rejection) = self.rejection.take() else { return Ok(Progress::need_input(consumed)) };
        let record = Record { index: self.begun.saturating_sub(1), at: self.at };
        Ok(Progress::event(consumed, Frame::Skipped(Skipped { record, bytes: self.length, rejection })))
    }
}
