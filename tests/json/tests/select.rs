//! Selection by JSON Pointer: what RFC 6901 says, what `serde_json` finds, and what is refused, in every cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::{Reason, Rejection};
use plimsoll_json::{Kind, Pointers, Retained};
use plimsoll_tests_json::data;
use plimsoll_tests_json::select::{self, Node, PLENTY, Run};
use serde_json::Value;

const SMALL: Retained = Retained { bytes: 256, matches: 32 };

fn pointers<const P: usize>(texts: [&str; P]) -> Pointers<'_, P> {
    Pointers::new(texts).unwrap()
}

fn run<const P: usize>(text: &str, texts: [&str; P], retained: Retained) -> Run {
    select::agree(text, text.as_bytes(), &pointers(texts), retained, 4096)
}

/// One pointer that names at most one value.
fn one(text: &str, pointer: &str) -> Option<(Kind, String)> {
    let mut found = run(text, [pointer], SMALL).of(0);
    assert!(found.len() <= 1);
    found.pop()
}

#[test]
fn the_examples_of_rfc_6901_section_5() {
    let text = r#"{
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8
    }"#;
    for (pointer, expected) in [
        ("/foo/0", "\"bar\""),
        ("/foo", "[\"bar\",\"baz\"]"),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        ("/i\\j", "5"),
        ("/k\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
        ("", text),
    ] {
        assert_eq!(one(text, pointer), Some(Node::read(expected.as_bytes()).described()), "{pointer}");
    }
}

#[test]
fn an_index_has_no_leading_zero_and_the_element_behind_the_last_is_never_there() {
    let text = "[[0,1,2,3,4,5,6,7,8,9,10,11], {\"01\":true,\"-\":false,\"1\":null}]";
    for (pointer, expected) in [
        ("/0/0", Some((Kind::Number, "0"))),
        ("/0/11", Some((Kind::Number, "11"))),
        ("/0/12", None),
        ("/0/01", None),
        ("/0/00", None),
        ("/0/-", None),
        ("/0/+1", None),
        ("/0/1 ", None),
        ("/0/", None),
        ("/0/4294967296", None),
        ("/00", None),
        ("/-", None),
        ("/1/01", Some((Kind::True, ""))),
        ("/1/-", Some((Kind::False, ""))),
        ("/1/1", Some((Kind::Null, ""))),
        ("/1/0", None),
        ("/0/0/0", None),
    ] {
        let expected = expected.map(|(kind, text)| (kind, text.to_owned()));
        assert_eq!(one(text, pointer), expected, "{pointer}");
    }
}

#[test]
fn keys_are_compared_after_unescaping_wherever_they_are_cut() {
    for (key, pointer) in [
        (r"a", "/a"),
        (r"\u0061\u0062", "/ab"),
        (r"a\u002fb\/~\u007e", "/a~1b~1~0~0"),
        (r"\ud83d\ude00x", "/😀x"),
        (r"é\u20AC\n", "/é€\n"),
        (r"*", "/~2"),
        (r"\u002a*", "/**"),
        (r"a*", "/a~2"),
        (r"~2", "/~02"),
        (r"~0", "/~00"),
        (r"\u0000", "/\0"),
    ] {
        let text = format!("{{\"{key}x\":0,\"x\":1,\"{key}\":\"yes\",\"y\":2}}");
        assert_eq!(one(&text, pointer), Some((Kind::String, "yes".to_owned())), "{text} {pointer}");
        assert_eq!(one(&text, &format!("{pointer}y")), None);
    }
}

#[test]
fn pointers_may_lead_through_each_other_s_values_and_be_the_same() {
    let text = "{ \"a\" : [ 1.50 , \"x\\u0041\\n\" , { \"b\" : \"é\" } ] , \"c\" : null }";
    let run = run(text, ["", "/a", "/a/1", "/a/1", "/a/2/b", "/a/0", "/a/*", "/c", "/a/2"], SMALL);
    let whole = Node::read(text.as_bytes());
    for (pointer, tokens) in [
        (0, &[][..]),
        (1, &["a"]),
        (2, &["a", "1"]),
        (3, &["a", "1"]),
        (4, &["a", "2", "b"]),
        (5, &["a", "0"]),
        (6, &["a", "*"]),
        (7, &["c"]),
        (8, &["a", "2"]),
    ] {
        let expected: Vec<_> = whole.find(tokens).unwrap().into_iter().map(Node::described).collect();
        assert_eq!(run.of(pointer), expected, "{pointer}");
    }
    // The whole text without white space, and beside it a string of 3 bytes, a number of 4 and a string of 2.
    assert_eq!(run.bytes as usize, text.replace(' ', "").len() + 3 + 4 + 2);
}

