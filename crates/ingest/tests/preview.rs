//! Previews: their own type, from a slice and from a flat body, at every cut.
#![allow(clippy::unwrap_used, reason = "a test that fails fails loudly")]

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspector, Limits, Media, Next, Outcome, Policy, Preview, Reason,
    Received, Ring, Slice, Verdict,
};

const fn policy(size: u64) -> Policy {
    Policy { preview: Some(size), ..Policy::strict(Limits::GATEWAY) }
}

fn text(preview: Preview<'_>) -> String {
    let mut text = String::new();
    preview.write_text(&mut text).unwrap();
    text
}

/// The outcome, and the preview as text or the body, both from a slice and from a flat machine.
fn both(media: Media, size: u64, body: &[u8], cut: usize) -> (Outcome, Option<String>, Option<Vec<u8>>) {
    let (policy, head) = (policy(size), Head::new(Coding::Identity));
    let inspector = Inspector::<Counted<32>>::new(media, &policy.limits).unwrap();
    let (head_piece, tail_piece) = body.split_at(cut);

    let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 1024], [0xAA; 256]);
    let mut slice = Slice::new(&mut memory);
    let mut ingest = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), inspector, &mut slice);
    for piece in [head_piece, tail_piece] {
        if ingest.push(piece) == Ok(Next::Stop) {
            break;
        }
    }
    let Ok(outcome) = ingest.finish();
    let (shown, whole) = (slice.preview().map(text), slice.body().map(<[u8]>::to_vec));

    let mut output = [0xAA; 256];
    let mut ingest = Ingest::flat(&head, &policy, &mut engine, &mut output, inspector);
    for piece in [head_piece, tail_piece] {
        if ingest.push(piece) == Ok(Next::Stop) {
            break;
        }
    }
    let (flat_outcome, received) = ingest.finish_received();
    let (flat_shown, flat_whole) = match received {
        Received::Complete(body) => (None, Some(body.to_vec())),
        Received::Preview(preview) => (Some(text(preview)), None),
        Received::Nothing => (None, None),
    };
    let of = |outcome: Outcome| (outcome.verdict, outcome.decoded_bytes, outcome.lower_bound);
    assert_eq!((of(outcome), &shown, &whole), (of(flat_outcome), &flat_shown, &flat_whole));
    (outcome, shown, whole)
}

#[test]
fn a_longer_body_is_shown_up_to_the_size_and_a_whole_one_is_the_body() {
    let body = "{\"a\":\"b€\"}".as_bytes();
    for cut in 0..=body.len() {
        for size in 0..body.len() {
            let (outcome, shown, whole) = both(Media::Json, size as u64, body, cut);
            assert_eq!((outcome.verdict, outcome.decoded_bytes), (Verdict::Preview, size as u64));
            // Whole characters only: what from_utf8 takes of the beginning.
            let valid = match str::from_utf8(&body[..size]) {
                Ok(text) => text,
                Err(error) => str::from_utf8(&body[..error.valid_up_to()]).unwrap(),
            };
            assert_eq!((shown.as_deref(), whole), (Some(valid), None));
        }
        let (outcome, shown, whole) = both(Media::Json, body.len() as u64, body, cut);
        assert!(outcome.is_complete());
        assert_eq!((shown, whole.as_deref()), (None, Some(body)));
    }
}

#[test]
fn malformed_text_is_repaired_in_a_preview_and_refused_in_a_body() {
    let body = b"ab\xFFcd";
    for cut in 0..=body.len() {
        let (outcome, shown, _) = both(Media::Text, 4, body, cut);
        assert_eq!((outcome.verdict, shown.as_deref()), (Verdict::Preview, Some("ab\u{FFFD}c")));
        let (outcome, shown, whole) = both(Media::Text, 5, body, cut);
        let rejection = outcome.rejection().unwrap();
        assert_eq!((rejection.reason(), rejection.at()), (Reason::InvalidUtf8, Some(2)));
        assert_eq!((shown, whole), (None, None));
    }
}

#[test]
fn a_malformed_document_is_refused_within_the_preview_and_not_behind_it() {
    let body = b"[1,2,x,3]";
    for cut in 0..=body.len() {
        let (outcome, shown, _) = both(Media::Json, 5, body, cut);
        assert_eq!((outcome.verdict, shown.as_deref()), (Verdict::Preview, Some("[1,2,")));
        let (outcome, shown, _) = both(Media::Json, 6, body, cut);
        let rejection = outcome.rejection().unwrap();
        assert_eq!((rejection.reason(), rejection.at(), shown), (Reason::JsonSyntax, Some(5), None));
    }
}

#[test]
fn a_preview_of_more_than_the_decoded_limit_does_not_lift_it() {
    let policy = Policy { limits: Limits { decoded: 3, ..Limits::GATEWAY }, ..policy(10) };
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 64]);
    let mut ingest = Ingest::flat(&Head::new(Coding::Identity), &policy, &mut engine, &mut output, ());
    assert_eq!(ingest.push(b"abcd"), Ok(Next::Stop));
    let (outcome, received) = ingest.finish_received();
    assert_eq!(outcome.rejection().unwrap().reason(), Reason::DecodedLimit);
    assert!(matches!(received, Received::Nothing));
}
