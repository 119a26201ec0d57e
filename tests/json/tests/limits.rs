//! Each limit: exactly at it is taken, one more is refused, in every cut; what has no end is refused in time.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{Check, Counted, Limits, Token, Tokenizer, Uncounted};
use plimsoll_tests_json::feed;

/// Wide enough for every document here, so that each test narrows one limit.
const WIDE: Limits = Limits { string: 100, key: 100, number: 100, items: 100, values: 100, depth: 16 };

#[allow(clippy::panic_in_result_fn, reason = "a test fails by a panic")]
fn verdict(limits: Limits, text: &[u8]) -> Result<(), Rejection> {
    let check = Check::<Counted<16>>::new(limits).unwrap();
    let tokenizer = Tokenizer::<Counted<16>>::new(limits).unwrap();
    let result = feed::agree(&text.escape_ascii().to_string(), text, check, tokenizer, 4096).1.result;
    if limits.items >= limits.values {
        let check = Check::<Uncounted<2>>::new(limits).unwrap();
        let tokenizer = Tokenizer::<Uncounted<2>>::new(limits).unwrap();
        let name = "without counts of items";
        assert_eq!(feed::agree(name, text, check, tokenizer, 4096).1.result, result);
    }
    result
}

/// With the limit at what the text needs it is taken; one less refuses it at `at`. Less than that refuses too.
fn needs(text: &str, reason: Reason, most: u32, at: u64, limits: impl Fn(u32) -> Limits) {
    assert_eq!(verdict(limits(most), text.as_bytes()), Ok(()), "{text}");
    let rejection = Rejection::limit_exceeded(reason, u64::from(most - 1)).with_at(at);
    assert_eq!(verdict(limits(most - 1), text.as_bytes()), Err(rejection), "{text}");
    for less in 0..most - 1 {
        let rejection = verdict(limits(less), text.as_bytes()).unwrap_err();
        assert_eq!(rejection.reason(), reason, "{text}");
        assert_eq!(rejection.limit().map(|limit| limit.value), Some(u64::from(less)));
        assert!(rejection.at() <= Some(at));
    }
}

