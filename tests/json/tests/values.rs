//! What a selected value says of itself, and that a log shows none.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

use plimsoll_core::Inspect;
use plimsoll_json::{Counted, Fields, Limits, Pointers, Select, Slot, Value};

#[test]
fn each_kind_answers_for_itself_and_for_no_other() {
    let pointers = Pointers::new(["/n", "/f", "/t", "/i", "/s", "/a", "/o"]).unwrap();
    let body = br#"{"n":null,"f":false,"t":true,"i":-7,"s":"SECRET","a":[ 1 ],"o":{"k" : 2}}"#;
    let (mut bytes, mut slots) = ([0; 64], [Slot::EMPTY; 8]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let limits = Limits { depth: 8, ..Limits::DEVICE };
    let mut select = Select::<Counted<8>, _, 7>::of_fields(&pointers, limits, fields).unwrap();
    select.inspect(body).unwrap();
    select.finish().unwrap();
    assert!(!format!("{select:?}").contains("SECRET") && !format!("{select:?}").contains("83, 69, 67"));
    let selected = select.into_selected().unwrap();
    assert!(!format!("{selected:?}").contains("SECRET") && !format!("{selected:?}").contains("83, 69, 67"));
    assert_eq!((selected.len(), selected.is_empty()), (7, false));

    let all: Vec<Value<'_>> = (0..7).map(|pointer| selected.get(pointer).unwrap()).collect();
    let told: Vec<_> = all
        .iter()
        .map(|value| {
            let number = value.as_number().map(|number| number.as_str());
            (value.is_null(), value.as_bool(), number, value.as_str(), value.as_json())
        })
        .collect();
    assert_eq!(
        told,
        [
            (true, None, None, None, None),
            (false, Some(false), None, None, None),
            (false, Some(true), None, None, None),
            (false, None, Some("-7"), None, None),
            (false, None, None, Some("SECRET"), None),
            (false, None, None, None, Some("[1]")),
            (false, None, None, None, Some("{\"k\":2}")),
        ]
    );
}
