//! Pipes, time and memory.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use plimsoll_tests_http::memory;

use crate::child::{command, gzip};

#[test]
fn a_source_that_sends_nothing_is_given_up_at_the_deadline() {
    let mut child = command(&["--deadline", "150ms"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"half a body").unwrap();
    let status = child.wait().unwrap();
    let mut report = String::new();
    child.stderr.take().unwrap().read_to_string(&mut report).unwrap();
    assert_eq!(status.code(), Some(4), "{report}");
    assert!(report.contains(r#""stage":"content","reason":"deadline","limit":150,"unit":"ms""#), "{report}");
    assert!(report.contains(r#""lower_bound":true,"exposed_bytes":0,"cancelled":true"#), "{report}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = command(&["--content-encoding", "gzip"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&gzip(&vec![b'a'; 4 << 20])).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    // As other tools: by the signal.
    assert_eq!((output.status.code(), output.status.signal()), (None, Some(13)));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_constant_over_a_body_of_1_gib() {
    const GIB: u64 = 1 << 30;
    let limits = ["--encoded-limit", "64MiB", "--decoded-limit", "1GiB"];
    let arguments = ["--content-encoding", "gzip", "-o", "/dev/null", "--report"];
    let mut child = command(&[&limits[..], &arguments].concat()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        let mut encoder = GzEncoder::new(stdin, Compression::fast());
        // Some pieces are hard to compress, so that the encoded side is of some size as well.
        let mut noise: u64 = 1;
        let mut piece = vec![0; 1 << 16];
        for index in 0..GIB >> 16 {
            if index % 256 == 0 {
                for byte in &mut piece {
                    noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    *byte = (noise >> 56) as u8;
                }
            } else {
                piece.fill(b'a');
            }
            encoder.write_all(&piece).unwrap();
        }
        encoder.finish().unwrap();
    });
    let mut peak: u64 = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(memory::peak(child.id()));
        thread::sleep(Duration::from_millis(2));
    }
    writer.join().unwrap();
    let output = child.wait_with_output().unwrap();
    let report = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert!(report.contains(&format!(r#""decoded_bytes":{GIB},"#)), "{report}");
    println!("peak resident memory: {peak} KiB");
    assert!((1..16 * 1024).contains(&peak), "{peak} KiB");
}

#[test]
fn a_named_pipe_without_a_writer_is_given_up_at_the_deadline() {
    let folder = crate::child::Folder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run = crate::child::ingest(&[crate::child::text(&pipe), "--deadline", "150ms"], b"");
    assert_eq!((run.code, run.report("reason")), (4, Some("deadline")));
}
