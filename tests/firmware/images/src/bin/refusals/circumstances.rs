//! What is refused for nothing that is in its bytes.

use plimsoll::{Coding, Head, Reason, Rejection};
use plimsoll_firmware::intake::{BOUNDS, CAPACITY, log};
use plimsoll_firmware::uart::Uart;

use crate::trial::Trial;

/// A document that is in order.
static DOCUMENT: &[u8] = include_bytes!("../../../../../../fixtures/telemetry.json.gz");

pub(crate) fn meet(trial: &mut Trial<'_>) {
    let head = Head::new(Coding::Gzip);
    // A clock that goes on by three seconds whenever it is looked at.
    trial.document(&head, &BOUNDS, Uart::new(DOCUMENT), &mut steps_of(3000));
    // One that goes on by 600 ms: 64 bytes in each of them are too few.
    trial.document(&head, &BOUNDS, Uart::new(DOCUMENT), &mut steps_of(600));
    // A line that breaks behind 100 bytes.
    let (begun, _) = DOCUMENT.split_at_checked(100).unwrap_or_default();
    trial.document(&head, &BOUNDS, Uart::breaking(begun), &mut || 0);
    // Another task has the capacity.
    let taken = CAPACITY.try_acquire();
    trial.document(&head, &BOUNDS, Uart::new(DOCUMENT), &mut || 0);
    drop(taken);
    given_up(trial);
}

fn steps_of(milliseconds: u32) -> impl FnMut() -> u32 {
    let mut time = 0_u32;
    move || {
        time = time.wrapping_add(milliseconds);
        time
    }
}

/// The caller gives it up after the first piece.
fn given_up(trial: &mut Trial<'_>) {
    let mut machine = trial.memory.machine(&Head::new(Coding::Gzip), &BOUNDS.policy, ());
    let Ok(_) = machine.push(DOCUMENT.split_at_checked(64).unwrap_or_default().0);
    machine.refuse(Rejection::new(Reason::Cancelled));
    let Ok(outcome) = machine.finish();
    log(&outcome, outcome.rejection());
    trial.met(outcome.rejection());
}
