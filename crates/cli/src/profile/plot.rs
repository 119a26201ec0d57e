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
const FAINT: RGBColor = RGBColor(0xd8, 0xd8, 0xd8);

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Bodies by how much they have: bar `n` counts those of at least 2^n and less than twice that. Those that have nothing
/// stand one place to the left of the others.
struct Histogram {
    bars: Vec<(i32, u32)>,
    nothing: Option<i32>,
    /// The first and the last place that are shown.
    from: i32,
    to: i32,
    limit: Option<f64>,
}

fn scale(quantity: Quantity) -> f64 {
    if quantity.traits().unit == Unit::Ratio { 100.0 } else { 1.0 }
}

impl Histogram {
    fn new(row: &Row<'_>, bodies: &[Body]) -> Self {
        let scale = scale(row.quantity);
        let place = |value: u64| (value as f64 / scale).log2();
        let values = values(row.quantity, bodies);
        let some = values.iter().filter(|&&value| value > 0).map(|&value| place(value).floor() as i32);
        let lowest = some.clone().min().unwrap_or(0);
        let nothing = values.contains(&0).then_some(lowest.saturating_sub(1));
        let zeros = values.iter().filter(|&&value| value == 0).filter_map(|_| nothing);
        let mut bars: Vec<(i32, u32)> = Vec::new();
        for at in zeros.chain(some) {
            match bars.last_mut() {
                Some((last, count)) if *last == at => *count = count.saturating_add(1),
                _ => bars.push((at, 1)),
            }
        }
        // Behind all that has just as much, which is still accepted.
        let limit = row.limit.map(|limit| place(limit.saturating_add(1)));
        let last = bars.last().map_or(lowest, |bar| bar.0).saturating_add(1);
        let to = limit.map_or(last, |limit| last.max(limit.ceil() as i32)).saturating_add(1);
        Self { from: nothing.unwrap_or(lowest).saturating_sub(1), to, bars, nothing, limit }
    }

    /// What stands under the place `at` of the axis.
    fn label(&self, quantity: Quantity, at: f64) -> String {
        if self.nothing.is_some_and(|nothing| at < f64::from(nothing) + 1.0) {
            return String::new();
        }
        let value = at.exp2();
        match quantity.traits().unit {
            Unit::Ratio => value.to_string(),
            _ if value < 1.0 => String::new(),
            _ => quantity.show(value as u64),
        }
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

fn draw_panel(
    panel: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    row: &Row<'_>,
    histogram: &Histogram,
) -> Drawn {
    let quantity = row.quantity;
    let most = histogram.bars.iter().map(|bar| bar.1).max().unwrap_or(1);
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
    let mut chart = ChartBuilder::on(panel)
        .caption(caption, ("sans-serif", 13))
        .margin(10)
        .margin_right(28)
        .x_label_area_size(24)
        .y_label_area_size(36)
        .build_cartesian_2d(f64::from(histogram.from)..f64::from(histogram.to), 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .x_labels(6)
        .x_label_formatter(&|at| histogram.label(quantity, *at))
        .y_labels(4)
        .y_label_formatter(&|count| if count.fract() == 0.0 { count.to_string() } else { String::new() })
        .label_style(("sans-serif", 11))
        .draw()?;
    chart.draw_series(histogram.bars.iter().map(|&(at, count)| {
        let (left, right) = (f64::from(at), f64::from(at) + 1.0);
        Rectangle::new([(left + 0.05, 0.0), (right - 0.05, f64::from(count))], BAR.filled())
    }))?;
    // The axis has no place for nothing, so its bar is the first and says so itself.
    if let (Some(nothing), Some(&(_, count))) = (histogram.nothing, histogram.bars.first()) {
        let style = ("sans-serif", 12).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Bottom));
        chart.draw_series([Text::new("0", (f64::from(nothing) + 0.5, f64::from(count)), style)])?;
    }
    if let Some(limit) = histogram.limit {
        chart.draw_series(LineSeries::new([(limit, 0.0), (limit, top)], LIMIT.stroke_width(2)))?;
    }
    Ok(())
}
