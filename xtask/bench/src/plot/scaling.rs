//! One response by its size: throughput, and the heap at its peak.

use super::axis::Axis;
use super::canvas::{MARGIN, Mark, WIDTH, picture};
use super::panel::{Line, Lines, Scale};
use super::{bytes, rate};
use crate::figures::{Figure, Figures};
use crate::scaling::KIND;

const TOP: i32 = 56;
const FIELD: i32 = 330;
const BETWEEN: i32 = 40;

pub(super) fn draw(figures: &Figures) -> Option<String> {
    let report = figures.report(KIND)?;
    let figures = report.figures();
    let size = Scale { axis: Axis::powers(figures.iter().map(|figure| figure.bytes as f64), 4), name: bytes };
    let panel = |heading: &str, y: Scale, value: fn(&Figure) -> Option<f64>| Lines {
        heading: heading.to_owned(),
        x: size.clone(),
        y,
        lines: lines(&figures, |figure| Some((figure.bytes as f64, value(figure)?))),
    };
    let heap = |figure: &Figure| Some(figure.memory?.heap as f64);
    let panels = [
        panel(
            "Throughput by the size of the document",
            Scale { axis: Axis::decades(figures.iter().filter_map(|figure| figure.rate)), name: rate },
            |figure| figure.rate,
        ),
        panel(
            "Heap at its peak by the size of the document",
            Scale { axis: Axis::powers(figures.iter().filter_map(heap), 4), name: bytes },
            |figure| Some(figure.memory?.heap as f64),
        ),
    ];
    let notes = [
        "gunzip with CRC-32, a check of all of the JSON and three fields of it, from a body in pieces of 4 KiB; flate2 has zlib-rs.".to_owned(),
        "The heap is counted by the allocator in a process of its own; the stack is not in it.".to_owned(),
        report.stamp(),
    ];
    let width = (WIDTH - 2 * MARGIN - BETWEEN) / 2;
    let head = panels.iter().map(|panel| panel.head(width)).max().unwrap_or(0);
    let height = TOP + head + FIELD;
    Some(picture("A gzip body to three fields, from 1 KiB to 1 GiB", &notes, height, |canvas| {
        for (left, panel) in [MARGIN, MARGIN + width + BETWEEN].into_iter().zip(&panels) {
            panel.draw(canvas, (left, left + width), TOP, head, height);
        }
    }))
}

/// A line for each contestant, through the points that `point` makes of its figures.
pub(super) fn lines(figures: &[Figure], point: impl Fn(&Figure) -> Option<(f64, f64)>) -> Vec<Line> {
    let mut contestants: Vec<(&str, bool)> = Vec::new();
    for Figure { contestant, ours, .. } in figures.iter().filter(|figure| point(figure).is_some()) {
        if !contestants.iter().any(|(name, _)| name == contestant) {
            contestants.push((contestant, *ours));
        }
    }
    let marks = Mark::of(contestants.iter().map(|&(_, ours)| ours));
    let line = |(&(name, _), mark): (&(&str, bool), Mark)| {
        let own = figures.iter().filter(|figure| figure.contestant == name);
        Line { name: name.to_owned(), mark, points: own.filter_map(&point).collect() }
    };
    contestants.iter().zip(marks).map(line).collect()
}
