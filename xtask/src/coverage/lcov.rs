//! The records of an LCOV file that say how often a line ran (`DA`) and a branch was taken (`BRDA`), and the table of them.

#![allow(clippy::arithmetic_side_effects, reason = "counts of lines and branches")]

use std::collections::BTreeMap;
use std::fmt;
use std::fs;

use crate::command::Outcome;

/// A file's lines and branches, without those of its test module.
#[derive(Default)]
struct File {
    /// How often each line ran.
    lines: BTreeMap<u64, u64>,
    /// How often each branch was taken, by line, block and branch.
    branches: BTreeMap<(u64, String), u64>,
}

/// The files below one folder, by their path in it.
#[derive(Default)]
pub(super) struct Report(BTreeMap<String, File>);

/// Reads the records of the files below `folder`.
///
/// # Errors
/// If a record is not as it should be, or a file cannot be read.
pub(super) fn parse(text: &str, folder: &str) -> Outcome<Report> {
    let mut report = Report::default();
    let mut current: Option<(&mut File, u64)> = None;
    for record in text.lines() {
        let (kind, values) = record.split_once(':').unwrap_or((record, ""));
        if kind == "SF" {
            let name = values.strip_prefix(folder).map(|name| name.trim_start_matches('/').to_owned());
            let Some(name) = name.filter(|name| name.contains("/src/") && !name.starts_with("cli/")) else {
                current = None;
                continue;
            };
            let end = first_line_of_tests(&fs::read_to_string(values)?);
            current = Some((report.0.entry(name).or_default(), end));
        }
        let Some((file, end)) = current.as_mut() else { continue };
        let fields: Vec<_> = values.split(',').collect();
        match (kind, fields.as_slice()) {
            ("DA", [line, count, ..]) => {
                let line = line.parse()?;
                if line < *end {
                    let ran = file.lines.entry(line).or_default();
                    *ran = (*ran).max(count.parse()?);
                }
            }
            ("BRDA", [line, block, branch, count]) => {
                let line = line.parse()?;
                if line < *end {
                    let taken = file.branches.entry((line, format!("{block},{branch}"))).or_default();
                    *taken = (*taken).max(count.parse().unwrap_or(0));
                }
            }
            _ => {}
        }
    }
    Ok(report)
}

/// The test module stands last in a file.
fn first_line_of_tests(source: &str) -> u64 {
    source.lines().position(|line| line == "#[cfg(test)]").map_or(u64::MAX, |index| index as u64 + 1)
}

/// How many of how many.
#[derive(Clone, Copy, Default)]
struct Share {
    hit: usize,
    of: usize,
}

impl Share {
    fn count<'a>(counts: impl Iterator<Item = &'a u64>) -> Self {
        counts.fold(Self::default(), |share, &count| Self {
            hit: share.hit + usize::from(count > 0),
            of: share.of + 1,
        })
    }

    fn add(&mut self, other: Self) {
        self.hit += other.hit;
        self.of += other.of;
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hit, of } = *self;
        let percent = if of == 0 { 100.0 } else { 100.0 * hit as f64 / of as f64 };
        write!(f, "{hit:>5} of {of:>5} {percent:>6.2}%")
    }
}

impl File {
    fn lines(&self) -> Share {
        Share::count(self.lines.values())
    }

    fn branches(&self) -> Share {
        Share::count(self.branches.values())
    }

    /// Lines that never ran, and lines with a branch that was never taken.
    fn missing(&self) -> (Vec<u64>, Vec<u64>) {
        let lines = self.lines.iter().filter(|(_, count)| **count == 0).map(|(&line, _)| line).collect();
        let branches = self.branches.iter().filter(|(_, count)| **count == 0);
        let mut branches: Vec<_> = branches.map(|(&(line, _), _)| line).collect();
        branches.dedup();
        (lines, branches)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:40} {:>22} {:>22}", "file", "lines", "branches")?;
        let (mut lines, mut branches) = (Share::default(), Share::default());
        for (name, file) in &self.0 {
            lines.add(file.lines());
            branches.add(file.branches());
            writeln!(f, "{name:40} {} {}", file.lines(), file.branches())?;
        }
        writeln!(f, "{:40} {lines} {branches}", "all")?;
        for (name, file) in &self.0 {
            let (lines, branches) = file.missing();
            if !lines.is_empty() {
                writeln!(f, "not run: {name} {lines:?}")?;
            }
            if !branches.is_empty() {
                writeln!(f, "a branch not taken: {name} {branches:?}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::panic_in_result_fn, reason = "an assertion that fails is the point")]
    fn lines_and_branches_are_counted_once_and_those_of_the_tests_not() -> Outcome {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates");
        // What is read of the sources is only where their tests begin.
        let records = format!(
            "SF:{folder}/core/src/work.rs\nDA:1,0\nDA:2,5\nDA:1,0\nDA:2,0\nBRDA:2,0,0,3\nBRDA:2,0,1,-\nDA:99999,0\nend_of_record\n\
             SF:{folder}/core/src/work.rs\nDA:3,1\nBRDA:2,0,1,0\nend_of_record\n\
             SF:{folder}/cli/src/main.rs\nDA:1,0\nend_of_record\nSF:/elsewhere/src/lib.rs\nDA:1,0\nend_of_record\n"
        );
        let text = parse(&records, folder)?.to_string();
        let all = text.lines().find(|line| line.starts_with("all")).unwrap_or_default();
        let numbers: Vec<_> = all.split_whitespace().collect();
        assert_eq!(numbers, ["all", "2", "of", "3", "66.67%", "1", "of", "2", "50.00%"]);
        assert!(text.contains("not run: core/src/work.rs [1]\n"), "{text}");
        assert!(text.contains("a branch not taken: core/src/work.rs [2]\n"), "{text}");
        Ok(())
    }
}
