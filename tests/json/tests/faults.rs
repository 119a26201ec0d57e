//! Each fault has one reason and one place, counted by hand, in every cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{Check, Counted, Limits, Text, Token, Tokenizer};
use plimsoll_tests_json::feed::{self, Event};

fn check() -> Check<Counted<16>> {
    Check::new(Limits::DEVICE).unwrap()
}

fn tokenizer() -> Tokenizer<Counted<16>> {
    Tokenizer::new(Limits::DEVICE).unwrap()
}

fn verdict(text: &[u8]) -> Result<(), Rejection> {
    let name = text.escape_ascii().to_string();
    feed::agree(&name, text, check(), tokenizer(), 4096).1.result
}

#[test]
fn each_fault_has_its_reason_and_its_place() {
    let cases: &[(&[u8], Reason, u64)] = &[
        // The byte that cannot stand there.
        (b"x", Reason::JsonSyntax, 0),
        (b"  ]", Reason::JsonSyntax, 2),
        (b"[1,]", Reason::JsonSyntax, 3),
        (b"[,1]", Reason::JsonSyntax, 1),
        (b"[1 2]", Reason::JsonSyntax, 3),
        (b"[1}", Reason::JsonSyntax, 2),
        (b"{\"a\":1]", Reason::JsonSyntax, 6),
        (b"{\"a\":1,}", Reason::JsonSyntax, 7),
        (b"{\"a\",1}", Reason::JsonSyntax, 4),
        (b"{\"a\":}", Reason::JsonSyntax, 5),
        (b"{1:2}", Reason::JsonSyntax, 1),
        (b"{'a':1}", Reason::JsonSyntax, 1),
        (b"{\"a\":1 /* */}", Reason::JsonSyntax, 7),
        (b"[\"a\x0bb\"]", Reason::JsonSyntax, 3),
        (b"[\"a\x00b\"]", Reason::JsonSyntax, 3),
        (b"[\"\\x41\"]", Reason::JsonSyntax, 3),
        (b"[\"\\u12G4\"]", Reason::JsonSyntax, 6),
        (b"[\"\\ud800\\udZ00\"]", Reason::JsonSyntax, 11),
        (b"[NaN]", Reason::JsonSyntax, 1),
        (b"[Infinity]", Reason::JsonSyntax, 1),
        (b"[+1]", Reason::JsonSyntax, 1),
        (b"[-]", Reason::JsonSyntax, 2),
        (b"[-a]", Reason::JsonSyntax, 2),
        (b"[01]", Reason::JsonSyntax, 2),
        (b"[-012]", Reason::JsonSyntax, 3),
        (b"01", Reason::JsonSyntax, 1),
        (b"[1.]", Reason::JsonSyntax, 3),
        (b"[1.e1]", Reason::JsonSyntax, 3),
        (b"[.5]", Reason::JsonSyntax, 1),
        (b"[1e]", Reason::JsonSyntax, 3),
        (b"[1e+]", Reason::JsonSyntax, 4),
        (b"[0x10]", Reason::JsonSyntax, 2),
        (b"[1.5.5]", Reason::JsonSyntax, 4),
        (b"[tru]", Reason::JsonSyntax, 4),
        (b"[truE]", Reason::JsonSyntax, 4),
        (b"[fals\0]", Reason::JsonSyntax, 5),
        (b"[nul\0]", Reason::JsonSyntax, 4),
        (b"[nulll]", Reason::JsonSyntax, 5),
        (b"[1\xc2\xa0]", Reason::JsonSyntax, 2),
        (b"\xff\xfe[\0]\0", Reason::JsonSyntax, 0),
        (b"[\xef\xbb\xbf]", Reason::JsonSyntax, 1),
        (b" \xef\xbb\xbf[]", Reason::JsonSyntax, 1),
        // A byte order mark, and what only begins like one.
        (b"\xef\xbb\xbf{}", Reason::ByteOrderMark, 0),
        (b"\xef\xbb\xbf", Reason::ByteOrderMark, 0),
        (b"\xef\xbb{}", Reason::JsonSyntax, 0),
        (b"\xef{}", Reason::JsonSyntax, 0),
        // UTF-8: the start of the bad sequence.
        (b"[\"a\x80\"]", Reason::InvalidUtf8, 3),
        (b"[\"a\xc3\"]", Reason::InvalidUtf8, 3),
        (b"[\"\xc3\xa9\xe2\x82\"]", Reason::InvalidUtf8, 4),
        (b"[\"\xe2\x82\xc3\xa9\"]", Reason::InvalidUtf8, 2),
        (b"[\"\xed\xa0\x80\"]", Reason::InvalidUtf8, 2),
        (b"[\"\xf0\x9f\x98\xff\"]", Reason::InvalidUtf8, 2),
        (b"[\"\xf5\x80\x80\x80\"]", Reason::InvalidUtf8, 2),
        (b"{\"\xc0\xaf\":1}", Reason::InvalidUtf8, 2),
        // Half a surrogate pair: its backslash.
        (b"[\"\\udc00\"]", Reason::LoneSurrogate, 2),
        (b"[\"ab\\uDFFF\\ud800\"]", Reason::LoneSurrogate, 4),
        (b"[\"\\ud800\"]", Reason::LoneSurrogate, 2),
        (b"[\"a\\ud800b\"]", Reason::LoneSurrogate, 3),
        (b"[\"a\\ud800\\n\"]", Reason::LoneSurrogate, 3),
        (b"[\"a\\ud800\\ud800\\udc00\"]", Reason::LoneSurrogate, 3),
        (b"[\"\\ud834\\udd1e\\ud834\\u0041\"]", Reason::LoneSurrogate, 14),
        (b"{\"\\udead\":1}", Reason::LoneSurrogate, 2),
        // What follows the document.
        (b"{} x", Reason::TrailingDocument, 3),
        (b"{}{}", Reason::TrailingDocument, 2),
        (b"1 2", Reason::TrailingDocument, 2),
        (b"1,", Reason::TrailingDocument, 1),
        (b"\"a\"\"b\"", Reason::TrailingDocument, 3),
        (b"truefalse", Reason::TrailingDocument, 4),
        (b"[]]", Reason::TrailingDocument, 2),
        (b"[]\n\0", Reason::TrailingDocument, 3),
        // The end came too early.
        (b"", Reason::IncompleteJson, 0),
        (b" \n", Reason::IncompleteJson, 2),
        (b"[", Reason::IncompleteJson, 1),
        (b"[1", Reason::IncompleteJson, 2),
        (b"[1,", Reason::IncompleteJson, 3),
        (b"{\"a", Reason::IncompleteJson, 3),
        (b"{\"a\"", Reason::IncompleteJson, 4),
        (b"{\"a\":", Reason::IncompleteJson, 5),
        (b"{\"a\":1", Reason::IncompleteJson, 6),
        (b"\"a\\", Reason::IncompleteJson, 3),
        (b"\"a\\u00", Reason::IncompleteJson, 6),
        (b"\"\\ud800", Reason::IncompleteJson, 7),
        (b"tru", Reason::IncompleteJson, 3),
        (b"-", Reason::IncompleteJson, 1),
        (b"1.", Reason::IncompleteJson, 2),
        (b"1e-", Reason::IncompleteJson, 3),
        (b"\xef\xbb", Reason::IncompleteJson, 2),
        (b"\"a\xc3", Reason::IncompleteUtf8, 2),
        (b"[\"\xe2\x82", Reason::IncompleteUtf8, 2),
        (b"[\"\xf0\x9f\x98", Reason::IncompleteUtf8, 2),
    ];
    for &(text, reason, at) in cases {
        assert_eq!(verdict(text), Err(Rejection::fault(reason, at)), "{}", text.escape_ascii());
    }
}

