//! The three forms of `plimsoll-utf8` against `core::str::from_utf8` on the whole, over one partition at a
//! time. The chunks go through one receive buffer that is overwritten after every call.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that overflows or misses its range fails"
)]

use core::str;

use plimsoll_core::{Detail, Inspect, Reason, Rejection};
use plimsoll_utf8::{Lossy, Runs, Utf8};

/// What `core` makes of a byte string, and the buffers to compare with it.
#[derive(Default)]
pub struct Comparison {
    bytes: Vec<u8>,
    fault: Option<Fault>,
    repaired: Vec<u8>,
    received: Vec<u8>,
    lent: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Fault {
    rejection: Rejection,
    /// Offset of the byte that decided, or the length where it was the end.
    decided: usize,
}

impl Comparison {
    /// Asks `core` about `bytes`.
    pub fn expect(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.extend(bytes);
        self.fault = str::from_utf8(bytes).err().map(|error| {
            let (reason, subpart, decided) = match error.error_len() {
                Some(length) => (Reason::InvalidUtf8, length, first_invalid(bytes, error.valid_up_to())),
                None => (Reason::IncompleteUtf8, bytes.len() - error.valid_up_to(), bytes.len()),
            };
            let subpart = Detail::Subpart(u8::try_from(subpart).unwrap_or(u8::MAX));
            let rejection = Rejection::fault(reason, error.valid_up_to() as u64).with_detail(subpart);
            Fault { rejection, decided }
        });
        self.repaired.clear();
        for chunk in bytes.utf8_chunks() {
            self.repaired.extend(chunk.valid().as_bytes());
            if !chunk.invalid().is_empty() {
                self.repaired.extend("\u{FFFD}".as_bytes());
            }
        }
    }

    /// Compares all three forms over chunks of these lengths, which sum up to that of the bytes.
    pub fn compare(&mut self, lengths: impl Iterator<Item = usize> + Clone) {
        self.compare_validator(lengths.clone());
        self.compare_runs(lengths.clone());
        self.compare_lossy(lengths);
    }

    /// Compares over chunks of `size` bytes, the last one maybe shorter.
    pub fn compare_chunks(&mut self, size: usize) {
        let length = self.bytes.len();
        let starts = (0..length).step_by(size);
        self.compare(starts.map(move |start| size.min(length - start)));
    }

    /// Compares over every partition into chunks that are not empty.
    pub fn compare_partitions(&mut self) {
        let length = self.bytes.len();
        for cuts in 0..1_u32 << length.saturating_sub(1) {
            // A set bit is a cut behind the byte of its number.
            let mut ends = (1..=length).filter(move |&end| end == length || cuts >> (end - 1) & 1 == 1);
            let mut start = 0;
            self.compare(core::iter::from_fn(move || {
                let end = ends.next()?;
                Some(end - core::mem::replace(&mut start, end))
            }));
        }
    }

    fn compare_validator(&mut self, lengths: impl Iterator<Item = usize>) {
        let mut utf8 = Utf8::new();
        let mut start = 0;
        for length in lengths {
            self.receive(start, length);
            let verdict = utf8.inspect(&self.received);
            self.received.fill(POISON);
            let Err(refusal) = verdict else {
                start += length;
                continue;
            };
            let expected = self.fault.unwrap_or_else(|| panic!("{:x?}: {refusal:?}", self.bytes));
            assert_eq!(start + refusal.accepted, expected.decided, "{:x?}", self.bytes);
            assert_eq!(refusal.rejection, expected.rejection, "{:x?}", self.bytes);
            for more in [&b""[..], b"a"] {
                let again = utf8.inspect(more).map_err(|again| (again.accepted, again.rejection));
                assert_eq!(again, Err((0, expected.rejection)), "{:x?}", self.bytes);
            }
            break;
        }
        let verdict = self.fault.map_or(Ok(()), |fault| Err(fault.rejection));
        assert_eq!(utf8.finish(), verdict, "{:x?}", self.bytes);
        assert_eq!(utf8.inspect(b"").map_err(|refusal| refusal.rejection), verdict, "{:x?}", self.bytes);
    }

    fn compare_runs(&mut self, lengths: impl Iterator<Item = usize>) {
        let mut runs = Runs::new();
        let mut start = 0;
        let mut verdict = Ok(());
        self.lent.clear();
        'chunks: for length in lengths {
            self.receive(start, length);
            start += length;
            let mut rest = self.received.as_slice();
            while !rest.is_empty() {
                match runs.step(rest) {
                    Ok(run) => {
                        assert!(run.consumed > 0, "{:x?}", self.bytes);
                        self.lent.extend(run.text.as_bytes());
                        rest = &rest[run.consumed..];
                    }
                    Err(rejection) => {
                        assert_eq!(runs.step(b"a"), Err(rejection), "{:x?}", self.bytes);
                        verdict = Err(rejection);
                        break 'chunks;
                    }
                }
            }
            self.received.fill(POISON);
        }
        let finished = runs.finish();
        let expected = self.fault.map_or(Ok(()), |fault| Err(fault.rejection));
        assert_eq!(verdict.and(finished), expected, "{:x?}", self.bytes);
        assert_eq!(finished, expected, "{:x?}", self.bytes);
        let whole = self.fault.and_then(|fault| fault.rejection.at());
        let whole = whole.map_or(self.bytes.len(), |at| usize::try_from(at).unwrap_or(usize::MAX));
        assert_eq!(self.lent, self.bytes[..whole], "{:x?}", self.bytes);
    }

    fn compare_lossy(&mut self, lengths: impl Iterator<Item = usize>) {
        let mut lossy = Lossy::new();
        let mut start = 0;
        self.lent.clear();
        for length in lengths {
            self.receive(start, length);
            start += length;
            let mut rest = self.received.as_slice();
            while !rest.is_empty() {
                let run = lossy.step(rest);
                self.lent.extend(run.piece.as_str().as_bytes());
                rest = &rest[run.consumed..];
            }
            self.received.fill(POISON);
        }
        self.lent.extend(lossy.finish().iter().flat_map(|piece| piece.as_str().as_bytes()));
        assert_eq!(self.lent, self.repaired, "{:x?}", self.bytes);
        assert_eq!((lossy.finish(), lossy.pending()), (None, 0), "{:x?}", self.bytes);
    }

    fn receive(&mut self, start: usize, length: usize) {
        self.received.clear();
        self.received.extend(&self.bytes[start..start + length]);
    }
}

/// Continues any character, and begins none.
const POISON: u8 = 0x90;

/// Offset of the byte with which the text first is beyond repair by more bytes; it lies at or behind `from`.
fn first_invalid(bytes: &[u8], from: usize) -> usize {
    let beyond_repair =
        |end: &usize| str::from_utf8(&bytes[..=*end]).is_err_and(|error| error.error_len().is_some());
    (from..bytes.len()).find(beyond_repair).unwrap_or(bytes.len())
}
