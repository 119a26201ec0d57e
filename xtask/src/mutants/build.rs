//! Builds a crate with all of its changes, and what tests it. A change that does not compile is taken out: the error stands in its arm.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use cargo_metadata::diagnostic::{DiagnosticLevel, DiagnosticSpan};
use cargo_metadata::{CompilerMessage, Message, Package};

use super::Tested;
use super::list::Mutant;
use super::tree::Tree;
use super::weave;
use crate::command::Outcome;

/// What was built.
pub(super) struct Built {
    pub(super) programs: Vec<Program>,
    /// The number of the function in which each change stands, by the change's number.
    pub(super) functions: BTreeMap<u32, usize>,
    /// The changes that do not compile, and why.
    pub(super) unviable: BTreeMap<u32, String>,
}

/// A program that holds tests, and the folder in which they run.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) folder: PathBuf,
}

/// The files of a crate, as they stand.
struct Sources {
    /// Of the crate's `lib.rs`.
    root: String,
    texts: BTreeMap<String, String>,
}

/// Weaves and builds.
///
/// # Errors
/// If something does not compile for another reason than a change.
pub(super) fn build(package: &Package, tested: &Tested, mutants: &BTreeMap<u32, Mutant>) -> Outcome<Built> {
    let here = std::env::current_dir()?;
    let manifest = package.manifest_path.parent().ok_or("a package without a folder")?;
    let root = format!("{}/src/lib.rs", manifest.strip_prefix(&here)?);
    let files: BTreeSet<_> =
        mutants.values().map(|mutant| mutant.file.clone()).chain([root.clone()]).collect();
    let tree = Tree::new(&files)?;
    let texts = files.into_iter().map(|file| Ok((file.clone(), fs::read_to_string(file)?)));
    let sources = Sources { root, texts: texts.collect::<Outcome<_>>()? };

    let mut build = vec!["test", "--no-run", "--lib", "--tests"];
    build.extend(tested.packages().flat_map(|package| ["--package", package]));
    let mut unviable = BTreeMap::new();
    // What does not even pass the checks is found without building the tests.
    for task in [["check", "--lib", "--package", tested.package].as_slice(), &build] {
        loop {
            let (functions, arms) = sources.put(&tree, mutants, &unviable)?;
            let (errors, programs) = cargo(&tree, task, &tested.features())?;
            if errors.is_empty() {
                if task.first() == Some(&"test") {
                    return Ok(Built { programs, functions, unviable });
                }
                break;
            }
            let before = unviable.len();
            for error in &errors {
                let code = error.message.code.as_ref().map_or("an error", |code| &code.code);
                let places = error
                    .message
                    .spans
                    .iter()
                    .filter(|span| span.is_primary)
                    .filter_map(|span| place(span, &arms));
                unviable.extend(places.map(|id| (id, code.to_owned())));
            }
            if unviable.len() == before {
                let rendered = errors.iter().filter_map(|error| error.message.rendered.as_deref());
                return Err(rendered.collect::<String>().into());
            }
            println!("{} of {} changes do not compile", unviable.len(), mutants.len());
        }
    }
    Err("nothing was built".into())
}

/// The change in whose arm an error stands, also where a macro that it calls made the text.
fn place(span: &DiagnosticSpan, arms: &Arms) -> Option<u32> {
    let mut span = Some(span);
    while let Some(current) = span {
        let line = current.line_start.checked_sub(1)?;
        let arm = arms.get(&current.file_name).and_then(|arms| *arms.get(line)?);
        if arm.is_some() {
            return arm;
        }
        span = current.expansion.as_ref().map(|expansion| &expansion.span);
    }
    None
}

/// Which change's arm each line of a file belongs to.
type Arms = BTreeMap<String, Vec<Option<u32>>>;

impl Sources {
    /// Puts the woven files into the copy.
    fn put(
        &self,
        tree: &Tree,
        mutants: &BTreeMap<u32, Mutant>,
        without: &BTreeMap<u32, String>,
    ) -> Outcome<(BTreeMap<u32, usize>, Arms)> {
        let (mut count, mut functions, mut arms) = (0, Vec::new(), Arms::new());
        let mut woven = BTreeMap::new();
        for (file, text) in &self.texts {
            let is_in = |id: &u32, mutant: &Mutant| {
                mutant.file == *file && mutant.is_woven() && !without.contains_key(id)
            };
            let changes = mutants.iter().filter(|(id, mutant)| is_in(id, mutant));
            let changes: Vec<_> = changes.map(|(&id, mutant)| (id, mutant)).collect();
            woven.insert(file, weave::weave(text, &changes, &mut count, &mut functions));
        }
        for (file, mut text) in woven {
            if *file == self.root {
                text = weave::root(&text, count);
            }
            tree.put(file, text.as_bytes())?;
            arms.insert(file.clone(), weave::arms(&text));
        }
        Ok((functions.into_iter().collect(), arms))
    }
}

/// Runs cargo in the copy, and tells errors and test programs. What the workspace is built from serves both.
fn cargo(tree: &Tree, task: &[&str], features: &str) -> Outcome<(Vec<CompilerMessage>, Vec<Program>)> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(task).args(["--features", features, "--message-format", "json", "--quiet"]);
    // The chosen change is asked for in constant functions too, for which the library's means are unstable.
    command.current_dir(tree.path()).env("CARGO_TARGET_DIR", tree.target()).env("RUSTC_BOOTSTRAP", "1");
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    let (mut errors, mut programs) = (Vec::new(), Vec::new());
    for message in Message::parse_stream(std::io::BufReader::new(output)) {
        match message? {
            Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                errors.push(message)
            }
            Message::CompilerArtifact(artifact) => {
                let folder = artifact.manifest_path.parent().map(|folder| folder.as_std_path().to_owned());
                if let (Some(path), Some(folder), true) = (artifact.executable, folder, artifact.profile.test)
                {
                    programs.push(Program { path: path.into_std_path_buf(), folder });
                }
            }
            _ => {}
        }
    }
    let status = child.wait()?;
    // What only sums up the errors has no place.
    errors.retain(|error| !error.message.spans.is_empty());
    if errors.is_empty() && !status.success() {
        return Err(format!("{command:?}: {status}").into());
    }
    Ok((errors, programs))
}
