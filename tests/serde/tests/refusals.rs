//! Every refusal, with its reason, offset and depth, by hand; the same however the document is cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::fmt::Debug;

use heapless::{LinearMap, String, Vec};
use plimsoll_core::{Reason, Rejection};
use plimsoll_json::de::{self, Error, Unsupported};
use plimsoll_json::{Assembler, Counted, Limits};
use plimsoll_tests_serde::{assembler, source};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// The refusal of a document, whole and by 1 to 9 bytes.
fn refusal<T: DeserializeOwned + Debug>(text: &[u8]) -> (Rejection, u16) {
    let mut scratch = [0xff; 64];
    let refused = |error| match error {
        Error::Rejected { rejection, depth } => (rejection, depth),
        other => panic!("{other:?}"),
    };
    let whole = refused(de::from_slice::<T, _>(text, assembler(&mut scratch)).unwrap_err());
    for size in 1..10 {
        let cut = de::from_reader::<T, _, _>(source::quiet(text, size), assembler(&mut scratch)).unwrap_err();
        let cut = match cut {
            Error::Rejected { rejection, depth } => (rejection, depth),
            other => panic!("{other:?}"),
        };
        assert_eq!(cut, whole, "by {size}");
    }
    whole
}

/// Its reason, offset and depth. The offset is where `^` stands, which is taken out.
fn at<T: DeserializeOwned + Debug>(text: &str) -> (Reason, bool, u16) {
    let at = text.find('^').unwrap();
    let (rejection, depth) = refusal::<T>(text.replace('^', "").as_bytes());
    let is_there = rejection.at() == Some(at as u64);
    if !is_there {
        eprintln!("{text}: {rejection}");
    }
    (rejection.reason(), is_there, depth)
}

const fn there(reason: Reason, depth: u16) -> (Reason, bool, u16) {
    (reason, true, depth)
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "its fields are filled")]
struct Reading {
    name: String<8>,
    level: u8,
    #[serde(default)]
    list: Vec<i16, 3>,
    extra: Option<Extra>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "its fields are filled")]
struct Extra {
    pair: (bool, char),
    kind: Kind,
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "its fields are filled")]
enum Kind {
    Plain,
    Count(u8),
    Both { a: u8, b: u8 },
}

