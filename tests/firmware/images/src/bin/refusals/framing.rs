//! What is refused for its length or its coding.

use plimsoll::{Coding, Head, Ingest, Limits, Policy, Reason, Ring};
use plimsoll_firmware::gzip::HEADER;
use plimsoll_firmware::intake::{LIMITS, log};
use plimsoll_firmware::memory::Memory;
use plimsoll_firmware::{gzip, joined};

use crate::bodies::Body;
use crate::trial::Trial;

/// A document of two bytes is a member of 25: 10 of header, 5 before a stored block, 2, a checksum at 17 and a length at 21.
const MEMBER: &[u8] = gzip!(b"{}");
const EMPTY_MEMBER: &[u8] = gzip!(b"");

/// A stored block of no bytes, with more to come.
const EMPTY_BLOCK: &[u8] = &[0, 0, 0, 0xFF, 0xFF];

pub(crate) static BODIES: [Body; 14] = [
    Body::gzip(Reason::LengthMismatch, MEMBER).declared(26),
    Body::gzip(Reason::EncodedLimit, MEMBER).under(Limits { encoded: 24, ..LIMITS }),
    Body::gzip(Reason::NotGzip, b"{}"),
    Body::gzip(Reason::BadHeader, &[0x1F, 0x8B, 7]),
    Body::gzip(Reason::HeaderLimit, MEMBER).under(Limits { header: 9, ..LIMITS }),
    // With the flag FHCRC, and a checksum of 0.
    Body::gzip(Reason::HeaderChecksum, &[0x1F, 0x8B, 8, 2, 0, 0, 0, 0, 0, 0xFF, 0, 0]),
    // A last block of type 3.
    Body::gzip(Reason::BadDeflate, joined!(&HEADER, &[0b111])),
    Body::gzip(Reason::WorkLimit, joined!(&HEADER, EMPTY_BLOCK, EMPTY_BLOCK, EMPTY_BLOCK))
        .under(Limits { work: 8, ..LIMITS }),
    Body::gzip(Reason::DecodedLimit, gzip!(b"[1,2,3,4]")).under(Limits { decoded: 8, ..LIMITS }),
    Body::gzip(Reason::Checksum, joined!(MEMBER.split_at(17).0, &[0; 4], MEMBER.split_at(21).1)),
    Body::gzip(Reason::LengthField, joined!(MEMBER.split_at(21).0, &[3, 0, 0, 0])),
    Body::gzip(Reason::IncompleteGzip, MEMBER.split_at(24).0),
    Body::gzip(Reason::TrailingData, joined!(MEMBER, b"{")),
    Body::gzip(Reason::MemberLimit, joined!(MEMBER, EMPTY_MEMBER, EMPTY_MEMBER))
        .under(Limits { members: 2, ..LIMITS }),
];

/// `"abcdefgabc"` in a fixed block: eight literals, and three bytes from seven before, through a ring of four. The header of
/// the block, the literals and the length take 3 + 8 * 8 + 7 bits, so the distance begins in the tenth byte.
pub(crate) fn beyond_the_window(trial: &mut Trial<'_>) {
    let body = joined!(&HEADER, &[0x53, 0x4A, 0x4C, 0x4A, 0x4E, 0x49, 0x4D, 0x4B, 0x07, 0x52, 0x4A, 0x00]);
    let Memory { engine, history } = &mut *trial.memory;
    let Some(window) = history.first_chunk_mut::<4>() else { return };
    let (head, policy) = (Head::new(Coding::Gzip), Policy::strict(LIMITS));
    let mut machine = Ingest::ring(&head, &policy, engine, Ring::new(window), (), ());
    let Ok(_) = machine.push(body);
    let Ok(outcome) = machine.finish();
    log(&outcome, outcome.rejection());
    trial.met(outcome.rejection());
}
