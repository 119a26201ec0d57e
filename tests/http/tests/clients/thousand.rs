//! A thousand connections, one after another, with a bomb each: a client that takes them all in one process, and does
//! not grow.

use std::process::Command;
use std::time::Duration;

use plimsoll::Limits;
use plimsoll_tests_http::bomb::Bomb;
use plimsoll_tests_http::hostile::{Server, response};
use plimsoll_tests_http::memory;

use crate::by_hyper::Hyper;
use crate::by_ureq::Ureq;
use crate::cases::Client;
use crate::intake::Intake;

const CONNECTIONS: usize = 1000;

/// Connections after which a client has grown to its size.
const SETTLED: usize = 50;

/// Where the client of the other process finds its server.
const PEER: &str = "PLIMSOLL_TEST_PEER";

#[test]
fn ureq_stands_still_over_a_thousand_bombs() {
    run("thousand::client_ureq");
}

#[test]
fn hyper_stands_still_over_a_thousand_bombs() {
    run("thousand::client_hyper");
}

#[test]
#[ignore = "the other process of a test"]
fn client_ureq() {
    take_all("ureq", &Ureq);
}

#[test]
#[ignore = "the other process of a test"]
fn client_hyper() {
    take_all("hyper", &Hyper);
}

/// Serves the bombs here, and takes them in a process of its own.
fn run(client: &str) {
    let bomb = Bomb::new();
    let server = Server::start(CONNECTIONS, move |peer| {
        peer.send(&response(&["Content-Encoding: gzip"], b""))?;
        bomb.send(peer)
    });
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", client])
        .env(PEER, server.address().to_string())
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    let mut sent = 0;
    for index in 0..CONNECTIONS {
        let seen = server.seen();
        assert!(seen.early, "connection {index}: {seen:?}");
        sent += seen.sent;
    }
    println!("{client}: {sent} bytes sent over {CONNECTIONS} connections, all closed by the client");
}

fn take_all(name: &str, client: &impl Client) {
    let Ok(address) = std::env::var(PEER) else { return };
    let address = address.parse().unwrap();
    let mut intake = Intake::new(Limits::GATEWAY);
    let mut settled = 0;
    for index in 0..CONNECTIONS {
        let taken = client.get(address, &["/"], &mut intake, Duration::from_secs(10));
        let reason = taken[0].0.rejection().map(|rejection| rejection.reason().as_str());
        assert_eq!((reason, &taken[0].1), (Some("decoded_limit"), &None), "connection {index}");
        if index + 1 == SETTLED {
            settled = memory::peak(std::process::id());
        }
    }
    let peak = memory::peak(std::process::id());
    println!(
        "{name}: peak resident memory {settled} KiB after {SETTLED} bombs, {peak} KiB after {CONNECTIONS}"
    );
    assert!(peak > 0 && peak - settled < 512, "{settled} KiB, then {peak} KiB");
}
