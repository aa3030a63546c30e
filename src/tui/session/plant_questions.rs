//! The questions about plants, each in the words of those who read requests and in those for an audience.
//!
//! Must not know how a question is drawn or a choice carried out.

use std::collections::{BTreeMap, BTreeSet};

use crate::client;
use crate::domain::language::Id;
use crate::domain::sentence::{called, explain_absence, note_absent, plant_called, row_called};
use crate::domain::simple_words::{about, title_of};
use crate::domain::{
    Decided, ListedPlant, Message, OperationKind, Plant, PlantId, Resolution, Row, Seen, State, StoreUrl,
    UnknownOperation,
};
use crate::text::number_format::counted;
use crate::tui::input::Answer;
use crate::tui::session::AboutSeveral;
use crate::tui::session::question::{Act, Choice, Question, Several, Words, simply, with_count};

fn delete_all(plants: &[PlantId]) -> Act {
    Act::Together(plants.iter().copied().map(OperationKind::Delete).collect(), false)
}

fn seen(row: Option<&Row>) -> Seen {
    row.map_or(Seen::NotListed, Row::seen)
}

fn about_row(id: Id, row: &Row) -> Message {
    about(id, row.id, row.name())
}

fn request_line(store: &StoreUrl, id: PlantId) -> String {
    let request = client::request(store, &OperationKind::Delete(id));
    format!("{} {}", request.method.word(), request.target)
}

/// Asks whether to delete a plant; `row` is `None` for an id that is not in the list.
pub(in crate::tui) fn delete(id: PlantId, row: Option<&Row>, store: &StoreUrl) -> Question {
    let name = row.and_then(Row::name);
    let hint = format!("sends {}; only an add undoes it", request_line(store, id));
    let choices =
        vec![simply(Id::KeepIt, Act::Leave), simply(Id::DeleteIt, Act::Send(OperationKind::Delete(id))).detailed(hint)];
    let mut question = Question::new(about(Id::AskDelete, id, name), choices);
    question.also(match name {
        Some(name) => format!("plant  {}", called(id, Some(name))),
        None if row.is_some() => "plant  in the list without a name".to_owned(),
        None => "plant  not in the list; the store may still have it".to_owned(),
    });
    question.also(format!("id     {id}"));
    question.at("store  ", store);
    match row {
        None => question.for_audience(Id::MayHaveIt),
        Some(row) if row.state == State::Unknown => {
            let words = "It is unknown whether the store has it; if the store accepts the delete, that is resolved.";
            question.also(Words::both(words, Id::UnknownThere));
        }
        Some(_) => {}
    }
    let several = Some((AboutSeveral::of(Several::Delete), vec![id]));
    Question { about: Some(id), seen: vec![(id, seen(row))], several, ..question }
}

/// Asks whether to delete several plants.
pub(in crate::tui) fn delete_many(plants: &[Row], absent: &[PlantId], store: &StoreUrl) -> Question {
    let count = plants.len() + absent.len();
    let ids: Vec<_> = plants.iter().map(|row| row.id).chain(absent.iter().copied()).collect();
    let hint = format!("sends {count} deletes; only adds undo them");
    let choices = vec![simply(Id::KeepThem, Act::Leave), simply(Id::DeleteThem, delete_all(&ids)).detailed(hint)];
    let mut question = Question::new(with_count(Id::AskDeleteMany, count), choices);
    question.at("store  ", store);
    if let Some(words) = note_absent(absent.len(), count) {
        question.also(Words::both(words, with_count(Id::SomeNotListed, absent.len())));
    }
    question.listed.extend(plants.iter().map(|row| about_row(Id::Called, row).into()));
    question.listed.extend(absent.iter().map(|id| about(Id::Called, *id, None).into()));
    let absent = absent.iter().map(|id| (*id, Seen::NotListed));
    let seen = plants.iter().map(|row| (row.id, row.seen())).chain(absent).collect();
    Question { seen, ..question }
}

