//! Telemetry as lines of JSON over a UART that never ends: fields of each line in order, bad lines passed over.
//!
//! `cargo run -p plimsoll --example uart`
//!
//! A line counts when its LF has come and all of it was valid. A receiver that begins in the middle of a line, noise, and a
//! line that is too long cost that line and nothing else. In memory are the 64 bytes of the UART's own buffer, room for the
//! fields of one line, and the machine.
#![allow(clippy::expect_used, clippy::panic, reason = "an example may stop")]

use plimsoll::Inspect;
use plimsoll::json::{
    Counted, Fields, Framing, Limits, Pointers, RecordFields, RecordLimits, SelectRecords, Skipped, Slot,
    Value,
};

/// What is wanted of a line: the sensor's name and its level, both of which must be there.
const POINTERS: Pointers<'static, 2> = match Pointers::new(["/sensor", "/level_mm"]) {
    Ok(pointers) => pointers.require([true; 2]),
    Err(_) => panic!("two JSON Pointers"),
};

fn main() {
    let (mut bytes, mut slots) = ([0; 48], [Slot::EMPTY; 2]);
    let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), |record, selected| {
        let sensor = selected.get(0).and_then(Value::as_str);
        let level = selected.get(1).and_then(Value::as_number).map(|number| number.as_str());
        if let (Some(sensor), Some(level)) = (sensor, level) {
            println!("line {}: {sensor} at {level} mm", record.index);
        }
    });
    let room = fields.room();
    let mut lines = SelectRecords::<Counted<8>, _, 2>::new(
        &POINTERS,
        Framing::Lines,
        RecordLimits { bytes: 256, records: u64::MAX - 1 }, // as good as no end: a line a second for longer than the device lasts
        Limits { depth: 8, ..Limits::DEVICE },
        room,
        fields,
    )
    .expect("eight levels")
    .skip_refused(|skipped: Skipped| println!("line {}: {}", skipped.record.index, skipped.rejection));

    let received = "level_mm\": 12}\n\
        {\"sensor\": \"tank-0\", \"level_mm\": 1840.5, \"valve\": \"open\"}\n\
        {\"sensor\": \"tank-1\", \"level_m\u{7F}m\": 1838}\n\
        {\"level_mm\": 1839.0, \"sensor\": \"tank-\\u0032\"}\r\n";
    for buffer in received.as_bytes().chunks(64) {
        // Only a limit on the number of lines could refuse the stream itself.
        lines.inspect(buffer).expect("fewer lines than that");
    }
}
