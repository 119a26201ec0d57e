//! Writes the seeds of every fuzz target into the folder that is named.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("the folder to write into is missing")?;
    properties::seeds::write(&PathBuf::from(folder))
}
