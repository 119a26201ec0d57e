//! The output file: it appears whole or not at all.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::Command;
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

#[test]
fn a_signal_leaves_no_temporary_file() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::new();
        let mut child = command(&["-o", text(&folder.path("out"))]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"half a body").unwrap();
        while folder.names().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        // The handler is set right after the file is made.
        thread::sleep(Duration::from_millis(100));
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().code(), None, "ended by {signal} itself");
        assert!(folder.names().is_empty(), "{signal}: {:?}", folder.names());
    }
}

#[test]
fn bytes_that_are_not_checked_yet_are_their_owners_alone() {
    let folder = Folder::new();
    let mut child = command(&["-o", text(&folder.path("out"))]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"half a body").unwrap();
    let name = loop {
        if let [name] = folder.names().as_slice() {
            break name.clone();
        }
        thread::sleep(Duration::from_millis(5));
    };
    // Of a probe for the ordinary rights, which is there for a moment before, nothing is kept.
    thread::sleep(Duration::from_millis(100));
    let name = if folder.path(&name).exists() { name } else { folder.names().remove(0) };
    assert_eq!(fs::metadata(folder.path(&name)).unwrap().permissions().mode() & 0o777, 0o600);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn rights_that_give_power_are_not_handed_on() {
    let folder = Folder::new();
    let output = folder.file("out", b"before");
    fs::set_permissions(&output, fs::Permissions::from_mode(0o6755)).unwrap();
    assert_eq!(ingest(&["-o", text(&output)], b"hello").code, 0);
    assert_eq!(fs::metadata(&output).unwrap().permissions().mode() & 0o7777, 0o755);
}

#[test]
fn a_file_that_must_not_be_written_stays_and_a_link_to_nothing_is_named() {
    let folder = Folder::new();
    let output = folder.file("out", b"before");
    fs::set_permissions(&output, fs::Permissions::from_mode(0o444)).unwrap();
    let dangling = folder.path("dangling");
    symlink(folder.path("nothing"), &dangling).unwrap();
    for path in [&output, &dangling] {
        let run = ingest(&["-o", text(path)], b"hello");
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains(text(path)), "{}", run.stderr);
    }
    assert_eq!(fs::read(&output).unwrap(), b"before");
    assert_eq!(folder.names(), ["dangling", "out"]);
}

#[test]
fn the_names_of_standard_output_are_standard_output() {
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let folder = Folder::new();
        let file = folder.file("file", b"header\n");
        let open = fs::OpenOptions::new().append(true).open(&file).unwrap();
        let mut child = command(&["-o", name]).stdout(open).spawn().unwrap();
        drop(child.stdin.take().unwrap().write_all(b"hello"));
        assert!(child.wait().unwrap().success());
        assert_eq!(fs::read(&file).unwrap(), b"header\nhello", "{name}");
    }
}

#[test]
fn a_file_over_the_limit_of_the_process_is_an_error_and_leaves_no_temporary_file() {
    let folder = Folder::new();
    let body = folder.file("body", &vec![b'a'; 100_000]);
    // In units of 512 or 1024 bytes, as the shell counts.
    for (output, told) in [(folder.path("out"), folder.path("out")), ("-".into(), std::env::temp_dir())] {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -f 1 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_plimsoll")]);
        let run = limited.args(["ingest", text(&body), "-o", text(&output)]).output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(1), "{:?}: {stderr}", run.status);
        assert!(stderr.contains(&format!("{}: File too large", told.display())), "{stderr}");
        assert!(run.stdout.is_empty());
        assert_eq!(folder.names(), ["body"]);
    }
}