/// Asks whether to add several plants again; `others` are the rows of those whose ids are in the list.
pub(in crate::tui) fn re_add(plants: &[Plant], others: &[Row], store: &StoreUrl) -> Question {
    let count = plants.len();
    let (title, add) = match plants {
        [plant] => (about(Id::AskReAdd, plant.id, Some(&plant.name)), Act::Send(OperationKind::add(plant.clone()))),
        _ => {
            let adds = plants.iter().cloned().map(OperationKind::add).collect();
            (with_count(Id::AskReAddMany, count), Act::Together(adds, false))
        }
    };
    let adds = format!("sends {}", counted(count as u64, "add", "adds"));
    let choices = vec![simply(Id::NotNow, Act::Leave), simply(Id::AddThem, add).detailed(adds)];
    let mut question = Question::new(title, choices);
    question.at("store  ", store);
    match others.len() {
        0 => {}
        1 if count == 1 => question.also("The list has a plant with this id.".to_owned()),
        1 => question.also("The list has a plant with one of these ids.".to_owned()),
        others => question.also(format!("The list has plants with {others} of these ids.")),
    }
    let ids: BTreeSet<_> = plants.iter().map(|plant| plant.id).collect();
    if ids.len() < count {
        question.also(Words::both("Some of them have the same id.", Id::SameNumber));
    }
    let rows: BTreeMap<_, _> = others.iter().map(|row| (row.id, row)).collect();
    question.listed.extend(plants.iter().map(|plant| {
        let about = |id| about(id, plant.id, Some(&plant.name));
        let Some(row) = rows.get(&plant.id) else { return about(Id::Called).into() };
        let other = format!("the list has {}, {}", row_called(row), row.state.word());
        Words::both(format!("{}; {other}", plant_called(plant)), about(Id::NumberTaken))
    }));
    let seen = plants.iter().map(|plant| (plant.id, seen(rows.get(&plant.id).copied()))).collect();
    Question { seen, ..question }
}

/// Asks how to resolve an unknown plant.
pub(in crate::tui) fn resolve(row: &Row, unknown: &UnknownOperation, store: &StoreUrl) -> Question {
    let id = row.id;
    let decided = Decided { unknown: Some(unknown.operation), ..Decided::stored(row) };
    let forget = if unknown.leaves_stored { Id::ForgetAdd } else { Id::ForgetIt };
    let resolve = |resolution| Act::Resolve(vec![decided.clone()], resolution);
    let send = Act::Send(unknown.kind.clone());
    let (title, again) = match unknown.kind {
        OperationKind::Add(_) => (Id::AskThere, simply(Id::AddAgain, send)),
        OperationKind::Delete(_) => {
            let risk = "deletes it again; if the id was reused in the meantime, the new plant is deleted";
            (Id::AskStillThere, simply(Id::DeleteAgain, send).detailed(risk))
        }
    };
    let delete = || {
        let hint = format!("sends {}; if accepted, it is gone", request_line(store, id));
        simply(Id::DeleteIt, Act::Send(OperationKind::Delete(id))).detailed(hint).named(Answer::Delete)
    };
    let mut choices = vec![simply(Id::LeaveIt, Act::Leave), again.named(Answer::SendAgain)];
    // A delete that is sent again deletes the plant already.
    choices.extend(matches!(unknown.kind, OperationKind::Add(_)).then(delete));
    choices.extend([
        simply(Id::MarkStored, resolve(Resolution::MarkStored)).named(Answer::Stored),
        simply(forget, resolve(Resolution::Forget)).named(Answer::Forget),
    ]);
    let mut question = Question::new(about_row(title, row), choices);
    question.also(unknown.why());
    question.also(Id::OnlyYouCanSay);
    Question { about: Some(id), seen: vec![(id, row.seen())], unknown: Some(unknown.operation), ..question }
}

