//! The pipeline over documents from 1 KiB to 1 GiB: what a response costs by its size, in time and in memory. The
//! documents are made here and never in memory as a whole, unless a contestant puts them there.

use crate::pipeline::{self, BUFJSON, PLIMSOLL, SERDE_JSON, contestants, telemetry};
use crate::rounds::{Heading, Settings, Table, Unit, measure};
use crate::sizes::{DOCUMENTS, name};

pub(crate) const KIND: &str = "scaling";

pub(crate) fn run(settings: &Settings) -> Table {
    let filter = settings.filter.as_deref().unwrap_or_default();
    let of_size = DOCUMENTS.iter().any(|&size| name(size).contains(filter));
    let wanted = |size: &usize| !of_size || name(*size).contains(filter); // The large ones take long to make.
    let bodies: Vec<_> =
        DOCUMENTS.into_iter().filter(wanted).map(|size| telemetry(&name(size), size)).collect();
    let heading = Heading {
        kind: KIND,
        about: "gzip body to three fields by size, all of it checked, bytes of the document",
        unit: Unit::MegabytesPerSecond,
        references: &[SERDE_JSON, BUFJSON],
        ordinary: None,
    };
    let lanes = bodies.iter().flat_map(|body| {
        let drawn = [PLIMSOLL, SERDE_JSON, BUFJSON];
        let entries = contestants(body.question).into_iter().filter(move |entry| drawn.contains(&entry.name));
        entries.map(|entry| pipeline::lane(body, entry))
    });
    let mut table = measure(heading, settings, lanes.collect());
    pipeline::measure_memory(&mut table, &bodies);
    table
}
