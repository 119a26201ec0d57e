//! Throughput by corpus: a field for each kind, a row for each corpus, a mark for each contestant.

use super::axis::Axis;
use super::canvas::{Align, Canvas, MARGIN, Mark, Type, WIDTH, legend_height, picture};
use super::rate;
use crate::figures::{Figure, Figures, Report};
use crate::json::PATTERN;
use crate::pipeline::{BUFJSON, PLIMSOLL, SERDE_JSON};

/// What is drawn of a kind: its heading and its contestants, ours first, by how their names begin.
const FIELDS: [(&str, &str, &[&str]); 3] = [
    (
        "inflate",
        "DEFLATE",
        &[
            "plimsoll ring, 4 KiB",
            "miniz_oxide ring, 4 KiB",
            "zlib-rs streaming",
            "compcol embed",
            "libdeflate flat",
        ],
    ),
    (
        "json",
        "JSON",
        &[
            "plimsoll Check",
            "plimsoll Tokenizer",
            "bufjson parser, no contents, whole",
            "serde_json IgnoredAny",
            "picojson",
            "core-json",
        ],
    ),
    ("pipeline", "gzip, JSON and three fields", &[PLIMSOLL, SERDE_JSON, BUFJSON]),
];

const ROW: i32 = 26;
const HEADING: i32 = 30;
const NAMES: i32 = 150;
const TICKS: i32 = 34;
const TOP: i32 = 52;

/// One field.
struct Field {
    heading: &'static str,
    legend: Vec<(String, Mark)>,
    /// Of each row the name, and each contestant's figure.
    rows: Vec<(String, Vec<Option<Figure>>)>,
}

impl Field {
    fn new(report: &Report, heading: &'static str, names: &[&str]) -> Self {
        let mut figures = report.figures();
        figures.retain(|figure| !figure.subject.contains(PATTERN));
        let drawn = |name: &&str| figures.iter().find(|figure| figure.contestant.starts_with(name));
        let contestants: Vec<(String, bool)> =
            names.iter().filter_map(drawn).map(|figure| (figure.contestant.clone(), figure.ours)).collect();
        let marks = Mark::of(contestants.iter().map(|&(_, ours)| ours));
        let names: Vec<String> = contestants.into_iter().map(|(name, _)| name).collect();
        let mut rows: Vec<(String, Vec<Option<Figure>>)> = Vec::new();
        for figure in figures {
            let Some(column) = names.iter().position(|name| *name == figure.contestant) else { continue };
            let row = rows.iter().position(|(subject, _)| *subject == figure.subject).unwrap_or_else(|| {
                rows.push((figure.subject.clone(), names.iter().map(|_| None).collect()));
                rows.len() - 1
            });
            rows[row].1[column] = Some(figure);
        }
        Self { heading, legend: names.into_iter().zip(marks).collect(), rows }
    }

    fn height(&self) -> i32 {
        HEADING
            + legend_height(&self.legend, (MARGIN, WIDTH - MARGIN))
            + ROW * self.rows.len() as i32
            + TICKS
            + 14
    }

    fn rates(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().flat_map(|(_, figures)| figures.iter().flatten().filter_map(|figure| figure.rate))
    }

    fn draw(&self, canvas: &Canvas<'_>, axis: &Axis, top: i32) {
        let (left, right) = (MARGIN + NAMES, WIDTH - MARGIN - 20);
        let place =
            |rate: f64| left + (axis.share(rate).clamp(0.0, 1.0) * f64::from(right - left)).round() as i32;
        canvas.text((MARGIN, top + HEADING / 2), self.heading, Type { bold: true, ..Type::LABEL });
        let first = canvas.legend(&self.legend, (MARGIN, WIDTH - MARGIN), top + HEADING) + 6;
        let bottom = first + ROW * self.rows.len() as i32;
        for &tick in axis.ticks() {
            canvas.rule((place(tick), first), (place(tick), bottom));
            canvas.text((place(tick), bottom + 14), &rate(tick), Type::TICK);
        }
        for (y, (name, figures)) in (first + ROW / 2..).step_by(ROW as usize).zip(&self.rows) {
            canvas.text((left - 12, y), name, Type { align: Align::Right, ..Type::LABEL });
            canvas.rule((left, y), (right, y));
            for (figure, &(_, mark)) in figures.iter().zip(&self.legend).rev() {
                let Some(Figure { rate: Some(rate), spread, .. }) = figure else { continue };
                let half = spread.unwrap_or_default() / 2.0;
                canvas.path(mark, &[(place(rate * (1.0 - half)), y), (place(rate * (1.0 + half)), y)], 2);
                canvas.mark((place(*rate), y), mark);
            }
        }
    }
}

pub(super) fn draw(figures: &Figures) -> Option<String> {
    let reports: Vec<(&Report, _, _)> = FIELDS
        .iter()
        .filter_map(|&(kind, heading, names)| Some((figures.report(kind)?, heading, names)))
        .collect();
    let fields: Vec<Field> =
        reports.iter().map(|&(report, heading, names)| Field::new(report, heading, names)).collect();
    let stamp = reports.first()?.0.stamp();
    let axis = Axis::decades(fields.iter().flat_map(Field::rates));
    let notes = [
        "Decoded bytes per second, on a logarithmic scale. A mark is the median of interleaved rounds; the line through it is as long as the".to_owned(),
        "spread of the middle half. A contestant without a mark in a row refuses the document.".to_owned(),
        stamp,
    ];
    let height = TOP + fields.iter().map(Field::height).sum::<i32>();
    Some(picture("Throughput by corpus", &notes, height, |canvas| {
        let mut top = TOP;
        for field in &fields {
            field.draw(canvas, &axis, top);
            top += field.height();
        }
    }))
}
