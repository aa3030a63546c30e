//! Effects: the orders of the app to the runtime, as plain data. Results come back as messages.

use std::path::PathBuf;
use std::time::Duration;

use super::input::completion::PathQuery;
use crate::check::{self, Format};
use crate::client::Token;
use crate::config::new_profile::NewProfile;
use crate::config::preference::Preference;
use crate::config::{ConnectionTarget, Notify, OpenStore, ThemeChoice};
use crate::demo::WeatherPreset;
use crate::domain::file_format::FileFormat;
use crate::domain::filter::Filter;
use crate::domain::{Decided, Operation, OperationId, PlantId, Resolution, report};
use crate::import::Order;
use crate::journal::{HistoryRequest, WindowRequest};
use crate::text::Marks;

/// The newest requests that the latency chart shows, at most.
pub const LATENCY_SAMPLES: usize = 5000;

/// What a custom command reads, as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandInput {
    Plant(PlantId),
    /// The request of this operation.
    Request(OperationId),
}

/// A text for the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    pub text: String,
    /// What it is, in a sentence: `the id 7`.
    pub what: String,
    /// A sentence that follows; may be empty.
    pub then: &'static str,
}

/// An order to the runtime.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Gives an operation to the worker.
    Send(Operation),
    /// Tells a person who is elsewhere these words.
    Ring(Notify, &'static str),
    Cancel(OperationId),
    CancelAll,
    /// Uses this token from now on.
    UseToken(Token),
    /// Fetches a token in place of this one from its source, and uses it from then on.
    RenewToken(Option<Token>),
    /// Records an operation of the dead worker as unknown.
    GiveUp(Operation),
    /// Stores a resolution of plants, each with its unknown operation, if there is one.
    Resolve(Vec<Decided>, Resolution),
    /// Loads a window of the list of plants.
    Load(WindowRequest),
    /// Sends `Msg::ListDue` after this time.
    WaitForList(Duration),
    /// Sends `Msg::BatchDue` after this time.
    WaitForBatch(Duration),
    LoadPlantHistory(PlantId),
    /// Loads all unknown plants.
    FindUnknown,
    /// Loads the plants outside the list that contain this text.
    FindUnlisted(String),
    /// Loads a window of the history.
    LoadHistory(HistoryRequest),
    /// Loads the durations of the newest requests that match.
    Latencies(Filter),
    /// Loads the request with this number.
    Inspect(i64),
    /// Loads the requests with these numbers, and compares them as they are shown in these characters.
    Compare(i64, i64, Marks),
    /// Loads the plants that match this filter, up to a limit.
    FindFitting(Filter, usize),
    /// Loads those of these plants that are in the list.
    FindListed(Vec<PlantId>),
    /// Writes the matching requests to a new file.
    WriteReport(PathBuf, report::Format, Filter),
    /// Writes a run of the check to a new file.
    WriteCheck(PathBuf, Format, Box<check::Report>),
    /// Finds the names that complete a path. Replaces an earlier query.
    FindPaths(PathQuery),
    /// Completes the beginning of a tag.
    CompleteTag(String),
    /// Validates every row of a file, and stores those that can be sent.
    Validate(PathBuf),
    /// The same of a text.
    ValidateText(String),
    /// Imports the validated rows.
    Import {
        /// Whether another token is fetched in place of a rejected one.
        renews_token: bool,
    },
    /// Drops the validated rows, or stops their validation.
    DropImport,
    OrderImport(Order),
    /// Writes the list of plants into a file, atomically.
    Export {
        path: PathBuf,
        format: FileFormat,
        /// Whether to overwrite an existing file.
        replace: bool,
    },
    /// Loads the leftovers of earlier runs of the check.
    FindEarlierRuns,
    /// Sends `Msg::Paused` with this number after this time.
    Pause(u32, Duration),
    /// Stores a run of the check.
    KeepRun(Box<check::Report>),
    /// Loads the stored runs.
    FindRuns,
    /// Loads the exchanges of these operations.
    FindRelated(Vec<OperationId>),
    /// Opens another store in the background.
    Connect(ConnectionTarget),
    StopConnecting,
    /// Fetches the token of a profile once, unless it is to be saved without one, and writes the profile into the config
    /// file.
    SaveProfile {
        new: Box<NewProfile>,
        without_token: bool,
    },
    /// Writes a setting into the config file.
    SavePreference(Preference),
    /// Draws in this theme from now on.
    UseTheme(ThemeChoice),
    /// Loads the base URLs in the journal.
    FindStores,
    /// Switches to the store that was opened last, and closes the previous one.
    Switch,
    /// Changes the demo store's simulated faults.
    Weather(WeatherPreset),
    /// Copies a text with a program that reaches the system's clipboard.
    Copy(Box<Clip>),
    /// Sends a text to the terminal, for its clipboard: whether it takes the text is not known.
    CopyByTerminal(String),
    /// Uses the mouse, or leaves it to the terminal.
    UseMouse(bool),
    /// Lends the terminal to the custom command with this index, and runs it.
    RunCommand(usize, CommandInput),
    /// Runs this program with the words of a line in the background, at the open store if they need one.
    RunLine(Vec<String>, ConnectionTarget, Option<Box<OpenStore>>),
    /// Asks those runs to stop; those that are stopping, to end at once.
    CancelLines,
    /// Draws the whole screen again, as if the terminal were new.
    Redraw,
    Suspend,
    Quit,
}
