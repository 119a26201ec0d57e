//! Bodies without a coding, previews, sinks that fail, and drivers that give up.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Broken, Case, Cut, Cuts, Member, PATTERNS, Recorder, agreed, inputs};
use plimsoll::{
    DefaultEngine, Ingest, Next, Outcome, REPORT_MAX, Reason, Rejection, Ring, RingDecoder, Verdict,
};
use plimsoll::{Inspect, Refusal};

type Recorded<'m, 'r> = Ingest<RingDecoder<'m, DefaultEngine>, (), &'r mut Recorder<true>>;

/// Runs `act` on a push machine for the case, with a recorder as its sink.
fn with<R>(case: &Case, recorder: &mut Recorder<true>, act: impl FnOnce(Recorded<'_, '_>) -> R) -> R {
    let (mut engine, mut ring) = (DefaultEngine::default(), vec![PATTERNS[0]; 32 * 1024]);
    let ring = Ring::from_slice(&mut ring).unwrap();
    act(Ingest::ring(&case.head, &case.policy, &mut engine, ring, (), recorder))
}

#[test]
fn a_body_without_a_coding_passes_as_it_is() {
    for body in [&b""[..], b"x", b"hello", &[0; 100], &Member::fixed(b"not decoded").bytes()] {
        agreed(&Case::identity(body)).expect_complete(body);
    }
    let body = inputs::incompressible(8192);
    agreed(&Case::identity(&body[..]).cuts(Cuts::Few(50))).expect_complete(&body);
}

#[test]
fn a_body_without_a_coding_has_both_limits() {
    let body = b"hello";
    for limit in 0..5 {
        agreed(&Case::identity(body).decoded(limit)).expect_decoded_limit(limit);
        let agreed = agreed(&Case::identity(body).encoded(limit));
        agreed.expect_limit(Reason::EncodedLimit, limit);
        assert_eq!(agreed.provisional, &body[..limit as usize]);
    }
    agreed(&Case::identity(body).encoded(5).decoded(5)).expect_complete(body);
    // The encoded limit cuts what is let in, so where both are the same it is the one that decides.
    agreed(&Case::identity(body).encoded(4).decoded(4)).expect_limit(Reason::EncodedLimit, 4);
    agreed(&Case::identity(b"").encoded(0).decoded(0)).expect_complete(b"");
}

#[test]
fn what_concerns_gzip_does_not_concern_a_body_without_a_coding() {
    let case = Case::identity(b"hello").header(0).work(0).members(0);
    agreed(&case).expect_complete(b"hello");
}

#[test]
fn a_preview_is_the_first_bytes_of_a_body_that_goes_on() {
    let plain = b"hello, world";
    for case in [Case::gzip(Member::fixed(plain).bytes()), Case::identity(plain)] {
        for most in 0..12 {
            let agreed = agreed(&case.clone().preview(most));
            assert_eq!(agreed.verdict, Verdict::Preview, "{agreed:?}");
            assert_eq!(agreed.provisional, &plain[..most as usize]);
            assert_eq!((agreed.decoded_bytes, agreed.lower_bound, agreed.body.is_none()), (most, true, true));
        }
        for most in [12, 13, u64::MAX] {
            agreed(&case.clone().preview(most)).expect_complete(plain);
        }
    }
}

#[test]
fn a_preview_reads_no_more_than_it_needs() {
    // The byte 10 + n brings the last bits of literal n; one literal more than the preview tells that there is more.
    let body = Member::fixed(b"abcdefgh").bytes();
    for most in 0..8 {
        assert_eq!(agreed(&Case::gzip(&body[..]).preview(most)).decided_after, 10 + most + 2);
    }
}

#[test]
fn an_empty_body_is_complete_also_as_a_preview() {
    agreed(&Case::gzip(Member::fixed(b"").bytes()).preview(0)).expect_complete(b"");
    agreed(&Case::identity(b"").preview(0)).expect_complete(b"");
}

#[test]
fn a_preview_counts_over_members() {
    let body = Member::fixed(b"hello").bytes().repeat(2);
    let case = Case::gzip(body).members(2);
    for (most, shown) in [(4, &b"hell"[..]), (5, b"hello"), (7, b"hellohe")] {
        let agreed = agreed(&case.clone().preview(most));
        assert_eq!((agreed.verdict, &agreed.provisional[..]), (Verdict::Preview, shown));
    }
    agreed(&case.preview(10)).expect_complete(b"hellohello");
}

