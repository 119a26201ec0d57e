//! An SVG picture: text, lines and marks in pixels, on white, so that it reads the same on a light and on a dark page.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) const WIDTH: i32 = 960;
pub(super) const MARGIN: i32 = 24;

/// For what is read first, for what is read besides, and for lines to measure by.
pub(super) const INK: RGBColor = RGBColor(20, 41, 58);
pub(super) const GREY: RGBColor = RGBColor(86, 103, 117);
pub(super) const GRID: RGBColor = RGBColor(222, 228, 233);

const FONT: &str = "system-ui, sans-serif";

/// What plotters divides the size of a font by.
const PLOTTERS_FONT: f64 = 1.24;

/// The width of a character of the usual sans-serif fonts, of its size; a little more than the mean.
const CHARACTER: f64 = 0.56;

/// Colour and shape of one contestant. The colours are those of Okabe and Ito, which people tell apart who see red
/// and green alike; the shapes differ as well.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    color: RGBColor,
    shape: Shape,
}

#[derive(Clone, Copy)]
enum Shape {
    Disc,
    Ring,
    Square,
    Triangle,
    Diamond,
    Cross,
}

const OURS: [Mark; 2] = [
    Mark { color: RGBColor(0, 114, 178), shape: Shape::Disc },
    Mark { color: RGBColor(0, 114, 178), shape: Shape::Ring },
];

const PEERS: [Mark; 5] = [
    Mark { color: RGBColor(213, 94, 0), shape: Shape::Square },
    Mark { color: RGBColor(0, 158, 115), shape: Shape::Triangle },
    Mark { color: RGBColor(204, 121, 167), shape: Shape::Diamond },
    Mark { color: RGBColor(230, 159, 0), shape: Shape::Cross },
    Mark { color: RGBColor(86, 180, 233), shape: Shape::Square },
];

impl Mark {
    /// The marks of contestants that are ours or are not, in this order.
    pub(super) fn of(ours: impl IntoIterator<Item = bool>) -> Vec<Self> {
        let (mut own, mut others) = (OURS.iter().cycle(), PEERS.iter().cycle());
        let next = |ours| *if ours { own.next() } else { others.next() }.expect("a cycle does not end");
        ours.into_iter().map(next).collect()
    }
}

/// The side of its place that a text begins or ends at.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Center,
    Right,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub(super) size: i32,
    pub(super) bold: bool,
    pub(super) color: RGBColor,
    pub(super) align: Align,
}

impl Type {
    pub(super) const LABEL: Self = Self { size: 13, bold: false, color: INK, align: Align::Left };
    pub(super) const TICK: Self = Self { size: 12, bold: false, color: GREY, align: Align::Center };
    const TITLE: Self = Self { size: 19, bold: true, color: INK, align: Align::Left };
    const NOTE: Self = Self { size: 12, bold: false, color: GREY, align: Align::Left };
}

/// How wide a text is, about.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * f64::from(size) * CHARACTER).ceil() as i32
}

/// The picture while it is drawn.
pub(super) struct Canvas<'a>(DrawingArea<SVGBackend<'a>, Shift>);

/// Draws a picture of `height` pixels with a title, and the notes at its foot, and gives the SVG text.
pub(super) fn picture(title: &str, notes: &[String], height: i32, draw: impl FnOnce(&Canvas<'_>)) -> String {
    const LINE: i32 = 17;
    let foot = LINE * notes.len() as i32 + MARGIN;
    let mut svg = String::new();
    {
        let size = (WIDTH as u32, (height + foot) as u32);
        let canvas = Canvas(SVGBackend::with_string(&mut svg, size).into_drawing_area());
        canvas.0.fill(&WHITE).expect(DRAWN);
        canvas.text((MARGIN, 30), title, Type::TITLE);
        draw(&canvas);
        for (line, note) in (0..).zip(notes) {
            canvas.text((MARGIN, height + LINE / 2 + LINE * line), note, Type::NOTE);
        }
        canvas.0.present().expect(DRAWN);
    }
    let label = title.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1)
}

const DRAWN: &str = "a text in memory takes all that is drawn";

