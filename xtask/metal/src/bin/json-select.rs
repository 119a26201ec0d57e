//! `plimsoll-json`: four fields by JSON Pointer into the caller's memory, 32 levels without counts of items.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_json::{Fields, Limits, Pointers, Select, Slot, Uncounted};
use plimsoll_metal::variable;

plimsoll_metal::footprint!("json", select, stack: [Select<'static, Uncounted<4>, Fields<'static>, 4>], state: []);

const LIMITS: Limits = Limits { items: Limits::DEVICE.values, ..Limits::DEVICE };
static POINTERS: Pointers<'static, 4> =
    match Pointers::new(["/device", "/readings/*/level_mm", "/firmware", "/site"]) {
        Ok(pointers) => pointers.require([true, false, false, false]),
        Err(_) => panic!("found when this is compiled"),
    };

fn select(body: &[u8], piece: usize) {
    let fields = Fields::new(variable!([u8; 512] = [0; 512]), variable!([Slot; 32] = [Slot::EMPTY; 32]));
    let Ok(mut select) = Select::<Uncounted<4>, _, 4>::of_fields(&POINTERS, LIMITS, fields) else { return };
    for chunk in plimsoll_metal::pieces(body, piece) {
        black_box(select.inspect(chunk).is_ok());
    }
    black_box(select.finish().is_ok());
    black_box(select.into_selected());
}
