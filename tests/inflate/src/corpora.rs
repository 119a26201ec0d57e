//! Files of the pinned data crates, found by asking cargo where it keeps them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A file and its name.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file's name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

fn folder(package: &str) -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "cargo metadata failed");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    let found = packages.iter().find(|entry| entry["name"] == package);
    let manifest = found.and_then(|entry| entry["manifest_path"].as_str()).expect("the data crate is pinned");
    Path::new(manifest).parent().expect("a manifest lies in a folder").to_owned()
}

fn files(folder: &Path, into: &mut Vec<Document>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            files(&path, into);
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            into.push(Document { name, bytes: fs::read(&path).expect("a file can be read") });
        }
    }
    into.sort_by(|one, other| one.name.cmp(&other.name));
}

/// The JSON files that bufjson carries: twitter, `citm_catalog`, canada and others.
#[must_use]
pub fn json() -> Vec<Document> {
    let mut documents = Vec::new();
    files(&folder("bufjson").join("benches/data"), &mut documents);
    documents.retain(|document| document.name.ends_with(".json"));
    assert!(documents.iter().any(|document| document.name == "twitter.json"), "the corpora are there");
    documents
}

/// The seeds with which libdeflate is fuzzed: raw DEFLATE, gzip, and what is to be compressed.
#[must_use]
pub fn fuzz_seeds() -> Vec<Document> {
    let mut documents = Vec::new();
    files(&folder("libdeflate-sys").join("libdeflate/scripts/libFuzzer"), &mut documents);
    documents.retain(|document| !document.name.ends_with(".c"));
    assert!(documents.len() > 5, "the seeds are there");
    documents
}
