//! Throughput by the size of the pieces that a body comes in.

use super::axis::Axis;
use super::canvas::{MARGIN, WIDTH, picture};
use super::panel::{Lines, Scale};
use super::scaling::lines;
use super::{bytes, rate};
use crate::figures::Figures;
use crate::pieces::{DEFLATE, JSON, KIND, subject};
use crate::sizes::PIECES;

const TOP: i32 = 56;
const FIELD: i32 = 330;
const BETWEEN: i32 = 40;

pub(super) fn draw(figures: &Figures) -> Option<String> {
    let report = figures.report(KIND)?;
    let figures = report.figures();
    let size = Scale { axis: Axis::powers(PIECES.map(|piece| piece as f64), 4), name: bytes };
    let speed = Scale { axis: Axis::decades(figures.iter().filter_map(|figure| figure.rate)), name: rate };
    let panels = [DEFLATE, JSON].map(|what| {
        let of_size = |piece: &usize| figures.iter().any(|figure| figure.subject == subject(what, *piece));
        let sizes: Vec<usize> = PIECES.into_iter().filter(of_size).collect();
        let piece = |name: &str| sizes.iter().find(|&&piece| subject(what, piece) == name);
        Lines {
            heading: what.to_owned(),
            x: size.clone(),
            y: speed.clone(),
            lines: lines(&figures, |figure| Some((*piece(&figure.subject)? as f64, figure.rate?))),
        }
    });
    let notes = [
        "twitter.json, and the same as raw DEFLATE, by the bytes of a piece; decoded bytes per second, medians of interleaved rounds.".to_owned(),
        report.stamp(),
    ];
    let width = (WIDTH - 2 * MARGIN - BETWEEN) / 2;
    let head = panels.iter().map(|panel| panel.head(width)).max().unwrap_or(0);
    let height = TOP + head + FIELD;
    Some(picture("Throughput by the size of the pieces of a body", &notes, height, |canvas| {
        for (left, panel) in [MARGIN, MARGIN + width + BETWEEN].into_iter().zip(&panels) {
            panel.draw(canvas, (left, left + width), TOP, head, height);
        }
    }))
}
