//! The Plants tab: the list of plants, and beside it the history of the selected one.
//!
//! The list belongs to the session, since header, Greenhouse and forms read it, too.

mod view;

use ratatui::layout::Rect;

use super::component::{Action, Component, NamedExchange, Typed, does, unless};
use super::context::Context;
use super::effect::Effect;
use super::input::{Command, Scope};
use super::message::{FrameLayout, Target};
use super::plant_commands::{action_with_plant, clear_filter, type_into_filter};
use super::screen::{Screen, WHEEL, action_in_list};
use super::ui_effect::UiEffect;
use super::widgets::canvas::Canvas;
use super::widgets::viewport::Viewport;
use crate::domain::{PlantId, Row};
use crate::journal::Column;

#[derive(Debug, Default)]
pub(super) struct PlantsScreen {
    is_typing: bool,
    /// The scroll position of the history beside the list.
    pane: Viewport,
    /// Rows of the list in the last frame, until the list has taken them.
    page: Option<usize>,
}

impl PlantsScreen {
    /// Sorts the list by a column; if it is sorted so already, reverses the order.
    pub(super) fn sort_by(column: Column, cx: &mut Context) {
        let plants = &mut cx.session.plants;
        plants.descending = plants.column == column && !plants.descending;
        plants.column = column;
        cx.out.effects(plants.arrange_anew().map(Effect::Load));
    }

    fn look_elsewhere(&mut self, cx: &mut Context) {
        self.pane.to_start();
        cx.out.ui_effect(UiEffect::LookAway);
    }
}

impl Component for PlantsScreen {
    fn scope(&self) -> Scope {
        if self.is_typing { Scope::Picker } else { Scope::Plants }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Sort => does(|_, cx| Self::sort_by(next_column(cx.session.plants.column), cx)),
            Command::Reverse => does(|_, cx| Self::sort_by(cx.session.plants.column, cx)),
            Command::MarkAll => {
                let plants = &cx.session.plants;
                let is_empty = plants.window.total == 0 && plants.marked.is_empty();
                unless(is_empty.then_some("there is no plant to mark"), |_, cx| cx.session.mark_all(&mut cx.out))
            }
            _ => action_in_list(self, command).or_else(|| action_with_plant(command, cx)),
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
        match target {
            Target::Plant(id) => {
                self.is_typing = false;
                self.look_elsewhere(cx);
                cx.session.plants.select(id);
            }
            Target::Heading(column) => Self::sort_by(column, cx),
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
        let index = if last { usize::MAX } else { 0 };
        cx.out.effects(cx.session.plants.go_to(index).map(Effect::Load));
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
        self.is_typing = false;
        self.pane.to_start();
    }
}

fn next_column(column: Column) -> Column {
    match column {
        Column::Id => Column::Name,
        Column::Name => Column::Tag,
        Column::Tag => Column::State,
        Column::State => Column::When,
        Column::When => Column::Id,
    }
}
