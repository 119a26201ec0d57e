//! `cargo xtask fuzz`: the fuzz targets, built and run in turn.
//!
//! They are laid out as cargo-fuzz wants them, and built as it does without a sanitizer: that takes the stable compiler
//! and nothing to install. The libraries forbid unsafe code, so what a sanitizer would find is a fault of an oracle's;
//! `cargo +nightly fuzz run TARGET` has one.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::thread;

use cargo_metadata::MetadataCommand;

use crate::command::{Outcome, cargo, run};

/// What is to be fuzzed, and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these targets; the property of each stands in the first line of its file
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// How long each target runs
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u32,

    /// Run the one target over this input and no others
    #[arg(long, value_name = "FILE", requires = "targets")]
    replay: Option<PathBuf>,

    /// Whether this is the round that judges a change
    #[arg(skip)]
    fixed: bool,
}

impl Options {
    /// All targets, a few seconds each, with the inputs of the round before: what judges a change may not depend on luck, nor
    /// on what earlier rounds left. As far as the time reaches; a slower machine tries fewer of them.
    pub(crate) const fn short() -> Self {
        Self { targets: Vec::new(), seconds: 4, replay: None, fixed: true }
    }
}

/// Where the random numbers of the short round begin. Any other round draws its own.
const SEED: u32 = 8;

/// The folder of the targets: a workspace of its own.
const FOLDER: &str = "fuzz";

/// Where they are built, and where logs and the folder of a round are written.
const BUILT: &str = "target/fuzz";

/// The instrumentation that libFuzzer needs: counters and compares, as cargo-fuzz 0.13 asks for them.
const FLAGS: [&str; 8] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "-Cforce-frame-pointers=yes",
];

/// Builds the targets, writes their seeds and runs them, as many at a time as there are processors.
///
/// # Errors
/// If something cannot be built, or a target has a finding; the others are run all the same.
pub(crate) fn fuzz(options: &Options) -> Outcome {
    let manifest = Path::new(FOLDER).join("Cargo.toml");
    let targets = targets(&manifest)?;
    if let Some(unknown) = options.targets.iter().find(|name| !targets.contains(name)) {
        return Err(format!("there is no target {unknown}; there are {}", targets.join(", ")).into());
    }
    let chosen = if options.targets.is_empty() { targets } else { options.targets.clone() };
    let binaries = build(&manifest, &chosen)?;
    if let Some(input) = &options.replay {
        let replay = |name: &String| run(Command::new(binaries.join(name)).arg(input));
        return chosen.iter().try_for_each(replay);
    }
    // The data crates of the tests, wherever they stand among the dependencies.
    cargo(["fetch", "--quiet"])?;
    let folder = format!("{BUILT}/round-{}", std::process::id());
    let seeds = format!("{folder}/seeds");
    cargo(["run", "--quiet", "--package", "plimsoll-tests-properties", "--bin", "seeds", "--", &seeds])?;
    let findings = round(&chosen, &binaries, Path::new(&folder), options);
    fs::remove_dir_all(&folder)?;
    if findings.is_empty() { Ok(()) } else { Err(format!("findings: {}", findings.join(", ")).into()) }
}

/// Runs these targets, each with the seeds in the folder of this round: another round may be running beside it, with others.
/// Gives the names of those that found something.
fn round<'n>(chosen: &'n [String], binaries: &Path, folder: &Path, options: &Options) -> Vec<&'n str> {
    if options.fixed {
        println!("{} s of each target, from its seeds alone, with -seed={SEED}", options.seconds);
    }
    let left = Mutex::new(chosen.iter());
    let next = || left.lock().ok()?.next();
    let findings = Mutex::new(Vec::new());
    let worker = || {
        while let Some(name) = next() {
            let told = match one(name, binaries, folder, options) {
                Ok(line) => line,
                Err(finding) => {
                    if let Ok(mut findings) = findings.lock() {
                        findings.push(name.as_str());
                    }
                    finding.to_string()
                }
            };
            println!("{told}");
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(worker);
        }
    });
    findings.into_inner().unwrap_or_default()
}

/// The names of the targets.
fn targets(manifest: &Path) -> Outcome<Vec<String>> {
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec()?;
    let targets = metadata.packages.into_iter().flat_map(|package| package.targets);
    Ok(targets.map(|target| target.name).collect())
}

