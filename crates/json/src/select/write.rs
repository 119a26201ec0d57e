//! Compact JSON (RFC 8259) into a slice.
//!
//! Text that does not fit is not written, and nothing behind it either, so that what was written is a prefix of the whole.

/// Where JSON text goes: a slice, how much of it is filled, and whether something did not fit.
pub(super) struct Writer<'b> {
    buffer: &'b mut [u8],
    len: usize,
    full: bool,
}

impl<'b> Writer<'b> {
    pub(super) const fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, len: 0, full: false }
    }

    /// Text as it is.
    pub(super) fn put(&mut self, text: &[u8]) {
        let end = self.len.wrapping_add(text.len());
        match self.buffer.get_mut(self.len..end) {
            Some(room) if !self.full => {
                room.copy_from_slice(text);
                self.len = end;
            }
            _ => self.full = true,
        }
    }

    /// Text as a string (section 7): in quotes, with the escapes that it must have and no others.
    pub(super) fn string(&mut self, text: &[u8]) {
        self.put(b"\"");
        let mut rest = text;
        while let Some(plain) = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | ..b' ')) {
            let (before, behind) = rest.split_at_checked(plain).unwrap_or_default();
            self.put(before);
            if let Some((&byte, behind)) = behind.split_first() {
                self.escape(byte);
                rest = behind;
            }
        }
        self.put(rest);
        self.put(b"\"");
    }

    fn escape(&mut self, byte: u8) {
        let letter = match byte {
            0x08 => b'b',
            0x0C => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            b'"' | b'\\' => byte,
            _ => {
                let digit = |value: u8| {
                    if value < 10 { value.wrapping_add(b'0') } else { value.wrapping_add(b'a' - 10) }
                };
                return self.put(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            }
        };
        self.put(&[b'\\', letter]);
    }

    /// How much was written.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Takes everything behind the first `len` bytes back.
    pub(super) fn rewind(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.full = false;
    }

    /// What was written so far, if all of it fits.
    pub(super) fn text(&self) -> Option<&[u8]> {
        if self.full { None } else { self.buffer.get(..self.len) }
    }

    /// What was written, if all of it fits.
    pub(super) fn finish(self) -> Option<&'b [u8]> {
        if self.full { None } else { self.buffer.get(..self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str, room: usize) -> Option<std::string::String> {
        let mut buffer = std::vec![0xFF; room];
        let mut writer = Writer::new(&mut buffer);
        writer.string(text.as_bytes());
        writer.finish().map(|text| std::str::from_utf8(text).unwrap().into())
    }

    #[test]
    fn a_string_has_the_escapes_that_it_must_have_and_no_others() {
        for (text, expected) in [
            ("", r#""""#),
            ("a/b é \u{7f}\u{2028}😀", "\"a/b é \u{7f}\u{2028}😀\""),
            ("\"\\", r#""\"\\""#),
            ("\u{8}\u{c}\n\r\t", r#""\b\f\n\r\t""#),
            ("\0x\u{1f}\u{b}\u{1a}\u{19}", r#""\u0000x\u001f\u000b\u001a\u0019""#),
        ] {
            assert_eq!(string(text, 64).as_deref(), Some(expected), "{text:?}");
            assert_eq!(string(text, expected.len()).as_deref(), Some(expected), "{text:?}");
            for room in 0..expected.len() {
                assert_eq!(string(text, room), None, "{text:?} {room}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_ends_it_also_where_less_would_fit_behind() {
        let mut buffer = [0; 3];
        let mut writer = Writer::new(&mut buffer);
        writer.put(b"ab");
        writer.put(b"cd");
        writer.put(b"e");
        assert_eq!(writer.finish(), None);
        assert_eq!(&buffer, b"ab\0");
    }
}
