//! Random responses: a body, how it is to be taken in, and what it must come to.

use std::io::Write;

use fastrand::Rng;
use flate2::{Compression, GzBuilder};
use plimsoll::{Coding, Head, Limits, Media, Policy, Reason};

use crate::document::{self, Measures};
use crate::oracle::{self, Expected};

/// No decoded body is larger, and no broken one is let pass beyond it.
pub const LARGEST: usize = 8 * 1024;

/// A response and what it must come to.
#[derive(Clone, Debug)]
pub struct Response {
    /// What its head says.
    pub head: Head,
    /// Of which kind its body is.
    pub media: Media,
    /// How it is to be taken in.
    pub policy: Policy,
    /// The encoded bytes.
    pub sent: Vec<u8>,
    /// The decoded bytes, as far as it is not broken.
    pub text: Vec<u8>,
    /// What it must come to.
    pub expected: Expected,
}

/// What a body has, in the units of the limits.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    document: Measures,
    /// Bytes of the longest record.
    record: u64,
    records: u64,
    /// gzip members and the bytes of their headers.
    members: u64,
    header: u64,
    /// Steps of work that are owed before the first output.
    work: u64,
}

/// The next response: a third are whole, a third are broken, a third are over a limit.
#[must_use]
pub fn generate(rng: &mut Rng) -> Response {
    let media = [Media::Json, Media::NdJson, Media::Text, Media::Octets][rng.usize(..4)];
    let mut totals = Totals::default();
    let text = text(rng, media, &mut totals);
    let coding = if rng.u8(..4) == 0 { Coding::Identity } else { Coding::Gzip };
    let sent = match coding {
        Coding::Gzip => gzip(rng, &text, &mut totals),
        _ => text.clone(),
    };
    let length = rng.bool().then_some(sent.len() as u64);
    let head = Head { coding, length };
    match rng.u8(..3) {
        0 => {
            let slack = if rng.bool() { 0 } else { rng.u32(1..100) };
            let policy = Policy::strict(limits(&totals, &text, &sent, slack));
            Response { head, media, policy, sent, text, expected: Expected::Complete }
        }
        1 => {
            let sent = break_at_random(rng, sent);
            let policy = Policy::strict(Limits { members: totals.members.max(1), ..AMPLE });
            let (expected, text) = oracle::judge(&sent, &head, media, &policy.limits);
            Response { head, media, policy, sent, text, expected }
        }
        _ => {
            let mut limits = limits(&totals, &text, &sent, 100);
            let expected = lower_one(rng, &mut limits, &totals, &text, &sent, length.is_some());
            Response { head, media, policy: Policy::strict(limits), sent, text, expected }
        }
    }
}

/// Limits for broken bodies, which the oracle knows: only the decoded bytes and the depth can be exceeded.
const AMPLE: Limits = Limits {
    encoded: 1 << 20,
    decoded: LARGEST as u64,
    header: 1 << 20,
    work: 1 << 30,
    members: 1,
    document: plimsoll::json::Limits {
        string: 1 << 20,
        key: 1 << 20,
        number: 1 << 20,
        items: 1 << 20,
        values: 1 << 20,
        depth: oracle::DEPTH,
    },
    record: 1 << 20,
    records: 1 << 20,
};

/// What a body has and `slack` more of each.
fn limits(totals: &Totals, text: &[u8], sent: &[u8], slack: u32) -> Limits {
    let Measures { string, key, number, items, values, depth } = totals.document;
    let more = u64::from(slack);
    Limits {
        encoded: sent.len() as u64 + more,
        decoded: (text.len() as u64 + more).min(LARGEST as u64),
        header: totals.header + more,
        // What is owed at the borders of later blocks is not calculated here.
        work: (1 << 20) + more,
        members: totals.members.max(1) + more,
        document: plimsoll::json::Limits {
            string: string + slack,
            key: key + slack,
            number: number + slack,
            items: items + slack,
            values: values + slack,
            depth: (depth + u16::from(slack > 0)).min(oracle::DEPTH),
        },
        record: totals.record + more,
        records: totals.records + more,
    }
}

