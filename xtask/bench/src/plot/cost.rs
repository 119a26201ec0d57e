//! RAM against instructions: what a DEFLATE or gzip decoder takes of a Cortex-M4. The instructions are those of the kind
//! `metal`, the RAM is that of the kind `footprint`, whose images all have the same history.

use super::axis::Axis;
use super::bytes;
use super::canvas::{Align, MARGIN, Mark, Type, WIDTH, picture, text_width};
use crate::figures::Figures;
use crate::insert::thousands;

const TOP: i32 = 60;
const FIELD: i32 = 400;
const LEFT: i32 = 70;
const BELOW: i32 = 50;

/// How the target's name begins.
const CORTEX_M4: &str = "thumbv7em";

/// The level at which instructions are drawn.
const LEVEL: &str = "2";

/// The pieces that it comes in.
const PIECES: &str = "512";

/// A decoder.
struct Point {
    label: String,
    ours: bool,
    ram: usize,
    instructions: f64,
}

/// What is drawn: kind and contestant in the kind `metal`, and the image in the kind `footprint`.
const DRAWN: [(&str, &str, &str); 7] = [
    ("inflate", "plimsoll ring", "inflate"),
    ("inflate", "plimsoll flat", "inflate-flat"),
    ("gzip", "plimsoll ring", "gzip"),
    ("inflate", "miniz_oxide ring", "peer-miniz_oxide"),
    ("inflate", "miniz_oxide flat", "peer-miniz_oxide-flat"),
    ("inflate", "compcol embed ring", "peer-compcol-inflate"),
    ("gzip", "compcol embed ring", "peer-compcol"),
];

/// Those of [`DRAWN`] that have both figures.
fn points(figures: &Figures) -> Option<Vec<Point>> {
    let (counts, images) = (figures.report("metal")?.counts(), figures.report("footprint")?.images());
    let point = |&(kind, contestant, image): &(&str, &str, &str)| {
        let count = counts.iter().find(|count| {
            (&*count.kind, &*count.contestant) == (kind, contestant)
                && (&*count.opt_level, &*count.pieces) == (LEVEL, PIECES)
        })?;
        let image =
            images.iter().find(|other| other.image == image && other.target.starts_with(CORTEX_M4))?;
        let (ram, instructions) = (image.ram?, count.rate?);
        let gzip = if kind == "gzip" { ", gzip with CRC-32" } else { "" };
        let label = format!("{contestant}{gzip}: {} bytes, {instructions:.1}", thousands(ram as u64));
        Some(Point { label, ours: count.ours, ram, instructions })
    };
    let points: Vec<_> = DRAWN.iter().filter_map(point).collect();
    (!points.is_empty()).then_some(points)
}

pub(super) fn draw(figures: &Figures) -> Option<String> {
    let points = points(figures)?;
    let across = Axis::powers(points.iter().map(|point| point.ram as f64), 1);
    let up = Axis::decades(points.iter().map(|point| point.instructions));
    let notes = [
        "RAM: state, deepest stack at opt-level s, and of a ring its window, here of 4 KiB; 32 KiB serve every packer. What is flat has"
            .to_owned(),
        "the decoded body for its history, which is not counted. compcol's has 512 bytes in it that it decodes into.".to_owned(),
        format!(
            "Instructions: github_events.json (65,132 bytes) in pieces of {PIECES} bytes, at opt-level {LEVEL}, counted exactly."
        ),
        figures.report("metal")?.stamp(),
    ];
    let height = TOP + FIELD;
    Some(picture("DEFLATE on a Cortex-M4: RAM against instructions per byte", &notes, height, |canvas| {
        let (left, right, top, bottom) = (MARGIN + LEFT, WIDTH - MARGIN - 30, TOP + 20, height - BELOW);
        let place = |ram: f64, instructions: f64| {
            let x = left + (across.share(ram) * f64::from(right - left)).round() as i32;
            (x, bottom - (up.share(instructions) * f64::from(bottom - top)).round() as i32)
        };
        canvas.text((MARGIN, TOP), "instructions per decoded byte", Type::LABEL);
        for &tick in up.ticks() {
            let (_, y) = place(across.ticks()[0], tick);
            canvas.rule((left, y), (right, y));
            canvas.text((left - 8, y), &tick.to_string(), Type { align: Align::Right, ..Type::TICK });
        }
        for &tick in across.ticks() {
            let (x, _) = place(tick, up.ticks()[0]);
            canvas.rule((x, top), (x, bottom));
            canvas.text((x, bottom + 16), &bytes(tick), Type::TICK);
        }
        canvas.text((right, bottom + 34), "RAM", Type { align: Align::Right, ..Type::LABEL });
        let places: Vec<_> = points.iter().map(|point| place(point.ram as f64, point.instructions)).collect();
        let widths = points.iter().map(|point| text_width(&point.label, Type::LABEL.size)).collect();
        let labels = laid_out(&places, widths, (left, right));
        let marks = Mark::of(points.iter().map(|point| point.ours));
        for (((point, &place), mark), &(x, y)) in points.iter().zip(&places).zip(marks).zip(&labels) {
            canvas.mark(place, mark);
            canvas.text((x, y), &point.label, Type::LABEL);
        }
    }))
}

