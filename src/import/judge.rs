//! Reading a file and judging each of its rows, before anything is sent.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::spool::{Rows, Spool};
use crate::domain::import::Judged as Row;
use crate::domain::import::{Contents, FAULTS_HELD, Forecast, Format, Preview, RowFault, Standing, read};

/// Bytes read of what may have no end, such as a pipe: 1 GiB.
const MOST_UNENDING: u64 = 1024 * 1024 * 1024;

/// Where rows come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or a pipe that has a name.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

/// A file whose rows were judged. Those that are good are kept until this is dropped.
#[derive(Debug)]
pub struct Judged {
    spool: Spool,
    /// What a person is told of it; the forecast does not know the list yet.
    pub preview: Preview,
}

impl Judged {
    /// How many rows can be sent.
    pub fn rows(&self) -> u64 {
        self.spool.rows()
    }

    /// Reads them, from the first.
    pub(super) fn read(&mut self) -> io::Result<Rows> {
        self.spool.read()
    }
}

/// Why a file was not judged to its end. Nothing of it can be sent.
#[derive(Debug)]
pub enum NotJudged {
    /// Whoever asked did not want to know any more.
    Stopped,
    /// The file is none that plants can be read from; in words.
    Failed(String),
    /// There is no room to hold its rows until they are sent; in words.
    NoRoom(String),
}

/// Judges a file row by row. `fault` is told of each bad row as it is found, `bytes` now and then
/// how far it has come. Good rows are set down in `folder`. Blocks.
///
/// # Errors
///
/// The file cannot be read, is none that plants can be read from, or `stop` was cancelled.
pub fn judge(
    source: &Source,
    folder: Option<&Path>,
    fault: &mut dyn FnMut(&RowFault),
    bytes: &mut dyn FnMut(u64),
    stop: &CancellationToken,
) -> Result<Judged, NotJudged> {
    let input = Input::open(source).map_err(NotJudged::Failed)?;
    let mut spool = Spool::begin(folder).map_err(|why| NotJudged::NoRoom(no_room(&why)))?;
    let mut preview = Preview::default();
    let mut lost = None;
    let most = input.unending.then_some(MOST_UNENDING);
    let mut counted = Counted { input: input.bytes, bytes, read: 0, told: 0, most, stop };
    let contents = read(&mut counted, input.format, &mut |row| {
        match row {
            Row::Good(row) => {
                if let Err(why) = spool.push(&row) {
                    lost = Some(why);
                    return ControlFlow::Break(());
                }
            }
            Row::Bad(bad) => {
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
        return Err(NotJudged::Stopped);
    }
    if let Some(why) = lost {
        return Err(NotJudged::NoRoom(no_room(&why)));
    }
    let Contents { format, notes } = contents.map_err(|why| NotJudged::Failed(why.to_string()))?;
    (preview.format, preview.notes) = (format, notes);
    spool.mark_repeats(stop).map_err(|why| NotJudged::Failed(no_room(&why)))?;
    if stop.is_cancelled() {
        return Err(NotJudged::Stopped);
    }
    preview.forecast = Forecast::from(Standing { send: spool.rows(), ..Standing::default() });
    Ok(Judged { spool, preview })
}

fn no_room(why: &io::Error) -> String {
    format!(
        "its rows cannot be held in a temporary file: {why}; free some space, or name another folder with --data-dir"
    )
}

/// Something to read.
struct Input {
    bytes: Box<dyn Read>,
    /// What its name stands for.
    format: Option<Format>,
    /// Whether it may have no end.
    unending: bool,
}

impl Input {
    fn open(source: &Source) -> Result<Self, String> {
        let path = match source {
            Source::Stdin => return Ok(Self { bytes: Box::new(io::stdin().lock()), format: None, unending: true }),
            Source::Path(path) => path,
        };
        let file = File::open(path).map_err(|why| cannot_read(&why))?;
        let about = file.metadata().map_err(|why| cannot_read(&why))?;
        if about.is_dir() {
            return Err("that is a folder".to_owned());
        }
        Ok(Self { bytes: Box::new(file), format: Format::of_file(path), unending: !about.is_file() })
    }
}

fn cannot_read(why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::NotFound {
        "there is no such file".to_owned()
    } else {
        format!("it cannot be read: {why}")
    }
}

/// Counts what is read, tells of it, and comes to an end where the bytes do not.
struct Counted<'a> {
    input: Box<dyn Read>,
    bytes: &'a mut dyn FnMut(u64),
    read: u64,
    told: u64,
    most: Option<u64>,
    stop: &'a CancellationToken,
}

/// How often it is told, in bytes.
const TELLING: u64 = 1024 * 1024;

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
        if self.read - self.told >= TELLING {
            self.told = self.read;
            (self.bytes)(self.read);
        }
        Ok(count)
    }
}
