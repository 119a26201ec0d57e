//! Media types: what a body must be, and the limits of documents and records.

use crate::child::{Folder, gzip, ingest, text};

/// Exit status, reason, and limit or offset of a body of a media type, with these options.
fn verdict(media: &str, options: &[&str], body: &str) -> (i32, Option<String>, Option<u64>) {
    let run = ingest(&[&["--media-type", media], options].concat(), body.as_bytes());
    if run.code == 0 {
        assert_eq!(run.stdout, body.as_bytes());
        return (0, None, None);
    }
    let number = run.report("limit").or_else(|| run.report("at")).map(|number| number.parse().unwrap());
    (run.code, run.report("reason").map(str::to_owned), number)
}

fn refused(reason: &str, number: u64) -> (i32, Option<String>, Option<u64>) {
    (4, Some(reason.to_owned()), Some(number))
}

const COMPLETE: (i32, Option<String>, Option<u64>) = (0, None, None);
const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const SEQUENCE: &str = "application/json-seq";

#[test]
fn every_limit_of_a_document_is_exact() {
    for (option, most, exact, over, reason) in [
        ("--depth", 3, "[[[1]]]", "[[[[1]]]]", "depth_limit"),
        ("--string", 3, r#"["abc","\u0061é"]"#, r#"["abcd"]"#, "string_limit"),
        ("--string", 3, r#""é\n""#, r#""éé""#, "string_limit"),
        ("--key", 2, r#"{"ab":"long value"}"#, r#"{"abc":1}"#, "key_limit"),
        ("--number", 4, "[1e-5]", "[12345]", "number_limit"),
        ("--items", 2, "[[1,2],{\"a\":1,\"b\":2}]", "[1,2,3]", "item_limit"),
        ("--values", 4, "[1,{\"a\":2}]", "[1,2,3,4]", "value_limit"),
    ] {
        let most_text = most.to_string();
        assert_eq!(verdict(JSON, &[option, &most_text], exact), COMPLETE, "{option} {exact}");
        assert_eq!(verdict(JSON, &[option, &most_text], over), refused(reason, most), "{option} {over}");
    }
}

#[test]
fn a_document_is_strict_and_its_fault_has_its_place() {
    assert_eq!(verdict(JSON, &[], " {\"a\": [1, -0.5e+3, true, null, \"\\ud83d\\ude00\"]} \n"), COMPLETE);
    for (body, reason, at) in [
        ("", "incomplete_json", 0),
        ("[1,]", "json_syntax", 3),
        ("[1", "incomplete_json", 2),
        ("{\"a\":1} x", "trailing_document", 8),
        ("\u{feff}[]", "byte_order_mark", 0),
        ("[\"\\ud800\"]", "lone_surrogate", 2),
    ] {
        assert_eq!(verdict(JSON, &[], body), refused(reason, at), "{body}");
    }
    let run = ingest(&["--media-type", JSON], b"[\"a\xFF\"]");
    assert_eq!((run.code, run.report("reason"), run.report("at")), (4, Some("invalid_utf8"), Some("3")));
    assert_eq!(run.report("stage"), Some("text"));
}

#[test]
fn records_have_their_own_limits_and_their_number() {
    let lines = "{\"a\":1}\n\n[2]\r\n3";
    assert_eq!(verdict(LINES, &["--records", "3", "--record", "7"], lines), COMPLETE);
    assert_eq!(verdict(LINES, &["--records", "2"], lines), refused("record_count", 2));
    assert_eq!(verdict(LINES, &["--record", "6"], lines), refused("record_limit", 6));
    let run = ingest(&["--media-type", LINES], b"{\"a\":1}\n{\"a\":}\n");
    assert_eq!((run.code, run.report("reason")), (4, Some("json_syntax")));
    assert_eq!((run.report("record"), run.report("at")), (Some("1"), Some("13")));
    assert_eq!(verdict(SEQUENCE, &[], "\u{1e}{\"a\":1}\n\u{1e}[2]\n"), COMPLETE);
    assert_eq!(verdict(SEQUENCE, &["--records", "1"], "\u{1e}1\n\u{1e}2\n"), refused("record_count", 1));
}

#[test]
fn text_is_utf_8_and_octets_are_anything() {
    for (media, code, reason) in [
        ("text/plain", 4, Some("invalid_utf8")),
        ("text/plain; charset=UTF-8", 4, Some("invalid_utf8")),
        ("application/octet-stream", 0, None),
    ] {
        let run = ingest(&["--media-type", media], b"a\xFFb");
        assert_eq!((run.code, run.report("reason")), (code, reason), "{media}");
    }
    let run = ingest(&["--media-type", "text/plain"], "ab€".as_bytes().split_last().unwrap().1);
    assert_eq!((run.code, run.report("reason"), run.report("at")), (4, Some("incomplete_utf8"), Some("2")));
    assert_eq!(ingest(&["--media-type", "text/plain"], "ab€".as_bytes()).code, 0);
}

#[test]
fn other_types_and_charsets_are_refused_before_a_byte_is_read() {
    for media in ["text/html", "application/json; charset=latin1", ""] {
        let run = ingest(&["--media-type", media], b"[]");
        assert_eq!((run.code, run.report("reason")), (4, Some("unsupported_media")), "{media}");
        assert_eq!(run.report("encoded_bytes"), Some("0"));
    }
}

#[test]
fn the_type_follows_from_the_name_with_and_without_gz() {
    let folder = Folder::new();
    for (name, body, reason) in [
        ("bad.json", &b"[1,]"[..], Some("json_syntax")),
        ("bad.ndjson", b"1\n2 3\n", Some("trailing_document")),
        ("bad.jsonl", b"1\n2 3\n", Some("trailing_document")),
        ("bad.txt", b"\xFF", Some("invalid_utf8")),
        ("bad.bin", b"\xFF", None),
        ("bad", b"\xFF", None),
        ("BAD.JSON", b"[1,]", Some("json_syntax")),
    ] {
        for (file, content) in [
            (name.to_owned(), body.to_vec()),
            (format!("{name}.gz"), gzip(body)),
            (format!("{name}.GZ"), gzip(body)),
        ] {
            let run = ingest(&[text(&folder.file(&file, &content))], b"");
            assert_eq!(run.report("reason"), reason, "{file}: {}", run.stderr);
        }
    }
}

#[test]
fn a_preview_of_text_ends_at_a_character() {
    let body = "ab€cd".as_bytes();
    for (size, shown) in [("2", "ab"), ("3", "ab"), ("4", "ab"), ("5", "ab€"), ("6", "ab€c")] {
        let run = ingest(&["--media-type", "text/plain", "--preview", size], body);
        assert_eq!((run.code, run.stdout.as_slice()), (3, shown.as_bytes()), "{size}");
    }
    let run = ingest(&["--preview", "3"], body);
    assert_eq!((run.code, run.stdout.as_slice()), (3, &body[..3]));
}

#[test]
fn what_lies_behind_a_preview_does_not_decide() {
    for (media, size, body, shown) in [
        ("text/plain", "2", &b"ab\xFF"[..], &b"ab"[..]),
        ("application/json", "5", b"[1,2,x", b"[1,2,"),
        ("application/json", "0", b"x", b""),
    ] {
        let run = ingest(&["--media-type", media, "--preview", size], body);
        assert_eq!((run.code, run.stdout.as_slice()), (3, shown), "{media}");
    }
    let run = ingest(&["--media-type", "application/json", "--preview", "6"], b"[1,2,x");
    assert_eq!((run.code, run.report("reason")), (4, Some("json_syntax")));
}

#[test]
fn malformed_text_is_repaired_in_a_preview_and_refused_as_a_body() {
    for media in ["text/plain", "application/json"] {
        let body = b"\"a\xFFb\xE2\x82c and more\"";
        // Seven bytes end behind `c`, six within the sequence before it.
        for (size, shown) in [("7", "\"a\u{FFFD}b\u{FFFD}c"), ("6", "\"a\u{FFFD}b")] {
            let run = ingest(&["--media-type", media, "--preview", size], body);
            assert_eq!((run.code, run.stdout.as_slice()), (3, shown.as_bytes()), "{media}");
        }
        let run = ingest(&["--media-type", media, "--preview", "64"], body);
        assert_eq!((run.code, run.report("reason"), run.report("at")), (4, Some("invalid_utf8"), Some("2")));
        assert!(run.stdout.is_empty());
    }
}