/// Where labels of these widths begin, and their middle lines: beside their points, above or below them, the first of
/// which neither leaves the field nor covers a point or a label that has its place already.
fn laid_out(points: &[(i32, i32)], widths: Vec<i32>, (left, right): (i32, i32)) -> Vec<(i32, i32)> {
    const BESIDE: i32 = 13;
    const LINE: i32 = 17;
    let mut labels: Vec<(i32, i32)> = Vec::new();
    for (&(x, y), &width) in points.iter().zip(&widths) {
        let middle = (x - width / 2).clamp(left, right - width);
        let candidates =
            [(x + BESIDE, y), (x - BESIDE - width, y), (middle, y - LINE - 1), (middle, y + LINE + 1)];
        let free = |&(from, line): &(i32, i32)| {
            let covers = |first: i32, last: i32, at: i32| {
                (at - line).abs() < LINE && first < from + width && from < last
            };
            from >= left
                && from + width <= right
                && !points.iter().any(|&(other, at)| covers(other - 8, other + 8, at))
                && !labels.iter().zip(&widths).any(|(&(other, at), wide)| covers(other, other + wide, at))
        };
        labels.push(candidates.into_iter().find(free).unwrap_or(candidates[0]));
    }
    labels
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_decoder_is_drawn_where_both_of_its_figures_are_there() {
        let count = |kind: &str, contestant: &str, rate: Option<f64>| json!({ "kind": kind, "opt_level": "2", "pieces": "512", "contestant": contestant, "ours": true, "rate": rate });
        let mut figures = Figures::default();
        figures.add(&json!({ "counts": { "kind": "metal", "results": [
            count("inflate", "plimsoll ring", Some(6.25)), count("inflate", "plimsoll flat", Some(7.0)),
            count("gzip", "plimsoll ring", None), count("gzip", "compcol embed ring", Some(70.0)),
        ] } }));
        assert!(draw(&figures).is_none());
        let image = |image: &str| json!({ "image": image, "target": "thumbv7em-none-eabihf", "ram": 6592 });
        figures.add(&json!({ "kind": "footprint", "results": [image("inflate"), image("gzip"), image("peer-compcol")] }));
        let labels: Vec<_> = points(&figures).unwrap().into_iter().map(|point| point.label).collect();
        assert_eq!(
            labels,
            ["plimsoll ring: 6,592 bytes, 6.2", "compcol embed ring, gzip with CRC-32: 6,592 bytes, 70.0"]
        );
        assert!(draw(&figures).is_some());
    }

    #[test]
    fn a_label_stands_beside_its_point_and_evades_the_border_and_other_points() {
        let alone = laid_out(&[(100, 50)], vec![80], (0, 300));
        assert_eq!(alone, [(113, 50)]);
        let at_the_right = laid_out(&[(280, 50)], vec![80], (0, 300));
        assert_eq!(at_the_right, [(187, 50)]);
        let between_others = laid_out(&[(150, 50), (60, 52), (240, 48)], vec![100, 10, 10], (0, 300));
        assert_eq!(between_others[0], (100, 32));
    }
}
