//! reqwest, asynchronous. Without its features `gzip`, `brotli`, `zstd` and `deflate`, or with `no_gzip` and its like, it
//! hands on the raw body. Dropping the response closes the connection.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use plimsoll::{AsyncSource, Failure, Outcome, Supply, read_async};
use reqwest::Response;
use reqwest::redirect::Policy;

use crate::cases::{self, Client};
use crate::intake::{Fields, Intake, watch};

struct Reqwest;

#[test]
fn reqwest_takes_what_is_whole() {
    cases::takes_what_is_whole(&Reqwest);
}

#[test]
fn reqwest_gives_up_what_is_refused() {
    cases::gives_up_what_is_refused(&Reqwest);
}

#[test]
fn reqwest_is_not_deceived() {
    cases::is_not_deceived(&Reqwest);
}

/// A response, its chunks lent without a copy.
struct Chunks {
    response: Option<Response>,
    /// What of the latest chunk is not consumed.
    piece: hyper::body::Bytes,
}

impl Supply for Chunks {
    type Error = reqwest::Error;

    fn cancel(&mut self) {
        self.response = None;
    }
}

impl AsyncSource for Chunks {
    /// Dropped, it loses nothing: a chunk is kept before it is lent.
    async fn fill(&mut self) -> Result<&[u8], Failure<reqwest::Error>> {
        while self.piece.is_empty() {
            let Some(response) = &mut self.response else { break };
            match response.chunk().await.map_err(Failure::Failed)? {
                None => break,
                Some(chunk) => self.piece = chunk,
            }
        }
        Ok(&self.piece)
    }

    fn consume(&mut self, count: usize) {
        let _ = self.piece.split_to(count);
    }
}

impl Client for Reqwest {
    fn get(
        &self,
        address: SocketAddr,
        paths: &[&str],
        intake: &mut Intake,
        deadline: Duration,
    ) -> Vec<(Outcome, Option<Vec<u8>>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = reqwest::Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
            let mut taken = Vec::new();
            for path in paths {
                let timer = pin!(tokio::time::sleep(deadline));
                let watch = watch(deadline).with_timer(timer);
                let request = client.get(format!("http://{address}{path}")).header("accept-encoding", "gzip");
                let response = request.send().await.unwrap();
                let field = |name: &str| {
                    let values = response.headers().get_all(name).iter().map(|value| value.to_str().unwrap());
                    values.collect::<Vec<_>>().join(", ")
                };
                let fields = Fields {
                    encoding: field("content-encoding"),
                    media: field("content-type"),
                    length: field("content-length").parse().ok(),
                };
                let source = Chunks { response: Some(response), piece: hyper::body::Bytes::new() };
                let Ok(outcome) = read_async(intake.machine(&fields), source, watch).await;
                taken.push((outcome, intake.body().map(<[u8]>::to_vec)));
            }
            taken
        })
    }
}
