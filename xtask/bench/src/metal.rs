//! Exact instruction counts on a Cortex-M4: lays the inputs out, builds the image of `xtask/metal` that
//! counts, runs it under QEMU and reads what it prints. One instruction is 1 ns of QEMU's virtual time
//! (`-icount shift=0`), so the counts are the same on every run with one toolchain; another one, or another
//! layout, moves them by up to 3 %.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::corpora::{Corpora, Producer, deflate};
use crate::hostile;
use crate::rounds::{Counted, Heading, Settings, Table, Unit};

/// The triple of a Cortex-M4 with its FPU.
const TARGET: &str = "thumbv7em-none-eabihf";

/// Bytes of a hostile stream: one that costs 40,000 instructions per byte still fits the counter.
const HOSTILE: usize = 16 << 10;

pub(crate) fn run(settings: &Settings, levels: &[String]) -> Table {
    let images = Images::new(&Corpora::locate());
    let heading = Heading {
        kind: "metal",
        about: "Cortex-M4 under QEMU, decoded bytes, or encoded ones of what decodes to nothing",
        unit: Unit::InstructionsPerByte,
        references: &["miniz_oxide ring", "core::str::from_utf8, whole"],
        ordinary: None,
    };
    let counted = levels.iter().flat_map(|level| {
        let report = execute(&images.build("count", level));
        report.lines().map(|line| parse(line, level)).collect::<Vec<_>>()
    });
    Table::counted(heading, settings, counted.collect())
}

/// Builds the images of `xtask/metal`, a workspace of its own.
pub(crate) struct Images {
    manifest: PathBuf,
    target: PathBuf,
    inputs: PathBuf,
}

impl Images {
    /// Lays out what the images include.
    pub(crate) fn new(corpora: &Corpora) -> Self {
        let target = corpora.target_directory().join("metal");
        let inputs = target.join("inputs");
        fs::create_dir_all(&inputs).expect("the target directory can be written");
        let events = corpora.json("github_events").bytes;
        let files = [
            ("github_events.deflate".to_owned(), deflate(Producer::Pigz, &events)),
            ("github_events.json".to_owned(), events),
        ];
        let streams =
            hostile::streams(HOSTILE).into_iter().map(|stream| (stream.name.replace(' ', "-"), stream.body));
        for (name, bytes) in files.into_iter().chain(streams) {
            let path = inputs.join(name);
            // An input that is written anew has its image built anew.
            if fs::read(&path).ok().as_ref() != Some(&bytes) {
                fs::write(&path, bytes).expect("the target directory can be written");
            }
        }
        Self { manifest: corpora.root().join("xtask/metal/Cargo.toml"), target, inputs }
    }

    /// The names of the images that begin with `prefix`.
    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let folder = self.manifest.with_file_name("src").join("bin");
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("the images' sources are there")
            .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
            .filter(|name| name.starts_with(prefix))
            .collect();
        names.sort();
        names
    }

    /// Builds the image `name` at the optimisation level `level`.
    pub(crate) fn build(&self, name: &str, level: &str) -> PathBuf {
        let status = Command::new(Corpora::cargo())
            .args(["build", "--quiet", "--release", "--locked", "--target", TARGET, "--bin", name])
            .arg("--manifest-path")
            .arg(&self.manifest)
            .arg("--target-dir")
            .arg(&self.target)
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
            .env("PLIMSOLL_METAL_INPUTS", &self.inputs)
            .status()
            .expect("cargo can be run");
        assert!(status.success(), "{name} does not build at opt-level {level}");
        self.target.join(TARGET).join("release").join(name)
    }
}

/// Runs an image and takes what it prints.
fn execute(image: &PathBuf) -> String {
    let output = Command::new("qemu-system-arm")
        .args(["-machine", "mps2-an386", "-cpu", "cortex-m4", "-icount", "shift=0", "-nographic"])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(image)
        .stdin(Stdio::null())
        .output()
        .expect("qemu-system-arm is installed");
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{}: {text}", image.display());
    text
}

/// A line of the image: kind, subject, contestant, instructions or `-`, bytes.
fn parse(line: &str, level: &str) -> Counted {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[kind, subject, contestant, instructions, bytes] = fields.as_slice() else {
        panic!("not a line of the image: {line}");
    };
    let (ours, contestant) = contestant.strip_prefix('*').map_or((false, contestant), |name| (true, name));
    Counted {
        subject: format!("{kind}, opt-level {level}: {subject}"),
        contestant: contestant.to_owned(),
        ours,
        instructions: instructions.parse().ok(),
        bytes: bytes.parse().expect("a number of bytes"),
    }
}
