//! The peers that need no heap either: picojson through a reader, core-json and serde-json-core over the whole slice.

use core::convert::Infallible;
use core::hint::black_box;

use core_json::{ConstStack, Deserializer, Type};
use picojson::{Event, PullParser, StreamParser};
use serde::de::IgnoredAny;

use crate::rounds::Task;

/// With less than about this, picojson 0.2.3 refuses documents like twitter, whose strings are not ASCII and are cut
/// where its buffer ends.
const BUFFER: usize = 64 << 10;

/// Gives as much as it is asked for.
struct Reader<'a>(&'a [u8]);

impl picojson::Reader for Reader<'_> {
    type Error = Infallible;

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let count = buffer.len().min(self.0.len());
        let (now, rest) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.0 = rest;
        Ok(count)
    }
}

pub(super) fn picojson(document: &[u8]) -> Task<'_> {
    let mut buffer = vec![0; BUFFER];
    Box::new(move || {
        let mut parser = StreamParser::new(Reader(document), &mut buffer);
        loop {
            match parser.next_event() {
                Ok(Event::EndDocument) => return true,
                Ok(event) => _ = black_box(event),
                Err(_) => return false,
            }
        }
    })
}

/// Goes over the items of the outermost container; what is in them is passed over and checked.
pub(crate) fn core_json(document: &[u8]) -> Task<'_> {
    Box::new(|| pass_over(document).is_some())
}

fn pass_over(document: &[u8]) -> Option<()> {
    let mut deserializer = Deserializer::<&[u8], ConstStack<16>>::new(document).ok()?;
    let mut value = deserializer.value().ok()?;
    match value.kind().ok()? {
        Type::Object => {
            let mut fields = value.fields().ok()?;
            while let Some(field) = fields.next() {
                drop(field.ok()?);
            }
        }
        _ => {
            let mut items = value.iterate().ok()?;
            while let Some(item) = items.next() {
                drop(item.ok()?);
            }
        }
    }
    Some(())
}

pub(super) fn serde_json_core(document: &[u8]) -> Task<'_> {
    Box::new(|| serde_json_core::from_slice::<IgnoredAny>(black_box(document)).is_ok())
}
