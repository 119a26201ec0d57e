//! Sinks that keep something of a body: it is theirs to give only when the body is complete and the only one.

use core::convert::Infallible;

use plimsoll::{Coding, DefaultEngine, HashSink, Head, Ingest, Limits, Policy, Ring, Sink, Slice};

#[test]
fn a_slice_that_was_given_more_than_it_holds_gives_no_body_any_more() {
    let mut memory = [0; 4];
    let mut sink = Slice::new(&mut memory);
    let Ok(()) = sink.provisional(b"12345");
    sink.discard();
    let Ok(()) = sink.provisional(b"1234");
    let Ok(()) = sink.commit();
    assert_eq!(sink.into_body(), None);
}

#[test]
fn a_slice_that_is_given_something_behind_its_body_gives_neither() {
    let mut memory = [0; 4];
    let mut sink = Slice::new(&mut memory);
    let Ok(()) = sink.provisional(b"12");
    let Ok(()) = sink.commit();
    let Ok(()) = sink.provisional(b"3");
    assert_eq!(sink.into_body(), None);
}

#[test]
fn a_hash_is_told_when_the_body_is_complete_and_not_before() {
    let sum = |sum: &mut u32, run: &[u8]| *sum += run.iter().map(|&byte| u32::from(byte)).sum::<u32>();
    let mut sink = HashSink::new(0_u32, sum);
    let Ok(()) = sink.provisional(&[1, 2]);
    let Ok(()) = sink.provisional(&[3]);
    assert_eq!(sink.hash(), None);
    let Ok(()) = sink.commit();
    assert_eq!(sink.hash(), Some(&6));
    assert_eq!(sink.into_hash(), Some(6));
}

/// Counts what it is told.
#[derive(Default)]
struct Told {
    bytes: usize,
    nothing: usize,
}

impl Sink for Told {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.bytes = self.bytes.saturating_add(bytes.len());
        self.nothing = self.nothing.saturating_add(usize::from(bytes.is_empty()));
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn discard(&mut self) {}
}

#[test]
fn a_sink_is_given_bytes_and_never_none_of_them() {
    /// `printf hello | gzip -n`
    const HELLO: [u8; 25] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, // header
        0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, // DEFLATE
        0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0, // CRC-32 and length
    ];
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    for (coding, body) in [(Coding::Gzip, &HELLO[..]), (Coding::Identity, b"hello")] {
        for size in 1..=body.len() {
            let (mut engine, mut window, mut told) = (DefaultEngine::new(), [0; 64], Told::default());
            let ring = Ring::new(&mut window);
            let mut ingest = Ingest::ring(&Head::new(coding), &policy, &mut engine, ring, (), &mut told);
            for piece in body.chunks(size) {
                let Ok(_) = ingest.push(piece);
            }
            let Ok(outcome) = ingest.finish();
            assert!(outcome.is_complete());
            assert_eq!((told.bytes, told.nothing), (5, 0), "{coding:?} by {size}");
        }
    }
}
