//! reqwless, asynchronous, over embedded-nal-async on the host's sockets. It never decompresses, and closes the connection
//! when its resource is dropped.
//!
//! Two things of its version 0.14 have to be known. Its body reader is to be used as a `BufRead`: as a `Read` it takes the end of the
//! connection for the end of a body of known length, and reads on beyond that length. And in either form it takes the end of
//! the connection within a chunk for the end of the body, so that is asked for here.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use embedded_io_async::{BufRead, ErrorType, Read};
use plimsoll::{BufReadSource, Outcome, read_async};
use reqwless::Error;
use reqwless::client::HttpClient;
use reqwless::request::RequestBuilder;
use reqwless::response::BodyReader;
use std_embedded_nal_async::Stack;

use crate::cases::{self, Client};
use crate::intake::{Fields, Intake, watch};

struct Reqwless;

#[test]
fn reqwless_takes_what_is_whole() {
    cases::takes_what_is_whole(&Reqwless);
}

#[test]
fn reqwless_gives_up_what_is_refused() {
    cases::gives_up_what_is_refused(&Reqwless);
}

#[test]
fn reqwless_is_not_deceived() {
    cases::is_not_deceived(&Reqwless);
}

/// A body that ends only behind its last chunk.
struct Whole<B>(BodyReader<B>);

impl<B> ErrorType for Whole<B> {
    type Error = Error;
}

impl<B: BufRead> Read for Whole<B> {
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, Error> {
        let filled = self.fill_buf().await?;
        let count = filled.len().min(buf.len());
        buf[..count].copy_from_slice(&filled[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<B: BufRead> BufRead for Whole<B> {
    async fn fill_buf(&mut self) -> Result<&[u8], Error> {
        // What was filled stays filled until it is consumed, so asking again is free.
        let ended = self.0.fill_buf().await?.is_empty();
        if let (true, BodyReader::Chunked(chunks)) = (ended, &self.0)
            && !chunks.is_done()
        {
            return Err(Error::ConnectionAborted);
        }
        self.0.fill_buf().await
    }

    fn consume(&mut self, amt: usize) {
        self.0.consume(amt);
    }
}

impl Client for Reqwless {
    fn get(
        &self,
        address: SocketAddr,
        paths: &[&str],
        intake: &mut Intake,
        deadline: Duration,
    ) -> Vec<(Outcome, Option<Vec<u8>>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (tcp, dns) = (Stack::default(), Stack::default());
            let mut client = HttpClient::new(&tcp, &dns);
            let url = format!("http://{address}");
            let mut resource = client.resource(&url).await.unwrap();
            let mut taken = Vec::new();
            for path in paths {
                let timer = pin!(tokio::time::sleep(deadline));
                let watch = watch(deadline).with_timer(timer);
                let mut buffer = [0; 4096];
                let fields = [("Accept-Encoding", "gzip")];
                let response = resource.get(path).headers(&fields).send(&mut buffer).await.unwrap();
                let field = |name: &str| {
                    let named = response.headers().filter(|field| field.0.eq_ignore_ascii_case(name));
                    let values = named.map(|field| std::str::from_utf8(field.1).unwrap());
                    values.collect::<Vec<_>>().join(", ")
                };
                let fields = Fields {
                    encoding: field("content-encoding"),
                    media: field("content-type"),
                    length: field("content-length").parse().ok(),
                };
                let source = BufReadSource::new(Whole(response.body().reader()), |_| ());
                let Ok(outcome) = read_async(intake.machine(&fields), source, watch).await;
                taken.push((outcome, intake.body().map(<[u8]>::to_vec)));
            }
            taken
        })
    }
}
