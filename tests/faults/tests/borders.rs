//! Counters at the borders of their types, and policies whose every limit is nothing or the most there is.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use plimsoll::budget::{Capacity, Meter, WorkMeter};
use plimsoll::json::{Counted, Levels, Uncounted};
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspect, Inspector, Limits, Media, NoClock, Outcome, Pace, Policy,
    REPORT_MAX, Reason, Rejection, Ring, Slice, Verdict, Watch, Work,
};
use plimsoll_tests_drivers::body::{self, Body};
use plimsoll_tests_drivers::script::Script;
use plimsoll_tests_faults::bodies;
use plimsoll_tests_faults::drive::{Driver, drive};

const MOST: u64 = u64::MAX;

const MEDIA: [Media; 5] = [Media::Octets, Media::Text, Media::Json, Media::NdJson, Media::JsonSequence];

/// Every limit is this, as far as its type goes.
fn limits(of: u64, items: u32, depth: u16) -> Limits {
    let narrow = u32::try_from(of).unwrap_or(u32::MAX);
    Limits {
        encoded: of,
        decoded: of,
        header: of,
        work: of,
        members: of,
        document: plimsoll::json::Limits {
            string: narrow,
            key: narrow,
            number: narrow,
            items,
            values: narrow,
            depth,
        },
        record: of,
        records: of,
    }
}

fn take<L: Levels>(driver: Driver, media: Media, body: &Body, policy: &Policy) -> (Outcome, Option<Vec<u8>>) {
    let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 1024], [0xEE; 4096]);
    let mut sink = Slice::new(&mut memory);
    let inspector = Inspector::<L>::new(media, &policy.limits).unwrap();
    let machine = Ingest::ring(&body.head, policy, &mut engine, Ring::new(&mut window), inspector, &mut sink);
    let script = Script::new(&body.sent, 30, []);
    let Ok(outcome) = drive(driver, machine, script, Watch::new(Pace::within(MOST), NoClock));
    (outcome, sink.into_body().map(|body| body.to_vec()))
}

/// A body of each media type, in each coding.
fn bodies(media: Media) -> Vec<Body> {
    let text = match media {
        Media::Json => b"{\"metres\":[0.25,null,{\"bow\":\"dry\"}]}".to_vec(),
        Media::JsonSequence => b"\x1E{\"metres\":0.25}\n\x1E[]\n".to_vec(),
        _ => bodies::lines(300),
    };
    let of = |name, head, sent| Body { name, head, sent, text: text.clone() };
    vec![
        of("identity", Head::new(Coding::Identity), text.clone()),
        of("gzip", Head::new(Coding::Gzip), body::gzip(&text)),
    ]
}

#[test]
fn a_policy_of_the_most_there_is_takes_every_body() {
    // Items in a container are counted up to 2^31 - 1, or bounded by the values.
    let policies = [limits(MOST, (1 << 31) - 1, 64), limits(MOST, u32::MAX, 64)];
    for driver in Driver::ALL {
        for media in MEDIA {
            for body in bodies(media) {
                for (preview, zero_padding) in [(None, false), (Some(MOST), true)] {
                    let policy = |limits| Policy { preview, zero_padding, ..Policy::strict(limits) };
                    let counted = take::<Counted<64>>(driver, media, &body, &policy(policies[0]));
                    let uncounted = take::<Uncounted<8>>(driver, media, &body, &policy(policies[1]));
                    assert_eq!(counted, uncounted);
                    let (outcome, bytes) = counted;
                    assert!(outcome.is_complete(), "{media} {} by {driver:?}: {outcome:?}", body.name);
                    assert!(bytes.as_ref() == Some(&body.text));
                }
            }
        }
    }
}

#[test]
fn a_policy_of_nothing_takes_an_empty_body_only() {
    let policy = Policy::strict(limits(0, 0, 0));
    for driver in Driver::ALL {
        for media in MEDIA {
            for body in bodies(media) {
                let (outcome, bytes) = take::<Counted<0>>(driver, media, &body, &policy);
                let expected = Rejection::limit_exceeded(Reason::EncodedLimit, 0);
                assert_eq!(
                    (outcome.verdict, bytes),
                    (Verdict::Rejected(expected), None),
                    "{media} by {driver:?}"
                );
                assert_eq!((outcome.encoded_bytes, outcome.decoded_bytes), (1, 0));
                assert_eq!((outcome.cancelled, outcome.lower_bound), (true, true));
            }
            let empty = Body { name: "empty", head: Head::new(Coding::Identity), sent: vec![], text: vec![] };
            let (outcome, bytes) = take::<Counted<0>>(driver, media, &empty, &policy);
            // No document is no JSON; no records are a stream of them.
            if media == Media::Json {
                assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::IncompleteJson, 0)));
            } else {
                assert_eq!((outcome.is_complete(), bytes), (true, Some(vec![])), "{media} by {driver:?}");
            }
        }
    }
}

