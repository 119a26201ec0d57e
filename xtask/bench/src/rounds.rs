//! Interleaved rounds, their statistics, and the report.
//!
//! A lane is one contestant on one subject. Every round runs every lane once, for at least [`SAMPLE`] after
//! one run that is not counted, so that a change of the machine's speed meets all of them alike. Time is what the thread
//! was given of a processor, the system's work for it included: what others take of the machine in between is not in it.
//! Ratios are taken within each round and their median is reported; the spread is the interquartile range over the median.

use core::fmt;
use core::time::Duration;

use cpu_time::ThreadTime;
use serde_json::{Value, json};

use crate::memory::Memory;

/// How long one lane runs in one round, at least. Shorter than a turn of the scheduler: on a machine that
/// others use most samples are then in one piece, and the median is one of them.
const SAMPLE: Duration = Duration::from_micros(500);

/// From this many bytes on a run takes so long that nothing is cold at its end: the run before each sample is left out.
const LARGE: usize = 32 << 20;

/// The bytes that a lane is given in all its samples, at most, but for three rounds.
const ENOUGH: usize = 1 << 30;

/// One pass over the subject; whether the contestant accepted it.
pub(crate) type Task<'a> = Box<dyn FnMut() -> bool + 'a>;

/// What the command line says about a measurement.
pub(crate) struct Settings {
    pub(crate) rounds: u32,
    pub(crate) filter: Option<String>,
}

/// What a kind of measurement is called and how it is reported.
pub(crate) struct Heading {
    pub(crate) kind: &'static str,
    /// What the subjects are and what the bytes of a rate are.
    pub(crate) about: &'static str,
    pub(crate) unit: Unit,
    /// The contestants that ratios are given to.
    pub(crate) references: &'static [&'static str],
    /// The subject on which a contestant's cost per byte is 1 in the column `cost`.
    pub(crate) ordinary: Option<&'static str>,
}

/// How a duration over a number of bytes is printed.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    MegabytesPerSecond,
    NanosecondsPerByte,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::MegabytesPerSecond => "MB/s",
            Self::NanosecondsPerByte => "ns/byte",
        }
    }
}

/// One contestant on one subject.
pub(crate) struct Lane<'a> {
    pub(crate) subject: String,
    pub(crate) contestant: &'static str,
    pub(crate) ours: bool,
    /// The bytes that one run is counted for.
    pub(crate) bytes: usize,
    pub(crate) task: Task<'a>,
}

/// Measures `lanes` and makes the report.
pub(crate) fn measure(heading: Heading, settings: &Settings, lanes: Vec<Lane<'_>>) -> Table {
    let mut lanes = filtered(lanes, settings.filter.as_deref(), &heading);
    let mut rows: Vec<Row> = lanes.iter_mut().map(Row::warmed_up).collect();
    for round in 0..settings.rounds {
        for (lane, row) in lanes.iter_mut().zip(&mut rows) {
            if row.accepted && (round < 3 || (round as usize) < ENOUGH / lane.bytes) {
                row.samples.push(sample(&mut lane.task, row.iterations, lane.bytes < LARGE));
            }
        }
    }
    Table { heading, rounds: settings.rounds, rows }
}

/// Keeps the lanes that match, and those that a matching one is compared with.
fn filtered<'a>(lanes: Vec<Lane<'a>>, filter: Option<&str>, heading: &Heading) -> Vec<Lane<'a>> {
    let Some(filter) = filter else { return lanes };
    let matches = |lane: &Lane<'_>| lane.subject.contains(filter) || lane.contestant.contains(filter);
    let matching = lanes.iter().filter(|lane| matches(lane));
    let (subjects, contestants): (Vec<String>, Vec<&str>) =
        matching.map(|lane| (lane.subject.clone(), lane.contestant)).unzip();
    let compared = |lane: &Lane<'_>| {
        let reference = heading.references.contains(&lane.contestant) && subjects.contains(&lane.subject);
        let ordinary = heading.ordinary == Some(&lane.subject) && contestants.contains(&lane.contestant);
        reference || ordinary
    };
    lanes.into_iter().filter(|lane| matches(lane) || compared(lane)).collect()
}

/// Seconds of one run, over `iterations` of them, behind one that is not counted if `warm`.
fn sample(task: &mut Task<'_>, iterations: u32, warm: bool) -> f64 {
    if warm {
        task();
    }
    let start = ThreadTime::now();
    for _ in 0..iterations {
        task();
    }
    start.elapsed().as_secs_f64() / f64::from(iterations)
}

