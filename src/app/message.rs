//! What can happen to the model, and what it can ask for.

use std::path::PathBuf;
use std::time::Duration;

use crate::client::Token;
use crate::config::Wish;
use crate::config::new_profile::{NewProfile, NotTaken};
use crate::courier::Report;
use crate::demo::Sky;
use crate::domain::check::{self, Beforehand, Format};
use crate::domain::import::{self, Preview, Progress, Summary};
use crate::domain::plant::Field;
use crate::domain::{
    Departed, Operation, OperationId, PlantId, Row, Sample, Settlement, StoreUrl, Timestamp, Unresolved,
};
use crate::journal::{Column, Each, JournalError, Kept, LogRequest, LogWindow, Search, Story, Window, WindowRequest};

use super::connection::{Arrival, UrlField};
use super::export::{ExportFault, Exported};
use super::key::Key;
use super::keys::Action;
use super::profile::ProfileLine;
use super::reader::Compared;

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
    Drawn(Drawn),
    /// The courier tells what became of an operation.
    Report(Box<Report>),
    /// The courier is gone; nothing can be sent any more. Says why.
    CourierDied(String),
    /// A window of the view that was asked for arrived, or why it could not be read.
    Window(Box<WindowRequest>, Result<Window, JournalError>),
    /// The order of the view, which was late, can be asked for again.
    ViewDue,
    /// Lines of the log that were asked for arrived, or why they could not be read.
    Log(Box<LogRequest>, Result<LogWindow, JournalError>),
    /// How long the exchanges took that fit a search.
    Pulse(Box<Search>, Result<Vec<Sample>, JournalError>),
    /// The exchange at this place, if there is one.
    Inspected(i64, Result<Option<Box<Kept>>, String>),
    /// Two exchanges, compared.
    Compared(Result<Option<Box<Compared>>, String>),
    /// The plants that fit this filter of the view.
    Fitting(String, Result<Vec<Row>, String>),
    /// How the plants stand that are to be deleted together: those that are in the view.
    ToDelete(Vec<PlantId>, Result<Vec<Row>, String>),
    /// Those of the plants that are to be resolved together that are unknown.
    ToResolve(Vec<PlantId>, Result<Vec<Unresolved>, String>),
    /// A report was written to this file with so many exchanges, or why it was not.
    Reported(PathBuf, Result<usize, String>),
    /// A run of the check was written to this file, or why it was not.
    CheckWritten(PathBuf, Result<(), String>),
    /// So many bytes of the file that is judged were read.
    Judging {
        /// So far.
        bytes: u64,
    },
    /// What this file comes to, or why it cannot be imported. Its path is as it was opened.
    Judged(PathBuf, Result<Box<Preview>, String>),
    /// The import has come so far; at most ten times in a second.
    Importing(Progress),
    /// The import is over.
    Imported(Box<Summary>),
    /// The view was written to this file, or why not.
    Exported(PathBuf, Result<Exported, ExportFault>),
    /// The store that was wished for is open, or why it could not be opened.
    Connected(Result<Box<Arrival>, String>),
    /// A profile was written into this config file, or why not.
    ProfileSaved(Box<NewProfile>, PathBuf, Result<(), NotTaken>),
    /// The store rejected the token in the middle of an import, and its command gave another.
    TokenRenewed,
    /// The base URLs that the journal knows, newest first, or why they could not be read.
    Stores(Result<Vec<StoreUrl>, String>),
    /// Other programs have changed the journal.
    JournalChanged,
    /// What the journal knows of a plant arrived.
    Story(PlantId, Result<Box<Story>, String>),
    /// The unknown plants.
    Doubts(Result<Vec<Row>, String>),
    /// Plants that are not in the view and have this text, or why they could not be read.
    Departed(String, Result<Vec<Departed>, String>),
    /// An operation that the dead courier left behind was written down as unknown, or why not.
    GivenUp(Result<(), String>),
    /// A settlement was written, or why it could not be.
    Settled(PlantId, Settlement, Result<(), JournalError>),
    /// The same of many that were written together: the result of each.
    SettledAll(Vec<PlantId>, Settlement, Result<Each, JournalError>),
    /// Plants that earlier runs of the check left behind, and a number drawn by lot for the next one.
    Beforehand(u64, Result<Beforehand, String>),
    /// This pause of the check is over.
    Paused(u32),
    /// A run of the check was kept, or why not.
    RunKept(Result<(), String>),
    /// The runs of the check that are kept, newest first.
    Runs(Result<Vec<check::Report>, String>),
    /// The exchanges of these operations, as far as the journal has them.
    Behind(Vec<OperationId>, Result<Vec<Kept>, String>),
    /// Something turns on screen: draw its next step.
    Tick,
    /// The system asks the program to end.
    Terminate,
}

