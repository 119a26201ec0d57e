//! Bodies and what is expected of them.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use plimsoll::{Coding, Head, Limits, Policy};

/// A body as it is sent, and as it decodes.
#[derive(Clone, Debug)]
pub struct Body {
    /// A name for messages.
    pub name: &'static str,
    /// What the response says of it.
    pub head: Head,
    /// The encoded bytes.
    pub sent: Vec<u8>,
    /// The decoded bytes.
    pub text: Vec<u8>,
}

/// Text with matches near and far, so that runs of all kinds arise.
#[must_use]
pub fn text(length: usize) -> Vec<u8> {
    let mut seed = 0x2545_F491_u32;
    let words = ["alarm", "depth", "draught", "{\"id\":", "freeboard", "0.25,", "load line"];
    let mut text = Vec::new();
    while text.len() < length {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.extend_from_slice(words[(seed >> 24) as usize % words.len()].as_bytes());
        text.push(if seed & 0x100 == 0 { b' ' } else { (seed >> 16) as u8 });
    }
    text.truncate(length);
    text
}

/// One gzip member, with a file name.
#[must_use]
pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().filename("body.txt").write(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A body without a coding, with and without its length, and one with gzip.
#[must_use]
pub fn each(length: usize) -> [Body; 3] {
    let text = text(length);
    let plain = Head::new(Coding::Identity);
    let sent = gzip(&text);
    [
        Body { name: "identity", head: plain, sent: text.clone(), text: text.clone() },
        Body {
            name: "identity with length",
            head: plain.with_length(text.len() as u64),
            sent: text.clone(),
            text: text.clone(),
        },
        Body { name: "gzip", head: Head::new(Coding::Gzip), sent, text },
    ]
}

/// Limits that none of these bodies meets.
#[must_use]
pub const fn policy() -> Policy {
    Policy::strict(Limits::GATEWAY)
}
