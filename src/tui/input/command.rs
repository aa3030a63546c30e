//! What a person can ask for, and where: plain data that keys, palette, mouse and tour have in common.

/// Where keys are pressed. A component names its own; a binding holds in one, or in several that have it in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    Everywhere,
    /// In every tab, no dialog open.
    Tabs,
    /// In the tabs that show operations: Plants, History and Greenhouse.
    Operations,
    /// In the tabs where a plant is selected: Plants and Greenhouse.
    Plant,
    Plants,
    History,
    Check,
    Greenhouse,
    /// Where an exchange is at hand: the open or the selected one, or the last of the selected plant.
    Exchange,
    /// Text fields.
    Form,
    /// A question with responses.
    Confirm,
    /// The preview of an import; its answers are keys of [`Scope::Confirm`].
    Preview,
    Pager,
    /// The pager that shows an exchange.
    Inspector,
    /// A list to choose from, or a filter, while it is typed.
    Picker,
}

impl Scope {
    /// In the order of the help.
    pub const ALL: [Self; 15] = [
        Self::Tabs,
        Self::Operations,
        Self::Plant,
        Self::Plants,
        Self::History,
        Self::Check,
        Self::Greenhouse,
        Self::Exchange,
        Self::Inspector,
        Self::Pager,
        Self::Form,
        Self::Confirm,
        Self::Preview,
        Self::Picker,
        Self::Everywhere,
    ];

    /// Whether its keys hold in the component of that scope.
    pub fn holds_in(self, component: Self) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Tabs => component.is_a_tab(),
            Self::Operations => matches!(component, Self::Operations | Self::Plants | Self::History | Self::Greenhouse),
            Self::Plant => matches!(component, Self::Plant | Self::Plants | Self::Greenhouse),
            Self::Exchange => component.is_a_tab() || component == Self::Inspector,
            Self::Pager => matches!(component, Self::Pager | Self::Inspector),
            Self::Confirm => matches!(component, Self::Confirm | Self::Preview),
            Self::Plants
            | Self::History
            | Self::Check
            | Self::Greenhouse
            | Self::Form
            | Self::Preview
            | Self::Inspector
            | Self::Picker => self == component,
        }
    }

    fn is_a_tab(self) -> bool {
        matches!(
            self,
            Self::Tabs | Self::Operations | Self::Plant | Self::Plants | Self::History | Self::Check | Self::Greenhouse
        )
    }

    /// Whether a key without a binding is typed into a field.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Form | Self::Picker)
    }

    /// Its heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Tabs => "In every room",
            Self::Operations => "In the rooms Plants, Exchanges and Greenhouse",
            Self::Plant => "In the rooms Plants and Greenhouse",
            Self::Plants => "Plants",
            Self::History => "Exchanges",
            Self::Check => "Check",
            Self::Greenhouse => "Greenhouse",
            Self::Exchange => "The exchange at hand: the selected one, or the last of what is selected",
            Self::Form => "In a form",
            Self::Confirm => "In a dialog",
            Self::Preview => "Before an import",
            Self::Pager => "In help, story and other texts",
            Self::Inspector => "In an opened exchange",
            Self::Picker => "In a list, or in the filter",
        }
    }
}

/// What a key does. What each means is said once, in its line of the key table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    // Tabs
    Plants,
    History,
    Check,
    Greenhouse,
    NextTab,
    PreviousTab,
    // In every tab
    Add,
    DeleteById,
    Resolve,
    ReAdd,
    Import,
    Export,
    Filter,
    Open,
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
    // With what is selected
    Mark,
    SendAgain,
    Delete,
    ItsExchanges,
    CopyCurl,
    CopyResponse,
    CopyId,
    // Plants
    Sort,
    Reverse,
    MarkAll,
    // History
    ByOutcome,
    ByPlant,
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
    First,
    Last,
    // Dialogs
    Next,
    Previous,
    Choose,
    Submit,
    BlankForm,
    ResendUnknown,
    Raw,
    Find,
    NextMatch,
    PreviousMatch,
    Close,
    // Everywhere
    Interrupt,
    Suspend,
}
