//! What the exchanges of a run say of a rule: a verdict, and what it rests on.

use serde::{Deserialize, Serialize};

use crate::check::evidence::{ProbeResult, line};
use crate::domain::{Exchange, OperationId, Outcome};

/// Whether a store keeps to a rule of the document; inconclusive where no response shows either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail,
    Inconclusive,
}

impl Verdict {
    pub const ALL: [Self; 3] = [Self::Pass, Self::Fail, Self::Inconclusive];

    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// Why a rule is inconclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing of it reached the store.
    NotSent,
    /// No response decides it, or one that rejects for another reason.
    NoResponse,
    /// Every response came; what this store does just does not show it.
    NotVisible,
}

/// What the exchanges say, before it has a name.
pub(super) struct Assessment {
    pub(super) verdict: Verdict,
    pub(super) reason: Option<Reason>,
    pub(super) evidence: String,
    pub(super) exchanges: Vec<OperationId>,
}

impl Assessment {
    pub(super) fn new(verdict: Verdict, reason: Option<Reason>, evidence: String, on: &[&Exchange]) -> Self {
        Self { verdict, reason, evidence, exchanges: on.iter().map(|exchange| exchange.operation.id).collect() }
    }
}

pub(super) fn pass(on: &[&Exchange]) -> Assessment {
    let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
    Assessment::new(Verdict::Pass, None, lines.join("; "), on)
}

pub(super) fn fail(what: &str, on: &[&Exchange]) -> Assessment {
    Assessment::new(Verdict::Fail, None, with_lines(what, on), on)
}

fn with_lines(words: &str, on: &[&Exchange]) -> String {
    let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
    if lines.is_empty() { words.to_owned() } else { format!("{words}: {}", lines.join("; ")) }
}

pub(super) fn inconclusive(why: Reason, reason: &str, on: &[&Exchange]) -> Assessment {
    Assessment::new(Verdict::Inconclusive, Some(why), with_lines(reason, on), on)
}

/// Neither accepted, nor rejected for what was requested.
pub(super) fn open(result: ProbeResult<'_>) -> Assessment {
    match result {
        ProbeResult::Unknown(exchange) => {
            let (why, reason) = match exchange.outcome() {
                Outcome::NotSent => (Reason::NotSent, "nothing reached the store"),
                Outcome::Accepted | Outcome::Rejected | Outcome::Unknown => {
                    (Reason::NoResponse, "no response decides it")
                }
            };
            inconclusive(why, reason, &[exchange])
        }
        ProbeResult::Accepted(exchange, response) | ProbeResult::Rejected(exchange, response) => {
            let why =
                if response.status == 429 { "the store asks for fewer requests" } else { "the token was rejected" };
            inconclusive(Reason::NoResponse, why, &[exchange])
        }
        ProbeResult::Skipped(why) => inconclusive(Reason::NoResponse, why, &[]),
    }
}
