//! What a preset allows is a promise to whoever chose it: another figure is another version.

use plimsoll::{Limits, OverCeiling, json};

#[test]
fn a_small_device_takes_8_kib_and_gives_32() {
    let document =
        json::Limits { string: 1_024, key: 64, number: 32, items: 1_000, values: 10_000, depth: 16 };
    let limits = Limits {
        encoded: 8_192,
        decoded: 32_768,
        header: 256,
        work: 16_384,
        members: 1,
        document,
        record: 4_096,
        records: 1_000,
    };
    assert_eq!(Limits::SMALL_DEVICE, limits);
}

#[test]
fn a_gateway_takes_256_kib_and_gives_1_mib() {
    let document =
        json::Limits { string: 16_384, key: 256, number: 64, items: 100_000, values: 100_000, depth: 32 };
    let limits = Limits {
        encoded: 262_144,
        decoded: 1_048_576,
        header: 4_096,
        work: 65_536,
        members: 1,
        document,
        record: 65_536,
        records: 10_000,
    };
    assert_eq!(Limits::GATEWAY, limits);
}

#[test]
fn a_host_takes_8_mib_and_gives_64() {
    let document = json::Limits {
        string: 1_048_576,
        key: 1_024,
        number: 256,
        items: 1_000_000,
        values: 10_000_000,
        depth: 64,
    };
    let limits = Limits {
        encoded: 8_388_608,
        decoded: 67_108_864,
        header: 4_096,
        work: 65_536,
        members: 1,
        document,
        record: 1_048_576,
        records: 1_000_000,
    };
    assert_eq!(Limits::HOST, limits);
}

#[test]
fn what_is_over_its_ceiling_says_which_limit_it_is_and_both_figures() {
    let over = OverCeiling { name: "decoded", asked: 8193, most: 8192 };
    let text = "the limit `decoded` is set to 8193, and this deployment allows at most 8192";
    assert_eq!(over.to_string(), text);
}
