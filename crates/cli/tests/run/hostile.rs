//! `plimsoll fetch` against a server that does wrong. Of each body the reason is told, no byte reaches the consumer, the
//! connection is closed in time, and memory stands still.

use std::io;
use std::thread;
use std::time::Duration;

use plimsoll_tests_http::bodies::{document, gzip, records};
use plimsoll_tests_http::bomb::{self, Bomb};
use plimsoll_tests_http::hostile::{Peer, Seen, Server, response};

use crate::child::{Folder, Run, fetch, text};

/// The most resident memory that any of these takes, in KiB.
pub(crate) const PEAK: u64 = 24 * 1024;

/// How long a connection may last beyond what the deadline or the rate allows: for starting a process on a busy machine.
const SLACK: Duration = Duration::from_secs(4);

const JSON: &str = "Content-Type: application/json";
const NDJSON: &str = "Content-Type: application/x-ndjson";
const GZIP: &str = "Content-Encoding: gzip";
const CHUNKED: &str = "Transfer-Encoding: chunked";

/// Fetches from a server, which must be refused.
fn refused(name: &str, server: &Server, options: &[&str]) -> (Run, Seen) {
    let folder = Folder::new();
    let (out, url) = (folder.path("out"), server.url());
    let mut arguments = vec![url.as_str(), "-o", text(&out)];
    arguments.extend_from_slice(options);
    let (run, peak) = fetch(&arguments);
    let seen = server.seen();
    println!(
        "{name}: {}, {} encoded and {} decoded bytes, {} sent, connection closed after {:?}, peak {peak} KiB",
        run.report("reason").unwrap_or("no reason"),
        run.report("encoded_bytes").unwrap_or("no"),
        run.report("decoded_bytes").unwrap_or("no"),
        seen.sent,
        seen.lasted,
    );
    assert_eq!(run.code, 4, "{name}: {}", run.stderr);
    assert_eq!(run.report("outcome"), Some("rejected"), "{name}");
    assert_eq!(run.report("exposed_bytes"), Some("0"), "{name}");
    assert!(run.stdout.is_empty(), "{name}");
    assert_eq!(folder.names(), [""; 0], "{name}");
    assert!(seen.lasted.is_some(), "{name}: the connection was not closed");
    assert!(peak < PEAK, "{name}: {peak} KiB");
    (run, seen)
}

/// The same, for this reason.
fn refused_as(reason: &str, name: &str, server: &Server, options: &[&str]) -> (Run, Seen) {
    let (run, seen) = refused(name, server, options);
    assert_eq!(run.report("reason"), Some(reason), "{name}: {}", run.stderr);
    (run, seen)
}

/// A scripted server for one connection.
fn script(script: impl Fn(&mut Peer) -> io::Result<()> + Send + 'static) -> Server {
    Server::start(1, script)
}

fn half(bytes: &[u8]) -> &[u8] {
    bytes.split_at(bytes.len() / 2).0
}

#[test]
fn without_a_length_a_body_that_stops_early_is_incomplete() {
    let (json, lines) = (document(500), records(500));
    for (reason, fields, body) in [
        ("incomplete_gzip", &[JSON, GZIP][..], half(&gzip(&json)).to_vec()),
        ("incomplete_json", &[JSON], half(&json).to_vec()),
        ("incomplete_json", &[NDJSON], lines[..lines.len() - 3].to_vec()),
        ("incomplete_gzip", &[GZIP], half(&gzip(&json)).to_vec()),
    ] {
        refused_as(reason, "no length, cut", &Server::answer(response(fields, &body)), &[]);
    }
}

#[test]
fn a_length_that_is_too_great_ends_as_an_error_of_the_source_also_where_the_body_is_whole() {
    let json = document(500);
    for (fields, body) in [(&[JSON, GZIP][..], gzip(&json)), (&[JSON], json.clone()), (&[], json.clone())] {
        let length = format!("Content-Length: {}", body.len() + 1);
        let fields = [fields, &[length.as_str()]].concat();
        let (run, _) =
            refused_as("source_error", "length too great", &Server::answer(response(&fields, &body)), &[]);
        assert_eq!(run.stderr.lines().count(), 2, "the cause and the report: {}", run.stderr);
    }
}

#[test]
fn a_length_that_is_too_small_makes_a_body_incomplete() {
    let json = document(500);
    for (reason, fields, body) in
        [("incomplete_gzip", &[JSON, GZIP][..], gzip(&json)), ("incomplete_json", &[JSON], json)]
    {
        let length = format!("Content-Length: {}", body.len() - 3);
        let fields = [fields, &[length.as_str()]].concat();
        refused_as(reason, "length too small", &Server::answer(response(&fields, &body)), &[]);
    }
}

