//! The commands of the two tabs in which a plant is selected: Plants and Greenhouse.

use crate::domain::State;
use crate::domain::filter::List;
use crate::tui::component::{Action, called, cancels, cannot, unless};
use crate::tui::context::Context;
use crate::tui::effect::{CommandInput, Effect};
use crate::tui::input::Command;
use crate::tui::screen::Screen;
use crate::tui::session::draft::Draft;
use crate::tui::ui_effect::{Open, Reading, UiEffect};
use crate::tui::widgets::filter_input::FilterInput;
use crate::tui::widgets::text_input::Typed;

/// Returns what a command does with the selected plant or the marked ones; `None` for any other command.
pub(in crate::tui) fn action_with_plant<S: Screen>(command: Command, cx: &Context) -> Action<S> {
    let session = &cx.session;
    let selected = session.plants.selected_row();
    let nothing_selected = selected.is_none().then_some("no plant is selected");
    match command {
        Command::Open => {
            unless(nothing_selected, |_, cx: &mut Context| cx.out.open(Open::Pager(Reading::PlantHistory)))
        }
        Command::Mark => unless(nothing_selected, |_, cx: &mut Context| cx.session.mark_selected()),
        Command::Delete => {
            let reason = if session.plants.marked.is_empty() {
                let deleting =
                    selected.filter(|row| row.state == State::Deleting).map(|row| session.who_deletes(&[row.id]));
                nothing_selected.or_else(|| session.cannot_send()).or(deleting)
            } else {
                session.cannot_send()
            };
            unless(reason, |_, cx: &mut Context| cx.session.ask_to_delete(&mut cx.out))
        }
        Command::Duplicate => {
            let has_no_name = selected.is_some_and(|row| row.details.is_none());
            let reason = nothing_selected.or_else(|| session.cannot_send());
            unless(reason.or(has_no_name.then_some("its name is not known")), |_, cx| duplicate_selected(cx))
        }
        Command::ItsRequests => unless(nothing_selected, |_, cx: &mut Context| {
            cx.out.ui_effects.extend(cx.session.plants.selected.map(UiEffect::HistoryOf));
        }),
        Command::RunOnPlant(at) => unless(nothing_selected, move |_, cx: &mut Context| {
            let plant = cx.session.plants.selected.map(CommandInput::Plant);
            cx.out.effects(plant.map(|plant| Effect::RunCommand(at, plant)));
        }),
        Command::Back => action_back(cx),
        _ => None,
    }
}

fn duplicate_selected(cx: &mut Context) {
    let Some(row) = cx.session.plants.selected_row() else { return };
    if let Some(details) = &row.details {
        let draft = Draft::duplicating(details, row.id, cx.session.next_id());
        cx.out.open(Open::Add(Box::new(draft)));
    }
}

/// Esc: cancels the selected plant's operation in flight; else clears the marks; else clears the filter.
fn action_back<S: Screen>(cx: &Context) -> Action<S> {
    // Not of the plant that is selected no longer in a moment.
    let selected = cx.session.selected_pending().filter(|_| !cx.session.plants.awaits_selection());
    if let Some(id) = selected.map(|pending| pending.operation.id) {
        return cancels("cancel", move |_, cx: &mut Context| cx.session.cancel(id, &mut cx.out));
    }
    if !cx.session.plants.marked.is_empty() {
        return called("unmark", |_, cx: &mut Context| cx.session.plants.marked.clear());
    }
    if !cx.session.plants.filter.text().is_empty() {
        return called("show all", |screen: &mut S, cx| screen.show_all(cx));
    }
    cannot("nothing is in flight")
}

/// Types into the filter of plants.
pub(in crate::tui) fn type_into_filter(typed: Typed<'_>, cx: &mut Context) {
    let time = cx.local_time();
    if cx.session.plants.filter.take(typed, List::Plants, &time) {
        apply_filter(cx);
    }
}

/// Clears the filter of plants.
pub(in crate::tui) fn clear_filter(cx: &mut Context) {
    if !cx.session.plants.filter.text().is_empty() {
        cx.session.plants.filter = FilterInput::default();
        apply_filter(cx);
    }
}

fn apply_filter(cx: &mut Context) {
    cx.screen.pane.to_start();
    cx.out.ui_effect(UiEffect::LookAway);
    cx.out.effects(cx.session.plants.arrange_again().map(Effect::Load));
}