/// Asks how to resolve several unknown plants at once.
pub(in crate::tui) fn resolve_many(unknown: &[ListedPlant], store: &StoreUrl) -> Question {
    let count = unknown.len();
    let decided: Vec<_> = unknown.iter().map(Decided::listed).collect();
    let ids: Vec<_> = decided.iter().map(|plant| plant.id).collect();
    let kinds: Vec<_> = unknown.iter().filter_map(|found| Some(found.unknown.as_ref()?.kind.clone())).collect();
    let has_adds = kinds.iter().any(|kind| matches!(kind, OperationKind::Add(_)));
    let (again, risk) = if has_adds {
        (Id::AddAllAgain, "the store may then have plants twice")
    } else {
        (Id::DeleteAllAgain, "a new plant of a reused id is deleted")
    };
    let risk = format!("{risk}; sends {count} requests");
    let gone = format!("sends {count} deletes; only adds undo them");
    let again = simply(again, Act::Together(kinds.clone(), true)).detailed(risk);
    let mut choices = vec![simply(Id::LeaveThem, Act::Leave), again.named(Answer::SendAgain)];
    let delete = || simply(Id::DeleteThem, delete_all(&ids)).detailed(gone).named(Answer::Delete);
    // Deletes that are sent again delete the plants already.
    choices.extend(has_adds.then(delete));
    choices.extend([
        simply(Id::MarkAllStored, Act::Resolve(decided.clone(), Resolution::MarkStored)).named(Answer::Stored),
        simply(Id::ForgetThem, Act::Resolve(decided, Resolution::Forget)).named(Answer::Forget),
    ]);
    let title = format!("Resolve these {count} unknown plants?");
    let mut question = Question::new(Words::both(title, with_count(Id::AskThereMany, count)), choices);
    question.at("store   ", store);
    question.also(Words::both(
        "These may have reached the store, and no response decided them. The store cannot be asked what it has, so \
         only you can say.",
        Id::OnlyYouCanSay,
    ));
    question.listed.extend(kinds.iter().zip(unknown).map(|(kind, ListedPlant { row, .. })| {
        Words::both(format!("{:<6}  {}", kind.word(), row_called(row)), about_row(title_of(kind), row))
    }));
    let seen = unknown.iter().map(|found| (found.row.id, found.row.seen())).collect();
    Question { seen, ..question }
}

/// Asks whether to forget the plants in the list whose deletes were rejected with 404, each with its unknown operation
/// if there is one. Of a single one, `said` is what the store responded.
pub(in crate::tui) fn not_there(missing: &[ListedPlant], said: Option<String>) -> Question {
    let choices = choices_to_forget(missing);
    let why = why_not_there(missing);
    let question = match missing {
        [ListedPlant { row, unknown }] => {
            let mut question = Question::new(Id::NotThere.with("id", row.id.to_string()), choices);
            let plant = row_called(row);
            let is_there = format!("{plant} is in the list, and the store says that there is no such plant. {why}");
            question.also(Words::both(is_there, about_row(Id::ListedNotThere, row)));
            question.lines.extend(said.map(Words::from));
            let unknown = unknown.as_ref().map(|unknown| unknown.operation);
            Question { about: Some(row.id), unknown, ..question }
        }
        _ => {
            let mut question = Question::new(with_count(Id::NoneThere, missing.len()), choices);
            let are_there = format!("They are in the list, and the store says that there are no such plants. {why}");
            question.also(Words::both(are_there, Id::ListedNoneThere));
            question.listed.extend(missing.iter().map(|plant| about_row(Id::Called, &plant.row).into()));
            question
        }
    };
    Question { by_itself: true, ..question }
}

/// Explains why the store has none of these plants: for each kind of earlier operation, how many of them it is about,
/// unless that is all.
fn why_not_there(missing: &[ListedPlant]) -> String {
    let mut groups = BTreeMap::new();
    for plant in missing {
        let kind = plant.unknown.as_ref().map(|unknown| &unknown.kind);
        groups.entry(kind.map(OperationKind::word)).or_insert((0, kind)).0 += 1;
    }
    let explain = |(count, kind)| match explain_absence(kind, count) {
        why if count == missing.len() => why.to_owned(),
        why => format!("{count} of them: {why}"),
    };
    groups.into_values().map(explain).collect::<Vec<_>>().join(" ")
}

/// Asks whether to forget plants of the list.
pub(in crate::tui) fn forget(plants: &[ListedPlant]) -> Question {
    let title = match plants {
        [ListedPlant { row, .. }] => about_row(Id::AskForget, row),
        _ => with_count(Id::AskForgetMany, plants.len()),
    };
    let lines = vec![Id::StaysThere.into()];
    let listed = plants.iter().map(|plant| about_row(Id::Called, &plant.row).into()).collect();
    Question { listed, lines, ..Question::new(title, choices_to_forget(plants)) }
}

fn choices_to_forget(plants: &[ListedPlant]) -> Vec<Choice> {
    let act = Act::Resolve(plants.iter().map(Decided::listed).collect(), Resolution::Forget);
    let [keep, forget] = match plants {
        [_] => [Id::KeepListed, Id::ForgetIt],
        _ => [Id::KeepAllListed, Id::ForgetThem],
    };
    vec![simply(keep, Act::Leave), simply(forget, act)]
}
