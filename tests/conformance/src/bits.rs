//! Raw DEFLATE written bit by bit, as RFC 1951, section 3.1.1, packs it: from the least significant bit of
//! each byte up, Huffman codes with their most significant bit first.

/// A writer of bits, and of the elements of DEFLATE.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

/// The smallest length of each length code from 257 on, and its extra bits (section 3.2.5).
const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// The smallest distance of each distance code, and its extra bits (section 3.2.5).
const DISTANCES: [(u16, u8); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

/// The order of the code length code's lengths (section 3.2.7).
const CODE_LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The symbol of the end of a block.
const END: usize = 256;

/// The code of `value` in one of the tables: its number, its extra bits and their count.
fn coded(table: &[(u16, u8)], value: u16) -> (usize, u16, u8) {
    let number = table.iter().rposition(|&(smallest, _)| smallest <= value).expect("a value of the table");
    let (smallest, extra) = table[number];
    (number, value - smallest, extra)
}

impl Bits {
    /// No bits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many bits were written: the offset of the next byte is this divided by 8.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The bytes, with zero bits up to the end of the last.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// A number of `count` bits, its least significant bit first.
    pub fn number(&mut self, value: u32, count: u8) -> &mut Self {
        for bit in 0..count {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("a byte was begun");
            *last |= (((value >> bit) & 1) as u8) << (self.count % 8);
            self.count += 1;
        }
        self
    }

    /// A Huffman code of `count` bits, its most significant bit first.
    pub fn code(&mut self, code: u32, count: u8) -> &mut Self {
        for bit in (0..count).rev() {
            self.number((code >> bit) & 1, 1);
        }
        self
    }

    /// Bits up to the next byte, all of this value.
    pub fn align(&mut self, bit: u32) -> &mut Self {
        while !self.count.is_multiple_of(8) {
            self.number(bit, 1);
        }
        self
    }

    /// The three bits before a block: whether it is the last, and its type.
    pub fn block(&mut self, last: bool, kind: u32) -> &mut Self {
        self.number(u32::from(last), 1).number(kind, 2)
    }

    /// A stored block (section 3.2.4).
    pub fn stored(&mut self, last: bool, data: &[u8]) -> &mut Self {
        let length = u32::try_from(data.len()).expect("at most 65,535 bytes");
        self.block(last, 0).align(0).number(length, 16).number(!length & 0xFFFF, 16);
        for &byte in data {
            self.number(u32::from(byte), 8);
        }
        self
    }

    /// The code of a literal/length symbol in a block of type 1 (section 3.2.6).
    pub fn fixed_symbol(&mut self, symbol: u32) -> &mut Self {
        match symbol {
            0..=143 => self.code(0b0011_0000 + symbol, 8),
            144..=255 => self.code(0b1_1001_0000 + symbol - 144, 9),
            256..=279 => self.code(symbol - 256, 7),
            _ => self.code(0b1100_0000 + symbol - 280, 8),
        }
    }

    /// Literals in a block of type 1.
    pub fn fixed_literals(&mut self, bytes: &[u8]) -> &mut Self {
        for &byte in bytes {
            self.fixed_symbol(u32::from(byte));
        }
        self
    }

    /// A match in a block of type 1.
    pub fn fixed_match(&mut self, length: u16, distance: u16) -> &mut Self {
        let (number, value, extra) = coded(&LENGTHS, length);
        self.fixed_symbol(257 + number as u32).number(u32::from(value), extra);
        let (number, value, extra) = coded(&DISTANCES, distance);
        self.code(number as u32, 5).number(u32::from(value), extra)
    }

    /// The end of a block of type 1.
    pub fn fixed_end(&mut self) -> &mut Self {
        self.fixed_symbol(END as u32)
    }

    /// A whole block of type 1 with literals only.
    pub fn fixed(&mut self, last: bool, bytes: &[u8]) -> &mut Self {
        self.block(last, 1).fixed_literals(bytes).fixed_end()
    }
}

/// The two codes of a block of type 2, by their lengths. Nothing is checked: they may be spoiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dynamic {
    /// The lengths of the literal/length code: 257 to 288 of them.
    pub literals: Vec<u8>,
    /// The lengths of the distance code: 1 to 32 of them.
    pub distances: Vec<u8>,
}

