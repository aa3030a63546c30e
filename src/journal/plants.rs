//! Plants with their folds. The tables follow from the entries.

use rusqlite::params;

use super::entries::{self, Part};
use super::fault::Fault;
use super::sql::Store;
use super::{sql, stored};
use crate::domain::{Fold, Operation, OperationKind, PlantEntry, PlantEvent, PlantId, Position, Row, State};

/// The number of entries from which a plant is folded as fast as from a text: those of one operation.
const FEW: usize = 2;

/// More than [`FEW`].
pub(super) const MANY: usize = usize::MAX;

/// The fold of the stream's entries about a plant.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    /// The last position in it.
    pub(super) position: Position,
    pub(super) fold: Fold,
    /// The number of entries in it; [`MANY`] if it is stored.
    pub(super) entries: usize,
    /// Whether it has changed since it was read.
    pub(super) is_new: bool,
}

impl Shared {
    /// Returns that of a plant without entries.
    pub(super) fn new(id: PlantId) -> Self {
        Self { position: Position::default(), fold: Fold::new(id), entries: 0, is_new: false }
    }

    /// Whether it is to be stored.
    pub(super) fn needs_text(&self) -> bool {
        self.is_new && self.entries > FEW
    }
}

/// A plant with its state.
#[derive(Debug, Clone)]
pub(super) struct StoredPlant {
    /// That of its row; `None` if it is not in the list.
    pub(super) rowid: Option<i64>,
    pub(super) fold: Fold,
    /// Whether other members have entries about it.
    pub(super) is_shared: bool,
}

impl StoredPlant {
    /// Returns a plant that the journal does not know.
    pub(super) fn new(id: PlantId) -> Self {
        Self { rowid: None, fold: Fold::new(id), is_shared: false }
    }
}

/// Whether the journal knows any plant with an id in this range.
pub(super) fn has_any(store: Store<'_>, (from, to): (PlantId, PlantId)) -> Result<bool, Fault> {
    let any = "SELECT EXISTS (SELECT 1 FROM entry WHERE store = ?1 AND plant_id BETWEEN ?2 AND ?3)
        OR EXISTS (SELECT 1 FROM shared WHERE store = ?1 AND plant_id BETWEEN ?2 AND ?3)";
    sql::value(store.conn, any, params![store.key, from, to])
}

/// Reads the state of a plant.
pub(super) fn fold(store: Store<'_>, id: PlantId) -> Result<Fold, Fault> {
    Ok(plant(store, id, None)?.fold)
}

/// Reads a plant: from the text in its row; or, if other members have entries about it, from `latest` or [`shared`], and
/// this journal's further entries; or else from its row alone.
pub(super) fn plant(store: Store<'_>, id: PlantId, latest: Option<&Shared>) -> Result<StoredPlant, Fault> {
    let listed = format!("SELECT {}, fold, rowid FROM plant WHERE store = ?1 AND id = ?2", stored::ROW_ALONE);
    let listed = sql::one(store.conn, &listed, params![store.key, id], |found| {
        Ok((Some(stored::row(found)?), found.get("fold")?, Some(found.get("rowid")?)))
    })?;
    let (row, text, rowid) = listed.unwrap_or_default();
    let of_stream = match latest {
        Some(latest) => Some(latest.fold.clone()),
        None => shared(store, id)?.map(|shared| shared.fold),
    };
    let is_shared = of_stream.is_some();
    let fold = fold_of(store, id, row, text, of_stream)?;
    Ok(StoredPlant { rowid, fold, is_shared })
}

/// Returns the state of a plant with this row, text, and fold of the stream: see [`plant`].
pub(super) fn fold_of(
    store: Store<'_>,
    id: PlantId,
    row: Option<Row>,
    text: Option<String>,
    of_stream: Option<Fold>,
) -> Result<Fold, Fault> {
    if let Some(text) = text {
        return stored::from_json(&text);
    }
    match (of_stream, row) {
        (Some(fold), _) => entries::with_own(store, fold),
        (None, None) => Ok(Fold::new(id)),
        (None, Some(row)) => match row.state {
            State::Stored => Ok(Fold::of_stored(row)),
            // The plant was not in the list before this add.
            State::Adding => {
                let mut fold = Fold::new(id);
                let mut own = entries::of_plant(store, id, Part::All)?;
                let is_add = |entry: &PlantEntry| {
                    matches!(&entry.event, PlantEvent::Intent(Operation { kind: OperationKind::Add(_), .. }))
                };
                let add = own.iter().rposition(is_add).ok_or(Fault::Damaged)?;
                fold.apply(&own.swap_remove(add));
                Ok(fold)
            }
            State::Unknown | State::Deleting => Err(Fault::Damaged),
        },
    }
}

/// Returns the fold of the stream's entries about a plant, if other members have some or it is in a snapshot: as it is
/// stored, or from the entries.
pub(super) fn shared(store: Store<'_>, id: PlantId) -> Result<Option<Shared>, Fault> {
    let stored = "SELECT position, fold FROM shared WHERE store = ?1 AND plant_id = ?2";
    let stored = sql::one(store.conn, stored, params![store.key, id], |found| {
        let (position, fold) = (found.get(0)?, stored::from_json(&found.get::<_, String>(1)?)?);
        Ok(Shared { position, fold, entries: MANY, is_new: false })
    })?;
    if stored.is_some() {
        return Ok(stored);
    }
    let are_of_others = entries::are_of_others(store, id)?;
    are_of_others.then(|| of_entries(store, id)).transpose()
}

/// Returns the fold of the entries about a plant that the stream has, of all members.
pub(super) fn in_stream(store: Store<'_>, id: PlantId) -> Result<Fold, Fault> {
    match shared(store, id)? {
        Some(shared) => Ok(shared.fold),
        None => entries::fold(store, id, Part::InStream),
    }
}

fn of_entries(store: Store<'_>, id: PlantId) -> Result<Shared, Fault> {
    let (mut fold, entries) = (Fold::new(id), entries::of_plant(store, id, Part::InStream)?);
    for entry in &entries {
        fold.apply(entry);
    }
    let position = entries.last().and_then(|entry| entry.position).unwrap_or_default();
    Ok(Shared { position, fold, entries: entries.len(), is_new: false })
}
