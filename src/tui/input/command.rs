//! The commands, and the scopes in which their keys are looked up: plain data.

use strum::VariantArray;

use crate::domain::filter::List;

/// Where keys are looked up. A component has one scope; a binding applies in one scope, or in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, VariantArray)]
pub enum Scope {
    /// Every tab, without a dialog.
    Tabs,
    /// The tabs that show operations: Plants, History and Greenhouse.
    Operations,
    /// The tabs in which a plant is selected: Plants and Greenhouse.
    Plant,
    /// The tabs whose lists can be sorted: Plants and History.
    Sorted,
    /// A sorted list that waits for the number of a column.
    Sorting,
    Plants,
    History,
    Check,
    Greenhouse,
    /// Wherever the copy commands have a request: the open or the selected one, or the last of the selected plant.
    Exchange,
    /// The pager that shows a request.
    Inspector,
    Pager,
    /// Text fields.
    Form,
    /// A field of a form that is chosen, not typed; the keys of [`Scope::Form`] apply, too.
    Choice,
    /// Whatever has choices: a question, and the preview of an import.
    Confirm,
    /// A question; the keys of [`Scope::Confirm`] apply, too.
    Question,
    /// The preview of an import; the keys of [`Scope::Confirm`] apply, too.
    Preview,
    /// A list to choose from, and a filter while it has the cursor.
    Picker,
    Everywhere,
}

impl Scope {
    /// In the order of the help.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The scopes in which the keys of every tab apply.
    const OF_TABS: [Self; 8] = [
        Self::Tabs,
        Self::Operations,
        Self::Plant,
        Self::Sorted,
        Self::Plants,
        Self::History,
        Self::Check,
        Self::Greenhouse,
    ];

    /// Returns its heading in the help, and the other scopes in which its bindings apply.
    fn described(self) -> (&'static str, &'static [Self]) {
        match self {
            Self::Tabs => ("In every tab", &Self::OF_TABS),
            Self::Operations => {
                ("In the tabs Plants, History and Greenhouse", &[Self::Plants, Self::History, Self::Greenhouse])
            }
            Self::Plant => ("In the tabs Plants and Greenhouse", &[Self::Plants, Self::Greenhouse]),
            Self::Plants => ("Plants", &[]),
            Self::History => ("History", &[]),
            Self::Check => ("Check", &[]),
            Self::Greenhouse => ("Greenhouse", &[]),
            Self::Sorted => ("In the tabs Plants and History", &[Self::Plants, Self::History]),
            Self::Sorting => ("After the key that sorts", &[]),
            Self::Exchange => ("With the selected request, or the last one of the selected plant", &Self::OF_TABS),
            Self::Inspector => ("In an opened request", &[]),
            Self::Pager => ("In help, history and other texts", &[Self::Inspector]),
            Self::Form => ("In a form", &[Self::Choice]),
            Self::Choice => ("In a field of a form that is chosen, not typed", &[]),
            Self::Confirm => ("In a dialog", &[Self::Question, Self::Preview]),
            Self::Question => ("In a question", &[]),
            Self::Preview => ("Before an import", &[]),
            Self::Picker => ("In a list, or in the filter", &[]),
            Self::Everywhere => ("Everywhere", Self::ALL),
        }
    }

    /// Whether a binding of this scope applies in a component of that scope.
    pub fn applies_in(self, component: Self) -> bool {
        let of_request = self == Self::Exchange && component == Self::Inspector;
        of_request || self == component || self.described().1.contains(&component)
    }

    /// Whether its keys apply only in dialogs and filters, or after another key.
    pub fn is_of_dialog(self) -> bool {
        !Self::OF_TABS.contains(&self) && !matches!(self, Self::Exchange | Self::Everywhere)
    }

    /// Whether a key without a binding is typed into a field.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Form | Self::Choice | Self::Picker)
    }

    /// Returns its heading in the help.
    pub fn heading(self) -> &'static str {
        self.described().0
    }
}

/// A screen, in the order of the tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::IntoStaticStr)]
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
        self.into()
    }

    /// Returns the scope of its own commands.
    pub fn scope(self) -> Scope {
        match self {
            Self::Plants => Scope::Plants,
            Self::History => Scope::History,
            Self::Check => Scope::Check,
            Self::Greenhouse => Scope::Greenhouse,
        }
    }

    /// Returns what its filter is for.
    pub fn list(self) -> List {
        match self {
            Self::Plants | Self::Greenhouse => List::Plants,
            Self::History => List::Requests,
            Self::Check => List::Rules,
        }
    }

    /// Returns the tab a number of steps further, wrapping around at the end.
    #[must_use]
    pub fn cycled(self, steps: usize) -> Self {
        let at = Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0);
        Self::ALL.into_iter().cycle().nth(at + steps).unwrap_or(self)
    }
}

