//! DEFLATE streams of 64 KiB that decode to nothing: what a byte from a hostile peer costs. The contestants
//! are those of `inflate`.

use plimsoll_subjects::deflate::empty;

use crate::inflate::{MINIZ_RING, ZLIB_RS, lanes};
use crate::rounds::{Heading, Settings, Table, Unit, measure};

pub(crate) fn run(settings: &Settings) -> Table {
    let streams = empty(64 << 10);
    let heading = Heading {
        kind: "hostile",
        about: "64 KiB of blocks that yield nothing, encoded bytes",
        unit: Unit::NanosecondsPerByte,
        references: &[MINIZ_RING, ZLIB_RS],
        ordinary: None,
    };
    measure(heading, settings, lanes(&streams, |stream| stream.body.len()))
}