#[test]
fn each_item_is_matched_in_order() {
    let text = r#"{"r":[{"v":1,"w":[1]},{"v":"two"},{"x":{"v":0}},{"v":{"v":3}},[4]],"s":{"a":{"v":5},"b":{"v":6}}}"#;
    let run = run(text, ["/r/*/v", "/s/*/v", "/*/*/v", "/*", "/r/*/*", "/*/*/*/*", "/r/3/*"], SMALL);
    let whole = Node::read(text.as_bytes());
    for (pointer, tokens) in [
        (0, &["r", "*", "v"][..]),
        (1, &["s", "*", "v"]),
        (2, &["*", "*", "v"]),
        (3, &["*"]),
        (4, &["r", "*", "*"]),
        (5, &["*", "*", "*", "*"]),
        (6, &["r", "3", "*"]),
    ] {
        let expected: Vec<_> = whole.find(tokens).unwrap().into_iter().map(Node::described).collect();
        assert!(!expected.is_empty());
        assert_eq!(run.of(pointer), expected, "{pointer}");
    }
}

#[test]
fn a_document_that_is_a_scalar_has_the_empty_pointer_only() {
    for (text, kind, expected) in [
        (" 12e5 ", Kind::Number, "12e+5"),
        ("12", Kind::Number, "12"),
        ("\"\\u00e9\"", Kind::String, "é"),
        ("\"\"", Kind::String, ""),
        ("true", Kind::True, ""),
        ("null\n", Kind::Null, ""),
    ] {
        let run = run(text, ["", "/", "/0", "/*"], SMALL);
        assert_eq!(run.of(0), [(kind, expected.to_owned())], "{text}");
        assert_eq!(run.matches.unwrap().len(), 1);
    }
}

