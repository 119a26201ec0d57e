//! The length field is a length modulo 2^32 (RFC 1952, section 2.3.1): members of 4 GiB and more.
//!
//! The decoder behind the framing is a stand-in that brings zeros without input, so that nothing has to be
//! stored; their CRC takes seconds by a table and a moment with the processor's instructions.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{HeaderCrc, Member};
use plimsoll::core::{Decode, Reason, Rejection, Restart, Run, Step};
use plimsoll::gzip::{Gunzip, Policy};

const ZEROS: &[u8] = &[0; 1 << 20];

/// Brings so many zeros, without a look at its input.
struct Zeros {
    size: u64,
    left: u64,
}

impl Decode for Zeros {
    fn decode<'a>(&'a mut self, _input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        let count = usize::try_from(self.left).unwrap_or(usize::MAX).min(ZEROS.len());
        self.left -= count as u64;
        Ok(if count > 0 { Step::lend(0, &ZEROS[..count]) } else { Step::end(0) })
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}

impl Restart for Zeros {
    fn restart(&mut self) {
        self.left = self.size;
    }
}

/// The CRC-32 of so many zeros, by doubling.
fn crc_of_zeros(size: u64) -> u32 {
    let mut power = crc32fast::Hasher::new();
    power.update(&[0]);
    let mut all = crc32fast::Hasher::new();
    for bit in 0..64 - size.leading_zeros() {
        if size >> bit & 1 == 1 {
            all.combine(&power);
        }
        let other = power.clone();
        power.combine(&other);
    }
    all.finalize()
}

/// What a member of `size` zeros with this length field comes to.
fn verdict(size: u64, length: u32) -> Result<(), Rejection> {
    let member = Member {
        crc: crc_of_zeros(size),
        length,
        header_crc: HeaderCrc::Right,
        ..Member::of(Vec::new(), b"")
    };
    let body = member.bytes();
    let mut gunzip = Gunzip::new(Zeros { size, left: 0 }, Policy::single(64));
    let mut rest = &body[..];
    loop {
        let step = gunzip.decode(rest)?;
        rest = &rest[step.consumed..];
        if step.run == Run::NeedInput {
            return gunzip.finish();
        }
    }
}

#[test]
fn the_stand_in_is_checked_like_any_other() {
    assert_eq!(crc_of_zeros(5), crc32fast::hash(&[0; 5]));
    assert_eq!(verdict(3 << 20, 3 << 20), Ok(()));
    assert_eq!(verdict(3 << 20, 5), Err(Rejection::fault(Reason::LengthField, 16)));
}

#[test]
#[cfg_attr(not(feature = "crc32fast"), ignore = "4 GiB through a table: run with the feature crc32fast")]
fn a_member_of_more_than_four_gibibytes_has_its_length_modulo_two_to_the_32() {
    let size = (1_u64 << 32) + 5;
    assert_eq!(verdict(size, 5), Ok(()));
}
