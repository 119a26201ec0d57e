//! What an image has to print, to the letter.

use std::path::Path;

use crate::Outcome;

/// Holds what `image` brought against the file of its name with `extension`.
pub(crate) fn compare(image: &str, extension: &str, found: &str) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .with_file_name("expected")
        .join(image)
        .with_extension(extension);
    let expected = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if found == expected {
        return Ok(());
    }
    let mut found_lines = found.lines();
    for (index, line) in expected.lines().enumerate() {
        match found_lines.next() {
            Some(found) if found == line => {}
            other => {
                let (number, found) = (index.saturating_add(1), other.unwrap_or("nothing"));
                return Err(format!(
                    "line {number} of {}: `{line}` is expected, and this is `{found}`",
                    path.display()
                )
                .into());
            }
        }
    }
    let rest: Vec<_> = found_lines.collect();
    Err(format!("behind the end of {}: {}", path.display(), rest.join("\n")).into())
}
