//! Markus Kuhn's "UTF-8 decoder capability and stress test", as the crate `encoding` carries it.
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test whose data is missing fails")]

use std::path::Path;
use std::process::Command;

use plimsoll_tests_utf8::Comparison;
use serde_json::Value;

fn stress_test() -> Vec<u8> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let mut packages = metadata["packages"].as_array().expect("metadata lists packages").iter();
    let package = packages.find(|package| package["name"] == "encoding").expect("encoding is pinned");
    let manifest = Path::new(package["manifest_path"].as_str().expect("a package has a manifest"));
    std::fs::read(manifest.with_file_name("src").join("examples/UTF-8-test.txt")).expect("the file is there")
}

#[test]
fn each_line_of_the_stress_test_is_judged_as_by_core_at_every_two_way_split() {
    let text = stress_test();
    let mut faults = 0;
    let mut comparison = Comparison::default();
    for line in text.split(|&byte| byte == b'\n') {
        faults += usize::from(core::str::from_utf8(line).is_err());
        comparison.expect(line);
        for cut in 0..=line.len() {
            comparison.compare([cut, line.len() - cut].into_iter());
        }
    }
    // The whole of the file was read: it has tests on each of these lines.
    assert!(faults > 50, "{faults} lines at fault");
}

#[test]
fn the_whole_stress_test_is_judged_as_by_core_in_chunks_of_every_size() {
    let text = stress_test();
    let mut comparison = Comparison::default();
    comparison.expect(&text);
    for size in (1..=64).chain([512, 4096, text.len()]) {
        comparison.compare_chunks(size);
    }
}