/// Builds targets with their instrumentation and says where they are.
fn build(manifest: &Path, targets: &[String]) -> Outcome<PathBuf> {
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output()?;
    let host = String::from_utf8(host.stdout)?;
    let host = host.trim();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // With a target named, what runs while building is built without the flags.
    run(Command::new(cargo)
        .args(["build", "--quiet", "--release", "--target", host, "--target-dir", BUILT, "--manifest-path"])
        .arg(manifest)
        .args(targets.iter().flat_map(|name| ["--bin", name]))
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}")))?;
    Ok(Path::new(BUILT).join(host).join("release"))
}

/// Runs one target and says in one line what it did.
///
/// # Errors
/// Its finding: what was told, where the input lies, and what to do with it.
fn one(name: &str, binaries: &Path, folder: &Path, options: &Options) -> Outcome<String> {
    let artifacts = Path::new(FOLDER).join("artifacts").join(name);
    let seeds = folder.join("seeds").join(name);
    let dictionary = seeds.with_extension("dict");
    let log = Path::new(BUILT).join(name).with_extension("log");
    let kept = if options.fixed { folder.join("corpus") } else { Path::new(FOLDER).join("corpus") };
    let corpus = kept.join(name);
    for folder in [&corpus, &artifacts] {
        fs::create_dir_all(folder)?;
    }
    let program = binaries.join(name);
    let mut command = if options.fixed { at_the_same_addresses(&program) } else { Command::new(&program) };
    command
        .args(["-max_len=4096", "-timeout=25", "-rss_limit_mb=2048", "-print_final_stats=1"])
        .arg(format!("-max_total_time={}", options.seconds))
        .arg(format!("-seed_inputs=@{}", listed(&seeds)?.display()))
        .arg(format!("-artifact_prefix={}/", artifacts.display()));
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    if options.fixed {
        // What is replaced in the corpus by something shorter would be read again, when a second is over.
        command.arg(format!("-seed={SEED}")).arg("-reload=0");
    }
    let status = command.arg(&corpus).stderr(File::create(&log)?).status()?;
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    if status.success() { Ok(done(name, &text)) } else { Err(finding(name, status, &log, &text)) }
}

/// A program whose memory is where it was the last time, where the system can do that. What a target compares is what libFuzzer
/// puts into inputs, and some of it are addresses.
fn at_the_same_addresses(program: &Path) -> Command {
    let mut command = Command::new("setarch");
    command.arg("--addr-no-randomize");
    let can = Command::new("setarch").args(["--addr-no-randomize", "true"]).output();
    if can.is_ok_and(|output| output.status.success()) {
        command.arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Writes a list of a folder's files beside it, in the order of their names: a folder has them in any.
fn listed(seeds: &Path) -> Outcome<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(seeds)? {
        files.push(entry?.path().display().to_string());
    }
    files.sort_unstable();
    let list = seeds.with_extension("list");
    fs::write(&list, files.join(","))?;
    Ok(list)
}

/// Inputs, and how far the corpus reaches.
fn done(name: &str, log: &str) -> String {
    let executed = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units: "));
    let reached =
        log.lines().rev().find_map(|line| line.split_once("\tDONE ")).map_or("", |(_, reached)| reached);
    format!("{name}: {} inputs, {}", executed.unwrap_or("?"), reached.trim())
}

fn finding(name: &str, status: ExitStatus, log: &Path, text: &str) -> Box<dyn Error> {
    let is_told = |line: &&str| line.contains("panicked at") || line.contains("ERROR: libFuzzer");
    let mut told: Vec<&str> = text.lines().skip_while(|line| !is_told(line)).take(12).collect();
    if told.is_empty() {
        // It did not come as far as an input.
        told.extend(text.lines().last());
    }
    let written = "Test unit written to ";
    let input = text.lines().find_map(|line| line.split_once(written)).map_or("?", |(_, input)| input);
    format!(
        "{name}: {status}\n{}\n  all of it: {}\n  the input: {input}\n  \
         again: cargo xtask fuzz {name} --replay {input}\n  \
         keep it: tests/properties/regressions/{name}/, with the commit that mends it",
        told.join("\n"),
        log.display(),
    )
    .into()
}
