//! `plimsoll fetch` against a server that does right, and what it makes of status, fields and redirects.

use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use plimsoll_tests_http::bodies::{document, gzip, records};
use plimsoll_tests_http::bomb;
use plimsoll_tests_http::hostile::{Server, response};
use plimsoll_tests_http::nginx::Nginx;
use plimsoll_tests_http::relay::{self, Manner};

use crate::child::{Folder, Run, fetch, text};

/// Fetches from a server to standard output.
fn run(server: &Server, options: &[&str]) -> Run {
    let url = server.url();
    fetch(&[&[url.as_str(), "--report"], options].concat()).0
}

fn status(status: &str, fields: &[&str], body: &[u8]) -> Server {
    let response = String::from_utf8(response(fields, b"")).unwrap().replace("200 OK", status);
    Server::answer([response.as_bytes(), body].concat())
}

#[test]
fn a_body_is_taken_as_the_response_says() {
    let (json, lines) = (document(300), records(300));
    for (fields, sent, body) in [
        (
            &["Content-Type: application/json; charset=utf-8", "Content-Encoding: gzip"][..],
            gzip(&json),
            &json,
        ),
        (&["Content-Type: application/x-ndjson", "Content-Encoding: x-gzip"], gzip(&lines), &lines),
        (&["Content-Type: application/json", "Content-Encoding: identity, gzip"], gzip(&json), &json),
        (&["Content-Type: application/json"], json.clone(), &json),
        (&[], json.clone(), &json),
    ] {
        let length = format!("Content-Length: {}", sent.len());
        for fields in [fields.to_vec(), [fields, &[length.as_str()]].concat()] {
            let server = Server::answer(response(&fields, &sent));
            let run = run(&server, &[]);
            assert_eq!((run.code, &run.stdout), (0, body), "{fields:?}: {}", run.stderr);
            assert_eq!(run.report("encoded_bytes"), Some(sent.len().to_string().as_str()));
            let seen = server.seen();
            assert!(seen.request.starts_with("GET / HTTP/1.1\r\n"), "{}", seen.request);
            assert!(
                seen.request.to_ascii_lowercase().contains("\r\naccept-encoding: gzip\r\n"),
                "{}",
                seen.request
            );
        }
    }
}

#[test]
fn options_go_before_the_fields() {
    let json = document(30);
    let server = Server::answer(response(&["Content-Type: text/html", "Content-Encoding: br"], &gzip(&json)));
    let run = run(&server, &["--media-type", "application/json", "--content-encoding", "gzip"]);
    assert_eq!((run.code, run.stdout), (0, json), "{}", run.stderr);
}

#[test]
fn chunks_are_taken_with_their_extensions_and_trailers() {
    let body = b"5;lading=coal\r\nhello\r\n6\r\n there!\r\n0\r\nX-Trailer: 1\r\n\r\n";
    // The last size says 6 where 7 follow.
    let bad = Server::answer(response(&["Transfer-Encoding: chunked"], body));
    assert_eq!(run(&bad, &[]).report("reason"), Some("source_error"));
    let body = b"5;lading=coal\r\nhello\r\n7\r\n there!\r\n0\r\nX-Trailer: 1\r\n\r\n";
    let run = run(&Server::answer(response(&["Transfer-Encoding: chunked"], body)), &[]);
    assert_eq!((run.code, run.stdout), (0, b"hello there!".to_vec()), "{}", run.stderr);
}

#[test]
fn a_preview_closes_the_connection() {
    let server = Server::start(1, |peer| {
        peer.send(&response(&["Content-Type: text/plain"], b"0123456789"))?;
        peer.stall()
    });
    let run = run(&server, &["--preview", "4"]);
    assert_eq!((run.code, run.stdout), (3, b"0123".to_vec()), "{}", run.stderr);
    assert!(server.seen().early);
}

