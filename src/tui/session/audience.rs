//! What questions say in words for an audience, who reads no requests. Must not know how questions are drawn.

use crate::demo::WeatherPreset;
use crate::domain::language::Id;
use crate::domain::simple_words::about;
use crate::domain::{Message, OperationKind, PlantId, Row, State, StoreUrl};

/// The title and the sentences of a question in words for an audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simple {
    pub title: Message,
    /// `None` where an audience needs the same details as everybody.
    pub lines: Option<Vec<Message>>,
}

impl Simple {
    fn new(title: Message, lines: impl IntoIterator<Item = Message>) -> Self {
        Self { title, lines: Some(lines.into_iter().collect()) }
    }

    pub(super) fn delete(id: PlantId, row: Option<&Row>, store: &StoreUrl) -> Self {
        let caution = match row {
            None => Some(Id::MayHaveIt),
            Some(row) => (row.state == State::Unknown).then_some(Id::UnknownThere),
        };
        let lines = [at(store)].into_iter().chain(caution.map(Message::from));
        Self::new(about(Id::AskDelete, id, row.and_then(Row::name)), lines)
    }

    pub(super) fn delete_many(count: usize) -> Self {
        Self { title: Id::AskDeleteMany.with("count", count.to_string()), lines: None }
    }

    pub(super) fn resolve(row: &Row, unknown: &OperationKind) -> Self {
        let title = match unknown {
            OperationKind::Add(_) => Id::AskThere,
            OperationKind::Delete(_) => Id::AskStillThere,
        };
        Self::new(about(title, row.id, row.name()), [Id::OnlyYouCanSay.into()])
    }

    pub(super) fn forget(row: &Row) -> Self {
        Self::new(about(Id::AskForget, row.id, row.name()), [Id::StaysThere.into()])
    }

    pub(super) fn not_there(row: &Row) -> Self {
        let lines = [about(Id::ListedNotThere, row.id, row.name())];
        Self::new(Id::NotThere.with("id", row.id.to_string()), lines)
    }

    /// `is_lossless` means that nothing but the demo's plants is lost.
    pub(super) fn quit(demo: bool, is_lossless: bool) -> Self {
        let lines = demo.then(|| Id::DemoEnds.into()).into_iter().collect();
        Self { title: Id::AskQuit.into(), lines: is_lossless.then_some(lines) }
    }

    pub(super) fn weather() -> Self {
        Self::new(Id::AskWeather.into(), [Id::WeatherActs.into()])
    }
}

fn at(store: &StoreUrl) -> Message {
    Id::AtStore.with("store", store.to_string())
}

/// Returns the label of a weather.
pub(super) fn weather(preset: WeatherPreset) -> Id {
    match preset {
        WeatherPreset::Calm => Id::WeatherCalm,
        WeatherPreset::Slow => Id::WeatherSlow,
        WeatherPreset::LosingResponses => Id::WeatherLosingResponses,
        WeatherPreset::Rejecting => Id::WeatherRejecting,
        WeatherPreset::OutOfOrder => Id::WeatherOutOfOrder,
    }
}
