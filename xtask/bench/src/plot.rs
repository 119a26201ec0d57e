//! Pictures of the figures of a run, as SVG. All that stands in them comes from the run: names, values, the date and the
//! machine.

mod axis;
mod canvas;
mod cost;
mod panel;
mod pieces;
mod scaling;
mod throughput;

use std::fs;
use std::path::Path;

use crate::figures::Figures;

/// A picture's file name without its ending, and what draws it, if the figures are there.
type Picture = (&'static str, fn(&Figures) -> Option<String>);

const PICTURES: [Picture; 4] = [
    ("throughput", throughput::draw),
    ("ram-and-instructions", cost::draw),
    ("scaling", scaling::draw),
    ("pieces", pieces::draw),
];

/// Draws into the folder `path` what there are figures for; or, where `path` ends in `.svg`, the picture of that name.
/// Gives the names of those that were drawn.
pub(crate) fn draw(figures: &Figures, path: &Path) -> Vec<&'static str> {
    let only = path.extension().is_some_and(|ending| ending == "svg").then(|| path.file_stem()).flatten();
    let folder = if only.is_some() { path.parent().unwrap_or(Path::new("")) } else { path };
    if folder != Path::new("") {
        fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    }
    let wanted = PICTURES.into_iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
    wanted
        .filter_map(|(name, draw)| {
            let svg = draw(figures)?;
            let file = folder.join(name).with_extension("svg");
            fs::write(&file, svg).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            Some(name)
        })
        .collect()
}

/// MB/s with its unit.
fn rate(value: f64) -> String {
    if value < 1000.0 { format!("{value} MB/s") } else { format!("{} GB/s", value / 1000.0) }
}

/// Bytes, a power of two.
fn bytes(value: f64) -> String {
    crate::sizes::name(value as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_the_unit_that_keeps_it_short() {
        assert_eq!([3.0, 300.0, 1000.0, 3000.0].map(rate), ["3 MB/s", "300 MB/s", "1 GB/s", "3 GB/s"]);
    }
}