#[test]
fn a_fault_far_into_a_document_has_its_place_from_the_start_of_the_body() {
    let mut text = b"[".to_vec();
    for _ in 0..300 {
        text.extend_from_slice(b"\"pressure\", 1013.25, {\"unit\": \"hPa\"},\n");
    }
    let at = text.len() as u64;
    text.extend_from_slice(b"?]");
    let (_, verdict) = feed::agree("far", &text, check(), tokenizer(), 200);
    assert_eq!(verdict.result, Err(Rejection::fault(Reason::JsonSyntax, at)));
}

#[test]
fn whole_documents_are_taken_and_their_tokens_are_the_same_in_every_cut() {
    let string = |text: &str| Event::String(text.into());
    let key = |text: &str| Event::Key(text.into());
    let number = |text: &str| Event::Number(text.into());
    let cases: &[(&str, &[Event])] = &[
        ("null", &[Event::Null]),
        (" \t\r\n true \t\r\n", &[Event::True]),
        ("-0", &[number("-0")]),
        ("12345678901234567890", &[number("12345678901234567890")]),
        ("[1e400]", &[Event::BeginArray, number("1e400"), Event::EndArray]),
        ("-1.50E-07\n", &[number("-1.50E-07")]),
        ("\"\"", &[string("")]),
        ("\"\\u0000\"", &[string("\0")]),
        (
            "\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"",
            &[string("\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}")],
        ),
        (r#""\"\\\/\b\f\n\r\t\u00e9\uD834\uDD1e""#, &[string("\"\\/\u{8}\u{c}\n\r\té\u{1d11e}")]),
        (
            "\"naïve café — 日本語 😀 and a plain rest that is long enough for words\"",
            &[string("naïve café — 日本語 😀 and a plain rest that is long enough for words")],
        ),
        ("{ }", &[Event::BeginObject, Event::EndObject]),
        ("[ ]", &[Event::BeginArray, Event::EndArray]),
        (
            "[[],{},[{}]]",
            &[
                Event::BeginArray,
                Event::BeginArray,
                Event::EndArray,
                Event::BeginObject,
                Event::EndObject,
                Event::BeginArray,
                Event::BeginObject,
                Event::EndObject,
                Event::EndArray,
                Event::EndArray,
            ],
        ),
        (
            r#"{"" : 0 , "\u0061é" :[ false , null ] ,"a":{"b":"c"}}"#,
            &[
                Event::BeginObject,
                key(""),
                number("0"),
                key("aé"),
                Event::BeginArray,
                Event::False,
                Event::Null,
                Event::EndArray,
                key("a"),
                Event::BeginObject,
                key("b"),
                string("c"),
                Event::EndObject,
                Event::EndObject,
            ],
        ),
    ];
    for (text, expected) in cases {
        let (events, verdict) = feed::agree(text, text.as_bytes(), check(), tokenizer(), 4096);
        assert_eq!((events.as_slice(), verdict.result), (*expected, Ok(())), "{text}");
        assert_eq!(verdict.offset, text.len() as u64);
    }
}

#[test]
fn every_partition_of_a_document_gives_the_same() {
    // With 17 bytes there are 65,536 partitions.
    for text in [
        &b"[\"\xc3\xa9\\n\xf0\x9f\x98\x80\",-1]"[..],
        b"{\"\\ud83d\\ude00\":",
        b"[1.5e-3,true,null",
        b"\xef\xbb\xbf [0,\"\xe2\x82\xac\"]",
    ] {
        let text = &text[..text.len().min(17)];
        let mut buffer = Vec::new();
        let (checker, tokenizer) = (check().skip_byte_order_mark(), tokenizer().skip_byte_order_mark());
        let expected = feed::tokens(tokenizer, [text], &mut buffer);
        for mask in 0_u32..1 << (text.len() - 1) {
            let mut pieces = Vec::new();
            let mut rest = text;
            let mut taken = 0;
            for cut in (0..text.len() - 1).filter(|bit| mask >> bit & 1 != 0) {
                let (piece, behind) = rest.split_at(cut + 1 - taken);
                (rest, taken) = (behind, cut + 1);
                pieces.push(piece);
            }
            pieces.push(rest);
            assert_eq!(feed::check(checker, pieces.iter().copied(), &mut buffer), expected.1);
            assert!(feed::tokens(tokenizer, pieces.iter().copied(), &mut buffer) == expected, "{pieces:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_skipped_once_on_request_and_its_bytes_count() {
    let skip = |text: &[u8]| {
        let (check, tokenizer) = (check().skip_byte_order_mark(), tokenizer().skip_byte_order_mark());
        feed::agree("mark", text, check, tokenizer, 99).1.result
    };
    assert_eq!(skip(b"\xef\xbb\xbf[]"), Ok(()));
    assert_eq!(skip(b"[]"), Ok(()));
    assert_eq!(skip(b"\xef\xbb\xbf[}"), Err(Rejection::fault(Reason::JsonSyntax, 4)));
    assert_eq!(skip(b"\xef\xbb\xbf\xef\xbb\xbf[]"), Err(Rejection::fault(Reason::JsonSyntax, 3)));
    assert_eq!(skip(b"\xef\xbb[]"), Err(Rejection::fault(Reason::JsonSyntax, 0)));
    assert_eq!(skip(b"\xef\xbb\xbf"), Err(Rejection::fault(Reason::IncompleteJson, 3)));
    assert_eq!(skip(b"\xef"), Err(Rejection::fault(Reason::IncompleteJson, 1)));
}

#[test]
fn the_rest_behind_one_document_is_handed_back_untouched_in_every_cut() {
    let cases: &[(&[u8], usize)] = &[
        (b"{\"a\":[1,2]}  {\"b\":3}", 11),
        (b"[[],[]]\n", 7),
        (b"  \"a string, \\n and more\"rest", 25),
        (b"12 34", 2),
        (b"-1.5e3,", 6),
        (b"truefalse", 4),
        (b"null\0", 4),
    ];
    for &(text, len) in cases {
        for split in 0..=text.len() {
            let mut tokenizer = tokenizer().hand_back_rest();
            let mut consumed = 0;
            'body: for piece in [&text[..split], &text[split..]] {
                let mut rest = piece;
                loop {
                    let step = tokenizer.step(rest).unwrap();
                    rest = &rest[step.consumed..];
                    consumed += step.consumed;
                    match step.token {
                        Token::End => {
                            assert_eq!(step.consumed, 0);
                            assert_eq!(tokenizer.step(rest), Ok(step));
                            break 'body;
                        }
                        Token::NeedInput => break,
                        _ => {}
                    }
                }
            }
            assert_eq!(consumed, len, "{} at {split}", text.escape_ascii());
            assert_eq!(tokenizer.offset(), len as u64);
            assert_eq!(tokenizer.finish(), Ok(Token::End));

            let mut check = check();
            let first = check.inspect_value(&text[..split]).unwrap();
            let end = match first {
                Some(end) => end,
                None => split + check.inspect_value(&text[split..]).unwrap().unwrap(),
            };
            assert_eq!(end, len, "{} at {split}", text.escape_ascii());
            assert_eq!(check.finish(), Ok(()));
        }
    }
}

#[test]
fn a_number_at_the_top_level_is_ended_by_the_end_of_the_input() {
    let mut tokenizer = tokenizer();
    assert_eq!(tokenizer.step(b"12").unwrap().consumed, 2);
    assert_eq!(tokenizer.step(b"").unwrap().token, Token::NeedInput);
    assert_eq!(tokenizer.finish(), Ok(Token::Number(Text::default())));
    assert_eq!(tokenizer.finish(), Ok(Token::End));
    assert_eq!(tokenizer.finish(), Ok(Token::End));
}

#[test]
fn after_a_restart_the_next_document_is_judged_anew_and_offsets_go_on() {
    let mut check = check();
    let refusal = check.inspect(b"{\"a\": [1, x]}\n").unwrap_err();
    assert_eq!((refusal.accepted, refusal.rejection.at()), (10, Some(10)));
    check.restart(14);
    assert_eq!(check.inspect(b"[1, 2"), Ok(()));
    assert_eq!((check.offset(), check.values()), (19, 3));
    let refusal = check.inspect(b"}").unwrap_err();
    assert_eq!((refusal.accepted, refusal.rejection.at()), (0, Some(19)));
    check.restart(20);
    assert_eq!(check.inspect(b"1"), Ok(()));
    assert_eq!(check.finish(), Ok(()));

    let mut tokenizer = tokenizer();
    tokenizer.step(b"x").unwrap_err();
    tokenizer.restart(2);
    assert_eq!(tokenizer.step(b"[").unwrap().token, Token::BeginArray);
    assert_eq!((tokenizer.depth(), tokenizer.values(), tokenizer.offset()), (1, 1, 3));
}
