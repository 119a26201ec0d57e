//! Feeding an assembler in pieces, through a receive buffer that is overwritten, with a scratch that is not clean.

use plimsoll_json::{Assembler, Counted, Limits};

use crate::feed::{Event, Verdict, poison};

/// An event that owns its text; nothing for the end.
#[must_use]
pub fn owned(event: plimsoll_json::Event<'_>) -> Option<Event> {
    use plimsoll_json::Event as Whole;
    Some(match event {
        Whole::BeginObject => Event::BeginObject,
        Whole::EndObject => Event::EndObject,
        Whole::BeginArray => Event::BeginArray,
        Whole::EndArray => Event::EndArray,
        Whole::Key(text) => Event::Key(text.as_str().into()),
        Whole::String(text) => Event::String(text.as_str().into()),
        Whole::Number(number) => Event::Number(number.as_str().into()),
        Whole::True => Event::True,
        Whole::False => Event::False,
        Whole::Null => Event::Null,
        Whole::End => return None,
    })
}

/// The limits that are in force with a scratch of `len` bytes.
#[must_use]
pub fn limits(limits: Limits, len: usize) -> Limits {
    let smaller = |limit: u32| limit.min(u32::try_from(len).unwrap_or(u32::MAX));
    Limits {
        string: smaller(limits.string),
        key: smaller(limits.key),
        number: smaller(limits.number),
        ..limits
    }
}

/// Feeds `pieces` to an assembler with a scratch of `len` bytes, then the end.
///
/// # Panics
/// When a refusal changes, an offset is wrong or a step stands still.
pub fn events<'a>(
    bounds: Limits,
    len: usize,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> (Vec<Event>, Verdict) {
    let mut scratch = vec![0xff; len];
    let mut assembler = Assembler::<Counted<64>>::new(bounds, &mut scratch).unwrap();
    assert_eq!(*assembler.limits(), limits(bounds, len));
    let mut events = Vec::new();
    let mut fed = 0;
    let mut result = Ok(());
    'body: for piece in pieces {
        buffer.clear();
        buffer.extend_from_slice(piece);
        let mut rest = buffer.as_slice();
        loop {
            match assembler.step(rest) {
                Ok(step) => {
                    rest = &rest[step.consumed..];
                    fed += step.consumed as u64;
                    let Some(event) = step.event else {
                        assert!(rest.is_empty());
                        break;
                    };
                    events.extend(owned(event));
                    assert_eq!(assembler.offset(), fed);
                }
                Err(rejection) => {
                    assert!(assembler.offset() - fed < rest.len() as u64);
                    result = Err(rejection);
                    break 'body;
                }
            }
        }
        poison(buffer);
    }
    while result.is_ok() {
        match assembler.finish() {
            Ok(event) => match owned(event) {
                Some(event) => events.push(event),
                None => break,
            },
            Err(rejection) => result = Err(rejection),
        }
    }
    if let Err(rejection) = result {
        for more in [&b""[..], b" ", b"0123456789"] {
            assert_eq!(assembler.step(more), Err(rejection));
        }
        assert_eq!(assembler.finish(), Err(rejection));
    }
    (events, Verdict { result, offset: assembler.offset(), values: assembler.values() })
}
