//! The distributions as a picture: for each quantity how many bodies have how much, in powers of two, and where the
//! limit stands.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::quantity::{Quantity, Unit};
use super::summary::{Body, Row, values};

/// Panels side by side, and the size of each.
const COLUMNS: usize = 3;
const PANEL: (u32, u32) = (360, 220);
/// The height of the title.
const TITLE: u32 = 40;

const BAR: RGBColor = RGBColor(0x3b, 0x6f, 0xb6);
const LIMIT: RGBColor = RGBColor(0xc2, 0x2f, 0x2f);
const NOTHING: RGBColor = RGBColor(0x9a, 0x9a, 0x9a);
const FAINT: RGBColor = RGBColor(0xd8, 0xd8, 0xd8);

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The width of a panel's axis, and of a digit below it, about.
const AXIS: usize = 276;
const DIGIT: usize = 6;

/// Bodies by how much they have: the bar from `n` to `n + 1` counts those of more than 2^n and up to 2^(n + 1), so that
/// what is just at a limit stands before its line. Those that have nothing stand apart from the axis.
struct Histogram {
    bars: Vec<(i32, u32)>,
    /// The place of those that have nothing, and how many they are.
    nothing: Option<(i32, u32)>,
    /// The first and the last place of the axis.
    from: i32,
    to: i32,
    limit: Option<f64>,
}

/// The logarithm of a value.
fn place(quantity: Quantity, value: u64) -> f64 {
    let scale = if quantity.traits().unit == Unit::Ratio { 100.0 } else { 1.0 };
    (value as f64 / scale).log2()
}

impl Histogram {
    fn new(row: &Row<'_>, bodies: &[Body]) -> Self {
        let values = values(row.quantity, bodies);
        let mut bars: Vec<(i32, u32)> = Vec::new();
        for &value in values.iter().filter(|&&value| value > 0) {
            let at = (place(row.quantity, value).ceil() as i32).saturating_sub(1);
            match bars.last_mut() {
                Some((last, count)) if *last == at => *count = count.saturating_add(1),
                _ => bars.push((at, 1)),
            }
        }
        let from = bars.first().map_or(0, |bar| bar.0);
        let last = bars.last().map_or(from, |bar| bar.0).saturating_add(1);
        let limit = row.limit.filter(|&limit| limit > 0).map(|limit| place(row.quantity, limit));
        let to = limit.map_or(last, |limit| last.max(limit.ceil() as i32)).saturating_add(1);
        let zeros = values.iter().filter(|&&value| value == 0).count() as u32;
        let nothing = (zeros > 0).then_some((from.saturating_sub(2), zeros));
        Self { bars, nothing, from, to, limit }
    }

    /// What stands under the place `at` of the axis.
    fn label(quantity: Quantity, at: i32) -> String {
        let power = 2_u64.saturating_pow(at.unsigned_abs());
        match quantity.traits().unit {
            Unit::Ratio if at < 0 => format!("1/{power}"),
            Unit::Ratio => power.to_string(),
            _ => quantity.show(power),
        }
    }

    /// The places that have a label, none at the very end: as many as there is room for.
    fn ticks(&self, quantity: Quantity) -> impl Iterator<Item = i32> + use<> {
        let first = if quantity.traits().unit == Unit::Ratio { self.from } else { self.from.max(0) };
        let widest =
            [first, self.to].map(|at| Self::label(quantity, at).len()).into_iter().max().unwrap_or(0);
        let room = AXIS.checked_div(widest.saturating_add(2).saturating_mul(DIGIT)).unwrap_or(1).clamp(1, 6);
        let span = self.to.saturating_sub(first).unsigned_abs() as usize;
        let step = [1, 2, 5, 10, 20].into_iter().find(|step| span.div_ceil(*step) <= room).unwrap_or(64);
        (first..self.to).filter(move |at| at.rem_euclid(step as i32) == 0)
    }

    /// The most bodies of a bar.
    fn most(&self) -> u32 {
        self.bars.iter().chain(&self.nothing).map(|bar| bar.1).max().unwrap_or(1)
    }
}

/// Draws all rows.
///
/// # Errors
/// If the library cannot draw.
pub(super) fn svg(rows: &[Row<'_>], bodies: &[Body]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, rows, bodies).map_err(|error| error.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, rows: &[Row<'_>], bodies: &[Body]) -> Drawn {
    let lines = rows.len().div_ceil(COLUMNS);
    let width = PANEL.0.saturating_mul(COLUMNS as u32);
    let height = PANEL.1.saturating_mul(lines as u32).saturating_add(TITLE);
    let root = SVGBackend::with_string(text, (width, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (title, panels) = root.split_vertically(TITLE);
    let count = if bodies.len() == 1 { "1 body".to_owned() } else { format!("{} bodies", bodies.len()) };
    let style = ("sans-serif", 18).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Center));
    let middle = ((width >> 1) as i32, (TITLE >> 1) as i32);
    title.draw_text(&format!("{count}: how many have how much, and the limits in red"), &style, middle)?;
    for (row, panel) in rows.iter().zip(panels.split_evenly((lines, COLUMNS))) {
        draw_panel(&panel, row, &Histogram::new(row, bodies))?;
    }
    root.present()
}

