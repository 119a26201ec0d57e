//! What every client is to take and to refuse.

use std::sync::LazyLock;
use std::time::Duration;

use plimsoll::{Limits, Outcome};
use plimsoll_tests_http::bodies::{document, gzip, records};
use plimsoll_tests_http::bomb::{self, Bomb};
use plimsoll_tests_http::hostile::{Peer, Server, response};
use plimsoll_tests_http::nginx::Nginx;

use crate::intake::Intake;

/// A client over the connections that it makes.
pub(crate) trait Client {
    /// Takes these paths, one after another over one connection, which is closed at the end, and tells for
    /// each the outcome and the body that counts.
    fn get(
        &self,
        address: std::net::SocketAddr,
        paths: &[&str],
        intake: &mut Intake,
        deadline: Duration,
    ) -> Vec<(Outcome, Option<Vec<u8>>)>;
}

const DEADLINE: Duration = Duration::from_secs(10);

static JSON: LazyLock<Vec<u8>> = LazyLock::new(|| document(60_000));
static RECORDS: LazyLock<Vec<u8>> = LazyLock::new(|| records(30_000));
static HUGE: LazyLock<Vec<u8>> = LazyLock::new(|| document(400_000));

fn nginx() -> Option<Nginx> {
    Nginx::start(&[("large.json", &JSON), ("log.ndjson", &RECORDS), ("huge.json", &HUGE)])
}

/// Every body is that of its file, and all come over one connection.
pub(crate) fn takes_what_is_whole(client: &impl Client) {
    let Some(nginx) = nginx() else { return };
    let paths = [
        "/chunked/large.json",
        "/packed/large.json",
        "/plain/large.json",
        "/chunked/log.ndjson",
        "/packed/log.ndjson",
        "/plain/log.ndjson",
    ];
    let mut intake = Intake::new(Limits::HOST);
    let taken = client.get(nginx.address(), &paths, &mut intake, DEADLINE);
    assert_eq!(taken.len(), paths.len());
    for (path, (outcome, body)) in paths.iter().zip(taken) {
        println!("{path}: {outcome:?}");
        assert!(outcome.is_complete() && !outcome.cancelled, "{path}: {outcome:?}");
        let file = if path.ends_with("ndjson") { &RECORDS } else { &JSON };
        assert!(body.as_ref() == Some(file), "{path}: the body is not the file");
        let packed = !path.starts_with("/plain");
        assert_eq!(outcome.encoded_bytes < outcome.decoded_bytes, packed, "{path}: {outcome:?}");
    }
    let log = nginx.log(paths.len());
    for (index, (line, path)) in log.iter().zip(paths).enumerate() {
        assert!(line.completed && line.status == "200" && line.path == path, "{line:?}");
        assert_eq!((line.connection, line.request), (log[0].connection, index as u64 + 1), "{line:?}");
    }
}

/// What is refused is not drained: nginx sees the connection closed before its response is sent.
pub(crate) fn gives_up_what_is_refused(client: &impl Client) {
    let Some(nginx) = nginx() else { return };
    let small = Limits { encoded: 64 << 10, decoded: 64 << 20, ..Limits::HOST };
    let flat = Limits { encoded: 8 << 20, decoded: 64 << 10, ..Limits::HOST };
    let cases = [
        ("/plain/huge.json", "declared_length", small),
        ("/packed/huge.json", "declared_length", small),
        ("/chunked/huge.json", "encoded_limit", small),
        ("/chunked/huge.json", "decoded_limit", flat),
        ("/packed/huge.json", "decoded_limit", flat),
    ];
    for (path, reason, limits) in cases {
        let mut intake = Intake::new(limits);
        let taken = client.get(nginx.address(), &[path], &mut intake, DEADLINE);
        refused(path, reason, &taken);
    }
    let log = nginx.log(cases.len());
    for (line, (path, reason, _)) in log.iter().zip(cases) {
        println!("{path}, {reason}: {line:?}");
        assert_eq!(line.path, path);
        assert!(!line.completed, "{reason}: {line:?}");
        assert!(line.sent < HUGE.len() as u64 / 2, "{reason}: {line:?}");
    }
}

