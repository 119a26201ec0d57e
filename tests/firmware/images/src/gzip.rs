//! gzip members (RFC 1952) around text that is known when the image is compiled.

/// A text as a gzip member, in flash.
#[macro_export]
macro_rules! gzip {
    ($text:expr) => {{
        const TEXT: &[u8] = $text;
        const MEMBER: [u8; TEXT.len() + $crate::gzip::FRAME] = $crate::gzip::member(TEXT);
        &MEMBER
    }};
}

/// Parts of a body one behind the other, in flash.
#[macro_export]
macro_rules! joined {
    ($($part:expr),+ $(,)?) => {{
        const PARTS: &[&[u8]] = &[$($part),+];
        const LENGTH: usize = 0 $(+ { const PART: &[u8] = $part; PART.len() })+;
        const JOINED: [u8; LENGTH] = $crate::gzip::join(PARTS);
        &JOINED
    }};
}

/// A header without optional fields (section 2.3).
pub const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// Bytes around the text of a [`member`]: header, head of a stored block, trailer.
pub const FRAME: usize = HEADER.len() + 5 + 8;

/// The member with one stored block (RFC 1951, section 3.2.4) of `text`.
#[must_use]
pub const fn member<const N: usize>(text: &[u8]) -> [u8; N] {
    let length = text.len() as u16;
    let [low, high] = length.to_le_bytes();
    let [low_inverse, high_inverse] = (!length).to_le_bytes();
    let block = [1, low, high, low_inverse, high_inverse];
    let (crc, size) = (crc32(text).to_le_bytes(), (text.len() as u32).to_le_bytes());
    join(&[&HEADER, &block, text, &crc, &size])
}

/// The parts one behind the other. It does not compile if they are not `N` bytes together.
#[must_use]
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated when this is compiled"
)]
pub const fn join<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut joined = [0; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut byte = 0;
        while byte < parts[part].len() {
            joined[at] = parts[part][byte];
            byte += 1;
            at += 1;
        }
        part += 1;
    }
    assert!(at == N);
    joined
}

/// CRC-32, bit by bit (RFC 1952, section 8).
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated when this is compiled"
)]
const fn crc32(text: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    let mut at = 0;
    while at < text.len() {
        crc ^= text[at] as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        at += 1;
    }
    !crc
}
