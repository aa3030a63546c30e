//! The reader: help, the history of a plant, exchanges, two of them compared, an import, or the output of a custom
//! command, as a text that is scrolled and searched.

use ratatui::layout::Rect;

use crate::domain::wire::HttpMessage;
use crate::journal::StoredExchange;
use crate::text::Marks;
use crate::text::body::Body;
use crate::tui::component::{Action, Component, NamedExchange, Typed, action_in_text, called, cannot, does, unless};
use crate::tui::context::Context;
use crate::tui::input::{Command, Scope};
use crate::tui::message::FrameLayout;
use crate::tui::render::exchange::Shape;
use crate::tui::render::{command_output, compared, exchange, help, import_report, plant_history};
use crate::tui::ui_effect::{Reading, Tab, UiEffect};
use crate::tui::widgets::canvas::{Canvas, cells};
use crate::tui::widgets::form::FORM;
use crate::tui::widgets::pager::Pager;
use crate::tui::widgets::sheet::Sheet;
use crate::tui::widgets::theme::Theme;
use crate::tui::widgets::viewport::Viewport;

/// Columns where the terminal is wide enough; two texts side by side, and what a program printed, take the whole width.
const READER: u16 = 130;

const LAID_OUT: Shape = Shape::LaidOut { headers: true };

#[derive(Debug)]
pub(crate) struct Reader {
    pub reading: Reading,
    /// The characters of a body.
    marks: Marks,
    pager: Pager,
    shape: Shape,
    /// The bodies of request and response; the first one is the output of a custom command.
    bodies: [Body; 2],
}

impl Reader {
    pub(crate) fn open(reading: Reading, marks: Marks) -> Self {
        let bodies = <[Body; 2]>::default();
        let mut reader = Self { reading, marks, pager: Pager::default(), shape: LAID_OUT, bodies };
        reader.lay_out();
        reader
    }

    /// The exchange that is shown, if any.
    pub(crate) fn shown(&self) -> Option<&StoredExchange> {
        if let Reading::Exchanges(exchanges, at) = &self.reading { exchanges.get(*at) } else { None }
    }

    /// Shows other exchanges in their place, in the same shape.
    pub(crate) fn replace(&mut self, exchanges: Vec<StoredExchange>) {
        self.reading = Reading::Exchanges(exchanges, 0);
        self.lay_out();
    }

    /// The number of the exchange that is shown, and of how many, if there are several.
    fn position(&self) -> Option<(usize, usize)> {
        let Reading::Exchanges(exchanges, at) = &self.reading else { return None };
        (exchanges.len() > 1).then_some((at + 1, exchanges.len()))
    }

    /// Shows the next exchange, or the one before; the first one follows the last. A single one is that of a line of the
    /// History.
    fn turn(&mut self, back: bool) -> Option<UiEffect> {
        if let Reading::Exchanges(exchanges, at) = &mut self.reading {
            if let [one] = exchanges.as_slice() {
                return Some(UiEffect::OpenNext { number: one.number, back });
            }
            let count = exchanges.len().max(1);
            *at = (*at + if back { count - 1 } else { 1 }) % count;
        }
        self.lay_out();
        None
    }

    /// Lays out the bodies of the exchange that is shown, and scrolls to its first line.
    fn lay_out(&mut self) {
        let show = if self.shape == Shape::AsSent { Body::raw } else { Body::laid_out };
        if let Some(StoredExchange { exchange, .. }) = self.shown() {
            let both = [exchange.request.as_ref().map(HttpMessage::from), exchange.response().map(HttpMessage::from)];
            let body = |message: HttpMessage<'_>| show(&self.marks.exact_bytes(message.body));
            self.bodies = both.map(|message| message.map(body).unwrap_or_default());
        }
        if let Reading::Output(output) = &self.reading {
            self.bodies = [Body::raw(&self.marks.exact_bytes(&output.printed)), Body::default()];
        }
        self.pager.viewport.to_start();
    }

    fn take_shape(&mut self, shape: Shape) {
        self.shape = shape;
        self.lay_out();
    }

    /// Returns the title and the text.
    fn contents(&self, cx: &Context, theme: &Theme, width: usize) -> (String, Sheet<'_>) {
        let sheet = Sheet::new(width);
        match &self.reading {
            Reading::Help(here) => {
                ("Keys and words".to_owned(), sheet.rows(help::lines(&cx.out.keys, *here, theme, width)))
            }
            Reading::PlantHistory => {
                let lines = plant_history::lines(cx, theme, width, &plant_history::WHOLE);
                (plant_history::title(cx), sheet.rows(lines))
            }
            Reading::Exchanges(..) => {
                let Some(kept) = self.shown() else { return (String::new(), sheet) };
                let position = self.position().map(|(at, of)| format!("{at} of {of}: ")).unwrap_or_default();
                let shape = if self.shape == Shape::AsSent { ", as sent" } else { "" };
                let title = format!("{position}{}{shape}", exchange::about(kept));
                (title, exchange::whole(kept, &self.bodies, self.shape, cx, theme, width))
            }
            Reading::Compared(compared) => {
                ("Two requests compared".to_owned(), compared::whole(compared, cx, theme, width))
            }
            Reading::Import => {
                let (import, language) = (cx.session.import.as_deref(), cx.display.language_of_labels());
                let lines = import.map(|import| import_report::lines(import, &cx.out.keys, language, theme, width));
                (import_report::title(import, language), sheet.rows(lines.unwrap_or_default()))
            }
            Reading::Output(output) => {
                (output.name.clone(), command_output::whole(output, &self.bodies[0], theme, width))
            }
        }
    }
}

