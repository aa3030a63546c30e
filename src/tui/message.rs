//! What can happen to the app: plain data from the terminal, the worker, the journal and the runtime.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::comparison::Compared;
use super::input::{Command, Key};
use super::status::Notice;
use crate::check::{self, EarlierRuns};
use crate::config::HeaderColor;
use crate::config::new_profile::{NewProfile, NotTaken};
use crate::domain::number_format::{counted, grouped};
use crate::domain::text::shown_path;
use crate::domain::{OperationId, Plant, PlantId, Resolution, Row, Sample, StoreUrl, Timestamp, Unlisted, Unresolved};
use crate::import::{Preview, Progress, Summary};
use crate::journal::{
    Column, EntryResults, JournalError, LogRequest, LogWindow, PlantHistory, Search, StoredExchange, Window,
    WindowRequest,
};
use crate::worker::Report;

/// Why something failed, to be shown.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A fact.
#[derive(Debug)]
pub enum Msg {
    /// What time it is; comes before each batch of other messages.
    Now(Timestamp),
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The mouse was clicked on this.
    Clicked(Target),
    /// The wheel was turned over this.
    Wheeled {
        /// What was under it.
        over: Target,
        /// Towards the person.
        down: bool,
    },
    /// The terminal has this many columns and rows.
    Resized {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A frame was drawn: how much of what there is fitted.
    Drawn(FrameLayout),
    /// The worker tells what became of an operation.
    Report(Box<Report>),
    /// The worker is gone; nothing can be sent any more. Says why.
    WorkerDied(String),
    /// A window of the view that was asked for arrived, or why it could not be read.
    Window(Box<WindowRequest>, Result<Window, JournalError>),
    /// The order of the view, which was late, can be asked for again.
    ViewDue,
    /// Lines of the log that were asked for arrived, or why they could not be read.
    Log(Box<LogRequest>, Result<LogWindow, JournalError>),
    /// How long the exchanges took that fit a search.
    Latencies(Box<Search>, Result<Vec<Sample>, JournalError>),
    /// The exchange at this place, if there is one.
    Inspected(i64, Result<Option<Box<StoredExchange>>, Cause>),
    /// Two exchanges, compared.
    Compared(Result<Option<Box<Compared>>, Cause>),
    /// The plants that fit this filter of the view.
    Fitting(String, Result<Vec<Row>, Cause>),
    /// How the plants stand that are to be deleted together: those that are in the view.
    ToDelete(Vec<PlantId>, Result<Vec<Row>, Cause>),
    /// Those of the plants that are to be resolved together that are unknown.
    ToResolve(Vec<PlantId>, Result<Vec<Unresolved>, Cause>),
    /// A report was written to this file with so many exchanges, or why it was not.
    Reported(PathBuf, Result<usize, Cause>),
    /// A run of the check was written to this file, or why it was not.
    CheckWritten(PathBuf, Result<(), Cause>),
    /// So many bytes of the file that is validated were read.
    Validating {
        /// So far.
        bytes: u64,
    },
    /// What this file comes to, or why it cannot be imported. Its path is as it was opened.
    Validated(PathBuf, Result<Box<Preview>, Cause>),
    /// The import has come so far; at most ten times in a second.
    Importing(Progress),
    /// The import is over.
    Imported(Box<Summary>),
    /// The view was written to this file, or why not.
    Exported(PathBuf, Result<Exported, ExportFault>),
    /// The store that was wished for is open, or why it could not be opened.
    Connected(Result<Box<Arrival>, Cause>),
    /// A profile was written into this config file, or why not.
    ProfileSaved(Box<NewProfile>, PathBuf, Result<(), NotTaken>),
    /// The store rejected the token in the middle of an import, and its command gave another.
    TokenRenewed,
    /// The base URLs that the journal knows, newest first, or why they could not be read.
    Stores(Result<Vec<StoreUrl>, Cause>),
    /// Other programs have changed the journal.
    JournalChanged,
    /// What the journal knows of a plant arrived.
    PlantHistory(PlantId, Result<Box<PlantHistory>, Cause>),
    /// The unknown plants.
    Unknown(Result<Vec<Row>, Cause>),
    /// Plants that are not in the view and have this text, or why they could not be read.
    Unlisted(String, Result<Vec<Unlisted>, Cause>),
    /// An operation that the dead worker left behind was written down as unknown, or why not.
    GivenUp(Result<(), Cause>),
    /// A resolution was written, or why it could not be.
    Resolved(PlantId, Resolution, Result<(), JournalError>),
    /// The same of many that were written together: the result of each.
    ResolvedAll(Vec<PlantId>, Resolution, Result<EntryResults, JournalError>),
    /// Plants that earlier runs of the check left behind, and a number drawn by lot for the next one.
    EarlierRuns(u64, Result<EarlierRuns, Cause>),
    /// This pause of the check is over.
    Paused(u32),
    /// A run of the check was kept, or why not.
    RunKept(Result<(), Cause>),
    /// The runs of the check that are kept, newest first.
    Runs(Result<Vec<check::Report>, Cause>),
    /// The exchanges of these operations, as far as the journal has them.
    Behind(Vec<OperationId>, Result<Vec<StoredExchange>, Cause>),
    /// Something turns on screen: draw its next step.
    Tick,
    /// The system asks the program to end.
    Terminate,
}

/// What does not change while a store is open.
#[derive(Debug, Clone)]
pub struct StoreInfo {
    pub store: StoreUrl,
    /// Whether that is the demo store inside this program.
    pub demo: bool,
    pub profile: Option<String>,
    pub header_color: Option<HeaderColor>,
    pub read_only: bool,
    /// How long one exchange may take.
    pub timeout: Duration,
    /// The time zone of what is shown.
    pub zone: TimeZone,
    /// The name of this running program in the journal.
    pub origin: u64,
}

/// Another store is open and can be worked with.
#[derive(Debug)]
pub struct Arrival {
    pub info: StoreInfo,
    pub token_set: bool,
    pub notices: Vec<Notice>,
    /// What the demo begins with.
    pub samples: Vec<Plant>,
}

/// What an export wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    pub plants: u64,
    /// How many of them are unknown.
    pub unknown: u64,
    /// How many of them are being added or deleted at this moment.
    pub in_flight: u64,
    /// Left out, because their name is not known.
    pub unnamed: u64,
    /// Cells that were changed for spreadsheets.
    pub changed: u64,
}

