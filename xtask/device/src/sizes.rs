//! What the machines of the library keep between calls on a Cortex-M4: the image `sizes` prints it, and the README has
//! it as its table `sizes`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::board::BOARDS;
use crate::images::{self, Images};

/// The image, and the feature that it needs.
const IMAGE: &str = "sizes";

/// A machine's name and its bytes.
pub(crate) type Size = (String, u32);

/// Builds the image and runs it.
pub(crate) fn measure(images: &Images) -> Vec<Size> {
    let image = images.build(&BOARDS[0], "s", Some(IMAGE), &[IMAGE]).path(IMAGE);
    images::run(&BOARDS[0], &image, &[], &images.inputs()).lines().map(parse).collect()
}

/// A line of the image.
fn parse(line: &str) -> Size {
    let (name, bytes) = line.split_once('\t').unwrap_or_else(|| panic!("not a line of the image: {line}"));
    (name.to_owned(), bytes.parse().expect("a number of bytes"))
}

/// For machines: bytes by name.
pub(crate) fn to_json(sizes: &[Size]) -> Value {
    sizes.iter().map(|(name, bytes)| (name.clone(), json!(bytes))).collect::<serde_json::Map<_, _>>().into()
}

/// For people.
pub(crate) fn to_text(sizes: &[Size]) -> String {
    let mut text = format!("\nkept between calls, {}\n", BOARDS[0].name);
    for (name, bytes) in sizes {
        let _ = writeln!(text, "{name:<64}{bytes:>9}");
    }
    text
}

/// The README's table.
pub(crate) fn to_markdown(sizes: &[Size]) -> String {
    let mut table = String::from("| part | bytes |\n|---|---:|\n");
    for (name, bytes) in sizes {
        let _ = writeln!(table, "| {name} | {} |", crate::footprint::grouped(*bytes));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_image_becomes_a_row_of_the_table() {
        let size = parse("`Utf8`, and more\t2008");
        assert_eq!(to_markdown(&[size]), "| part | bytes |\n|---|---:|\n| `Utf8`, and more | 2,008 |\n");
    }
}
