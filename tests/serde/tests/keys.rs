//! Keys of a map that are wrapped, and bytes: what `serde_json` makes of them, or refused by both.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use core::fmt::Debug;
use std::collections::BTreeMap;

use plimsoll_core::Reason;
use plimsoll_json::de;
use plimsoll_tests_serde::assembler;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Tank(u8);

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    Port,
    Starboard,
}

/// The bytes of a key, asked for as lent ones or as a buffer.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bytes<const LENT: bool>(Vec<u8>);

impl<'de, const LENT: bool> Deserialize<'de> for Bytes<LENT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Taken;
        impl Visitor<'_> for Taken {
            type Value = Vec<u8>;
            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        if LENT { deserializer.deserialize_bytes(Taken) } else { deserializer.deserialize_byte_buf(Taken) }
            .map(Self)
    }
}

fn ours<K: DeserializeOwned + Ord>(text: &str) -> Result<BTreeMap<K, u8>, Option<Reason>> {
    let mut scratch = [0xFF; 64];
    let map = de::from_slice(text.as_bytes(), assembler(&mut scratch));
    map.map_err(|error| error.rejection().map(|rejection| rejection.reason()))
}

fn agrees<K: DeserializeOwned + Ord + Debug>(text: &str) {
    assert_eq!(ours::<K>(text).unwrap(), serde_json::from_str::<BTreeMap<K, u8>>(text).unwrap(), "{text}");
}

fn refuses<K: DeserializeOwned + Ord + Debug>(text: &str) {
    assert_eq!(ours::<K>(text), Err(Some(Reason::TypeMismatch)), "{text}");
    assert!(serde_json::from_str::<BTreeMap<K, u8>>(text).is_err(), "{text}");
}

#[test]
fn a_key_may_be_a_newtype() {
    agrees::<Tank>(r#"{"7": 1, "255": 2}"#);
    refuses::<Tank>(r#"{"seven": 1}"#);
}

#[test]
fn a_key_may_be_optional_and_is_always_there() {
    agrees::<Option<Tank>>(r#"{"7": 1, "8": 2}"#);
    agrees::<Option<String>>(r#"{"null": 1, "": 2}"#);
    refuses::<Option<Tank>>(r#"{"null": 1}"#);
}

#[test]
fn a_key_may_be_a_variant_without_fields() {
    agrees::<Side>(r#"{"Starboard": 1, "P\u006frt": 2}"#);
    refuses::<Side>(r#"{"port": 1}"#);
}

#[test]
fn a_key_may_be_bytes() {
    agrees::<Bytes<true>>("{\"a\": 1, \"\u{e9}\\n\": 2}");
    agrees::<Bytes<false>>("{\"a\": 1, \"\u{e9}\\n\": 2}");
}

#[test]
fn a_value_may_be_bytes_lent_or_as_a_buffer() {
    fn agrees<T: DeserializeOwned + PartialEq + Debug>(text: &str) {
        let mut scratch = [0xFF; 64];
        let ours: Vec<T> = de::from_slice(text.as_bytes(), assembler(&mut scratch)).unwrap();
        assert_eq!(ours, serde_json::from_str::<Vec<T>>(text).unwrap());
    }
    agrees::<Bytes<true>>("[\"a\", \"\u{e9}\\n\", \"\"]");
    agrees::<Bytes<false>>("[\"a\", \"\u{e9}\\n\", \"\"]");
}
