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

    #[inline(never)]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        #[cfg(feature = "crc32fast")]
        let by = by_processor;
        #[cfg(all(feature = "small-crc", not(feature = "crc32fast")))]
        let by = by_halves;
        #[cfg(not(any(feature = "small-crc", feature = "crc32fast")))]
        let by = by_bytes;
        self.0 = by(self.0, bytes);
    }
}

#[cfg(feature = "crc32fast")]
#[inline(always)]
fn by_processor(crc: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(crc);
    hasher.update(bytes);
    hasher.finalize()
}

/// Goes on from the value `crc`. `step` says what the register is behind the eight bits that leave it. Four bytes come into it
/// at once, so that each costs no more than its step.
#[cfg(any(test, not(feature = "crc32fast")))]
#[inline(always)]
fn over(crc: u32, bytes: &[u8], step: impl Fn(u32) -> u32) -> u32 {
    let (words, rest) = bytes.as_chunks::<4>();
    let word = |register: u32, word: &[u8; 4]| step(step(step(step(register ^ u32::from_le_bytes(*word)))));
    let register = words.iter().fold(!crc, word);
    !rest.iter().fold(register, |register, &byte| step(register ^ u32::from(byte)))
}

/// With what eight bits that leave the register bring into it.
#[cfg(any(test, not(any(feature = "small-crc", feature = "crc32fast"))))]
#[inline(always)]
fn by_bytes(crc: u32, bytes: &[u8]) -> u32 {
    static TABLE: &[[u32; 256]; 1] = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).table();
    let [table] = TABLE;
    let brought = |register: u32| table.get(usize::from(register as u8)).copied().unwrap_or(0);
    over(crc, bytes, |register| (register >> 8) ^ brought(register))
}

/// With what four bits that leave the register bring into it.
#[cfg(any(test, all(feature = "small-crc", not(feature = "crc32fast"))))]
#[inline(always)]
fn by_halves(crc: u32, bytes: &[u8]) -> u32 {
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
    over(crc, bytes, |register| half(half(register)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bit at a time, as the algorithm is written down.
    fn by_bits(crc: u32, bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!crc, |register, &byte| {
            (0..8).fold(register ^ u32::from(byte), |register, _| {
                (register >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(register & 1))
            })
        })
    }

    #[test]
    fn eight_and_four_bits_at_a_time_give_the_same_as_one() {
        let bytes: [u8; 256] = core::array::from_fn(|byte| byte as u8);
        // A few of the lengths where each step is interpreted.
        for length in (0..=bytes.len()).step_by(if cfg!(miri) { 37 } else { 1 }) {
            let (head, tail) = bytes[..length].split_at(length / 2);
            let expected = by_bits(0, &bytes[..length]);
            assert_eq!(by_bytes(by_bytes(0, head), tail), expected);
            assert_eq!(by_halves(by_halves(0, head), tail), expected);
        }
        assert_eq!(by_bits(0, b"123456789"), 0xCBF4_3926);
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