#[test]
fn a_fault_before_a_preview_is_full_is_a_rejection() {
    let right = Member::fixed(b"hello");
    let bad = |body: Vec<u8>, most| agreed(&Case::gzip(body).preview(most));
    bad(Member { method: 0, ..right.clone() }.bytes(), 0).expect_fault(Reason::BadHeader, 2);
    bad(b"no gzip".to_vec(), 3).expect_fault(Reason::NotGzip, 0);
    // All five bytes fit, so all is checked.
    for most in [5, 6] {
        bad(Member { crc: 0, ..right.clone() }.bytes(), most).expect_fault(Reason::Checksum, 17);
        bad([&right.bytes()[..], b"!"].concat(), most).expect_fault(Reason::TrailingData, 25);
        bad(right.bytes()[..24].to_vec(), most).expect_fault(Reason::IncompleteGzip, 24);
    }
    // What lies behind a full preview is not read.
    for most in 0..5 {
        let agreed = bad(Member { crc: 0, ..right.clone() }.bytes(), most);
        assert_eq!(agreed.verdict, Verdict::Preview);
    }
    // A body that ends before it is full, and before its own end.
    bad(right.bytes()[..12].to_vec(), 3).expect_fault(Reason::IncompleteGzip, 12);
}

#[test]
fn a_preview_and_the_decoded_limit_the_smaller_one_decides() {
    for case in [Case::gzip(Member::fixed(b"hello").bytes()), Case::identity(b"hello")] {
        for limit in 0..5 {
            for most in 0..5 {
                let agreed = agreed(&case.clone().decoded(limit).preview(most).cuts(Cuts::Few(3)));
                if most <= limit {
                    assert_eq!((agreed.verdict, agreed.decoded_bytes), (Verdict::Preview, most));
                } else {
                    agreed.expect_decoded_limit(limit);
                }
            }
        }
        // Room of exactly the preview, in a buffer or a sink.
        assert_eq!(agreed(&case.room(3).preview(3)).verdict, Verdict::Preview);
    }
}

/// Refuses the first zero byte, as a parser might.
struct NoZero {
    seen: u64,
    refused: Option<Rejection>,
}

impl Inspect for NoZero {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if let Some(rejection) = self.refused {
            return Err(Refusal { accepted: 0, rejection });
        }
        let zero = bytes.iter().position(|&byte| byte == 0);
        let accepted = zero.unwrap_or(bytes.len());
        self.seen += accepted as u64;
        if zero.is_none() {
            return Ok(());
        }
        let rejection = Rejection::fault(Reason::JsonSyntax, self.seen);
        self.refused = Some(rejection);
        Err(Refusal { accepted, rejection })
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        let odd = self.seen % 2 == 1;
        if odd { Err(Rejection::fault(Reason::IncompleteJson, self.seen)) } else { Ok(()) }
    }
}

#[test]
fn an_inspector_decides_at_its_byte_whatever_the_cut_the_limits_and_the_coding() {
    let plain = b"abcdefg\0ijklmn";
    let run = |case: &Case, cut: Cut| {
        let (mut engine, mut ring) = (DefaultEngine::default(), vec![PATTERNS[0]; 16]);
        let mut recorder = Recorder::<true>::new(u64::MAX);
        let inspector = NoZero { seen: 0, refused: None };
        let ring = Ring::from_slice(&mut ring).unwrap();
        let mut ingest = Ingest::ring(&case.head, &case.policy, &mut engine, ring, inspector, &mut recorder);
        for piece in cut.pieces(case.body.len()) {
            if ingest.push(&case.body[piece]) == Ok(Next::Stop) {
                break;
            }
        }
        let outcome = ingest.finish().unwrap();
        assert_eq!(recorder.commits + recorder.discards, 1);
        (outcome.verdict, outcome.decoded_bytes, recorder.bytes)
    };
    let zero = Verdict::Rejected(Rejection::fault(Reason::JsonSyntax, 7));
    for case in [Case::gzip(Member::fixed(plain).bytes()), Case::identity(plain)] {
        for cut in Cuts::Usual.of(case.body.len()) {
            // The byte that decided is counted and not handed on.
            assert_eq!(run(&case, cut), (zero, 8, plain[..7].to_vec()), "{cut:?}");
            for limit in 0..plain.len() as u64 {
                let (verdict, decoded, shown) = run(&case.clone().decoded(limit), cut);
                let expected = if limit < 7 {
                    Verdict::Rejected(Rejection::limit_exceeded(Reason::DecodedLimit, limit))
                } else if limit == 7 {
                    // The eighth byte is over the limit and never shown to the inspector.
                    Verdict::Rejected(Rejection::limit_exceeded(Reason::DecodedLimit, 7))
                } else {
                    zero
                };
                assert_eq!((verdict, decoded), (expected, limit.min(7) + 1), "{cut:?}, limit {limit}");
                assert_eq!(shown, plain[..limit.min(7) as usize]);
                let (verdict, decoded, _) = run(&case.clone().preview(limit), cut);
                if limit <= 7 {
                    // What lies behind a preview is not shown to the inspector.
                    assert_eq!((verdict, decoded), (Verdict::Preview, limit), "{cut:?}, preview {limit}");
                } else {
                    assert_eq!((verdict, decoded), (zero, 8), "{cut:?}, preview {limit}");
                }
            }
        }
    }
    // What an inspector says of the end comes after what gzip says of it.
    let whole = Member::fixed(b"odd");
    let spoiled = Member { crc: 0, ..whole.clone() };
    for cut in Cuts::Usual.of(whole.bytes().len()) {
        let (verdict, ..) = run(&Case::gzip(whole.bytes()), cut);
        assert_eq!(verdict, Verdict::Rejected(Rejection::fault(Reason::IncompleteJson, 3)), "{cut:?}");
        let (verdict, ..) = run(&Case::gzip(spoiled.bytes()), cut);
        assert_eq!(verdict, Verdict::Rejected(Rejection::fault(Reason::Checksum, 10 + 5)), "{cut:?}");
    }
}

