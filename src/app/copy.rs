//! Copying: what goes to the clipboard, and what is said about it.
//!
//! The text travels in the terminal's own output (OSC 52), so that it arrives over SSH; whether
//! the terminal takes it, it does not say.

use crate::domain::sentence::{called, subject};
use crate::domain::text::clean_lines;
use crate::domain::{Exchange, PlantId, Row, curl};

use super::keys::WithExchange;
use super::message::Effect;
use super::model::{Model, Overlay};
use super::reader::Reading;
use super::room::Room;

/// Bytes from which on some terminals refuse the text.
const LONG: usize = 50_000;

/// An exchange and what its plant was called, if somebody knew.
type AtHand<'a> = (&'a Exchange, Option<&'a str>);

impl Model {
    /// The exchange that is open, or selected, or the selected plant's last.
    fn at_hand(&self) -> Option<AtHand<'_>> {
        if let Some(Overlay::Reader(reader)) = &self.overlay
            && let Reading::Exchange { kept, .. } = &reader.reading
        {
            return Some((&kept.exchange, kept.name()));
        }
        match self.room {
            Room::Greenhouse if self.greenhouse.last().is_some() => {
                let last = self.greenhouse.last()?;
                Some((&last.exchange, last.name.as_deref()))
            }
            Room::Plants | Room::Greenhouse => {
                let exchange = *self.selected_requests()?.own.first()?;
                Some((exchange, self.table.selected_row().and_then(Row::name)))
            }
            Room::Check => {
                let kept = self.check.selected_behind()?.last()?;
                Some((&kept.exchange, kept.name()))
            }
            Room::Exchanges => {
                let kept = self.selected_exchange()?;
                Some((&kept.exchange, kept.name()))
            }
        }
    }

    /// The plant that is selected, or that the exchange at hand is about.
    fn plant_at_hand(&self) -> Option<PlantId> {
        match (self.room, &self.overlay) {
            (Room::Plants | Room::Greenhouse, None) => self.table.selected,
            (Room::Plants | Room::Exchanges | Room::Check | Room::Greenhouse, _) => {
                self.at_hand().map(|(exchange, _)| exchange.operation.ask.plant_id())
            }
        }
    }

    /// Why it does nothing now. Asked for every frame, so it makes no text.
    pub(super) fn unavailable_with_exchange(&self, action: WithExchange) -> Option<&'static str> {
        match (action, self.at_hand()) {
            (WithExchange::CopyId, _) => self.plant_at_hand().is_none().then_some("nothing is selected"),
            (WithExchange::CopyCurl | WithExchange::CopyAnswer, None) => Some("no exchange is at hand"),
            (WithExchange::CopyCurl, Some((exchange, _))) => {
                curl::unfit(exchange, &self.facts.store).map(curl::NoCommand::why)
            }
            (WithExchange::CopyAnswer, Some((exchange, _))) => {
                let has_body = exchange.answer().is_some_and(|answer| !answer.body.is_empty());
                (!has_body).then_some("no answer with a body is kept")
            }
        }
    }

    pub(super) fn act_with_exchange(&mut self, action: WithExchange) -> Vec<Effect> {
        let copied = match action {
            WithExchange::CopyCurl => self.curl_at_hand(),
            WithExchange::CopyAnswer => self.answer_at_hand(),
            WithExchange::CopyId => self.plant_at_hand().map(|id| (id.to_string(), format!("The id {id}"), "")),
        };
        let Some((text, what, then)) = copied else { return Vec::new() };
        let bytes = match text.len() {
            1 => "1 byte".to_owned(),
            bytes => format!("{bytes} bytes"),
        };
        let long = if text.len() > LONG { "; some terminals take less" } else { "" };
        self.says(&format!(
            "{what} went to the clipboard ({bytes}, by OSC 52{long}). In tmux: set -g set-clipboard on. {then}"
        ));
        vec![Effect::Copy(text)]
    }

    /// The text, what it is, and what there is to say about it.
    fn curl_at_hand(&self) -> Option<(String, String, &'static str)> {
        let (exchange, name) = self.at_hand()?;
        let plant = subject(&exchange.operation.ask, name);
        Some((
            curl::command(exchange, &self.facts.store).ok()?,
            format!("The request about {plant}, as curl,"),
            curl::caution(exchange.outcome()),
        ))
    }

    /// Likewise; what would steer a terminal is written out.
    fn answer_at_hand(&self) -> Option<(String, String, &'static str)> {
        let (exchange, name) = self.at_hand()?;
        let plant = called(exchange.operation.ask.plant_id(), name);
        Some((clean_lines(&exchange.answer()?.body), format!("The answer about {plant}"), ""))
    }
}
