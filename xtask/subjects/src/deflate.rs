//! DEFLATE streams (RFC 1951) written block by block.

/// Raw DEFLATE and what it decodes to.
pub struct Stream {
    /// Its name in the report.
    pub name: String,
    /// The stream.
    pub body: Vec<u8>,
    /// What it decodes to.
    pub decoded: Vec<u8>,
}

/// Streams of `size` bytes or a few more, made of empty blocks.
#[must_use]
pub fn empty(size: usize) -> Vec<Stream> {
    let stream = |name: &str, blocks: &[fn(&mut Bits, bool)]| {
        let mut bits = Bits::default();
        while bits.len() < size {
            for block in blocks {
                block(&mut bits, false);
            }
        }
        bits.fixed(true);
        Stream { name: name.to_owned(), body: bits.finish(), decoded: Vec::new() }
    };
    vec![
        stream("empty fixed blocks", &[Bits::fixed]),
        stream("empty dynamic blocks", &[Bits::dynamic]),
        stream("dynamic and fixed in turn", &[Bits::dynamic, Bits::fixed]),
        stream("empty stored blocks", &[Bits::stored]),
    ]
}

/// Writes the blocks of RFC 1951, section 3.2, least significant bit first.
#[derive(Default)]
pub struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// Whole bytes so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no whole byte yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The `count` lowest bits of `value`.
    pub fn put(&mut self, value: u64, count: u32) {
        self.pending |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Zeros up to the next byte.
    pub fn align(&mut self) {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
    }

    /// `BFINAL` and `BTYPE`.
    pub fn header(&mut self, last: bool, kind: u64) {
        self.put(u64::from(last), 1);
        self.put(kind, 2);
    }

    /// A stored block of length 0: header, to the byte boundary, LEN, NLEN.
    pub fn stored(&mut self, last: bool) {
        self.header(last, 0);
        self.align();
        self.put(0xFFFF_0000, 32);
    }

    /// A fixed block with the end-of-block code only, seven zeros.
    pub fn fixed(&mut self, last: bool) {
        self.header(last, 1);
        self.put(0, 7);
    }

    /// The shortest dynamic block: 257 literal/length codes of which only end-of-block has one, of one bit;
    /// one distance code, without a length. Code length symbols: 18 is `0`, 0 is `10`, 1 is `11`.
    pub fn dynamic(&mut self, last: bool) {
        const ORDER: [usize; 18] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
        self.header(last, 2);
        self.put(0, 5); // HLIT: 257
        self.put(0, 5); // HDIST: 1
        self.put(ORDER.len() as u64 - 4, 4);
        for symbol in ORDER {
            self.put(if symbol == 18 { 1 } else { 2 * u64::from(symbol < 2) }, 3);
        }
        for zeros in [138, 118] {
            self.put(0, 1);
            self.put(zeros - 11, 7);
        }
        self.put(0b11, 2); // 256 has one bit.
        self.put(0b01, 2); // Distance 0 has none.
        self.put(0, 1); // End of block.
    }

    /// The bytes, the last one filled with zeros.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}
