//! Fields of a body: what `--select` writes, what it refuses, and what does not fit together.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;

use plimsoll_tests_http::hostile::{Server, response};

use crate::child::{Folder, Run, command, fetch, gzip, ingest, text};
use crate::hostile::PEAK;

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const SEQUENCE: &str = "application/json-seq";

/// Selects in a body of a media type.
fn select(media: &str, options: &[&str], body: &str) -> Run {
    ingest(&[&["--media-type", media], options].concat(), body.as_bytes())
}

/// What is written of a complete body.
fn written(media: &str, options: &[&str], body: &str) -> String {
    let run = select(media, options, body);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{options:?} {body}");
    String::from_utf8(run.stdout).unwrap()
}

/// Why a body is rejected, the limit, and the record.
fn refused(media: &str, options: &[&str], body: &str) -> (String, Option<String>, Option<String>) {
    let run = select(media, options, body);
    assert_eq!((run.code, run.stdout.as_slice()), (4, &b""[..]), "{options:?} {body}: {}", run.stderr);
    let key = |name: &str| run.report(name).map(str::to_owned);
    (key("reason").unwrap(), key("limit"), key("record"))
}

/// The message of a usage error, which comes before anything is read.
fn usage(options: &[&str]) -> String {
    let run = ingest(options, b"[1]");
    assert_eq!((run.code, run.stdout.as_slice()), (2, &b""[..]), "{options:?}: {}", run.stderr);
    run.stderr
}

const BODY: &str = r#" { "id" : 17 , "user" : { "name" : "Zo\u00eb \"Z\"\n" , "a/b" : { "m~n" : [ 1.50 , null ] } } ,
    "tags" : [ { "id" : "x" } , { "id" : true } , { } ] , "*" : "star" , "" : false } "#;

#[test]
fn the_fields_of_a_document_are_one_object_in_the_order_of_the_options() {
    let options =
        ["--select", "/user/name", "--select", "ids=/tags/*/id", "--select", "/id", "--select", "/nothing"];
    let expected = "{\"name\":\"Zoë \\\"Z\\\"\\n\",\"ids\":[\"x\",true],\"id\":17}\n";
    assert_eq!(written(JSON, &options, BODY), expected);
    let run = ingest(
        &[&["--media-type", JSON, "--content-encoding", "gzip"], &options[..]].concat(),
        &gzip(BODY.as_bytes()),
    );
    assert_eq!((run.code, run.stdout.as_slice()), (0, expected.as_bytes()));
}

