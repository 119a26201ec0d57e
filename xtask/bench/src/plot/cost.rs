//! RAM against instructions: what a DEFLATE decoder takes of a Cortex-M4. The instructions are those of the kind `metal`,
//! the RAM is that of the kind `footprint`, whose images all have the same history.

use super::axis::Axis;
use super::bytes;
use super::canvas::{Align, MARGIN, Mark, Type, WIDTH, picture, text_width};
use crate::figures::Figures;

const TOP: i32 = 60;
const FIELD: i32 = 380;
const LEFT: i32 = 70;
const BELOW: i32 = 50;

/// How the target's name begins.
const CORTEX_M4: &str = "thumbv7em";

/// The level that is drawn.
const LEVEL: &str = "2";

/// A decoder.
struct Point<'a> {
    name: &'a str,
    ours: bool,
    ram: usize,
    instructions: f64,
}

/// What is drawn: how the contestant's name begins in the kind `metal`, and its image in the kind `footprint`.
const DRAWN: [(&str, &str); 3] =
    [("plimsoll ring", "inflate"), ("miniz_oxide ring", "peer-miniz_oxide"), ("compcol", "peer-compcol")];

pub(super) fn draw(figures: &Figures) -> Option<String> {
    let (metal, footprint) = (figures.report("metal")?, figures.report("footprint")?);
    let (mut counts, images) = (metal.counts(), footprint.images());
    counts.retain(|count| count.kind == "inflate" && count.opt_level == LEVEL);
    let drawn: Vec<Point<'_>> = DRAWN
        .iter()
        .filter_map(|&(contestant, image)| {
            let count = counts.iter().find(|count| count.contestant.starts_with(contestant))?;
            let image =
                images.iter().find(|entry| entry.image == image && entry.target.starts_with(CORTEX_M4))?;
            Some(Point {
                name: &count.contestant,
                ours: count.ours,
                ram: image.ram?,
                instructions: count.rate?,
            })
        })
        .collect();
    if drawn.is_empty() {
        return None;
    }
    let across = Axis::powers(drawn.iter().map(|point| point.ram as f64), 1);
    let up = Axis::decades(drawn.iter().map(|point| point.instructions));
    let notes = [
        format!(
            "github_events.json as DEFLATE in pieces of {} bytes, opt-level {LEVEL}. Instructions are counted exactly, by QEMU.",
            counts.first()?.pieces
        ),
        "RAM is all that the decoder takes: its state, its stack and a history of 4 KiB.".to_owned(),
        metal.stamp(),
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
        let marks = Mark::of(drawn.iter().map(|point| point.ours));
        for (Point { name, ram, instructions, .. }, mark) in drawn.iter().zip(marks) {
            let (x, y) = place(*ram as f64, *instructions);
            let label = format!("{name}: {ram} bytes, {instructions:.1}");
            canvas.mark((x, y), mark);
            // On the side where there is room.
            if x + 14 + text_width(&label, Type::LABEL.size) > right {
                canvas.text((x - 14, y), &label, Type { align: Align::Right, ..Type::LABEL });
            } else {
                canvas.text((x + 14, y), &label, Type::LABEL);
            }
        }
    }))
}
