//! Every screen there is.

use crate::tui::check::CheckScreen;
use crate::tui::greenhouse::GreenhouseScreen;
use crate::tui::history::HistoryScreen;
use crate::tui::outcome::Tab;
use crate::tui::plants::PlantsScreen;
use crate::tui::screen::ScreenLayer;

#[derive(Default)]
pub(super) struct Screens {
    pub(super) plants: PlantsScreen,
    pub(super) history: HistoryScreen,
    pub(super) check: CheckScreen,
    pub(super) greenhouse: GreenhouseScreen,
}

impl Screens {
    pub(super) fn get(&self, tab: Tab) -> &dyn ScreenLayer {
        match tab {
            Tab::Plants => &self.plants,
            Tab::History => &self.history,
            Tab::Check => &self.check,
            Tab::Greenhouse => &self.greenhouse,
        }
    }

    pub(super) fn get_mut(&mut self, tab: Tab) -> &mut dyn ScreenLayer {
        match tab {
            Tab::Plants => &mut self.plants,
            Tab::History => &mut self.history,
            Tab::Check => &mut self.check,
            Tab::Greenhouse => &mut self.greenhouse,
        }
    }
}
