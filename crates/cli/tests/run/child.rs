//! The command as a child process, and bodies for it.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use plimsoll_tests_http::memory;

/// What a run of the command came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// The value of a key of the report, as it is written; `None` where the key is absent.
    pub(crate) fn report(&self, key: &str) -> Option<&str> {
        let line = self.stderr.lines().next_back()?;
        assert!(line.starts_with('{') && line.ends_with('}'), "no report: {}", self.stderr);
        let (_, rest) = line.split_once(&format!("\"{key}\":"))?;
        rest.split([',', '}']).next().map(|value| value.trim_matches('"'))
    }
}

/// Runs `plimsoll fetch`, without a proxy, and tells its peak resident memory in KiB.
pub(crate) fn fetch<A: AsRef<OsStr>>(arguments: &[A]) -> (Run, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(proxy);
    }
    command.arg("fetch").args(arguments);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    let (stdout, stderr) = (all(child.stdout.take().unwrap()), all(child.stderr.take().unwrap()));
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        peak = memory::peak(process).max(peak);
        thread::sleep(Duration::from_millis(1));
    };
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    (Run { code: status.code().unwrap(), stdout, stderr: String::from_utf8(stderr).unwrap() }, peak)
}

/// Reads a pipe to its end.
fn all(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// `plimsoll ingest` with these arguments, ready to be started.
pub(crate) fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.arg("ingest").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `plimsoll ingest` over `input`.
pub(crate) fn ingest<A: AsRef<OsStr>>(arguments: &[A], input: &[u8]) -> Run {
    feed(command(arguments), input)
}

/// The command with these arguments, ready to be started, without what the environment says of terminals.
pub(crate) fn bare<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command over `input`.
pub(crate) fn plimsoll<A: AsRef<OsStr>>(arguments: &[A], input: &[u8]) -> Run {
    feed(bare(arguments), input)
}

/// Runs a command over `input`.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A refused body is not read to its end, so that writing it may fail.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// One gzip member.
pub(crate) fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The names of everything in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A path as an argument.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
