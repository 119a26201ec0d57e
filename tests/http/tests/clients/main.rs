//! The clients that plimsoll stands behind: hyper and reqwless with the asynchronous driver, ureq with the blocking one.
//! Each takes bodies from nginx over one connection, gives up what is refused, and meets the hostile server.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails fails loudly"
)]

mod by_edge_http;
mod by_embedded_svc;
mod by_hyper;
mod by_reqwest;
mod by_reqwless;
mod by_ureq;
mod cases;
mod intake;
mod thousand;
