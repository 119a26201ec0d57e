//! What one pass over a body takes of memory, in a process of its own that does nothing else.
//!
//! Two figures, as neither tells all. The heap at its peak is counted by the allocator, to the byte; the stack and the
//! program are not in it. The resident set at its peak (`VmHWM`) is what the system saw: pages of the program, of
//! the stack and of the allocator included, so that a process which only reads the body to its end has some already
//! (`idle`). The body comes through a pipe in pieces of 4 KiB and is not kept.

use std::alloc::System;
use std::io::{BufRead, BufReader, Write, stdin};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use cap::Cap;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::pipeline::{Answer, Pass, contestants};

/// Counts what is allocated. It hands every request on as it is, and takes two atomic operations for each.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// The first argument of the process that makes one pass; the question and the contestant follow.
const CHILD: &str = "--one-pass";

/// A contestant that reads the body and does nothing.
const IDLE: &str = "idle";

/// Bytes of a piece of the body.
pub(crate) const PIECE: usize = 4 << 10;

/// What a pass takes at its peak, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct Memory {
    /// Of the heap.
    pub(crate) heap: u64,
    /// Of the resident set; nothing where the system does not tell.
    pub(crate) resident: Option<u64>,
    /// Of the resident set of a process that reads the body and does nothing.
    pub(crate) idle: Option<u64>,
}

/// Makes one pass of `contestant` in a process of its own. Nothing where it refuses the body.
pub(crate) fn of_pass(question: &str, contestant: &str, gzip: &[u8]) -> Option<Memory> {
    let pass = start(question, contestant, gzip)?;
    let idle = start(question, IDLE, gzip).expect("reading is no fault");
    Some(Memory {
        heap: pass["heap"].as_u64().expect("the process tells its heap"),
        resident: pass["resident"].as_u64(),
        idle: idle["resident"].as_u64(),
    })
}

/// Starts the process and takes what it tells; nothing where the body was refused.
fn start(question: &str, contestant: &str, gzip: &[u8]) -> Option<Value> {
    let mut child = Command::new(env::current_exe().expect("this program has a name"))
        .args([CHILD, question, contestant])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let output = thread::scope(|scope| {
        // A process that refuses the body reads no further.
        scope.spawn(move || _ = stdin.write_all(gzip));
        child.wait_with_output().expect("the process ends")
    });
    assert!(output.status.success(), "a pass of {contestant} failed");
    let told: Value = serde_json::from_slice(&output.stdout).expect("the process tells JSON");
    if told.is_null() { None } else { Some(told) }
}

/// Whether this process was started to make one pass; it has made it then. To be called before anything else, as the
/// peak of the heap is that of the whole process.
pub(crate) fn made_one_pass() -> bool {
    let mut arguments = env::args().skip(1);
    if arguments.next().as_deref() != Some(CHILD) {
        return false;
    }
    let (question, contestant) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let pass: Pass = if contestant == IDLE {
        idle
    } else {
        let found = contestants(&question).into_iter().find(|entry| entry.name == contestant);
        found.expect("a contestant of that name").pass
    };
    let mut body = BufReader::with_capacity(PIECE, stdin().lock());
    let before = HEAP.allocated();
    let answer = pass(&mut body);
    let heap = HEAP.max_allocated().saturating_sub(before);
    println!(
        "{}",
        if answer.is_some() { json!({ "heap": heap, "resident": resident() }) } else { Value::Null }
    );
    true
}

fn idle(body: &mut dyn BufRead) -> Option<Answer> {
    loop {
        let length = body.fill_buf().ok()?.len();
        if length == 0 {
            return Some(Answer::default());
        }
        body.consume(length);
    }
}

/// The peak of this process's resident set, as Linux tells it.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kibibytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
