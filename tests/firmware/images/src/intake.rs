//! The pipeline of the gateway.
//!
//! ```text
//! uart -> encoded limit -> gunzip -> decoded limit -> capacity -> UTF-8 -> JSON and its limits -> selection -> Collector
//! ```

use plimsoll::budget::{Capacity, Permit};
use plimsoll::json::{Counted, Retained, Select, Visit};
use plimsoll::utf8::Utf8;
use plimsoll::{Head, Limits, Outcome, Pace, Policy, Reason, Rejection, Watch, read};

use crate::memory::{HISTORY, Memory};
use crate::telemetry::{Collector, POINTERS, READINGS, STRING, Telemetry};
use crate::uart::Uart;

/// Levels of nesting: the document, its readings, one reading.
const DEPTH: usize = 3;

/// What a document may cost: its strings and arrays are at most what [`telemetry`](crate::telemetry) has room for.
pub const LIMITS: Limits = Limits {
    encoded: 2048,
    decoded: 11_200,
    header: 64,
    work: 4096,
    members: 1,
    document: plimsoll::json::Limits {
        string: STRING as u32,
        key: 16,
        number: 16,
        items: READINGS as u32,
        values: 1000,
        depth: DEPTH as u16,
    },
    record: 256,
    records: 4,
};

const _: () =
    assert!(LIMITS.decoded <= HISTORY as u64, "the history holds every document that the limits let pass");

/// What of a document may be kept: bytes of the fields together, and how many there are.
pub const RETAINED: Retained = Retained { bytes: 2048, matches: 2 + 2 * READINGS as u32 };

/// What a document may cost, and what of it may be kept.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// What it may cost.
    pub policy: Policy,
    /// What may be kept.
    pub retained: Retained,
}

impl Bounds {
    /// So many bytes of everything, and otherwise the strictest answers.
    #[must_use]
    pub const fn strict(limits: Limits, retained: Retained) -> Self {
        Self { policy: Policy::strict(limits), retained }
    }
}

/// The bounds of the gateway.
pub static BOUNDS: Bounds = Bounds::strict(LIMITS, RETAINED);

/// How long it may take: five seconds in all, and at least 256 bytes in each second of waiting.
pub const PACE: Pace = Pace::within(5_000).at_least(256, 1_000);

/// One document at a time. Every task that takes something in shares this.
pub static CAPACITY: Capacity = Capacity::new(LIMITS.decoded as usize, 1);

/// Milliseconds of the board's clock.
pub type Clock<'c> = &'c mut dyn FnMut() -> u32;

/// Takes in the body that `uart` brings, and collects the fields that are wanted of it.
///
/// A body that is refused is not read to its end: the line is hung up.
///
/// # Errors
/// Why there are no fields.
pub fn take_in<'f, const BYTES: usize>(
    memory: &mut Memory<BYTES>,
    head: &Head,
    bounds: &Bounds,
    uart: Uart,
    clock: Clock<'_>,
    collector: &'f mut Collector,
) -> Result<&'f Telemetry, Rejection> {
    collector.clear();
    let mut inspectors = inspectors(bounds, &mut *collector)?;
    // The inspectors are lent, so that little is moved when the machine is.
    let machine = memory.machine(head, &bounds.policy, &mut inspectors);
    let Ok(outcome) = read(machine, uart, Watch::new(PACE, clock));
    let answer = outcome.rejection().map_or_else(|| collector.telemetry(), Err);
    log(&outcome, answer.err());
    answer
}

/// What looks at the decoded bytes before they count. The fields go to a `V`.
pub type Inspectors<V> = (Permit<'static>, Utf8, Select<'static, Counted<DEPTH>, V, 4>);

/// The inspectors of one document.
///
/// # Errors
/// `capacity` while another document is in hand; `depth_limit` for limits with more levels than there is room for, which is
/// a mistake of the program.
pub fn inspectors<V: Visit>(bounds: &Bounds, visitor: V) -> Result<Inspectors<V>, Rejection> {
    let permit = CAPACITY.try_acquire()?;
    match Select::new(&POINTERS, bounds.policy.limits.document, bounds.retained, visitor) {
        Ok(select) => Ok((permit, Utf8::new(), select)),
        Err(_) => Err(Rejection::limit_exceeded(Reason::DepthLimit, DEPTH as u64)),
    }
}

/// Logs how it ended. Neither of the two holds a byte of the body.
pub fn log(outcome: &Outcome, refused: Option<Rejection>) {
    match refused {
        Some(rejection) => defmt::warn!("refused: {}", rejection),
        None => defmt::info!(
            "complete: {=u64} bytes, decoded {=u64}",
            outcome.encoded_bytes,
            outcome.decoded_bytes
        ),
    }
}
