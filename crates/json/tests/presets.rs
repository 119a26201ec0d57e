//! What a preset allows is a promise to whoever chose it: another figure is another version.

use plimsoll_json::{Limits, RecordLimits};

#[test]
fn a_device_takes_strings_of_1_kib_in_16_levels_and_a_thousand_records_of_4_kib() {
    let limits = Limits { string: 1_024, key: 64, number: 32, items: 1_000, values: 10_000, depth: 16 };
    assert_eq!(Limits::DEVICE, limits);
    assert_eq!(RecordLimits::DEVICE, RecordLimits { bytes: 4_096, records: 1_000 });
}

#[test]
fn a_host_takes_strings_of_1_mib_in_64_levels_and_a_million_records_of_1_mib() {
    let limits = Limits {
        string: 1_048_576,
        key: 1_024,
        number: 256,
        items: 1_000_000,
        values: 10_000_000,
        depth: 64,
    };
    assert_eq!(Limits::HOST, limits);
    assert_eq!(RecordLimits::HOST, RecordLimits { bytes: 1_048_576, records: 1_000_000 });
}
