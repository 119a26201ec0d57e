//! Bits into bytes (RFC 1951, section 3.1.1), for hand-made streams.

/// A row of bits.
#[derive(Clone, Default, Debug)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are used, 0 where it is full.
    used: u32,
}

impl BitWriter {
    /// No bits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A field, its lowest bit first.
    pub fn field(&mut self, value: u32, bits: u32) -> &mut Self {
        for bit in 0..bits {
            if self.used == 0 {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value >> bit & 1) as u8) << self.used;
            self.used = (self.used + 1) & 7;
        }
        self
    }

    /// A Huffman code, its highest bit first.
    pub fn code(&mut self, code: u32, bits: u32) -> &mut Self {
        for bit in (0..bits).rev() {
            self.field(code >> bit, 1);
        }
        self
    }

    /// Zeros up to the next byte.
    pub fn align(&mut self) -> &mut Self {
        self.used = 0;
        self
    }

    /// Whole bytes, after aligning.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.align().bytes.extend_from_slice(bytes);
        self
    }

    /// The bytes so far, the last one filled up with zeros.
    #[must_use]
    pub fn done(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}
