//! Messages to the app, as plain data: from the terminal, the worker, the journal and the runtime.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use super::effect::Clip;
use super::input::completion::{PathMatches, PathQuery};
use super::input::{Command, Tab};
use super::status::Notice;
use crate::check::{self, EarlierRuns};
use crate::client::{self, FieldName, Limits, Token};
use crate::config::new_profile::{NewProfile, SaveFault};
use crate::config::preference::Preference;
use crate::config::{HeaderColor, TokenSource};
use crate::domain::compare::Compared;
use crate::domain::export::Exported;
use crate::domain::filter::Filter;
use crate::domain::{
    ListedPlant, OperationId, OperationKind, Plant, PlantId, Request, Resolution, Row, RunId, Sample, StoreUrl,
    Timestamp, Unlisted,
};
use crate::import::{Preview, Progress, Summary};
use crate::journal::{
    EntryResults, HistoryRequest, HistoryWindow, JournalError, PlantHistory, StoredExchange, Window, WindowRequest,
};
use crate::team;
use crate::terminal::{Key, Timing};
use crate::text::number_format::counted;
use crate::text::shown_path;
use crate::worker::{BrakeCause, Ended, Report};

/// The cause of a failure, for display.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// An event that has happened, or the result of an [`Effect`](super::Effect).
#[derive(Debug)]
pub enum Msg {
    /// The current time, before each batch of other messages.
    Now(Timestamp),
    Input(UserInput, Timing),
    /// A frame was written to the terminal, at this time since the program's start.
    Drawn(FrameLayout, Duration),
    Report(Box<Report>),
    /// The worker died, with the reason. Nothing can be sent any more.
    WorkerDied(String),
    /// A window of the list of plants.
    Window(Box<WindowRequest>, Result<Window, JournalError>),
    /// The list of plants, whose order was late, can be loaded again.
    ListDue,
    /// A pause of the operations that are sent together is over.
    BatchDue,
    /// A window of the history.
    History(Box<HistoryRequest>, Result<HistoryWindow, JournalError>),
    /// The durations of the requests that match a search.
    Latencies(Box<Filter>, Result<Vec<Sample>, JournalError>),
    /// The request with this number.
    Inspected(i64, Result<Option<Box<StoredExchange>>, Cause>),
    Compared(Result<Option<Box<Compared>>, Cause>),
    /// The plants that match a filter of the list.
    Fitting(Filter, Result<Vec<Row>, Cause>),
    /// Those of these plants that are in the list, as they are now.
    Listed(Vec<PlantId>, Result<Vec<ListedPlant>, Cause>),
    /// The names that complete a path.
    Paths(PathQuery, Result<PathMatches, Cause>),
    /// The tags with this beginning.
    TagCompleted(String, Result<PathMatches, Cause>),
    /// A number of bytes of the import file was validated so far.
    Validating {
        bytes: u64,
    },
    /// The preview of an import file, whose path is as it was opened; of pasted text, without a path.
    Validated(Option<PathBuf>, Result<Box<Preview>, Cause>),
    /// The import's progress, at most ten times per second.
    Importing(Box<Progress>),
    /// The brake is on: the import waits for an order, with this many rows left to send.
    ImportBraked(u64, BrakeCause),
    Imported(Box<Summary>),
    /// A file was written, or why not.
    Written(PathBuf, Result<Written, WriteFault>),
    /// The connection target was opened.
    Connected(Result<Box<Arrival>, Cause>),
    /// A profile was written into this config file.
    ProfileSaved(Box<NewProfile>, PathBuf, Result<(), SaveFault>),
    /// A setting was written into this config file.
    PreferenceSaved(Preference, PathBuf, Result<(), SaveFault>),
    /// The source of the token gave another one, which is in use: to an import or to a person.
    TokenRenewed(Result<Token, Cause>),
    /// The base URLs in the journal, newest first.
    Stores(Result<Vec<StoreUrl>, Cause>),
    /// Another process has changed the journal.
    JournalChanged,
    /// What the link to the team does now.
    Team(Box<team::Status>),
    PlantHistory(PlantId, Result<Box<PlantHistory>, Cause>),
    /// All unknown plants.
    Unknown(Result<Vec<Row>, Cause>),
    /// The plants outside the list that contain this text.
    Unlisted(String, Result<Vec<Unlisted>, Cause>),
    /// An operation of the dead worker was recorded as unknown.
    GivenUp(Result<(), Cause>),
    /// A resolution of plants was stored, with a result for each.
    Resolved(Vec<PlantId>, Resolution, Result<EntryResults, JournalError>),
    /// The leftovers of earlier runs of the check, and a random seed for the next one.
    EarlierRuns(u64, Result<EarlierRuns, Cause>),
    /// This pause of the check is over.
    Paused(u32),
    /// A run of the check was stored.
    RunKept(Result<(), Cause>),
    /// The stored runs of the check, newest first.
    Runs(Result<Vec<check::Report>, Cause>),
    /// The exchanges of these operations, as far as the journal has them.
    Related(Vec<OperationId>, Result<Vec<StoredExchange>, Cause>),
    /// The custom command with this name has ended, or could not be run.
    CommandEnded(String, Result<Box<CommandOutput>, Cause>),
    /// The same of a line of the palette that ran in the background.
    LineEnded(String, Result<Box<CommandOutput>, Cause>),
    /// The program was not suspended, as no shell could continue it.
    NotSuspended,
    /// What became of a text for the clipboard.
    Copied(Box<Clip>, CopyEnd),
    /// The next step of an animation is due.
    Tick,
    /// The system requests the end of the program.
    Terminate,
}

