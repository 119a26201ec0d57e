//! The way over a slice, state by state: at a delimiter, in the white space before a record, in a record, and in one that is
//! passed over.

use plimsoll_core::{Reason, Rejection};

use super::extent::{Extent, RECORD_SEPARATOR};
use super::{Frame, Framer, State};
use crate::event::Progress;
use crate::records::Framing;

impl Framer {
    /// The next step in a record.
    pub(super) fn inside<'a>(&mut self, input: &'a [u8]) -> Result<Progress<Frame<'a>>, Rejection> {
        if self.held {
            return match input.first() {
                None => Ok(Progress::need_input(0)),
                Some(b'\n') => self.close(1),
                Some(_) if self.release()? => Ok(Progress::event(0, Frame::Bytes(b"\r"))),
                Some(_) => self.outside(input),
            };
        }
        if self.clear == 0 {
            let extent = Extent::of(self.framing, input);
            if extent.content == 0 {
                return match extent.delimiter {
                    Some(delimiter) => self.close(delimiter),
                    None => Ok(self.hold(0, extent.carriage_return)),
                };
            }
            self.know(extent);
            if self.clear == 0 {
                if !self.skip && self.is_held(input, 0) {
                    self.offset = self.offset.wrapping_add(1);
                }
                self.exceed()?;
                return self.outside(input);
            }
        }
        let bytes = self.take_known(input);
        let event = if bytes.is_empty() { None } else { Some(Frame::Bytes(bytes)) };
        Ok(Progress { consumed: bytes.len(), event })
    }

    /// The next step anywhere else.
    #[inline(never)]
    pub(super) fn outside<'a>(&mut self, input: &'a [u8]) -> Result<Progress<Frame<'a>>, Rejection> {
        let mut consumed = 0;
        loop {
            let rest = input.get(consumed..).unwrap_or_default();
            let byte = rest.first().copied();
            let taken = match (self.state, self.framing, byte) {
                (State::Refused, ..) => {
                    self.refused()?;
                    0
                }
                (State::Unreported, ..) => return self.report(consumed),
                (State::Skipping, ..) => return self.pass_over(rest, consumed),
                (State::Closed, ..) => {
                    self.open();
                    0
                }
                (_, _, None) => return Ok(Progress::need_input(consumed)),
                (State::Between, Framing::Lines, Some(b'\n')) => {
                    self.offset = self.offset.wrapping_add(1);
                    consumed = consumed.wrapping_add(1);
                    self.open();
                    0
                }
                (State::Between, Framing::Lines, Some(_)) if self.held => {
                    self.release()?;
                    0
                }
                (State::Between, Framing::Lines, Some(b'\r')) => {
                    self.held = true;
                    1
                }
                (State::Between, Framing::Lines, Some(b' ' | b'\t')) if self.length == self.limits.bytes => {
                    self.exceed()?;
                    0
                }
                (State::Between, Framing::Lines, Some(b' ' | b'\t')) => {
                    self.length = self.length.wrapping_add(1);
                    1
                }
                (State::Start | State::Between, Framing::Sequence, Some(RECORD_SEPARATOR)) => {
                    self.state = State::Between;
                    1
                }
                (State::Start, ..) => {
                    self.open();
                    self.begin()?;
                    self.refuse(Rejection::fault(Reason::JsonSyntax, self.offset))?;
                    0
                }
                (State::Between, ..) => {
                    if self.framing == Framing::Sequence {
                        self.open();
                    }
                    let record = self.begin()?;
                    self.know(Extent::of(self.framing, rest));
                    return Ok(Progress::event(consumed, Frame::Begin(record)));
                }
                (State::Inside, ..) => return Ok(Progress::need_input(consumed)),
            };
            self.offset = self.offset.wrapping_add(taken);
            consumed = consumed.wrapping_add(taken as usize);
        }
    }

    /// Goes over a refused record, to its delimiter or the end of the slice.
    fn pass_over<'a>(&mut self, input: &'a [u8], before: usize) -> Result<Progress<Frame<'a>>, Rejection> {
        if self.held {
            match input.first() {
                None => return Ok(Progress::need_input(before)),
                Some(b'\n') => {
                    self.offset = self.offset.wrapping_add(1);
                    return self.report(before.wrapping_add(1));
                }
                Some(_) => {
                    self.held = false;
                    self.length = self.length.wrapping_add(1);
                }
            }
        }
        let extent = Extent::of(self.framing, input);
        self.length = self.length.wrapping_add(extent.content as u64);
        self.offset = self.offset.wrapping_add(extent.content as u64);
        let consumed = before.wrapping_add(extent.content);
        match extent.delimiter {
            Some(delimiter) => {
                self.offset = self.offset.wrapping_add(delimiter as u64);
                self.report(consumed.wrapping_add(delimiter))
            }
            None => Ok(self.hold(consumed, extent.carriage_return)),
        }
    }

    /// Takes in the CR behind the `consumed` bytes, if there is one, until it is known what it is.
    fn hold<'a>(&mut self, consumed: usize, carriage_return: bool) -> Progress<Frame<'a>> {
        self.held = carriage_return;
        let held = usize::from(carriage_return);
        self.offset = self.offset.wrapping_add(held as u64);
        Progress::need_input(consumed.wrapping_add(held))
    }
}