/// What a key can do. The key table has a sentence about each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    // Tabs
    GoTo(Tab),
    NextTab,
    PreviousTab,
    // In every tab
    Add,
    DeleteById,
    Resolve,
    ReAdd,
    Undo,
    Import,
    Export,
    Filter,
    Open,
    Connection,
    ReplaceToken,
    SaveProfile,
    Profile,
    Theme,
    Language,
    Palette,
    Tour,
    Present,
    Mouse,
    Back,
    Help,
    Quit,
    QuitNow,
    // With what is selected
    Mark,
    SendAgain,
    Delete,
    ItsRequests,
    Duplicate,
    CopyCurl,
    CopyResponse,
    CopyId,
    EditAndResend,
    /// Runs the custom command with this index.
    RunOnPlant(usize),
    /// The same, for one about a request.
    RunOnRequest(usize),
    /// Gives the keys to the pane beside the list, or takes them back.
    Pane,
    // A list that can be sorted
    Sort,
    /// Sorts by the column with this index.
    SortBy(usize),
    SortByNext,
    StopSorting,
    Reverse,
    // Plants
    MarkAll,
    MarkRange,
    MarkUp,
    MarkDown,
    // History
    ByOutcome,
    ByPlant,
    Expand,
    Collapse,
    Compare,
    Report,
    // Check
    RunCheck,
    OpenRun,
    // Greenhouse
    Left,
    Right,
    Wire,
    Weather,
    // Anything that scrolls or has a selection
    Up,
    Down,
    PageUp,
    PageDown,
    HalfPageUp,
    HalfPageDown,
    First,
    Last,
    // Dialogs
    Next,
    Previous,
    Choose,
    Complete,
    StepBack,
    Yes,
    No,
    /// Takes the choice of a question that has this name.
    Answer(Answer),
    PreviousValue,
    NextValue,
    Submit,
    BlankForm,
    Headers,
    NextId,
    Raw,
    Find,
    NextMatch,
    PreviousMatch,
    Close,
    // Everywhere
    Interrupt,
    Redraw,
    Suspend,
}

impl Command {
    /// Whether it can end the program.
    pub fn quits(self) -> bool {
        matches!(self, Self::Quit | Self::Interrupt)
    }

    /// Whether it moves the selection in a list, or scrolls a text.
    fn moves(self) -> bool {
        use Command::{Down, First, HalfPageDown, HalfPageUp, Last, PageDown, PageUp, Up};
        matches!(self, Up | Down | PageUp | PageDown | HalfPageUp | HalfPageDown | First | Last)
    }

    /// Whether it only goes somewhere.
    pub fn is_movement(self) -> bool {
        self.moves() || matches!(self, Self::NextTab | Self::PreviousTab | Self::Left | Self::Right)
    }

    /// Whether marks that follow the selection still do after it: it moves the selection, or ends them itself.
    pub fn keeps_range(self) -> bool {
        self.moves() || matches!(self, Self::MarkUp | Self::MarkDown | Self::MarkRange | Self::Back | Self::Help)
    }

    /// Whether it is about the selected line or the marked ones, or moves from the selected line.
    pub fn needs_selection(self) -> bool {
        use Command::{
            ByPlant, Collapse, Compare, Delete, Duplicate, Expand, ItsRequests, Mark, MarkDown, MarkRange, MarkUp,
            Open, Resolve, RunOnPlant,
        };
        let is_about_marks = matches!(self, Compare | Delete | Mark | MarkDown | MarkRange | MarkUp | Resolve);
        let is_about_line =
            matches!(self, ByPlant | Collapse | Duplicate | Expand | ItsRequests | Open | RunOnPlant(_));
        self.moves() || self.needs_request() || is_about_marks || is_about_line
    }

    /// Whether it is about the request in front, of a screen or of a dialog.
    pub fn needs_request(self) -> bool {
        self == Self::CopyId || self.needs_exchange()
    }

    /// Whether it needs all of that request.
    pub fn needs_exchange(self) -> bool {
        matches!(self, Self::CopyCurl | Self::CopyResponse | Self::EditAndResend | Self::RunOnRequest(_))
    }
}

/// The name of a choice, in a question where several do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    SendAgain,
    Delete,
    Stored,
    Forget,
    Drop,
    /// The last of those that were not sent.
    Last,
    /// All of the check.
    All,
    /// The rules of the check alone.
    Rules,
    /// The weather at the demo store with this index.
    Weather(usize),
}
