//! Runs the tests of a woven crate: once without a change, to learn how long each takes and which functions it reaches; and for each
//! change those that reach its function, the quick ones first, until one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::build::Program;
use crate::command::Outcome;

/// Tests that take no longer run together, those of a program at a time.
const QUICK: Duration = Duration::from_millis(100);

/// A process that takes this many times as long as without a change, and these seconds, counts as hung. Seconds of a processor are
/// meant, which do not depend on what else runs; by the clock it may take that many times as long.
const TIMES: u64 = 3;
const SECONDS: u64 = 3;
const BY_THE_CLOCK: u64 = 20;

/// More memory, in KiB, is a change's endless growth.
const MEMORY: u32 = 4 << 20;

/// The signals that end a process whose seconds are over: `SIGKILL` and, where there is a first warning, `SIGXCPU`.
const OVER: [i32; 2] = [9, 24];

/// One test.
pub(super) struct Test<'a> {
    program: &'a Program,
    name: String,
    /// Whether a panic may end the process: nothing in the test means to catch one.
    first: bool,
    took: Duration,
    reached: BTreeSet<usize>,
}

/// How the tests took a change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Caught,
    /// A test did not come to its end, which is a way of noticing.
    Hung,
    Missed,
    /// No test runs the function.
    Unreached,
}

/// A process with tests in it.
struct Run<'a> {
    program: &'a Program,
    names: Vec<&'a str>,
    first: bool,
    took: Duration,
}

enum End {
    Passed,
    Failed,
    Hung,
}

impl Run<'_> {
    /// Sets this variable for it, and ends it after as many seconds of a processor.
    fn run(&self, variable: (&str, &str), seconds: u64) -> Outcome<End> {
        let mut command = Command::new("sh");
        let limits = format!("ulimit -c 0; ulimit -v {MEMORY}; ulimit -t {seconds}; exec \"$@\"");
        command.args(["-c", &limits, "sh"]).arg(&self.program.path);
        command.args(["--quiet", "--test-threads", "1", "--exact"]);
        command.args(&self.names).current_dir(&self.program.folder).env(variable.0, variable.1);
        if self.first {
            command.env("WOVEN_FIRST", "1");
        }
        let started = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if started.elapsed().as_secs() > seconds * BY_THE_CLOCK {
                child.kill()?;
                child.wait()?;
                return Ok(End::Hung);
            }
            let pause = started.elapsed() / 16;
            std::thread::sleep(pause.clamp(Duration::from_millis(1), Duration::from_millis(50)));
        };
        Ok(match status.code() {
            Some(0) => End::Passed,
            // Ended by the limit.
            None if status.signal().is_some_and(|signal| OVER.contains(&signal)) => End::Hung,
            _ => End::Failed,
        })
    }
}

/// Runs each test of these programs by itself. Those that take longer than this many seconds are left out.
///
/// # Errors
/// If one fails.
pub(super) fn learn<'a>(
    programs: &'a [Program],
    jobs: usize,
    longest: u64,
    scratch: &Path,
) -> Outcome<Vec<Test<'a>>> {
    let mut names = Vec::new();
    for program in programs {
        let mut list = Command::new(&program.path);
        let output = list.args(["--list", "--format", "terse"]).current_dir(&program.folder).output()?;
        let listed = String::from_utf8(output.stdout)?;
        let listed = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        names.extend(listed.map(|name| (program, name.to_owned())));
    }
    fs::create_dir_all(scratch)?;
    let scratch = scratch.canonicalize()?;
    let tests = each(&names, jobs, |index, (program, name)| {
        let reached = scratch.join(index.to_string());
        let variable = ("WOVEN_REACHED", reached.to_str().ok_or("a path that is no text")?);
        for first in [true, false] {
            let _ = fs::remove_file(&reached);
            let started = Instant::now();
            let run = Run { program, names: vec![name], first, took: Duration::ZERO };
            match run.run(variable, longest)? {
                End::Passed => {
                    let took = started.elapsed();
                    let reached = fs::read_to_string(&reached).unwrap_or_default();
                    let reached = reached.lines().filter_map(|line| line.parse().ok()).collect();
                    return Ok(Some(Test { program, name: name.clone(), first, took, reached }));
                }
                End::Hung => {
                    println!("left out, as it takes longer: {name}");
                    return Ok(None);
                }
                End::Failed => {}
            }
        }
        Err(format!("without a change, {name} of {} fails", program.path.display()).into())
    });
    Ok(tests?.into_iter().flatten().collect())
}

/// Holds a change against the tests that reach its function.
fn hold(tests: &[Test<'_>], change: u32, function: usize) -> Outcome<(Verdict, String)> {
    let mut reaching: Vec<_> = tests.iter().filter(|test| test.reached.contains(&function)).collect();
    reaching.sort_by_key(|test| test.took);
    let mut together: BTreeMap<_, Run<'_>> = BTreeMap::new();
    for (index, test) in reaching.iter().enumerate() {
        let alone = if test.took > QUICK { index } else { 0 };
        let Test { program, first, .. } = **test;
        let new = || Run { program, names: Vec::new(), first, took: Duration::ZERO };
        let run = together.entry((&program.path, first, alone)).or_insert_with(new);
        run.names.push(&test.name);
        run.took += test.took;
    }
    let mut runs: Vec<_> = together.into_values().collect();
    if runs.is_empty() {
        return Ok((Verdict::Unreached, String::new()));
    }
    runs.sort_by_key(|run| run.took);
    for run in runs {
        let by = || {
            format!("{} {}", run.program.path.file_name().unwrap_or_default().display(), run.names.join(" "))
        };
        let seconds = run.took.as_secs() * TIMES + SECONDS;
        match run.run(("WOVEN", &change.to_string()), seconds)? {
            End::Passed => {}
            End::Failed => return Ok((Verdict::Caught, by())),
            End::Hung => return Ok((Verdict::Hung, by())),
        }
    }
    Ok((Verdict::Missed, String::new()))
}

/// Holds all these changes against the tests.
///
/// # Errors
/// If a process cannot be started.
pub(super) fn hold_all(
    tests: &[Test<'_>],
    changes: &BTreeMap<u32, usize>,
    jobs: usize,
    tell: impl Fn(u32, Verdict, &str) + Sync,
) -> Outcome {
    let changes: Vec<_> = changes.iter().collect();
    each(&changes, jobs, |_, &(&change, &function)| {
        let (verdict, by) = hold(tests, change, function)?;
        tell(change, verdict, &by);
        Ok(())
    })?;
    Ok(())
}

/// Does this for each, several at a time.
fn each<T: Sync, R: Send>(
    of: &[T],
    jobs: usize,
    does: impl Fn(usize, &T) -> Outcome<R> + Sync,
) -> Outcome<Vec<R>> {
    let next = Mutex::new(0..of.len());
    let done = Mutex::new(BTreeMap::new());
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(index) = next.lock().ok().and_then(|mut next| next.next()) {
                    let Some(item) = of.get(index) else { break };
                    match (does(index, item).map_err(|error| error.to_string()), done.lock(), failure.lock())
                    {
                        (Ok(result), Ok(mut done), _) => drop(done.insert(index, result)),
                        (Err(error), _, Ok(mut failure)) => {
                            *failure = Some(error);
                            break;
                        }
                        _ => break,
                    }
                }
            });
        }
    });
    match failure.into_inner() {
        Ok(None) => {}
        Ok(Some(failure)) => return Err(failure.into()),
        Err(_) => return Err("a thread panicked".into()),
    }
    Ok(done.into_inner().map_err(|_| "a thread panicked")?.into_values().collect())
}
