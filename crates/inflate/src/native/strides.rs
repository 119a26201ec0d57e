//! Matches in wide strides, for the fast loop of 64-bit words (RFC 1951, section 3.2.3).
//!
//! Strides write up to 31 bytes too many. In a flat buffer nothing lies there, and a match of more than 32 bytes
//! is copied exactly, by a last stride that ends where the match does. In a ring the oldest history lies there, so
//! it is put back; a last stride like that could read there what a stride before it has overwritten.

/// The widest stride.
const STRIDE: usize = 32;

/// Whether a call of `memmove` costs less than strides.
#[inline(always)]
const fn is_long(length: usize) -> bool {
    length > 64
}

/// Copies a match, or nothing: where strides would run over the end of the memory, it says `false`.
#[inline(always)]
pub(super) fn copy<const WRAPS: bool>(
    bytes: &mut [u8],
    at: usize,
    from: usize,
    distance: usize,
    length: usize,
) -> bool {
    let (end, source_end) = (at.wrapping_add(length), from.wrapping_add(length));
    if !WRAPS && length > STRIDE && distance >= STRIDE {
        return far(bytes, at, from, distance, length);
    }
    if WRAPS && is_long(length) && distance >= length && end.max(source_end) <= bytes.len() {
        bytes.copy_within(from..source_end, at);
        return true;
    }
    let Some(behind) = load::<STRIDE>(bytes, end) else { return false };
    // A source that lies behind `at` in the ring is the one that may run over the end.
    if WRAPS && load::<STRIDE>(bytes, source_end).is_none() {
        return false;
    }
    let copied = if distance >= STRIDE {
        steps::<STRIDE>(bytes, at, from, end)
    } else if distance >= 8 {
        steps::<8>(bytes, at, from, end)
    } else {
        repeat(bytes, at, from, distance, end)
    };
    if WRAPS {
        let _ = store(bytes, end, behind);
    }
    copied.is_some()
}

/// The `N` bytes at `from`.
#[inline(always)]
fn load<const N: usize>(bytes: &[u8], from: usize) -> Option<[u8; N]> {
    bytes.get(from..)?.first_chunk().copied()
}

#[inline(always)]
fn store<const N: usize>(bytes: &mut [u8], to: usize, chunk: [u8; N]) -> Option<()> {
    *bytes.get_mut(to..)?.first_chunk_mut()? = chunk;
    Some(())
}

/// Copies exactly in a flat buffer, over a distance and a length of a stride or more. The last stride ends where
/// the match does.
#[inline(always)]
fn far(bytes: &mut [u8], at: usize, from: usize, distance: usize, length: usize) -> bool {
    if at.wrapping_add(length) > bytes.len() {
        return false;
    }
    if is_long(length) && distance >= length {
        bytes.copy_within(from..from.wrapping_add(length), at);
        return true;
    }
    let last = length.wrapping_sub(STRIDE);
    let mut done = 0;
    while done < last {
        let Some(chunk) = load::<STRIDE>(bytes, from.wrapping_add(done)) else { return false };
        let _ = store(bytes, at.wrapping_add(done), chunk);
        done = done.wrapping_add(STRIDE);
    }
    let Some(chunk) = load::<STRIDE>(bytes, from.wrapping_add(last)) else { return false };
    store(bytes, at.wrapping_add(last), chunk).is_some()
}

/// Copies up to `end` in strides of `N` bytes, which the distance is not shorter than.
#[inline(always)]
fn steps<const N: usize>(bytes: &mut [u8], mut at: usize, mut from: usize, end: usize) -> Option<()> {
    loop {
        let chunk: [u8; N] = load(bytes, from)?;
        store(bytes, at, chunk)?;
        at = at.wrapping_add(N);
        from = from.wrapping_add(N);
        if at >= end {
            return Some(());
        }
    }
}

/// Writes the period of a distance below 8 over and over, a word at a time.
#[inline(always)]
fn repeat(bytes: &mut [u8], mut at: usize, from: usize, distance: usize, end: usize) -> Option<()> {
    /// Multiplied by the period, a word full of it.
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
    const COPIES: [u64; 8] = {
        let mut copies = [0; 8];
        let mut distance = 1;
        while distance < 8 {
            let mut shift = 0;
            while shift < 64 {
                copies[distance] |= 1 << shift;
                shift += 8 * distance;
            }
            distance += 1;
        }
        copies
    };
    /// The largest multiple of the distance that a word holds.
    const STEPS: [u8; 8] = [8, 8, 8, 6, 8, 5, 6, 7];
    let word = u64::from_le_bytes(load(bytes, from)?);
    let period = word & !u64::MAX.wrapping_shl(8_u32.wrapping_mul(distance as u32));
    let chunk = period.wrapping_mul(COPIES.get(distance & 7).copied().unwrap_or(0)).to_le_bytes();
    let step = usize::from(STEPS.get(distance & 7).copied().unwrap_or(8));
    loop {
        store(bytes, at, chunk)?;
        at = at.wrapping_add(step);
        if at >= end {
            return Some(());
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    const SIZE: usize = 512;

    /// One byte after the other, as section 3.2.3 says.
    fn plain(bytes: &mut [u8; SIZE], at: usize, distance: usize, length: usize) {
        for place in at..at + length {
            bytes[place] = bytes[(place + SIZE - distance) % SIZE];
        }
    }

    fn copies_as_the_plain_loop<const WRAPS: bool>() {
        let before: [u8; SIZE] = core::array::from_fn(|place| ((place * place) >> 3) as u8);
        let mut copied = 0;
        // A few of the copies where each step is interpreted.
        let (distances, lengths) = if cfg!(miri) { (13, 85) } else { (1, 1) };
        for at in [0, 1, 7, 31, 32, 33, 64, 200, SIZE - 300, SIZE - 64, SIZE - 33, SIZE - 3] {
            let all = (1..80).chain([200, 256, 300, SIZE - 40, SIZE - 31, SIZE - 1, SIZE]);
            for distance in all.step_by(distances) {
                for length in (3..=258).step_by(lengths) {
                    let reach = if WRAPS { SIZE } else { at };
                    if distance > reach || at + length > SIZE {
                        continue;
                    }
                    let mut bytes = before;
                    let from = at.wrapping_sub(distance) % SIZE;
                    // Far and long matches are copied exactly in a flat buffer, and all others where a stride fits behind.
                    let exact = !WRAPS && distance >= STRIDE && length > STRIDE;
                    let fits = exact || at.max(from) + length + STRIDE <= SIZE;
                    if !copy::<WRAPS>(&mut bytes, at, from, distance, length) {
                        assert!(!fits, "{at}, {distance}, {length}");
                        assert_eq!(bytes, before, "it copies all or nothing");
                        continue;
                    }
                    copied += 1;
                    let mut expected = before;
                    plain(&mut expected, at, distance, length);
                    // What lies behind is history in a ring, and nothing in a flat buffer.
                    let checked = if WRAPS || exact { SIZE } else { at + length };
                    assert_eq!(bytes[..checked], expected[..checked], "{at}, {distance}, {length}");
                }
            }
        }
        assert!(copied > 10_000 / distances / lengths, "{copied}");
    }

    #[test]
    fn wide_steps_copy_what_single_bytes_would() {
        copies_as_the_plain_loop::<false>();
        copies_as_the_plain_loop::<true>();
    }
}