struct Row {
    subject: String,
    contestant: String,
    ours: bool,
    bytes: usize,
    accepted: bool,
    iterations: u32,
    samples: Vec<f64>,
    memory: Option<Memory>,
}

impl Row {
    /// Runs the lane until it is known how many runs fill a sample.
    fn warmed_up(lane: &mut Lane<'_>) -> Self {
        let accepted = (lane.task)();
        let large = lane.bytes >= LARGE;
        let start = ThreadTime::now();
        let mut iterations = u32::from(large);
        while accepted && !large && start.elapsed() < SAMPLE {
            (lane.task)();
            iterations += 1;
        }
        Self {
            subject: lane.subject.clone(),
            contestant: lane.contestant.to_owned(),
            ours: lane.ours,
            bytes: lane.bytes,
            accepted,
            iterations,
            samples: Vec::new(),
            memory: None,
        }
    }

    fn rate(&self, unit: Unit) -> f64 {
        let per_byte = quantile(self.samples.clone(), 0.5) / self.bytes as f64;
        match unit {
            Unit::MegabytesPerSecond => 1e-6 / per_byte,
            Unit::NanosecondsPerByte => per_byte * 1e9,
        }
    }

    fn spread(&self) -> f64 {
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|part| quantile(self.samples.clone(), part));
        (high - low) / middle
    }

    /// Median over the rounds of how many times as long `other` took per byte.
    fn times_as_fast_as(&self, other: &Self) -> Option<f64> {
        if self.samples.is_empty() || other.samples.is_empty() {
            return None;
        }
        let ratios = self.samples.iter().zip(&other.samples).map(|(mine, theirs)| theirs / mine).collect();
        Some(quantile(ratios, 0.5) * self.bytes as f64 / other.bytes as f64)
    }
}

/// The value below which `part` of the samples lie.
fn quantile(mut samples: Vec<f64>, part: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let place = part * (samples.len() - 1) as f64;
    let (below, above) = (samples[place.floor() as usize], samples[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// The report.
pub(crate) struct Table {
    heading: Heading,
    rounds: u32,
    rows: Vec<Row>,
}

impl Table {
    /// Adds what each accepted lane takes of memory; `measure` is given its subject and contestant.
    pub(crate) fn add_memory(&mut self, measure: impl Fn(&str, &str) -> Option<Memory>) {
        for row in self.rows.iter_mut().filter(|row| row.accepted) {
            row.memory = measure(&row.subject, &row.contestant);
        }
    }

    fn row(&self, subject: &str, contestant: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.subject == subject && row.contestant == contestant)
    }

    fn ratios<'t>(&'t self, row: &'t Row) -> impl Iterator<Item = (&'static str, Option<f64>)> + 't {
        self.heading.references.iter().map(move |&reference| {
            (reference, self.row(&row.subject, reference).and_then(|other| row.times_as_fast_as(other)))
        })
    }

    /// The cost per byte as a multiple of the same contestant's on the ordinary subject.
    fn cost(&self, row: &Row) -> Option<f64> {
        self.row(self.heading.ordinary?, &row.contestant)?.times_as_fast_as(row)
    }

    /// The report for machines: `{"kind", "rounds", "unit", "results": [...]}`, one result for each lane.
    /// `ratio` has a member for each reference, "times as fast as"; a lane that refused its subject has no
    /// figures.
    pub(crate) fn to_json(&self) -> Value {
        let results: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let mut result = json!({
                    "subject": row.subject, "contestant": row.contestant, "ours": row.ours,
                    "bytes": row.bytes, "accepted": row.accepted,
                });
                if row.accepted {
                    let ratio: serde_json::Map<String, Value> = self
                        .ratios(row)
                        .filter_map(|(name, ratio)| Some((name.to_owned(), json!(ratio?))))
                        .collect();
                    result["ratio"] = Value::Object(ratio);
                    result["rate"] = json!(row.rate(self.heading.unit));
                    result["spread"] = json!(row.spread());
                    result["cost"] = json!(self.cost(row));
                }
                if let Some(Memory { heap, resident, idle }) = row.memory {
                    result["memory"] = json!({ "heap": heap, "resident": resident, "idle": idle });
                }
                result
            })
            .collect();
        json!({
            "kind": self.heading.kind, "rounds": self.rounds, "unit": self.heading.unit.name(),
            "results": results,
        })
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Heading { kind, about, unit, references, ordinary } = &self.heading;
        write!(f, "{kind}: {about}. * is ours. ")?;
        writeln!(f, "{} interleaved rounds, medians.", self.rounds)?;
        for (index, reference) in references.iter().enumerate() {
            writeln!(f, "  x{} times as fast as {reference}", index + 1)?;
        }
        let memory = self.rows.iter().any(|row| row.memory.is_some());
        if memory {
            writeln!(f, "  heap and resident: KiB of one pass at their peak, in a process of its own")?;
            let idle = self.rows.iter().find_map(|row| row.memory?.idle);
            writeln!(f, "  resident of a process that only reads: {}", kibibytes(idle))?;
        }
        if let Some(subject) = ordinary {
            writeln!(f, "  cost per byte as a multiple of the same contestant's on {subject}")?;
        }
        let title = |row: &Row| format!("{} ({} bytes)", row.subject, row.bytes);
        let width =
            self.rows.iter().map(|row| title(row).len().max(row.contestant.len() + 2)).max().unwrap_or(0);
        let mut subject = "";
        for row in &self.rows {
            if row.subject != subject {
                subject = &row.subject;
                write!(f, "\n{:<width$}", title(row))?;
                for index in 1..=references.len() {
                    write!(f, "{:>7}", format!("x{index}"))?;
                }
                write!(f, "{:>12}", unit.name())?;
                write!(f, "  spread")?;
                write!(f, "{}", if memory { "      heap  resident" } else { "" })?;
                writeln!(f, "{}", if ordinary.is_some() { "   cost" } else { "" })?;
            }
            let name = format!("{} {}", if row.ours { '*' } else { ' ' }, row.contestant);
            write!(f, "{name:<width$}")?;
            if !row.accepted {
                writeln!(f, "{:>7}", "refuses it")?;
                continue;
            }
            for (_, ratio) in self.ratios(row) {
                write!(f, "{:>7}", ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")))?;
            }
            let rate = row.rate(*unit);
            let decimals = if rate < 100.0 { 2 } else { 0 };
            write!(f, "{rate:>12.decimals$}")?;
            write!(f, "{:>7.1}%", row.spread() * 100.0)?;
            if let Some(Memory { heap, resident, .. }) = row.memory {
                write!(f, "{:>10}{:>10}", kibibytes(Some(heap)), kibibytes(resident))?;
            }
            writeln!(f, "{}", self.cost(row).map_or_else(String::new, |cost| format!("{cost:>7.2}")))?;
        }
        Ok(())
    }
}

