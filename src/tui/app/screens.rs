//! The list of all screens. Must not know what a screen does.

use crate::tui::check::CheckScreen;
use crate::tui::greenhouse::GreenhouseScreen;
use crate::tui::history::HistoryScreen;
use crate::tui::plants::PlantsScreen;
use crate::tui::screen::Screen;
use crate::tui::ui_effect::Tab;

#[derive(Default)]
pub(in crate::tui) struct Screens {
    pub(in crate::tui) plants: PlantsScreen,
    pub(in crate::tui) history: HistoryScreen,
    pub(in crate::tui) check: CheckScreen,
    pub(in crate::tui) greenhouse: GreenhouseScreen,
}

impl Screens {
    pub(super) fn get(&self, tab: Tab) -> &dyn Screen {
        match tab {
            Tab::Plants => &self.plants,
            Tab::History => &self.history,
            Tab::Check => &self.check,
            Tab::Greenhouse => &self.greenhouse,
        }
    }

    pub(super) fn get_mut(&mut self, tab: Tab) -> &mut dyn Screen {
        match tab {
            Tab::Plants => &mut self.plants,
            Tab::History => &mut self.history,
            Tab::Check => &mut self.check,
            Tab::Greenhouse => &mut self.greenhouse,
        }
    }
}
