//! Every short sequence.

use plimsoll_tests_utf8::Comparison;

/// Compares all sequences of `length` bytes that are among `bytes`.
fn compare_all(length: usize, bytes: &[u8], compare: fn(&mut Comparison)) {
    // The first byte is shared out, the others are gone through behind it.
    let (even, odd): (Vec<_>, Vec<_>) = bytes.iter().partition(|&byte| byte % 2 == 0);
    std::thread::scope(|scope| {
        for firsts in [even, odd] {
            scope.spawn(move || {
                let mut comparison = Comparison::default();
                for &first in &firsts {
                    extend(&mut comparison, &mut vec![first], length, bytes, compare);
                }
            });
        }
    });
}

fn extend(
    comparison: &mut Comparison,
    sequence: &mut Vec<u8>,
    length: usize,
    bytes: &[u8],
    compare: fn(&mut Comparison),
) {
    if sequence.len() == length {
        comparison.expect(sequence);
        compare(comparison);
        return;
    }
    for &byte in bytes {
        sequence.push(byte);
        extend(comparison, sequence, length, bytes, compare);
        sequence.pop();
    }
}

#[test]
fn every_sequence_of_up_to_three_bytes_is_judged_as_by_core_whole_and_byte_by_byte() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for length in 1..=3 {
        compare_all(length, &all, |comparison| {
            comparison.compare_chunks(usize::MAX);
            comparison.compare_chunks(1);
        });
    }
}

/// The first and the last byte of every range in the table, and their neighbours.
#[test]
fn every_border_of_table_3_7_is_judged_as_by_core_in_every_partition() {
    const BORDERS: [u8; 25] = [
        0x00, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
        0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ];
    for length in 1..=4 {
        compare_all(length, &BORDERS, Comparison::compare_partitions);
    }
}
