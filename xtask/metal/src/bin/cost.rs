//! What bytes cost: runs each of a list of inputs through one subject and prints a line for it: instructions, decoded bytes
//! (0 where the subject decodes nothing), and whether it was taken.
//!
//! The list is put into memory by QEMU, at [`LIST`]: for each input a byte for the subject, 16 bits for the size of its
//! pieces and 32 for its length, little-endian, and its bytes; a byte of 255 at the end.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_board::counter::count;
use plimsoll_board::{print, print_number};
use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Inspect, Run};
use plimsoll_inflate::{Inflate, Native, Ring, SUGGESTED_WORK_LIMIT};
use plimsoll_json::{Check, Counted, Fields, Limits, Pointers, Select, Slot, Token, Tokenizer};
use plimsoll_metal::{pieces, variable};

plimsoll_board::panics_end!();
plimsoll_board::image!(main);

/// In the code memory, behind the image: in the other one all that is free gets painted.
const LIST: usize = 0x0020_0000;
const LIST_BYTES: usize = 1 << 20;

/// Decoded bytes, and whether the input was taken.
type Subject = fn(&[u8], usize) -> (usize, bool);

/// In the order of their numbers in the list.
const SUBJECTS: [Subject; 5] =
    [|input, piece| inflate(input, piece, u64::MAX), refused_in_time, check, tokens, select];

fn main() {
    let mut rest = list();
    while let Some((&[subject, p0, p1, n0, n1, n2, n3], behind)) = rest.split_first_chunk() {
        let Some(subject) = SUBJECTS.get(usize::from(subject)) else { break };
        let length = u32::from_le_bytes([n0, n1, n2, n3]) as usize;
        let Some((input, behind)) = behind.split_at_checked(length) else { break };
        let piece = usize::from(u16::from_le_bytes([p0, p1]));
        let mut outcome = (0, false);
        let instructions = count(&mut || outcome = black_box(subject)(black_box(input), piece));
        for number in [instructions.unwrap_or(0), outcome.0 as u64, u64::from(outcome.1)] {
            print_number(number);
            print(" ");
        }
        print("\n");
        rest = behind;
    }
}

#[allow(unsafe_code, reason = "the host has put bytes there, which no program part knows of")]
fn list() -> &'static [u8] {
    // SAFETY: Memory behind all of the image that nothing writes.
    unsafe { core::slice::from_raw_parts(core::ptr::with_exposed_provenance(LIST), LIST_BYTES) }
}

fn inflate(input: &[u8], piece: usize, limit: u64) -> (usize, bool) {
    let engine = variable!(Native = Native::new());
    let ring = variable!([u8; 32 << 10] = [0; 32 << 10]);
    let mut inflate = Inflate::new(engine, Ring::new(ring), WorkMeter::new(limit));
    let mut decoded = 0;
    for mut rest in pieces(input, piece) {
        loop {
            let Ok(step) = inflate.decode(rest) else { return (decoded, false) };
            rest = rest.get(step.consumed..).unwrap_or_default();
            match step.run {
                Run::Bytes(bytes) => decoded += bytes.len(),
                Run::NeedInput => break,
                Run::End => return (decoded, rest.is_empty()),
            }
        }
    }
    (decoded, false)
}

/// With the work limit of the crate, which is to refuse.
fn refused_in_time(input: &[u8], piece: usize) -> (usize, bool) {
    inflate(input, piece, SUGGESTED_WORK_LIMIT)
}

/// Limits that a hostile document does not meet.
const LIMITS: Limits =
    Limits { string: 1 << 20, key: 1 << 20, number: 1 << 20, items: 1 << 20, values: 1 << 20, depth: 64 };

fn check(input: &[u8], piece: usize) -> (usize, bool) {
    let Ok(mut check) = Check::<Counted<64>>::new(LIMITS) else { return (0, false) };
    let taken = pieces(input, piece).all(|bytes| check.inspect(bytes).is_ok()) && check.finish().is_ok();
    (0, taken)
}

fn tokens(input: &[u8], piece: usize) -> (usize, bool) {
    let Ok(mut tokenizer) = Tokenizer::<Counted<64>>::new(LIMITS) else { return (0, false) };
    for mut rest in pieces(input, piece) {
        loop {
            let Ok(step) = tokenizer.step(rest) else { return (0, false) };
            rest = rest.get(step.consumed..).unwrap_or_default();
            if let Token::NeedInput = black_box(step.token) {
                break;
            }
        }
    }
    while let Ok(token) = tokenizer.finish() {
        if let Token::End = token {
            return (0, true);
        }
    }
    (0, false)
}

fn select(input: &[u8], piece: usize) -> (usize, bool) {
    static POINTERS: Pointers<'static, 4> = match Pointers::new(["/*/a", "/*/b/c", "/*/b/*", "/*/aa~0"]) {
        Ok(pointers) => pointers,
        Err(_) => panic!("found when this is compiled"),
    };
    let fields =
        Fields::new(variable!([u8; 16 << 10] = [0; 16 << 10]), variable!([Slot; 4096] = [Slot::EMPTY; 4096]));
    let Ok(mut select) = Select::<Counted<64>, _, 4>::of_fields(&POINTERS, LIMITS, fields) else {
        return (0, false);
    };
    let taken = pieces(input, piece).all(|bytes| select.inspect(bytes).is_ok()) && select.finish().is_ok();
    (0, taken)
}
