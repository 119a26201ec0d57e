//! CRC-32 as in RFC 1952, section 8: four bytes of state, and a table in flash: 1 KiB, or 64 bytes with the feature
//! `small-crc`. With `crc32fast`, which comes first where both are on, neither.

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

    #[cfg(all(feature = "small-crc", not(feature = "crc32fast")))]
    #[inline(never)]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0 = by_halves(self.0, bytes);
    }

    #[cfg(not(any(feature = "small-crc", feature = "crc32fast")))]
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

/// Goes on from the value `crc`, four bits at a time.
#[cfg(any(test, all(feature = "small-crc", not(feature = "crc32fast"))))]
fn by_halves(crc: u32, bytes: &[u8]) -> u32 {
    /// What four bits that leave the register bring into it.
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
    static HALVES: [u32; 16] = {
        let mut table = [0; 16];
        let mut index = 0;
        while index < 16 {
            let mut register = index as u32;
            let mut bit = 0;
            while bit < 4 {
                register = (register >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(register & 1));
                bit += 1;
            }
            table[index] = register;
            index += 1;
        }
        table
    };
    let half = |register: u32| (register >> 4) ^ HALVES.get(register as usize & 15).copied().unwrap_or(0);
    !bytes.iter().fold(!crc, |register, &byte| half(half(register ^ u32::from(byte))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bits_at_a_time_give_the_same() {
        let bytes: [u8; 256] = core::array::from_fn(|byte| byte as u8);
        // A few of the lengths where each step is interpreted.
        for length in (0..=bytes.len()).step_by(if cfg!(miri) { 37 } else { 1 }) {
            let mut crc = Crc32::new();
            crc.update(&bytes[..length]);
            assert_eq!(
                by_halves(by_halves(0, &bytes[..length / 2]), &bytes[length / 2..length]),
                crc.value()
            );
        }
        assert_eq!(by_halves(0, b"123456789"), 0xCBF4_3926);
    }

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
