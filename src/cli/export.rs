//! `plants export`: writes the list of plants to a file that `plants import` reads, or to stdout.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use color_eyre::eyre::{self, bail};
use futures::future::OptionFuture;
use serde::Serialize;
use tracing::instrument;

use super::error::{Exit, Failure, unwritten};
use super::open::Ready;
use super::session::{Opened, Session};
use super::stop::stopped;
use super::{found, json, print};
use crate::domain::export::{Cells, Exported, Exporter};
use crate::domain::file_format::FileFormat;
use crate::domain::filter::Filter;
use crate::runtime::WriteError;
use crate::runtime::export::write_plants;
use crate::runtime::new_file::{Existing, NewFile};
use crate::text::number_format::counted;
use crate::text::{clean_lines, shown_path};
use crate::verbs::{ExportArguments, ResultFormat};

/// The output of `--json` for an export to a file. Bytes of its path that are no UTF-8 are replaced.
#[derive(Debug, Serialize)]
struct Summary {
    file: String,
    format: &'static str,
    #[serde(flatten)]
    exported: Exported,
}

#[instrument(name = "export", skip_all)]
pub(super) async fn run(
    session: &mut Session,
    arguments: ExportArguments,
    format: Option<ResultFormat>,
    json: bool,
) -> eyre::Result<Exit> {
    let ExportArguments { file, matching, force, spreadsheet, complete } = arguments;
    let filter = found::read_filter(matching.as_deref())?.unwrap_or_default();
    let file = file.filter(|file| !print::is_stdout(file));
    let named = format.and_then(|format| format.word().parse().ok());
    let format = named.or_else(|| file.as_deref().and_then(FileFormat::of_file)).unwrap_or_default();
    if spreadsheet && format != FileFormat::Csv {
        bail!(Failure::usage(format!("--spreadsheet needs CSV, and this export is {}: leave it out", format.word())));
    }
    let cells = if spreadsheet { Cells::Guarded } else { Cells::Exact };
    let Opened { ready, settings, .. } = session.open_to_read(complete).await?;
    let Some(path) = file else { return to_stdout(ready, filter, format, cells).await };
    let existing = if force { Existing::Replaced } else { Existing::Kept };
    let name = shown_path(&path);
    let file = NewFile::begin(&path, existing, &settings.data_dir);
    let file = file.map_err(|error| unwritten(&name, error, Exit::Usage))?;
    // Writing to a pipe may block forever: there, a signal ends the program as usual.
    let stop = OptionFuture::from(file.is_regular().then(stopped));
    let write = async {
        let (file, exported) = write_plants(&ready.journal, filter, Exporter::begin(file, format, cells)?).await?;
        file.end()?;
        Ok::<_, WriteError>(exported)
    };
    let written = tokio::select! {
        biased;
        written = write => Some(written),
        Some(()) = stop => None,
    };
    let Some(written) = written else {
        bail!(Failure::new(Exit::Interrupted, format!("interrupted: {name} was not written")));
    };
    let exported = written.map_err(|error| unwritten(&name, error, Exit::NotSent))?;
    let plants = counted(exported.plants, "plant", "plants");
    print::message(format!("Wrote {plants} of {} to {name} ({}).", ready.store, format.word()));
    print_details(exported);
    let file = path.display().to_string();
    Ok(json::done(json, true, || Summary { file, format: format.name(), exported }))
}

async fn to_stdout(ready: &Ready, filter: Filter, format: FileFormat, cells: Cells) -> eyre::Result<Exit> {
    let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let to_terminal = format == FileFormat::Csv && io::stdout().is_terminal();
    let mut out = Stdout { out, to_terminal, altered: false };
    let matches_all = filter == Filter::default();
    let written = async {
        let (_, exported) = write_plants(&ready.journal, filter, Exporter::begin(&mut out, format, cells)?).await?;
        out.flush()?;
        Ok::<_, WriteError>(exported)
    };
    let Some(exported) = print::written_from_journal(written.await)? else { return Ok(Exit::Done) };
    if exported.plants == 0 && exported.unnamed == 0 {
        let store = &ready.store;
        print::message(if matches_all {
            format!("The list for {store} is empty.")
        } else {
            format!("No plant in the list for {store} matches.")
        });
    }
    if out.altered {
        print::message(
            "Control and invisible characters are shown as visible ones here; a FILE has the exact names and tags.",
        );
    }
    print_details(exported);
    Ok(Exit::Done)
}

fn print_details(Exported { plants: _, unknown, in_flight, unnamed, changed }: Exported) {
    let plants = ["plant", "plants"];
    for (count, [one, many], what) in [
        (unknown, plants, "exported with unknown state: no response proves what the store has"),
        (in_flight, plants, "exported while being added or deleted"),
        (unnamed, plants, "left out, because the name is not known"),
        (changed, ["name or tag", "names or tags"], "exported with an additional ' in front"),
    ] {
        if count > 0 {
            print::message(format!("{}: {what}.", counted(count, one, many)));
        }
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
