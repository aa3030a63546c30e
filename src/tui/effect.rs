//! What the app asks the runtime to do, in plain data.

use std::path::PathBuf;
use std::time::Duration;

use crate::check::{self, Format};
use crate::client::Token;
use crate::config::ConnectionTarget;
use crate::config::new_profile::NewProfile;
use crate::demo::WeatherPreset;
use crate::domain::file_format::FileFormat;
use crate::domain::{Operation, OperationId, PlantId, Resolution};
use crate::journal::{LogRequest, Search, WindowRequest};

/// Exchanges that the chart of latency shows: the newest so many.
pub const LATENCY_SAMPLES: usize = 5000;

/// An order to the runtime.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Give an operation to the worker.
    Send(Operation),
    /// Cancel an operation that is queued or out.
    Cancel(OperationId),
    /// Cancel all of them.
    CancelAll,
    /// Use this token from now on.
    UseToken(Token),
    /// Write down that nobody knows how an operation ended: the worker died with it.
    GiveUp(Operation),
    /// Write a person's word about a plant, and about what is unknown of it, if something is.
    Resolve(PlantId, Option<OperationId>, Resolution),
    /// Write a person's word about these plants, and what was unknown of each.
    ResolveAll(Vec<(PlantId, OperationId)>, Resolution),
    /// Read a window of the view.
    Load(WindowRequest),
    /// Say so when this long has passed.
    WaitForView(Duration),
    /// Read what is known of a plant.
    LoadPlantHistory(PlantId),
    /// Read which plants are unknown.
    FindUnknown,
    /// Read which plants are not in the view and have this text.
    FindUnlisted(String),
    /// Read lines of the log.
    Log(LogRequest),
    /// Read how long the newest exchanges took that fit.
    Latencies(Search),
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
    Validate(PathBuf),
    /// Nobody waits for that any more.
    StopValidating,
    /// Send what was validated and kept.
    Import {
        /// Though rows of it are bad.
        skip_bad: bool,
        /// Also those that are unknown.
        resend_unknown: bool,
    },
    /// What was validated is not sent.
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
        format: FileFormat,
        /// Whether cells that a spreadsheet would run as a formula are changed.
        spreadsheet: bool,
        /// Whether a file that is there is overwritten.
        replace: bool,
    },
    /// Read which plants earlier runs of the check left behind.
    FindEarlierRuns,
    /// Tell of the end of this pause after so long.
    Pause(u32, Duration),
    /// Keep what a run of the check came to.
    KeepRun(Box<check::Report>),
    /// Read the runs that are kept.
    FindRuns,
    /// Read the exchanges of these operations.
    FindRelated(Vec<OperationId>),
    /// Open this store, and tell when that is done. The one that is open stays so.
    Connect(ConnectionTarget),
    /// Nobody waits for it any more.
    StopConnecting,
    /// Write a profile into the config file; in the place of one of its name if so said.
    SaveProfile(Box<NewProfile>, bool),
    /// Read which base URLs the journal knows.
    FindStores,
    /// From here on work with the store that was just opened, and close the one before.
    Switch,
    /// Change the weather of the demo store.
    Weather(WeatherPreset),
    /// Hand this text to the terminal's clipboard.
    Copy(String),
    /// Listen to the mouse, or leave it to the terminal.
    UseMouse(bool),
    /// Give the terminal back and stop until told to go on.
    Suspend,
    /// End the program.
    Quit,
}
