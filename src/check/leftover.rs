//! Plants of the check that are still at the store after a run: how the next run may delete them, and how
//! a report lists them. Nothing is deleted that may be somebody else's.

use std::collections::VecDeque;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::draw::Draw;
use super::steps::NAME;
use crate::domain::sentence::called;
use crate::domain::{OperationId, PlantId, Probe};

/// Ids that are tried as they are, and that anybody may have.
pub const FIXED_IDS: [PlantId; 3] = [PlantId(0), PlantId(i64::MAX), PlantId(i64::MIN)];

/// What the journal knows before a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EarlierRuns {
    /// What earlier runs left on the list.
    pub leftovers: Vec<EarlierLeftover>,
    /// What is unknown on the list though it was never planted: earlier runs only deleted it.
    pub never_planted: Vec<Gone>,
    /// Which of [`FIXED_IDS`] the list has for another reason.
    pub taken: Vec<PlantId>,
}

/// A plant that an earlier run of the check left on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierLeftover {
    pub id: PlantId,
    pub name: String,
    /// How the create that planted it departed from the document.
    pub probe: Probe,
    /// Whether that create was accepted: otherwise it may still arrive.
    pub accepted: bool,
    /// The operation that it is unknown by.
    pub doubt: Option<OperationId>,
    /// Whether a run tried to delete it, and could not.
    pub in_vain: bool,
}

/// What a plant of the check looks like to a store, but for what is drawn for each: one that cannot
/// be deleted says the same of all that look like it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    id: IdShape,
    /// Without a body of its own, and with one whose names and numbers are alike.
    probe: Probe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdShape {
    Ordinary,
    Negative,
    Large,
    Fixed(PlantId),
}

impl Shape {
    pub(super) fn of(id: PlantId, probe: &Probe) -> Self {
        let shape = if FIXED_IDS.contains(&id) {
            IdShape::Fixed(id)
        } else if id.0 < 0 {
            IdShape::Negative
        } else if Draw::may_draw(id) {
            IdShape::Ordinary
        } else {
            IdShape::Large
        };
        Self { id: shape, probe: Probe { body: probe.body.as_deref().map(pattern), ..probe.clone() } }
    }

    fn is_ordinary(&self) -> bool {
        self.id == IdShape::Ordinary && self.probe == Probe::default()
    }
}

/// A body without what is drawn at random.
fn pattern(body: &str) -> String {
    let mut pieces = body.split(NAME);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text.push_str(NAME);
        text.push_str(piece.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == ' '));
    }
    text.retain(|c| !c.is_ascii_digit());
    text
}

/// What may stand in the path of a delete that removes such a plant and can hit no other, the
/// likeliest first: what a run sends, and what a report may announce.
pub(super) fn safe_paths(id: PlantId, probe: &Probe, accepted: bool) -> VecDeque<String> {
    let plain = id.to_string();
    let mut paths: VecDeque<_> = match probe.body.as_deref().filter(|_| probe.leaves_id_open) {
        None => [plain].into(),
        Some(body) => {
            let Some((_, from)) = body.split_once(r#""id":"#) else { return VecDeque::new() };
            let spelled = from.split([',', '}']).next().unwrap_or_default().trim_matches('"').to_owned();
            let more = (spelled != plain && spelled.starts_with(&plain)).then_some(plain);
            std::iter::once(spelled).chain(more).collect()
        }
    };
    paths.retain(|path| accepted || is_nobody_elses(path));
    paths
}

/// A plant to be taken off the list, and the operation that it is unknown by there.
pub type Gone = (PlantId, Option<OperationId>);

impl EarlierLeftover {
    pub(super) fn shape(&self) -> Shape {
        Shape::of(self.id, &self.probe)
    }

    /// Whether it is a plant as any other, created and deleted as the document has it.
    pub(super) fn is_ordinary(&self) -> bool {
        self.shape().is_ordinary()
    }

    /// Whether no delete of the check will remove it, as far as is known, so that another one like
    /// it would stay as well.
    pub(super) fn stays(&self) -> bool {
        !self.is_ordinary() && (self.in_vain || safe_paths(self.id, &self.probe, self.accepted).is_empty())
    }
}

/// Whether a delete of this can hit no plant but ours, however a store reads it. Where it is not
/// known whether a plant of the check is there, nothing else is deleted.
pub(super) fn is_nobody_elses(spelling: &str) -> bool {
    let whole = spelling.split('.').next().unwrap_or_default();
    whole.parse().is_ok_and(|whole| Draw::may_draw(PlantId(whole)))
}

/// A plant of the check that may still be at the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    pub id: PlantId,
    pub name: String,
    /// Why it may be there, in a line that is harmless to show.
    pub why: String,
    pub clean_up: CleanUp,
}

/// What becomes of a leftover. The next check does just that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CleanUp {
    /// Its delete was not sent yet: the next check does.
    Pending,
    /// Its delete was sent and not accepted: the next check begins with another one.
    Failed,
    /// No check deletes it: its create is unknown, and under its id there may be somebody else's plant.
    Unsafe,
    /// Its delete was accepted, and it is still there.
    Ineffective,
}

impl CleanUp {
    pub const ALL: [Self; 4] = [Self::Pending, Self::Failed, Self::Unsafe, Self::Ineffective];
}

impl fmt::Display for CleanUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "the next check deletes it",
            Self::Failed => "not deleted; the next check tries again",
            Self::Unsafe => "no check deletes it, for that could hit somebody else's plant: resolve it by hand",
            Self::Ineffective => "its delete was accepted, and it is still there: no check can delete it",
        })
    }
}

impl Leftover {
    /// The plant as sentences name it.
    pub fn called(&self) -> String {
        called(self.id, Some(&self.name))
    }
}
