//! UI effects: the changes outside itself that a component requests, which the app applies.
//!
//! Plain data, so that components, dialogs and the app form no import cycle.

pub(super) use super::input::Tab;
use super::input::{Command, Scope};
use super::message::CommandOutput;
use super::session::draft::Draft;
use super::session::question::{Act, Question};
use crate::check;
use crate::config::ConnectionTarget;
use crate::domain::PlantId;
use crate::domain::compare::Compared;
use crate::domain::filter::Filter;
use crate::journal::StoredExchange;

/// What begins once a token is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterToken {
    Nothing,
    Check,
    /// The import whose preview is behind the prompt.
    Import,
}

/// A text that opens in the pager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Every key, those of this scope first.
    Help(Scope),
    /// The history of the selected plant.
    PlantHistory,
    /// Requests as text, and the index of the one shown. Several are those of one row of the check.
    Exchanges(Vec<StoredExchange>, usize),
    Compared(Box<Compared>),
    /// The report of the last import.
    Import,
    /// What a custom command printed.
    Output(Box<CommandOutput>),
}

/// A dialog to open, with the data that it opens with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    Add(Box<Draft>),
    /// The form for an id, with this one in its field.
    DeleteById(Option<PlantId>),
    Token {
        why: Vec<String>,
        then: AfterToken,
    },
    Confirm(Box<Question>),
    ReAdd,
    /// The list of stored runs of the check, to show one, or to compare this one with another.
    Runs {
        compared: Option<Box<check::Report>>,
    },
    /// The palette with this text typed.
    Palette(String),
    /// The prompt for the file of a report: of this run of the check, or of the requests of this session or that a filter
    /// finds.
    Report(Option<Box<check::Report>>, Filter),
    /// The prompt for a file, or the preview of this one.
    Import(Option<String>),
    /// The preview of plants that were pasted.
    ImportText(String),
    /// The prompt for a file; with a path, writes it at once.
    Export(Option<String>),
    /// The list of stores; opens one at once.
    Stores(Option<ConnectionTarget>),
    /// The form for another base URL; `at_token` puts the cursor into the token's field.
    BaseUrl {
        url: String,
        at_token: bool,
    },
    /// The form that saves the open store as a profile, or a new one.
    Profile {
        is_new: bool,
    },
    Pager(Reading),
}

/// A change outside a component. The app applies UI effects in order.
#[derive(Debug, PartialEq, Eq)]
pub enum UiEffect {
    /// Closes the dialog in front.
    Close,
    /// Opens a dialog behind the open ones.
    Open(Open),
    /// Opens a dialog in front of the open ones.
    OpenOver(Open),
    /// Replaces the dialog in front.
    Replace(Open),
    /// Reopens the add form of a plant that was not accepted; in the Greenhouse, stores it as a draft.
    Reopen(Box<Draft>),
    /// Carries out a line of the command language.
    Line(String),
    /// Shows the requests about one plant in the History tab.
    HistoryOf(PlantId),
    /// Carries out a choice of a question.
    Do(Act),
    /// Carries out a command as if its key had been pressed in the tab of its scope.
    Command(Scope, Command),
    /// An operation on a plant was submitted, so that open questions about the plant are stale.
    Submitted { plant: PlantId, by_a_person: bool },
    /// Shows a stored run of the check, or compares the run on screen with it.
    ShowRun { run: Box<check::Report>, compares: bool },
    /// Selects the newest request in the History tab, and then the newer ones as they end.
    FollowNewest,
    /// Opens the request behind this one in the History, or the one before.
    OpenNext { number: i64, back: bool },
    /// Begins what waited for a token.
    Begin(AfterToken),
    /// Drops what was typed for a question that does not come.
    DropWaiting,
    /// Ends the resolve queue.
    StopResolving,
    /// Loads the active screen's data again, because the journal has changed.
    Refresh,
    /// Shows in the Greenhouse what becomes of several plants that are changed together.
    Together,
    /// Ends the Greenhouse's focus on one plant.
    LookAway,
}
