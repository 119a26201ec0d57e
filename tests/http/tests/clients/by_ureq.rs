//! ureq, blocking. Without its features `gzip` and `brotli` it hands on the raw body; dropping the reader closes the
//! connection, and silence is ended by its timeout for one read.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::time::Duration;

use plimsoll::{Outcome, ReadSource, StdIo, read};
use ureq::{Agent, BodyReader, Error};

use crate::cases::{self, Client};
use crate::intake::{Fields, Intake, watch};

pub(crate) struct Ureq;

#[test]
fn ureq_takes_what_is_whole() {
    cases::takes_what_is_whole(&Ureq);
}

#[test]
fn ureq_gives_up_what_is_refused() {
    cases::gives_up_what_is_refused(&Ureq);
}

#[test]
fn ureq_is_not_deceived() {
    cases::is_not_deceived(&Ureq);
}

/// A body whose silence is an interruption, so that the watch is looked at.
struct Body(BodyReader<'static>);

impl Read for Body {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf).map_err(|error| {
            let cause = error.get_ref().and_then(|inner| inner.downcast_ref());
            if matches!(cause, Some(Error::Timeout(_))) { io::ErrorKind::Interrupted.into() } else { error }
        })
    }
}

impl Client for Ureq {
    fn get(
        &self,
        address: SocketAddr,
        paths: &[&str],
        intake: &mut Intake,
        deadline: Duration,
    ) -> Vec<(Outcome, Option<Vec<u8>>)> {
        let config = Agent::config_builder()
            .proxy(None)
            .accept_encoding("gzip")
            .max_redirects(0)
            .timeout_per_read(Some(Duration::from_millis(100)))
            .build();
        let agent = config.new_agent();
        let get = |path: &&str| {
            let watch = watch(deadline);
            let response = agent.get(format!("http://{address}{path}")).call().unwrap();
            let (head, body) = response.into_parts();
            let field = |name: &str| {
                let values = head.headers.get_all(name).iter().map(|value| value.to_str().unwrap());
                values.collect::<Vec<_>>().join(", ")
            };
            let fields = Fields {
                encoding: field("content-encoding"),
                media: field("content-type"),
                length: field("content-length").parse().ok(),
            };
            let mut piece = [0; 4096];
            let source = ReadSource::new(StdIo::new(Body(body.into_reader())), &mut piece, |_| ());
            let Ok(outcome) = read(intake.machine(&fields), source, watch);
            (outcome, intake.body().map(<[u8]>::to_vec))
        };
        paths.iter().map(get).collect()
    }
}