impl Canvas<'_> {
    /// A text whose middle line is at `y`.
    pub(super) fn text(&self, (x, y): (i32, i32), text: &str, Type { size, bold, color, align }: Type) {
        let font = (FONT, f64::from(size) * PLOTTERS_FONT).into_font();
        let font = if bold { font.style(FontStyle::Bold) } else { font };
        let side = match align {
            Align::Left => HPos::Left,
            Align::Center => HPos::Center,
            Align::Right => HPos::Right,
        };
        let style = font.color(&color).pos(Pos::new(side, VPos::Center));
        self.0.draw_text(text, &style, (x, y)).expect(DRAWN);
    }

    /// A line of the grid.
    pub(super) fn rule(&self, from: (i32, i32), to: (i32, i32)) {
        self.0.draw(&PathElement::new([from, to], GRID.stroke_width(1))).expect(DRAWN);
    }

    /// A line in the colour of `mark` through `points`.
    pub(super) fn path(&self, mark: Mark, points: &[(i32, i32)], width: u32) {
        self.0.draw(&PathElement::new(points.to_vec(), mark.color.stroke_width(width))).expect(DRAWN);
    }

    /// A mark.
    pub(super) fn mark(&self, (x, y): (i32, i32), mark: Mark) {
        let (fill, stroke) = (mark.color.filled(), mark.color.stroke_width(2));
        let drawn = match mark.shape {
            Shape::Disc => self.0.draw(&Circle::new((x, y), 6, fill)),
            Shape::Ring => {
                self.0.draw(&Circle::new((x, y), 5, WHITE.filled())).expect(DRAWN);
                self.0.draw(&Circle::new((x, y), 5, stroke))
            }
            Shape::Square => self.0.draw(&Rectangle::new([(x - 5, y - 5), (x + 5, y + 5)], fill)),
            Shape::Triangle => self.0.draw(&Polygon::new([(x, y - 6), (x + 6, y + 5), (x - 6, y + 5)], fill)),
            Shape::Diamond => {
                self.0.draw(&Polygon::new([(x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)], fill))
            }
            Shape::Cross => {
                self.0
                    .draw(&PathElement::new([(x - 5, y - 5), (x + 5, y + 5)], mark.color.stroke_width(3)))
                    .expect(DRAWN);
                self.0.draw(&PathElement::new([(x - 5, y + 5), (x + 5, y - 5)], mark.color.stroke_width(3)))
            }
        };
        drawn.expect(DRAWN);
    }

    /// Names and their marks in a row, in as many rows as they need, from `top` on between `left` and `right`; gives
    /// where they end. Without names it is only measured.
    pub(super) fn legend(&self, entries: &[(String, Mark)], (left, right): (i32, i32), top: i32) -> i32 {
        let mut bottom = top;
        for (x, y, (name, mark)) in laid_out(entries, (left, right), top) {
            self.mark((x + 7, y), *mark);
            self.text((x + 20, y), name, Type::LABEL);
            bottom = y;
        }
        bottom + LEGEND_ROW / 2
    }
}

const LEGEND_ROW: i32 = 22;

/// How high a legend is.
pub(super) fn legend_height(entries: &[(String, Mark)], (left, right): (i32, i32)) -> i32 {
    laid_out(entries, (left, right), 0).last().map_or(0, |(_, y, _)| y + LEGEND_ROW / 2)
}

/// Where each entry of a legend begins, and the middle of its row.
fn laid_out(
    entries: &[(String, Mark)],
    (left, right): (i32, i32),
    top: i32,
) -> Vec<(i32, i32, &(String, Mark))> {
    let (mut x, mut y) = (left, top + LEGEND_ROW / 2);
    entries
        .iter()
        .map(|entry| {
            let width = 20 + text_width(&entry.0, Type::LABEL.size) + 18;
            if x + width > right && x > left {
                (x, y) = (left, y + LEGEND_ROW);
            }
            let place = (x, y, entry);
            x += width;
            place
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_goes_on_in_the_next_row_where_it_does_not_fit() {
        let marks = Mark::of([true, false, false]);
        let entries: Vec<_> = marks.into_iter().map(|mark| ("twelve chars".to_owned(), mark)).collect();
        let width = 20 + text_width("twelve chars", 13) + 18;
        let places = |right| {
            laid_out(&entries, (10, right), 0).into_iter().map(|(x, y, _)| (x, y)).collect::<Vec<_>>()
        };
        assert_eq!(places(10 + 3 * width), [(10, 11), (10 + width, 11), (10 + 2 * width, 11)]);
        assert_eq!(places(10 + 2 * width), [(10, 11), (10 + width, 11), (10, 33)]);
    }

    #[test]
    fn a_picture_has_a_white_ground_and_tells_what_it_shows() {
        let svg = picture("A \"title\" & more", &["a note".to_owned()], 100, |_| {});
        assert!(svg.starts_with("<svg role=\"img\" aria-label=\"A &quot;title&quot; &amp; more\" "), "{svg}");
        assert!(svg.contains("#FFFFFF") && svg.contains("a note"), "{svg}");
    }
}
