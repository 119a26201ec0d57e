//! gzip members, and the push machine around them.

use std::io::Read;

use conformance::{Agreed, Case, Cut, Cuts, Rig, agreed, decode_all, oracle};
use plimsoll::budget::WorkMeter;
use plimsoll::gzip::{Gunzip, Policy, Trailing};
use plimsoll::inflate::Inflate;
use plimsoll::{Coding, DefaultEngine, Reason, Ring};

use crate::input::Input;

/// The output of a body is looked at up to here.
const MOST: u64 = 1 << 16;

/// Under each policy, one member or several, with and without zero padding and empty bodies, a body is complete exactly
/// where flate2 takes all of it, member by member, and has the same bytes.
pub fn policies(input: Input<'_>) {
    let (members, padding, empty) = (input.dial(4), input.chosen(5, 0), input.chosen(5, 1));
    let mut case = wide(input, Coding::Gzip).members(members);
    if padding {
        case = case.zero_padding();
    }
    if empty {
        case = case.empty_body();
    }
    let found = agreed(&case);
    if found.decoded_bytes > MOST {
        return;
    }
    handed_back(input, members.max(1));
    let expected = taken(input.body, members, padding, empty);
    assert!(found.body == expected, "{found:?}, flate2 has {:?} bytes", expected.map(|plain| plain.len()));
    // The whole readers of flate2, where their policy is one of ours.
    if !padding && !empty {
        let whole = match members {
            1 => oracle::gunzip_one(input.body),
            255 => oracle::gunzip_many(input.body),
            _ => return,
        };
        assert!(found.body == whole, "{found:?}, flate2 has {:?} bytes", whole.map(|plain| plain.len()));
    }
}

/// Where what follows is handed back, a stream ends by itself behind its last member, or before a byte that begins none.
fn handed_back(input: Input<'_>, members: u64) {
    let (mut engine, mut ring) = (DefaultEngine::new(), vec![0; 1 << 15]);
    let inflate = Inflate::new(&mut engine, Ring::from_slice(&mut ring).unwrap(), WorkMeter::new(1 << 24));
    let policy = Policy { header_limit: 1 << 20, members, trailing: Trailing::HandBack, empty: false };
    let mut receive = Rig::<DefaultEngine>::new(0, 0, input.body.len()).receive;
    let cut = Cut::Cycle(input.sizes());
    let seen = decode_all(&mut Gunzip::new(inflate, policy), input.body, cut, &mut receive);

    let (mut plain, mut rest, mut count) = (Vec::new(), input.body, 0);
    while count == 0 || (count < members && rest.first() == Some(&0x1F)) {
        let mut decoder = flate2::bufread::GzDecoder::new(rest);
        if decoder.read_to_end(&mut plain).is_err() {
            return assert!(seen.verdict.is_err(), "{seen:?}, but flate2 refuses member {count}");
        }
        (rest, count) = (decoder.into_inner(), count + 1);
    }
    let by_itself = count == members || !rest.is_empty();
    let ended = by_itself.then(|| input.body.len() - rest.len());
    assert_eq!((seen.verdict, seen.ended), (Ok(()), ended));
    assert!(seen.bytes == plain, "{seen:?}, but flate2 has {} bytes", plain.len());
}

/// Limits that nothing of 64 KiB meets.
pub(crate) fn wide(input: Input<'_>, coding: Coding) -> Case {
    Case::new(coding, input.body)
        .encoded(1 << 20)
        .decoded(MOST)
        .header(1 << 20)
        .work(1 << 24)
        .cuts(Cuts::One(Cut::Cycle(input.sizes())))
}

/// What flate2 makes of a body of at most so many members.
fn taken(body: &[u8], members: u64, padding: bool, empty: bool) -> Option<Vec<u8>> {
    let (mut plain, mut rest) = (Vec::new(), body);
    if body.is_empty() {
        return empty.then_some(plain);
    }
    for _ in 0..members {
        let mut decoder = flate2::bufread::GzDecoder::new(rest);
        decoder.read_to_end(&mut plain).ok()?;
        rest = decoder.into_inner();
        if rest.is_empty() || (padding && rest.iter().all(|&byte| byte == 0)) {
            return Some(plain);
        }
    }
    None
}

/// Under any limits, every form of the push machine says the same in one piece and in any others, keeps to its limits
/// with what it hands on, and never shows a byte of a body that is not complete.
pub fn machine(input: Input<'_>) {
    let found = agreed(&limited(input));
    let decoded = input.wide_dial(6);
    assert!(found.provisional.len() as u64 <= decoded);
    assert!(found.decoded_bytes <= decoded + 1);
}

