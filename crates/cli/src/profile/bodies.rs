//! The files that are to be measured: those that were named, and those that patterns match.
//!
//! A shell expands patterns itself, but not inside of quotes, not where there are too many files for a command line, and
//! not on every system. Names that are not Unicode are matched, too. A file that is named more than once is one file.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{self, Component, Path, PathBuf};

use fast_glob::glob_match;
use walkdir::{DirEntry, WalkDir};

/// A file, or why there is none under that name.
pub(crate) struct Named {
    pub(crate) path: PathBuf,
    pub(crate) found: io::Result<()>,
}

impl Named {
    fn found(path: PathBuf) -> Self {
        Self { path, found: Ok(()) }
    }

    /// How long it is, where that is known beforehand.
    pub(crate) fn length(&self) -> Option<u64> {
        if self.path.as_os_str() == "-" {
            return None;
        }
        match fs::metadata(&self.path) {
            Ok(metadata) if metadata.is_file() => Some(metadata.len()),
            Ok(metadata) if !metadata.is_dir() => None,
            // Nothing is read of what cannot be read.
            _ => Some(0),
        }
    }

    fn failed(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self { path: path.to_owned(), found: Err(io::Error::other(error)) }
    }
}

/// All files in order.
pub(crate) fn all(named: &[PathBuf]) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    for path in named {
        if path.as_os_str() == "-" && all.iter().any(|other| other.path == *path) {
            all.push(Named::failed(path, "standard input can be read only once"));
        } else if is_pattern(path.as_os_str()) && fs::symlink_metadata(path).is_err() {
            all.extend(Pattern::new(path).matching(path));
        } else {
            all.push(Named::found(path.clone()));
        }
    }
    let mut seen = HashSet::new();
    // Without following links: names that lead to the same file are many. Standard input is told above.
    all.retain(|Named { path, .. }| {
        path.as_os_str() == "-" || seen.insert(path::absolute(path).unwrap_or_else(|_| path.clone()))
    });
    all
}

fn is_pattern(text: &OsStr) -> bool {
    text.as_encoded_bytes().iter().any(|byte| b"*?[{".contains(byte))
}

/// A pattern, as in a shell: `*` does not match a slash, `**` stands for any folders, `{a,b}` for either, and a name
/// that begins with a dot is matched only by a pattern that says so.
struct Pattern {
    /// What stands before the first component that is to be matched.
    folder: PathBuf,
    text: Vec<u8>,
    /// How many components a match has behind the folder, where that is known.
    depth: Option<usize>,
    /// What each of them is, where no braces reach over a slash.
    steps: Option<Vec<Vec<u8>>>,
    hidden: bool,
}

impl Pattern {
    fn new(path: &Path) -> Self {
        let components: Vec<_> = path.components().collect();
        let plain = components.iter().take_while(|component| !is_pattern(component.as_os_str())).count();
        let (folder, rest) = components.split_at_checked(plain).unwrap_or((&components, &[]));
        let text = slashed(rest.iter().copied());
        let anywhere = text.windows(2).any(|two| two == b"**");
        let steps = rest.iter().map(|component| component.as_os_str().as_encoded_bytes().to_vec());
        Self {
            folder: folder.iter().collect(),
            depth: (!anywhere).then_some(rest.len()),
            steps: (!anywhere && !text.contains(&b'{')).then(|| steps.collect()),
            hidden: rest.iter().any(|component| begins_with_dot(component.as_os_str())),
            text,
        }
    }

    /// The files that match. Folders among them, pipes and devices are passed over: they were not named.
    fn matching(&self, path: &Path) -> Vec<Named> {
        let root = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        // Below `**` a link to a folder could lead round in a circle.
        let walk = WalkDir::new(root).follow_links(self.depth.is_some()).sort_by_file_name();
        let walk = walk.min_depth(1).max_depth(self.depth.unwrap_or(usize::MAX));
        let below = |path: &Path| path.strip_prefix(root).map(Path::to_owned).ok();
        let entries = walk.into_iter().filter_entry(|entry| {
            (self.hidden || !is_hidden(entry)) && below(entry.path()).is_some_and(|rest| self.leads(&rest))
        });
        let mut files: Vec<_> = entries
            .filter_map(|entry| match entry {
                Ok(entry) => self.file(&below(entry.path())?),
                Err(error) => self.unread(&below(error.path()?)?, error.into_io_error()?),
            })
            .collect();
        if files.is_empty() {
            files.push(Named::failed(path, "no file matches"));
        }
        files
    }

    /// Whether this, or what is below it, may match.
    fn leads(&self, rest: &Path) -> bool {
        let Some(steps) = &self.steps else { return true };
        let names = rest.components().map(|component| component.as_os_str().as_encoded_bytes());
        steps.iter().zip(names).all(|(step, name)| glob_match(step, name))
    }

    fn matches(&self, rest: &Path) -> bool {
        glob_match(&self.text, slashed(rest.components()))
    }

    /// What was found, if it is a file that matches, or a link that does and leads to nothing.
    fn file(&self, rest: &Path) -> Option<Named> {
        if !self.matches(rest) {
            return None;
        }
        let path = self.folder.join(rest);
        match fs::metadata(&path) {
            Ok(metadata) => metadata.is_file().then(|| Named::found(path)),
            Err(error) => Some(Named::failed(&path, error)),
        }
    }

    /// What could not be looked at, if it matches, or if it is a folder that may have what does.
    fn unread(&self, rest: &Path, error: io::Error) -> Option<Named> {
        let path = self.folder.join(rest);
        let is_root = rest.as_os_str().is_empty(); // Where that is not there, nothing matches.
        let wanted = self.matches(rest) || (path.is_dir() && self.leads(rest));
        (wanted && !is_root).then(|| Named::failed(&path, error))
    }
}

/// A path with slashes, on every system.
fn slashed<'p>(components: impl Iterator<Item = Component<'p>>) -> Vec<u8> {
    let names: Vec<_> = components.map(|component| component.as_os_str().as_encoded_bytes()).collect();
    names.join(&b'/')
}

fn begins_with_dot(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && begins_with_dot(entry.file_name())
}
