//! Exact instruction counts on a Cortex-M4: runs the images of `xtask/metal` that count, and reads what they print. One
//! instruction is 1 ns of QEMU's virtual time (`-icount shift=0`), so the counts are the same on every run with one
//! toolchain; another one, or another layout, moves them by up to 3 %.

use std::fmt::Write as _;

use plimsoll_subjects::corpora::{Corpora, Producer, deflate};
use serde_json::{Value, json};

use crate::board::BOARDS;
use crate::bodies::member;
use crate::images::{self, COUNTING, Images};
use crate::{Output, cost, readme};

const LEVELS: [&str; 2] = ["2", "s"];
const IMAGES: [&str; 2] = ["count", "count-other-modes"];
/// What runs this.
const COMMAND: &str = "cargo xtask bench metal";
/// How the image calls an input that comes in one piece.
const WHOLE: &str = "whole";

/// A contestant's count on one input.
struct Row {
    level: &'static str,
    kind: String,
    pieces: String,
    contestant: String,
    ours: bool,
    /// `None` where it did not give the right answer.
    instructions: Option<u64>,
    bytes: u64,
}

impl Row {
    /// A line of the image: kind, size of the pieces, contestant, instructions or `-`, bytes.
    fn parse(line: &str, level: &'static str) -> Self {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[kind, pieces, contestant, instructions, bytes] = fields.as_slice() else {
            panic!("not a line of the image: {line}");
        };
        let (ours, contestant) =
            contestant.strip_prefix('*').map_or((false, contestant), |name| (true, name));
        Self {
            level,
            kind: kind.to_owned(),
            pieces: pieces.to_owned(),
            contestant: contestant.to_owned(),
            ours,
            instructions: instructions.parse().ok(),
            bytes: bytes.parse().expect("a number of bytes"),
        }
    }

    /// Instructions per byte.
    fn rate(&self) -> Option<f64> {
        self.instructions.map(|instructions| instructions as f64 / self.bytes as f64)
    }

    fn shown(&self) -> String {
        self.rate().map_or_else(|| "refused".to_owned(), |rate| format!("{rate:.2}"))
    }
}

/// Counts, prints, and says what is wrong.
pub(crate) fn run(output: Output) -> Vec<String> {
    let corpora = Corpora::locate();
    let images = Images::new(&corpora);
    lay_out(&images, &corpora);
    let mut rows = Vec::new();
    for level in LEVELS {
        let built = images.build(&BOARDS[0], level, Some("peers"), &IMAGES);
        for image in IMAGES {
            let printed = images::run(&BOARDS[0], &built.path(image), &COUNTING, &images.inputs());
            rows.extend(printed.lines().map(|line| Row::parse(line, level)));
        }
    }
    rows.sort_by_key(|row| {
        ["inflate", "crc", "gzip", "json", "utf8", "pipeline"].iter().position(|kind| *kind == row.kind)
    });
    let costs = cost::run(&images, &corpora);
    if output.json {
        println!("{}", json!({ "counts": to_json(&rows), "costs": cost::to_json(&costs) }));
    } else {
        print!("{}{}", to_text(&rows), cost::to_text(&costs));
    }
    let mut complaints: Vec<String> = rows
        .iter()
        .filter(|row| row.instructions.is_none())
        .map(|row| format!("{}, {}: {} refuses it", row.kind, row.pieces, row.contestant))
        .collect();
    if output.write {
        readme::write(corpora.root(), "metal", &to_markdown(&rows));
        readme::write(corpora.root(), "cost", &cost::to_markdown(&costs));
    } else {
        complaints.extend(readme::check(corpora.root(), "metal", COMMAND, &to_markdown(&rows)));
        complaints.extend(readme::check(corpora.root(), "cost", COMMAND, &cost::to_markdown(&costs)));
    }
    complaints
}

/// Lays out what the image includes: a document, and what it is when compressed.
fn lay_out(images: &Images, corpora: &Corpora) {
    let document = corpora.json("github_events").bytes;
    let raw = deflate(Producer::Pigz, &document);
    images.input("github_events.gz", &member(&[], 0, &raw, &document));
    images.input("github_events.plain", &member(&[], 0, &document, &document));
    images.input("github_events.deflate", &raw);
    images.input("github_events.json", &document);
}

/// The report for machines: `{"kind", "unit", "target", "date", "machine", "results": [...]}`.
fn to_json(rows: &[Row]) -> Value {
    let result = |row: &Row| {
        json!({
            "kind": row.kind, "opt_level": row.level, "pieces": row.pieces, "contestant": row.contestant,
            "ours": row.ours, "instructions": row.instructions, "bytes": row.bytes, "rate": row.rate(),
        })
    };
    let mut report = json!({
        "kind": "metal", "unit": "instructions per decoded byte", "target": BOARDS[0].target,
        "results": rows.iter().map(result).collect::<Vec<_>>(),
    });
    images::stamp(&mut report, &BOARDS[..1]);
    report
}

/// The report for people.
fn to_text(rows: &[Row]) -> String {
    let mut text = String::from(
        "metal: Cortex-M4 under QEMU, github_events.json (65,132 bytes; 9,984 as raw DEFLATE), instructions per decoded byte.\n* is ours.\n",
    );
    let mut before = None;
    for row in rows {
        let group = (&row.kind, row.level);
        if before != Some(group) {
            before = Some(group);
            let _ = writeln!(text, "\n{}, opt-level {}", row.kind, row.level);
        }
        let name =
            format!("{} {}, pieces of {}", if row.ours { '*' } else { ' ' }, row.contestant, row.pieces);
        let _ = writeln!(text, "{name:<56}{:>9}", row.shown());
    }
    text
}

/// Sizes of pieces, as the image prints them; what takes a whole document stands in the first column.
const PIECES: [&str; 3] = ["512", "64", "1"];

/// The README's table: a line for each contestant, a column for each size of pieces, both levels in each cell.
fn to_markdown(rows: &[Row]) -> String {
    let mut table = String::from("| |");
    for pieces in PIECES {
        let _ = write!(table, " pieces of {pieces} |");
    }
    table += "\n|---|---|---|---|\n";
    let first = |row: &&Row| row.level == LEVELS[0] && (row.pieces == PIECES[0] || row.pieces == WHOLE);
    for row in rows.iter().filter(first) {
        let whole = if row.pieces == WHOLE { ", whole" } else { "" };
        let _ = write!(table, "| {}: {}{whole} |", row.kind, row.contestant);
        for (index, pieces) in PIECES.iter().enumerate() {
            let cell = LEVELS.map(|level| {
                let same = |other: &&Row| {
                    let there = other.pieces == *pieces || (index == 0 && other.pieces == WHOLE);
                    there
                        && other.level == level
                        && (&other.kind, &other.contestant) == (&row.kind, &row.contestant)
                };
                rows.iter().find(same).map(Row::shown)
            });
            let cell = cell.into_iter().flatten().collect::<Vec<_>>().join(" / ");
            let _ = write!(table, " {} |", if cell.is_empty() { "-" } else { &cell });
        }
        table += "\n";
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_image_is_told_apart() {
        let row = Row::parse("json\t512\t*plimsoll Check\t1000\t400", "2");
        assert_eq!((row.ours, row.contestant.as_str(), row.rate()), (true, "plimsoll Check", Some(2.5)));
        assert_eq!(Row::parse("json\twhole\tpeer\t-\t400", "2").shown(), "refused");
    }
}
