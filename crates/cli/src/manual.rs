//! `plimsoll completions` and `plimsoll man`: what a shell and `man` know of the command line, made of the command
//! line itself.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use crate::args::Arguments;
use crate::named::named;

/// Write the completions for a shell
///
/// They complete commands, options and file names. They belong to this version of the command. A folder that is not
/// there yet is made by mkdir -p.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plimsoll completions bash \\\n    \
    > ~/.local/share/bash-completion/completions/plimsoll\n  \
    plimsoll completions zsh > ~/.zfunc/_plimsoll\n  \
    plimsoll completions fish > ~/.config/fish/completions/plimsoll.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Write the manual, for `man`
///
/// Without an argument it is the page of plimsoll itself. Each command has a page of its own.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plimsoll man ingest | man -l -\n  \
    plimsoll man --into ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The command whose page is wanted
    #[arg(value_name = "COMMAND", value_parser = command_names())]
    command: Option<String>,

    /// Write all pages into this folder, which must be there
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    into: Option<PathBuf>,
}

const PROGRAM: &str = "plimsoll";

/// The commands that have a page.
const COMMANDS: [&str; 5] = ["ingest", "fetch", "profile", "completions", "man"];

fn command_names() -> clap::builder::PossibleValuesParser {
    COMMANDS.into()
}

/// # Errors
/// If standard output cannot be written.
pub(crate) fn completions(args: &Completions) -> io::Result<ExitCode> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), PROGRAM, &mut script);
    write(&script)
}

/// # Errors
/// If standard output or a page cannot be written.
pub(crate) fn man(args: &Man) -> io::Result<ExitCode> {
    if let Some(folder) = &args.into {
        for name in [None].into_iter().chain(COMMANDS.map(Some)) {
            let page = page(name);
            let path = folder.join(page.get_filename());
            std::fs::write(&path, text(&page)?).map_err(|error| named(&path, &error))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    write(text(&page(args.command.as_deref()))?.as_bytes())
}

/// The page of a command, or of the program.
fn page(name: Option<&str>) -> Page {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let found = name.and_then(|name| command.find_subcommand(name)).cloned();
    let version = format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"));
    Page::new(found.unwrap_or(command)).source(version).manual("Plimsoll")
}

/// The page as `man` reads it. Its examples have the heading that people look for.
fn text(page: &Page) -> io::Result<String> {
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n"))
}

fn write(bytes: &[u8]) -> io::Result<ExitCode> {
    let mut out = io::stdout();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let command = Arguments::command();
        let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, COMMANDS);
    }
}
