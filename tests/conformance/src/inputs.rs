//! Plain bodies of different kinds, the same on every run.

use core::fmt::Write;

use fastrand::Rng;

/// A JSON array of small records, of at least `size` bytes.
#[must_use]
pub fn json(size: usize) -> Vec<u8> {
    let mut rng = Rng::with_seed(1);
    let mut text = String::from("[");
    while text.len() < size {
        let (id, level) = (rng.u32(..), rng.u32(..1000));
        let name = ["tank", "valve", "pump", "größe", "温度"][rng.usize(..5)];
        write!(text, "{{\"id\":{id},\"name\":\"{name}\",\"level\":{}.{},\"open\":", level / 10, level % 10)
            .unwrap();
        write!(text, "{},\"next\":null}},\n ", rng.bool()).unwrap();
    }
    text.push_str("null]");
    text.into_bytes()
}

/// Records of binary numbers that change slowly: some structure, no text.
#[must_use]
pub fn binary(size: usize) -> Vec<u8> {
    let mut rng = Rng::with_seed(2);
    let mut value: u32 = 1_000_000;
    let mut bytes = Vec::new();
    while bytes.len() < size {
        value = value.wrapping_add(rng.u32(..64)).wrapping_sub(31);
        bytes.extend_from_slice(&value.to_le_bytes());
        bytes.extend_from_slice(&[0, 0, rng.u8(..4), 0xFF]);
    }
    bytes.truncate(size);
    bytes
}

/// Random bytes.
#[must_use]
pub fn incompressible(size: usize) -> Vec<u8> {
    let mut rng = Rng::with_seed(3);
    core::iter::repeat_with(|| rng.u8(..)).take(size).collect()
}

/// A body of one of many kinds, of up to `most` bytes.
#[must_use]
pub fn random(rng: &mut Rng, most: usize) -> Vec<u8> {
    let size = match rng.u8(..4) {
        0 => rng.usize(..8),
        1 => rng.usize(..most.min(300)),
        _ => rng.usize(..most),
    };
    let letters = [1, 2, 4, 16, 64, 256][rng.usize(..6)];
    let mut bytes: Vec<u8> = Vec::with_capacity(size);
    while bytes.len() < size {
        if bytes.is_empty() || rng.u8(..8) < 5 {
            bytes.push(rng.u16(..letters) as u8);
        } else {
            let from = rng.usize(..bytes.len());
            let count = rng.usize(..300).min(size - bytes.len());
            for at in from..from + count {
                bytes.push(bytes[at]);
            }
        }
    }
    bytes
}
