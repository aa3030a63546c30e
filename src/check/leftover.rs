//! Leftovers: plants of the check that are, or may be, at the store after a run, how the next run may delete them, and
//! how a report lists them. No delete may hit a plant that is not the check's.

use std::collections::VecDeque;
use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumProperty, IntoStaticStr};

use super::probe_requests::{is_large, is_ordinary};
use crate::domain::sentence::called;
use crate::domain::{PlantId, Probe};
use crate::text::clean_fit;

/// Maximum columns of an id in a sentence.
const ID_COLUMNS: usize = 40;

/// Ids that probes send as they are, although another person's plant may have them.
pub const FIXED_IDS: [PlantId; 3] = [PlantId(0), PlantId(i64::MAX), PlantId(i64::MIN)];

/// A plant that an earlier run left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierLeftover {
    pub id: PlantId,
    pub name: String,
    /// How its create differed from the document.
    pub probe: Probe,
    /// Whether its create was accepted, and not with a page; otherwise the create is unknown and may still arrive.
    pub accepted: bool,
    pub last_delete: LastDelete,
    /// Whether the store failed at the create (500 or 501), perhaps for the length of the id: it took none of that length
    /// in the same run.
    pub create_failed: bool,
}

/// How the deletes of a leftover ended, with the token, since its create.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LastDelete {
    /// The last was accepted, or none was sent.
    #[default]
    None,
    /// The last was accepted, and the check that sent it has shown that the plant is still there.
    WithoutEffect,
    /// The program ended before the last one did.
    Interrupted,
    /// At least one is unknown, and none was accepted.
    Unknown,
    /// Each was rejected, or not sent.
    Failed,
    /// The last was not accepted, and one before it was.
    AfterAccepted,
}

impl LastDelete {
    /// Whether one of the deletes may have removed the plant.
    pub(super) fn may_have_worked(self) -> bool {
        matches!(self, Self::Interrupted | Self::Unknown | Self::AfterAccepted)
    }
}

/// Returns the kind of a plant: its id and its probe without the random parts. If one plant of a shape cannot be deleted,
/// none of that shape can.
pub(super) fn shape(id: PlantId, probe: &Probe) -> impl PartialEq + fmt::Debug + use<> {
    let (fixed, body) = (FIXED_IDS.contains(&id).then_some(id), probe.body.as_deref().map(pattern));
    (fixed, id.0 < 0, is_ordinary(id), Probe { body, ..probe.deviations() })
}

/// Returns a body without its names and numbers, which are random: each probe with a body of its own has other
/// punctuation.
fn pattern(body: &str) -> String {
    body.chars().filter(char::is_ascii_punctuation).collect()
}

/// Returns the path segments of deletes by which a later run can remove such a plant and hit no other, the likeliest
/// first. A later run sends no others, and a report announces no others.
pub(super) fn safe_paths(id: PlantId, probe: &Probe, accepted: bool) -> VecDeque<String> {
    let mut paths = paths(id, probe);
    paths.retain(|path| is_safe(path) || (accepted && is_drawn(path)));
    paths
}

