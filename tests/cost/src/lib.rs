//! The worst bodies that are known: much to do for each byte that is sent, and nothing in it that is refused by itself.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

/// Bits of a DEFLATE stream, lowest first (RFC 1951, section 3.1.1).
#[derive(Clone, Debug, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    /// A field of so many bits, its lowest first.
    #[must_use]
    pub fn field(mut self, value: u32, count: usize) -> Self {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= u8::from(value >> bit & 1 == 1) << (self.used % 8);
            self.used += 1;
        }
        self
    }

    /// Whole bytes, behind the end of the one that was begun.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self.used = 8 * self.bytes.len();
        self
    }

    /// The block with the shortest header of a dynamic one, which brings nothing: 257 literal/length codes of which the
    /// end of the block has one, and one distance code, in 92 bits (section 3.2.7).
    #[must_use]
    pub fn dynamic(self) -> Self {
        let mut bits = self.field(0, 1).field(2, 2).field(0, 5).field(0, 5).field(14, 4);
        // 18 is `0`, 0 `10` and 1 `11`, in the order 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1.
        for length in [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] {
            bits = bits.field(length, 3);
        }
        // 138 and 118 lengths of 0, one of 1, one of 0, and the end of the block.
        bits.field(0, 1).field(127, 7).field(0, 1).field(107, 7).field(0b11, 2).field(0b01, 2).field(0, 1)
    }

    /// The same with all 286 and 30 codes, in 98 bits: the most code lengths for the fewest bits.
    #[must_use]
    pub fn dynamic_all(self) -> Self {
        let mut bits = self.field(0, 1).field(2, 2).field(29, 5).field(29, 5).field(14, 4);
        for length in [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] {
            bits = bits.field(length, 3);
        }
        // 138 and 118 lengths of 0, one of 1, 59 of 0, and the end of the block.
        bits.field(0, 1)
            .field(127, 7)
            .field(0, 1)
            .field(107, 7)
            .field(0b11, 2)
            .field(0, 1)
            .field(48, 7)
            .field(0, 1)
    }

    /// A block of the fixed codes that brings nothing, in 10 bits.
    #[must_use]
    pub fn fixed(self) -> Self {
        self.field(0, 1).field(1, 2).field(0, 7)
    }

    /// A stored block that is not the last.
    #[must_use]
    pub fn stored(self, text: &[u8]) -> Self {
        let length = u16::try_from(text.len()).unwrap();
        self.field(0, 3).bytes(&length.to_le_bytes()).bytes(&(!length).to_le_bytes()).bytes(text)
    }

    /// The stream, ended by an empty block of the fixed codes.
    #[must_use]
    pub fn last(self) -> Vec<u8> {
        self.field(1, 1).field(1, 2).field(0, 7).bytes
    }
}

/// A gzip member of this stream, which decodes to `text` (RFC 1952).
#[must_use]
pub fn member(deflate: &[u8], text: &[u8]) -> Vec<u8> {
    let header = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    let length = u32::try_from(text.len()).unwrap();
    [&header[..], deflate, &crc32(text).to_le_bytes(), &length.to_le_bytes()].concat()
}

/// The checksum of RFC 1952, section 8, bit by bit.
#[must_use]
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// A gzip body and what it decodes to.
#[derive(Clone, Debug)]
pub struct Body {
    /// A name for messages.
    pub name: &'static str,
    /// The encoded bytes.
    pub sent: Vec<u8>,
    /// The decoded bytes.
    pub text: Vec<u8>,
    /// Of how many members.
    pub members: u64,
}

/// Bodies of much work and little output, and of little input and much output.
#[must_use]
pub fn bodies() -> Vec<Body> {
    let of = |name, deflate: Vec<u8>, text: Vec<u8>| Body {
        name,
        sent: member(&deflate, &text),
        text,
        members: 1,
    };
    let repeat =
        |count: usize, block: fn(Bits) -> Bits| (0..count).fold(Bits::default(), |bits, _| block(bits));
    let mut bodies = vec![
        of("empty stored blocks", repeat(2_000, |bits| bits.stored(&[])).last(), vec![]),
        of("empty fixed blocks", repeat(6_000, Bits::fixed).last(), vec![]),
        of("empty dynamic blocks", repeat(800, Bits::dynamic).last(), vec![]),
        of("empty dynamic blocks with all codes", repeat(800, Bits::dynamic_all).last(), vec![]),
        of("dynamic and fixed blocks in turn", repeat(700, |bits| bits.dynamic().fixed()).last(), vec![]),
        of("stored blocks of one byte", repeat(2_000, |bits| bits.stored(b"x")).last(), vec![b'x'; 2_000]),
    ];
    // A literal of the fixed codes, then matches of 258 bytes at distance 1, in 13 bits each.
    let bomb = (0..400).fold(Bits::default().field(0, 1).field(1, 2).field(0b0001_1110, 8), |bits, _| {
        bits.field(0b1010_0011, 8).field(0, 5)
    });
    bodies.push(of("a bomb", bomb.field(0, 7).last(), vec![b'H'; 1 + 400 * 258]));
    let empty = member(&Bits::default().last(), &[]);
    let single = member(&Bits::default().stored(b"x").last(), b"x");
    for (name, each, text) in [("empty members", &empty, &b""[..]), ("members of one byte", &single, b"x")] {
        bodies.push(Body { name, sent: each.repeat(500), text: text.repeat(500), members: 500 });
    }
    bodies
}
