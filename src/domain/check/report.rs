//! What a run of the check came to: a verdict on each clause, what the store does where the
//! document is silent, and what could not be cleaned up.

use serde::{Deserialize, Serialize};

use super::clauses::Clause;
use super::silent::{Silent, UNSEEN};
use crate::domain::sentence::called;
use crate::domain::{OperationId, PlantId, Timestamp};

/// What the exchanges say of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The store did as the document says.
    Kept,
    /// It did otherwise.
    Broken,
    /// Nothing came back that shows either.
    CouldNotTell,
}

impl Verdict {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Kept, Self::Broken, Self::CouldNotTell];

    /// The words for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::CouldNotTell => "could not tell",
        }
    }
}

/// Why a clause could not be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Untold {
    /// Nothing of it reached the store.
    NotSent,
    /// Nothing came back that settles it, or a no that is not about it.
    NotAnswered,
    /// All was answered; what this store does just does not show it.
    NotVisible,
}

/// A clause of the document, judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The clause's stable name.
    pub name: String,
    /// What the exchanges say of it.
    pub verdict: Verdict,
    /// Why it could not be judged, if it could not.
    pub untold: Option<Untold>,
    /// What was seen, or the reason, in a line that is harmless to show.
    pub evidence: String,
    /// The exchanges that it rests on.
    pub exchanges: Vec<OperationId>,
}

impl Judged {
    /// Where it stands in `interface.md`; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Clause::called(&self.name).map(|clause| clause.section)
    }

    /// What the store is to do; the name alone, where it is of another release.
    pub fn statement(&self) -> &str {
        Clause::called(&self.name).map_or(&self.name, |clause| clause.statement)
    }
}

/// What the store does where the document says "not shown".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// The stable name of the silent part.
    pub name: String,
    /// What this store does, in a line that is harmless to show.
    pub value: String,
    /// What was seen, likewise.
    pub evidence: String,
    /// The exchanges that it rests on.
    pub exchanges: Vec<OperationId>,
}

impl Observed {
    /// Where `interface.md` leaves it open; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Silent::called(&self.name).map(|silent| silent.section)
    }

    /// What was looked at; the name alone, where it is of another release.
    pub fn subject(&self) -> &str {
        Silent::called(&self.name).map_or(&self.name, |silent| silent.subject)
    }

    /// Whether anything was seen of it.
    pub fn is_seen(&self) -> bool {
        !UNSEEN.iter().any(|words| self.value.starts_with(words))
    }
}

/// A plant of the check that may still be at the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftBehind {
    /// Its id in the view.
    pub id: PlantId,
    /// What it was called.
    pub name: String,
    /// Why it may be there, in a line that is harmless to show.
    pub why: String,
}

impl LeftBehind {
    /// The plant as sentences name it.
    pub fn called(&self) -> String {
        called(self.id, Some(&self.name))
    }
}

/// What was to be looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// The clauses alone, not the silent parts.
    pub gentle: bool,
    /// These rows alone, by name; all of them if it names none.
    pub only: Vec<String>,
}

impl Wanted {
    /// Whether a row of this name is among those that are named, or none is.
    pub(super) fn names(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    /// The words for people: `all clauses and silent parts`, `the clauses alone`.
    pub fn told(&self) -> String {
        match (self.only.is_empty(), self.gentle) {
            (true, false) => "all clauses and silent parts".to_owned(),
            (true, true) => "the clauses alone".to_owned(),
            (false, _) => format!("{} alone", self.only.join(", ")),
        }
    }
}

/// What a run of the check came to. Rows come in the order of the tables; while the run goes on,
/// those that are not decided yet are missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The base URL.
    pub store: String,
    /// When the run began.
    pub started: Timestamp,
    /// What was looked at.
    pub wanted: Wanted,
    /// How many requests were sent, or at least recorded to be.
    pub requests: usize,
    /// Why the run ended before its end, if it did.
    pub cut_short: Option<String>,
    /// The clauses.
    pub clauses: Vec<Judged>,
    /// The silent parts.
    pub observed: Vec<Observed>,
    /// What could not be cleaned up.
    pub left_behind: Vec<LeftBehind>,
    /// Whether anything reached the store.
    pub reached: bool,
    /// Whether a delete of what is not there, or not any more, was accepted as well: then nobody can
    /// see what is left.
    #[serde(default)]
    pub says_yes_to_every_delete: bool,
}

/// What a whole report comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// Every clause that this store lets be seen is kept.
    Kept,
    /// At least one is broken.
    Broken,
    /// Nothing reached the store.
    NotSent,
    /// No answer settles at least one.
    Untold,
}

impl Report {
    /// How many clauses have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.clauses.iter().filter(|clause| clause.verdict == verdict).count()
    }

    /// The clause of this name, if it was judged.
    pub fn clause(&self, name: &str) -> Option<&Judged> {
        self.clauses.iter().find(|clause| clause.name == name)
    }

    /// The silent part of this name, if it was looked at.
    pub fn observed(&self, name: &str) -> Option<&Observed> {
        self.observed.iter().find(|observed| observed.name == name)
    }

    /// What it comes to.
    pub fn sum(&self) -> Sum {
        let untold = |why| self.clauses.iter().any(|clause| clause.untold == Some(why));
        if self.count(Verdict::Broken) > 0 {
            Sum::Broken
        } else if !self.reached {
            Sum::NotSent
        } else if self.cut_short.is_some() || untold(Untold::NotSent) || untold(Untold::NotAnswered) {
            Sum::Untold
        } else {
            Sum::Kept
        }
    }

    /// How many requests it took: `57 requests`.
    pub fn took(&self) -> String {
        if self.requests == 1 { "1 request".to_owned() } else { format!("{} requests", self.requests) }
    }

    /// What is left behind, in a sentence for people.
    pub fn left_told(&self) -> String {
        match self.left_behind.len() {
            0 if self.says_yes_to_every_delete => {
                "Deletes of what should not be there are accepted as well, so that nobody can see what is left behind."
                    .to_owned()
            }
            0 => "Nothing is left behind.".to_owned(),
            1 => "One plant may be left behind; the next check tries to delete it.".to_owned(),
            count => format!("{count} plants may be left behind; the next check tries to delete them."),
        }
    }

    /// What it comes to, in sentences for people: `All 14 clauses are kept. Nothing is left behind.`;
    /// and that it ended early, if it did.
    pub fn told(&self) -> String {
        let [kept, broken, untold] = Verdict::ALL.map(|verdict| self.count(verdict));
        let sum = match (kept, broken, untold) {
            (0, 0, 0) => "No clause was judged.".to_owned(),
            (1, 0, 0) => "The one clause is kept.".to_owned(),
            (kept, 0, 0) => format!("All {kept} clauses are kept."),
            (kept, broken, 0) => format!("{kept} kept, {broken} broken."),
            (kept, 0, untold) => format!("{kept} kept, {untold} could not be told."),
            (kept, broken, untold) => format!("{kept} kept, {broken} broken, {untold} could not be told."),
        };
        let left = self.left_told();
        match &self.cut_short {
            Some(why) => format!("{sum} It ended early: {why}. {left}"),
            None => format!("{sum} {left}"),
        }
    }
}
