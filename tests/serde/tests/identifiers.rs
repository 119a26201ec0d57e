//! The name of a field as a value of its own, which serde asks for as an identifier.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use plimsoll_core::Reason;
use plimsoll_json::de;
use plimsoll_tests_serde::assembler;
use serde::Deserialize;

#[derive(Deserialize, PartialEq, Debug)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Depth,
    Draught,
}

#[test]
fn an_identifier_is_a_string_escaped_or_not_and_nothing_else() {
    let mut scratch = [0; 16];
    let fields: [Field; 2] =
        de::from_slice(br#"["depth", "dr\u0061ught"]"#, assembler(&mut scratch)).unwrap();
    assert_eq!(fields, [Field::Depth, Field::Draught]);
    for text in [&b"\"Depth\""[..], b"1", b"null", b"[]"] {
        let error = de::from_slice::<Field, _>(text, assembler(&mut scratch)).unwrap_err();
        let reason = error.rejection().map(|rejection| rejection.reason());
        assert_eq!(reason, Some(Reason::TypeMismatch), "{}", text.escape_ascii());
        assert!(serde_json::from_slice::<Field>(text).is_err());
    }
}
