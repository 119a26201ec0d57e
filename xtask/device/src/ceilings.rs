//! What the images may take at most: `xtask/ceilings.toml`.
//!
//! A figure over its ceiling is a regression. A figure far below it is one to come that nobody would see: more than
//! [`SLACK`] percent (and [`SMALL`] bytes) under the ceiling fails as well, and the ceiling is then to be lowered. An image
//! without ceilings fails, and so do ceilings without an image.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// How far under its ceiling a figure may be, in percent.
const SLACK: u32 = 10;
/// And for small ones, in bytes.
const SMALL: u32 = 32;
/// By how much `--write` sets a ceiling over the figure, in percent: what another release of the compiler may bring.
const HEADROOM: u32 = 3;

/// The ceilings of one image on one target at one level, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ceiling {
    pub(crate) flash: u32,
    pub(crate) memory: u32,
    pub(crate) state: u32,
    /// Of the bound, which is never below what was measured.
    pub(crate) stack: u32,
}

/// By image, then by target and level.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Ceilings(BTreeMap<String, BTreeMap<String, Ceiling>>);

const HEAD: &str = "\
# What the images of `cargo xtask footprint` may take at most, in bytes, over an image that does nothing. A figure over its
# ceiling fails, and so does one that is more than 10 % under it. `cargo xtask footprint --write` sets these anew, 3 % over
# what is measured; a commit that raises one says why.
#
# flash: code, constants, initialised variables. memory: static variables. state: what is kept besides history and scratch.
# stack: the deepest way through the call graph, without the state that lies on the stack.
";

impl Ceilings {
    /// Reads the file.
    pub(crate) fn read(root: &Path) -> Self {
        let text = std::fs::read_to_string(file(root)).expect("there is a file of ceilings");
        toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Writes the file.
    pub(crate) fn write(&self, root: &Path) {
        let mut text = HEAD.to_owned();
        for (image, places) in &self.0 {
            text += &format!("\n[{image}]\n");
            for (place, Ceiling { flash, memory, state, stack }) in places {
                text += &format!(
                    "{place} = {{ flash = {flash}, memory = {memory}, state = {state}, stack = {stack} }}\n"
                );
            }
        }
        std::fs::write(file(root), text).expect("the file of ceilings can be written");
    }

    /// Sets a ceiling a little over the figures.
    pub(crate) fn set(&mut self, image: &str, place: &str, figures: Ceiling) {
        let over = |figure: u32| figure + (figure * HEADROOM).div_ceil(100);
        let Ceiling { flash, memory, state, stack } = figures;
        let ceiling = Ceiling { flash: over(flash), memory, state, stack: over(stack) };
        self.0.entry(image.to_owned()).or_default().insert(place.to_owned(), ceiling);
    }

    /// What is wrong with the figures of an image.
    pub(crate) fn judge(&self, image: &str, place: &str, figures: Ceiling) -> Vec<String> {
        let Some(ceiling) = self.0.get(image).and_then(|places| places.get(place)) else {
            return vec![format!("{image}, {place}: it has no ceilings")];
        };
        let pairs = [
            ("flash", figures.flash, ceiling.flash),
            ("memory", figures.memory, ceiling.memory),
            ("state", figures.state, ceiling.state),
            ("stack", figures.stack, ceiling.stack),
        ];
        let judge = |(what, figure, ceiling): (&str, u32, u32)| {
            if figure > ceiling {
                return Some(format!("{image}, {place}: {what} is {figure}, over its ceiling of {ceiling}"));
            }
            let slack = ceiling - figure;
            (slack > SMALL && slack * 100 > ceiling * SLACK).then(|| {
                format!(
                    "{image}, {place}: {what} is {figure}, far under its ceiling of {ceiling}: lower that"
                )
            })
        };
        pairs.into_iter().filter_map(judge).collect()
    }

    /// Ceilings of what was not measured.
    pub(crate) fn without(&self, measured: &[(String, String)]) -> Vec<String> {
        let places = self.0.iter().flat_map(|(image, places)| places.keys().map(move |place| (image, place)));
        places
            .filter(|&(image, place)| !measured.iter().any(|(i, p)| i == image && p == place))
            .map(|(image, place)| format!("{image}, {place}: it has ceilings, but there is no such image"))
            .collect()
    }
}

fn file(root: &Path) -> std::path::PathBuf {
    root.join("xtask/ceilings.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceilings() -> Ceilings {
        toml::from_str("[check]\n\"m4 s\" = { flash = 5000, memory = 0, state = 64, stack = 100 }").unwrap()
    }

    #[test]
    fn a_figure_over_its_ceiling_or_far_under_it_is_told() {
        let exact = Ceiling { flash: 5000, memory: 0, state: 64, stack: 100 };
        let judge = |figures| ceilings().judge("check", "m4 s", figures).len();
        assert_eq!(judge(exact), 0);
        assert_eq!(judge(Ceiling { flash: 5001, memory: 1, ..exact }), 2);
        assert_eq!(judge(Ceiling { flash: 4500, stack: 68, ..exact }), 0);
        assert_eq!(judge(Ceiling { flash: 4499, stack: 67, ..exact }), 2);
    }

    #[test]
    fn an_image_without_ceilings_is_told_and_so_are_ceilings_without_an_image() {
        let figures = Ceiling { flash: 1, memory: 1, state: 1, stack: 1 };
        assert_eq!(ceilings().judge("tokens", "m4 s", figures).len(), 1);
        assert_eq!(ceilings().without(&[]).len(), 1);
        assert!(ceilings().without(&[("check".to_owned(), "m4 s".to_owned())]).is_empty());
    }

    #[test]
    fn what_is_set_holds_the_figures_with_little_room() {
        let figures = Ceiling { flash: 5000, memory: 10, state: 64, stack: 90 };
        let mut set = Ceilings::default();
        set.set("check", "m4 s", figures);
        assert!(set.judge("check", "m4 s", figures).is_empty());
        assert_eq!(set.0["check"]["m4 s"], Ceiling { flash: 5150, memory: 10, state: 64, stack: 93 });
    }
}
