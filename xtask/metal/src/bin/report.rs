//! `plimsoll`: the outcome as one line of JSON, through `serde` and `serde-json-core`.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll::{Outcome, REPORT_MAX, Reason, Rejection, Verdict};
use plimsoll_metal::variable;

plimsoll_metal::footprint!("json", report, stack: [Outcome], state: []);

fn report(body: &[u8], piece: usize) {
    let outcome = Outcome {
        verdict: Verdict::Rejected(black_box(Rejection::fault(Reason::JsonSyntax, piece as u64))),
        encoded_bytes: body.len() as u64,
        decoded_bytes: body.len() as u64,
        lower_bound: true,
        exposed_bytes: 0,
        cancelled: true,
    };
    black_box(outcome.write_report(variable!([u8; REPORT_MAX] = [0; REPORT_MAX])).is_ok());
}
