//! The Plants tab: the list of plants, and beside it the history of the selected one.
//!
//! The list belongs to the session, since header, Greenhouse and forms read it, too.

mod view;

use ratatui::layout::Rect;

use super::component::{Action, Component, NamedExchange, Reason, Typed, called, does, unless};
use super::context::Context;
use super::effect::Effect;
use super::input::Command;
use super::message::{FrameLayout, Target};
use super::screen::plant_commands::{action_with_plant, clear_filter, type_into_filter};
use super::screen::sorting::{Sortable, action_of_sorting};
use super::screen::{Screen, action_in_list};
use super::session::range_marks::MOST;
use super::status::Mode;
use super::ui_effect::UiEffect;
use super::widgets::canvas::Canvas;
use crate::domain::filter::List;
use crate::domain::language::Id;
use crate::domain::{PlantId, Row};
use crate::journal::Column;
use crate::text::number_format::grouped;

#[derive(Debug, Default)]
pub(super) struct PlantsScreen;

impl PlantsScreen {
    /// Moves the selection and marks what it passes.
    fn step_marking(lines: isize, cx: &mut Context) {
        cx.screen.pane.to_start();
        cx.out.ui_effect(UiEffect::LookAway);
        cx.session.plants.begin_range(false);
        cx.out.effects(cx.session.plants.step_marking(lines).map(Effect::Load));
        if cx.session.plants.range.as_ref().is_some_and(|range| range.is_full) {
            cx.out.say_here(format!("A range has at most {} plants.", grouped(MOST as u64)));
        }
    }
}

fn nothing_selected(cx: &Context) -> Option<Reason> {
    cx.session.plants.selected_row().is_none().then_some("no plant is selected")
}

fn begin_range(cx: &mut Context) {
    cx.session.plants.range = None;
    cx.session.plants.begin_range(true);
    let [key, back] = [Command::MarkRange, Command::Back].map(|command| cx.key(command));
    let text = format!("What you move over is marked, until {key}, {back}, a click or another command.");
    cx.out.say_of_mode(Mode::Range, text);
    cx.out.simply(Id::RangeBegun.with("key", key));
}

impl Component for PlantsScreen {
    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::MarkAll => {
                let plants = &cx.session.plants;
                let is_empty = plants.window.total == 0 && plants.marked.is_empty() && !plants.awaits_selection();
                unless(is_empty.then_some("there is no plant to mark"), |_, cx: &mut Context| {
                    let typed = List::Plants.parse_finished(cx.session.plants.filter.text(), &cx.local_time());
                    match typed {
                        Err(why) if cx.session.plants.marked.is_empty() => {
                            cx.out.say_here(format!("Nothing is marked. The filter is invalid: {why}."));
                        }
                        _ => cx.session.mark_all(&mut cx.out),
                    }
                })
            }
            Command::MarkRange if cx.session.plants.range.as_ref().is_some_and(|range| range.lasts) => {
                does(|_, cx: &mut Context| cx.session.plants.range = None)
            }
            Command::MarkRange => unless(nothing_selected(cx), |_, cx: &mut Context| begin_range(cx)),
            Command::MarkUp => unless(nothing_selected(cx), |_, cx| Self::step_marking(-1, cx)),
            Command::MarkDown => unless(nothing_selected(cx), |_, cx| Self::step_marking(1, cx)),
            Command::Back if cx.session.plants.range.as_ref().is_some_and(|range| range.lasts) => {
                called("end the range", |_, cx: &mut Context| cx.session.plants.range = None)
            }
            _ => action_in_list(self, command, cx)
                .or_else(|| action_of_sorting(command))
                .or_else(|| action_with_plant(command, cx)),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, cx: &mut Context) {
        type_into_filter(typed, cx);
    }

    fn drawn(&mut self, layout: &FrameLayout, cx: &mut Context) {
        cx.session.plants.fits(layout.page);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        view::draw(cx, area, canvas);
    }

    fn click(&mut self, target: Target, cx: &mut Context) {
        cx.screen.stop_waiting();
        match target {
            Target::Plant(id) => {
                cx.screen.reset();
                cx.out.ui_effect(UiEffect::LookAway);
                cx.session.plants.select(id);
            }
            Target::Heading(at) => self.sort_nth(at, cx),
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
        if cx.session.plants.range.take_if(|range| !range.lasts).is_none() && cx.session.plants.range.is_some() {
            return Self::step_marking(lines, cx);
        }
        cx.out.ui_effect(UiEffect::LookAway);
        cx.out.effects(cx.session.plants.step(lines).map(Effect::Load));
    }

    fn show_all(&mut self, cx: &mut Context) {
        clear_filter(cx);
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
}