#[test]
fn pointers_and_names_may_be_of_any_characters() {
    for (field, expected) in [
        ("/user/a~1b/m~0n", r#"{"m~n":[1.50,null]}"#),
        ("/user/a~1b", r#"{"a/b":{"m~n":[1.50,null]}}"#),
        ("/~2", r#"{"*":"star"}"#),
        ("/", r#"{"":false}"#),
        ("=/id", r#"{"":17}"#),
        ("\"\\\n\u{1}é😀=/id", "{\"\\\"\\\\\\n\\u0001é😀\":17}"),
        ("a=b=/id", r#"{"a=b":17}"#),
        ("all=/tags/*", r#"{"all":[{"id":"x"},{"id":true},{}]}"#),
        ("/tags/*", r#"{"tags":[{"id":"x"},{"id":true},{}]}"#),
        ("/tags/1", r#"{"1":{"id":true}}"#),
        ("/tags/01", "{}"),
        ("/tags/-", "{}"),
        ("/tags/99999999999999999999", "{}"),
        ("/none/*", r#"{"none":[]}"#),
    ] {
        assert_eq!(written(JSON, &["--select", field], BODY), format!("{expected}\n"), "{field}");
    }
    assert_eq!(written(JSON, &["--select", "it="], " [ 1 , { } ] "), "{\"it\":[1,{}]}\n");
    assert_eq!(written(JSON, &["--select", "it="], "null"), "{\"it\":null}\n");
}

#[test]
fn records_are_a_line_each_also_those_of_a_sequence() {
    let options = ["--select", "/id", "--select", "n=/v/*"];
    let expected = "{\"id\":1,\"n\":[]}\n{\"id\":\"b\",\"n\":[2,3]}\n{\"n\":[]}\n";
    let body = "{\"id\":1}\r\n\n  {\"v\": [2, 3], \"id\" :\"b\"}\n[]";
    assert_eq!(written(LINES, &options, body), expected);
    let body = "\u{1e}{\"id\":1}\n\u{1e}{\"v\":\n [2, 3],\n\"id\" :\"b\"}\n\u{1e}[]\n";
    assert_eq!(written(SEQUENCE, &options, body), expected);
    assert_eq!(written(LINES, &options, ""), "");
    let folder = Folder::new();
    let file = folder.file("body.jsonl.gz", &gzip(b"{\"id\":1}\n"));
    assert_eq!(ingest(&[text(&file), "--select", "/id"], b"").stdout, b"{\"id\":1}\n");
}

#[test]
fn nothing_is_written_of_a_body_that_is_broken_anywhere() {
    let options = ["--select", "/id", "--report"];
    for (media, body, reason, record) in [
        (JSON, "{\"id\":1,\"x\":[}", "json_syntax", None),
        (JSON, "{\"id\":1", "incomplete_json", None),
        (JSON, "{\"id\":1} {}", "trailing_document", None),
        (JSON, "{\"id\":1,\"x\":\"\\ud800\"}", "lone_surrogate", None),
        (JSON, "{\"id\":1,\"i\\u0064\":2}", "duplicate_key", None),
        (LINES, "{\"id\":1}\n{\"id\":2,}\n", "json_syntax", Some("1")),
        (LINES, "{\"id\":1}\n{\"id\":\n2}\n", "incomplete_json", Some("1")),
        (LINES, "{\"id\":1}\n{\"id\":2,\"id\":2}\n", "duplicate_key", Some("1")),
        (SEQUENCE, "\u{1e}{\"id\":1}\n\u{1e}12", "incomplete_json", Some("1")),
    ] {
        let run = select(media, &options, body);
        assert_eq!((run.code, run.stdout.as_slice()), (4, &b""[..]), "{body}");
        assert_eq!((run.report("reason"), run.report("record")), (Some(reason), record), "{body}");
    }
    let mut wrong = gzip(BODY.as_bytes());
    let at = wrong.len() - 8;
    wrong[at] ^= 1;
    let run = ingest(&["--media-type", JSON, "--content-encoding", "gzip", "--select", "/id"], &wrong);
    assert_eq!((run.code, run.stdout.as_slice(), run.report("reason")), (4, &b""[..], Some("checksum")));
}

#[test]
fn a_required_field_is_in_the_body_or_in_every_record() {
    let options = ["--select", "/id", "--select", "n=/v/*", "--require", "id", "--require", "n"];
    assert_eq!(written(JSON, &options, "{\"v\":[null],\"id\":null}"), "{\"id\":null,\"n\":[null]}\n");
    let run = select(JSON, &options, "{\"v\":[],\"id\":1}");
    assert_eq!(
        (run.code, run.report("reason"), run.report("stage")),
        (4, Some("missing_field"), Some("result"))
    );
    assert!(run.stderr.starts_with("plimsoll: the field 'n' is required and not there\n"), "{}", run.stderr);
    assert_eq!(
        refused(LINES, &options, "{\"v\":[1],\"id\":1}\n{\"v\":[1]}\n"),
        ("missing_field".to_owned(), None, Some("1".to_owned()))
    );
}

#[test]
fn what_is_written_is_limited_to_the_byte() {
    let limit = |most: usize| {
        ["--select", "/id", "--select", "n=/v/*", "--retained", &most.to_string()].map(str::to_owned)
    };
    for (media, body, most) in [
        (JSON, r#"{"id":"é\n","v":[]}"#, r#"{"id":"é\n","n":[]}"#.len()),
        (JSON, r#"{"id":{"a":[1, 2]},"v":[1,2,3]}"#, r#"{"id":{"a":[1,2]},"n":[1,2,3]}"#.len()),
        (
            JSON,
            r#"{"v":[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]}"#,
            r#"{"n":[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]}"#.len(),
        ),
        (JSON, r#"{"v":[[],{},"",true]}"#, r#"{"n":[[],{},"",true]}"#.len()),
        (JSON, "[]", r#"{"n":[]}"#.len()),
        (LINES, "{\"id\":1}\n{\"id\":12,\"v\":[\"\\u0001\"]}\n{}\n", r#"{"id":12,"n":["\u0001"]}"#.len()),
    ] {
        let options = limit(most);
        let run = select(media, &options.each_ref().map(String::as_str), body);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{body}");
        assert_eq!(run.stdout.split(|&byte| byte == b'\n').map(<[u8]>::len).max(), Some(most), "{body}");
        for less in [most - 1, most / 2, 2, 1, 0] {
            let options = limit(less);
            let (reason, limit, _) = refused(media, &options.each_ref().map(String::as_str), body);
            assert_eq!((reason.as_str(), limit), ("retained_limit", Some(less.to_string())), "{body}");
        }
    }
}

#[test]
fn the_limits_of_a_body_hold_whether_its_fields_are_asked_for_or_not() {
    for (media, option, most, exact, over, reason) in [
        (JSON, "--encoded-limit", "8", r#"{"id":1}"#, r#"{"id": 1}"#, "encoded_limit"),
        (JSON, "--decoded-limit", "8", r#"{"id":1}"#, r#"{"id":12}"#, "decoded_limit"),
        (JSON, "--depth", "2", r#"{"id":[]}"#, r#"{"x":[[]]}"#, "depth_limit"),
        (JSON, "--string", "3", r#"{"id":"abc"}"#, r#"{"x":"abcd"}"#, "string_limit"),
        (JSON, "--key", "2", r#"{"id":1}"#, r#"{"idx":1}"#, "key_limit"),
        (JSON, "--number", "4", r#"{"id":1e-5}"#, r#"{"x":12345}"#, "number_limit"),
        (JSON, "--items", "2", r#"{"id":1,"x":2}"#, r#"{"x":[1,2,3]}"#, "item_limit"),
        (JSON, "--values", "3", r#"{"id":1,"x":2}"#, r#"{"x":[1,2]}"#, "value_limit"),
        (LINES, "--record", "8", "{\"id\":1}\n", "{\"id\":1} \n", "record_limit"),
        (LINES, "--records", "1", "{\"id\":1}\n", "{\"id\":1}\n1\n", "record_count"),
    ] {
        let options = ["--select", "/id", option, most];
        assert!(written(media, &options, exact).starts_with("{\"id\":"), "{option} {exact}");
        let (refused, limit, _) = refused(media, &options, over);
        assert_eq!((refused.as_str(), limit.as_deref()), (reason, Some(most)), "{option} {over}");
    }
}

#[test]
fn the_limits_of_a_body_hold_for_it_and_not_for_what_is_taken_from_it() {
    // Two pointers take six values each, of containers that have three items.
    let options = ["--select", "a=/*/*", "--select", "b=/*/*", "--items", "3", "--values", "9"];
    let taken = "[1,2,3,4,5,6]";
    let expected = format!("{{\"a\":{taken},\"b\":{taken}}}\n");
    assert_eq!(written(JSON, &options, "[[1,2,3],[4,5,6]]"), expected);
    assert_eq!(written(LINES, &options, "[[1,2,3],[4,5,6]]\n[[1,2,3],[4,5,6]]\n"), expected.repeat(2));
    let over = refused(JSON, &options, "[[1,2,3,4],[5,6]]");
    assert_eq!(over, ("item_limit".to_owned(), Some("3".to_owned()), None));
    let over = refused(JSON, &options, "[[1,2,3],[4,5,6],[]]");
    assert_eq!(over, ("value_limit".to_owned(), Some("9".to_owned()), None));
    // What is written is limited by itself, and has at most 12 elements in 20 bytes. What is over first is told.
    for items in 1..=24 {
        let most = items.to_string();
        let options = ["--select", "a=/*", "--retained", "20", "--items", &most];
        for count in 0..=24 {
            let body = format!("[{}]", vec!["1"; count].join(","));
            let run = select(JSON, &options, &body);
            let reason = if count > items && items <= 12 {
                Some("item_limit")
            } else {
                (format!("{{\"a\":{body}}}").len() > 20).then_some("retained_limit")
            };
            assert_eq!(run.report("reason"), reason, "{count} of {items}: {}", run.stderr);
        }
    }
}

#[test]
fn memory_does_not_grow_with_the_body() {
    const COUNT: usize = 1_000_000;
    let lines = b"{\"id\":17,\"tags\":[\"a\",\"b\"],\"more\":{\"x\":[1,2,3]}}\n".repeat(COUNT);
    let fields = ["Content-Type: application/x-ndjson", "Content-Encoding: gzip"];
    let server = Server::answer(response(&fields, &gzip(&lines)));
    let folder = Folder::new();
    let output = folder.path("out");
    let url = server.url();
    let (run, peak) = fetch(&[url.as_str(), "--select", "/id", "--select", "t=/tags/*", "-o", text(&output)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let written = fs::metadata(&output).unwrap().len();
    assert_eq!(written, (COUNT * b"{\"id\":17,\"t\":[\"a\",\"b\"]}\n".len()) as u64);
    // Twice the limit for an object, and 12 bytes for each match that it could have, come to 8 MiB.
    assert!(peak < PEAK + 8 * 1024, "{peak} KiB");
}

#[test]
fn tokens_are_limited_by_the_bytes_they_may_be() {
    let options =
        |most: &str| ["--select".to_owned(), "/id".to_owned(), "--token-limit".to_owned(), most.to_owned()];
    let run = |media, most: &str, body| select(media, &options(most).each_ref().map(String::as_str), body);
    assert_eq!(run(JSON, "8", "{\"id\":1}").stdout, b"{\"id\":1}\n");
    let over = run(JSON, "7", "{\"id\":1}");
    assert_eq!((over.code, over.stdout.as_slice(), over.report("stage")), (4, &b""[..], Some("context")));
    for (key, value) in [("reason", "token_limit"), ("limit", "7"), ("unit", "tokens")] {
        assert_eq!(over.report(key), Some(value));
    }
    // Of records all lines count, each with its end.
    let lines = "{\"id\":1}\n{\"id\":2}\n";
    assert_eq!(run(LINES, "18", lines).stdout, lines.as_bytes());
    let over = run(LINES, "17", lines);
    assert_eq!(
        (over.code, over.report("reason"), over.report("record")),
        (4, Some("token_limit"), Some("1"))
    );
    assert_eq!(run(LINES, "0", "").code, 0);
    assert_eq!(run(LINES, "0", "{}").report("limit"), Some("0"));
    assert_eq!(run(JSON, "0", "{}").report("reason"), Some("token_limit"));
    // What follows a stream that is over is not read.
    let over = run(LINES, "9", &"{\"id\":1}\n".repeat(1_000_000));
    assert_eq!(
        (over.report("record"), over.report("lower_bound"), over.report("cancelled")),
        (Some("1"), Some("true"), Some("true"))
    );
}

#[test]
fn a_preview_has_whole_fields_and_says_how_many_are_left_out() {
    let options = ["--select", "/a", "--select", "/b", "--select", "/c", "--preview"];
    let body = r#"{"a":1,"b":"12345","c":[2]}"#;
    let with = |size: &str| select(JSON, &[&options[..], &[size]].concat(), body);
    for (size, shown, note) in [
        ("26", "{\"a\":1,\"b\":\"12345\"}\n", "1 field is left out of the preview"),
        ("18", "{\"a\":1,\"c\":[2]}\n", "1 field is left out of the preview"),
        ("9", "{\"a\":1}\n", "2 fields are left out of the preview"),
        ("2", "{}\n", "3 fields are left out of the preview"),
        ("0", "", "3 fields are left out of the preview"),
    ] {
        let run = with(size);
        assert_eq!((run.code, String::from_utf8(run.stdout.clone()).unwrap().as_str()), (3, shown), "{size}");
        assert_eq!(run.report("outcome"), Some("preview"));
        assert_eq!(run.stderr.lines().next(), Some(format!("plimsoll: {note}").as_str()));
    }
    // An object without members has no part.
    for (options, reason, limit) in [
        (&["--preview", "1"][..], "retained_limit", "1"),
        (&["--preview", "0"], "retained_limit", "0"),
        (&["--preview", "9", "--token-limit", "1"], "token_limit", "1"),
    ] {
        let over = refused(JSON, &[&["--select", "/q"], options].concat(), body);
        assert_eq!(over, (reason.to_owned(), Some(limit.to_owned()), None));
    }
    let run = with("27");
    assert_eq!(
        (run.code, run.stdout.as_slice(), run.stderr.as_str()),
        (0, format!("{body}\n").as_bytes(), "")
    );
    // What is over the limit for bytes is rejected all the same, and so is a body that goes wrong later.
    let run = select(JSON, &[&options[..], &["2", "--retained", "26"]].concat(), body);
    assert_eq!((run.code, run.report("reason")), (4, Some("retained_limit")));
    let run = select(JSON, &[&options[..], &["2"]].concat(), &format!("{body}x"));
    assert_eq!(
        (run.code, run.stdout.as_slice(), run.report("reason")),
        (4, &b""[..], Some("trailing_document"))
    );
    // Tokens shape a preview, too.
    let run = select(JSON, &[&options[..], &["100", "--token-limit", "15"]].concat(), body);
    assert_eq!((run.code, run.stdout.as_slice()), (3, &b"{\"a\":1,\"c\":[2]}\n"[..]));
}

#[test]
fn a_preview_has_whole_records_and_never_becomes_a_file() {
    let folder = Folder::new();
    let output = folder.path("out");
    let options = ["--select", "/id", "-o", text(&output), "--preview"];
    let body = "{\"id\":1}\n{\"id\":22}\n{\"id\":3}\n";
    let with = |size: &str| select(LINES, &[&options[..], &[size]].concat(), body);
    for (size, shown, note) in [
        ("27", "{\"id\":1}\n{\"id\":22}\n", "1 record is left out of the preview"),
        ("18", "{\"id\":1}\n", "2 records are left out of the preview"),
        ("8", "", "3 records are left out of the preview"),
        ("0", "", "3 records are left out of the preview"),
    ] {
        let run = with(size);
        assert_eq!((run.code, run.stdout.as_slice()), (3, shown.as_bytes()), "{size}");
        assert_eq!((run.report("outcome"), run.report("lower_bound")), (Some("preview"), Some("false")));
        assert_eq!(run.stderr.lines().next(), Some(format!("plimsoll: {note}").as_str()));
        assert!(folder.names().is_empty());
    }
    let run = with("28");
    assert_eq!((run.code, run.stdout.as_slice()), (0, &b""[..]));
    assert_eq!(fs::read(&output).unwrap(), body.as_bytes());
}

#[test]
fn the_output_appears_whole_or_not_at_all() {
    let folder = Folder::new();
    let output = folder.file("out", b"before");
    let options = ["--select", "/id", "-o", text(&output)];
    assert_eq!(select(LINES, &options, "{\"id\":1}\n{\"id\":}\n").code, 4);
    assert_eq!(fs::read(&output).unwrap(), b"before");
    assert_eq!(select(LINES, &options, "{\"id\":1}\n").code, 0);
    assert_eq!(
        (fs::read(&output).unwrap(), folder.names()),
        (b"{\"id\":1}\n".to_vec(), vec!["out".to_owned()])
    );

    let closed = folder.path("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let into = closed.join("out");
    // Who may do everything is not held back by the folder's rights.
    let forbidden = fs::write(closed.join("probe"), b"").is_err();
    let run = select(JSON, &["--select", "/id", "-o", text(&into)], "{\"id\":1}");
    assert_eq!(run.code, i32::from(forbidden), "{}", run.stderr);
    assert!(!forbidden || run.stderr.contains(text(&into)), "{}", run.stderr);
    let run = select(JSON, &["--select", "/id", "-o", text(&folder.path("no/out"))], "{\"id\":1}");
    assert_eq!(run.code, 1);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_without_a_word() {
    let options = ["--media-type", LINES, "--select", "/id"];
    let mut child = command(&options).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdin.write_all(&b"{\"id\":1}\n".repeat(100_000)).unwrap();
    drop(stdin);
    stdout.read_exact(&mut [0; 9]).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.signal(), output.stderr.as_slice()), (Some(13), &b""[..]));
}

#[test]
fn what_does_not_fit_together_is_a_usage_error_that_names_the_option() {
    for (options, parts) in [
        (&["--select", "id"][..], &["--select", "NAME=PTR"][..]),
        (&["--select", ""], &["--select", "NAME=PTR"]),
        (&["--select", "/a~"], &["--select", "tilde", "its byte 2"]),
        (&["--select", "/a/x", "--select", "/b/x"], &["--select", "'x'", "NAME=/b/x"]),
        (&["--select", "/a", "--select", "/a"], &["--select", "'a'"]),
        (&["--select", "/a", "--require", "b"], &["--require", "'b'", "'a'"]),
        (&["--require", "b"], &["--select"]),
        (&["--retained", "1KiB"], &["--select"]),
        (&["--token-limit", "1"], &["--select"]),
        (&["--select", "/a", "--retained", "4GiB"], &["--retained", "4294967295"]),
        (&["--select", "/a", "--retained", "-1"], &["--retained"]),
        (&["--select", "/a", "--token-limit", "1KiB"], &["--token-limit"]),
        (&["--select", "/a", "--token-limit", "18446744073709551616"], &["--token-limit"]),
    ] {
        let message = usage(&[&["--media-type", JSON], options].concat());
        for part in parts {
            assert!(message.contains(part), "{options:?}: {message}");
        }
    }
    let many: Vec<String> = (0..257).map(|index| format!("--select=/k{index}")).collect();
    assert!(
        usage(&[&["--media-type", JSON], &many.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat())
            .contains("256")
    );
    for media in [&["--media-type", "text/plain"][..], &["--media-type", "application/octet-stream"], &[]] {
        let message = usage(&[media, &["--select", "/a"]].concat());
        assert!(message.contains("--select") && message.contains("--media-type"), "{message}");
    }
    // A type that is none of ours is the body's, as without --select.
    let run = ingest(&["--media-type", "text/html", "--select", "/a"], b"");
    assert_eq!((run.code, run.report("reason")), (4, Some("unsupported_media")));
}

#[test]
fn many_fields_of_a_wide_body_are_found() {
    let members: Vec<String> = (0..300).map(|index| format!("\"k{index}\":{index}")).collect();
    let body = format!("{{{}}}", members.join(","));
    for count in [4, 5, 16, 17, 64, 65, 256] {
        let options: Vec<String> = (0..count).rev().map(|index| format!("--select=/k{index}")).collect();
        let options: Vec<_> = options.iter().map(String::as_str).collect();
        let expected: Vec<_> = members.iter().take(count).rev().map(String::as_str).collect();
        assert_eq!(written(JSON, &options, &body), format!("{{{}}}\n", expected.join(",")));
    }
}

#[test]
fn a_field_may_lie_as_deep_as_the_limit_lets_it() {
    for depth in [1, 64, 4096] {
        let body = format!("{}7{}", "[".repeat(depth), "]".repeat(depth));
        let field = format!("it={}", "/0".repeat(depth));
        let limit = depth.to_string();
        assert_eq!(written(JSON, &["--select", &field, "--depth", &limit], &body), "{\"it\":7}\n");
        assert_eq!(
            written(JSON, &["--select", "it=", "--depth", &limit], &body),
            format!("{{\"it\":{body}}}\n")
        );
        let less = (depth - 1).to_string();
        let over = refused(JSON, &["--select", &field, "--depth", &less], &body);
        assert_eq!(over, ("depth_limit".to_owned(), Some(less), None));
    }
}

#[test]
fn fields_of_a_response_are_taken_as_its_type_says() {
    let run = |fields: &[&str], options: &[&str], body: &[u8]| {
        let server = Server::answer(response(fields, body));
        fetch(&[&[server.url().as_str()], options].concat()).0
    };
    let gzipped = ["Content-Type: application/json", "Content-Encoding: gzip"];
    let found = run(&gzipped, &["--select", "/user/name"], &gzip(BODY.as_bytes()));
    assert_eq!(
        (found.code, found.stdout.as_slice()),
        (0, "{\"name\":\"Zoë \\\"Z\\\"\\n\"}\n".as_bytes()),
        "{}",
        found.stderr
    );
    let found =
        run(&["Content-Type: application/x-ndjson"], &["--select", "/id"], b"{\"id\":1}\n{\"id\":2}\n");
    assert_eq!(found.stdout, b"{\"id\":1}\n{\"id\":2}\n");
    // The peer's type is the peer's fault; one that the options say is the caller's.
    for fields in [&["Content-Type: text/plain"][..], &["Content-Type: application/problem+json"], &[]] {
        let other = run(fields, &["--select", "/id"], b"{\"id\":1}");
        assert_eq!((other.code, other.report("reason")), (4, Some("unsupported_media")));
        assert!(other.stderr.contains("--media-type"), "{}", other.stderr);
        let said = run(fields, &["--select", "/id", "--media-type", JSON], b"{\"id\":1}");
        assert_eq!((said.code, said.stdout.as_slice()), (0, &b"{\"id\":1}\n"[..]));
    }
    let (wrong, _) = fetch(&["http://127.0.0.1:9/", "--select", "/id", "--media-type", "text/plain"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("--media-type"), "{}", wrong.stderr);
}

#[test]
fn keys_that_are_there_twice_are_refused_on_a_pointers_way_and_otherwise_passed_on_or_passed_over() {
    for (pointer, body, expected) in [
        ("/a", "{\"a\":1,\"a\":2}", None),
        ("/a/b", "{\"a\":{\"b\":1},\"a\":{}}", None),
        ("n=/a/*/b", "{\"a\":[{\"b\":1,\"b\":2}]}", None),
        ("n=/a/*", "{\"a\":{\"b\":1,\"b\":2}}", Some("{\"n\":[1,2]}\n")),
        ("n=/a", "{\"a\":{\"b\":1,\"b\":2}}", Some("{\"n\":{\"b\":1,\"b\":2}}\n")),
        ("n=", "{\"b\":1,\"b\":2}", Some("{\"n\":{\"b\":1,\"b\":2}}\n")),
        ("/a", "{\"b\":1,\"a\":3,\"b\":2}", Some("{\"a\":3}\n")),
    ] {
        let run = select(JSON, &["--select", pointer], body);
        match expected {
            Some(expected) => {
                assert_eq!((run.code, run.stdout.as_slice()), (0, expected.as_bytes()), "{pointer}")
            }
            None => assert_eq!((run.code, run.report("reason")), (4, Some("duplicate_key")), "{pointer}"),
        }
    }
}
