//! embedded-svc, blocking: traits that the HTTP client of ESP-IDF implements. Its response is an `embedded_io::Read` over the raw body.
//!
//! The implementation is bound to its system, so the connection here is made up. It tells one value of each field only, so
//! that of repeated `Content-Encoding` fields the others remain unseen.

use std::convert::Infallible;

use embedded_svc::http::client::{Client, Connection, Response};
use embedded_svc::http::{Headers, Method, Status};
use embedded_svc::io::{ErrorType, Read, Write};
use plimsoll::{Limits, NoClock, Pace, ReadSource, Watch, read};
use plimsoll_tests_http::bodies::{document, gzip};

use crate::intake::{Fields, Intake};

/// Answers every request with the same body.
struct Canned {
    body: Vec<u8>,
    requested: bool,
    answered: bool,
}

#[test]
fn embedded_svc_lends_the_raw_body() {
    let json = document(500);
    let packed = gzip(&json);
    let mut client = Client::wrap(Canned { body: packed, requested: false, answered: false });
    let mut response =
        client.request(Method::Get, "/", &[("Accept-Encoding", "gzip")]).unwrap().submit().unwrap();
    let mut intake = Intake::new(Limits::HOST);
    let fields = fields(&response);
    let mut piece = [0; 512];
    let source = ReadSource::new(&mut response, &mut piece, |_| ());
    let Ok(outcome) = read(intake.machine(&fields), source, Watch::new(Pace::within(0), NoClock));
    assert!(outcome.is_complete(), "{outcome:?}");
    assert_eq!(intake.body(), Some(&json[..]));
}

fn fields<C: Connection>(response: &Response<C>) -> Fields {
    let field = |name| response.header(name).unwrap_or_default().to_owned();
    Fields {
        encoding: field("Content-Encoding"),
        media: field("Content-Type"),
        length: field("Content-Length").parse().ok(),
    }
}

impl ErrorType for Canned {
    type Error = Infallible;
}

impl Read for Canned {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, Infallible> {
        let count = self.body.len().min(buf.len());
        buf[..count].copy_from_slice(&self.body[..count]);
        self.body.drain(..count);
        Ok(count)
    }
}

impl Write for Canned {
    fn write(&mut self, buf: &[u8]) -> Result<usize, Infallible> {
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Status for Canned {
    fn status(&self) -> u16 {
        200
    }

    fn status_message(&self) -> Option<&str> {
        None
    }
}

impl Headers for Canned {
    fn header(&self, name: &str) -> Option<&str> {
        match name {
            "Content-Encoding" => Some("gzip"),
            "Content-Type" => Some("application/json"),
            _ => None,
        }
    }
}

impl Connection for Canned {
    type Headers = Self;
    type Read = Self;
    type RawConnectionError = Infallible;
    type RawConnection = Self;

    fn initiate_request(&mut self, _: Method, _: &str, _: &[(&str, &str)]) -> Result<(), Infallible> {
        self.requested = true;
        Ok(())
    }

    fn is_request_initiated(&self) -> bool {
        self.requested && !self.answered
    }

    fn initiate_response(&mut self) -> Result<(), Infallible> {
        self.answered = true;
        Ok(())
    }

    fn is_response_initiated(&self) -> bool {
        self.answered
    }

    fn split(&mut self) -> (&Self, &mut Self) {
        panic!("not asked for here")
    }

    fn raw_connection(&mut self) -> Result<&mut Self, Infallible> {
        Ok(self)
    }
}
