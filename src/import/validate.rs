//! Reads a file and validates each of its rows, before anything is sent.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::decision::FileRow;
use super::format::{Contents, ReadError, Separator, read};
use super::preview::{FAULTS_HELD, Preview, Slips};
use super::progress::Progress;
use super::row::RowFault;
use super::spool::Spool;
use super::summary::{Over, Summary};
use crate::domain::file_format::FileFormat;
use crate::text::dropped_path::dropped_path;

/// Number of rows that are processed at once.
pub(super) const CHUNK: usize = 512;

/// Greatest number of bytes read from a pipe or device, which may have no end: 1 GiB.
const MOST_UNENDING: u64 = 1024 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or a named pipe.
    Path(PathBuf),
    Stdin,
    /// Objects of JSON on standard input, or an array of them.
    StdinJson,
    Text(String),
}

/// Rows from the temporary database, read ahead.
pub(super) type Chunks = mpsc::Receiver<rusqlite::Result<Vec<FileRow>>>;

/// A validated file. Its good rows stay on disk until this is dropped.
#[derive(Debug)]
pub struct Validated {
    spool: Arc<Mutex<Spool>>,
    /// Number of good rows.
    pub rows: u64,
    /// Without a forecast until [`forecast`](super::forecast()) is called.
    pub preview: Preview,
}

impl Validated {
    /// Returns the result of an import that sends nothing, and the reason if it had to halt.
    pub fn unsent(&self, halted: Option<String>) -> Summary {
        let progress = Progress { rows: self.rows, ..Progress::default() };
        Summary { progress, over: halted.map_or(Over::Done, Over::Halted), notes: Vec::new() }
    }

    /// Reads the good rows from the first, on another thread.
    pub(super) fn chunks(&self) -> Chunks {
        let (sender, receiver) = mpsc::channel(2);
        let (spool, rows) = (Arc::clone(&self.spool), self.rows);
        // The task ends after the last row, or when the receiver is dropped.
        drop(tokio::task::spawn_blocking(move || {
            for after in (0..rows).step_by(CHUNK) {
                let chunk = spool.lock().unwrap_or_else(PoisonError::into_inner).read(after, CHUNK);
                let is_last = chunk.is_err();
                if sender.blocking_send(chunk).is_err() || is_last {
                    break;
                }
            }
        }));
        receiver
    }
}

/// Why a file was not validated to its end. Nothing of it can be sent.
#[derive(Debug, Error)]
pub enum ValidateError {
    #[error("stopped")]
    Stopped,
    #[error("there is no such file; check its name")]
    NotFound,
    #[error("that is a folder; name a file in it")]
    IsFolder,
    /// A pipe or device, where only a file is read.
    #[error("that is no regular file; plants import reads it")]
    NotRegular,
    #[error(transparent)]
    Read(ReadError),
    /// The temporary database cannot hold the rows.
    #[error(
        "its rows cannot be written to a temporary file: {0}; free some space, or name another folder with --data-dir"
    )]
    NoRoom(#[from] rusqlite::Error),
}

/// Validates a file row by row, blocking. Calls `fault` with each bad row, and `bytes` regularly with the
/// number of bytes read. A table has `separator` between its columns, if given, whatever its first line says. Writes the good rows to a temporary file in `folder`.
///
/// # Errors
///
/// The file cannot be read, is not in a known format, or `stop` was cancelled.
pub fn validate(
    source: &Source,
    separator: Option<Separator>,
    folder: Option<&Path>,
    fault: &mut dyn FnMut(&RowFault),
    bytes: &mut dyn FnMut(u64),
    stop: &CancellationToken,
) -> Result<Validated, ValidateError> {
    let (input, format, is_unending) = open(source)?;
    let mut spool = Spool::begin(folder)?;
    let mut preview = Preview::default();
    let (mut rows, mut write_error, mut slips) = (0, None, Slips::default());
    let most = is_unending.then_some(MOST_UNENDING);
    let mut counted = Counted { input, is_over: false, bytes, read: 0, reported: 0, most, stop };
    let contents = read(&mut counted, format, separator, &mut |row| {
        match row {
            Ok(row) => {
                if let Err(why) = spool.push(&row) {
                    write_error = Some(why);
                    return ControlFlow::Break(());
                }
                rows += 1;
                slips.count(&row);
            }
            Err(bad) => {
                fault(&bad);
                preview.bad += 1;
                if preview.faults.len() < FAULTS_HELD {
                    preview.faults.push(bad);
                }
            }
        }
        ControlFlow::Continue(())
    });
    if stop.is_cancelled() {
        return Err(ValidateError::Stopped);
    }
    if let Some(why) = write_error {
        return Err(why.into());
    }
    let Contents { format, notes } = contents.map_err(ValidateError::Read)?;
    (preview.format, preview.notes) = (format, notes);
    preview.notes.extend(slips.notes());
    spool.end(stop.clone()).map_err(|why| if stop.is_cancelled() { ValidateError::Stopped } else { why.into() })?;
    Ok(Validated { spool: Arc::new(Mutex::new(spool)), rows, preview })
}

/// An input, the format of its file extension, and whether the input may have no end.
type Input = (Box<dyn Read>, Option<FileFormat>, bool);

fn open(source: &Source) -> Result<Input, ValidateError> {
    let path = match source {
        Source::Path(path) => path,
        Source::Text(text) => return Ok((Box::new(io::Cursor::new(text.clone())), None, false)),
        Source::Stdin => return Ok((Box::new(io::stdin()), None, true)),
        Source::StdinJson => return Ok((Box::new(io::stdin()), Some(FileFormat::Json), true)),
    };
    let unreadable = |why: io::Error| {
        if why.kind() == io::ErrorKind::NotFound { ValidateError::NotFound } else { ValidateError::Read(why.into()) }
    };
    let dropped = dropped_file(path);
    let path = dropped.as_deref().unwrap_or(path);
    // Windows does not open a folder.
    if path.is_dir() {
        return Err(ValidateError::IsFolder);
    }
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    Ok((Box::new(file), FileFormat::of_file(path), !metadata.is_file()))
}

/// Returns the file that a path means as a terminal writes the path of a dropped file, if there is no file of that very
/// name.
fn dropped_file(path: &Path) -> Option<PathBuf> {
    let dropped = dropped_path(path.to_str()?).map(PathBuf::from)?;
    (!path.exists() && dropped.is_file()).then_some(dropped)
}

/// Counts the bytes read and reports them regularly. Fails once `most` bytes are exceeded, or `stop` is
/// cancelled.
struct Counted<'a> {
    input: Box<dyn Read>,
    /// Whether the input has ended, once and for all: behind Ctrl-D a terminal can be read further.
    is_over: bool,
    bytes: &'a mut dyn FnMut(u64),
    read: u64,
    reported: u64,
    most: Option<u64>,
    stop: &'a CancellationToken,
}

/// Number of bytes between two reports.
const REPORT_EVERY: u64 = 1024 * 1024;

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        if self.most.is_some_and(|most| self.read > most) {
            return Err(io::Error::other("more than 1 GiB without an end: import a file"));
        }
        let count = if self.is_over { 0 } else { self.input.read(buffer)? };
        self.is_over |= count == 0 && !buffer.is_empty();
        self.read += count as u64;
        if self.read - self.reported >= REPORT_EVERY {
            self.reported = self.read;
            (self.bytes)(self.read);
        }
        Ok(count)
    }
}
