//! One body through the pipeline of `plimsoll ingest`, with stages that measure: what it takes to let it pass.
//!
//! Nothing is kept of a body, so memory stays constant whatever its size.

use std::io;

use plimsoll::budget::WorkMeter;
use plimsoll::gzip::{Gunzip, Trailing};
use plimsoll::inflate::{Inflate, MAX_DISTANCE, Measuring};
use plimsoll::{
    Coded, Coding, Identity, Ingest, Limits, NoClock, Pace, Policy, Reason, Rejection, Ring, Source,
    Transfer, Verdict, Watch, Work,
};

use super::gauge::{Document, Gauge, Stream};
use crate::kind::Kind;

/// What a complete body was measured to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Measures {
    pub(crate) encoded: u64,
    pub(crate) decoded: u64,
    /// Of a gzip body.
    pub(crate) gzip: Option<Gzip>,
    /// Of a JSON document, or the most of any record.
    pub(crate) document: Option<Document>,
    /// Of a body with records.
    pub(crate) stream: Option<Stream>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gzip {
    pub(crate) header: u64,
    pub(crate) members: u64,
    /// The most work that was owed at a time, in steps.
    pub(crate) work: u64,
    /// The greatest distance of a match, in bytes.
    pub(crate) distance: u64,
}

/// Why a body was not measured.
#[derive(Debug)]
pub(crate) enum Failed {
    /// It is not one that would be taken, or longer than is measured.
    Rejected(Rejection),
    /// It could not be read.
    Unread(io::Error),
}

/// How a body is measured: up to where, and with what behind its last member.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) encoded: u64,
    pub(crate) decoded: u64,
    pub(crate) zero_padding: bool,
}

/// Reads a body to its end and measures it.
///
/// # Errors
/// Says why it is not complete.
pub(crate) fn measure<S: Source<Error = io::Error>>(
    source: S,
    kind: &Kind,
    reach: Reach,
) -> Result<Measures, Failed> {
    let policy = Policy {
        zero_padding: reach.zero_padding,
        // The machine itself holds no other limits than these two, and the stages that measure need none besides.
        ..Policy::strict(Limits { encoded: reach.encoded, decoded: reach.decoded, ..Limits::HOST })
    };
    let (mut engine, mut window) = (Box::new(Measuring::new()), Box::new([0; MAX_DISTANCE]));
    let mut decoder = match kind.head.coding {
        Coding::Gzip => {
            let inflate = Inflate::new(&mut *engine, Ring::new(&mut window), Peak::new());
            let trailing = if reach.zero_padding { Trailing::ZeroPadding } else { Trailing::Refuse };
            let framing =
                plimsoll::gzip::Policy { header_limit: u64::MAX, members: u64::MAX, trailing, empty: false };
            Coded::Gzip(Gunzip::new(inflate, framing))
        }
        _ => Coded::Identity(Identity::new()),
    };
    let mut gauge = Gauge::new(kind.media).map_err(|error| Failed::Unread(io::Error::other(error)))?;

    let machine = Ingest::new(&kind.head, &policy, &mut decoder, &mut gauge, ());
    let mut transfer = Transfer::new(machine, source, Watch::new(Pace::within(u64::MAX), NoClock));
    let Ok(()) = transfer.read();
    let failure = transfer.source_error().map(|error| io::Error::new(error.kind(), error.to_string()));
    let Ok(outcome) = transfer.finish();
    if let Verdict::Rejected(rejection) = outcome.verdict {
        return Err(match failure {
            Some(failure) if rejection.reason() == Reason::SourceError => Failed::Unread(failure),
            _ => Failed::Rejected(rejection),
        });
    }

    let framing = match &decoder {
        Coded::Identity(_) => None,
        Coded::Gzip(gunzip) => Some((gunzip.header_bytes(), gunzip.members(), gunzip.inner().work().most)),
    };
    let distance = engine.greatest_distance() as u64;
    let gzip = framing.map(|(header, members, work)| Gzip { header, members, work, distance });
    let (document, stream) = gauge.measured();
    Ok(Measures { encoded: outcome.encoded_bytes, decoded: outcome.decoded_bytes, gzip, document, stream })
}

/// A meter that keeps the most that was owed. What bounds the work is the limit of encoded bytes.
struct Peak {
    meter: WorkMeter,
    most: u64,
}

impl Peak {
    const fn new() -> Self {
        Self { meter: WorkMeter::new(u64::MAX), most: 0 }
    }
}

impl Work for Peak {
    fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
        self.meter.charge(steps)?;
        self.most = self.most.max(self.meter.owed());
        Ok(())
    }

    fn credit(&mut self, bytes: usize) {
        self.meter.credit(bytes);
    }
}