#[test]
fn a_key_that_comes_twice_on_a_pointer_s_way_is_a_duplicate() {
    for (text, pointer, at) in [
        (r#"{"a":1,"a":2}"#, "/a", 7),
        (r#"{"a":1, "b":2 ,"\u0061" :2}"#, "/a", 15),
        (r#"{"a":{"b":1},"a":{"b":2}}"#, "/a/b", 13),
        (r#"{"a":{"b":1},"a":3}"#, "/a/b", 13),
        (r#"{"a":3,"a":{"b":1}}"#, "/a/b", 7),
        (r#"{"a":[{"b":1,"b":2}]}"#, "/a/0/b", 13),
        (r#"[{"b":1},{"b":1,"b":2}]"#, "/*/b", 16),
        (r#"{"":{"":1,"":2}}"#, "//", 10),
    ] {
        let run = run(text, ["/zzz", pointer], SMALL);
        assert_eq!(run.result, Err(Rejection::fault(Reason::DuplicateKey, at)), "{text} {pointer}");
        let quote = text.as_bytes()[usize::try_from(at).unwrap() + 1..].iter().position(|&byte| byte == b'"');
        assert_eq!(run.offset, at + 1 + quote.unwrap() as u64);
    }
    for (text, pointer) in [
        (r#"{"a":1,"a":2}"#, "/b"),
        (r#"{"a":1,"a":2}"#, "/*"),
        (r#"{"a":{"x":1,"x":2},"b":1}"#, "/a"),
        (r#"[{"b":1},{"b":1}]"#, "/*/b"),
        (r#"[{"b":1},{"b":1}]"#, "/1/b"),
        (r#"{"x":{"b":1},"y":{"b":1}}"#, "/*/b"),
        (r#"{"a":{"a":{"a":1}}}"#, "/a/a/a"),
    ] {
        assert_eq!(run(text, [pointer], SMALL).result, Ok(()), "{text} {pointer}");
    }
}

#[test]
fn a_required_pointer_that_matches_nothing_is_missing_at_the_end() {
    let set = pointers(["/a", "/b/c", "/d/*"]).require([true, true, true]);
    let of = |text: &str| {
        let run = select::agree(text, text.as_bytes(), &set, SMALL, 4096);
        (run.result, run.missing)
    };
    let missing = Err(Rejection::new(Reason::MissingField));
    assert_eq!(of(r#"{"a":1,"b":{"c":null},"d":[2]}"#), (Ok(()), None));
    assert_eq!(of(r#"{"b":{"c":null},"d":[2]}"#), (missing, Some(0)));
    assert_eq!(of(r#"{"a":{"b":{"c":1}},"b":{},"d":[2]}"#), (missing, Some(1)));
    assert_eq!(of(r#"{"a":1,"b":{"c":null},"d":[]} "#), (missing, Some(2)));
    assert_eq!(of("1"), (missing, Some(0)));
    // What is wrong with the document comes first.
    assert_eq!(of("{}x").0, Err(Rejection::fault(Reason::TrailingDocument, 2)));
    assert_eq!(of("{").0, Err(Rejection::fault(Reason::IncompleteJson, 1)));
    let optional = pointers(["/a", "/b"]).require([false, true]);
    assert_eq!(select::agree("", b"{\"b\":1}", &optional, SMALL, 10).result, Ok(()));
}

/// With `most` bytes it is taken; with one less it is refused at `at`; with less than that it is refused earlier.
fn retains<const P: usize>(text: &str, texts: [&str; P], most: u32, at: u64) {
    let with = |bytes| run(text, texts, Retained { bytes, ..SMALL });
    assert_eq!((with(most).result, with(most).bytes), (Ok(()), most), "{text}");
    let over = with(most - 1);
    let rejection = Rejection::limit_exceeded(Reason::RetainedLimit, u64::from(most - 1)).with_at(at);
    assert_eq!((over.result, over.offset), (Err(rejection), at), "{text}");
    for less in 0..most - 1 {
        let rejection = with(less).result.unwrap_err();
        assert_eq!(
            (rejection.reason(), rejection.limit().unwrap().value),
            (Reason::RetainedLimit, less.into())
        );
        assert!(rejection.at() <= Some(at));
    }
}

#[test]
fn what_is_retained_is_limited_to_the_byte() {
    retains(r#"{"a":"abcdefghij"}"#, ["/a"], 10, 15);
    retains(r#"["a string that is longer than two words", "unasked"]"#, ["/0"], 38, 39);
    retains(r#"[12345, 678]"#, ["/0"], 5, 5);
    retains("12345", [""], 5, 4);
    // A character counts where it ends, and so does an escape.
    retains("[\"aé\",2]", ["/0"], 3, 4);
    retains("[\"a😀b\",2]", ["/0"], 6, 7);
    retains("[\"日本語\"]", ["/0"], 9, 10);
    retains(r#"["ab\n"]"#, ["/0"], 3, 5);
    retains(r#"["\u00e9"]"#, ["/0"], 2, 7);
    retains(r#"["\ud83d\ude00"]"#, ["/0"], 4, 13);
    // A container without its white space.
    retains(r#"{ "a" : [ 1 , "\n" , true ] }"#, ["/a"], 13, 26);
    retains(r#"{ "a" : [ 1 , "\n" , true ] , "b" : { } }"#, ["/a", "/b"], 15, 38);
    retains(r#"{ "a" : [ 1 , "\n" , true ] }"#, [""], 19, 28);
    // Of a value that is named twice each byte counts once, in each form.
    retains(r#"["abc"]"#, ["/0", "/0", "/*"], 3, 4);
    retains(r#"["abc","d"]"#, ["", "/0"], 14, 10);
    retains(r#"["abc"]"#, ["", "/0"], 10, 6);
    // `["`, then `a` twice, `b`, and the `b` of the string itself is the sixth.
    let over = run(r#"["abc"]"#, ["", "/0"], Retained { bytes: 5, ..SMALL });
    assert_eq!(over.offset, 3);
}

#[test]
fn matches_are_limited_as_the_items_of_the_result() {
    let with = |text: &str, matches| {
        let run = run(text, ["/*", "/0"], Retained { matches, ..SMALL });
        assert_eq!(
            run.result.map_err(|rejection| rejection.at().unwrap()),
            run.result.map_err(|_| run.offset)
        );
        run.result.map_err(|rejection| (rejection.reason(), rejection.limit().unwrap().value, run.offset))
    };
    for (text, three, two, one) in [
        ("[[],{},\"\"]", 8, 4, 1),
        ("[1,2,3]", 6, 4, 2),
        ("[\"a\", \"b\", \"\\n\" ]", 14, 8, 3),
        ("[true,false,null]", 15, 10, 4),
    ] {
        assert_eq!(with(text, 4), Ok(()), "{text}");
        assert_eq!(with(text, 3), Err((Reason::ItemLimit, 3, three)), "{text}");
        assert_eq!(with(text, 2), Err((Reason::ItemLimit, 2, two)), "{text}");
        assert_eq!(with(text, 1), Err((Reason::ItemLimit, 1, one)), "{text}");
        assert_eq!(with(text, 0), Err((Reason::ItemLimit, 0, one)), "{text}");
    }
}

#[test]
fn what_is_retained_before_a_fault_is_counted_before_it() {
    // The limit's byte comes before the one at fault.
    for (text, texts, bytes, at) in [
        ("[1.x]", ["/0", "/1"], 1, 2),
        ("[12ex]", ["/0", "/1"], 2, 3),
        ("[-x]", ["/0", "/1"], 0, 1),
        ("{\"a\":[1,2,x]}", ["/a", "/b"], 3, 8),
        ("{\"a\":[[1,2,\"\\x\"]]}", ["/a", "/b"], 3, 8),
        ("[\"abc\u{1}\"]", ["/0", "/1"], 2, 4),
        ("[[ \"abc\u{1}\"]]", ["", "/0"], 4, 5),
    ] {
        let run = run(text, texts, Retained { bytes, ..SMALL });
        let rejection = Rejection::limit_exceeded(Reason::RetainedLimit, bytes.into()).with_at(at);
        assert_eq!((run.result, run.offset), (Err(rejection), at), "{}", text.escape_debug());
    }
}

/// A small generator: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn space(&mut self, out: &mut String) {
        out.push_str(["", "", "", " ", "\n ", "\t"][self.below(6)]);
    }

    fn text(&mut self, text: &str, out: &mut String) {
        out.push('"');
        for character in text.chars() {
            if matches!(character, '"' | '\\') || self.below(4) == 0 {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            } else {
                out.push(character);
            }
        }
        out.push('"');
    }

    fn value(&mut self, depth: usize, out: &mut String) {
        self.space(out);
        let kinds = if depth == 0 { 6 } else { 10 };
        match self.below(kinds) {
            0 => out.push_str("null"),
            1 => out.push_str("true"),
            2 => out.push_str("false"),
            3 => out.push_str(["0", "-1", "12.50", "1e5", "123456789012345678901234567890"][self.below(5)]),
            4 | 5 => {
                let text = TEXTS[self.below(TEXTS.len())];
                self.text(text, out);
            }
            6 | 7 => self.items(depth, out, false),
            _ => self.items(depth, out, true),
        }
        self.space(out);
    }

    fn items(&mut self, depth: usize, out: &mut String, object: bool) {
        out.push(if object { '{' } else { '[' });
        let count = self.below(5);
        self.space(out);
        for index in 0..count {
            if index != 0 {
                out.push(',');
                self.space(out);
            }
            if object {
                let key = self.key();
                self.text(key, out);
                self.space(out);
                out.push(':');
            }
            self.value(depth - 1, out);
        }
        out.push(if object { '}' } else { ']' });
    }

    /// Mostly one of a few, so that keys meet.
    fn key(&mut self) -> &'static str {
        let most = [2, 3, KEYS.len()][self.below(3)];
        KEYS[self.below(most)]
    }

    fn pointer(&mut self) -> String {
        let mut pointer = String::new();
        for _ in 0..self.below(4) {
            pointer.push('/');
            match self.below(7) {
                0 | 1 => pointer.push('*'),
                2 => pointer.push_str(&self.below(4).to_string()),
                _ => {
                    let key = self.key();
                    pointer.push_str(&key.replace('~', "~0").replace('/', "~1").replace('*', "~2"));
                }
            }
        }
        pointer
    }
}

const TEXTS: [&str; 7] = ["", "a", "é", "xyz", "😀", "{\\\" ", "longer than a word of a machine"];

const KEYS: [&str; 12] = ["a", "b", "", "0", "1", "~", "/", "*", "é", "a/b", "😀", "ab"];

#[test]
fn random_documents_and_pointers_give_what_a_tree_gives() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut duplicates, mut found) = (0, 0);
    for round in 0..3000 {
        let mut text = String::new();
        random.value(4, &mut text);
        let texts: [String; 6] = core::array::from_fn(|_| random.pointer());
        let texts: [&str; 6] = core::array::from_fn(|index| texts[index].as_str());
        let name = format!("{round}: {text} {texts:?}");
        let retained = Retained { bytes: 1 << 14, matches: 1000 };
        let run = select::agree(&name, text.as_bytes(), &pointers(texts), retained, 12);
        let tree = Node::read(text.as_bytes());
        let expected: Option<Vec<_>> =
            texts.iter().map(|text| tree.find(&text.split('/').skip(1).collect::<Vec<_>>())).collect();
        let Some(expected) = expected else {
            assert_eq!(run.result.unwrap_err().reason(), Reason::DuplicateKey, "{name}");
            duplicates += 1;
            continue;
        };
        assert_eq!(run.result, Ok(()), "{name}");
        for (pointer, nodes) in expected.into_iter().enumerate() {
            found += nodes.len();
            let nodes: Vec<_> = nodes.into_iter().map(Node::described).collect();
            assert_eq!(run.of(pointer), nodes, "{name}, {}", texts[pointer]);
        }
        // Any tighter limit, and any end, says the same in every cut.
        if run.bytes > 0 {
            let bytes = u32::try_from(random.below(run.bytes as usize)).unwrap();
            let tight =
                select::agree(&name, text.as_bytes(), &pointers(texts), Retained { bytes, ..retained }, 12);
            assert_eq!(tight.result.unwrap_err().reason(), Reason::RetainedLimit, "{name}");
        }
        let mut broken = text.clone().into_bytes();
        let at = random.below(broken.len());
        broken[at] = b"x\"\\]}{[,:1.e\n\xff"[random.below(14)];
        let bytes = u32::try_from(random.below(run.bytes as usize + 1)).unwrap();
        _ = select::agree(&name, &broken, &pointers(texts), Retained { bytes, matches: 3 }, 12);
    }
    assert!(duplicates > 100 && found > 2000, "{duplicates} {found}");
}

/// Pointers to every value of a document, or to `most` that are spread over it.
fn pointers_into(value: &Value, most: usize) -> Vec<String> {
    let mut all = vec![(String::new(), value)];
    let mut next = 0;
    while let Some((path, value)) = all.get(next).cloned() {
        next += 1;
        match value {
            Value::Array(items) => {
                all.extend(items.iter().enumerate().map(|(index, item)| (format!("{path}/{index}"), item)));
            }
            Value::Object(members) => all.extend(members.iter().map(|(key, value)| {
                (format!("{path}/{}", key.replace('~', "~0").replace('/', "~1").replace('*', "~2")), value)
            })),
            _ => {}
        }
    }
    let count = all.len().min(most);
    (0..count).map(|index| all[index * all.len() / count].0.clone()).collect()
}

/// `P` pointers drawn from a document, compared with `Value::pointer`.
fn compare_real<const P: usize>(name: &str, text: &[u8], sizes: &[usize]) {
    let value: Value = serde_json::from_slice(text).unwrap();
    let mut drawn = pointers_into(&value, P - P / 10);
    // One of ten leads nowhere.
    for index in 0..P - drawn.len() {
        let wrong = format!("{}/nowhere", drawn[index * 7 % drawn.len()]);
        drawn.push(wrong);
    }
    let texts: [&str; P] = core::array::from_fn(|index| drawn[index].as_str());
    let set = pointers(texts);
    for &size in sizes {
        let run = select::visit(&set, PLENTY, text.chunks(size));
        assert_eq!(run.result, Ok(()), "{name}");
        let mut found: Vec<Option<&select::Match>> = vec![None; P];
        for matched in run.matches.as_ref().unwrap() {
            assert!(found[matched.0].replace(matched).is_none(), "{}", texts[matched.0]);
        }
        for (text, matched) in texts.iter().zip(found) {
            let expected = value.pointer(text);
            let ours = matched.map(|(_, kind, text)| match kind {
                Kind::Null => Value::Null,
                Kind::True => Value::Bool(true),
                Kind::False => Value::Bool(false),
                Kind::String => Value::String(String::from_utf8(text.clone()).unwrap()),
                _ => serde_json::from_slice(text).unwrap(),
            });
            assert!(ours.as_ref() == expected, "{name} {text} in chunks of {size}");
        }
    }
}

#[test]
fn real_documents_give_what_serde_json_s_pointer_gives() {
    for (name, text) in data::real() {
        compare_real::<200>(name, &text, &[1, 64, 4096]);
    }
}

#[test]
fn a_thousand_pointers_into_twitter_give_what_serde_json_gives() {
    let (name, text) = data::real().remove(0);
    compare_real::<1000>(name, &text, &[61, 4096]);
}