fn kibibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1024.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(subject: &str, contestant: &str, bytes: usize, samples: &[f64]) -> Row {
        let (subject, contestant, samples) = (subject.to_owned(), contestant.to_owned(), samples.to_vec());
        Row { subject, contestant, ours: false, bytes, accepted: true, iterations: 1, samples, memory: None }
    }

    #[test]
    fn a_quantile_between_two_samples_lies_between_them() {
        assert!((quantile(vec![4.0, 1.0, 3.0, 2.0], 0.5) - 2.5).abs() < 1e-12);
        assert!((quantile(vec![9.0], 0.75) - 9.0).abs() < 1e-12);
    }

    #[test]
    fn a_ratio_is_taken_within_each_round_and_per_byte() {
        let slow = row("a", "slow", 10, &[2.0, 20.0, 2.0]);
        let fast = row("a", "fast", 10, &[1.0, 10.0, 1.0]);
        assert_eq!(fast.times_as_fast_as(&slow), Some(2.0));
        assert_eq!(slow.times_as_fast_as(&fast), Some(0.5));
        let half = row("b", "fast", 5, &[1.0, 10.0, 1.0]);
        assert_eq!(half.times_as_fast_as(&fast), Some(0.5));
    }

    #[test]
    fn a_filter_keeps_what_the_matching_lanes_are_compared_with() {
        let lane = |subject: &str, contestant| Lane {
            subject: subject.to_owned(),
            contestant,
            ours: false,
            bytes: 1,
            task: Box::new(|| true),
        };
        let heading = Heading {
            kind: "",
            about: "",
            unit: Unit::MegabytesPerSecond,
            references: &["peer"],
            ordinary: Some("plain"),
        };
        let kept = |filter| {
            let subjects = ["plain", "odd", "even"];
            let lanes =
                subjects.iter().flat_map(|subject| ["peer", "mine", "other"].map(|name| lane(subject, name)));
            let kept = filtered(lanes.collect(), Some(filter), &heading);
            kept.into_iter().map(|lane| format!("{} {}", lane.subject, lane.contestant)).collect::<Vec<_>>()
        };
        assert_eq!(
            kept("mine"),
            ["plain peer", "plain mine", "odd peer", "odd mine", "even peer", "even mine"]
        );
        assert_eq!(
            kept("odd"),
            ["plain peer", "plain mine", "plain other", "odd peer", "odd mine", "odd other"]
        );
    }
}
