//! State that all components share: the session, the outbox, and the display state.

use std::collections::{HashSet, VecDeque};

use super::input::{Command, Keymap, Scope};
use super::message::{FrameLayout, StoreInfo};
use super::outbox::Outbox;
use super::session::Session;
use super::ui_effect::Tab;
use super::widgets::time::moment;
use super::widgets::viewport::Viewport;
use crate::client::Token;
pub use crate::config::{Colors, Motion};
use crate::config::{LanguageChoice, Notify, ProgressBar, ThemeChoice};
use crate::domain::language::Id;
use crate::domain::{Language, LocalTime, Message, PlantId, Timestamp};
use crate::text::Marks;

/// Who takes what the mouse does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MouseUser {
    #[default]
    Program,
    /// It selects text.
    Terminal,
}

#[derive(Debug, Default)]
pub struct Display {
    /// The active tab.
    pub tab: Tab,
    /// Whether a dialog is open.
    pub has_dialog: bool,
    /// What the dialog in front is about.
    pub(in crate::tui) subject: Subject,
    /// The layout of the last frame.
    pub layout: FrameLayout,
    /// Counts the ticks of animations.
    pub turn: usize,
    pub motion: Motion,
    pub notify: Notify,
    pub progress_bar: ProgressBar,
    pub attention: Attention,
    /// Whether presentation mode is on.
    pub presenting: bool,
    pub mouse: MouseUser,
    pub on_tour: bool,
    pub theme: ThemeChoice,
    pub language: LanguageChoice,
    /// The language of the locale.
    pub of_locale: Language,
    pub marks: Marks,
    pub colors: Colors,
}

/// What a dialog is about, if that is a plant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) struct Subject {
    pub plant: Option<PlantId>,
    /// What it does, in words for an audience.
    pub says: Option<Id>,
    /// The rows of a dialog that does not grow, in each of [`TERMINALS`].
    pub rows: Option<[u16; 2]>,
}

/// The columns of a narrow terminal, and of a usual one.
pub(in crate::tui) const TERMINALS: [u16; 2] = [60, 80];

/// Where the person looks, as far as the terminal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attention {
    #[default]
    Here,
    /// The terminal has lost the focus.
    Elsewhere,
}

impl Display {
    /// Returns the language that an audience reads.
    pub fn language(&self) -> Language {
        let chosen = self.language.language(self.of_locale);
        if self.marks == Marks::Ascii { chosen.in_ascii() } else { chosen }
    }

    /// Returns the language of labels: that of the audience, else English.
    pub(super) fn language_of_labels(&self) -> Language {
        self.audience().unwrap_or_default()
    }

    /// Returns the language of messages in words for an audience; `None` where people read them who know requests.
    pub(super) fn language_of_messages(&self) -> Option<Language> {
        self.audience().filter(|language| self.is_on_stage() || *language != Language::En)
    }

    /// Returns the language of dialogs in words for an audience; `None` where people read them who know requests.
    pub(super) fn audience(&self) -> Option<Language> {
        (self.is_on_stage() || self.tab == Tab::Greenhouse).then(|| self.language())
    }

    /// Says something to an audience, or in the words of those who read requests.
    pub(super) fn say(&self, simple: impl Into<Message>, words: impl Into<String>) -> String {
        self.audience().map_or_else(|| words.into(), |language| language.say(&simple.into()))
    }

    /// Whether an audience sees every tab.
    fn is_on_stage(&self) -> bool {
        self.presenting || self.on_tour
    }
}

/// What the next key of the active screen is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum KeysFor {
    #[default]
    Commands,
    /// The text of the filter, which has the cursor.
    Filter,
    /// The number of a column to sort by, or a command.
    Column,
    /// The same, but those that move scroll the pane.
    Pane,
}

/// The state of the active screen that is not of one screen alone.
#[derive(Debug, Default)]
pub(super) struct ScreenState {
    pub(super) keys_for: KeysFor,
    /// The scroll position of the pane beside the list.
    pub(super) pane: Viewport,
    /// The tabs whose pane is below the list where there is no room beside it.
    pub(super) open_panes: HashSet<Tab>,
}

impl ScreenState {
    pub(super) fn is_typing(&self) -> bool {
        self.keys_for == KeysFor::Filter
    }

    /// Gives the keys back to the list, and scrolls the pane to its start.
    pub(super) fn reset(&mut self) {
        self.keys_for = KeysFor::Commands;
        self.pane.to_start();
    }

    /// Waits no longer for the number of a column.
    pub(super) fn stop_waiting(&mut self) {
        if self.keys_for == KeysFor::Column {
            self.keys_for = KeysFor::Commands;
        }
    }
}

#[derive(Debug)]
pub struct Context {
    pub session: Session,
    pub(super) screen: ScreenState,
    /// The commands of the palette so far, as they can be typed, the newest last.
    pub commands: VecDeque<String>,
    pub out: Outbox,
    pub display: Display,
}

impl Context {
    pub fn new(info: StoreInfo, keys: Keymap, token: Option<Token>) -> Self {
        Self {
            session: Session::new(info, token),
            screen: ScreenState::default(),
            commands: VecDeque::new(),
            out: Outbox::new(keys),
            display: Display::default(),
        }
    }

    pub fn now(&self) -> Timestamp {
        self.out.now
    }

    /// Returns where the keys of the active tab are looked up, also behind a dialog.
    pub(super) fn scope_of_tab(&self) -> Scope {
        match self.screen.keys_for {
            KeysFor::Commands | KeysFor::Pane => self.display.tab.scope(),
            KeysFor::Filter => Scope::Picker,
            KeysFor::Column => Scope::Sorting,
        }
    }

    pub fn local_time(&self) -> LocalTime {
        LocalTime { now: self.now(), zone: self.session.info.zone.clone() }
    }

    /// Returns a time as texts show it.
    pub fn moment(&self, at: Timestamp) -> String {
        moment(at, self.now(), &self.session.info.zone)
    }

    /// Returns the key that messages name for a command.
    pub fn key(&self, command: Command) -> String {
        self.out.keys.shown(command)
    }

    /// Returns a file name with a time: `plants-2023-11-14-221320.csv`.
    pub fn stamped(&self, name: &str, at: Timestamp, ending: &str) -> String {
        let stamp = at.format("-%Y-%m-%d-%H%M%S", &self.session.info.zone).unwrap_or_default();
        format!("{name}{stamp}.{ending}")
    }
}
