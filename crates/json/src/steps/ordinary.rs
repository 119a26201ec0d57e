//! Ordinary bodies: what the fast paths leave to the byte-exact machine, which is next to nothing. A fast path that ends too early
//! changes no result, so nothing else would notice.

use std::format;

use plimsoll_core::Inspect;

use super::counted::take_exact;
use crate::{Check, Counted, Framing, Limits, RecordLimits, Records, Token, Tokenizer};

/// Ordinary documents, and how many of their bytes are left to the byte-exact machine. By a check: the first one, white space
/// behind that, and white space behind the last one. By a tokenizer, of a document that has begun and goes on: of strings
/// with escapes the quote, and the quote behind an escape.
const ORDINARY: [(&str, usize, usize); 12] = [
    (r#"{"a":1,"bc":[true,false,null],"def":{"g":"h"},"":{}}"#, 1, 0),
    (r#"{"a": -0.5e+10, "b": [0, 1234567890, 1.25, -7], "c": {"d": {}, "e": []}}"#, 1, 0),
    ("{\n  \"a\" : 1 ,\n\t\"b\"\r\n:[ ] , \"c\" : { }, \"d\":\ttrue\n}\n", 1 + 3 + 1, 0),
    ("[[[]],[{}],[[ [{ \"a\":\n\n[ 1 , 2 ] } ] ] ] ]", 1, 0),
    ("[ \t \"\", \"a longer string than #1 word or block is!\",false ,\r\nnull]", 1 + 3, 0),
    ("[\"caf\u{e9}, \u{20ac} and \u{1f600}\",\"\u{e9}\",{\"\u{20ac}\":\"\u{1f600}\"}]", 1, 0),
    (r#"["\"", "\\\/\b\f\n\r\t", {"\u00e9": "a\ud83d\ude00b"}, "\n\n\n", ""]"#, 1, 2 + 2 + 2 + 1 + 2),
    (r#"["a string of some length", [[], []], {"": 0}, "", 1e5, 2E-3]"#, 1, 0),
    (r#"[100000000,-12345.678901234567,0.1,0,-0,"0"]"#, 1, 0),
    (r#"["a longer string as long as any here is\n\u00e9"]"#, 1, 2),
    // Containers that open where less is left than a fast path is begun for.
    ("[1,2,3,[4]]", 1, 0),
    (r#"{"a":1,"b":{"c":0}}"#, 1, 0),
];

/// Just enough for all of these.
const ENOUGH: Limits = Limits { string: 41, key: 3, number: 19, items: 6, values: 12, depth: 6 };

#[test]
fn of_an_ordinary_document_the_exact_machine_of_a_check_gets_the_first_byte_and_white_space() {
    for (document, left, _) in ORDINARY {
        let mut check = Check::<Counted<6>>::new(ENOUGH).unwrap();
        let _ = take_exact();
        check.inspect(document.as_bytes()).unwrap_or_else(|refusal| panic!("{document}: {refusal:?}"));
        assert_eq!(take_exact(), left, "{document}");
    }
}

#[test]
fn of_a_document_in_slices_the_exact_machine_of_a_check_gets_what_is_cut() {
    let limits = Limits { string: 16, key: 16, number: 2, items: 10, values: 11, depth: 1 };
    for (slices, left) in [
        // The bracket and the closing quote.
        (&["[\"abcdefgh", "ijklmnop", "\", 1, 2, 3]"][..], 2),
        (&["[\"\\n\u{e9}efgh", "ijk\\u20ac", "\", 1, 2, 3]"], 2),
        // Besides these the colon, the space, and the digit with the comma behind it.
        (&["{\"abcdefgh", "ijklmnop", "\": 1, \"b\": 2}"], 6),
        // The bracket or brace.
        (&["[1,2,3,4,5,", "6,7,8,9,10]"], 1),
        (&["{\"a\":1,\"b\":2,", "\"c\":3,\"d\":4}"], 1),
        // The bracket, the digit that follows and the comma behind it.
        (&["[1,2,3,4,5,1", "2,6,7,8, 9]"], 3),
        // The bracket and the comma that shows that the number has ended.
        (&["[1,2,3,4,5,12", ",6,7,8, 9]"], 2),
    ] {
        let mut check = Check::<Counted<1>>::new(limits).unwrap();
        let _ = take_exact();
        assert!(slices.iter().all(|slice| check.inspect(slice.as_bytes()).is_ok()), "{slices:?}");
        assert_eq!(take_exact(), left, "{slices:?}");
    }
}

/// Makes all steps over `slice`.
fn steps(tokenizer: &mut Tokenizer<Counted<7>>, slice: &str) {
    let mut rest = slice.as_bytes();
    loop {
        let step = tokenizer.step(rest).unwrap_or_else(|rejection| panic!("{slice}: {rejection:?}"));
        rest = &rest[step.consumed..];
        if step.token == Token::NeedInput {
            return;
        }
    }
}

#[test]
fn of_an_ordinary_document_the_exact_machine_of_a_tokenizer_gets_the_quotes_of_strings_with_escapes() {
    let limits = Limits { items: 9, values: 1 + 12 + 8, depth: 7, ..ENOUGH };
    for (document, _, left) in ORDINARY {
        let mut tokenizer = Tokenizer::<Counted<7>>::new(limits).unwrap();
        steps(&mut tokenizer, "[");
        let _ = take_exact();
        steps(&mut tokenizer, &format!("{document},1,2,3,4,5,6,7,8]"));
        assert_eq!(take_exact(), left, "{document}");
    }
}

#[test]
fn of_ordinary_records_the_exact_machine_gets_the_first_byte_of_each() {
    let line = "{\"a\": \"text\", \"b\": [1, true, null, -1.5, 200]}\n";
    let tokenizer = Tokenizer::<Counted<2>>::new(Limits { depth: 2, ..ENOUGH }).unwrap();
    let mut records = Records::new(Framing::Lines, RecordLimits::DEVICE, tokenizer);
    let _ = take_exact();
    let body = line.repeat(10);
    let mut rest = body.as_bytes();
    while !rest.is_empty() {
        let step = records.step(rest).unwrap();
        rest = &rest[step.consumed..];
    }
    assert_eq!(take_exact(), 10);
}