/// Each limit alone, with all others at their most.
#[test]
fn each_limit_of_nothing_refuses_its_first_unit() {
    let most = limits(MOST, (1 << 31) - 1, 64);
    let document = most.document;
    let with = |document| Limits { document, ..most };
    let cases = [
        (Media::Octets, 0, Limits { encoded: 0, ..most }, Reason::EncodedLimit),
        (Media::Octets, 0, Limits { decoded: 0, ..most }, Reason::DecodedLimit),
        (Media::Octets, 1, Limits { decoded: 0, ..most }, Reason::DecodedLimit),
        (Media::Octets, 1, Limits { header: 0, ..most }, Reason::HeaderLimit),
        (Media::Octets, 1, Limits { work: 0, ..most }, Reason::WorkLimit),
        (Media::Octets, 1, Limits { members: 0, ..most }, Reason::MemberLimit),
        (Media::Json, 0, with(plimsoll::json::Limits { depth: 0, ..document }), Reason::DepthLimit),
        (Media::Json, 0, with(plimsoll::json::Limits { items: 0, ..document }), Reason::ItemLimit),
        (Media::Json, 0, with(plimsoll::json::Limits { values: 0, ..document }), Reason::ValueLimit),
        (Media::Json, 0, with(plimsoll::json::Limits { key: 0, ..document }), Reason::KeyLimit),
        (Media::Json, 0, with(plimsoll::json::Limits { number: 0, ..document }), Reason::NumberLimit),
        (Media::Json, 0, with(plimsoll::json::Limits { string: 0, ..document }), Reason::StringLimit),
        (Media::NdJson, 0, Limits { record: 0, ..most }, Reason::RecordLimit),
        (Media::NdJson, 1, Limits { records: 0, ..most }, Reason::RecordCount),
        (Media::JsonSequence, 1, Limits { records: 0, ..most }, Reason::RecordCount),
    ];
    for driver in Driver::ALL {
        for (media, coding, limits, reason) in cases {
            let body = &bodies(media)[coding];
            let (outcome, bytes) = take::<Counted<64>>(driver, media, body, &Policy::strict(limits));
            let rejection = outcome.rejection().unwrap();
            assert_eq!(
                (rejection.reason(), rejection.limit().map(|limit| limit.value)),
                (reason, Some(0)),
                "{driver:?}"
            );
            assert_eq!(bytes, None);
        }
    }
}

#[test]
fn a_declared_length_at_the_border_is_held_against_what_comes() {
    let body = |length, sent: &[u8]| Body {
        name: "declared",
        head: Head::new(Coding::Identity).with_length(length),
        sent: sent.to_vec(),
        text: sent.to_vec(),
    };
    let policy = Policy::strict(limits(MOST, 0, 0));
    let lower = Policy::strict(Limits { encoded: MOST - 1, ..policy.limits });
    for driver in Driver::ALL {
        let (outcome, _) = take::<Counted<0>>(driver, Media::Octets, &body(MOST, b"hello"), &policy);
        assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::LengthMismatch, 5)), "{driver:?}");
        let (outcome, _) = take::<Counted<0>>(driver, Media::Octets, &body(MOST, b"hello"), &lower);
        let expected = Rejection::limit_exceeded(Reason::DeclaredLength, MOST - 1);
        assert_eq!((outcome.rejection(), outcome.encoded_bytes), (Some(expected), 0), "{driver:?}");
        let (outcome, _) = take::<Counted<0>>(driver, Media::Octets, &body(0, b"hello"), &policy);
        assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::LengthMismatch, 0)), "{driver:?}");
    }
}