#[test]
fn lengths_that_contradict_each_other_or_the_chunks_are_refused() {
    let two = response(&["Content-Length: 5", "Content-Length: 6"], b"hello!");
    refused_as("source_error", "two lengths", &Server::answer(two), &[]);
    let no_number = response(&["Content-Length: 0x5"], b"hello");
    refused_as("source_error", "no number", &Server::answer(no_number), &[]);
    for length in ["Content-Length: 4", "Content-Length: 6"] {
        let server = Server::answer(response(&[CHUNKED, length], b"5\r\nhello\r\n0\r\n\r\n"));
        refused_as("length_mismatch", "length and chunks", &server, &[]);
    }
    let hello = Server::answer(response(&["Content-Length: 5"], b"hello"));
    refused_as("length_mismatch", "another length asked for", &hello, &["--content-length", "6"]);
}

#[test]
fn a_declared_length_over_the_limit_is_refused_before_a_byte_is_read() {
    let server = script(|peer| {
        peer.send(&response(&["Content-Length: 10737418240"], b""))?;
        bomb::send_plain(peer)
    });
    let (run, seen) = refused_as("declared_length", "declared 10 GiB", &server, &[]);
    assert_eq!((run.report("encoded_bytes"), run.report("cancelled")), (Some("0"), Some("true")));
    assert!(seen.early && seen.sent < 16 << 20, "{seen:?}");
}

#[test]
fn a_coding_that_is_not_what_it_says_is_refused() {
    let json = document(100);
    let packed = response(&[JSON], &gzip(&json));
    refused_as("json_syntax", "gzip that says nothing", &Server::answer(packed), &[]);
    let packed = response(&[JSON, "Content-Encoding: identity"], &gzip(&json));
    refused_as("json_syntax", "gzip that says identity", &Server::answer(packed), &[]);
    let (run, _) = refused_as(
        "not_gzip",
        "identity that says gzip",
        &Server::answer(response(&[JSON, GZIP], &json)),
        &[],
    );
    assert_eq!(run.report("at"), Some("0"));
}

#[test]
fn a_coding_that_is_not_taken_is_refused_before_a_byte_is_read() {
    let twice = gzip(&gzip(&document(100)));
    for (reason, fields) in [
        ("stacked_coding", &["Content-Encoding: gzip, gzip"][..]),
        ("stacked_coding", &[GZIP, GZIP]),
        ("unsupported_coding", &["Content-Encoding: br"]),
        ("unsupported_coding", &["Content-Encoding: \u{e9}"]),
        ("unsupported_media", &["Content-Type: text/html"]),
        ("unsupported_media", &[JSON, NDJSON]),
        ("unsupported_media", &["Content-Type: application/json; charset=latin1"]),
    ] {
        let twice = response(fields, &twice);
        let server = script(move |peer| {
            peer.send(&twice)?;
            peer.stall()
        });
        let (run, _) = refused_as(reason, &fields.join(", "), &server, &[]);
        assert_eq!((run.report("encoded_bytes"), run.report("cancelled")), (Some("0"), Some("true")));
    }
}

#[test]
fn a_bomb_ends_at_its_limit() {
    let bomb = Bomb::new();
    for fields in [&[GZIP][..], &[GZIP, "Content-Type: text/plain"]] {
        let (head, bomb) = (response(fields, b""), bomb.clone());
        let server = script(move |peer| {
            peer.send(&head)?;
            bomb.send(peer)
        });
        let (run, seen) = refused_as("decoded_limit", "10 GiB as gzip", &server, &[]);
        assert_eq!(run.report("decoded_bytes"), Some("67108865"));
        assert!(seen.early && seen.sent < 9 << 20, "{seen:?}");
    }
    let server = script(|peer| {
        peer.send(&response(&[], b""))?;
        bomb::send_plain(peer)
    });
    let (run, seen) = refused_as("encoded_limit", "10 GiB as they are", &server, &[]);
    assert_eq!(run.report("encoded_bytes"), Some("8388609"));
    assert!(seen.early && seen.sent < 64 << 20, "{seen:?}");
}

#[test]
fn a_drip_is_cut_at_the_deadline_or_for_its_rate() {
    let drip = || {
        script(|peer| {
            peer.send(&response(&[JSON], b""))?;
            peer.drip(&document(500), Duration::from_millis(50))
        })
    };
    let (_, seen) = refused_as("deadline", "drip", &drip(), &["--deadline", "700ms"]);
    assert!(seen.early && seen.lasted.is_some_and(|lasted| lasted < SLACK), "{seen:?}");
    let (_, seen) = refused_as("too_slow", "drip", &drip(), &["--least-rate", "100/500ms"]);
    assert!(seen.early && seen.lasted.is_some_and(|lasted| lasted < SLACK), "{seen:?}");
}

