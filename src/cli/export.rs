//! `plants export`: writes the list of plants to a file that `plants import` reads, or to stdout.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use color_eyre::eyre::{self, bail};
use futures::future::OptionFuture;
use serde::Serialize;
use tracing::instrument;

use super::error::{Exit, Failure, OrExit as _};
use super::open::Ready;
use super::possible_values::one_of;
use super::print;
use super::stop::stopped;
use crate::config::{Settings, path_parser};
use crate::domain::export::{Cells, Exporter};
use crate::domain::file_format::FileFormat;
use crate::runtime::WriteError;
use crate::runtime::export::write_plants;
use crate::runtime::new_file::{Existing, NewFile, error_text};
use crate::text::number_format::counted;
use crate::text::{clean_lines, shown_path};
use crate::tui::message::Exported;

#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    /// File to write, whole or not at all; - or no FILE means stdout
    #[arg(value_parser = path_parser())]
    file: Option<PathBuf>,
    /// Format of the file [default: that of the file extension of FILE, or else csv]
    #[arg(long, value_parser = one_of(FileFormat::ALL, FileFormat::name))]
    format: Option<FileFormat>,
    /// Replace FILE if it exists
    #[arg(long)]
    force: bool,
    /// Put a ' before names and tags that a spreadsheet would run as formulas
    ///
    /// These are names and tags in which any line begins with =, +, -, @, one of these in full width, or
    /// a tab; and names and tags that begin with a line break. They are changed: if the file is imported,
    /// the ' is a part of the name or tag. The number of changed values is printed.
    ///
    /// The option does not help with a program that uses another separator than the comma, that removes
    /// the ' or leading spaces before it looks for formulas, or that turns text into numbers and dates:
    /// 1E5, 007 and 3-4 are no formulas. Import such a column as text.
    #[arg(long)]
    spreadsheet: bool,
    /// Wait for all entries of the team; without them write nothing, and exit with 3
    #[arg(long)]
    complete: bool,
}

/// The output of `--json` for an export to a file. Bytes of its path that are no UTF-8 are replaced.
#[derive(Debug, Serialize)]
struct Summary {
    file: String,
    format: &'static str,
    plants: u64,
    unknown: u64,
    unnamed: u64,
    changed_cells: u64,
}

/// How a file is written.
#[derive(Debug, Clone, Copy)]
struct Manner {
    force: bool,
    json: bool,
    complete: bool,
}

#[instrument(name = "export", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ExportArguments, json: bool) -> eyre::Result<Exit> {
    let ExportArguments { file, format, force, spreadsheet, complete } = arguments;
    let file = file.filter(|file| !print::is_stdout(file));
    let format = match &file {
        Some(file) => format.or_else(|| FileFormat::of_file(file)).unwrap_or_default(),
        None if json && format.is_some_and(|format| format != FileFormat::Json) => {
            bail!(Failure::usage("--json and --format contradict each other without a FILE: leave one of them out"));
        }
        None if json => FileFormat::Json,
        None => format.unwrap_or_default(),
    };
    if spreadsheet && format != FileFormat::Csv {
        bail!(Failure::usage(format!("--spreadsheet needs CSV, and this export is {}: leave it out", format.word())));
    }
    let cells = if spreadsheet { Cells::Guarded } else { Cells::Exact };
    match file {
        Some(path) => to_file(&settings, path, format, cells, Manner { force, json, complete }).await,
        None => to_stdout(&settings, format, cells, complete).await,
    }
}

async fn to_file(
    settings: &Settings,
    path: PathBuf,
    format: FileFormat,
    cells: Cells,
    Manner { force, json, complete }: Manner,
) -> eyre::Result<Exit> {
    let existing = if force { Existing::Replaced } else { Existing::Kept };
    let name = shown_path(&path);
    let file = NewFile::begin(&path, existing, &settings.data_dir);
    let file = file.map_err(|error| unwritten(&name, &error, Exit::Usage))?;
    // Writing to a pipe may block forever: there, a signal ends the program as usual.
    let stop = OptionFuture::from(file.is_regular().then(stopped));
    let mut ready = Ready::open_to_read(settings, complete).await?;
    let write = async {
        let (file, exported) = write_plants(&ready.journal, Exporter::begin(file, format, cells)?).await?;
        file.end()?;
        Ok::<_, WriteError>(exported)
    };
    let written = tokio::select! {
        biased;
        written = write => Some(written),
        Some(()) = stop => None,
    };
    ready.close().await;
    match written {
        Some(Ok(exported)) => {
            let plants = counted(exported.plants, "plant", "plants");
            print::message(format!("Wrote {plants} of {} to {name} ({}).", ready.store, format.word()));
            print_details(&exported);
            if json {
                print::json(&Summary::new(&path, format, &exported))?;
            }
            Ok(Exit::Done)
        }
        Some(Err(WriteError::File(error))) => bail!(unwritten(&name, &error, Exit::NotSent)),
        Some(Err(WriteError::Journal(error))) => {
            bail!(Failure::new(Exit::NotSent, format!("{name} was not written: {error}")))
        }
        None => bail!(Failure::new(Exit::Interrupted, format!("interrupted: {name} was not written"))),
    }
}