/// What a drawn frame had room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawn {
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
    /// A key of the footer, the tab of a room.
    Action(Action),
    /// The row of a plant.
    Plant(PlantId),
    /// The line of the exchange at this place.
    Exchange(i64),
    /// A line of the Check room.
    Judged(usize),
    /// The heading of a column.
    Heading(Column),
    /// The list of the room, beside its rows.
    List,
    /// The pane beside it.
    Pane,
    /// An answer of a dialog.
    Answer(usize),
    /// A line of an open list.
    Line(usize),
    /// A field of the add form.
    Field(Field),
    /// What is switched on and off.
    Switch,
    /// A field of the form for another base URL.
    UrlField(UrlField),
    /// A line of the form that saves a profile.
    ProfileLine(ProfileLine),
    /// A text.
    Reader,
    /// Something open that takes no mouse, over everything else.
    Nothing,
}

/// An order to the runtime.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Give an operation to the courier.
    Send(Operation),
    /// Cancel an operation that is queued or out.
    Cancel(OperationId),
    /// Cancel all of them.
    CancelAll,
    /// Use this token from now on.
    UseToken(Token),
    /// Write down that nobody knows how an operation ended: the courier died with it.
    GiveUp(Operation),
    /// Write a person's word about a plant, and about what is unknown of it, if something is.
    Settle(PlantId, Option<OperationId>, Settlement),
    /// Write a person's word about these plants, and what was unknown of each.
    SettleAll(Vec<(PlantId, OperationId)>, Settlement),
    /// Read a window of the view.
    Load(WindowRequest),
    /// Say so when this long has passed.
    WaitForView(Duration),
    /// Read what is known of a plant.
    Tell(PlantId),
    /// Read which plants are unknown.
    FindDoubts,
    /// Read which plants are not in the view and have this text.
    FindDeparted(String),
    /// Read lines of the log.
    Log(LogRequest),
    /// Read how long the newest exchanges took that fit.
    Pulse(Search),
    /// Read the exchange at this place.
    Inspect(i64),
    /// Read the exchanges at these places, and compare them.
    Compare(i64, i64),
    /// Read which plants fit this, so many at most.
    FindFitting(String, usize),
    /// Read how these plants stand.
    FindToDelete(Vec<PlantId>),
    /// Read which of these plants are unknown, and what of them.
    FindToResolve(Vec<PlantId>),
    /// Write a report of the exchanges that fit to a new file.
    WriteReport(PathBuf, Search),
    /// Write a run of the check to a new file.
    WriteCheck(PathBuf, Format, Box<check::Report>),
    /// Judge every row of a file, and keep what can be sent.
    Judge(PathBuf),
    /// Nobody waits for that any more.
    StopJudging,
    /// Send what was judged and kept.
    Import {
        /// Though rows of it are bad.
        skip_bad: bool,
        /// Also those that are unknown.
        resend_unknown: bool,
    },
    /// What was judged is not sent.
    DropImport,
    /// Nothing more of the import goes out; what is out is awaited.
    StopImport,
    /// What is out of it is cancelled, too.
    CancelImport,
    /// Write the view into a file, whole or not at all.
    Export {
        /// The file.
        path: PathBuf,
        /// In which format.
        format: import::Format,
        /// Whether cells that a spreadsheet would run as a formula are changed.
        spreadsheet: bool,
        /// Whether a file that is there is overwritten.
        replace: bool,
    },
    /// Read which plants earlier runs of the check left behind.
    LookBeforehand,
    /// Tell of the end of this pause after so long.
    Pause(u32, Duration),
    /// Keep what a run of the check came to.
    KeepRun(Box<check::Report>),
    /// Read the runs that are kept.
    FindRuns,
    /// Read the exchanges of these operations.
    LookBehind(Vec<OperationId>),
    /// Open this store, and tell when that is done. The one that is open stays so.
    Connect(Wish),
    /// Nobody waits for it any more.
    StopConnecting,
    /// Write a profile into the config file; in the place of one of its name if so said.
    SaveProfile(Box<NewProfile>, bool),
    /// Read which base URLs the journal knows.
    FindStores,
    /// From here on work with the store that was just opened, and close the one before.
    Switch,
    /// Change the weather of the demo store.
    Weather(Sky),
    /// Hand this text to the terminal's clipboard.
    Copy(String),
    /// Listen to the mouse, or leave it to the terminal.
    UseMouse(bool),
    /// Give the terminal back and stop until told to go on.
    Suspend,
    /// End the program.
    Quit,
}
