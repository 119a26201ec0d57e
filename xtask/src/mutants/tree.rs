//! A copy of the workspace in which the sources of a crate can be changed. It stays, so that what did not change is not built again.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::FOLDER;
use crate::command::Outcome;

/// The copy's folder. There is one for all crates, and a folder in which nothing else is built: cargo would take for fresh what it has
/// built of another copy, woven with other changes.
pub(super) struct Tree(PathBuf);

impl Tree {
    /// Copies what git knows or would add, but for these files, which are put there changed.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub(super) fn new(changed: &BTreeSet<String>) -> Outcome<Self> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .output()?;
        let folder = Path::new(FOLDER).join("tree");
        fs::create_dir_all(&folder)?;
        let tree = Self(folder.canonicalize()?);
        for name in String::from_utf8(listed.stdout)?.split('\0').filter(|name| Path::new(name).is_file()) {
            if changed.contains(name) || name == "Cargo.toml" {
                continue;
            }
            tree.put(name, &fs::read(name)?)?;
        }
        // What a change leaves unused is no error.
        let manifest = fs::read_to_string("Cargo.toml")?
            .replace("\"deny\"", "\"allow\"")
            .replace("\"forbid\"", "\"allow\"");
        tree.put("Cargo.toml", manifest.as_bytes())?;
        Ok(tree)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Where it is built.
    pub(super) fn target(&self) -> PathBuf {
        self.0.with_file_name("target")
    }

    /// Writes a file, unless it is so.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn put(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let path = self.0.join(name);
        if fs::read(&path).is_ok_and(|old| old == contents) {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, contents)
    }
}
