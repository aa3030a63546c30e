//! What can be done, and where: the actions that keys, the palette and the mouse have in common.
//!
//! Which key does which is told by the key table, through which everybody else knows these.

/// Where a key is pressed. Each scope has its own bindings; [`Scope::Everywhere`]'s hold in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In every scope.
    Everywhere,
    /// In every room, nothing open over it.
    Room,
    /// In the rooms of what was asked for: Plants, Exchanges and Greenhouse.
    Operations,
    /// In the rooms where a plant is selected: Plants and Greenhouse.
    Plant,
    /// In the Plants room.
    Plants,
    /// In the Exchanges room.
    Exchanges,
    /// In the Check room.
    Check,
    /// In the Greenhouse.
    Greenhouse,
    /// Where an exchange is at hand: the selected one, or a plant's last.
    Exchange,
    /// A form or prompt with text fields.
    Form,
    /// A dialog that offers a choice.
    Choice,
    /// What a file to import comes to.
    Preview,
    /// A text to read: help, a plant's whole story, an exchange.
    Reader,
    /// The reader that shows an exchange.
    Inspector,
    /// A list to choose from, found as one types, or a filter while one types it.
    List,
}

impl Scope {
    /// In the order of the help.
    pub const ALL: [Self; 15] = [
        Self::Room,
        Self::Operations,
        Self::Plant,
        Self::Plants,
        Self::Exchanges,
        Self::Check,
        Self::Greenhouse,
        Self::Exchange,
        Self::Inspector,
        Self::Reader,
        Self::Form,
        Self::Choice,
        Self::Preview,
        Self::List,
        Self::Everywhere,
    ];

    /// Whether its keys hold where one is.
    pub fn holds_in(self, at: Self) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Room => at.is_a_room(),
            Self::Operations => matches!(at, Self::Operations | Self::Plants | Self::Exchanges | Self::Greenhouse),
            Self::Plant => matches!(at, Self::Plant | Self::Plants | Self::Greenhouse),
            Self::Exchange => at.is_a_room() || at == Self::Inspector,
            Self::Reader => matches!(at, Self::Reader | Self::Inspector),
            Self::Choice => matches!(at, Self::Choice | Self::Preview),
            Self::Plants
            | Self::Exchanges
            | Self::Check
            | Self::Greenhouse
            | Self::Form
            | Self::Preview
            | Self::Inspector
            | Self::List => self == at,
        }
    }

    /// Whether its keys are pressed in a room, nothing open over it.
    fn is_a_room(self) -> bool {
        match self {
            Self::Room
            | Self::Operations
            | Self::Plant
            | Self::Plants
            | Self::Exchanges
            | Self::Check
            | Self::Greenhouse => true,
            Self::Everywhere
            | Self::Exchange
            | Self::Form
            | Self::Choice
            | Self::Preview
            | Self::Reader
            | Self::Inspector
            | Self::List => false,
        }
    }

    /// Its heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Room => "In every room",
            Self::Operations => "In the rooms Plants, Exchanges and Greenhouse",
            Self::Plant => "In the rooms Plants and Greenhouse",
            Self::Plants => "Plants",
            Self::Exchanges => "Exchanges",
            Self::Check => "Check",
            Self::Greenhouse => "Greenhouse",
            Self::Exchange => "The exchange at hand: the selected one, or the last of what is selected",
            Self::Form => "In a form",
            Self::Choice => "In a dialog",
            Self::Preview => "Before an import",
            Self::Reader => "In help, story and other texts",
            Self::Inspector => "In an opened exchange",
            Self::List => "In a list, or in the filter",
        }
    }
}

