//! Complete, preview and rejected: exit status, body and report.

use crate::child::{Folder, gzip, ingest, text};

#[test]
fn a_complete_body_goes_to_standard_output_without_a_word() {
    let run = ingest(&["--content-encoding", "gzip"], &gzip(b"hello"));
    assert_eq!((run.code, run.stdout.as_slice(), run.stderr.as_str()), (0, &b"hello"[..], ""));
}

#[test]
fn the_report_of_a_complete_body_is_written_when_asked_for() {
    let run = ingest(&["--report"], b"hello");
    assert_eq!((run.code, run.stdout.as_slice()), (0, &b"hello"[..]));
    assert_eq!(
        run.stderr,
        concat!(
            r#"{"outcome":"complete","encoded_bytes":5,"decoded_bytes":5,"#,
            r#""lower_bound":false,"exposed_bytes":0,"cancelled":false}"#,
            "\n"
        )
    );
}

#[test]
fn a_rejected_body_leaves_nothing_but_its_report() {
    let run = ingest(&["--content-encoding", "gzip", "--decoded-limit", "4"], &gzip(b"hello"));
    assert_eq!((run.code, run.stdout.as_slice()), (4, &b""[..]));
    for (key, value) in [
        ("outcome", "rejected"),
        ("stage", "decoder"),
        ("reason", "decoded_limit"),
        ("limit", "4"),
        ("unit", "bytes"),
        ("decoded_bytes", "5"),
        ("lower_bound", "true"),
        ("exposed_bytes", "0"),
        ("cancelled", "true"),
    ] {
        assert_eq!(run.report(key), Some(value), "{key}: {}", run.stderr);
    }
    assert_eq!(run.report("at"), None);
}

#[test]
fn a_body_that_ends_early_is_rejected_and_was_read_to_its_end() {
    let body = gzip(b"hello");
    let run = ingest(&["--content-encoding", "gzip"], &body[..body.len() - 4]);
    assert_eq!((run.code, run.report("reason")), (4, Some("incomplete_gzip")));
    assert_eq!((run.report("lower_bound"), run.report("cancelled")), (Some("false"), Some("false")));
    assert_eq!(run.report("at"), Some((body.len() - 4).to_string().as_str()));
}

#[test]
fn the_coding_is_a_header_value_or_follows_from_the_name() {
    let folder = Folder::new();
    let packed = folder.file("body.gz", &gzip(b"hello"));
    assert_eq!(ingest(&[text(&packed)], b"").stdout, b"hello");
    let plain = folder.file("body", b"hello");
    assert_eq!(ingest(&[text(&plain)], b"").stdout, b"hello");
    for value in ["gzip", "X-GZIP", " gzip "] {
        assert_eq!(ingest(&["--content-encoding", value], &gzip(b"hello")).stdout, b"hello", "{value}");
    }
    for value in ["", "identity"] {
        let run = ingest(&[text(&packed), "--content-encoding", value], b"");
        assert_eq!(run.stdout, gzip(b"hello"), "{value}");
    }
    for (value, reason) in [("br", "unsupported_coding"), ("gzip, gzip", "stacked_coding")] {
        let run = ingest(&["--content-encoding", value], b"");
        assert_eq!((run.code, run.report("reason")), (4, Some(reason)));
        assert_eq!((run.report("encoded_bytes"), run.report("at")), (Some("0"), None));
    }
}

#[test]
fn the_declared_length_must_be_true_and_within_the_limit() {
    assert_eq!(ingest(&["--content-length", "5"], b"hello").code, 0);
    for (length, reason, at) in [("4", "length_mismatch", Some("4")), ("6", "length_mismatch", Some("5"))] {
        let run = ingest(&["--content-length", length], b"hello");
        assert_eq!((run.code, run.report("reason"), run.report("at")), (4, Some(reason), at), "{length}");
    }
    let run = ingest(&["--content-length", "5", "--encoded-limit", "4"], b"hello");
    assert_eq!(
        (run.code, run.report("reason"), run.report("limit")),
        (4, Some("declared_length"), Some("4"))
    );
    assert_eq!(run.report("encoded_bytes"), Some("0"));
}

#[test]
fn a_preview_shows_the_beginning_and_never_becomes_a_file() {
    let folder = Folder::new();
    let output = folder.path("out");
    let arguments = ["--content-encoding", "gzip", "-o", text(&output), "--preview"];
    let with = |size| [&arguments[..], &[size]].concat();
    let run = ingest(&with("4"), &gzip(b"hello"));
    assert_eq!((run.code, run.stdout.as_slice()), (3, &b"hell"[..]));
    assert_eq!((run.report("outcome"), run.report("decoded_bytes")), (Some("preview"), Some("4")));
    assert!(folder.names().is_empty());
    let run = ingest(&with("5"), &gzip(b"hello"));
    assert_eq!((run.code, run.stdout.as_slice()), (0, &b""[..]));
    assert_eq!(std::fs::read(&output).unwrap(), b"hello");
}

#[test]
fn malformed_gzip_is_rejected_with_a_preview_too() {
    let mut body = gzip(b"hello");
    let last = body.len() - 1;
    body[last] ^= 1;
    let run = ingest(&["--content-encoding", "gzip", "--preview", "64"], &body);
    assert_eq!((run.code, run.report("reason")), (4, Some("length_field")));
    assert!(run.stdout.is_empty());
}

#[test]
fn members_and_padding_are_taken_when_allowed() {
    let two = [gzip(b"hello "), gzip(b"world"), vec![0; 512]].concat();
    let run = ingest(&["--content-encoding", "gzip", "--members", "2", "--zero-padding"], &two);
    assert_eq!((run.code, run.stdout.as_slice()), (0, &b"hello world"[..]));
    let run = ingest(&["--content-encoding", "gzip", "--members", "2"], &two);
    assert_eq!((run.code, run.report("reason")), (4, Some("trailing_data")));
    let run = ingest(&["--content-encoding", "gzip"], &two);
    assert_eq!((run.code, run.report("reason")), (4, Some("trailing_data")));
}
