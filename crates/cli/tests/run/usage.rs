//! What is wrong with the arguments themselves.

use crate::child::{Folder, bare, feed, fetch, ingest, plimsoll, text};

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
    for value in ["-1s", "soon", "5", "0s", "999us"] {
        for run in
            [ingest(&["--deadline", value], b""), fetch(&["http://127.0.0.1:1/", "--deadline", value]).0]
        {
            assert_eq!(run.code, 2, "{value}");
            assert!(run.stderr.contains("--deadline"), "{}", run.stderr);
        }
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
fn what_cannot_be_made_is_told_by_the_name_that_was_given() {
    let folder = Folder::new();
    let present = folder.file("body", b"hello");
    let (output, plot) = (folder.path("nodir/out"), folder.path("nodir/x.svg"));
    for (arguments, path) in [
        (["ingest", text(&present), "-o", text(&output)], &output),
        (["profile", text(&present), "--plot", text(&plot)], &plot),
    ] {
        let run = plimsoll(&arguments, b"");
        let told = format!("plimsoll: {}: No such file or directory (os error 2)\n", path.display());
        assert_eq!((run.code, run.stderr), (1, told));
    }
    for missing in ["missing", "body"] {
        let place = folder.path(missing);
        let mut command = bare(&["ingest", text(&present)]);
        command.env("TMPDIR", &place).env("TMP", &place).env("TEMP", &place);
        let run = feed(command, b"");
        let told = format!("plimsoll: no temporary file can be made in {}: ", place.display());
        assert_eq!((run.code, run.stdout.as_slice()), (1, &b""[..]));
        assert!(run.stderr.starts_with(&told), "{}", run.stderr);
    }
}

#[test]
fn an_address_and_a_rate_that_are_none_are_usage_errors() {
    for url in ["", "example.org", "ftp://127.0.0.1/", "http://"] {
        let (run, _) = fetch(&[url]);
        assert_eq!(run.code, 2, "{url}: {}", run.stderr);
    }
    for url in ["nothing", "example.org/path", "localhost:8080/path"] {
        let (run, _) = fetch(&[url]);
        let told = format!("invalid value '{url}' for '<URL>': http:// or https:// is missing");
        assert!(run.code == 2 && run.stderr.contains(&told), "{}", run.stderr);
    }
    for rate in ["-1", "1KiB/", "fast", "1KiB/0s", "0/0s", "1/999us"] {
        let run = ingest(&["--least-rate", rate], b"");
        assert_eq!(run.code, 2, "{rate}");
        assert!(run.stderr.contains("--least-rate"), "{}", run.stderr);
        assert!(run.stderr.contains("expected SIZE or SIZE/DURATION"), "{}", run.stderr);
    }
}

#[test]
fn a_password_in_an_address_is_in_no_message() {
    for url in [
        "http://user:pass-word@127.0.0.1:1/",
        "http://user:pass-word@127.0.0.1:99999/",
        "http:/user:pass-word@127.0.0.1:x/",
        "http://user:pass-word@ho st/",
        "http://user:pass/word@host/",
        "ftp://user:pass-word@host/",
        "user:pass-word@host/",
    ] {
        let (run, _) = fetch(&[url]);
        assert!(matches!(run.code, 1 | 2), "{url}: {}", run.stderr);
        assert!(!run.stderr.is_empty() && !run.stderr.contains("pass"), "{url}: {}", run.stderr);
    }
}

#[test]
fn the_units_that_are_told_are_those_that_are_read() {
    let units = "a whole number of bytes, or one with B, KiB, MiB, GiB or TiB behind it";
    for command in ["ingest", "fetch", "profile"] {
        assert!(help(command).contains(units), "{command}");
    }
    assert!(ingest(&["--encoded-limit", "1KB"], b"").stderr.contains(units));
    for unit in ["B", "KiB", "MiB", "GiB", "TiB"] {
        assert_eq!(ingest(&["--encoded-limit", &format!("1{unit}")], b"1").code, 0);
    }
}

/// The help of a command, in one line.
fn help(command: &str) -> String {
    let run = plimsoll(&[command, "--help"], b"");
    String::from_utf8(run.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_help_says_what_is_counted_and_what_becomes_of_duplicate_keys() {
    for part in [
        "rejected as `duplicate_key` where PTR leads through it",
        "The line ends of records count, the one behind the object of a document does not.",
        "The line ends of records count for SIZE, the one behind the object of a document does not.",
        "until the head of the response is there, --deadline alone does",
    ] {
        for command in ["ingest", "fetch"] {
            assert!(help(command).contains(part), "{command}: {part}");
        }
    }
    for part in ["`file` is the file's name as it is; what of it is not UTF-8", "is measured once"] {
        assert!(help("profile").contains(part), "{part}");
    }
}