impl Msg {
    /// Returns the end of an operation that does not belong to a check.
    pub(super) fn own_end(&self) -> Option<&Ended> {
        let Self::Report(report) = self else { return None };
        let Report::Ended(ended) = &**report else { return None };
        Some(&**ended).filter(|ended| ended.exchange.operation.probe.is_none())
    }

    /// Whether it brings what a store or the journal has, and may wait a moment for the picture.
    pub(super) fn brings_state(&self) -> bool {
        matches!(
            self,
            Self::Report(_) | Self::Window(..) | Self::PlantHistory(..) | Self::JournalChanged | Self::Team(_)
        )
    }

    /// Whether a query has failed on which the selection or the marks depend, or has not found the selected request.
    pub fn is_failed_read(&self) -> bool {
        matches!(
            self,
            Self::Window(_, Err(_))
                | Self::History(_, Err(_))
                | Self::Latencies(_, Err(_))
                | Self::Inspected(_, Ok(None) | Err(_))
                | Self::Fitting(_, Err(_))
                | Self::Listed(_, Err(_))
                | Self::Unknown(Err(_))
                | Self::PlantHistory(_, Err(_))
        )
    }
}

/// Properties of the open store, which do not change while it is open.
#[derive(Debug, Clone)]
pub struct StoreInfo {
    pub store: StoreUrl,
    /// Whether it is the demo store inside this program.
    pub demo: bool,
    pub profile: Option<String>,
    pub header_color: Option<HeaderColor>,
    /// Where the token comes from, as a profile names it.
    pub token_from: TokenSource,
    /// The settings in force that saving it as a profile leaves out.
    pub unsaved: Vec<&'static str>,
    /// Names where the token comes from; `None` if a person types it.
    pub token_origin: Option<String>,
    /// Whether it may give another token when it is asked again.
    pub token_can_change: bool,
    /// The headers for a gateway before the store.
    pub headers: Vec<FieldName>,
    pub read_only: bool,
    /// The time limit of one request.
    pub timeout: Duration,
    /// The time zone for display.
    pub zone: TimeZone,
    /// Identifies this process in the journal.
    pub origin: u64,
}

impl StoreInfo {
    /// Describes a deployed store without a profile, which the program may change; times are in UTC.
    pub fn of(store: StoreUrl) -> Self {
        Self {
            store,
            demo: false,
            profile: None,
            header_color: None,
            token_from: TokenSource::Prompt,
            unsaved: Vec::new(),
            token_origin: None,
            token_can_change: false,
            headers: Vec::new(),
            read_only: false,
            timeout: Limits::default().timeout,
            zone: TimeZone::UTC,
            origin: 1,
        }
    }

    /// Returns the request of an operation as it will be sent.
    pub fn request(&self, kind: &OperationKind) -> Request {
        client::request_with(&self.store, &self.headers, kind)
    }
}

/// A store that was opened.
#[derive(Debug)]
pub struct Arrival {
    pub info: StoreInfo,
    pub token: Option<Token>,
    pub notices: Vec<Notice>,
    /// Plants that the demo adds.
    pub samples: Vec<Plant>,
}

