//! The reader form.

use embedded_io::{BufRead, Read};
use plimsoll::{
    DefaultEngine, Failure, Head, Ingest, Inspect, NoClock, Outcome, Pace, ReadError, Reader, Relend, Ring,
    Source, Supply, Verdict, Watch,
};

use crate::input::Input;
use crate::pipeline::Case;

/// Read by buffers of any sizes, or lent and consumed in any parts, from pieces of any sizes, a body comes to the same
/// bytes and the same verdict as its stages one after the other; and an end is told only when it is complete.
pub fn pulled(input: Input<'_>) {
    let case = Case::of(input);
    let (expected, plain) = case.by_stages();
    let (mut engine, head) = (DefaultEngine::new(), Head::new(case.coding));
    for lend in [true, false] {
        let mut window = vec![0xA5; 1 << 15];
        let ring = Ring::from_slice(&mut window).expect("a power of two");
        let machine = Ingest::ring(&head, &case.policy, &mut engine, ring, case.inspector(), ());
        check(read(machine, input, lend), &expected, &plain);
        let mut output = vec![0xA5; usize::try_from(case.policy.limits.decoded).unwrap()];
        let machine = Ingest::flat(&head, &case.policy, &mut engine, &mut output, case.inspector());
        check(read(machine, input, lend), &expected, &plain);
    }
}

pub(crate) fn check((bytes, end, outcome, cancels): Found, expected: &Outcome, plain: &[u8]) {
    let said = match expected.verdict {
        Verdict::Complete => Ok(()),
        Verdict::Preview => Err(ReadError::Preview),
        Verdict::Rejected(rejection) => Err(ReadError::Rejected(rejection)),
    };
    assert_eq!(end, said);
    assert!(bytes == plain, "{} bytes, not {}", bytes.len(), plain.len());
    assert_eq!((outcome.verdict, outcome.decoded_bytes), (expected.verdict, expected.decoded_bytes));
    assert_eq!(outcome.exposed_bytes, bytes.len() as u64);
    assert_eq!(cancels, u32::from(outcome.cancelled));
    assert!(!(outcome.is_complete() && outcome.cancelled), "{outcome:?}");
}

/// What was read, what the last read answered, the outcome, and how often the source was cancelled.
pub(crate) type Found = (Vec<u8>, Result<(), ReadError>, Outcome, u32);

fn read<D: Relend, I: Inspect>(machine: Ingest<D, I, ()>, input: Input<'_>, lend: bool) -> Found {
    let mut source = Pieces { left: input.pieces(), lent: Vec::new(), at: 0, cancels: 0 };
    let mut reader: Reader<_, _, _, _, core::future::Pending<()>> =
        Reader::new(machine, &mut source, Watch::new(Pace::within(1), NoClock));
    let [.., one, two, three] = input.dials;
    let mut sizes = [one, two, three].map(|size| usize::from(size) + 1).into_iter().cycle();
    let (mut bytes, mut buffer) = (Vec::new(), [0; 256]);
    let end = loop {
        let size = sizes.next().unwrap_or(1);
        let result = if lend {
            reader.fill_buf().map(|run| {
                let count = run.len().min(size);
                bytes.extend_from_slice(&run[..count]);
                count
            })
        } else {
            assert_eq!(reader.read(&mut []), Ok(0), "an empty buffer asks nothing");
            reader.read(&mut buffer[..size]).inspect(|&count| bytes.extend_from_slice(&buffer[..count]))
        };
        match result {
            Ok(0) => break Ok(()),
            Ok(count) if lend => BufRead::consume(&mut reader, count),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    let again = reader.fill_buf().map(<[u8]>::len);
    assert_eq!(again, end.map(|()| 0), "the end and a refusal are final");
    let outcome = reader.finish();
    (bytes, end, outcome, source.cancels)
}

/// Lends one piece after the other, and overwrites what was taken note of.
struct Pieces<'a> {
    left: Vec<&'a [u8]>,
    lent: Vec<u8>,
    at: usize,
    cancels: u32,
}

impl Supply for Pieces<'_> {
    type Error = core::convert::Infallible;

    fn cancel(&mut self) {
        self.cancels += 1;
    }
}

impl Source for Pieces<'_> {
    fn fill(&mut self) -> Result<&[u8], Failure<Self::Error>> {
        assert_eq!(self.cancels, 0, "a source that was cancelled is asked");
        while self.at == self.lent.len() && !self.left.is_empty() {
            self.lent = self.left.remove(0).to_vec();
            self.at = 0;
        }
        Ok(&self.lent[self.at..])
    }

    fn consume(&mut self, count: usize) {
        assert_eq!(self.cancels, 0, "a source that was cancelled is told");
        assert!(count <= self.lent.len() - self.at, "more is consumed than was lent");
        self.lent[self.at..self.at + count].fill(conformance::POISON);
        self.at += count;
    }
}
