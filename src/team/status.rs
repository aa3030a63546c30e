//! What a link reports about the team. Must not know how messages travel.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::domain::{Author, PlantId};
use crate::text::clean_fit;
use crate::text::number_format::{counted, grouped};

/// The number of authors whose skipped messages are named.
const NAMED: usize = 16;

/// Columns shown of an author.
const SHOWN: usize = 60;

/// What keeps a link from its team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cause {
    /// No server can be reached.
    #[default]
    NotReached,
    /// The journal has not joined the stream that is there.
    NotJoined,
    /// The server or the journal does not allow it.
    NotAllowed,
}

/// What a person sees of the team.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// Whether a server is connected that has the stream of the team.
    pub online: bool,
    /// Why it is not, and what to do.
    pub problem: Option<String>,
    pub cause: Cause,
    /// The number of the last message that was read.
    pub read: u64,
    /// The number of the last message that the stream is known to have; 0 before the first connection.
    pub last: u64,
    /// Whether this connection has read all that the stream had when it began.
    pub is_in_sync: bool,
    /// The number of people with entries.
    pub people: usize,
    /// The number of entries that the server has not acknowledged.
    pub to_publish: usize,
    /// The number of messages that the link has received.
    pub received: u64,
    /// The number of entries that the server has acknowledged to the link.
    pub published: usize,
    /// Why the server takes no entries.
    pub refusal: Option<String>,
    pub notices: Notices,
}

impl Status {
    /// Returns the number of messages that are not read yet.
    pub fn to_read(&self) -> u64 {
        self.last.saturating_sub(self.read)
    }

    /// Returns what is missing, if that has taken too long.
    pub fn late(&self) -> NotInSync {
        match self.to_read() {
            0 => NotInSync::Silent,
            messages => NotInSync::Unread(messages),
        }
    }

    /// Returns why nothing is read or published, and what to do.
    pub fn fault(&self) -> Option<&String> {
        self.problem.as_ref().or(self.refusal.as_ref())
    }
}

/// What other members published that is not here for good. Grows with the number of authors only, up to a limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Notices {
    /// Sentences about the whole stream.
    #[serde(skip)]
    about_all: Vec<String>,
    /// The authors of later entries, with the number of entries that are missing before these.
    before_later: Vec<(String, u64)>,
    /// The first and the last number of messages that were removed from the stream before they were read.
    #[serde(default)]
    pub(super) removed: Option<(u64, u64)>,
    /// Whether the snapshot that stands for them cannot be read.
    #[serde(default)]
    unreadable: bool,
    /// The number of a message: what was removed up to it had been read when the journal joined once more, or was noted
    /// then.
    #[serde(default)]
    pub(super) passed: u64,
    skipped: Vec<Skipped>,
    /// Counts the messages of authors who are not named.
    others: u64,
}

/// The skipped messages of an author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Skipped {
    author: String,
    count: u64,
    /// The number of the last one in the stream.
    sequence: u64,
    /// What is wrong with the last one.
    why: String,
    /// Whether all count but for some of their entries.
    in_part: bool,
}

impl Notices {
    /// Notes which messages were removed from the stream before they were read, and whether there is a snapshot that stands
    /// for them and cannot be read.
    pub(super) fn note_removed(&mut self, (first, last): (u64, u64), has_snapshot: bool) {
        let first = self.removed.map_or(first, |(earlier, _)| earlier);
        (self.removed, self.unreadable) = (Some((first, last)), has_snapshot);
    }

    /// Notes that nothing is missing of what was removed.
    pub(super) fn note_shared_again(&mut self) {
        (self.removed, self.unreadable) = (None, false);
    }

    /// Returns what the journal has kept.
    pub(super) fn kept(noted: Option<String>) -> Self {
        noted.and_then(|noted| serde_json::from_str(&noted).ok()).unwrap_or_default()
    }

    /// Begins with what the journal has kept.
    pub(super) fn begin(&mut self, noted: Option<String>) {
        *self = Self { about_all: std::mem::take(&mut self.about_all), ..Self::kept(noted) };
    }

    /// Returns the notices of a journal that reads the stream once more, after it had read on from its removed messages up to
    /// this one: its person says that their authors have shared them again. What else is missing is noted again.
    pub(super) fn again(&self, removed: u64) -> Self {
        // Who wrote what is in a snapshot may be gone.
        let removed = if self.unreadable { 0 } else { removed };
        Self { passed: self.passed.max(removed), ..Self::default() }
    }

    /// Whether entries of this author are missing before later ones.
    pub(super) fn lacks(&self, author: &Author) -> bool {
        !self.before_later.is_empty() && {
            let shown = clean_fit(author.name(), SHOWN);
            self.before_later.iter().any(|(name, _)| *name == shown)
        }
    }

    pub(super) fn note_before_later(&mut self, before_later: Vec<(Author, u64)>) {
        let shown = |(author, count): (Author, u64)| (clean_fit(author.name(), SHOWN), count);
        self.before_later = before_later.into_iter().map(shown).collect();
    }

