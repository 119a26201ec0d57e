//! The sizes that are measured, and what they are called.

/// Pieces of a body.
pub(crate) const PIECES: [usize; 9] = [1, 4, 16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10];

/// Documents.
pub(crate) const DOCUMENTS: [usize; 11] = [
    1 << 10,
    4 << 10,
    16 << 10,
    64 << 10,
    256 << 10,
    1 << 20,
    4 << 20,
    16 << 20,
    64 << 20,
    256 << 20,
    1 << 30,
];

/// A power of two with its unit.
pub(crate) fn name(bytes: usize) -> String {
    match bytes {
        0..0x400 => format!("{bytes} B"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_the_largest_unit_that_divides_it() {
        let names = [1, 256, 1 << 10, 64 << 10, 1 << 20, 256 << 20, 1 << 30].map(name);
        assert_eq!(names, ["1 B", "256 B", "1 KiB", "64 KiB", "1 MiB", "256 MiB", "1 GiB"]);
    }
}
