//! Tables of the figures of a run in Markdown files, each between a pair of comments: `<!-- bench-json -->` and
//! `<!-- /bench-json -->`. Under each stands when and on what it was measured.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::figures::{Figure, Figures, Report};
use crate::json::PATTERN;
use crate::pipeline::{BUFJSON, PLIMSOLL, SERDE_JSON};

/// A table's name and what makes it, for the kind of the same name behind `bench-`.
type Table = (&'static str, fn(&Report) -> String);

const TABLES: [Table; 5] =
    [("inflate", rates), ("json", rates), ("select", rates), ("utf8", rates), ("pipeline", pipeline)];

/// Renews the tables that the file has places and `figures` has figures for; gives their names.
pub(crate) fn renew(figures: &Figures, path: &Path) -> Vec<&'static str> {
    let mut text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut renewed = Vec::new();
    for (kind, table) in TABLES {
        let Some(report) = figures.report(kind) else { continue };
        let content = format!("{}\n{}\n", table(report), report.stamp());
        if let Some(with) = replaced(&text, kind, &content) {
            text = with;
            renewed.push(kind);
        }
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    renewed
}

/// The text with `content` between the comments of that kind, if it has them.
fn replaced(text: &str, kind: &str, content: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- bench-{kind} -->\n"), format!("<!-- /bench-{kind} -->\n"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, behind) = rest.split_once(&end).unwrap_or_else(|| panic!("{begin} has no {end}"));
    Some([before, &begin, content, &end, behind].concat())
}

/// MB/s of each contestant, in columns by subject.
fn rates(report: &Report) -> String {
    let mut figures = report.figures();
    figures.retain(|figure| !figure.subject.contains(PATTERN));
    let (mut subjects, mut contestants) = (Vec::new(), Vec::new());
    for Figure { subject, contestant, .. } in &figures {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
        if !contestants.contains(&contestant) {
            contestants.push(contestant);
        }
    }
    let mut table = String::from("| MB/s |");
    subjects.iter().for_each(|subject| _ = write!(table, " {subject} |"));
    table.push_str("\n|---|");
    subjects.iter().for_each(|_| table.push_str("---:|"));
    for contestant in contestants {
        _ = write!(table, "\n| {contestant} |");
        for subject in &subjects {
            let here = |figure: &&Figure| figure.contestant == *contestant && figure.subject == **subject;
            let text = match figures.iter().find(here) {
                None => String::new(),
                Some(Figure { rate: None, .. }) => "refused".to_owned(),
                Some(Figure { rate: Some(rate), .. }) => format!("{rate:.0}"),
            };
            _ = write!(table, " {text} |");
        }
    }
    table.push('\n');
    table
}

/// How many times as fast ours is as each of the two peers, and the heap of all three.
fn pipeline(report: &Report) -> String {
    let figures = report.figures();
    let find = |subject: &str, contestant: &str| {
        figures.iter().find(|figure| figure.subject == subject && figure.contestant == contestant)
    };
    let heap = |figure: Option<&Figure>| {
        let memory = figure.and_then(|figure| figure.memory);
        memory.map_or_else(String::new, |memory| kibibytes(memory.heap))
    };
    let mut table = format!(
        "| document | bytes | MB/s | times as fast as {} | as {} | heap, KiB | of {} | of {} |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
        short(SERDE_JSON),
        short(BUFJSON),
        short(SERDE_JSON),
        short(BUFJSON),
    );
    for ours in figures.iter().filter(|figure| figure.contestant == PLIMSOLL) {
        let ratio = |peer: &str| ours.ratio.get(peer).map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let rate = ours.rate.map_or_else(|| "refused".to_owned(), |rate| format!("{rate:.0}"));
        let Figure { subject, bytes, .. } = ours;
        let [serde_json, bufjson] = [SERDE_JSON, BUFJSON].map(|peer| heap(find(subject, peer)));
        _ = writeln!(
            table,
            "| {subject} | {} | {rate} | {} | {} | {} | {serde_json} | {bufjson} |",
            thousands(*bytes as u64),
            ratio(SERDE_JSON),
            ratio(BUFJSON),
            heap(Some(ours)),
        );
    }
    table
}

/// A contestant's name without what it is given.
fn short(contestant: &str) -> &str {
    contestant.split(',').next().unwrap_or(contestant)
}

fn kibibytes(bytes: u64) -> String {
    thousands(bytes.div_ceil(1024))
}

/// With a comma between three digits.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let text = "a\n<!-- bench-json -->\nold\n<!-- /bench-json -->\nb\n";
        assert_eq!(
            replaced(text, "json", "new\n").as_deref(),
            Some("a\n<!-- bench-json -->\nnew\n<!-- /bench-json -->\nb\n")
        );
        assert_eq!(replaced(text, "utf8", "new\n"), None);
    }

    #[test]
    fn a_number_has_its_thousands_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(kibibytes(1025), "2");
    }

    #[test]
    fn a_contestant_has_a_row_and_a_subject_a_column() {
        let figure = |subject: &str, contestant: &str, rate: Option<f64>| serde_json::json!({ "subject": subject, "contestant": contestant, "ours": true, "bytes": 1, "rate": rate });
        let mut figures = Figures::default();
        figures.add(&serde_json::json!({
            "kind": "json", "date": "d", "machine": { "processor": "p", "cores": 1, "rustc": "r" },
            "results": [figure("s", "a", Some(1.6)), figure("t", "a", None), figure("s", "b", Some(2.0)),
                        figure("1, again and again", "a", Some(1.0))],
        }));
        let expected = "| MB/s | s | t |\n|---|---:|---:|\n| a | 2 | refused |\n| b | 2 |  |\n";
        assert_eq!(rates(figures.report("json").unwrap()), expected);
    }
}