fn refused(name: &str, reason: &str, taken: &[(Outcome, Option<Vec<u8>>)]) {
    let [(outcome, body)] = taken else { panic!("{name}: {} outcomes", taken.len()) };
    let found = outcome.rejection().map(|rejection| rejection.reason().as_str());
    assert_eq!(found, Some(reason), "{name}: {outcome:?}");
    assert!(body.is_none() && outcome.exposed_bytes == 0, "{name}");
}

/// No truncation, stall or lie of a hostile server is a body.
pub(crate) fn is_not_deceived(client: &impl Client) {
    let json = document(200);
    let json_type = "Content-Type: application/json";
    let packed = gzip(&json);
    let whole = format!("Content-Length: {}", json.len());
    let longer = format!("Content-Length: {}", json.len() + 1);
    let head = |fields: &[&str]| response(fields, b"");
    let chunked = head(&[json_type, "Transfer-Encoding: chunked"]);
    let size = format!("{:x}\r\n", json.len());
    let cut = json.len() / 2;

    let answers: [(&str, &[&str], Vec<u8>); 9] = [
        ("length too great", &["source_error", "length_mismatch"], response(&[json_type, &longer], &json)),
        (
            "cut within its length",
            &["source_error", "length_mismatch"],
            response(&[json_type, &whole], &json[..cut]),
        ),
        (
            "octets cut within their length",
            &["source_error", "length_mismatch"],
            response(&[&whole], &json[..cut]),
        ),
        ("no last chunk", &["source_error"], [&chunked, size.as_bytes(), &json, b"\r\n"].concat()),
        ("cut within a chunk", &["source_error"], [&chunked, size.as_bytes(), &json[..cut]].concat()),
        ("cut without a length", &["incomplete_json"], open_ended(&[json_type], &json[..cut])),
        ("gzip, gzip", &["stacked_coding"], open_ended(&["Content-Encoding: gzip, gzip"], &packed)),
        ("identity that says gzip", &["not_gzip"], open_ended(&["Content-Encoding: gzip"], &json)),
        (
            "junk",
            &["trailing_data"],
            open_ended(&["Content-Encoding: gzip"], &[&packed[..], b"junk"].concat()),
        ),
    ];
    for (name, reasons, answer) in answers {
        let server = Server::answer(answer);
        let taken = get_one(client, &server, DEADLINE);
        let found = taken[0].0.rejection().map(|rejection| rejection.reason().as_str());
        println!("{name}: {found:?}");
        assert!(found.is_some_and(|reason| reasons.contains(&reason)), "{name}: {found:?}");
        refused(name, found.unwrap(), &taken);
        assert!(server.seen().lasted.is_some(), "{name}");
    }

    let half = open_ended(&[json_type], &json[..cut]);
    let stall = Server::start(1, move |peer| {
        peer.send(&half)?;
        peer.stall()
    });
    refused("stall", "deadline", &get_one(client, &stall, Duration::from_millis(300)));
    let seen = stall.seen();
    assert!(seen.lasted.is_some_and(|lasted| lasted < Duration::from_secs(4)), "{seen:?}");

    let bomb = Bomb::new();
    let packed = Server::start(1, move |peer| {
        peer.send(&open_ended(&["Content-Encoding: gzip"], b""))?;
        bomb.send(peer)
    });
    refused("bomb", "decoded_limit", &get_one(client, &packed, DEADLINE));
    assert!(packed.seen().early);
    let plain = Server::start(1, |peer: &mut Peer| {
        peer.send(&open_ended(&[], b""))?;
        bomb::send_plain(peer)
    });
    refused("zeros", "encoded_limit", &get_one(client, &plain, DEADLINE));
    assert!(plain.seen().early);
}

/// A response whose body ends with its connection, which is said: not every client takes it otherwise.
fn open_ended(fields: &[&str], body: &[u8]) -> Vec<u8> {
    response(&[fields, &["Connection: close"]].concat(), body)
}

fn get_one(client: &impl Client, server: &Server, deadline: Duration) -> Vec<(Outcome, Option<Vec<u8>>)> {
    client.get(server.address(), &["/"], &mut Intake::new(Limits::GATEWAY), deadline)
}