    /// Returns what the journal is to keep: what was never read, and what is not missing; `None` if there is neither.
    pub(super) fn to_keep(&self) -> Option<String> {
        let mut kept = self.clone();
        kept.skipped.retain(|skipped| !skipped.in_part);
        (kept.passed > 0 || kept.is_incomplete()).then(|| serde_json::to_string(&kept).ok()).flatten()
    }

    /// Whether entries of others are known to be missing.
    pub fn is_incomplete(&self) -> bool {
        self.removed.is_some() || self.has_skipped() || !self.before_later.is_empty()
    }

    fn has_skipped(&self) -> bool {
        self.others > 0 || self.skipped.iter().any(|skipped| !skipped.in_part)
    }

    /// Notes who made the snapshot that was read instead of entries, and its first plant that differs from what was read
    /// before.
    pub(super) fn note_snapshot(&mut self, author: &str, different: Option<PlantId>) {
        self.note_shared_again();
        self.note(format!(
            "The list begins with a snapshot that {author} made of the team's stream; the history begins after it."
        ));
        if let Some(id) = different {
            self.note(format!(
                "Plant {id} is different in the snapshot than in the entries that were read here, which count."
            ));
        }
    }

    fn note(&mut self, sentence: String) {
        if !self.about_all.contains(&sentence) {
            self.about_all.push(sentence);
        }
    }

    pub(super) fn note_skipped(&mut self, author: String, sequence: u64, why: String, in_part: bool) {
        if let Some(known) = self.skipped.iter_mut().find(|skipped| skipped.author == author) {
            let count = known.count + u64::from(known.sequence != sequence);
            let in_part = in_part && known.in_part;
            *known = Skipped { author, count, sequence, why, in_part };
        } else if self.skipped.len() < NAMED {
            self.skipped.push(Skipped { author, count: 1, sequence, why, in_part });
        } else {
            self.others += 1;
        }
    }

    /// Counts the skipped messages.
    pub fn skipped(&self) -> u64 {
        self.skipped.iter().map(|skipped| skipped.count).sum::<u64>() + self.others
    }

    /// Renders each notice as a sentence.
    pub fn sentences(&self) -> Vec<String> {
        let skipped = self.skipped.iter().map(|Skipped { author, count, sequence, why, in_part }| match count {
            1 if *in_part => format!("Some entries of message {sequence} of {author} do not count: {why}."),
            1 => format!("Message {sequence} of {author} was skipped: {why}."),
            _ => format!("{} messages of {author} were skipped, the last one is {sequence}: {why}.", grouped(*count)),
        });
        let others = (self.others > 0)
            .then(|| format!("{} of other authors: skipped.", counted(self.others, "message", "messages")));
        let again = self.has_skipped().then(|| {
            "What was skipped is missing until plants team join reads the stream again: after an update of plants, or \
             once the keeper's plants team compact has removed the messages."
                .to_owned()
        });
        let remedy = if self.unreadable {
            "The snapshot that stands for it cannot be read: update plants, or let the keeper run plants team compact; \
             then plants team join brings it here."
        } else {
            "Once each of them has run plants team join, plants team join brings it here."
        };
        let removed = self.removed.map(|_| {
            format!(
                "Entries were removed from the team's stream before they were read here: what the others did then may \
                 be missing. {remedy}"
            )
        });
        let before_later = self.before_later.iter().map(|(author, count)| {
            let (entries, each) = (counted(*count, "entry", "entries"), if *count == 1 { "is" } else { "are" });
            format!("{entries} of {author} {each} missing in the team's stream, until {author} runs plants team join.")
        });
        removed
            .into_iter()
            .chain(self.about_all.iter().cloned())
            .chain(before_later)
            .chain(skipped)
            .chain(others)
            .chain(again)
            .collect()
    }
}

/// Why a link has not done what was waited for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotInSync {
    #[error("{0}")]
    Problem(String),
    #[error("{} not read yet", counted(*.0, "message is", "messages are"))]
    Unread(u64),
    #[error("the team's servers did not respond in time; try again later")]
    Silent,
    #[error("the link to the team has ended by an internal error: start plants again")]
    Ended,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_name_a_limited_number_of_authors() {
        let mut notices = Notices::default();
        assert_eq!((notices.sentences(), notices.skipped()), (Vec::new(), 0));
        for sequence in 0..1_000 {
            notices.note_skipped(format!("author {}", sequence % 20), sequence, "it is odd".to_owned(), false);
        }
        notices.note_removed((1, 2), false);
        let sentences = notices.sentences();
        assert_eq!((sentences.len(), notices.skipped()), (NAMED + 3, 1_000));
        assert_eq!(sentences[1], "50 messages of author 0 were skipped, the last one is 980: it is odd.");
        assert_eq!(sentences[NAMED + 1], "200 messages of other authors: skipped.");
        assert!(sentences[NAMED + 2].starts_with("What was skipped is missing until plants team join"));
    }
}
