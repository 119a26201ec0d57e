//! Runs an image until it ends by itself, but not longer than it may.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::boards::Board;

/// An image takes less than a second.
const LIMIT: Duration = Duration::from_secs(60);

/// What an image brought to the host.
pub(crate) struct Printed {
    /// Its text, from standard output.
    pub(crate) text: String,
    /// The frames of its log, from standard error.
    pub(crate) frames: Vec<u8>,
}

/// Runs an image. It has to end well.
pub(crate) fn run(board: &Board, image: &Path) -> Outcome<Printed> {
    let mut child = Command::new(board.emulator)
        .args(board.arguments)
        .args(["-semihosting-config", "enable=on,target=native", "-icount", "shift=0"])
        .args(["-nographic", "-monitor", "none", "-serial", "none", "-no-reboot", "-kernel"])
        .arg(image)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", board.emulator))?;
    let (text, frames) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let ended = wait(&mut child);
    let text = String::from_utf8_lossy(&text.join().unwrap_or_default()).into_owned();
    let frames = frames.join().unwrap_or_default();
    match ended? {
        true => Ok(Printed { text, frames }),
        false => Err(format!("it failed, and printed:\n{text}{}", String::from_utf8_lossy(&frames)).into()),
    }
}

/// Waits for the end of a run, and says whether it went well.
fn wait(child: &mut Child) -> Outcome<bool> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if started.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Err(format!("it did not end within {} s", LIMIT.as_secs()).into());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Reads a pipe to its end beside the run, so that none of the two fills up.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is shown all the same.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}
