//! What is wrong with the arguments themselves.

use crate::child::{Folder, fetch, ingest, text};

const LIMITS: [&str; 15] = [
    "--encoded-limit",
    "--decoded-limit",
    "--header-limit",
    "--work-limit",
    "--preview",
    "--content-length",
    "--members",
    "--depth",
    "--string",
    "--key",
    "--number",
    "--items",
    "--values",
    "--record",
    "--records",
];

#[test]
fn a_limit_that_is_no_whole_number_of_64_bits_is_a_usage_error_that_names_the_option() {
    for option in LIMITS {
        for value in ["-1", "1.5", "many", "", "18446744073709551616", "99999999999999999999GiB"] {
            let run = ingest(&[option, value], b"");
            assert_eq!(run.code, 2, "{option} {value}: {}", run.stderr);
            assert!(run.stderr.contains(option), "{option} {value}: {}", run.stderr);
            assert!(run.stdout.is_empty());
        }
    }
}

#[test]
fn a_deadline_that_is_no_duration_is_a_usage_error() {
    for value in ["-1s", "soon", "5"] {
        let run = ingest(&["--deadline", value], b"");
        assert_eq!(run.code, 2, "{value}");
        assert!(run.stderr.contains("--deadline"), "{}", run.stderr);
    }
}

#[test]
fn an_unknown_option_is_a_usage_error() {
    assert_eq!(ingest(&["--no-such-option"], b"").code, 2);
}

#[test]
fn what_cannot_be_read_or_written_is_named_and_exits_with_1() {
    let folder = Folder::new();
    let present = folder.file("body", b"hello");
    for arguments in [
        vec![text(&folder.path("missing")).to_owned()],
        vec![text(&folder.path("")).to_owned()],
        vec![text(&present).to_owned(), "-o".to_owned(), text(&folder.path("no/such/folder")).to_owned()],
        vec![text(&present).to_owned(), "-o".to_owned(), text(&folder.path("")).to_owned()],
    ] {
        let run = ingest(&arguments, b"");
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(arguments.last().unwrap().trim_end_matches('/')), "{}", run.stderr);
        assert!(run.stdout.is_empty());
    }
    assert_eq!(folder.names(), ["body"]);
}

#[test]
fn an_address_and_a_rate_that_are_none_are_usage_errors() {
    for url in ["", "example.org", "ftp://127.0.0.1/", "http://"] {
        let (run, _) = fetch(&[url]);
        assert_eq!(run.code, 2, "{url}: {}", run.stderr);
    }
    for rate in ["-1", "1KiB/", "fast"] {
        let run = ingest(&["--least-rate", rate], b"");
        assert_eq!(run.code, 2, "{rate}");
        assert!(run.stderr.contains("--least-rate"), "{}", run.stderr);
    }
}
