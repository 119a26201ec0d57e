//! What is refused for a model that reads the result.

use plimsoll::{ByteBound, ResultMeter};

use crate::trial::Trial;

/// Two lines of ten bytes, each counted as ten tokens at most, for a context with room for 16.
pub(crate) fn meet(trial: &mut Trial<'_>) {
    let mut meter = ResultMeter::new(1024, 16, ByteBound);
    let lines = ["{\"id\":10}\n", "{\"id\":11}\n"];
    trial.met(lines.into_iter().find_map(|line| meter.admit(line).err()));
}
