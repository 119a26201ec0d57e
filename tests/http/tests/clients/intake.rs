//! What is the same behind every client: memory, policy, and what the head of a response says.

use std::convert::Infallible;
use std::time::Duration;

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspector, Limits, Media, Memory, Pace, Policy, Rejection,
    RingDecoder, Sink, StdClock, Watch,
};

/// What the head of a response says of its body.
#[derive(Clone, Default, Debug)]
pub(crate) struct Fields {
    pub(crate) encoding: String,
    pub(crate) media: String,
    pub(crate) length: Option<u64>,
}

/// Memory of one client, for all of its bodies.
pub(crate) struct Intake {
    limits: Limits,
    memory: Box<Memory<{ 32 * 1024 }>>,
    consumer: Consumer,
}

/// What takes a body.
#[derive(Default)]
pub(crate) struct Consumer {
    bytes: Vec<u8>,
    committed: bool,
}

/// The push machine behind every client.
pub(crate) type Machine<'m> =
    Ingest<RingDecoder<'m, DefaultEngine>, Inspector<Counted<64>>, &'m mut Consumer>;

impl Intake {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, memory: Box::new(Memory::new()), consumer: Consumer::default() }
    }

    /// The machine for the body that these fields tell of.
    pub(crate) fn machine(&mut self, fields: &Fields) -> Machine<'_> {
        self.consumer = Consumer::default();
        let policy = Policy::strict(self.limits);
        let (head, media, refused) = match kind(fields) {
            Ok((head, media)) => (head, media, None),
            Err(rejection) => (Head::new(Coding::Identity), Media::Octets, Some(rejection)),
        };
        let inspector = Inspector::new(media, &self.limits).unwrap();
        let mut machine = self.memory.ring(&head, &policy, inspector, &mut self.consumer);
        if let Some(rejection) = refused {
            machine.refuse(rejection);
        }
        machine
    }

    /// The body, if it counts.
    pub(crate) fn body(&self) -> Option<&[u8]> {
        self.consumer.committed.then_some(&self.consumer.bytes)
    }
}

fn kind(fields: &Fields) -> Result<(Head, Media), Rejection> {
    let media = if fields.media.is_empty() { Media::Octets } else { Media::from_header(&fields.media)? };
    Ok((Head { coding: Coding::from_header(&fields.encoding)?, length: fields.length }, media))
}

/// A watch that starts now.
pub(crate) fn watch(deadline: Duration) -> Watch<StdClock> {
    Watch::new(Pace::within(deadline.as_millis().try_into().unwrap()), StdClock::new())
}

impl Sink for Consumer {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        self.committed = true;
        Ok(())
    }

    fn discard(&mut self) {
        self.bytes = Vec::new();
    }
}
