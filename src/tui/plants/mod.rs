//! The Plants tab: the list of plants, and beside it the history of the selected one.
//!
//! The list belongs to the session, since header, Greenhouse and forms read it, too.

mod view;

use ratatui::layout::Rect;

use super::component::{Action, Component, NamedExchange, Typed, unless};
use super::context::Context;
use super::effect::Effect;
use super::input::{Command, Scope};
use super::message::{FrameLayout, Target};
use super::screen::plant_commands::{action_with_plant, clear_filter, type_into_filter};
use super::screen::sorting::{Sortable, action_of_sorting};
use super::screen::{Screen, WHEEL, action_in_list};
use super::ui_effect::UiEffect;
use super::widgets::canvas::Canvas;
use super::widgets::viewport::Viewport;
use crate::domain::{PlantId, Row};
use crate::journal::Column;

#[derive(Debug, Default)]
pub(super) struct PlantsScreen {
    is_typing: bool,
    /// Whether the next key can be the number of a column to sort by.
    awaits_column: bool,
    /// The scroll position of the history beside the list.
    pane: Viewport,
    /// Rows of the list in the last frame, until the list has taken them.
    page: Option<usize>,
}

impl PlantsScreen {
    fn look_elsewhere(&mut self, cx: &mut Context) {
        self.pane.to_start();
        cx.out.ui_effect(UiEffect::LookAway);
    }
}

impl Component for PlantsScreen {
    fn scope(&self) -> Scope {
        match (self.is_typing, self.awaits_column) {
            (true, _) => Scope::Picker,
            (false, true) => Scope::Sorting,
            (false, false) => Scope::Plants,
        }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::MarkAll => {
                let plants = &cx.session.plants;
                let is_empty = plants.window.total == 0 && plants.marked.is_empty();
                unless(is_empty.then_some("there is no plant to mark"), |_, cx| cx.session.mark_all(&mut cx.out))
            }
            _ => action_in_list(self, command)
                .or_else(|| action_of_sorting(command))
                .or_else(|| action_with_plant(command, cx)),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        if type_into_filter(typed, cx) {
            self.pane.to_start();
        }
    }

    fn drawn(&mut self, layout: &FrameLayout) {
        self.page = Some(layout.page);
        self.pane.fits(layout.pane_lines, layout.pane_page);
    }

    fn load_missing(&mut self, cx: &mut Context) {
        if let Some(page) = self.page.take() {
            cx.session.plants.fits(page);
        }
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        view::draw(self.is_typing, self.pane, cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        self.stop_waiting();
        match target {
            Target::Plant(id) => {
                self.is_typing = false;
                self.look_elsewhere(cx);
                cx.session.plants.select(id);
            }
            Target::Heading(column) => self.sort_by(column, cx),
            _ => {}
        }
    }

    fn wheel(&mut self, over: Target, down: bool, cx: &mut Context) {
        let lines = if down { WHEEL } else { -WHEEL };
        match over {
            Target::Plant(_) | Target::Heading(_) | Target::List => self.step(lines, cx),
            Target::Pane => self.pane.scroll(lines),
            _ => {}
        }
    }

    /// The last request of the selected plant.
    fn exchange<'a>(&'a self, cx: &'a Context) -> Option<NamedExchange<'a>> {
        let exchange = *cx.session.selected_requests()?.own.first()?;
        Some((exchange, cx.session.plants.selected_row().and_then(Row::name)))
    }

    fn plant(&self, cx: &Context) -> Option<PlantId> {
        cx.session.plants.selected
    }
}

impl Screen for PlantsScreen {
    fn step(&mut self, lines: isize, cx: &mut Context) {
        self.look_elsewhere(cx);
        cx.out.effects(cx.session.plants.step(lines).map(Effect::Load));
    }

    fn go_to_end(&mut self, last: bool, cx: &mut Context) {
        self.look_elsewhere(cx);
        cx.out.effects(cx.session.plants.go_to_end(last).map(Effect::Load));
    }

    fn lines_on_screen(&self, cx: &Context) -> usize {
        cx.session.plants.page
    }

    fn is_typing(&self) -> bool {
        self.is_typing
    }

    fn set_typing(&mut self, is_typing: bool) {
        self.is_typing = is_typing;
    }

    fn show_all(&mut self, cx: &mut Context) {
        self.pane.to_start();
        clear_filter(cx);
    }

    /// The app reads the list of plants in every tab.
    fn refresh(&mut self, _cx: &mut Context) {}

    fn leave(&mut self, _cx: &mut Context) {
        (self.is_typing, self.awaits_column) = (false, false);
        self.pane.to_start();
    }

    fn stop_waiting(&mut self) {
        self.awaits_column = false;
    }
}

impl Sortable for PlantsScreen {
    type Column = Column;

    fn order(&self, cx: &Context) -> (Column, bool) {
        (cx.session.plants.column, cx.session.plants.descending)
    }

    fn set_order(&mut self, column: Column, descending: bool, cx: &mut Context) {
        let plants = &mut cx.session.plants;
        (plants.column, plants.descending) = (column, descending);
        cx.out.effects(plants.arrange_again().map(Effect::Load));
    }

    fn set_awaiting_column(&mut self, awaits: bool) {
        self.awaits_column = awaits;
    }
}
