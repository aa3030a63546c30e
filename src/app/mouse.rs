//! What the mouse does: it selects, scrolls and presses what a key could.

use super::export::ExportLine;
use super::keys::{Action, InChoice, InList, InPreview, InReader, InRoom};
use super::message::{Effect, Target};
use super::model::{Model, Overlay};

/// Lines that one turn of the wheel moves.
const TURN: usize = 3;

impl Model {
    pub(super) fn clicked(&mut self, target: Target) -> Vec<Effect> {
        match target {
            Target::Action(action) => return self.perform(action),
            Target::Plant(id) => {
                self.filtering = false;
                self.pane_top = 0;
                self.greenhouse.looks_away();
                self.table.select(id);
            }
            Target::Exchange(place) => {
                (self.filtering, self.opening) = (false, false);
                self.pane_top = 0;
                return self.log.select_place(place);
            }
            Target::Judged(place) => {
                self.filtering = false;
                self.pane_top = 0;
                self.check.select_place(place);
            }
            Target::Heading(column) => return self.sort_by(column),
            Target::Answer(place) => {
                if matches!(self.overlay, Some(Overlay::Preview(_))) {
                    return self.clicked_answer_of_preview(place);
                }
                if let Some(Overlay::Choice(dialog)) = &mut self.overlay {
                    // The second click takes what the first one marked.
                    if dialog.marked == place {
                        return self.act_in_choice(InChoice::Choose);
                    }
                    dialog.marked = place.min(dialog.answers.len().saturating_sub(1));
                }
            }
            Target::Line(place) => return self.clicked_line(place),
            Target::UrlField(field) => self.clicked_url_field(field),
            Target::ProfileLine(line) => {
                if let Some(Overlay::Profile(form)) = &mut self.overlay {
                    form.focus = line;
                }
            }
            Target::Switch => {
                if let Some(Overlay::Export(prompt)) = &mut self.overlay {
                    prompt.focus = ExportLine::Spreadsheet;
                    prompt.switch();
                }
            }
            Target::Field(field) => {
                if let Some(Overlay::Add(form)) = &mut self.overlay {
                    form.focus = field;
                }
            }
            Target::Pane => return self.perform(Action::Room(InRoom::Open)),
            Target::List | Target::Reader | Target::Nothing => {}
        }
        Vec::new()
    }

    /// Marks a line of the list that is open; the second click takes it.
    fn clicked_line(&mut self, place: usize) -> Vec<Effect> {
        let Some((marked, count)) = self.open_list().filter(|_| self.connecting.is_none()) else { return Vec::new() };
        if marked == place && place < count {
            return self.act_in_list(InList::Choose);
        }
        self.mark_line(place.min(count.saturating_sub(1)));
        Vec::new()
    }

    /// Which line is marked of the list that is open, and how many it has.
    fn open_list(&self) -> Option<(usize, usize)> {
        if let Some(Overlay::Departed(list)) = &self.overlay {
            return Some((list.marked, list.count()));
        }
        if let Some(Overlay::Runs(list)) = &self.overlay {
            return Some((list.marked, self.offered_runs(list).len()));
        }
        if let Some(Overlay::Stores(picker)) = &self.overlay {
            return Some((picker.marked, self.offered_stores(picker).len()));
        }
        let Some(Overlay::Palette(palette)) = &self.overlay else { return None };
        Some((palette.marked, self.offers(palette).len()))
    }

    /// Marks a line of the list that is open.
    pub(super) fn mark_line(&mut self, place: usize) {
        if let Some(Overlay::Departed(list)) = &mut self.overlay {
            list.marked = place;
        } else if let Some(Overlay::Runs(list)) = &mut self.overlay {
            list.marked = place;
        } else if let Some(Overlay::Stores(picker)) = &mut self.overlay {
            picker.marked = place;
        } else if let Some(Overlay::Palette(palette)) = &mut self.overlay {
            palette.marked = place;
        }
    }

    pub(super) fn wheeled(&mut self, over: Target, down: bool) -> Vec<Effect> {
        let lines = if down { TURN.cast_signed() } else { -TURN.cast_signed() };
        match over {
            Target::Plant(_) | Target::Exchange(_) | Target::Judged(_) | Target::Heading(_) | Target::List => {
                self.step(lines)
            }
            Target::Pane => {
                self.pane_top = self.pane_top.saturating_add_signed(lines).min(self.furthest_in_pane());
                Vec::new()
            }
            Target::Reader if matches!(self.overlay, Some(Overlay::Preview(_))) => {
                let action = if down { InPreview::Down } else { InPreview::Up };
                (0..TURN).flat_map(|_| self.act_in_preview(action)).collect()
            }
            Target::Reader => {
                let action = if down { InReader::Down } else { InReader::Up };
                (0..TURN).flat_map(|_| self.act_in_reader(action)).collect()
            }
            Target::Line(_) => {
                let action = if down { InList::Down } else { InList::Up };
                self.act_in_list(action)
            }
            Target::Answer(_) => self.act_in_choice(if down { InChoice::Next } else { InChoice::Previous }),
            Target::UrlField(_) | Target::ProfileLine(_) => self.next_field(!down),
            Target::Action(_) | Target::Field(_) | Target::Switch | Target::Nothing => Vec::new(),
        }
    }

    /// The last line of the pane that can be its first one shown.
    pub(super) fn furthest_in_pane(&self) -> usize {
        self.drawn.pane_lines.saturating_sub(self.drawn.pane_page)
    }

    /// Hands the mouse back to the terminal, or takes it.
    pub(super) fn toggle_mouse(&mut self) -> Vec<Effect> {
        self.mouse = !self.mouse;
        let key = self.keys.shown(Action::Room(InRoom::Mouse));
        let words = if self.mouse {
            format!("The mouse selects and scrolls here; {key} hands it back to the terminal.")
        } else {
            format!("The mouse is the terminal's: select text with it. {key} takes it again.")
        };
        self.says(&words);
        vec![Effect::UseMouse(self.mouse)]
    }
}
