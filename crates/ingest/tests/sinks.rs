//! Sinks that keep something of a body: it is theirs to give only when the body is complete and the only one.

use plimsoll::{HashSink, Sink, Slice};

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