#[test]
fn a_string_is_counted_in_bytes_after_unescaping() {
    let string = |string| Limits { string, ..WIDE };
    needs(r#"["abcdefghij"]"#, Reason::StringLimit, 10, 11, string);
    needs(r#""abcdefghij""#, Reason::StringLimit, 10, 10, string);
    needs(r#"["a string that is longer than two words of a machine"]"#, Reason::StringLimit, 51, 52, string);
    // The last byte of a character of two, three and four bytes.
    needs("[1,\"aé\",2]", Reason::StringLimit, 3, 6, string);
    needs("[1,\"a€\",2]", Reason::StringLimit, 4, 7, string);
    needs("[1,\"a😀\",2]", Reason::StringLimit, 5, 8, string);
    needs("[\"日本語日本語\", 2]", Reason::StringLimit, 18, 19, string);
    // The last byte of an escape, which is shorter after unescaping.
    needs(r#"["ab\n"]"#, Reason::StringLimit, 3, 5, string);
    needs(r#"["ab\u000a"]"#, Reason::StringLimit, 3, 9, string);
    assert_eq!(verdict(string(4), br#"["ab\u00e9"]"#), Ok(()));
    assert_eq!(
        verdict(string(3), br#"["ab\u00e9"]"#),
        Err(Rejection::limit_exceeded(Reason::StringLimit, 3).with_at(9))
    );
    assert_eq!(verdict(string(6), br#"["ab\ud83d\ude00"]"#), Ok(()));
    assert_eq!(
        verdict(string(5), br#"["ab\ud83d\ude00"]"#),
        Err(Rejection::limit_exceeded(Reason::StringLimit, 5).with_at(15))
    );
}

#[test]
fn a_key_has_its_own_limit() {
    let key = |key| Limits { key, string: 0, ..WIDE };
    needs(r#"{"abc":""}"#, Reason::KeyLimit, 3, 4, key);
    needs(r#"{"a":1,"b":{"abcdefghijklmnopqrstuvwxyz" : 1}}"#, Reason::KeyLimit, 26, 38, key);
    needs("{\"aé\":1}", Reason::KeyLimit, 3, 4, key);
    needs(r#"{"\t\t":1}"#, Reason::KeyLimit, 2, 5, key);
    assert_eq!(verdict(Limits { key: 0, ..WIDE }, br#"{"":"abc"}"#), Ok(()));
}

#[test]
fn a_number_is_counted_in_bytes_as_written() {
    let number = |number| Limits { number, ..WIDE };
    needs("[12345]", Reason::NumberLimit, 5, 5, number);
    needs("12345", Reason::NumberLimit, 5, 4, number);
    needs("[0, -1.5e+10]", Reason::NumberLimit, 8, 11, number);
    needs("[0.000000000000000000000000001]", Reason::NumberLimit, 29, 29, number);
    needs(r#"{"a":-0}"#, Reason::NumberLimit, 2, 6, number);
}

#[test]
fn items_are_counted_per_container_and_not_over_all() {
    let items = |items| Limits { items, ..WIDE };
    needs("[1,2,3]", Reason::ItemLimit, 3, 5, items);
    needs("[[1,2],[3,4],[5,6]]", Reason::ItemLimit, 3, 13, items);
    needs(r#"{"a":1,"b":2}"#, Reason::ItemLimit, 2, 7, items);
    needs(r#"[{"a":[1,2]},{"a":{},"b":[],"c":"d"}]"#, Reason::ItemLimit, 3, 28, items);
    needs(r#"["a","b","c\n"]"#, Reason::ItemLimit, 3, 9, items);
    needs("[true,false,null,[]]", Reason::ItemLimit, 4, 17, items);
    // What an outer container has is known again behind an inner one.
    needs("[1,[1,[1,2],3],[],5]", Reason::ItemLimit, 4, 18, items);
    assert_eq!(verdict(items(0), b"[ ]"), Ok(()));
    assert_eq!(verdict(items(0), b"{}"), Ok(()));
    assert_eq!(verdict(items(0), b"1"), Ok(()));
    assert_eq!(verdict(items(0), b"[{}]"), Err(Rejection::limit_exceeded(Reason::ItemLimit, 0).with_at(1)));
}

#[test]
fn values_are_counted_over_the_document_without_keys() {
    let values = |values| Limits { values, ..WIDE };
    needs("1", Reason::ValueLimit, 1, 0, values);
    needs("[]", Reason::ValueLimit, 1, 0, values);
    needs(r#"{"a":1,"b":2}"#, Reason::ValueLimit, 3, 11, values);
    needs("[[1,2],[3,4]]", Reason::ValueLimit, 7, 10, values);
    needs(r#"[ "a", {"b" : true}, null, [{}] ]"#, Reason::ValueLimit, 7, 28, values);
}

#[test]
fn depth_is_one_for_an_empty_array() {
    let depth = |depth: u32| Limits { depth: u16::try_from(depth).unwrap(), ..WIDE };
    needs("[]", Reason::DepthLimit, 1, 0, depth);
    needs("{}", Reason::DepthLimit, 1, 0, depth);
    needs(r#"[{"a":[{"b":{}}]}]"#, Reason::DepthLimit, 5, 12, depth);
    needs("[[],[],[[]],[1]]", Reason::DepthLimit, 3, 8, depth);
    assert_eq!(verdict(depth(0), b"\"abc\""), Ok(()));
    let deepest = [[b'['; 16], [b']'; 16]].concat();
    assert_eq!(verdict(depth(16), &deepest), Ok(()));
}

#[test]
fn containers_of_both_kinds_end_as_they_began_at_every_level() {
    let limits = Limits { items: 4000, values: 4000, depth: 256, ..Limits::DEVICE };
    for pattern in 0_u32..64 {
        let object = |level: u32| (pattern >> (level % 6)) & 1 != 0;
        let mut text = String::new();
        for level in 0..256 {
            text.push_str(if object(level) { "{\"a\":" } else { "[" });
        }
        let middle = text.len();
        text.push('1');
        for level in (0..256).rev() {
            text.push_str(if object(level) { "}" } else { "]" });
        }
        let check = Check::<Counted<256>>::new(limits).unwrap();
        let small = Check::<Uncounted<32>>::new(limits).unwrap();
        let mut buffer = Vec::new();
        let good = feed::check(check, text.as_bytes().chunks(11), &mut buffer);
        assert_eq!(good.result, Ok(()));
        assert_eq!(feed::check(small, [text.as_bytes()], &mut buffer), good);
        // Every end, in turn, as the other one.
        for at in middle + 1..text.len() {
            let mut wrong = text.clone().into_bytes();
            wrong[at] ^= b']' ^ b'}';
            let expected = Err(Rejection::fault(Reason::JsonSyntax, at as u64));
            assert_eq!(feed::check(check, [wrong.as_slice()], &mut buffer).result, expected);
            assert_eq!(feed::check(small, [wrong.as_slice()], &mut buffer).result, expected);
        }
    }
}

/// Feeds one prefix and then the same piece again and again, up to 1 GiB; gives the refusal and how many bytes were
/// accepted.
fn flood(limits: Limits, prefix: &[u8], piece: &[u8]) -> (u64, Rejection) {
    let mut check = Check::<Counted<16>>::new(limits).unwrap();
    let mut tokenizer = Tokenizer::<Counted<16>>::new(limits).unwrap();
    let pieces = || core::iter::once(prefix).chain(core::iter::repeat_n(piece, (1 << 30) / piece.len()));
    let mut lent = 0;
    let mut fed = 0;
    let refusal = pieces().find_map(|piece| {
        let outcome = check.inspect(piece);
        fed += match &outcome {
            Ok(()) => piece.len() as u64,
            Err(refusal) => refusal.accepted as u64,
        };
        outcome.err()
    });
    let rejection = refusal.unwrap().rejection;
    let refused = pieces().find_map(|piece| {
        let mut rest = piece;
        loop {
            match tokenizer.step(rest) {
                Ok(step) => {
                    rest = &rest[step.consumed..];
                    match step.token {
                        Token::KeyPart(text) | Token::StringPart(text) | Token::NumberPart(text) => {
                            lent += text.len() as u64;
                        }
                        Token::KeyCharacter(character) | Token::StringCharacter(character) => {
                            lent += character.len_utf8() as u64;
                        }
                        Token::NeedInput => return None,
                        _ => {}
                    }
                }
                Err(rejection) => return Some(rejection),
            }
        }
    });
    assert_eq!(refused, Some(rejection));
    assert_eq!((tokenizer.offset(), check.offset()), (fed, fed));
    assert!(lent <= rejection.limit().unwrap().value);
    (fed, rejection)
}

#[test]
fn a_gibibyte_of_string_key_or_number_is_refused_one_byte_behind_the_limit() {
    let limits = Limits { string: 1000, key: 900, number: 800, ..Limits::DEVICE };
    for size in [1, 7, 64, 512, 4096] {
        let letters = vec![b'a'; size];
        let digits = vec![b'7'; size];
        let over = |reason, limit, at| (at, Rejection::limit_exceeded(reason, limit).with_at(at));
        assert_eq!(flood(limits, b"[\"", &letters), over(Reason::StringLimit, 1000, 1002));
        assert_eq!(flood(limits, b"{\"", &letters), over(Reason::KeyLimit, 900, 902));
        assert_eq!(flood(limits, b"[1", &digits), over(Reason::NumberLimit, 800, 801));
        assert_eq!(flood(limits, b"[0.", &digits), over(Reason::NumberLimit, 800, 801));
        assert_eq!(flood(limits, b"1e", &digits), over(Reason::NumberLimit, 800, 800));
        let accents = "é".repeat(size).into_bytes();
        assert_eq!(flood(limits, b"[\"", &accents), over(Reason::StringLimit, 1000, 1002));
        // Each escape is one byte, and its last byte is the one too many.
        let escapes = "\\n".repeat(size).into_bytes();
        assert_eq!(flood(limits, b"[\"", &escapes), over(Reason::StringLimit, 1000, 2 + 2001));
    }
}

#[test]
fn a_million_opening_brackets_are_refused_at_the_limit() {
    for open in ["[", "{\"a\":", "[ [ {\"b\":"] {
        let levels = 16;
        let text = open.repeat(1_000_000);
        let brackets = text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'[' | b'{'));
        let at = brackets.map(|(at, _)| at).nth(levels).unwrap() as u64;
        let expected = Rejection::limit_exceeded(Reason::DepthLimit, levels as u64).with_at(at);
        let (check, tokenizer) =
            (Check::<Counted<16>>::new(Limits::DEVICE), Tokenizer::<Counted<16>>::new(Limits::DEVICE));
        let mut buffer = Vec::new();
        for size in [1, 64, 4096, text.len()] {
            let pieces = || text.as_bytes().chunks(size);
            assert_eq!(feed::check(check.unwrap(), pieces(), &mut buffer).result, Err(expected));
            assert_eq!(feed::tokens(tokenizer.unwrap(), pieces(), &mut buffer).1.result, Err(expected));
        }
    }
}

#[test]
fn a_machine_stays_small() {
    assert!(size_of::<Check<Uncounted<4>>>() <= 64, "{}", size_of::<Check<Uncounted<4>>>());
    assert!(size_of::<Tokenizer<Uncounted<4>>>() <= 80, "{}", size_of::<Tokenizer<Uncounted<4>>>());
    assert!(size_of::<Check<Counted<32>>>() <= 64 + 4 * 32);
    assert!(size_of::<Tokenizer<Counted<32>>>() <= 80 + 4 * 32);
}
