//! The output file: it appears whole or not at all.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::thread;
use std::time::Duration;

use crate::child::{Folder, command, gzip, ingest, text};

#[test]
fn it_is_made_or_replaced_when_the_body_is_complete() {
    let folder = Folder::new();
    let output = folder.path("out");
    for body in [&b"hello"[..], b"a longer body", b""] {
        let run = ingest(&["-o", text(&output)], body);
        assert_eq!((run.code, run.stdout.as_slice(), run.stderr.as_str()), (0, &b""[..], ""));
        assert_eq!(fs::read(&output).unwrap(), body);
        assert_eq!(folder.names(), ["out"]);
    }
}

#[test]
fn it_stays_as_it_was_when_the_body_is_rejected() {
    let folder = Folder::new();
    let output = folder.file("out", b"before");
    let run = ingest(&["-o", text(&output), "--decoded-limit", "4"], b"hello");
    assert_eq!((run.code, fs::read(&output).unwrap()), (4, b"before".to_vec()));
    assert_eq!(folder.names(), ["out"]);
}

#[test]
fn it_has_ordinary_rights_and_keeps_those_it_had() {
    let folder = Folder::new();
    let output = folder.path("out");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    ingest(&["-o", text(&output)], b"hello");
    assert_eq!(mode(&output), mode(&folder.file("ordinary", b"")));
    fs::set_permissions(&output, fs::Permissions::from_mode(0o640)).unwrap();
    ingest(&["-o", text(&output)], b"hello");
    assert_eq!(mode(&output), 0o640);
}

#[test]
fn a_link_is_followed_and_a_device_is_written_to() {
    let folder = Folder::new();
    let target = folder.file("target", b"before");
    let link = folder.path("link");
    symlink(&target, &link).unwrap();
    assert_eq!(ingest(&["-o", text(&link)], b"hello").code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"hello");
    assert_eq!(ingest(&["-o", "/dev/null"], b"hello").code, 0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn it_is_not_there_when_the_command_is_killed_half_way() {
    let folder = Folder::new();
    let output = folder.path("out");
    let mut child = command(&["--content-encoding", "gzip", "-o", text(&output)]).spawn().unwrap();
    let body = gzip(&vec![b'a'; 1 << 20]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&body[..body.len() - 1]).unwrap();
    stdin.flush().unwrap();
    while folder.names().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!output.exists());
}
