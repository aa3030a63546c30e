//! What questions say in words for an audience, who reads no requests. Must not know how questions are drawn.

use crate::demo::WeatherPreset;
use crate::domain::language::Id;
use crate::domain::simple_words::about;
use crate::domain::{ListedPlant, Message, OperationKind, Plant, PlantId, Row, State, StoreUrl};
use crate::tui::session::unfinished::Unfinished;

/// The title and the sentences of a question in words for an audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simple {
    pub title: Message,
    pub listed: Vec<Message>,
    pub lines: Vec<Message>,
}

impl Simple {
    fn new(title: Message, lines: impl IntoIterator<Item = Message>) -> Self {
        Self { title, listed: Vec::new(), lines: lines.into_iter().collect() }
    }

    fn about_all(self, listed: impl Iterator<Item = Message>) -> Self {
        Self { listed: listed.collect(), ..self }
    }

    pub(super) fn delete(id: PlantId, row: Option<&Row>, store: &StoreUrl) -> Self {
        let caution = match row {
            None => Some(Id::MayHaveIt),
            Some(row) => (row.state == State::Unknown).then_some(Id::UnknownThere),
        };
        let lines = [at(store)].into_iter().chain(caution.map(Message::from));
        Self::new(about(Id::AskDelete, id, row.and_then(Row::name)), lines)
    }

    pub(super) fn delete_many(plants: &[Row], absent: &[PlantId], store: &StoreUrl) -> Self {
        let lines = [at(store)].into_iter().chain(some(Id::SomeNotListed, absent.len()));
        let listed = plants.iter().map(row_called).chain(absent.iter().map(|id| about(Id::Called, *id, None)));
        Self::new(counted(Id::AskDeleteMany, plants.len() + absent.len()), lines).about_all(listed)
    }

    /// `is_listed` says whether another plant has an id, `repeats` that several of the plants have the same.
    pub(super) fn re_add(
        plants: &[Plant],
        is_listed: impl Fn(PlantId) -> bool,
        repeats: bool,
        store: &StoreUrl,
    ) -> Self {
        let title = match plants {
            [plant] => about(Id::AskReAdd, plant.id, Some(&plant.name)),
            _ => counted(Id::AskReAddMany, plants.len()),
        };
        let id = |plant: &Plant| if is_listed(plant.id) { Id::NumberTaken } else { Id::Called };
        let lines = [at(store)].into_iter().chain(repeats.then(|| Id::SameNumber.into()));
        Self::new(title, lines).about_all(plants.iter().map(|plant| about(id(plant), plant.id, Some(&plant.name))))
    }

    pub(super) fn resolve(row: &Row, unknown: &OperationKind) -> Self {
        let title = match unknown {
            OperationKind::Add(_) => Id::AskThere,
            OperationKind::Delete(_) => Id::AskStillThere,
        };
        Self::new(about(title, row.id, row.name()), [Id::OnlyYouCanSay.into()])
    }

    pub(super) fn resolve_many(unknown: &[ListedPlant], store: &StoreUrl) -> Self {
        let listed = unknown.iter().filter_map(|found| {
            let id = match found.unknown.as_ref()?.kind {
                OperationKind::Add(_) => Id::TitleAdd,
                OperationKind::Delete(_) => Id::TitleDelete,
            };
            Some(about(id, found.row.id, found.row.name()))
        });
        Self::new(counted(Id::AskThereMany, unknown.len()), [at(store), Id::OnlyYouCanSay.into()]).about_all(listed)
    }

    pub(super) fn forget(plants: &[ListedPlant]) -> Self {
        let title = match plants {
            [ListedPlant { row, .. }] => about(Id::AskForget, row.id, row.name()),
            _ => counted(Id::AskForgetMany, plants.len()),
        };
        Self::new(title, [Id::StaysThere.into()]).about_all(plants.iter().map(|plant| row_called(&plant.row)))
    }

    pub(super) fn not_there(row: &Row) -> Self {
        let lines = [about(Id::ListedNotThere, row.id, row.name())];
        Self::new(Id::NotThere.with("id", row.id.to_string()), lines)
    }

    pub(super) fn none_there(missing: &[ListedPlant]) -> Self {
        let listed = missing.iter().map(|plant| row_called(&plant.row));
        Self::new(counted(Id::NoneThere, missing.len()), [Id::ListedNoneThere.into()]).about_all(listed)
    }

    pub(super) fn quit(left: Unfinished, demo: bool) -> Self {
        let counts = [
            (Id::QuitInFlight, left.in_flight),
            (Id::QuitUnderWay, left.checks + left.imports + left.lines),
            (Id::QuitUnknown, left.unresolved),
            (Id::QuitUnsent, left.unsent),
            (Id::QuitForms, left.forms),
        ];
        let lines = counts.into_iter().filter_map(|(id, count)| some(id, count));
        Self::new(Id::AskQuit.into(), lines.chain(demo.then(|| Id::DemoEnds.into())))
    }

    pub(super) fn weather() -> Self {
        Self::new(Id::AskWeather.into(), [Id::WeatherActs.into()])
    }
}

fn at(store: &StoreUrl) -> Message {
    Id::AtStore.with("store", store.to_string())
}

fn row_called(row: &Row) -> Message {
    about(Id::Called, row.id, row.name())
}

pub(super) fn counted(id: Id, count: usize) -> Message {
    id.with("count", count.to_string())
}

fn some(id: Id, count: usize) -> Option<Message> {
    (count > 0).then(|| counted(id, count))
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