/// Everything a key can do, by where it does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// In every room.
    Room(InRoom),
    /// In the rooms of what was asked for.
    Operations(InOperations),
    /// With the selected plant.
    Plant(WithPlant),
    /// In the Plants room.
    Plants(InPlants),
    /// In the Exchanges room.
    Exchanges(InExchanges),
    /// In the Check room.
    Check(InCheck),
    /// In the Greenhouse.
    Greenhouse(InGreenhouse),
    /// With the exchange at hand.
    Exchange(WithExchange),
    /// In a form.
    Form(InForm),
    /// In a dialog.
    Choice(InChoice),
    /// Before an import.
    Preview(InPreview),
    /// In a reader.
    Reader(InReader),
    /// In an opened exchange.
    Inspector(InInspector),
    /// In a list.
    List(InList),
    /// Everywhere.
    Everywhere(Anywhere),
}

impl Action {
    /// Where its keys are pressed.
    pub fn scope(self) -> Scope {
        match self {
            Self::Room(_) => Scope::Room,
            Self::Operations(_) => Scope::Operations,
            Self::Plant(_) => Scope::Plant,
            Self::Plants(_) => Scope::Plants,
            Self::Exchanges(_) => Scope::Exchanges,
            Self::Check(_) => Scope::Check,
            Self::Greenhouse(_) => Scope::Greenhouse,
            Self::Exchange(_) => Scope::Exchange,
            Self::Form(_) => Scope::Form,
            Self::Choice(_) => Scope::Choice,
            Self::Preview(_) => Scope::Preview,
            Self::Reader(_) => Scope::Reader,
            Self::Inspector(_) => Scope::Inspector,
            Self::List(_) => Scope::List,
            Self::Everywhere(_) => Scope::Everywhere,
        }
    }
}

/// What a key can do in every room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InRoom {
    Plants,
    Exchanges,
    Check,
    Greenhouse,
    NextRoom,
    PreviousRoom,
    Add,
    DeleteById,
    Settle,
    BringBack,
    Import,
    Export,
    Filter,
    Open,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Connection,
    ReplaceToken,
    SaveProfile,
    Palette,
    Tour,
    Present,
    Mouse,
    Back,
    Help,
    Quit,
}

/// What a key can do in the rooms of what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InOperations {
    Mark,
    SendAgain,
}

/// What a key can do with the selected plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum WithPlant {
    Delete,
    ItsExchanges,
}

/// What a key can do in the Plants room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InPlants {
    Sort,
    Reverse,
    MarkAll,
}

/// What a key can do in the Exchanges room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InExchanges {
    ByOutcome,
    ByPlant,
    Compare,
    Report,
}

/// What a key can do in the Check room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InCheck {
    Run,
    Compare,
    Open,
    Report,
}

/// What a key can do in the Greenhouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InGreenhouse {
    Left,
    Right,
    Wire,
    Weather,
}

/// What a key can do with the exchange at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum WithExchange {
    CopyCurl,
    CopyAnswer,
    CopyId,
}

/// What a key can do in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InForm {
    Next,
    Previous,
    Submit,
    Blank,
    Close,
}

/// What a key can do in a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InChoice {
    Next,
    Previous,
    Choose,
    Close,
}

/// What a key can do before an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InPreview {
    Resend,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
}

/// What a key can do in any text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InReader {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Find,
    NextMatch,
    PreviousMatch,
    Close,
}

/// What a key can do in an opened exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InInspector {
    Raw,
    Next,
    Previous,
}

/// What a key can do in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum InList {
    Choose,
    Up,
    Down,
    PageUp,
    PageDown,
    Close,
}

impl InList {
    /// Where it goes from a line of a list of so many, of which a page shows so many; `None` if it
    /// goes nowhere.
    pub(super) fn moves(self, from: usize, count: usize, page: usize) -> Option<usize> {
        let to = match self {
            Self::Down => from + 1,
            Self::Up => from.saturating_sub(1),
            Self::PageDown => from + page,
            Self::PageUp => from.saturating_sub(page),
            Self::Choose | Self::Close => return None,
        };
        Some(to.min(count.saturating_sub(1)))
    }
}

/// What a key can do everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its sentence in the key table")]
pub enum Anywhere {
    Interrupt,
    Suspend,
}
