//! `plimsoll-json`: the check, 32 levels without counts of items.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_json::{Check, Limits, Uncounted};

plimsoll_metal::footprint!("json", check, stack: [Check<Uncounted<4>>], state: []);

const LIMITS: Limits = Limits { items: Limits::DEVICE.values, ..Limits::DEVICE };

fn check(body: &[u8], piece: usize) {
    let Ok(mut check) = Check::<Uncounted<4>>::new(LIMITS) else { return };
    for chunk in plimsoll_metal::pieces(body, piece) {
        black_box(check.inspect(chunk).is_ok());
    }
    black_box(check.finish().is_ok());
}
