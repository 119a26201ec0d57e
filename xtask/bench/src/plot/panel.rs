//! A field with axes, in which lines are drawn.

use super::axis::Axis;
use super::canvas::{Align, Canvas, Mark, Type, legend_height};

/// Names a value at an axis.
pub(super) type Namer = fn(f64) -> String;

/// An axis and how its values are named.
#[derive(Clone)]
pub(super) struct Scale {
    pub(super) axis: Axis,
    pub(super) name: Namer,
}

/// Values over values, as lines.
pub(super) struct Lines {
    pub(super) heading: String,
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) lines: Vec<Line>,
}

/// The points of one contestant, from left to right.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) mark: Mark,
    pub(super) points: Vec<(f64, f64)>,
}

/// Room for the names of values at the left, and below.
const LEFT: i32 = 74;
const BELOW: i32 = 34;
const HEADING: i32 = 26;

impl Lines {
    fn legend(&self) -> Vec<(String, Mark)> {
        self.lines.iter().map(|line| (line.name.clone(), line.mark)).collect()
    }

    /// How high the heading and the legend are over a field of this width.
    pub(super) fn head(&self, width: i32) -> i32 {
        HEADING + legend_height(&self.legend(), (0, width)) + 10
    }

    /// Draws it between `left` and `right`; heading and legend take `head`, the rest of what is above `bottom` the field.
    pub(super) fn draw(
        &self,
        canvas: &Canvas<'_>,
        (left, right): (i32, i32),
        top: i32,
        head: i32,
        bottom: i32,
    ) {
        canvas.text((left, top + HEADING / 2), &self.heading, Type { bold: true, ..Type::LABEL });
        canvas.legend(&self.legend(), (left, right), top + HEADING);
        let (left, top, bottom) = (left + LEFT, top + head, bottom - BELOW);
        let place = |x, y| {
            let across = self.x.axis.share(x) * f64::from(right - left);
            let up = self.y.axis.share(y) * f64::from(bottom - top);
            (left + across.round() as i32, bottom - up.round() as i32)
        };
        let (leftmost, lowest) = (self.x.axis.ticks()[0], self.y.axis.ticks()[0]);
        for &tick in self.y.axis.ticks() {
            let (_, y) = place(leftmost, tick);
            canvas.rule((left, y), (right, y));
            canvas.text((left - 8, y), &(self.y.name)(tick), Type { align: Align::Right, ..Type::TICK });
        }
        for &tick in self.x.axis.ticks() {
            let (x, _) = place(tick, lowest);
            canvas.rule((x, top), (x, bottom));
            canvas.text((x, bottom + 16), &(self.x.name)(tick), Type::TICK);
        }
        // Ours last, over the others.
        for line in self.lines.iter().rev() {
            let points: Vec<_> = line.points.iter().map(|&(x, y)| place(x, y)).collect();
            canvas.path(line.mark, &points, 2);
            points.iter().for_each(|&point| canvas.mark(point, line.mark));
        }
    }
}