#[test]
#[cfg(target_pointer_width = "64")]
fn a_meter_counts_to_the_last_number_and_never_over_it() {
    for limit in [MOST, MOST - 1, MOST - 2] {
        let mut meter = Meter::decoded(limit);
        assert_eq!(meter.admit(usize::MAX - 2), usize::MAX - 2);
        assert_eq!(meter.left(), limit - (MOST - 2));
        let room = usize::try_from(meter.left()).unwrap();
        assert_eq!((meter.admit(room), meter.rejection(), meter.left()), (room, None, 0));
        assert_eq!((meter.admit(0), meter.rejection()), (0, None));
        for wanted in [1, usize::MAX] {
            assert_eq!(meter.admit(wanted), 0);
            assert_eq!(meter.rejection(), Some(Rejection::limit_exceeded(Reason::DecodedLimit, limit)));
            // One more than the greatest number has no number, so it stands there.
            assert_eq!(meter.used(), limit.saturating_add(1));
        }
        assert_eq!(meter.inspect(b"x").unwrap_err().accepted, 0);
    }
}

#[test]
#[cfg(target_pointer_width = "64")]
fn a_meter_that_is_over_its_limit_does_not_come_back_below_it() {
    let mut meter = Meter::encoded(10);
    assert_eq!((meter.admit(usize::MAX), meter.used()), (10, 11));
    assert_eq!((meter.admit(usize::MAX), meter.used()), (0, 11));
    assert_eq!((meter.left(), meter.inspect(&[]).is_err()), (0, true));
}

#[test]
fn a_work_meter_owes_to_the_last_number_and_pays_with_any() {
    let mut meter = WorkMeter::new(MOST);
    for _ in 0..1_000 {
        meter.charge(u32::MAX).unwrap();
    }
    assert_eq!(meter.owed(), 1_000 * u64::from(u32::MAX));
    meter.credit(usize::MAX);
    meter.credit(usize::MAX);
    assert_eq!((meter.owed(), meter.charge(1)), (0, Ok(())));

    let mut meter = WorkMeter::new(u64::from(u32::MAX));
    meter.charge(u32::MAX).unwrap();
    let expected = Err(Rejection::limit_exceeded(Reason::WorkLimit, u64::from(u32::MAX)));
    assert_eq!((meter.charge(u32::MAX), meter.owed()), (expected, 1 << 32));
    // Once refused, nothing pays.
    meter.credit(usize::MAX);
    assert_eq!((meter.charge(0), meter.owed()), (expected, 1 << 32));
    let mut meter = WorkMeter::new(0);
    assert_eq!((meter.charge(0), meter.charge(1).is_err(), meter.charge(0).is_err()), (Ok(()), true, true));
}

#[test]
fn a_capacity_of_the_most_there_is_is_given_out_once() {
    let capacity = Capacity::new(usize::MAX, usize::MAX);
    let mut first = capacity.try_acquire().unwrap();
    let mut second = capacity.try_acquire().unwrap();
    first.reserve(usize::MAX).unwrap();
    assert_eq!((second.reserve(1).is_err(), second.admit(1)), (true, 0));
    assert_eq!((first.admit(usize::MAX), first.admit(1), first.used()), (usize::MAX, 0, usize::MAX));
    drop((first, second));
    assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0));
}

#[test]
fn a_report_at_the_borders_says_what_the_counters_say() {
    for (verdict, part) in [
        (
            Verdict::Rejected(Rejection::limit_exceeded(Reason::DecodedLimit, MOST)),
            r#""reason":"decoded_limit","limit":18446744073709551615,"unit":"bytes""#,
        ),
        (
            Verdict::Rejected(Rejection::fault(Reason::JsonSyntax, MOST - 1).with_record(MOST - 1)),
            r#""reason":"json_syntax","at":18446744073709551614,"record":18446744073709551614"#,
        ),
        // The last number stands for no place at all.
        (
            Verdict::Rejected(Rejection::fault(Reason::JsonSyntax, MOST)),
            r#""reason":"json_syntax","encoded_bytes""#,
        ),
    ] {
        let outcome = Outcome {
            verdict,
            encoded_bytes: MOST,
            decoded_bytes: MOST,
            lower_bound: true,
            exposed_bytes: MOST,
            cancelled: true,
        };
        let mut buffer = [0; REPORT_MAX];
        let report = outcome.write_report(&mut buffer).unwrap();
        assert!(report.contains(part), "{report}");
        assert!(
            report.contains(r#""encoded_bytes":18446744073709551615,"decoded_bytes":18446744073709551615,"#)
        );
    }
}