#[test]
fn a_mismatch_has_the_place_of_the_value() {
    use Reason::TypeMismatch as Mismatch;
    for (text, depth) in [
        (r#"{"name": ^7, "level": 1}"#, 1),
        (r#"{"name": ^null, "level": 1}"#, 1),
        (r#"{"name": "a", "level": ^"\u0031"}"#, 1),
        (r#"{"name": "a", "level":   ^1.0}"#, 1),
        (r#"{"name": "a", "level": ^1e1 }"#, 1),
        (r#"{"name": "a", "level": 1, "list": ^{}}"#, 1),
        (r#"{"name": "a", "level": 1, "list": [1, 2 , ^true]}"#, 2),
        (r#"{"name": "a", "level": 1, "list": [1, ^[2]]}"#, 2),
        (r#"{"name": "a", "level": 1, "extra": ^[]}"#, 1),
        (r#"{"name": "a", "level": 1, "extra": {"pair": [true, ^"\ud83d\ude00!"]}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"pair": [true, ^""]}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"pair": [true^]}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"pair": [true, "x",  ^0]}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"kind": ^"Pl\u0061ne"}}"#, 2),
        (r#"{"name": "a", "level": 1, "extra": {"kind": ^"Count"}}"#, 2),
        (r#"{"name": "a", "level": 1, "extra": {"kind": ^0}}"#, 2),
        (r#"{"name": "a", "level": 1, "extra": {"kind": {^}}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"kind": {^"None": 1}}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"kind": {"Plain": ^1}}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"kind": {"Count": ^"1"}}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"kind": {"Count": 1, ^"Plain": null}}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {"kind": {"Both": ^[1, 2]}}}"#, 3),
        (r#"{"name": "a", "level": 1, "extra": {^"oth\u0065r": 1}}"#, 2),
        (r#" ^[] "#, 0),
    ] {
        assert_eq!(at::<Reading>(text), there(Mismatch, depth), "{text}");
    }
}

#[test]
fn a_mismatch_is_told_before_the_text_is_taken_in() {
    let (rejection, _) = refusal::<(u8, u8)>(b"[1, \"no end");
    assert_eq!(rejection, Rejection::fault(Reason::TypeMismatch, 4));
}

#[test]
fn numbers_are_exact_or_refused() {
    use Reason::NumberRange as Range;
    assert_eq!(at::<Vec<u8, 4>>("[255, ^256]"), there(Range, 1));
    assert_eq!(at::<Vec<u8, 4>>("[0, -0, ^-1]"), there(Range, 1));
    assert_eq!(at::<Vec<i8, 4>>("[127, -128, ^128]"), there(Range, 1));
    assert_eq!(at::<Vec<i8, 4>>("[^-129]"), there(Range, 1));
    assert_eq!(at::<Vec<u16, 4>>("[65535, ^65536]"), there(Range, 1));
    assert_eq!(at::<Vec<i16, 4>>("[32767, -32768, ^-32769]"), there(Range, 1));
    assert_eq!(at::<Vec<u32, 4>>("[4294967295, ^4294967296]"), there(Range, 1));
    assert_eq!(at::<Vec<i32, 4>>("[-2147483648, ^2147483648]"), there(Range, 1));
    assert_eq!(at::<u64>("^18446744073709551616"), there(Range, 0));
    assert_eq!(at::<i64>(" ^-9223372036854775809 "), there(Range, 0));
    assert_eq!(at::<u128>("^340282366920938463463374607431768211456"), there(Range, 0));
    assert_eq!(at::<i128>("^-170141183460469231731687303715884105729"), there(Range, 0));
    assert_eq!(at::<f64>("^1e400"), there(Range, 0));
    assert_eq!(at::<f32>("^1e39"), there(Range, 0));
    assert_eq!(at::<core::num::NonZeroU8>("^0"), there(Range, 0));
    assert_eq!(at::<std::collections::BTreeMap<u8, u8>>(r#"{"1": 1, ^"256": 2}"#), there(Range, 1));
    let mut scratch = [0; 64];
    let most = b"[340282366920938463463374607431768211455, -170141183460469231731687303715884105728]";
    assert_eq!(de::from_slice(most, assembler(&mut scratch)), Ok((u128::MAX, i128::MIN)));
}

#[test]
fn a_field_is_missed_at_the_end_and_met_twice_at_its_key() {
    assert_eq!(at::<Reading>(r#"{"name": "a" ^}"#), there(Reason::MissingField, 1));
    assert_eq!(at::<Reading>("{^}"), there(Reason::MissingField, 1));
    assert_eq!(
        at::<Reading>(r#"{"level": 1, "name": "a", ^"l\u0065vel": 1}"#),
        there(Reason::DuplicateKey, 1)
    );
    assert_eq!(
        at::<Reading>(r#"{"name": "a", "level": 1, "extra": {"pair": [true, "x"]^}}"#),
        there(Reason::MissingField, 2)
    );
    // An unknown one may stand as often as it likes.
    let mut scratch = [0; 64];
    let text = br#"{"x": 1, "name": "a", "x": [], "level": 2}"#;
    assert_eq!(de::from_slice::<Reading, _>(text, assembler(&mut scratch)).unwrap().level, 2);
}

#[test]
fn what_a_collection_has_no_room_for_is_retained_limit_with_the_room_in_bytes() {
    let over = |at, limit| Rejection::limit_exceeded(Reason::RetainedLimit, limit).with_at(at);
    assert_eq!(refusal::<Reading>(br#"{"name": "123456789"}"#), (over(9, 8), 1));
    assert_eq!(refusal::<Reading>("{\"name\": \"1234567é\"}".as_bytes()), (over(9, 8), 1));
    assert_eq!(refusal::<Reading>(br#"{"name": "a name of many more"}"#), (over(9, 8), 1));
    assert_eq!(refusal::<Reading>(br#"{"list": [1, 2, 3, 4, 5]}"#), (over(19, 6), 2));
    assert_eq!(refusal::<Vec<Vec<u32, 1>, 2>>(b"[[1], [2, 3]]"), (over(10, 4), 2));
    let (rejection, depth) = refusal::<Vec<Vec<u8, 1>, 1>>(b"[[1], [2]]");
    assert_eq!((rejection.reason(), rejection.at(), depth), (Reason::RetainedLimit, Some(6), 1));
    assert_eq!(rejection.limit().unwrap().value, size_of::<Vec<u8, 1>>() as u64);
    assert_eq!(refusal::<LinearMap<char, u32, 1>>(br#"{"a": 1, "b": 2}"#), (over(9, 8), 1));
    assert_eq!(refusal::<LinearMap<String<1>, u8, 2>>(br#"{"a": 1, "bc": 2}"#), (over(9, 1), 1));
    // Exactly full is accepted.
    let mut scratch = [0; 64];
    let text = br#"{"name": "12345678", "level": 1, "list": [1, 2, 3]}"#;
    let reading: Reading = de::from_slice(text, assembler(&mut scratch)).unwrap();
    assert_eq!((reading.name.as_str(), reading.list.as_slice()), ("12345678", &[1, 2, 3][..]));
}

#[test]
fn what_the_document_breaks_is_refused_as_it_is_without_a_type() {
    for (text, reason) in [
        (&b"[1, 2"[..], Reason::IncompleteJson),
        (b"", Reason::IncompleteJson),
        (b" ", Reason::IncompleteJson),
        (b"[1,]", Reason::JsonSyntax),
        (b"[1 2]", Reason::JsonSyntax),
        (b"[,]", Reason::JsonSyntax),
        (b"[1}", Reason::JsonSyntax),
        (b"[1] x", Reason::TrailingDocument),
        (b"[1] [", Reason::TrailingDocument),
        (b"\xef\xbb\xbf[]", Reason::ByteOrderMark),
        (b"\xef\xbb[]", Reason::JsonSyntax),
        (b" \xef\xbb\xbf[]", Reason::JsonSyntax),
        (b"\xef \xbb\xbf[]", Reason::JsonSyntax),
        (b"[01]", Reason::JsonSyntax),
        (b"[-]", Reason::JsonSyntax),
    ] {
        let (rejection, _) = refusal::<Vec<u8, 4>>(text);
        let mut tokens = [0; 64];
        let mut check = assembler(&mut tokens);
        let mut rest = text;
        let expected = loop {
            match check.step(rest) {
                Ok(step) if step.event.is_none() => break check.finish().unwrap_err(),
                Ok(step) => rest = &rest[step.consumed..],
                Err(rejection) => break rejection,
            }
        };
        assert_eq!((rejection, rejection.reason()), (expected, reason), "{text:?}");
    }
    for (text, reason) in [
        (&br#"{"a": "\ud800"}"#[..], Reason::LoneSurrogate),
        (br#"{"a": "\ude00\ud83d"}"#, Reason::LoneSurrogate),
        (b"{\"a\": \"\xff\"}", Reason::InvalidUtf8),
        (b"{\"a\": \"\xc3", Reason::IncompleteUtf8),
        (b"{\"a\": [}", Reason::JsonSyntax),
        (b"{\"a\": nul}", Reason::JsonSyntax),
        (b"{\"a\" 1}", Reason::JsonSyntax),
        (b"{\"a\": 1,}", Reason::JsonSyntax),
        (b"{1: 1}", Reason::JsonSyntax),
    ] {
        // Also where nobody looks.
        assert_eq!(refusal::<Default>(text).0.reason(), reason, "{text:?}");
        assert_eq!(refusal::<IgnoredAny>(text).0.reason(), reason, "{text:?}");
    }
}

#[derive(Deserialize, Debug)]
struct Default {}

#[test]
fn limits_hold_for_what_is_passed_over_which_needs_no_scratch() {
    let limits = Limits { string: 20, key: 10, number: 6, items: 4, values: 12, depth: 3 };
    let read = |text: &[u8], scratch: usize| {
        let mut scratch = vec![0; scratch];
        let assembler = Assembler::<Counted<4>>::new(limits, &mut scratch).unwrap();
        let whole = de::from_slice::<Default, _>(text, assembler).map(drop);
        for size in 1..6 {
            let assembler = Assembler::<Counted<4>>::new(limits, &mut scratch).unwrap();
            let cut = de::from_reader::<Default, _, _>(source::quiet(text, size), assembler).map(drop);
            assert_eq!(cut.map_err(|error| error.rejection()), whole.map_err(|error| error.rejection()));
        }
        whole.map_err(|error| error.rejection().unwrap())
    };
    let over = |reason, limit, at| Err(Rejection::limit_exceeded(reason, limit).with_at(at));
    // A scratch for the names of the outermost members, and no more.
    assert_eq!(read(br#"{"a":"\u00e9234567890\\23456789"}"#, 1), Ok(()));
    assert_eq!(read(br#"{"a":"\u00e9234567890\\234567890"}"#, 1), over(Reason::StringLimit, 20, 31));
    assert_eq!(read(br#"{"a":{"1234567890":[123456, []]}}"#, 1), over(Reason::DepthLimit, 3, 28));
    assert_eq!(read(br#"{"a":{"12345678901":1}}"#, 1), over(Reason::KeyLimit, 10, 17));
    assert_eq!(read(br#"{"a":1234567}"#, 1), over(Reason::NumberLimit, 6, 11));
    assert_eq!(read(br#"{"a":[[[]]]}"#, 1), over(Reason::DepthLimit, 3, 7));
    assert_eq!(read(br#"{"a":[0,0,0,0,0]}"#, 1), over(Reason::ItemLimit, 4, 14));
    assert_eq!(read(br#"{"a":[0,0,0,0],"b":[0,0,0,0],"c":0}"#, 1), Ok(()));
    assert_eq!(read(br#"{"a":[0,0,0,0],"b":[0,0,0,0],"c":0,"d":0}"#, 1), over(Reason::ValueLimit, 12, 39));
    // The name of a member has to be known.
    assert_eq!(read(br#"{"ab":0}"#, 1), over(Reason::KeyLimit, 1, 3));
    assert_eq!(read(br#"{"ab":0}"#, 2), Ok(()));
}

#[derive(Deserialize, Debug)]
struct Chain(#[allow(dead_code, reason = "it is filled")] std::vec::Vec<Chain>);

#[derive(Deserialize, Debug)]
struct Link {
    #[allow(dead_code, reason = "it is filled")]
    next: Option<Box<Link>>,
}

#[test]
fn a_type_that_contains_itself_goes_as_deep_as_the_limit() {
    let limit = Rejection::limit_exceeded(Reason::DepthLimit, 32);
    let nested = |begin: &str, middle: &str, end: &str, depth: usize| {
        [begin.repeat(depth), middle.into(), end.repeat(depth)].concat()
    };
    let mut scratch = [0; 64];
    let arrays = nested("[", "", "]", 32);
    assert!(de::from_slice::<Chain, _>(arrays.as_bytes(), assembler(&mut scratch)).is_ok());
    let links = nested("{\"next\":", "null", "}", 32);
    assert!(de::from_slice::<Link, _>(links.as_bytes(), assembler(&mut scratch)).is_ok());
    for depth in [33, 1_000, 100_000] {
        assert_eq!(refusal::<Chain>(nested("[", "", "]", depth).as_bytes()), (limit.with_at(32), 32));
        let links = nested("{\"next\":", "null", "}", depth);
        assert_eq!(refusal::<Link>(links.as_bytes()), (limit.with_at(8 * 32), 32));
        assert_eq!(refusal::<IgnoredAny>(nested("[", "", "]", depth).as_bytes()).0, limit.with_at(32));
    }
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is never filled")]
enum Untagged {
    Number(u8),
    Text(std::string::String),
}

#[derive(Deserialize, Debug)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "it is never filled")]
enum Tagged {
    One { a: u8 },
    Two { b: u8 },
}

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "it is never filled")]
struct Flat {
    a: u8,
    #[serde(flatten)]
    rest: Extra,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(u8),
    Two { b: u8 },
}

#[test]
fn what_needs_a_copy_is_refused_by_name() {
    fn error<T: DeserializeOwned + Debug>(text: &str) -> Error {
        let mut scratch = [0; 64];
        de::from_slice::<T, _>(text.as_bytes(), assembler(&mut scratch)).unwrap_err()
    }
    let buffer = Error::Unsupported(Unsupported::Buffer);
    assert_eq!(error::<Untagged>("1"), buffer);
    assert_eq!(error::<Tagged>(r#"{"kind": "One", "a": 1}"#), buffer);
    assert_eq!(error::<Flat>(r#"{"a": 1, "pair": [true, "x"]}"#), buffer);
    assert_eq!(error::<Adjacent>(r#"{"c": 1, "t": "One"}"#), buffer);
    assert!(buffer.to_string().contains("buffered copy"), "{buffer}");
    let mut scratch = [0; 64];
    let text = br#"[{"t": "One", "c": 1}, {"t": "Two", "c": {"b": 2}}]"#;
    let both: [Adjacent; 2] = de::from_slice(text, assembler(&mut scratch)).unwrap();
    assert_eq!(both, [Adjacent::One(1), Adjacent::Two { b: 2 }]);
}

/// An even number, as its own conversion says.
#[derive(Deserialize, Debug)]
#[serde(try_from = "u8")]
struct Even;

impl TryFrom<u8> for Even {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, &'static str> {
        if number.is_multiple_of(2) { Ok(Self) } else { Err("odd") }
    }
}

#[test]
fn what_a_type_refuses_itself_is_a_mismatch_at_its_value() {
    assert_eq!(at::<Even>(" ^1 "), there(Reason::TypeMismatch, 0));
    assert_eq!(at::<(u8, (Even, Even))>("[1, [2, ^3]]"), there(Reason::TypeMismatch, 2));
    assert_eq!(at::<Option<Even>>("^3"), there(Reason::TypeMismatch, 0));
    assert_eq!(at::<LinearMap<char, Even, 2>>(r#"{"a": 2, "b": ^3}"#), there(Reason::TypeMismatch, 1));
}

#[test]
fn a_refused_deserializer_stays_so_and_one_without_its_value_has_no_end() {
    let mut scratch = [0; 64];
    let mut deserializer = de::Deserializer::from_slice(b"[1, true]", assembler(&mut scratch));
    let first = <(u8, u8)>::deserialize(&mut deserializer).unwrap_err();
    assert_eq!(first.rejection(), Some(Rejection::fault(Reason::TypeMismatch, 4)));
    assert_eq!(bool::deserialize(&mut deserializer), Err(first));
    assert_eq!(deserializer.end(), Err(first));
    let mut deserializer = de::Deserializer::from_slice(b" 1", assembler(&mut scratch));
    assert_eq!(deserializer.end().unwrap_err().rejection().unwrap().reason(), Reason::IncompleteJson);
    let mut deserializer = de::Deserializer::from_slice(b" 1 ", assembler(&mut scratch));
    assert_eq!(u8::deserialize(&mut deserializer), Ok(1));
    assert_eq!(deserializer.end(), Ok(()));
    assert!(u8::deserialize(&mut deserializer).is_err());
}

#[test]
fn text_is_borrowed_only_where_it_stands_in_the_slice() {
    let mut scratch = [0; 64];
    let text = br#"["plain", "", {"key": "v"}]"#;
    let (plain, empty, map): (&str, &str, LinearMap<&str, &str, 1>) =
        de::from_slice(text, assembler(&mut scratch)).unwrap();
    assert_eq!((plain, empty, map.get(&"key")), ("plain", "", Some(&"v")));
    assert_eq!(plain.as_ptr(), text[2..].as_ptr());
    let escaped = de::from_slice::<&str, _>(br#""\u0061""#, assembler(&mut scratch)).unwrap_err();
    assert_eq!(escaped.rejection(), Some(Rejection::fault(Reason::TypeMismatch, 0)));
}

#[derive(Deserialize, Debug)]
struct Endless(#[allow(dead_code, reason = "it is never filled")] Option<Box<Endless>>);

#[test]
fn a_type_that_contains_itself_without_a_container_is_refused_by_name() {
    let mut scratch = [0; 64];
    assert!(de::from_slice::<Endless, _>(b"null", assembler(&mut scratch)).is_ok());
    let error = de::from_slice::<Endless, _>(b"1", assembler(&mut scratch)).unwrap_err();
    assert_eq!(error, Error::Unsupported(Unsupported::Recursion));
}

#[derive(Deserialize, PartialEq, Clone, Copy, Debug)]
struct Wrapped<T>(T);

type Wrapped4<T> = Wrapped<Wrapped<Wrapped<Wrapped<T>>>>;
type Wrapped16<T> = Wrapped4<Wrapped4<Wrapped4<Wrapped4<T>>>>;

#[test]
fn thirty_two_options_and_newtypes_may_be_around_each_value() {
    let mut scratch = [0; 64];
    // The innermost of 32 is an option.
    type Most = Wrapped16<Wrapped4<Wrapped4<Wrapped4<Wrapped<Wrapped<Wrapped<Option<u8>>>>>>>>;
    let read = de::from_slice::<[Most; 3], _>(b"[7, null, 9]", assembler(&mut scratch));
    assert_eq!(format!("{:?}", read.unwrap()).matches("Wrapped").count(), 3 * 31);
    let one_more = de::from_slice::<Wrapped<Most>, _>(b"7", assembler(&mut scratch));
    assert_eq!(one_more, Err(Error::Unsupported(Unsupported::Recursion)));
}

/// What takes any value, and tells how it came.
#[derive(PartialEq, Debug)]
struct Any(std::string::String);

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Teller;
        macro_rules! tell {
            ($($method:ident $type:ty)*) => {$(
                fn $method<E: serde::de::Error>(self, value: $type) -> Result<Any, E> {
                    Ok(Any(format!("{}({value:?})", &stringify!($method)["visit_".len()..])))
                }
            )*};
        }
        impl<'de> serde::de::Visitor<'de> for Teller {
            type Value = Any;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("anything")
            }

            tell! {
                visit_bool bool visit_u64 u64 visit_i64 i64 visit_u128 u128 visit_i128 i128 visit_f64 f64 visit_str &str
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Any, E> {
                Ok(Any("unit".into()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut access: A) -> Result<Any, A::Error> {
                let mut all = std::string::String::from("seq");
                while let Some(Any(element)) = access.next_element()? {
                    all.extend([" ", &element]);
                }
                Ok(Any(all))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut access: A) -> Result<Any, A::Error> {
                let mut all = std::string::String::from("map");
                while let Some((Any(key), Any(value))) = access.next_entry()? {
                    all.extend([" ", &key, "=", &value]);
                }
                Ok(Any(all))
            }
        }
        deserializer.deserialize_any(Teller)
    }
}

#[test]
fn what_takes_any_value_is_told_the_first_type_that_holds_it() {
    let text = r#"[null, true, 18446744073709551615, 18446744073709551616, -9223372036854775808, -9223372036854775809,
        -0, 1.5, 1e2, "\u0061", {"b": false}]"#;
    let mut scratch = [0; 64];
    let Any(told) = de::from_slice(text.as_bytes(), assembler(&mut scratch)).unwrap();
    let expected = "seq unit bool(true) u64(18446744073709551615) u128(18446744073709551616) \
        i64(-9223372036854775808) i128(-9223372036854775809) i64(0) f64(1.5) f64(100.0) str(\"a\") \
        map str(\"b\")=bool(false)";
    assert_eq!(told, expected);
    assert_eq!(at::<Any>("[^340282366920938463463374607431768211456]"), there(Reason::NumberRange, 1));
}

/// What takes any string, by a visitor with a part of the name of those that copy.
struct Named(std::string::String);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContentVisitor;
        impl serde::de::Visitor<'_> for ContentVisitor {
            type Value = Named;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Named, E> {
                Ok(Named(value.into()))
            }
        }
        deserializer.deserialize_any(ContentVisitor)
    }
}

#[test]
fn what_takes_any_value_is_not_taken_for_a_copy_by_a_part_of_its_name() {
    let mut scratch = [0; 64];
    let Named(text) = de::from_slice(br#""ahoy""#, assembler(&mut scratch)).unwrap();
    assert_eq!(text, "ahoy");
    let text = br#"{"a": [null, true, -1, 2.5, "x"], "b": {}}"#;
    let value: serde_json::Value = de::from_slice(text, assembler(&mut scratch)).unwrap();
    assert_eq!(value, serde_json::from_slice::<serde_json::Value>(text).unwrap());
}

#[test]
fn an_error_shows_its_place_what_is_not_done_here_or_the_source_s_own() {
    use core::error::Error as _;

    let rejection = Rejection::fault(Reason::TypeMismatch, 3);
    let refused = Error::<std::io::Error>::Rejected { rejection, depth: 2 };
    assert_eq!(
        (refused.to_string(), refused.rejection()),
        (format!("{rejection}, at depth 2"), Some(rejection))
    );
    for (what, words) in [
        (Unsupported::Buffer, "buffered copy"),
        (Unsupported::Float, "the feature `float`"),
        (Unsupported::Recursion, "contains itself"),
    ] {
        let error = Error::<std::io::Error>::Unsupported(what);
        assert!(error.to_string().contains(words) && error.source().is_none(), "{error}");
        assert_eq!(error.rejection(), None);
    }
    let failed = Error::Source(std::io::Error::from(std::io::ErrorKind::TimedOut));
    assert_eq!(failed.source().map(ToString::to_string), Some(failed.to_string()));
}
