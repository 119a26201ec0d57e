//! `plimsoll`: a gzip body of at most 8 KiB into one buffer that is its history too, under all limits, checked as UTF-8
//! and JSON, four fields selected by JSON Pointer.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll::json::{Fields, Pointers, Select, Slot, Uncounted};
use plimsoll::{Coding, DefaultEngine, Head, Ingest, Limits, Policy};
use plimsoll_metal::variable;

type Selection = Select<'static, Uncounted<4>, Fields<'static>, 4>;

plimsoll_metal::footprint!(
    "gzip",
    take_in,
    stack: [Selection, Ingest<plimsoll::FlatDecoder<'static, DefaultEngine>, &'static mut Selection, ()>],
    state: [DefaultEngine]
);

const LIMITS: Limits = Limits {
    decoded: 8192,
    document: plimsoll::json::Limits {
        items: plimsoll::json::Limits::DEVICE.values,
        ..plimsoll::json::Limits::DEVICE
    },
    ..Limits::SMALL_DEVICE
};
static POLICY: Policy = Policy::strict(LIMITS);
static POINTERS: Pointers<'static, 4> =
    match Pointers::new(["/device", "/readings/*/level_mm", "/firmware", "/site"]) {
        Ok(pointers) => pointers.require([true, false, false, false]),
        Err(_) => panic!("found when this is compiled"),
    };

fn take_in(body: &[u8], piece: usize) {
    let engine = variable!(DefaultEngine = DefaultEngine::new());
    let output = variable!([u8; 8192] = [0; 8192]);
    let fields = Fields::new(variable!([u8; 512] = [0; 512]), variable!([Slot; 32] = [Slot::EMPTY; 32]));
    let Ok(mut select) = Selection::of_fields(&POINTERS, LIMITS.document, fields) else { return };
    let head = Head { coding: Coding::Gzip, length: None };
    let mut ingest = Ingest::flat(&head, &POLICY, engine, output, &mut select);
    for chunk in plimsoll_metal::pieces(body, piece) {
        black_box(ingest.push(chunk).is_ok());
    }
    if black_box(ingest.finish_flat()).1.is_some() {
        black_box(select.into_selected());
    }
}
