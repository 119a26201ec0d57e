//! RAM against instructions: what a DEFLATE decoder takes of a Cortex-M4.

use super::axis::Axis;
use super::bytes;
use super::canvas::{Align, MARGIN, Mark, Type, WIDTH, picture, text_width};
use crate::figures::{Figure, Figures};

const TOP: i32 = 60;
const FIELD: i32 = 380;
const LEFT: i32 = 70;
const BELOW: i32 = 50;

pub(super) fn draw(figures: &Figures) -> Option<String> {
    let report = figures.report("metal")?;
    let figures: Vec<Figure> =
        report.figures().into_iter().filter(|figure| figure.ram.is_some() && figure.rate.is_some()).collect();
    let subject = figures.first()?.subject.clone();
    let drawn: Vec<&Figure> = figures.iter().filter(|figure| figure.subject == subject).collect();
    let across = Axis::powers(drawn.iter().filter_map(|figure| figure.ram).map(|ram| ram as f64), 1);
    let up = Axis::decades(drawn.iter().filter_map(|figure| figure.rate));
    let notes = [
        format!(
            "{subject}. Instructions are counted exactly, by QEMU; RAM is the decoder's state without its history of up to 32 KiB."
        ),
        report.stamp(),
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
        canvas.text(
            (right, bottom + 34),
            "RAM besides the history",
            Type { align: Align::Right, ..Type::LABEL },
        );
        let marks = Mark::of(drawn.iter().map(|figure| figure.ours));
        for (figure, mark) in drawn.iter().zip(marks) {
            let Figure { ram: Some(ram), rate: Some(rate), contestant, .. } = figure else { continue };
            let (x, y) = place(*ram as f64, *rate);
            let name = format!("{contestant}: {ram} bytes, {rate:.1}");
            canvas.mark((x, y), mark);
            // On the side where there is room.
            if x + 14 + text_width(&name, Type::LABEL.size) > right {
                canvas.text((x - 14, y), &name, Type { align: Align::Right, ..Type::LABEL });
            } else {
                canvas.text((x + 14, y), &name, Type::LABEL);
            }
        }
    }))
}