#[test]
fn a_status_without_a_body_is_an_empty_body_whatever_its_fields_say() {
    let fields = ["Content-Type: application/json", "Content-Encoding: gzip", "Content-Length: 500"];
    let run = run(&status("204 No Content", &fields, b""), &[]);
    assert_eq!((run.code, run.report("encoded_bytes")), (0, Some("0")), "{}", run.stderr);
    let server = status("304 Not Modified", &fields, b"");
    let run = fetch(&[&server.url(), "--any-status", "--report"]).0;
    assert_eq!((run.code, run.report("encoded_bytes")), (0, Some("0")), "{}", run.stderr);
}

#[test]
fn a_status_that_is_not_taken_exits_with_1_and_its_body_is_not_read() {
    for code in ["404 Not Found", "500 Internal Server Error", "206 Partial Content", "304 Not Modified"] {
        let run = run(&status(code, &[], b"hello"), &[]);
        assert_eq!(run.code, 1, "{code}");
        assert!(run.stderr.contains(code) && run.stdout.is_empty(), "{code}: {}", run.stderr);
        if !code.starts_with("304") {
            let run = self::run(&status(code, &[], b"hello"), &["--any-status"]);
            assert_eq!((run.code, run.stdout), (0, b"hello".to_vec()), "{code}: {}", run.stderr);
        }
    }
    let endless = Server::start(1, |peer| {
        peer.send(b"HTTP/1.1 404 Not Found\r\n\r\n")?;
        bomb::send_plain(peer)
    });
    assert_eq!(run(&endless, &[]).code, 1);
    assert!(endless.seen().early);
}

#[test]
fn redirects_to_the_same_host_are_followed_and_few_of_them() {
    for code in [
        "301 Moved Permanently",
        "302 Found",
        "303 See Other",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let server = Server::start(2, move |peer| {
            let first = peer.request().starts_with("GET / ");
            if first {
                // Whatever follows the head is not read: the first connection would never end.
                peer.send(format!("HTTP/1.1 {code}\r\nLocation: ../there?a=b#c\r\n\r\n").as_bytes())?;
                return bomb::send_plain(peer);
            }
            peer.send(&response(&["Content-Length: 5"], b"hello"))
        });
        let run = run(&server, &[]);
        assert_eq!((run.code, run.stdout), (0, b"hello".to_vec()), "{code}: {}", run.stderr);
        assert!(server.seen().early);
        assert!(server.seen().request.starts_with("GET /there?a=b HTTP/1.1"), "{code}");
    }
    // Each connection is the last one's: a client that tried to use one again would race its end.
    let again = b"HTTP/1.1 302 Found\r\nLocation: /\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let circle = Server::start(6, |peer| peer.send(again));
    let run = run(&circle, &[]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("redirects"), "{}", run.stderr);
}