/// Returns the path segments of deletes that can remove such a plant, the likeliest first.
pub(super) fn paths(id: PlantId, probe: &Probe) -> VecDeque<String> {
    let plain = id.to_string();
    match probe.body.as_deref().filter(|_| probe.leaves_id_open) {
        None => [plain].into(),
        Some(body) => {
            let Some((_, from)) = body.split_once(r#""id":"#) else { return VecDeque::new() };
            let spelled = from.split([',', '}']).next().unwrap_or_default().trim_matches('"').to_owned();
            let more = (spelled != plain && spelled.starts_with(&plain)).then_some(plain);
            std::iter::once(spelled).chain(more).collect()
        }
    }
}

/// Whether a path segment is an integer that a run draws, and not one that anybody may have used since: one of the
/// [`FIXED_IDS`], or a longer one, which a store may cut off at a limit.
fn is_drawn(path: &str) -> bool {
    path.parse().map(PlantId).is_ok_and(|id| !FIXED_IDS.contains(&id))
}

/// Whether a delete of this path segment can hit no plant but the check's, however a store parses the segment.
pub(super) fn is_safe(path: &str) -> bool {
    let whole = path.split('.').next().unwrap_or_default();
    whole.parse().map(PlantId).is_ok_and(|whole| is_ordinary(whole) || is_large(whole))
}

impl EarlierLeftover {
    /// Whether the plant was created as the document has it, under an ordinary id.
    fn is_ordinary(&self) -> bool {
        is_ordinary(self.id) && self.probe.deviations() == Probe::default()
    }

    /// Whether the run begins with a delete of the plant.
    pub(super) fn is_retried_first(&self) -> bool {
        let is_accepted_again = matches!(self.last_delete, LastDelete::AfterAccepted | LastDelete::WithoutEffect);
        (self.delete_failed() || is_accepted_again) && self.is_ordinary()
    }

    /// Whether an earlier run failed to delete the plant.
    fn delete_failed(&self) -> bool {
        matches!(self.last_delete, LastDelete::Unknown | LastDelete::Failed)
    }

    /// Whether not even the run that creates such a plant can delete it, so that another one of its shape would stay as
    /// well.
    pub(super) fn stays(&self) -> bool {
        let is_open = !self.accepted && (is_large(self.id) || safe_paths(self.id, &self.probe, false).is_empty());
        let cannot_be_deleted = is_open || paths(self.id, &self.probe).is_empty();
        !self.is_ordinary() && (self.delete_failed() || cannot_be_deleted)
    }
}

/// A plant of the check that is, or may be, at the store after a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    pub id: PlantId,
    /// The id that its create sent, if that is not `id`; empty if the create sent none.
    #[serde(default)]
    pub sent_id: Option<String>,
    pub name: String,
    /// Why the plant may be there, in one line that is safe to show.
    pub why: String,
    pub clean_up: CleanUp,
}

/// What the next check does about a leftover.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Display, EnumIter, EnumProperty, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
pub enum CleanUp {
    /// This check did not send the delete: the next one does, if its create was accepted or ids are shown to be distinct.
    #[strum(to_string = "to be deleted by the next check that finds deletes at work")]
    Pending,
    /// The store did not accept the delete: the next check tries again.
    #[strum(to_string = "not deleted, the next check tries again")]
    Failed,
    /// A delete could hit another person's plant: anybody may use the id, or the store may take another id for it.
    #[strum(
        to_string = "not deleted, as its id may lead to another person's plant: delete it by hand if it is the check's",
        props(
            several = "not deleted, as their ids may lead to other people's plants: delete by hand those that are the \
                       check's"
        )
    )]
    Unsafe,
    /// The create sent no id that a delete could name, or in a form under which the store has the plant to itself.
    #[strum(
        to_string = "not deleted, as no request of the document deletes it: ask who runs the store to remove it by name",
        props(
            several = "not deleted, as no request of the document deletes them: ask who runs the store to remove them \
                       by name"
        )
    )]
    Unnumbered,
    /// The store accepted the delete, and no later request showed whether it worked.
    #[strum(
        to_string = "delete accepted, but nothing shows that it worked: look at the store",
        props(several = "deletes accepted, but nothing shows that they worked: look at the store")
    )]
    Unproven,
    /// The store accepted the delete, and the plant is still there.
    #[strum(to_string = "still there after an accepted delete: the next check tries again")]
    Ineffective,
    /// Every create was accepted with a page, which shows no plant.
    #[strum(
        to_string = "there only if a Plant Store is behind the page; no check deletes it",
        props(several = "there only if a Plant Store is behind the page; no check deletes them")
    )]
    Doubtful,
}

impl CleanUp {
    /// Says whether the run has shown that the plant is at the store.
    pub fn presence(self) -> &'static str {
        if self == Self::Ineffective { "is there" } else { "may be there" }
    }

    /// Says what becomes of this many leftovers.
    pub(super) fn of(self, count: usize) -> &'static str {
        self.get_str("several").filter(|_| count > 1).unwrap_or(self.into())
    }
}

