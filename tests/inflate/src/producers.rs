//! The encoders that are installed.
//!
//! One that is not installed is skipped, loudly, except where `CI=true`: there it is a failure.

use std::env;
use std::io::Write as _;
use std::process::{self, Command, Stdio};
use std::{fs, thread};

/// Stands for the name of a file, where an encoder does not read from a pipe.
const FILE: &str = "FILE";

/// An encoder at one of its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Producer {
    program: &'static str,
    arguments: Vec<String>,
}

impl core::fmt::Display for Producer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {}", self.program, self.arguments.join(" "))
    }
}

/// Every encoder at every level, the slow ones among them only where `slow`.
#[must_use]
pub fn all(slow: bool) -> Vec<Producer> {
    let producer = |program, arguments: &[&str]| Producer {
        program,
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
    };
    let mut all = Vec::new();
    for level in 1..=9 {
        all.push(producer("gzip", &["-c", "-n", &format!("-{level}")]));
    }
    for level in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] {
        all.push(producer("pigz", &["-c", "-n", &format!("-{level}")]));
    }
    for strategy in ["-H", "-U"] {
        all.push(producer("pigz", &["-c", "-n", strategy]));
    }
    // A block of 128 KiB each, with a flush in between that does or does not keep the history.
    all.push(producer("pigz", &["-c", "-n", "-b", "128", "-p", "2"]));
    all.push(producer("pigz", &["-c", "-n", "-i", "-b", "128", "-p", "2"]));
    for level in 1..=12 {
        all.push(producer("libdeflate-gzip", &["-c", "-n", &format!("-{level}")]));
    }
    for level in [1, 5, 7, 9] {
        all.push(producer("7z", &["a", "-tgzip", "-si", "-so", &format!("-mx={level}"), "stream"]));
    }
    all.push(producer("zopfli", &["-c", "--i1", FILE]));
    if slow {
        all.push(producer("pigz", &["-c", "-n", "-11"]));
        all.push(producer("zopfli", &["-c", "--i15", FILE]));
    }
    all
}

impl Producer {
    /// Whether it takes seconds for a file.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        self.program == "zopfli"
    }

    /// The raw DEFLATE that it makes of `bytes`; `None` where it is not installed.
    #[must_use]
    pub fn deflate(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut command = Command::new(self.program);
        let file = self.arguments.iter().any(|argument| argument == FILE).then(|| {
            let name = format!("plimsoll-{}-{:x}", process::id(), bytes.as_ptr().addr());
            let file = env::temp_dir().join(name);
            fs::write(&file, bytes).expect("a temporary file can be written");
            file
        });
        for argument in &self.arguments {
            match &file {
                Some(file) if argument == FILE => command.arg(file),
                _ => command.arg(argument),
            };
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                assert!(env::var_os("CI").is_none_or(|value| value != "true"), "{}: {error}", self.program);
                eprintln!("SKIPPED: {self}: {error}");
                return None;
            }
        };
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let piped = if file.is_some() { &[] } else { bytes };
        let output = thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(piped).expect("all of the input is read"));
            child.wait_with_output().expect("the program ends")
        });
        if let Some(file) = file {
            fs::remove_file(file).expect("a temporary file can be removed");
        }
        assert!(output.status.success(), "{self} failed");
        Some(raw(&output.stdout))
    }
}

/// What lies between the header and the trailer of a gzip file (RFC 1952, section 2.3).
fn raw(gzip: &[u8]) -> Vec<u8> {
    let flags = gzip[3];
    let mut rest = &gzip[10..gzip.len() - 8];
    if flags & 4 != 0 {
        let length = usize::from(u16::from_le_bytes([rest[0], rest[1]]));
        rest = &rest[2 + length..];
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|&byte| byte == 0).expect("a name ends");
            rest = &rest[end + 1..];
        }
    }
    if flags & 2 != 0 { rest[2..].to_vec() } else { rest.to_vec() }
}
