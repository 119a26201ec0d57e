//! What the encoders in the field write: gzip, pigz, zopfli and libdeflate, at their levels.
//!
//! A program that is not installed is skipped with a word on stderr; where `CI` is `true` that is a failure.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use conformance::{Case, Cuts, agreed, inputs, oracle};

/// Bodies of different kinds, and how they are called.
fn plain() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty", Vec::new()),
        ("one-byte", vec![b'x']),
        ("json", inputs::json(300_000)),
        ("binary", inputs::binary(50_000)),
        ("incompressible", inputs::incompressible(40_000)),
        ("one-letter", vec![b'a'; 100_000]),
    ]
}

/// What a program writes to its standard output for a file with this content; `None` if it is not installed.
fn packed(name: &str, program: &str, arguments: &[&str], plain: &[u8]) -> Option<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("{program}{}-{name}", arguments.concat().replace('/', "")));
    fs::write(&file, plain).unwrap();
    let output = Command::new(program)
        .args(arguments.iter().map(OsStr::new).chain([file.as_os_str()]))
        .stdin(Stdio::null())
        .output();
    fs::remove_file(&file).unwrap();
    match output {
        Ok(output) => {
            assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
            Some(output.stdout)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{program} is not installed");
            eprintln!("SKIPPED: {program} is not installed");
            None
        }
        Err(error) => panic!("{program}: {error}"),
    }
}

fn check(program: &str, arguments: &[&str]) {
    for (name, plain) in plain() {
        let Some(body) = packed(name, program, arguments, &plain) else { return };
        println!("{program} {}: {name}, {} bytes from {}", arguments.join(" "), body.len(), plain.len());
        assert!(oracle::gunzip_one(&body).as_ref() == Some(&plain), "the oracle says otherwise");
        let size = plain.len() as u64;
        let case = Case::gzip(&body[..]).encoded(1 << 20).decoded(size).cuts(Cuts::Few(2));
        agreed(&case.clone().length(body.len() as u64)).expect_complete(&plain);
        if size > 0 {
            agreed(&case.decoded(size - 1).cuts(Cuts::Few(0))).expect_decoded_limit(size - 1);
        }
    }
}

#[test]
fn gzip_at_every_level() {
    for level in 1..=9 {
        check("gzip", &["-c", &format!("-{level}")]);
    }
}

#[test]
fn gzip_without_name_and_time() {
    check("gzip", &["-c", "-n"]);
}

#[test]
fn pigz_with_blocks_that_are_packed_side_by_side() {
    check("pigz", &["-c", "-p", "2", "-b", "32"]);
    check("pigz", &["-c", "-9"]);
}

#[test]
fn zopfli() {
    check("zopfli", &["-c", "--i1"]);
}

#[test]
fn libdeflate_at_its_best() {
    check("libdeflate-gzip", &["-c", "-12"]);
}

#[test]
fn libdeflate_at_its_fastest() {
    check("libdeflate-gzip", &["-c", "-1"]);
}

#[test]
fn what_several_programs_wrote_one_after_the_other_is_one_body() {
    let (mut body, mut expected, mut members) = (Vec::new(), Vec::new(), 0);
    for (program, arguments) in
        [("gzip", &["-c"][..]), ("pigz", &["-c"]), ("zopfli", &["-c", "--i1"]), ("libdeflate-gzip", &["-c"])]
    {
        let plain = inputs::json(1000);
        if let Some(part) = packed("joined", program, arguments, &plain) {
            body.extend_from_slice(&part);
            expected.extend_from_slice(&plain);
            members += 1;
        }
    }
    assert_eq!(oracle::gunzip_many(&body).as_ref(), Some(&expected));
    agreed(&Case::gzip(&body[..]).members(4).cuts(Cuts::Few(30))).expect_complete(&expected);
    if members > 1 {
        let first = agreed(&Case::gzip(&body[..]).cuts(Cuts::Few(3))).rejection();
        assert_eq!(first.reason(), plimsoll::Reason::TrailingData);
    }
}
