//! What is refused in a stream of records: it has no fields to select, and each record is checked by itself.

use plimsoll::json::Counted;
use plimsoll::{Coding, Head, Inspector, Limits, Media, Policy};
use plimsoll_firmware::gzip;
use plimsoll_firmware::intake::{LIMITS, log};

use crate::trial::Trial;

pub(crate) fn meet(trial: &mut Trial<'_>) {
    // The second record has one byte more than it may.
    check(trial, gzip!(b"[1]\n[1,2]\n"), Limits { record: 4, ..LIMITS });
    // The third record is one more than there may be.
    check(trial, gzip!(b"1\n2\n3\n"), Limits { records: 2, ..LIMITS });
}

fn check(trial: &mut Trial<'_>, body: &[u8], limits: Limits) {
    // Room for the three levels of the limits.
    let Ok(mut inspector) = Inspector::<Counted<3>>::new(Media::NdJson, &limits) else { return };
    let mut machine = trial.memory.machine(&Head::new(Coding::Gzip), &Policy::strict(limits), &mut inspector);
    let Ok(_) = machine.push(body);
    let Ok(outcome) = machine.finish();
    log(&outcome, outcome.rejection());
    trial.met(outcome.rejection());
}
