//! What a component wants to happen outside itself: plain data, which the app applies.

use super::comparison::Compared;
use super::draft::Draft;
use super::input::{Command, Scope};
use super::question::{Act, Question};
use crate::check;
use crate::domain::PlantId;
use crate::journal::StoredExchange;

/// A screen, in the order of the tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tab {
    #[default]
    Plants,
    History,
    Check,
    Greenhouse,
}

impl Tab {
    pub const ALL: [Self; 4] = [Self::Plants, Self::History, Self::Check, Self::Greenhouse];

    pub fn title(self) -> &'static str {
        match self {
            Self::Plants => "Plants",
            Self::History => "Exchanges",
            Self::Check => "Check",
            Self::Greenhouse => "Greenhouse",
        }
    }

    /// The command that goes there.
    pub fn command(self) -> Command {
        match self {
            Self::Plants => Command::Plants,
            Self::History => Command::History,
            Self::Check => Command::Check,
            Self::Greenhouse => Command::Greenhouse,
        }
    }

    /// The tab so many places on, around the end.
    pub fn cycled(self, steps: usize) -> Self {
        let at = Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0);
        Self::ALL.into_iter().cycle().nth(at + steps).unwrap_or(self)
    }
}

/// What begins once there is a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    Nothing,
    Check,
    /// The import whose preview is behind the prompt.
    Import,
}

/// What a report is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportOf {
    /// The exchanges of this session.
    Session,
    Check(Box<check::Report>),
}

/// A text that opens in the pager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    Help,
    /// The history of the selected plant.
    PlantHistory,
    /// An exchange as it was on the wire; with several, those behind one row of the check, and which is shown.
    Exchanges(Vec<StoredExchange>, usize),
    Compared(Box<Compared>),
    /// The import that is under way, or the last one.
    Import,
}

/// A dialog to open, in plain data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    Add(Box<Draft>),
    DeleteById,
    Token {
        why: Vec<String>,
        then: Then,
    },
    Confirm(Box<Question>),
    ReAdd,
    /// The stored runs of the check, to show one or to compare with one; the one that is compared is not on offer.
    Runs {
        /// Newest first.
        runs: Vec<check::Report>,
        compares: bool,
        except: Option<Box<check::Report>>,
    },
    Palette,
    Report(ReportOf),
    Import,
    Export,
    Stores,
    /// The form for another base URL; with one at hand, the cursor is in the token.
    BaseUrl {
        url: String,
        at_token: bool,
    },
    Profile,
    Pager(Reading),
}

/// What a component wants to happen outside itself. The app applies these in their order.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Closes the front dialog; the next one shows.
    Close,
    /// Opens a dialog, behind those that are open.
    Open(Open),
    /// Opens a dialog in front; what was there comes back once it is closed.
    OpenOver(Open),
    /// Opens a dialog in the place of the front one.
    Replace(Open),
    /// Opens an add form that came back by itself: at the Greenhouse, where people look on, it waits as a draft.
    ComeBack(Box<Draft>),
    GoTo(Tab),
    /// Shows the history of one plant.
    HistoryOf(PlantId),
    /// Does what a response says.
    Do(Act),
    /// Does a command as if its key was pressed, in the tab of its scope.
    Command(Scope, Command),
    /// Something was requested about a plant: questions about that are stale.
    Submitted {
        plant: PlantId,
        by_a_person: bool,
    },
    /// The plants of a stored run are shown, or compared with.
    ShowRun {
        run: Box<check::Report>,
        compares: bool,
    },
    /// A token was given; what waited for it begins.
    Begin(Then),
    /// No further question about what is unknown.
    StopResolving,
    /// What the active screen shows has changed in the journal.
    Refresh,
    /// Several plants went out or changed: the greenhouse looks at none of them.
    LookAway,
}