impl Leftover {
    /// Returns the name and the id that its create sent, as sentences have them.
    pub fn called(&self) -> String {
        match self.sent_id.as_deref() {
            None => called(self.id, Some(&self.name)),
            Some("") => called("no id", Some(&self.name)),
            Some(sent) => called(clean_fit(sent, ID_COLUMNS), Some(&self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::probe_requests::ProbeRequests;
    use super::super::steps::Step;
    use super::super::wanted::Wanted;
    use super::*;
    use crate::domain::Timestamp;

    const ORDINARY: PlantId = PlantId(1_500_000_000);

    fn open(body: &str) -> Probe {
        Probe { body: Some(body.to_owned()), leaves_id_open: true, ..Probe::default() }
    }

    #[test]
    fn plants_of_the_same_probe_have_one_shape_in_every_run() {
        let shape = |seed: u64, step| {
            let (kind, probe) = ProbeRequests::with_seed(seed).request(step);
            super::shape(kind.plant_id(), &Probe { run: Some(Timestamp(1)).filter(|_| seed > 1), ..probe })
        };
        for step in Wanted::default().steps().into_iter().filter(|step| !step.is_delete()) {
            assert_eq!(shape(1, step), shape(2, step), "{step:?}");
        }
        let different = [
            Step::Create,
            Step::CreateBig,
            Step::IdNegative,
            Step::IdZero,
            Step::IdLargest,
            Step::NameMissing,
            Step::TagMissing,
            Step::ExtraField,
            Step::IdAsString,
            Step::IdAsFloat,
            Step::MediaTypeMissing,
        ];
        for (at, one) in different.into_iter().enumerate() {
            assert!(different[..at].iter().all(|other| shape(1, *other) != shape(1, one)), "{one:?}");
        }
    }

    #[test]
    fn a_plant_can_be_deleted_by_its_id_as_it_was_sent() {
        let requests = ProbeRequests::with_seed(7);
        for step in Wanted::default().steps().into_iter().filter(|step| !step.is_delete()) {
            let (id, probe) = (requests.id(step), requests.request(step).1);
            let special = [
                (Step::IdMissing, vec![]),
                (Step::IdBeyond, vec![format!("2{:019}", id.0)]),
                (Step::IdAsFloat, vec![format!("{id}.5"), id.to_string()]),
            ];
            let special = special.into_iter().find(|(other, _)| *other == step);
            assert_eq!(paths(id, &probe), special.map_or(vec![id.to_string()], |(_, paths)| paths), "{step:?}");
        }
    }

    #[test]
    fn no_path_can_delete_a_plant_of_another_person() {
        let as_sent = Probe::default();
        let (float, text) = (open(r#"{"name":"n","id":1500000000.5}"#), open(r#"{"id":"1500000000","name":"n"}"#));
        let (beyond, none) = (open(r#"{"id":21500000000000000000}"#), open(r#"{"name":"n"}"#));
        for (id, probe, if_accepted, if_unknown) in [
            (ORDINARY, &as_sent, &["1500000000"][..], &["1500000000"][..]),
            // Between the runs anybody may have used these.
            (PlantId(0), &as_sent, &[], &[]),
            (PlantId(i64::MAX), &as_sent, &[], &[]),
            (PlantId(i64::MIN), &as_sent, &[], &[]),
            (PlantId(-1_500_000_000), &as_sent, &["-1500000000"], &[]),
            (ORDINARY, &float, &["1500000000.5", "1500000000"], &["1500000000.5", "1500000000"]),
            (ORDINARY, &text, &["1500000000"], &["1500000000"]),
            // A store that cuts ids off has it under the largest.
            (ORDINARY, &beyond, &[], &[]),
            (ORDINARY, &none, &[], &[]),
        ] {
            assert_eq!(safe_paths(id, probe, true), if_accepted, "{id} {probe:?}");
            assert_eq!(safe_paths(id, probe, false), if_unknown, "{id} {probe:?}");
        }
    }

    #[test]
    fn a_plant_that_no_check_can_delete_stays() {
        let leftover = |id, probe, accepted, delete_failed: bool| {
            let last_delete = if delete_failed { LastDelete::Failed } else { LastDelete::None };
            EarlierLeftover { id, name: "n".to_owned(), probe, accepted, last_delete, create_failed: false }
        };
        assert!(!leftover(ORDINARY, Probe::default(), true, true).stays(), "the next check tries again");
        assert!(!leftover(PlantId(0), Probe::default(), true, false).stays());
        assert!(leftover(PlantId(0), Probe::default(), true, true).stays(), "its own run could not delete it");
        assert!(leftover(PlantId(0), Probe::default(), false, false).stays(), "no delete is safe");
        assert!(!leftover(ORDINARY, open(r#"{"id":1500000000.5}"#), false, false).stays());
        assert!(leftover(ORDINARY, open("{}"), true, false).stays(), "no path is known");
    }
}