/// A body under limits from the dials.
fn limited(input: Input<'_>) -> Case {
    let coding = if input.chosen(5, 2) { Coding::Identity } else { Coding::Gzip };
    let mut case = Case::new(coding, input.body)
        .members(input.dial(4))
        .decoded(input.wide_dial(6))
        .encoded(input.wide_dial(8))
        .header(input.wide_dial(10))
        .work(input.wide_dial(12))
        .cuts(Cuts::One(Cut::Cycle(input.sizes())));
    if input.chosen(5, 0) {
        case = case.zero_padding();
    }
    if input.chosen(5, 1) {
        case = case.empty_body();
    }
    if input.chosen(5, 3) {
        case = case.length(input.wide_dial(14));
    }
    if input.chosen(5, 4) {
        case = case.preview(input.wide_dial(16));
    }
    if input.chosen(5, 5) {
        case = case.room(input.wide_dial(18));
    }
    case
}

/// Under limits on encoded, decoded and header bytes and on members, a body is complete exactly where it is complete
/// without them and has no more of anything than they allow.
pub fn counted(input: Input<'_>) {
    let padding = input.chosen(5, 0);
    let policy = |case: Case| if padding { case.zero_padding() } else { case };
    let all = agreed(&policy(wide(input, Coding::Gzip).members(u64::MAX)));
    let Some(plain) = &all.body else { return };
    let has = Figures::of(input.body);
    assert_eq!(has.decoded, plain.len() as u64);

    let near = |dial: u64, has: u64| (has + dial).saturating_sub(128);
    let limits = Figures {
        encoded: near(input.dial(6), input.body.len() as u64),
        decoded: near(input.dial(7), has.decoded),
        header: near(input.dial(8), has.header),
        members: near(input.dial(9), has.members),
    };
    let case = wide(input, Coding::Gzip)
        .encoded(limits.encoded)
        .decoded(limits.decoded)
        .header(limits.header)
        .members(limits.members);
    let found = agreed(&policy(case));
    let over = [
        (Reason::EncodedLimit, input.body.len() as u64 > limits.encoded),
        (Reason::DecodedLimit, has.decoded > limits.decoded),
        (Reason::HeaderLimit, has.header > limits.header),
        (
            if limits.members > 1 { Reason::MemberLimit } else { Reason::TrailingData },
            has.members > limits.members,
        ),
    ];
    check_over(&found, &over, limits.members);
    if found.body.is_some() {
        assert!(found.body == all.body);
    }
}

fn check_over(found: &Agreed, over: &[(Reason, bool)], members: u64) {
    if over.iter().all(|&(_, over)| !over) {
        return assert!(found.body.is_some(), "{found:?}, and nothing is over");
    }
    let reason = found.rejection().reason();
    let blamed = |&(limit, over): &(Reason, bool)| over && limit == reason;
    // Of no member at all not one may begin.
    let none = members == 0 && reason == Reason::MemberLimit;
    assert!(none || over.iter().any(blamed), "{found:?}, over: {over:?}");
}

/// What a complete body has.
struct Figures {
    encoded: u64,
    decoded: u64,
    header: u64,
    members: u64,
}

impl Figures {
    /// By the oracle, and a header's parts by RFC 1952, section 2.3.
    fn of(body: &[u8]) -> Self {
        let mut has = Self { encoded: body.len() as u64, decoded: 0, header: 0, members: 0 };
        let mut rest = body;
        while rest.iter().any(|&byte| byte != 0) {
            let mut decoder = flate2::bufread::GzDecoder::new(rest);
            let mut plain = Vec::new();
            decoder.read_to_end(&mut plain).expect("it is complete");
            has.decoded += plain.len() as u64;
            has.header += header(rest) as u64;
            has.members += 1;
            rest = decoder.into_inner();
        }
        has
    }
}

/// The length of a member's header.
fn header(member: &[u8]) -> usize {
    let flags = member[3];
    let mut length = 10;
    if flags & conformance::flag::EXTRA != 0 {
        length += 2 + usize::from(u16::from_le_bytes([member[length], member[length + 1]]));
    }
    for flag in [conformance::flag::NAME, conformance::flag::COMMENT] {
        if flags & flag != 0 {
            length += member[length..].iter().position(|&byte| byte == 0).expect("it ends") + 1;
        }
    }
    if flags & conformance::flag::HEADER_CRC != 0 { length + 2 } else { length }
}
