//! Bodies of known content.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// One gzip member.
pub fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// A JSON document of so many members.
pub fn document(members: usize) -> Vec<u8> {
    let mut text = String::from("[");
    for index in 0..members {
        let comma = if index == 0 { "" } else { ",\n" };
        write!(text, "{comma}{}", record(index)).unwrap();
    }
    text.push_str("]\n");
    text.into_bytes()
}

/// NDJSON of so many records.
pub fn records(count: usize) -> Vec<u8> {
    (0..count).map(|index| record(index) + "\n").collect::<String>().into_bytes()
}

fn record(index: usize) -> String {
    let draught = index.wrapping_mul(2_654_435_761) % 10_000;
    format!(
        r#"{{"id":{index},"vessel":"Ænæa {}","draught":{}.{:02},"loaded":{}}}"#,
        index % 97,
        draught / 100,
        draught % 100,
        index.is_multiple_of(3)
    )
}
