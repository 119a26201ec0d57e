//! The bytes of the longest record, as the limit for them counts: without its delimiter, blank lines included.

use plimsoll::json::Framing;

/// Begins a record of a JSON text sequence (RFC 7464, section 2.1).
const RECORD_SEPARATOR: u8 = 0x1E;

/// Looks at the bytes of a body and keeps the length of its longest record.
pub(crate) struct Longest {
    delimiter: u8,
    /// Of the current record so far.
    current: u64,
    longest: u64,
    /// Whether the last byte is a CR, which belongs to the delimiter if LF follows.
    carriage_return: bool,
}

impl Longest {
    pub(crate) const fn of(framing: Framing) -> Self {
        let delimiter = match framing {
            Framing::Lines => b'\n',
            Framing::Sequence => RECORD_SEPARATOR,
        };
        Self { delimiter, current: 0, longest: 0, carriage_return: false }
    }

    /// The longest record up to here, the one that is not over yet included.
    pub(crate) fn bytes(&self) -> u64 {
        self.longest.max(self.current)
    }

    pub(crate) fn see(&mut self, bytes: &[u8]) {
        let delimiter = self.delimiter;
        for piece in bytes.split_inclusive(|&byte| byte == delimiter) {
            match piece.split_last() {
                Some((&last, content)) if last == delimiter => {
                    self.add(content);
                    self.end();
                }
                _ => self.add(piece),
            }
        }
    }

    fn add(&mut self, content: &[u8]) {
        if let Some(&last) = content.last() {
            self.current = self.current.saturating_add(content.len() as u64);
            self.carriage_return = last == b'\r' && self.delimiter == b'\n';
        }
    }

    fn end(&mut self) {
        self.current = self.current.saturating_sub(u64::from(self.carriage_return));
        self.longest = self.bytes();
        (self.current, self.carriage_return) = (0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest record of a body, for every way to cut it in two.
    fn longest(framing: Framing, body: &[u8]) -> u64 {
        let mut all = (0..=body.len()).map(|cut| {
            let (first, second) = body.split_at(cut);
            let mut longest = Longest::of(framing);
            longest.see(first);
            longest.see(second);
            longest.bytes()
        });
        let bytes = all.next().unwrap_or_default();
        assert!(all.all(|other| other == bytes), "{body:?}");
        bytes
    }

    #[test]
    fn a_line_is_counted_without_its_end_and_a_blank_one_too() {
        for (body, bytes) in [
            (&b""[..], 0),
            (b"\n", 0),
            (b"123\n45", 3),
            (b"12\n345", 3),
            (b"123\r\n45\r\n", 3),
            (b"12\n\r\n    \r\n3", 4),
            (b"1\r2\n", 3),
            (b"12\r", 3),
            (b"1\r\r\n", 2),
        ] {
            assert_eq!(longest(Framing::Lines, body), bytes, "{body:?}");
        }
    }

    #[test]
    fn of_a_sequence_only_the_separator_does_not_count() {
        for (body, bytes) in [(&b"\x1e1\n\x1e23\n"[..], 3), (b"\x1e\x1e12\r\n", 4), (b"\x1e", 0)] {
            assert_eq!(longest(Framing::Sequence, body), bytes, "{body:?}");
        }
    }
}
