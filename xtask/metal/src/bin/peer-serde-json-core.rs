//! `serde-json-core`: a whole document passed over as `IgnoredAny`.
#![no_std]
#![no_main]

use core::hint::black_box;

use serde::de::IgnoredAny;

plimsoll_metal::footprint!("json", ignored, stack: [], state: []);

fn ignored(body: &[u8], _: usize) {
    black_box(serde_json_core::from_slice::<IgnoredAny>(body).is_ok());
}
