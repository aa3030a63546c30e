//! `plants export`: the view into a file that `plants import` reads, or onto stdout.

use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use color_eyre::eyre::{self, bail};
use serde::Serialize;
use tracing::instrument;

use super::error::{Failure, OrExit as _};
use super::exit::Exit;
use super::open::Ready;
use super::print;
use super::stop::stopped;
use crate::config::Settings;
use crate::domain::export::{Cells, Exporter};
use crate::domain::file_format::FileFormat;
use crate::domain::number_format::counted;
use crate::domain::text::{clean_lines, shown_path};
use crate::runtime::WriteError;
use crate::runtime::export::write_plants;
use crate::runtime::new_file::{Existing, NewFile, error_text};
use crate::tui::message::Exported;

#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    /// Write to this file, whole or not at all; stdout if left out, or for -
    file: Option<PathBuf>,
    /// How to write it [default: what the ending of FILE says, else csv]
    #[arg(long, value_parser = PossibleValuesParser::new(FileFormat::ALL.map(FileFormat::name)))]
    format: Option<String>,
    /// Replace FILE if it is there
    #[arg(long)]
    force: bool,
    /// Put a ' in front of what a spreadsheet would run as a formula in names and tags
    ///
    /// These are names and tags, and lines in them, that begin with =, +, -, @, one of these in full
    /// width, or a tab; and names and tags that begin with a line break. It changes them: read back, the '
    /// is a part of the name or tag. How many were changed is printed.
    ///
    /// It cannot guard against a program that is set to another separator than the comma, that takes the
    /// ' away or leaves spaces out before it looks for a formula, or that turns text into numbers and
    /// dates: 1E5, 007 and 3-4 are no formulas. Import such a column as text.
    #[arg(long)]
    spreadsheet: bool,
}

/// What `--json` prints of an export to a file. Bytes of its name that are no UTF-8 are replaced.
#[derive(Debug, Serialize)]
struct Summary {
    file: String,
    format: &'static str,
    plants: u64,
    unknown: u64,
    unnamed: u64,
    changed_cells: u64,
}

#[instrument(name = "export", skip_all)]
pub(super) async fn run(settings: Settings, arguments: ExportArguments, json: bool) -> eyre::Result<Exit> {
    let ExportArguments { file, format, force, spreadsheet } = arguments;
    let file = file.filter(|file| file.as_os_str() != "-");
    let named = FileFormat::ALL.into_iter().find(|known| format.as_deref() == Some(known.name()));
    let format = match &file {
        Some(file) => named.or_else(|| FileFormat::of_file(file)).unwrap_or_default(),
        None if json && named.is_some_and(|format| format != FileFormat::Json) => {
            bail!(Failure::usage("--json and another --format contradict each other where there is no FILE"));
        }
        None if json => FileFormat::Json,
        None => named.unwrap_or_default(),
    };
    if spreadsheet && format != FileFormat::Csv {
        bail!(Failure::usage(format!("--spreadsheet is about CSV, and this is {}", format.word())));
    }
    let cells = if spreadsheet { Cells::Guarded } else { Cells::Exact };
    match file {
        Some(path) => to_file(&settings, path, format, cells, force, json).await,
        None => to_stdout(&settings, format, cells).await,
    }
}