impl Dynamic {
    /// All lengths are 0 but those given, of the symbols given.
    #[must_use]
    pub fn new(literals: &[(usize, u8)], distances: &[(usize, u8)]) -> Self {
        let lengths = |least: usize, codes: &[(usize, u8)]| {
            let most = codes.iter().map(|&(symbol, _)| symbol + 1).max().unwrap_or(0);
            let mut lengths = vec![0; most.max(least)];
            for &(symbol, length) in codes {
                lengths[symbol] = length;
            }
            lengths
        };
        Self { literals: lengths(257, literals), distances: lengths(1, distances) }
    }

    /// The block's head: its three bits, the code length code and all lengths, each written by itself.
    ///
    /// The code length code gives the lengths 0 to 15 four bits each, and none to the repeats.
    pub fn open(&self, bits: &mut Bits, last: bool) {
        Self::open_counts(bits, last, self.literals.len(), self.distances.len(), 19);
        for symbol in CODE_LENGTH_ORDER {
            bits.number(if symbol < 16 { 4 } else { 0 }, 3);
        }
        for &length in self.literals.iter().chain(&self.distances) {
            bits.code(u32::from(length), 4);
        }
    }

    /// The three bits, and HLIT, HDIST and HCLEN for so many codes.
    pub fn open_counts(bits: &mut Bits, last: bool, literals: usize, distances: usize, code_lengths: usize) {
        bits.block(last, 2);
        bits.number((literals - 257) as u32, 5);
        bits.number((distances - 1) as u32, 5);
        bits.number((code_lengths - 4) as u32, 4);
    }

    /// The code of a literal/length symbol.
    pub fn symbol(&self, bits: &mut Bits, symbol: usize) {
        let (code, length) = canonical(&self.literals, symbol);
        bits.code(code, length);
    }

    /// Literals.
    pub fn put(&self, bits: &mut Bits, bytes: &[u8]) {
        for &byte in bytes {
            self.symbol(bits, usize::from(byte));
        }
    }

    /// A match.
    pub fn copy(&self, bits: &mut Bits, length: u16, distance: u16) {
        let (number, value, extra) = coded(&LENGTHS, length);
        self.symbol(bits, 257 + number);
        bits.number(u32::from(value), extra);
        let (number, value, extra) = coded(&DISTANCES, distance);
        let (code, length) = canonical(&self.distances, number);
        bits.code(code, length).number(u32::from(value), extra);
    }

    /// The end of the block.
    pub fn close(&self, bits: &mut Bits) {
        self.symbol(bits, END);
    }
}

/// The code that section 3.2.2 gives to a symbol, and its length.
fn canonical(lengths: &[u8], symbol: usize) -> (u32, u8) {
    let length = lengths[symbol];
    assert!(length > 0, "symbol {symbol} has a code");
    let mut code = 0;
    for shorter in 1..=length {
        let before = lengths.iter().filter(|&&other| other == shorter - 1 && other > 0).count();
        code = (code + before as u32) << 1;
    }
    (code + lengths[..symbol].iter().filter(|&&other| other == length).count() as u32, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_the_example_in_the_rfc_come_out() {
        // RFC 1951, section 3.2.2: the lengths of A to H and their codes.
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        let codes = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
        for (symbol, &code) in codes.iter().enumerate() {
            assert_eq!(canonical(&lengths, symbol), (code, lengths[symbol]));
        }
    }

    #[test]
    fn hello_comes_out_as_gzip_packs_it() {
        // `printf hello | gzip -n`
        let packed = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00];
        assert_eq!(Bits::new().fixed(true, b"hello").bytes(), packed);
    }

    #[test]
    fn an_oracle_reads_what_is_written() {
        let mut bits = Bits::new();
        bits.stored(false, b"stored ").fixed(false, b"fixed \xFF ").stored(false, b"");
        bits.block(false, 1).fixed_literals(b"match").fixed_match(258, 5).fixed_match(3, 258).fixed_end();
        let dynamic = Dynamic::new(&[(97, 1), (98, 2), (256, 3), (285, 3)], &[(0, 1), (29, 1)]);
        dynamic.open(&mut bits, true);
        dynamic.put(&mut bits, b"aabba");
        dynamic.copy(&mut bits, 258, 1);
        dynamic.close(&mut bits);
        let mut expected = b"stored fixed \xFF match".to_vec();
        for (length, distance) in [(258, 5), (3, 258)] {
            (0..length).for_each(|_| expected.push(expected[expected.len() - distance]));
        }
        expected.extend_from_slice(b"aabba");
        expected.extend_from_slice(&[b'a'; 258]);
        assert_eq!(crate::oracle::inflate(&bits.bytes()), Some((expected, bits.bytes().len())));
    }
}