/// Says why the file of this name was not written.
pub(super) fn unwritten(name: &str, error: &io::Error, exit: Exit) -> Failure {
    if error.kind() == ErrorKind::AlreadyExists {
        Failure::usage(format!("{name}: this file exists and was not changed; --force replaces it"))
    } else {
        Failure::new(exit, format!("{name} was not written: {}", error_text(error)))
    }
}

async fn to_stdout(settings: &Settings, format: FileFormat, cells: Cells, complete: bool) -> eyre::Result<Exit> {
    let mut ready = Ready::open_to_read(settings, complete).await?;
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let to_terminal = format == FileFormat::Csv && io::stdout().is_terminal();
    let mut out = Stdout { out, to_terminal, altered: false };
    let written = async {
        let (_, exported) = write_plants(&ready.journal, Exporter::begin(&mut out, format, cells)?).await?;
        out.flush()?;
        Ok::<_, WriteError>(exported)
    };
    let written = written.await;
    ready.close().await;
    match written {
        Ok(exported) => {
            if exported.plants == 0 && exported.unnamed == 0 {
                print::message(format!("The list for {} is empty.", ready.store));
            }
            if out.altered {
                print::message(
                    "Control and invisible characters are shown as visible ones here; a FILE has the exact names and tags.",
                );
            }
            print_details(&exported);
        }
        Err(WriteError::File(error)) => {
            print::written(Err(error))?;
        }
        Err(WriteError::Journal(error)) => return Err(error).or_exit(Exit::NotSent),
    }
    Ok(Exit::Done)
}

impl Summary {
    fn new(path: &Path, format: FileFormat, exported: &Exported) -> Self {
        let Exported { plants, unknown, unnamed, changed, in_flight: _ } = *exported;
        Self {
            file: path.display().to_string(),
            format: format.name(),
            plants,
            unknown,
            unnamed,
            changed_cells: changed,
        }
    }
}

fn print_details(exported: &Exported) {
    let Exported { plants: _, unknown, in_flight, unnamed, changed } = *exported;
    for (count, what) in [
        (unknown, "exported with unknown state: no response proves whether the store has it"),
        (in_flight, "exported while being added or deleted"),
        (unnamed, "left out, because the name is not known: see plants list"),
    ] {
        if count > 0 {
            print::message(format!("{}: {what}.", counted(count, "plant", "plants")));
        }
    }
    if changed > 0 {
        let cells = counted(changed, "name or tag", "names or tags");
        print::message(format!("{cells}: exported with an additional ' in front."));
    }
}

/// Stdout. A terminal gets text without control characters.
struct Stdout<W> {
    out: W,
    to_terminal: bool,
    altered: bool,
}

impl<W: Write> Write for Stdout<W> {
    /// Expects whole characters: the exporter writes no partial ones.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.to_terminal {
            let shown = clean_lines(bytes);
            self.altered |= shown.as_bytes() != bytes;
            self.out.write_all(shown.as_bytes())?;
        } else {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PlantId;

    #[test]
    fn a_terminal_gets_visible_characters_and_a_pipe_gets_the_exact_bytes() {
        for to_terminal in [true, false] {
            let mut out = Stdout { out: Vec::new(), to_terminal, altered: false };
            let mut exporter = Exporter::begin(&mut out, FileFormat::Csv, Cells::Exact).unwrap();
            exporter.add("Fern", PlantId(1), "a\nb").unwrap();
            exporter.add("\u{1b}[2J\u{9b}", PlantId(2), "\r\u{202e}").unwrap();
            exporter.end().unwrap();
            let shown = String::from_utf8(out.out).unwrap();
            let raw = "name,id,tag\nFern,1,\"a\nb\"\n\u{1b}[2J\u{9b},2,\"\r\u{202e}\"\n";
            let expected = if to_terminal {
                "name,id,tag\nFern,1,\"a\nb\"\n␛[2J‹U+009B›,2,\"␍‹U+202E›\"\n"
            } else {
                raw
            };
            assert_eq!((shown.as_str(), out.altered), (expected, to_terminal));
        }
    }
}
