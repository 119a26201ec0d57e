//! Every feature of a library crate is told in its documentation.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::fs;
use std::path::Path;

/// The crates whose documentation is their `lib.rs`.
const LIBRARIES: [&str; 7] = ["core", "budget", "gzip", "inflate", "utf8", "json", "ingest"];

/// The names in the section `[features]` of a manifest, `default` aside.
fn features(manifest: &str) -> Vec<&str> {
    let section = manifest.split_once("[features]\n").map_or("", |(_, rest)| rest);
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" ="));
    names.map(|(name, _)| name).filter(|name| *name != "default").collect()
}

#[test]
fn the_documentation_of_a_crate_tells_each_of_its_features() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut untold = Vec::new();
    let mut told = 0_usize;
    for name in LIBRARIES {
        let read = |file: &str| fs::read_to_string(crates.join(name).join(file)).unwrap();
        let (manifest, source) = (read("Cargo.toml"), read("src/lib.rs"));
        let documentation: String = source
            .lines()
            .filter_map(|line| line.strip_prefix("//!"))
            .map(|line| format!("{line}\n"))
            .collect();
        for feature in features(&manifest) {
            told = told.saturating_add(1);
            if !documentation.contains(&format!("`{feature}`")) {
                untold.push(format!("{name}: {feature}"));
            }
        }
    }
    assert!(untold.is_empty(), "{untold:#?}");
    assert!(told > 15, "{told}");
}