impl Exported {
    /// One sentence about it.
    pub fn summary(self, path: &Path) -> String {
        let Self { plants, unknown, in_flight, unnamed, changed } = self;
        let mut text = format!("Wrote {} to {}", counted(plants, "plant", "plants"), shown_path(path));
        for (count, words) in [
            (unknown, "of them unknown".to_owned()),
            (in_flight, "being added or deleted at this moment".to_owned()),
            (unnamed, "without a name left out".to_owned()),
            (changed, format!("{} changed for spreadsheets", if changed == 1 { "cell" } else { "cells" })),
        ] {
            if count > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, "; {} {words}", grouped(count));
            }
        }
        text.push('.');
        text
    }
}

/// Why an export wrote nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportFault {
    /// There is such a file, and a person has not said to overwrite it.
    Exists,
    /// Another reason, in words.
    Other(String),
}

/// What a drawn frame had room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrameLayout {
    /// The terminal was too small to draw on.
    pub too_small: bool,
    /// Rows of the table, or of the list.
    pub page: usize,
    /// Rows of the pane beside it.
    pub pane_page: usize,
    /// Pots side by side in the Greenhouse.
    pub across: usize,
    /// Lines the pane has in all.
    pub pane_lines: usize,
    /// Rows of the reader (help, story), if one is open.
    pub reader_page: usize,
    /// Lines the reader has in all.
    pub reader_lines: usize,
    /// Those of them that have what is looked for.
    pub matches: Matches,
}

/// The lines of a reader that have what is looked for in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Matches {
    /// How many there are.
    pub count: usize,
    /// Which of them is the one found, from 1; 0 if there is none.
    pub nth: usize,
    /// The line that is found.
    pub at: Option<usize>,
    /// The one before it, around the beginning.
    pub before: Option<usize>,
    /// The one after it, around the end.
    pub after: Option<usize>,
}

/// What the mouse can point at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A key of the footer, a tab.
    Command(Command),
    Plant(PlantId),
    /// The exchange at this place of the history.
    Exchange(i64),
    /// A line of the check, or of an open list.
    Line(usize),
    /// The heading of a column.
    Heading(Column),
    /// The list of a screen, beside its lines.
    List,
    /// The pane beside it.
    Pane,
    /// A response of a dialog.
    Choice(usize),
    /// A field of a form, from its first.
    Field(usize),
    /// A text.
    Text,
    /// A dialog where it takes no mouse, over everything else.
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_is_summed_up_with_what_is_odd_about_it() {
        let path = Path::new("/x/plants.csv");
        let all = Exported { plants: 1_203, unknown: 3, in_flight: 2, unnamed: 1, changed: 1 };
        assert_eq!(
            all.summary(path),
            "Wrote 1,203 plants to /x/plants.csv; 3 of them unknown; 2 being added or deleted at this moment; 1 \
             without a name left out; 1 cell changed for spreadsheets."
        );
        assert_eq!(Exported { plants: 1, ..Exported::default() }.summary(path), "Wrote 1 plant to /x/plants.csv.");
    }
}
