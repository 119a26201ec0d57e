//! The subjects: files of the pinned data crates, found through `cargo metadata`, and of the Rust toolchain;
//! bodies compressed at run time by the installed `gzip`; patterns made here. Everything stays in memory.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use serde_json::Value;

/// A subject and its name in the report.
pub struct Document {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Document {
    /// A subject of that name.
    pub fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.to_owned(), bytes: bytes.into() }
    }

    /// `count` bytes or a little more: `head`, `unit` again and again, `tail`.
    #[must_use]
    pub fn repeated(name: &str, count: usize, [head, unit, tail]: [&str; 3]) -> Self {
        let middle = unit.repeat(count.div_ceil(unit.len()));
        Self::new(name, [head, &middle, tail].concat())
    }
}

/// Where the data crates lie.
pub struct Corpora {
    metadata: Value,
}

impl Corpora {
    /// Asks cargo.
    #[must_use]
    pub fn locate() -> Self {
        let output = Command::new(Self::cargo())
            .args(["metadata", "--format-version", "1"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo can be run");
        assert!(output.status.success(), "cargo metadata failed");
        Self { metadata: serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON") }
    }

    /// The cargo that runs this, or the one in the path.
    #[must_use]
    pub fn cargo() -> OsString {
        env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
    }

    /// The folder of the workspace.
    #[must_use]
    pub fn root(&self) -> &Path {
        Path::new(self.metadata["workspace_root"].as_str().expect("metadata names the workspace"))
    }

    /// Where cargo builds.
    #[must_use]
    pub fn target_directory(&self) -> &Path {
        Path::new(self.metadata["target_directory"].as_str().expect("metadata names the target directory"))
    }

    /// The folder of the dependency `package`.
    fn folder(&self, package: &str) -> PathBuf {
        let packages = self.metadata["packages"].as_array().expect("metadata lists packages");
        let found = packages.iter().find(|entry| entry["name"] == package);
        let manifest =
            found.and_then(|entry| entry["manifest_path"].as_str()).expect("the data crate is pinned");
        Path::new(manifest).parent().expect("a manifest lies in a folder").to_owned()
    }

    /// One of bufjson's files: twitter, `citm_catalog`, canada, twitterescaped, `github_events`, mesh,
    /// numbers.
    #[must_use]
    pub fn json(&self, name: &str) -> Document {
        let path = self.folder("bufjson").join("benches/data").join(name).with_extension("json");
        Document::new(name, read(&path))
    }

    /// A text: the Rust book on one page, or the licences of the standard library where the toolchain came
    /// without its documentation.
    #[must_use]
    pub fn text(&self) -> Document {
        let folder = sysroot().join("share/doc/rust");
        let book = folder.join("html/book/print.html");
        if book.exists() {
            Document::new("text (the Rust book)", read(&book))
        } else {
            Document::new("text (licences)", read(&folder.join("COPYRIGHT-library.html")))
        }
    }

    /// A binary: 4 MiB from the middle of the cargo executable.
    #[must_use]
    pub fn binary(&self) -> Document {
        const SIZE: usize = 4 << 20;
        let bytes = read(&sysroot().join("bin").join(format!("cargo{}", env::consts::EXE_SUFFIX)));
        let start = bytes.len().saturating_sub(SIZE) / 2;
        let end = bytes.len().min(start + SIZE);
        Document::new("binary (cargo)", &bytes[start..end])
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sysroot() -> PathBuf {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().expect("rustc can be run");
    PathBuf::from(String::from_utf8(output.stdout).expect("the sysroot is text").trim_end())
}

/// A program that writes gzip.
#[derive(Clone, Copy)]
pub enum Producer {
    /// GNU gzip, as most servers' files were made.
    Gzip,
    /// pigz, which has zlib inside: its stream is zlib's own where the input is one block of 128 KiB.
    Pigz,
}

/// What `producer` at level 6 makes of `bytes`, without header and trailer: raw DEFLATE.
#[must_use]
pub fn deflate(producer: Producer, bytes: &[u8]) -> Vec<u8> {
    const HEADER: usize = 10;
    const TRAILER: usize = 8;
    let gzip = gzip(producer, bytes);
    gzip[HEADER..gzip.len() - TRAILER].to_vec()
}

/// What `producer` at level 6 makes of `bytes`, with a header that names nothing.
#[must_use]
pub fn gzip(producer: Producer, bytes: &[u8]) -> Vec<u8> {
    let program = match producer {
        Producer::Gzip => "gzip",
        Producer::Pigz => "pigz",
    };
    let mut child = Command::new(program)
        .args(["-6", "-n", "-c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(bytes).expect("all of the input is read"));
        child.wait_with_output().expect("the program ends")
    });
    assert!(output.status.success(), "{program} failed");
    output.stdout
}
