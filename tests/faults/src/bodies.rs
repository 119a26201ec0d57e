//! Bodies of lines, so that the inspectors for records can look at them too, and what comes of one that ends early.

use plimsoll::{Coding, Head, Limits, Policy, Reason, Rejection};
use plimsoll_tests_drivers::body::{self, Body};

/// A stream of records of about `length` bytes.
#[must_use]
pub fn lines(length: usize) -> Vec<u8> {
    let mut text = String::new();
    for index in 0.. {
        if text.len() >= length {
            break;
        }
        text += &format!("{{\"sensor\":\"draught {index}\",\"metres\":[{}.25,null,\"é\"]}}\n", index * 7);
    }
    text.into_bytes()
}

/// These lines without a coding, with and without a declared length, and as gzip with and without one.
#[must_use]
pub fn each(length: usize) -> [Body; 4] {
    let text = lines(length);
    let packed = body::gzip(&text);
    let (plain, gzip) = (Head::new(Coding::Identity), Head::new(Coding::Gzip));
    let of = |name, head, sent: &[u8]| Body { name, head, sent: sent.to_vec(), text: text.clone() };
    [
        of("identity", plain, &text),
        of("identity with length", plain.with_length(text.len() as u64), &text),
        of("gzip", gzip, &packed),
        of("gzip with length", gzip.with_length(packed.len() as u64), &packed),
    ]
}

/// Limits that none of these bodies meets.
pub const POLICY: Policy = Policy::strict(Limits::GATEWAY);

/// What a body comes to that ends after its first `at` bytes, before its own end. `None` where that cannot be known.
#[must_use]
pub fn cut(head: &Head, at: usize) -> Option<Rejection> {
    let reason = match head {
        Head { length: Some(_), .. } => Reason::LengthMismatch,
        Head { coding: Coding::Gzip, .. } => Reason::IncompleteGzip,
        _ => return None,
    };
    Some(Rejection::fault(reason, at as u64))
}
