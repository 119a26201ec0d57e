//! The figures of runs, as `--json` prints them: one document for each kind.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Deserializer, Value};

use crate::memory::Memory;

/// One kind of measurement with its stamp.
#[derive(Deserialize)]
pub(crate) struct Report {
    kind: String,
    date: Option<String>,
    machine: Option<Machine>,
    results: Vec<Value>,
}

/// Where it was measured.
#[derive(Deserialize)]
struct Machine {
    processor: String,
    /// Not told of a device.
    cores: Option<usize>,
    rustc: String,
}

/// One contestant on one subject.
#[derive(Deserialize)]
pub(crate) struct Figure {
    pub(crate) subject: String,
    pub(crate) contestant: String,
    pub(crate) ours: bool,
    pub(crate) bytes: usize,
    /// In the unit of the kind; nothing where the subject was refused.
    pub(crate) rate: Option<f64>,
    /// Interquartile range over the median.
    pub(crate) spread: Option<f64>,
    pub(crate) memory: Option<Memory>,
    /// "Times as fast as" by contestant.
    #[serde(default)]
    pub(crate) ratio: BTreeMap<String, f64>,
}

/// Instructions on a device, of the kind `metal`.
#[derive(Deserialize)]
pub(crate) struct Count {
    pub(crate) kind: String,
    pub(crate) opt_level: String,
    pub(crate) pieces: String,
    pub(crate) contestant: String,
    pub(crate) ours: bool,
    /// For each decoded byte.
    pub(crate) rate: Option<f64>,
}

/// An image for a device, of the kind `footprint`.
#[derive(Deserialize)]
pub(crate) struct Image {
    pub(crate) image: String,
    pub(crate) target: String,
    /// Bytes of all that it takes of memory: static, state and stack.
    pub(crate) ram: Option<usize>,
}

/// The latest report of each kind.
#[derive(Default)]
pub(crate) struct Figures(BTreeMap<String, Report>);

impl Figures {
    /// Adds what a file of reports has.
    pub(crate) fn read(&mut self, path: &Path) {
        let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for report in Deserializer::from_slice(&text).into_iter::<Value>() {
            self.add(&report.unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }

    /// Adds a report.
    pub(crate) fn add(&mut self, report: &Value) {
        // `metal` has its counts beside what the search for costly bytes found.
        let report = report.get("counts").unwrap_or(report);
        let report = Report::deserialize(report).unwrap_or_else(|error| panic!("not a report: {error}"));
        self.0.insert(report.kind.clone(), report);
    }

    pub(crate) fn report(&self, kind: &str) -> Option<&Report> {
        self.0.get(kind)
    }
}

impl Report {
    /// All that was measured of contestants.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        self.read()
    }

    /// All that was counted.
    pub(crate) fn counts(&self) -> Vec<Count> {
        self.read()
    }

    /// All that was measured of images.
    pub(crate) fn images(&self) -> Vec<Image> {
        self.read()
    }

    fn read<'a, T: Deserialize<'a>>(&'a self) -> Vec<T> {
        let read = |result| T::deserialize(result).unwrap_or_else(|error| panic!("{}: {error}", self.kind));
        self.results.iter().map(read).collect()
    }

    /// When and on what, in one line, as far as the report tells.
    pub(crate) fn stamp(&self) -> String {
        let machine = |Machine { processor, cores, rustc }: &Machine| {
            let cores = cores.map_or_else(String::new, |cores| format!(", {cores} cores"));
            format!("{processor}{cores} · {rustc}")
        };
        let parts = [self.date.clone(), self.machine.as_ref().map(machine)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(kind: &str, date: &str) -> Value {
        json!({
            "kind": kind, "date": date, "rounds": 3, "unit": "MB/s",
            "machine": { "processor": "A", "cores": 2, "rustc": "rustc 1.95.0" },
            "results": [
                { "subject": "s", "contestant": "c", "ours": true, "bytes": 7, "accepted": false },
                { "subject": "s", "contestant": "d", "ours": false, "bytes": 7, "accepted": true, "rate": 2.5,
                  "spread": 0.5, "cost": null, "ratio": { "e": 3.0 },
                  "memory": { "heap": 1, "resident": null, "idle": 2 } },
            ],
        })
    }

    #[test]
    fn the_latest_report_of_a_kind_counts_and_its_figures_are_read() {
        let mut figures = Figures::default();
        for report in [report("a", "2026-01-01"), report("b", "2026-01-02"), report("a", "2026-01-03")] {
            figures.add(&report);
        }
        let report = figures.report("a").unwrap();
        assert_eq!(report.stamp(), "2026-01-03 · A, 2 cores · rustc 1.95.0");
        let [refused, accepted] = <[Figure; 2]>::try_from(report.figures()).ok().unwrap();
        assert_eq!((refused.rate, refused.ours, refused.bytes), (None, true, 7));
        assert_eq!((accepted.rate, accepted.ratio["e"]), (Some(2.5), 3.0));
        assert_eq!(accepted.memory, Some(Memory { heap: 1, resident: None, idle: Some(2) }));
        assert!(figures.report("c").is_none());
    }

    #[test]
    fn a_stamp_of_a_device_tells_no_cores_and_counts_stand_beside_costs() {
        let counts = json!({
            "kind": "metal", "date": "2026-01-01", "machine": { "processor": "Cortex-M4 in QEMU 7.2", "rustc": "rustc 1.95.0" },
            "results": [{ "kind": "inflate", "opt_level": "2", "pieces": "512", "contestant": "c", "ours": true, "rate": 6.5 }],
        });
        let mut figures = Figures::default();
        figures.add(&json!({ "counts": counts, "costs": [] }));
        let report = figures.report("metal").unwrap();
        assert_eq!(report.stamp(), "2026-01-01 · Cortex-M4 in QEMU 7.2 · rustc 1.95.0");
        assert_eq!(report.counts().first().and_then(|count| count.rate), Some(6.5));
    }
}