#[test]
fn redirects_to_another_host_are_followed_only_when_asked_for() {
    let other = Server::start(1, |peer| peer.send(&response(&["Content-Length: 5"], b"hello")));
    let elsewhere = other.url();
    let start = move || {
        let location = format!("HTTP/1.1 302 Found\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n");
        Server::answer(location)
    };
    // Another port is another host.
    let run = run(&start(), &[]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--follow-hosts"), "{}", run.stderr);
    let run = self::run(&start(), &["--follow-hosts"]);
    assert_eq!((run.code, run.stdout), (0, b"hello".to_vec()), "{}", run.stderr);

    for location in ["ftp://127.0.0.1/", "file:///etc/passwd", "http://[", "javascript:alert(1)"] {
        let answer = format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let run = self::run(&Server::answer(answer), &["--follow-hosts"]);
        assert!(matches!(run.code, 1 | 4), "{location}: {}", run.stderr);
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn a_peer_that_is_not_there_exits_with_1() {
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let folder = Folder::new();
    let (run, _) = fetch(&[&format!("http://{address}/"), "-o", text(&folder.path("out"))]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains(&address.to_string()), "{}", run.stderr);
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn nginx_is_taken_from_and_given_up() {
    let json = document(200_000);
    let Some(nginx) = Nginx::start(&[("large.json", &json)]) else { return };
    let folder = Folder::new();
    let out = folder.path("out");
    for place in ["chunked", "packed"] {
        let url = nginx.url(&format!("/{place}/large.json"));
        let (run, _) = fetch(&[&url, "-o", text(&out)]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{place}");
        assert!(std::fs::read(&out).unwrap() == json, "{place}: the body is not the file");
        let (run, _) = fetch(&[&url, "--decoded-limit", "64KiB"]);
        assert_eq!((run.code, run.report("reason")), (4, Some("decoded_limit")), "{place}");
    }
    let (run, _) = fetch(&[&nginx.url("/plain/large.json"), "--preview", "1KiB", "--encoded-limit", "64MiB"]);
    assert_eq!((run.code, run.stdout.as_slice()), (3, &json[..1024]));
    let completed: Vec<_> = nginx.log(5).iter().map(|line| line.completed).collect();
    assert_eq!(completed, [true, false, true, false, false]);
}

#[test]
fn https_is_taken_under_a_certificate_that_is_trusted() {
    let json = document(60_000);
    let Some(nginx) = Nginx::start(&[("large.json", &json)]) else { return };
    let certificate = nginx.certificate();
    let get = |address: SocketAddr, place: &str, options: &[&str]| {
        let url = format!("https://{address}/{place}/large.json");
        fetch(&[&[url.as_str(), "--ca-file", text(&certificate)], options].concat()).0
    };
    let run = fetch(&[&format!("https://{}/packed/large.json", nginx.secure())]).0;
    assert_eq!(run.code, 1, "a stranger's certificate");
    assert!(run.stdout.is_empty());

    for place in ["packed", "chunked", "open", "plain"] {
        let run = get(nginx.secure(), place, &[]);
        assert_eq!(run.code, 0, "{place}: {}", run.stderr);
        assert!(run.stdout == json, "{place}: the body is not the file");
        let run = get(nginx.secure(), place, &["--encoded-limit", "64KiB"]);
        assert_eq!(run.code, 4, "{place}: {}", run.stderr);
    }

    // A connection that is closed in order, but without the alert that TLS closes with, is cut short.
    for place in ["open", "chunked", "plain"] {
        let run = get(relay::start(nginx.secure(), Manner::Cut(48 << 10)), place, &[]);
        println!("{place}, cut: {}", run.stderr);
        assert_eq!((run.code, run.report("reason")), (4, Some("source_error")), "{place}: {}", run.stderr);
        assert!(run.stdout.is_empty());
        assert_ne!(run.report("encoded_bytes"), Some("0"), "{place}: cut before the body");
    }

    let started = Instant::now();
    let stalled = relay::start(nginx.secure(), Manner::Stall(48 << 10));
    let run = get(stalled, "chunked", &["--deadline", "700ms"]);
    assert_eq!((run.code, run.report("reason")), (4, Some("deadline")), "{}", run.stderr);
    assert_ne!(run.report("encoded_bytes"), Some("0"));
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn silence_that_is_waited_out_loses_nothing() {
    let json = document(20_000);
    let Some(nginx) = Nginx::start(&[("large.json", &json)]) else { return };
    let certificate = nginx.certificate();
    for (scheme, server) in [("http", nginx.address()), ("https", nginx.secure())] {
        // Longer than the client waits at a time, and within the records of TLS.
        let manner = Manner::Falter(5000, 501, Duration::from_millis(120));
        let url = format!("{scheme}://{}/packed/large.json", relay::start(server, manner));
        let run = fetch(&[&url, "--ca-file", text(&certificate)]).0;
        assert_eq!(run.code, 0, "{scheme}: {}", run.stderr);
        assert!(run.stdout == json, "{scheme}: the body is not the file");
    }
}
