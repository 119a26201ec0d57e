//! The test data, which other crates carry: their folders are found with `cargo metadata`, and nothing is
//! copied into the repository.

use std::fs;
use std::path::PathBuf;

use cargo_metadata::MetadataCommand;

/// The documents of bufjson's benches that are real ones.
pub const REAL: [&str; 6] = [
    "twitter.json",
    "twitterescaped.json",
    "citm_catalog.json",
    "canada.json",
    "mesh.json",
    "github_events.json",
];

/// The folder of a package that this one depends on.
fn folder(package: &str) -> PathBuf {
    let metadata = MetadataCommand::new().other_options(vec!["--offline".into()]).exec().unwrap();
    let found = metadata.packages.iter().find(|candidate| candidate.name.as_str() == package);
    found.unwrap().manifest_path.parent().unwrap().into()
}

/// The real documents, by name.
#[must_use]
pub fn real() -> Vec<(&'static str, Vec<u8>)> {
    let folder = folder("bufjson").join("benches/data");
    REAL.iter().map(|&name| (name, fs::read(folder.join(name)).unwrap())).collect()
}

/// The 318 parsing tests of `JSONTestSuite`, by name and in its order.
#[must_use]
pub fn suite() -> Vec<(String, Vec<u8>)> {
    let folder = folder("fixed-json").join("JSONTestSuite/test_parsing");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}
