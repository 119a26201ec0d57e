//! Escapes in strings (RFC 8259, section 7) and the surrogate pairs of UTF-16 (RFC 2781, section 2).

/// The character that a backslash and `byte` stand for; `None` for `u` and for what is no escape.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(crate) const fn simple(byte: u8) -> Option<u8> {
    Some(match byte {
        b'"' | b'\\' | b'/' => byte,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => return None,
    })
}

/// The value of a hexadecimal digit.
#[inline(always)]
pub(crate) const fn hex_digit(byte: u8) -> Option<u8> {
    let decimal = byte.wrapping_sub(b'0');
    if decimal < 10 {
        return Some(decimal);
    }
    let letter = (byte | 0x20).wrapping_sub(b'a');
    if letter < 6 { Some(letter.wrapping_add(10)) } else { None }
}

/// Whether a UTF-16 unit is the first half of a pair.
pub(crate) const fn is_high(unit: u32) -> bool {
    unit & 0xfc00 == 0xd800
}

/// Whether a UTF-16 unit is the second half of a pair.
pub(crate) const fn is_low(unit: u32) -> bool {
    unit & 0xfc00 == 0xdc00
}

/// The code point of a pair.
pub(crate) const fn join(high: u32, low: u32) -> u32 {
    ((high & 0x3ff) << 10 | (low & 0x3ff)).wrapping_add(0x1_0000)
}

/// How many bytes a code point takes in UTF-8.
pub(crate) const fn utf8_len(code: u32) -> u32 {
    match code {
        0..=0x7f => 1,
        0x80..=0x7ff => 2,
        0x800..=0xffff => 3,
        _ => 4,
    }
}

/// The UTF-8 of a code point, in the first [`utf8_len`] of four bytes.
#[inline(always)]
pub(crate) fn utf8(code: u32) -> [u8; 4] {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    match utf8_len(code) {
        1 => [code as u8, 0, 0, 0],
        2 => [0xc0 | (code >> 6) as u8, tail(0), 0, 0],
        3 => [0xe0 | (code >> 12) as u8, tail(6), tail(0), 0],
        _ => [0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)],
    }
}

/// An escape that stands whole in a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Escape {
    /// Bytes from the backslash to its end, a pair's second half included.
    pub(crate) len: usize,
    /// The code point, which is no surrogate.
    pub(crate) code: u32,
}

/// The escape at the start of `bytes`, whose first byte is a backslash. `None` if it is cut or not valid.
#[inline(never)]
pub(crate) fn whole(bytes: &[u8]) -> Option<Escape> {
    let &kind = bytes.get(1)?;
    if let Some(character) = simple(kind) {
        return Some(Escape { len: 2, code: u32::from(character) });
    }
    let unit = unit(bytes)?;
    if is_low(unit) {
        return None;
    }
    if !is_high(unit) {
        return Some(Escape { len: 6, code: unit });
    }
    let low = self::unit(bytes.get(6..)?)?;
    if is_low(low) { Some(Escape { len: 12, code: join(unit, low) }) } else { None }
}

/// The unit of `\uXXXX` at the start of `bytes`.
fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.first_chunk::<6>()? else { return None };
    let mut unit = 0;
    for &digit in digits {
        unit = unit << 4 | u32::from(hex_digit(digit)?);
    }
    Some(unit)
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn a_whole_escape_gives_its_length_and_code_point() {
        for (text, len, code) in [
            (&b"\\n"[..], 2, 0x0a),
            (b"\\b", 2, 0x08),
            (b"\\f", 2, 0x0c),
            (b"\\r", 2, 0x0d),
            (b"\\t", 2, 0x09),
            (b"\\/", 2, 0x2f),
            (b"\\\\", 2, 0x5c),
            (b"\\\"", 2, 0x22),
            (b"\\u0000", 6, 0),
            (b"\\u00e9", 6, 0xe9),
            (b"\\uD7Ff", 6, 0xd7ff),
            (b"\\uE000", 6, 0xe000),
            // The example of RFC 8259, section 7.
            (b"\\uD834\\uDD1E", 12, 0x1_d11e),
            (b"\\udbff\\udfff", 12, 0x10_ffff),
            (b"\\ud800\\udc00", 12, 0x1_0000),
        ] {
            assert_eq!(whole(text), Some(Escape { len, code }), "{}", text.escape_ascii());
            assert!((1..len).all(|cut| whole(&text[..cut]).is_none()), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_hexadecimal_digit_is_one_of_either_case_and_no_neighbour() {
        for byte in 0..=u8::MAX {
            let expected = char::from(byte).to_digit(16).map(|digit| digit as u8);
            assert_eq!(hex_digit(byte), expected, "{byte:#04x}");
        }
    }

    #[test]
    fn what_is_no_whole_escape_gives_nothing() {
        for text in [
            &b"\\x41"[..],
            b"\\u12g4",
            b"\\U0041",
            b"\\ud800xxxxxx",
            b"\\ud800\\n....",
            b"\\ud800\\ud800",
            b"\\udc00\\ud800",
            b"\\udc00",
            b"\\u 041",
        ] {
            assert_eq!(whole(text), None, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn the_utf8_of_a_code_point_is_what_char_says() {
        for character in ['\0', '\x7f', '\u{80}', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}', '\u{10ffff}']
        {
            assert_eq!(utf8_len(character.into()) as usize, character.len_utf8());
            assert_eq!(&utf8(character.into())[..character.len_utf8()], character.to_string().as_bytes());
        }
    }
}
