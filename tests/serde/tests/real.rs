//! Typed subsets of real documents, equal to what `serde_json` makes of them, by 1, 64 and 4096 bytes.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use heapless::{LinearMap, String, Vec};
use plimsoll_json::{Assembler, Counted, Limits, de};
use plimsoll_tests_serde::{assembler, real, source};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize, PartialEq, Debug)]
struct Timeline {
    statuses: std::vec::Vec<Status>,
    search_metadata: Metadata,
}

/// The same without a heap, and with less of each status.
#[derive(Deserialize, PartialEq, Debug)]
struct Authors {
    statuses: Vec<Authored, 100>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Authored {
    id_str: String<20>,
    user: Author,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Author {
    screen_name: String<20>,
    verified: bool,
    utc_offset: Option<i32>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Metadata {
    count: u32,
    completed_in: f64,
    max_id_str: String<24>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Status {
    id: u64,
    text: String<640>,
    user: User,
    truncated: bool,
    in_reply_to_status_id: Option<u64>,
    geo: Option<()>,
    retweet_count: u32,
    entities: Entities,
    retweeted_status: Option<Retweeted>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Retweeted {
    id: u64,
    user: User,
}

#[derive(Deserialize, PartialEq, Debug)]
struct User {
    screen_name: String<24>,
    description: String<640>,
    url: Option<String<64>>,
    followers_count: u32,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Entities {
    hashtags: Vec<Hashtag, 8>,
    user_mentions: Vec<Mention, 8>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Hashtag {
    text: String<64>,
    indices: (u16, u16),
}

#[derive(Deserialize, PartialEq, Debug)]
struct Mention {
    name: String<64>,
    indices: [u16; 2],
}

/// All of `citm_catalog`'s members are named, most of them by number.
#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct Catalog {
    area_names: LinearMap<u32, String<64>, 20>,
    audience_sub_category_names: LinearMap<String<16>, String<64>, 4>,
    performances: std::vec::Vec<Performance>,
    venue_names: LinearMap<String<32>, String<64>, 2>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct Performance {
    event_id: u32,
    id: u32,
    logo: Option<String<64>>,
    prices: Vec<Price, 8>,
    seat_categories: std::vec::Vec<SeatCategory>,
    start: i64,
    venue_code: String<32>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct Price {
    amount: u32,
    seat_category_id: u64,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct SeatCategory {
    areas: std::vec::Vec<Area>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
struct Area {
    area_id: u32,
    block_ids: Vec<(), 1>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Canada {
    features: [Feature; 1],
}

#[derive(Deserialize, PartialEq, Debug)]
struct Feature {
    geometry: Geometry,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(std::vec::Vec<std::vec::Vec<(f64, f64)>>),
}

/// The same as the oracle's, with a scratch of `scratch` bytes.
fn agrees<T: DeserializeOwned + PartialEq + core::fmt::Debug>(name: &str, scratch: usize) {
    let text = real(name);
    let expected: T = serde_json::from_slice(&text).unwrap();
    let mut scratch = vec![0xff; scratch];
    assert!(de::from_slice::<T, _>(&text, assembler(&mut scratch)).unwrap() == expected, "{name}");
    for size in [1, 64, 4096] {
        let value = de::from_reader::<T, _, _>(source::quiet(&text, size), assembler(&mut scratch));
        assert!(value.unwrap() == expected, "{name} by {size}");
    }
}

#[test]
fn twitter_plain_and_escaped() {
    agrees::<Authors>("twitter.json", 40);
    agrees::<Authors>("twitterescaped.json", 40);
    agrees::<Timeline>("twitter.json", 640);
    agrees::<Timeline>("twitterescaped.json", 640);
}

#[test]
fn citm_catalog_with_maps_of_numbers() {
    agrees::<Catalog>("citm_catalog.json", 64);
}

#[test]
fn canada_with_floats_and_an_enum_whose_tag_comes_first() {
    agrees::<Canada>("canada.json", 32);
}

/// Three fields need a scratch for the names beside them only.
#[derive(Deserialize, PartialEq, Debug)]
struct Count {
    search_metadata: Metadata,
}

#[test]
fn what_is_passed_over_takes_no_room() {
    agrees::<Count>("twitter.json", 24);
    let text = real("twitter.json");
    let mut scratch = [0; 24];
    let limits = Limits { depth: 16, ..Limits::HOST };
    let assembler = Assembler::<Counted<16>>::new(limits, &mut scratch).unwrap();
    let count: Count = de::from_slice(&text, assembler).unwrap();
    assert_eq!(count.search_metadata.count, 100);
}