#[test]
fn the_report_of_a_preview_says_so() {
    let case = Case::identity(b"hello").preview(2);
    let mut recorder = Recorder::new(u64::MAX);
    let outcome = with(&case, &mut recorder, |mut ingest| {
        assert_eq!(ingest.push(b"hello"), Ok(Next::Stop));
        ingest.finish().unwrap()
    });
    let expected = concat!(
        r#"{"outcome":"preview","encoded_bytes":5,"decoded_bytes":2,"#,
        r#""lower_bound":true,"exposed_bytes":2,"cancelled":false}"#
    );
    assert_eq!(outcome.write_report(&mut [0; REPORT_MAX]), Ok(expected));
}

#[test]
fn a_sink_that_fails_at_any_call_gets_one_discard_and_its_error_goes_to_the_driver() {
    let plain = inputs::incompressible(2000);
    let body = Member::packed(&plain, 6).bytes();
    for case in [Case::gzip(&body[..]), Case::identity(&plain[..])] {
        for cut in [Cut::Whole, Cut::Every(1), Cut::Every(7), Cut::At(500)] {
            let calls = {
                let mut recorder = Recorder::new(u64::MAX);
                with(&case, &mut recorder, |mut ingest| {
                    for piece in cut.pieces(case.body.len()) {
                        assert_eq!(ingest.push(&case.body[piece]), Ok(Next::Read));
                    }
                    assert!(ingest.finish().unwrap().is_complete());
                });
                recorder.calls
            };
            for fail in (0..calls).step_by(1 + calls as usize / 50) {
                let mut recorder = Recorder { fail_call: Some(fail), ..Recorder::new(u64::MAX) };
                let outcome = with(&case, &mut recorder, |mut ingest| {
                    let mut failed = 0;
                    for piece in cut.pieces(case.body.len()) {
                        match ingest.push(&case.body[piece]) {
                            Ok(Next::Read) => assert_eq!(failed, 0),
                            Ok(Next::Stop) => {
                                assert_eq!(failed, 1, "it stops after the failure and not before")
                            }
                            Err(Broken) => failed += 1,
                        }
                    }
                    assert_eq!(failed, 1);
                    ingest.finish().unwrap()
                });
                let Verdict::Rejected(rejection) = outcome.verdict else { panic!("{outcome:?}") };
                assert_eq!(rejection.reason(), Reason::Cancelled);
                assert!(outcome.lower_bound);
                assert_eq!(outcome.decoded_bytes, recorder.bytes.len() as u64);
                assert_eq!(outcome.exposed_bytes, recorder.offered, "a part of that run may be out");
                assert_eq!((recorder.calls, recorder.commits, recorder.discards), (fail + 1, 0, 1));
                assert!(!recorder.late);
                assert!(plain.starts_with(&recorder.bytes));
            }
        }
    }
}

#[test]
fn a_commit_that_fails_is_the_last_word() {
    for case in [Case::gzip(Member::fixed(b"hello").bytes()), Case::identity(b"hello")] {
        let mut recorder = Recorder { fail_commit: true, ..Recorder::new(u64::MAX) };
        with(&case, &mut recorder, |mut ingest| {
            assert_eq!(ingest.push(&case.body), Ok(Next::Read));
            assert_eq!(ingest.finish(), Err(Broken));
        });
        assert_eq!((recorder.commits, recorder.discards, recorder.late), (1, 0, false));
    }
}

