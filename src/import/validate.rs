//! Reads a file and validates each of its rows, before anything is sent.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::decision::{Repeat, RowCounts};
use super::format::{Contents, ReadError, read};
use super::preview::{FAULTS_HELD, Forecast, Preview};
use super::row::{ImportRow, RowFault};
use super::spool::Spool;
use crate::domain::file_format::FileFormat;

/// Rows of a file that are handed on at once.
pub(super) const CHUNK: usize = 512;

/// Bytes read of what may have no end, such as a pipe: 1 GiB.
const MOST_UNENDING: u64 = 1024 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or a pipe that has a name.
    Path(PathBuf),
    Stdin,
}

/// A row of a file, and whether an earlier one has its id.
pub(super) type FileRow = (ImportRow, Repeat);

/// Rows as they come from the disk, read ahead of their taker.
pub(super) type Chunks = mpsc::Receiver<io::Result<Vec<FileRow>>>;

/// A file whose rows were validated. Those that are good are kept on disk until this is dropped.
#[derive(Debug)]
pub struct Validated {
    spool: Spool,
    /// Its forecast does not know the list yet.
    pub preview: Preview,
}

impl Validated {
    /// Counts the rows that can be sent.
    pub fn rows(&self) -> u64 {
        self.spool.rows()
    }

    /// Reads the good rows from the first, on a thread of its own.
    pub(super) fn chunks(&mut self) -> io::Result<Chunks> {
        let mut rows = self.spool.read()?;
        let (sender, receiver) = mpsc::channel(2);
        // It ends with the rows, or as soon as its receiver is gone.
        drop(tokio::task::spawn_blocking(move || {
            loop {
                let chunk: io::Result<Vec<_>> = rows.by_ref().take(CHUNK).collect();
                let last = chunk.as_ref().map_or(true, Vec::is_empty);
                if chunk.as_ref().is_ok_and(Vec::is_empty) || sender.blocking_send(chunk).is_err() || last {
                    break;
                }
            }
        }));
        Ok(receiver)
    }
}

/// Why a file was not validated to its end. Nothing of it can be sent.
#[derive(Debug)]
pub enum ValidateError {
    Stopped,
    NotFound,
    IsFolder,
    /// Something that may have no end, where only a file is read.
    NotRegular,
    Read(ReadError),
    /// The temporary file takes no more rows.
    NoRoom(io::Error),
}

impl fmt::Display for ValidateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("stopped"),
            Self::NotFound => f.write_str("there is no such file"),
            Self::IsFolder => f.write_str("that is a folder"),
            Self::NotRegular => f.write_str("that is no regular file; plants import reads it"),
            Self::Read(why) => why.fmt(f),
            Self::NoRoom(why) => write!(
                f,
                "its rows cannot be held in a temporary file: {why}; free some space, or name another folder with \
                 --data-dir"
            ),
        }
    }
}

impl Error for ValidateError {}

/// Validates a file row by row. Calls `fault` with each bad row as it is found, and `bytes` now and then
/// with how far it has come. Sets good rows down in `folder`. Blocks.
///
/// # Errors
///
/// The file cannot be read, is none that plants can be read from, or `stop` was cancelled.
pub fn validate(
    source: &Source,
    folder: Option<&Path>,
    fault: &mut dyn FnMut(&RowFault),
    bytes: &mut dyn FnMut(u64),
    stop: &CancellationToken,
) -> Result<Validated, ValidateError> {
    let input = Input::open(source)?;
    let mut spool = Spool::begin(folder).map_err(ValidateError::NoRoom)?;
    let mut preview = Preview::default();
    let mut lost = None;
    let most = input.unending.then_some(MOST_UNENDING);
    let mut counted = Counted { input: input.bytes, bytes, read: 0, reported: 0, most, stop };
    let contents = read(&mut counted, input.format, &mut |row| {
        match row {
            Ok(row) => {
                if let Err(why) = spool.push(&row) {
                    lost = Some(why);
                    return ControlFlow::Break(());
                }
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
    if let Some(why) = lost {
        return Err(ValidateError::NoRoom(why));
    }
    let Contents { format, notes } = contents.map_err(ValidateError::Read)?;
    (preview.format, preview.notes) = (format, notes);
    spool.mark_repeats(stop).map_err(ValidateError::NoRoom)?;
    if stop.is_cancelled() {
        return Err(ValidateError::Stopped);
    }
    preview.forecast = Forecast::from(RowCounts { send: spool.rows(), ..RowCounts::default() });
    Ok(Validated { spool, preview })
}

struct Input {
    bytes: Box<dyn Read>,
    /// As its name says.
    format: Option<FileFormat>,
    /// Whether it may have no end.
    unending: bool,
}

impl Input {
    fn open(source: &Source) -> Result<Self, ValidateError> {
        let path = match source {
            Source::Stdin => return Ok(Self { bytes: Box::new(io::stdin().lock()), format: None, unending: true }),
            Source::Path(path) => path,
        };
        let unreadable = |why: io::Error| {
            if why.kind() == io::ErrorKind::NotFound {
                ValidateError::NotFound
            } else {
                ValidateError::Read(why.into())
            }
        };
        let file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if about.is_dir() {
            return Err(ValidateError::IsFolder);
        }
        Ok(Self { bytes: Box::new(file), format: FileFormat::of_file(path), unending: !about.is_file() })
    }
}

/// Counts what is read, reports it now and then, and comes to an end where the bytes do not.
struct Counted<'a> {
    input: Box<dyn Read>,
    bytes: &'a mut dyn FnMut(u64),
    read: u64,
    reported: u64,
    most: Option<u64>,
    stop: &'a CancellationToken,
}

/// Bytes between two reports.
const REPORT_EVERY: u64 = 1024 * 1024;

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        if self.most.is_some_and(|most| self.read > most) {
            return Err(io::Error::other("it does not end: after 1 GiB there is still more; import a file"));
        }
        let count = self.input.read(buffer)?;
        self.read += count as u64;
        if self.read - self.reported >= REPORT_EVERY {
            self.reported = self.read;
            (self.bytes)(self.read);
        }
        Ok(count)
    }
}