/// Sets one limit, of those that the body has anything of, below what it has.
fn lower_one(
    rng: &mut Rng,
    limits: &mut Limits,
    totals: &Totals,
    text: &[u8],
    sent: &[u8],
    declared: bool,
) -> Expected {
    let of = &totals.document;
    loop {
        let kind = rng.u8(..13);
        let most = match kind {
            0 => sent.len() as u64,
            1 => text.len() as u64,
            2 => totals.header,
            3 => totals.members,
            4 => totals.work,
            5 => of.string.into(),
            6 => of.key.into(),
            7 => of.number.into(),
            8 => of.items.into(),
            9 => of.values.into(),
            10 => of.depth.into(),
            11 => totals.record,
            _ => totals.records,
        };
        // Without members none is begun, which is another refusal.
        let least = u64::from(kind == 3);
        if most <= least {
            continue;
        }
        let limit = if rng.bool() { most - 1 } else { rng.u64(least..most) };
        let narrow = u32::try_from(limit).unwrap_or(u32::MAX);
        let reason = match kind {
            0 => {
                limits.encoded = limit;
                if declared { Reason::DeclaredLength } else { Reason::EncodedLimit }
            }
            1 => {
                limits.decoded = limit;
                Reason::DecodedLimit
            }
            2 => {
                limits.header = limit;
                Reason::HeaderLimit
            }
            3 => {
                limits.members = limit;
                if limit == 1 {
                    return Expected::among(&[Reason::TrailingData]);
                }
                Reason::MemberLimit
            }
            4 => {
                limits.work = limit;
                Reason::WorkLimit
            }
            5 => {
                limits.document.string = narrow;
                Reason::StringLimit
            }
            6 => {
                limits.document.key = narrow;
                Reason::KeyLimit
            }
            7 => {
                limits.document.number = narrow;
                Reason::NumberLimit
            }
            8 => {
                limits.document.items = narrow;
                Reason::ItemLimit
            }
            9 => {
                limits.document.values = narrow;
                Reason::ValueLimit
            }
            10 => {
                limits.document.depth = u16::try_from(limit).unwrap_or(u16::MAX);
                Reason::DepthLimit
            }
            11 => {
                limits.record = limit;
                Reason::RecordLimit
            }
            _ => {
                limits.records = limit;
                Reason::RecordCount
            }
        };
        return Expected::Limit(reason, limit);
    }
}

fn text(rng: &mut Rng, media: Media, totals: &mut Totals) -> Vec<u8> {
    let size = [40, 400, 3_000][rng.usize(..3)];
    let mut text = String::new();
    match media {
        Media::Json => totals.document = document::write(rng, &mut text, size),
        Media::NdJson => {
            for _ in 0..rng.u32(1..6) {
                let start = text.len();
                let measures = document::write(rng, &mut text, size / 4);
                totals.document = totals.document.max(measures);
                totals.record = totals.record.max((text.len() - start) as u64);
                totals.records += 1;
                text.push_str(["\n", "\r\n", "\n\n"][rng.usize(..3)]);
            }
            if rng.u8(..4) == 0 {
                text.truncate(text.trim_end().len());
            }
        }
        Media::Text => {
            for _ in 0..size / 3 {
                text.push(['a', ' ', 'é', '€', '😀', '\n', 'z'][rng.usize(..7)]);
            }
        }
        _ => return (0..size).map(|_| if rng.bool() { 0 } else { rng.u8(..) }).collect(),
    }
    assert!(text.len() <= LARGEST, "a generated body is too large: {}", text.len());
    text.into_bytes()
}

/// One to three members, by flate2 or by hand.
fn gzip(rng: &mut Rng, text: &[u8], totals: &mut Totals) -> Vec<u8> {
    if rng.u8(..6) == 0 {
        return storm(rng, text, totals);
    }
    let members = if rng.u8(..4) == 0 { rng.u64(2..4) } else { 1 };
    let mut sent = Vec::new();
    let mut rest = text;
    for left in (0..members).rev() {
        let count = if left == 0 { rest.len() } else { rng.usize(..=rest.len()) };
        let (now, later) = rest.split_at(count);
        let mut builder = GzBuilder::new();
        totals.header += 10;
        if rng.u8(..4) == 0 {
            builder = builder.filename("response.json");
            totals.header += 14;
        }
        if rng.u8(..8) == 0 {
            builder = builder.extra(vec![7; 20]);
            totals.header += 22;
        }
        let mut encoder = builder.write(sent, Compression::new(rng.u32(0..=9)));
        encoder.write_all(now).expect("a vector takes everything");
        sent = encoder.finish().expect("a vector takes everything");
        rest = later;
    }
    totals.members += members;
    sent
}

/// A member whose blocks bring nothing at first: RFC 1951, section 3.2.4. Each costs four steps that nothing pays for.
fn storm(rng: &mut Rng, text: &[u8], totals: &mut Totals) -> Vec<u8> {
    let mut sent = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    let empty = rng.u64(1..200);
    for _ in 0..empty {
        sent.extend_from_slice(&[0, 0, 0, 0xFF, 0xFF]);
    }
    let length = u16::try_from(text.len()).expect("a body is short");
    sent.push(1);
    sent.extend_from_slice(&length.to_le_bytes());
    sent.extend_from_slice(&(!length).to_le_bytes());
    sent.extend_from_slice(text);
    sent.extend_from_slice(&crc32fast::hash(text).to_le_bytes());
    sent.extend_from_slice(&u32::from(length).to_le_bytes());
    totals.header += 10;
    totals.members += 1;
    totals.work = 4 * (empty + 1);
    sent
}

/// Changes, removes or adds a byte, or ends the body at one.
fn break_at_random(rng: &mut Rng, mut sent: Vec<u8>) -> Vec<u8> {
    if sent.is_empty() {
        return vec![rng.u8(..)];
    }
    let at = rng.usize(..sent.len());
    match rng.u8(..8) {
        0 => sent.truncate(at),
        1 => drop(sent.remove(at)),
        2 => sent.insert(at, rng.u8(..)),
        3 => sent[at] ^= 1 << rng.u8(..8),
        _ => sent[at] ^= rng.u8(1..),
    }
    sent
}
