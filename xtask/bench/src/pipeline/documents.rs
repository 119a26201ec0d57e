//! The documents, and what is asked of each: three fields by JSON Pointer, and the types that hold them for serde.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Body;

/// Three fields as text: strings as they are, numbers in JSON.
pub(crate) type Answer = [String; 3];

/// What is asked of a document.
pub(crate) trait Question {
    /// What the question and its file are called.
    const NAME: &'static str;
    /// Where the fields are.
    const POINTERS: [&'static str; 3];
    /// The document as far as it must be read for them.
    type Typed: DeserializeOwned;
    /// The fields.
    fn fields(typed: Self::Typed) -> Option<Answer>;
}

/// The fields of a document that is read as a whole: what the contestants are held against.
pub(super) fn answer(document: &Value, pointers: [&str; 3]) -> Answer {
    pointers.map(|pointer| match document.pointer(pointer).expect("the document has the field") {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

/// Statuses of a social network: a third of the bytes is text beyond ASCII.
pub(crate) struct Twitter;

#[derive(Deserialize)]
pub(crate) struct Statuses {
    statuses: Vec<Status>,
    search_metadata: Metadata,
}

#[derive(Deserialize)]
struct Status {
    user: User,
}

#[derive(Deserialize)]
struct User {
    screen_name: String,
}

#[derive(Deserialize)]
struct Metadata {
    query: String,
    count: u32,
}

impl Question for Twitter {
    const NAME: &'static str = "twitter";
    const POINTERS: [&'static str; 3] =
        ["/search_metadata/query", "/search_metadata/count", "/statuses/50/user/screen_name"];
    type Typed = Statuses;

    fn fields(typed: Statuses) -> Option<Answer> {
        let Metadata { query, count } = typed.search_metadata;
        Some([query, count.to_string(), typed.statuses.into_iter().nth(50)?.user.screen_name])
    }
}

/// Concerts with prices: objects, short keys, white space.
pub(crate) struct Catalog;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Concerts {
    area_names: Area,
    performances: Vec<Performance>,
    venue_names: Venue,
}

#[derive(Deserialize)]
struct Area {
    #[serde(rename = "205705999")]
    name: String,
}

#[derive(Deserialize)]
struct Performance {
    start: u64,
}

#[derive(Deserialize)]
struct Venue {
    #[serde(rename = "PLEYEL_PLEYEL")]
    name: String,
}

impl Question for Catalog {
    const NAME: &'static str = "citm_catalog";
    const POINTERS: [&'static str; 3] =
        ["/areaNames/205705999", "/performances/100/start", "/venueNames/PLEYEL_PLEYEL"];
    type Typed = Concerts;

    fn fields(typed: Concerts) -> Option<Answer> {
        let start = typed.performances.get(100)?.start.to_string();
        Some([typed.area_names.name, start, typed.venue_names.name])
    }
}

/// A border as coordinates: nearly all of it are fractions.
pub(crate) struct Canada;

#[derive(Deserialize)]
pub(crate) struct Collection {
    #[serde(rename = "type")]
    kind: String,
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    properties: Properties,
    geometry: Geometry,
}

#[derive(Deserialize)]
struct Properties {
    name: String,
}

#[derive(Deserialize)]
struct Geometry {
    #[serde(rename = "type")]
    kind: String,
}

impl Question for Canada {
    const NAME: &'static str = "canada";
    const POINTERS: [&'static str; 3] = ["/type", "/features/0/properties/name", "/features/0/geometry/type"];
    type Typed = Collection;

    fn fields(typed: Collection) -> Option<Answer> {
        let feature = typed.features.into_iter().next()?;
        Some([typed.kind, feature.properties.name, feature.geometry.kind])
    }
}

/// Readings of a sensor, as many as wanted, with a field behind them.
pub(crate) struct Telemetry;

#[derive(Deserialize)]
pub(crate) struct Readings {
    device: String,
    readings: Vec<Reading>,
    count: u64,
}

#[derive(Deserialize)]
struct Reading {
    t: u64,
}

impl Question for Telemetry {
    const NAME: &'static str = "telemetry";
    const POINTERS: [&'static str; 3] = ["/device", "/readings/3/t", "/count"];
    type Typed = Readings;

    fn fields(typed: Readings) -> Option<Answer> {
        Some([typed.device, typed.readings.get(3)?.t.to_string(), typed.count.to_string()])
    }
}

/// Readings of `size` bytes or a few more, compressed at level 6 as they are written: the document is never in memory.
pub(crate) fn telemetry(name: &str, size: usize) -> Body {
    const DEVICE: &str = "boiler-3, Kesselhaus Süd";
    const START: u64 = 1_764_518_400;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    let mut text = format!("{{\"device\":\"{DEVICE}\",\"readings\":[");
    let (mut length, mut count, mut state) = (0, 0_u64, 1_u32);
    loop {
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        text.push_str(&format!(
            "{{\"t\":{},\"celsius\":{}.{:02},\"bar\":1.{:03},\"pump\":{},\"note\":\"{}\"}}",
            START + 10 * count,
            60 + random(30),
            random(100),
            random(1000),
            random(8) != 0,
            ["", "", "", "valve 2 opened", "Wasserstand geprüft", "\\u26a0 burner restarted"]
                [random(6) as usize],
        ));
        count += 1;
        let last = count >= 4 && length + text.len() >= size;
        text.push_str(if last { "]" } else { "," });
        if last {
            text.push_str(&format!(",\"count\":{count}}}"));
        }
        encoder.write_all(text.as_bytes()).expect("memory takes all");
        length += text.len();
        text.clear();
        if last {
            let gzip = encoder.finish().expect("memory takes all");
            let answer = [DEVICE.to_owned(), (START + 30).to_string(), count.to_string()];
            return Body { name: name.to_owned(), question: Telemetry::NAME, gzip, length, answer };
        }
    }
}