#[test]
fn a_stall_is_cut_at_the_deadline_or_for_its_rate() {
    let stall = |fields: &[&str]| {
        let json = document(500);
        let head = response(fields, half(&json));
        script(move |peer| {
            peer.send(&head)?;
            peer.stall()
        })
    };
    for (reason, options) in
        [("deadline", ["--deadline", "600ms"]), ("too_slow", ["--least-rate", "1/400ms"])]
    {
        for fields in [&[JSON][..], &[JSON, "Content-Length: 1000000"]] {
            let (run, seen) = refused_as(reason, "stall after half", &stall(fields), &options);
            assert_eq!(run.report("cancelled"), Some("true"));
            assert!(seen.lasted.is_some_and(|lasted| lasted < SLACK), "{seen:?}");
        }
    }
}

#[test]
fn a_silent_or_endless_head_is_cut_as_well() {
    let silent = script(Peer::stall);
    refused_as("deadline", "no head", &silent, &["--deadline", "400ms"]);
    let drip = script(|peer| {
        peer.send(b"HTTP/1.1 200 OK\r\n")?;
        peer.drip(&b"X-Lading: coal\r\n".repeat(100), Duration::from_millis(50))
    });
    let (_, seen) = refused_as("deadline", "head by drip", &drip, &["--deadline", "400ms"]);
    assert!(seen.early && seen.lasted.is_some_and(|lasted| lasted < SLACK), "{seen:?}");

    for line in ["X-Lading: coal\r\n".to_owned(), "x".repeat(1000)] {
        let endless = script(move |peer| {
            peer.send(b"HTTP/1.1 200 OK\r\nX-Endless: ")?;
            let lines = line.repeat(100);
            for _ in 0..100_000 {
                peer.send(lines.as_bytes())?;
            }
            Ok(())
        });
        let (_, seen) = refused_as("source_error", "head without end", &endless, &[]);
        assert!(seen.early && seen.sent < 16 << 20, "{seen:?}");
    }
}

#[test]
fn what_is_no_response_is_an_error_of_the_source() {
    for answer in ["", "HTTP/1.1 200 OK\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 abc\r\n\r\n"] {
        refused_as("source_error", &format!("{answer:?}"), &Server::answer(answer), &[]);
    }
}

#[test]
fn a_reset_is_never_an_end() {
    let json = document(500);
    let whole = format!("Content-Length: {}", json.len());
    for fields in [&[][..], &[JSON], &[&whole]] {
        let head = response(fields, if fields.is_empty() { &json } else { half(&json) });
        let server = script(move |peer| {
            peer.send(&head)?;
            thread::sleep(Duration::from_millis(50));
            peer.reset()
        });
        let (run, _) = refused_as("source_error", "reset", &server, &[]);
        assert!(run.stderr.contains("reset"), "{}", run.stderr);
    }
}

#[test]
fn junk_behind_the_end_is_refused() {
    let json = document(100);
    let packed = response(&[JSON, GZIP], &[&gzip(&json)[..], b"junk"].concat());
    refused_as("trailing_data", "junk behind the member", &Server::answer(packed), &[]);
    let members = response(&[GZIP], &gzip(&json).repeat(3));
    refused_as("trailing_data", "a second member", &Server::answer(members.clone()), &[]);
    refused_as("member_limit", "a third member", &Server::answer(members), &["--members", "2"]);
    let plain = response(&[JSON], &[&json[..], b"{}"].concat());
    refused_as("trailing_document", "junk behind the document", &Server::answer(plain), &[]);
}

#[test]
fn chunks_that_do_not_end_are_never_an_end() {
    let json = document(100);
    for fields in [&[JSON, CHUNKED][..], &[JSON, GZIP, CHUNKED], &[CHUNKED]] {
        let body = if fields.contains(&GZIP) { gzip(&json) } else { json.clone() };
        for cut in ["last chunk", "no last chunk", "in a size", "in the last size", "no size"] {
            let (head, body) = (response(fields, b""), body.clone());
            let server = script(move |peer| {
                peer.send(&head)?;
                match cut {
                    "last chunk" => {
                        peer.send(format!("{:x}\r\n", body.len() + 1).as_bytes())?;
                        peer.send(&body)
                    }
                    "in a size" => {
                        peer.chunk(half(&body))?;
                        peer.send(b"1")
                    }
                    "in the last size" => {
                        peer.chunk(&body)?;
                        peer.send(b"0\r")
                    }
                    "no size" => {
                        peer.chunk(&body)?;
                        peer.send(b"zz\r\n\r\n")
                    }
                    _ => peer.chunk(&body),
                }
            });
            refused_as("source_error", &format!("chunks, {cut}"), &server, &[]);
        }
    }
}

#[test]
fn an_https_address_that_speaks_no_tls_is_not_reached() {
    let server = Server::answer(response(&[], b"hello"));
    let (run, _) = fetch(&[server.url().replace("http:", "https:")]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.is_empty());
}