impl Component for Reader {
    fn scope(&self) -> Scope {
        match self.reading {
            _ if self.pager.is_typing => Scope::Picker,
            Reading::Exchanges(..) => Scope::Inspector,
            _ => Scope::Pager,
        }
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        let command = match command {
            Command::Down | Command::Complete if self.pager.is_typing => Command::NextMatch,
            Command::Up | Command::StepBack if self.pager.is_typing => Command::PreviousMatch,
            command => command,
        };
        let not_found = (self.pager.matches.count == 0).then_some("there is no match to go to");
        let has_other = self.position().is_some() || cx.display.tab == Tab::History;
        let no_other = (!has_other).then_some("there is no other request");
        match command {
            Command::Choose if self.pager.is_typing => {
                called("go there", |reader: &mut Self, _| reader.pager.is_typing = false)
            }
            Command::Close if self.pager.is_typing => does(|reader: &mut Self, _| reader.pager.stop_search()),
            Command::Find => does(|reader: &mut Self, _| reader.pager.is_typing = true),
            Command::NextMatch => {
                unless(not_found, |reader: &mut Self, _| reader.pager.search_from(reader.pager.matches.after))
            }
            Command::PreviousMatch => {
                unless(not_found, |reader: &mut Self, _| reader.pager.search_from(reader.pager.matches.before))
            }
            Command::Raw if self.shape == Shape::AsSent => called("formatted", |reader: &mut Self, _| {
                reader.take_shape(LAID_OUT);
            }),
            Command::Raw => does(|reader: &mut Self, _| reader.take_shape(Shape::AsSent)),
            Command::Headers => match self.shape {
                Shape::AsSent => cannot("as sent, they are part of the messages"),
                Shape::LaidOut { headers } => {
                    does(move |reader: &mut Self, _| reader.shape = Shape::LaidOut { headers: !headers })
                }
            },
            Command::Next => unless(no_other, |reader: &mut Self, cx: &mut Context| {
                cx.out.ui_effects.extend(reader.turn(false));
            }),
            Command::Previous => unless(no_other, |reader: &mut Self, cx: &mut Context| {
                cx.out.ui_effects.extend(reader.turn(true));
            }),
            Command::Close => does(|_, cx: &mut Context| cx.out.close()),
            _ => action_in_text(&self.pager.viewport, command, |reader, _| &mut reader.pager.viewport),
        }
    }

    fn type_text(&mut self, typed: Typed<'_>, _cx: &mut Context) {
        if self.pager.is_typing && self.pager.wanted.take(typed) {
            self.pager.search();
        }
    }

    fn awaits_frame(&self) -> bool {
        self.pager.is_pending
    }

    fn drawn(&mut self, layout: &FrameLayout, _cx: &mut Context) {
        self.pager.drawn(layout);
    }

    fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let columns = match self.reading {
            Reading::Compared(_) | Reading::Output(_) => area.width,
            Reading::Help(_) | Reading::PlantHistory | Reading::Exchanges(..) => area.width.min(READER),
            Reading::Import => area.width.min(FORM),
        };
        let width = usize::from(columns.saturating_sub(4));
        let (mut title, sheet) = self.contents(cx, canvas.theme, width);
        let mut height = usize::from(area.height);
        if self.reading == Reading::Import {
            // No higher than its text: the tab behind it stays visible.
            let needed = sheet.row_count() + 2 + usize::from(self.pager.is_searching());
            if needed > height {
                title = format!("{title} ({})", cx.display.language_of_labels().named("more below"));
            }
            height = needed;
        }
        // The number of waiting dialogs is not shown over a text.
        canvas.waiting = 0;
        let inner = canvas.dialog(&title, (columns, cells(height)), area);
        self.pager.draw(&sheet, inner, canvas);
    }

    fn viewport(&mut self) -> Option<&mut Viewport> {
        Some(&mut self.pager.viewport)
    }

    fn exchange<'a>(&'a self, _cx: &'a Context) -> Option<NamedExchange<'a>> {
        self.shown().map(|kept| (&kept.exchange, kept.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Exchange, FailureKind, Operation, OperationId, OperationKind, PlantId, Timestamp};

    fn kept(number: i64) -> StoredExchange {
        let operation =
            Operation::new(OperationId { origin: 1, number: 1 }, OperationKind::Delete(PlantId(number)), Timestamp(0));
        let exchange = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
        StoredExchange { number, called: None, exchange }
    }

    #[test]
    fn the_first_exchange_of_a_row_follows_the_last() {
        let mut reader = Reader::open(Reading::Exchanges(vec![kept(1), kept(2), kept(3)], 2), Marks::Unicode);
        let mut turned = |back| {
            assert!(reader.turn(back).is_none());
            (reader.position().unwrap(), reader.shown().unwrap().number)
        };
        assert_eq!([false, true, true].map(&mut turned), [((1, 3), 1), ((3, 3), 3), ((2, 3), 2)]);
        assert_eq!(Reader::open(Reading::Exchanges(vec![kept(1)], 0), Marks::Unicode).position(), None);
    }
}