#[test]
fn a_machine_dropped_at_any_point_discards_once() {
    let body = [&Member::fixed(b"hello").bytes()[..], b"garbage"].concat();
    for length in 0..=body.len() {
        let case = Case::gzip(&body[..]);
        let mut recorder = Recorder::new(u64::MAX);
        with(&case, &mut recorder, |mut ingest| {
            for byte in &body[..length] {
                let _ = ingest.push(&[*byte]).unwrap();
            }
        });
        assert_eq!((recorder.commits, recorder.discards), (0, 1), "after {length} bytes");
        assert!(!recorder.late);
    }
}

#[test]
fn a_slice_yields_nothing_after_a_drop() {
    let case = Case::gzip(Member::fixed(b"hello").bytes());
    let (mut engine, mut ring, mut output) = (DefaultEngine::default(), [PATTERNS[0]; 1024], [0; 16]);
    let mut slice = plimsoll::Slice::new(&mut output);
    assert_eq!(slice.body(), None);
    let mut ingest =
        Ingest::ring(&case.head, &case.policy, &mut engine, Ring::new(&mut ring), (), &mut slice);
    assert_eq!(ingest.push(&case.body), Ok(Next::Read));
    drop(ingest);
    assert_eq!(slice.body(), None);
    assert_eq!(slice.into_body(), None);
}

/// The driver's own reasons.
fn givings_up() -> [Rejection; 5] {
    [
        Rejection::limit_exceeded(Reason::Deadline, 5000),
        Rejection::new(Reason::TooSlow),
        Rejection::new(Reason::Cancelled),
        Rejection::new(Reason::Capacity),
        Rejection::fault(Reason::SourceError, 3),
    ]
}

#[test]
fn a_driver_may_give_up_before_between_and_after_the_bytes() {
    let body = Member::fixed(b"hello").bytes();
    let case = Case::gzip(&body[..]);
    for rejection in givings_up() {
        for length in 0..=body.len() {
            let mut recorder = Recorder::new(u64::MAX);
            let outcome = with(&case, &mut recorder, |mut ingest| {
                assert_eq!(ingest.push(&body[..length]), Ok(Next::Read));
                ingest.refuse(rejection);
                assert_eq!(ingest.push(&body[length..]), Ok(Next::Stop), "nothing is taken any more");
                ingest.refuse(Rejection::new(Reason::StackedCoding));
                ingest.finish().unwrap()
            });
            let received = recorder.bytes.len() as u64;
            let expected = Outcome {
                verdict: Verdict::Rejected(rejection),
                encoded_bytes: length as u64,
                decoded_bytes: received,
                lower_bound: true,
                exposed_bytes: received,
                cancelled: false,
            };
            assert_eq!(outcome, expected);
            assert_eq!((recorder.commits, recorder.discards, recorder.late), (0, 1, false));
            assert!(b"hello".starts_with(&recorder.bytes[..]));
        }
    }
}

#[test]
fn giving_up_does_not_change_a_verdict_that_was_reached() {
    let case = Case::gzip(b"no gzip");
    for rejection in givings_up() {
        let mut recorder = Recorder::new(u64::MAX);
        let outcome = with(&case, &mut recorder, |mut ingest| {
            assert_eq!(ingest.push(&case.body), Ok(Next::Stop));
            ingest.refuse(rejection);
            ingest.finish().unwrap()
        });
        assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::NotGzip, 0)));
        assert_eq!(recorder.discards, 1);
    }
}

#[test]
fn the_report_of_a_deadline_has_its_limit_in_milliseconds() {
    let case = Case::gzip(b"");
    let mut recorder = Recorder::new(u64::MAX);
    let outcome = with(&case, &mut recorder, |mut ingest| {
        ingest.refuse(Rejection::limit_exceeded(Reason::Deadline, 5000));
        ingest.finish().unwrap()
    });
    let expected = concat!(
        r#"{"outcome":"rejected","stage":"content","reason":"deadline","limit":5000,"unit":"ms","#,
        r#""encoded_bytes":0,"decoded_bytes":0,"lower_bound":true,"exposed_bytes":0,"cancelled":false}"#
    );
    assert_eq!(outcome.write_report(&mut [0; REPORT_MAX]), Ok(expected));
}

#[test]
fn no_report_and_no_text_of_a_rejection_holds_a_byte_of_the_body() {
    let secret = "SECRETSECRET";
    let mut body = Member::fixed(secret.as_bytes());
    body.crc ^= 1;
    let agreed = agreed(&Case::gzip(body.bytes()));
    let rejection = agreed.rejection();
    for text in [format!("{rejection}"), format!("{rejection:?}")] {
        assert!(!text.contains("SECRET"), "{text}");
    }
}