/// What a custom command printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOutput {
    pub name: String,
    pub printed: Vec<u8>,
    /// The size limit, if it printed more.
    pub cut_at: Option<u64>,
    /// How it ended, if it failed, such as `exit status: 3`.
    pub failure: Option<String>,
}

/// How copying with a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyEnd {
    /// The program with this name has it.
    By(&'static str),
    /// None reaches the clipboard from here, or none is installed.
    NoProgram,
    /// Why not: `wl-copy failed (exit code 1)`.
    Failed(String),
}

/// What a file contains that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    Plants(Exported),
    /// A report with this number of requests.
    Requests(usize),
    Check,
}

impl Written {
    /// Returns a sentence about it.
    pub fn summary(self, path: &Path) -> String {
        match self {
            Self::Plants(exported) => exported.summary(path),
            Self::Requests(count) => {
                let requests = counted(count as u64, "request", "requests");
                format!("Wrote {requests} to {}. Every credential in the file is masked.", shown_path(path))
            }
            Self::Check => format!("Wrote this run of the check to {}.", shown_path(path)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteFault {
    /// The file exists, and the person has not agreed to overwrite it.
    Exists,
    Other(String),
}

/// How much of the screen's content the last frame could show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrameLayout {
    /// Whether the terminal is too small to draw anything.
    pub too_small: bool,
    /// A list of another tab takes the same size, too.
    pub tab: Tab,
    /// Rows of the list.
    pub page: usize,
    /// Rows of the pane beside the list.
    pub pane_page: usize,
    /// Pots side by side in the Greenhouse.
    pub across: usize,
    /// Lines of the pane's whole text.
    pub pane_lines: usize,
    /// Rows of the open reader.
    pub reader_page: usize,
    /// Lines of the reader's whole text.
    pub reader_lines: usize,
    /// Lines of the reader that match the search.
    pub matches: Matches,
}

impl FrameLayout {
    /// Whether a frame with this layout is the same with the one before. A pane limits its scroll position itself, and only
    /// one that scrolls has keys for it.
    pub fn is_drawn_like(&self, before: &Self) -> bool {
        let Self { pane_page, pane_lines, .. } = *before;
        let is_the_same = Self { pane_page, pane_lines, ..*self } == *before;
        is_the_same && (self.pane_lines > self.pane_page) == (pane_lines > pane_page)
    }
}

/// The lines of a reader that match its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Matches {
    pub count: usize,
    /// The number of the current match, from 1; 0 if there is none.
    pub nth: usize,
    /// The line of the current match.
    pub at: Option<usize>,
    /// The line of the previous match, wrapping around.
    pub before: Option<usize>,
    /// The line of the next match, wrapping around.
    pub after: Option<usize>,
}

/// What a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserInput {
    Key(Key),
    Paste(String),
    Click(Target),
    /// One step of the wheel.
    Wheel {
        over: Target,
        down: bool,
    },
}

/// What a click or the wheel of the mouse can hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A key in the footer, or a tab.
    Command(Command),
    Plant(PlantId),
    /// A plant that has left the list, and still has a pot.
    GonePlant(PlantId),
    /// The request with this number.
    Exchange(i64),
    /// A run of the check in the history.
    Run(RunId),
    /// A line of the check, or of an open list.
    Line(usize),
    /// A heading of a list, by the index of its column.
    Heading(usize),
    /// The list of a screen, outside its lines.
    List,
    /// The pane beside the list.
    Pane,
    /// A choice of a question, by index.
    Choice(usize),
    /// A field of a form, by index.
    Field(usize),
    /// The text of a reader.
    Text,
    /// A part of a dialog that ignores the mouse, and hides what is below it.
    Nothing,
}

impl Target {
    /// Whether it is a line that the first click selects, and no more.
    pub fn is_selected_first(self) -> bool {
        matches!(self, Self::Plant(_) | Self::GonePlant(_) | Self::Exchange(_) | Self::Line(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_that_begins_to_scroll_is_drawn_again_with_its_keys() {
        let pane = |pane_lines| FrameLayout { pane_lines, pane_page: 5, ..FrameLayout::default() };
        assert!(pane(4).is_drawn_like(&pane(2)) && pane(9).is_drawn_like(&pane(12)));
        assert!(!pane(6).is_drawn_like(&pane(5)) && !pane(5).is_drawn_like(&pane(6)));
        assert!(pane(4).is_drawn_like(&FrameLayout { pane_page: 7, ..pane(4) }));
    }
}
