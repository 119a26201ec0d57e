//! What a media type promises holds up to the last byte: a body that ends too early is refused at its end.
#![allow(clippy::unwrap_used, reason = "a test that fails fails loudly")]

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspect, Inspector, Limits, Media, Policy, Reason, Refusal,
    Rejection,
};

#[test]
fn a_body_that_is_right_so_far_is_refused_at_its_end_where_its_type_needs_more() {
    let cases: [(Media, &[u8], Option<Reason>); 9] = [
        (Media::Octets, b"\xE2\x82", None),
        (Media::Text, b"\xE2\x82\xAC", None),
        (Media::Text, b"\xE2\x82", Some(Reason::IncompleteUtf8)),
        (Media::Json, b"[1]", None),
        (Media::Json, b"[1", Some(Reason::IncompleteJson)),
        (Media::NdJson, b"1\n[2]", None),
        (Media::NdJson, b"1\n[2", Some(Reason::IncompleteJson)),
        (Media::JsonSequence, b"\x1E[1]\n", None),
        (Media::JsonSequence, b"\x1E[1", Some(Reason::IncompleteJson)),
    ];
    for (media, body, refused) in cases {
        let mut inspector = Inspector::<Counted<16>>::new(media, &Limits::SMALL_DEVICE).unwrap();
        for byte in body {
            inspector.inspect(&[*byte]).unwrap();
        }
        let reason = inspector.finish().err().map(|rejection| rejection.reason());
        assert_eq!(reason, refused, "{media:?} {body:?}");
    }
}

/// Keeps what passes by.
#[derive(Default)]
struct Seen(Vec<u8>);

impl Inspect for Seen {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}

#[test]
fn the_inspector_comes_back_with_what_it_saw_also_behind_a_preview() {
    let strict = Policy::strict(Limits::SMALL_DEVICE);
    for (preview, seen) in [(None, &b"hello"[..]), (Some(3), b"hel"), (Some(5), b"hello")] {
        let policy = Policy { preview, ..strict };
        let (mut engine, mut output) = (DefaultEngine::new(), [0; 8]);
        let head = Head::new(Coding::Identity);
        let mut ingest = Ingest::flat(&head, &policy, &mut engine, &mut output, Seen::default());
        let Ok(_) = ingest.push(b"hello");
        let (Ok(outcome), inspector) = ingest.finish_with_inspector();
        assert_eq!(outcome.is_complete(), preview != Some(3));
        assert_eq!(inspector.0, seen, "{preview:?}");
    }
}
