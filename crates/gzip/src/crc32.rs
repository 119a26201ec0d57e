//! CRC-32 as in RFC 1952, section 8: four bytes of state, and a table of 1 KiB in flash.

/// A running CRC-32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Crc32(u32);

impl Crc32 {
    pub(crate) const fn new() -> Self {
        Self(0)
    }

    /// The value over everything so far.
    pub(crate) const fn value(self) -> u32 {
        self.0
    }

    #[cfg(feature = "crc32fast")]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.0);
        hasher.update(bytes);
        self.0 = hasher.finalize();
    }

    #[cfg(not(feature = "crc32fast"))]
    #[inline(never)]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        use crc::{CRC_32_ISO_HDLC, Crc};
        static TABLE: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
        // The crate takes the register's start as the algorithm writes it: unreflected, before the last XOR.
        let register = (self.0 ^ CRC_32_ISO_HDLC.xorout).reverse_bits();
        let mut digest = TABLE.digest_with_initial(register);
        digest.update(bytes);
        self.0 = digest.finalize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_the_check_value_of_the_algorithm_at_every_cut() {
        let check = b"123456789";
        for cut in 0..=check.len() {
            let mut crc = Crc32::new();
            crc.update(&check[..cut]);
            crc.update(&check[cut..]);
            assert_eq!(crc.value(), 0xCBF4_3926, "cut at {cut}");
        }
    }
}