#[expect(clippy::arithmetic_side_effects, reason = "+ puts together what is drawn")]
fn draw_panel(
    panel: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    row: &Row<'_>,
    histogram: &Histogram,
) -> Drawn {
    let quantity = row.quantity;
    let most = histogram.most();
    let top = f64::from(most) * 1.15;
    let caption = match row.limit {
        Some(limit) => format!(
            "{}: greatest {}, limit {}",
            quantity.traits().name,
            quantity.show(row.greatest),
            quantity.show_limit(limit)
        ),
        None => format!("{}: greatest {}", quantity.traits().name, quantity.show(row.greatest)),
    };
    let left = histogram.nothing.map_or(histogram.from, |nothing| nothing.0);
    let mut chart = ChartBuilder::on(panel)
        .caption(caption, ("sans-serif", 13))
        .margin(10)
        .margin_right(28)
        .x_label_area_size(24)
        .y_label_area_size(36)
        .build_cartesian_2d(f64::from(left) - 0.5..f64::from(histogram.to), 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .y_labels(4)
        .y_label_formatter(&|count| if count.fract() == 0.0 { count.to_string() } else { String::new() })
        .label_style(("sans-serif", 11))
        .draw()?;
    let bar = |&(at, count): &(i32, u32), colour: RGBColor| {
        let (left, right) = (f64::from(at), f64::from(at) + 1.0);
        Rectangle::new([(left + 0.05, 0.0), (right - 0.05, f64::from(count))], colour.filled())
    };
    chart.draw_series(histogram.bars.iter().map(|it| bar(it, BAR)))?;
    chart.draw_series(histogram.nothing.iter().map(|it| bar(it, NOTHING)))?;

    let style = ("sans-serif", 11).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top));
    let (start, end) = (f64::from(histogram.from), f64::from(histogram.to));
    chart.draw_series(LineSeries::new([(start, 0.0), (end, 0.0)], BLACK))?;
    chart.draw_series(histogram.ticks(quantity).map(|at| {
        EmptyElement::at((f64::from(at), 0.0))
            + PathElement::new([(0, 0), (0, 4)], BLACK)
            + Text::new(Histogram::label(quantity, at), (0, 7), style.clone())
    }))?;
    // Below its bar, where the axis does not reach.
    chart.draw_series(histogram.nothing.iter().map(|&(at, _)| {
        EmptyElement::at((f64::from(at) + 0.5, 0.0)) + Text::new("0", (0, 7), style.clone())
    }))?;
    if let Some(limit) = histogram.limit {
        chart.draw_series(LineSeries::new([(limit, 0.0), (limit, top)], LIMIT.stroke_width(2)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use plimsoll::Media;

    use super::*;
    use crate::profile::measure::Measures;
    use crate::profile::summary::rows;

    /// The histogram of encoded bytes.
    fn histogram(values: &[u64]) -> Histogram {
        let measures = |encoded| Measures { encoded, decoded: 0, gzip: None, document: None, stream: None };
        let body = |&encoded| Body { name: String::new(), media: Media::Octets, measures: measures(encoded) };
        let bodies: Vec<_> = values.iter().map(body).collect();
        Histogram::new(rows(&bodies).first().unwrap(), &bodies)
    }

    #[test]
    fn a_bar_has_what_is_more_than_one_power_of_two_and_up_to_the_next() {
        let histogram = histogram(&[1, 2, 3, 4, 5, 8, 9, 1024]);
        assert_eq!(histogram.bars, [(-1, 1), (0, 1), (1, 2), (2, 2), (3, 1), (9, 1)]);
        assert_eq!((histogram.nothing, histogram.from), (None, -1));
    }

    #[test]
    fn the_line_stands_at_the_limit_and_no_bar_behind_it() {
        // The least limit, and twice 5000 rounded up.
        for (most, limit) in [(1, 1024.0_f64), (5000, 10_240.0)] {
            let histogram = histogram(&[most]);
            assert_eq!(histogram.limit, Some(limit.log2()));
            assert!(f64::from(histogram.to) > limit.log2());
            assert!(histogram.bars.iter().all(|bar| f64::from(bar.0) < limit.log2()));
        }
    }

    #[test]
    fn those_that_have_nothing_stand_apart_from_the_axis() {
        let histogram = histogram(&[0, 0, 16]);
        assert_eq!((histogram.nothing, histogram.from), (Some((1, 2)), 3));
        assert!(histogram.ticks(Quantity::Encoded).all(|at| at >= 3));
        let nothing = self::histogram(&[0]);
        assert_eq!((nothing.nothing, nothing.bars.len()), (Some((-2, 1)), 0));
    }

    #[test]
    fn labels_have_room_and_none_stands_at_the_end() {
        for most in (0..60).map(|shift| 1_u64 << shift) {
            let histogram = histogram(&[1, most]);
            for quantity in [Quantity::Encoded, Quantity::Values, Quantity::Ratio] {
                let ticks: Vec<_> = histogram.ticks(quantity).collect();
                let widths: Vec<_> =
                    ticks.iter().map(|&at| Histogram::label(quantity, at).len() * DIGIT).collect();
                assert!(widths.iter().sum::<usize>() < AXIS, "{most}: {ticks:?}");
                assert!(!ticks.is_empty() && ticks.iter().all(|&at| at < histogram.to), "{most}: {ticks:?}");
            }
        }
    }

    #[test]
    fn ratios_below_one_are_fractions() {
        let labels = [-4, 0, 3].map(|at| Histogram::label(Quantity::Ratio, at));
        assert_eq!(labels, ["1/16", "1", "8"]);
        assert_eq!(Histogram::label(Quantity::Encoded, 10), "1 KiB");
    }
}