async fn to_file(
    settings: &Settings,
    path: PathBuf,
    format: FileFormat,
    cells: Cells,
    force: bool,
    json: bool,
) -> eyre::Result<Exit> {
    let existing = if force { Existing::Replaced } else { Existing::Kept };
    let name = shown_path(&path);
    let unwritten = |error: &io::Error, exit: Exit| {
        if error.kind() == ErrorKind::AlreadyExists {
            Failure::usage(format!("{name}: there is such a file already, and it stays as it is: --force replaces it"))
        } else {
            Failure::new(exit, format!("{name} was not written: {}", error_text(error)))
        }
    };
    let file = NewFile::begin(&path, existing).map_err(|error| unwritten(&error, Exit::Usage))?;
    // What is no file may take forever, and a signal must then end the program as ever.
    let stop = file.is_regular().then(stopped);
    let stop = async {
        match stop {
            Some(stop) => stop.await,
            None => futures::future::pending().await,
        }
    };
    let ready = Ready::open_to_read(settings).await?;
    let write = async {
        let (file, exported) = write_plants(&ready.journal, Exporter::begin(file, format, cells)?).await?;
        file.end()?;
        Ok::<_, WriteError>(exported)
    };
    let written = tokio::select! {
        biased;
        written = write => Some(written),
        () = stop => None,
    };
    ready.journal.close().await;
    match written {
        Some(Ok(exported)) => {
            let plants = counted(exported.plants, "plant", "plants");
            print::message(&format!("Wrote {plants} of {} to {name} ({}).", ready.store, format.word()));
            tell_more(&exported);
            if json {
                print::json(&Summary::new(&path, format, &exported))?;
            }
            Ok(Exit::Done)
        }
        Some(Err(WriteError::File(error))) => bail!(unwritten(&error, Exit::NotSent)),
        Some(Err(WriteError::Journal(error))) => {
            bail!(Failure::new(Exit::NotSent, format!("{name} was not written: {error}")))
        }
        None => bail!(Failure::new(Exit::Interrupted, format!("interrupted: {name} was not written"))),
    }
}

async fn to_stdout(settings: &Settings, format: FileFormat, cells: Cells) -> eyre::Result<Exit> {
    let ready = Ready::open_to_read(settings).await?;
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let to_terminal = format == FileFormat::Csv && io::stdout().is_terminal();
    let mut out = Stdout { out, to_terminal, altered: false };
    let written = async {
        let (_, exported) = write_plants(&ready.journal, Exporter::begin(&mut out, format, cells)?).await?;
        out.flush()?;
        Ok::<_, WriteError>(exported)
    };
    let written = written.await;
    ready.journal.close().await;
    match written {
        Ok(exported) => {
            if exported.plants == 0 && exported.unnamed == 0 {
                print::message(&format!("No plants in the view of {}.", ready.store));
            }
            if out.altered {
                print::message(
                    "What a terminal would obey or hide is shown in other characters: a FILE has it as it is.",
                );
            }
            tell_more(&exported);
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

fn tell_more(exported: &Exported) {
    let Exported { plants: _, unknown, in_flight, unnamed, changed } = *exported;
    if unknown > 0 {
        let plants = counted(unknown, "plant", "plants");
        print::message(&format!("Unknown, and written all the same: {plants}. Whether the store has them is unknown."));
    }
    if in_flight > 0 {
        let plants = counted(in_flight, "plant", "plants");
        print::message(&format!("Being added or deleted at this moment, and written all the same: {plants}."));
    }
    if unnamed > 0 {
        let plants = counted(unnamed, "plant", "plants");
        print::message(&format!("Left out, for nobody knows their names: {plants}. See `plants list`."));
    }
    if changed > 0 {
        let cells = counted(changed, "name or tag", "names or tags");
        print::message(&format!("With a ' in front that they do not have in the store: {cells}."));
    }
}

/// Stdout; a terminal gets a table without anything that it would obey.
struct Stdout<W> {
    out: W,
    to_terminal: bool,
    altered: bool,
}

impl<W: Write> Write for Stdout<W> {
    /// Takes whole pieces of text.
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
    fn a_terminal_obeys_nothing_in_a_table_and_a_pipe_gets_it_all() {
        for to_terminal in [true, false] {
            let mut out = Stdout { out: Vec::new(), to_terminal, altered: false };
            let mut exporter = Exporter::begin(&mut out, FileFormat::Csv, Cells::Exact).unwrap();
            exporter.add("Fern", PlantId(1), "a\nb").unwrap();
            exporter.add("\u{1b}[2J\u{9b}", PlantId(2), "\r\u{202e}").unwrap();
            exporter.end().unwrap();
            let shown = String::from_utf8(out.out).unwrap();
            let raw = "name,id,tag\nFern,1,\"a\nb\"\n\u{1b}[2J\u{9b},2,\"\r\u{202e}\"\n";
            let due = if to_terminal {
                "name,id,tag\nFern,1,\"a\nb\"\n␛[2J‹U+009B›,2,\"␍‹U+202E›\"\n"
            } else {
                raw
            };
            assert_eq!((shown.as_str(), out.altered), (due, to_terminal));
        }
    }
}
