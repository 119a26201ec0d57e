//! The summary as a table that fits a width: what does not fit is left out, the least telling first, and long names
//! lose their beginning.

use anstyle::Style;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ColumnConstraint, Table};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::summary::Row;

const HEADER: Style = Style::new().bold();

/// Columns by number.
const LEAST: usize = 1;
const MEDIAN: usize = 2;
const LIMIT: usize = 4;
const GREATEST_IN: usize = 5;

/// The narrowest column for names of files.
const NAME: usize = 16;

/// Space between columns.
const GAP: usize = 2;

/// Lays out the rows in at most `width` columns of text. Over a single body there is nothing to compare.
pub(crate) fn table(rows: &[Row<'_>], bodies: usize, width: usize) -> String {
    let greatest = if bodies == 1 { "measured" } else { "greatest" };
    let mut lines = vec![["", "least", "median", greatest, "limit", "greatest in"].map(str::to_owned)];
    lines.extend(rows.iter().map(|row| {
        let show = |value| row.quantity.show(value);
        [
            row.quantity.traits().name.to_owned(),
            show(row.least),
            show(row.median),
            show(row.greatest),
            row.limit.map(|limit| row.quantity.show_limit(limit)).unwrap_or_default(),
            row.greatest_in.to_owned(),
        ]
    }));
    let layout = Layout::choose(&lines, bodies, width);
    for [.., name] in &mut lines {
        *name = ending(name, layout.name);
    }

    let mut table = Table::new();
    table.load_style(NOTHING).add_rows(lines);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, GAP as u16));
        if (LEAST..=LIMIT).contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if layout.hidden.contains(&index) {
            column.set_constraint(ColumnConstraint::Hidden);
        }
    }
    let text = table.trim_fmt();
    match text.split_once('\n') {
        Some((header, rest)) => format!("{HEADER}{header}{HEADER:#}\n{rest}"),
        None => text,
    }
}

/// What of the table is shown.
struct Layout {
    hidden: Vec<usize>,
    /// The width of the column of names.
    name: usize,
}

impl Layout {
    fn choose(lines: &[[String; 6]], bodies: usize, width: usize) -> Self {
        let mut widths = [0_usize; 6];
        for line in lines {
            for (widest, cell) in widths.iter_mut().zip(line) {
                *widest = cell.width().max(*widest);
            }
        }
        let [.., name] = &mut widths;
        let narrow = NAME.min(*name);
        *name = narrow;
        let mut hidden = if bodies == 1 { vec![LEAST, MEDIAN, GREATEST_IN] } else { Vec::new() };
        for next in [LEAST, MEDIAN, GREATEST_IN, LIMIT] {
            if taken(&widths, &hidden) <= width {
                break;
            }
            if !hidden.contains(&next) {
                hidden.push(next);
            }
        }
        let free = width.saturating_sub(taken(&widths, &hidden));
        Self { hidden, name: narrow.saturating_add(free) }
    }
}

/// The width of all columns that are shown.
fn taken(widths: &[usize], hidden: &[usize]) -> usize {
    let shown = widths.iter().enumerate().filter(|(index, _)| !hidden.contains(index));
    shown.map(|(_, width)| width.saturating_add(GAP)).sum::<usize>().saturating_sub(GAP)
}

/// A text, or as much of its end as `width` has room for.
fn ending(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        let wide = character.width().unwrap_or(0);
        if wide > left {
            break;
        }
        left = left.saturating_sub(wide);
        start = at;
    }
    format!("\u{2026}{}", text.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::quantity::Quantity;

    fn row(name: &str) -> Row<'_> {
        let (least, median, greatest) = (1, 2_000, 3_000_000);
        Row { quantity: Quantity::Encoded, least, median, greatest, greatest_in: name, limit: Some(6 << 20) }
    }

    #[test]
    fn no_line_is_wider_than_the_width_down_to_a_name_and_a_number() {
        for name in
            ["a.gz", "folder/with/a/long/name/and/a/file.json.gz", "文字文字文字文字文字文字文字文字.gz"]
        {
            for bodies in [1, 2] {
                for width in 17..200 {
                    let text = anstream::adapter::strip_str(&table(&[row(name)], bodies, width)).to_string();
                    let widest = text.lines().map(UnicodeWidthStr::width).max();
                    assert!(widest.is_some_and(|widest| widest <= width), "{width}:\n{text}");
                    assert!(text.contains("2.8 MiB"), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_wide_table_has_everything() {
        let text = table(&[row("a.gz")], 2, 300);
        for cell in ["least", "median", "greatest", "limit", "1 B", "1.9 KiB", "2.8 MiB", "6 MiB", "a.gz"] {
            assert!(text.contains(cell), "{cell}:\n{text}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        for (text, width, expected) in [
            ("a.json.gz", 9, "a.json.gz"),
            ("a.json.gz", 8, "…json.gz"),
            ("文字.gz", 6, "…字.gz"),
            ("文字.gz", 5, "….gz"),
            ("ab", 1, "…"),
            ("ab", 0, "…"),
        ] {
            assert_eq!(ending(text, width), expected);
        }
    }
}
