//! What a run comes to in one line: derived from its evidence, and what every output and the exit
//! code go by.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::evidence::{Evidence, ProbeResult, status};
use super::rules::create::{canned_body, redirects_elsewhere, wrong_base_url};
use super::rules::{Reason, RuleResult, Verdict};
use super::steps::Step;
use crate::domain::sentence::{failed_because, span};
use crate::domain::text::clean_fit;
use crate::domain::{Ending, Exchange, Failure, FailureKind, Outcome, Response};

/// Columns of a URL or of foreign words in a diagnosis.
const QUOTED: usize = 120;
/// Responses that must be alike before they speak for all.
const ALIKE: usize = 3;
/// Timeouts in a row after which a store counts as hanging.
pub(super) const TIMEOUTS: usize = 2;

/// What a run of the check comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Diagnosis {
    /// Nothing reached the store, for this reason.
    NothingListens(String),
    /// The first create was rejected with 401 or 403.
    TokenRejected(String),
    /// There is no `/plants` under the base URL: how the first create was rejected.
    WrongBaseUrl(String),
    /// Every response is this, and no plant.
    NotAPlantStore(String, Counts),
    /// Every response is this, a failure.
    AlwaysFails(String, Counts),
    /// Two requests in a row got no response within this time.
    Hangs(String, Counts),
    /// Plants of an earlier check can still not be deleted, so that no more were added.
    CannotCleanUp(String),
    /// The run ended early, for this reason.
    EndedEarly(String, Counts),
    /// Creates have one response, whatever is sent.
    Canned(Counts),
    /// At least one rule fails.
    Fails(Counts),
    /// Every rule passes that this store lets be observed.
    Passes(Counts),
    /// No rule fails, and at least one is inconclusive for want of a response.
    Inconclusive(Counts),
    /// No rule was to be checked.
    NoRules,
}

/// The verdicts of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    pub failed: Vec<String>,
    pub passed: usize,
    pub inconclusive: usize,
}

/// What a diagnosis means for a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// Every rule with a verdict passes.
    Pass,
    Fail,
    NotSent,
    /// There is no verdict on the store.
    None,
}

impl Diagnosis {
    pub fn conclusion(&self) -> Conclusion {
        match self {
            _ if !self.failed().is_empty() => Conclusion::Fail,
            Self::NothingListens(_) => Conclusion::NotSent,
            Self::Passes(_) | Self::NoRules => Conclusion::Pass,
            Self::TokenRejected(_)
            | Self::WrongBaseUrl(_)
            | Self::NotAPlantStore(..)
            | Self::AlwaysFails(..)
            | Self::Hangs(..)
            | Self::CannotCleanUp(_)
            | Self::EndedEarly(..)
            | Self::Canned(_)
            | Self::Fails(_)
            | Self::Inconclusive(_) => Conclusion::None,
        }
    }

    /// Whether a report of it needs no rows: there is nothing more to be said of the store.
    pub fn says_all(&self) -> bool {
        match self {
            Self::NothingListens(_)
            | Self::TokenRejected(_)
            | Self::WrongBaseUrl(_)
            | Self::NotAPlantStore(..)
            | Self::AlwaysFails(..)
            | Self::CannotCleanUp(_) => true,
            Self::Hangs(_, counts) => counts.passed == 0,
            Self::EndedEarly(..)
            | Self::Canned(_)
            | Self::Fails(_)
            | Self::Passes(_)
            | Self::Inconclusive(_)
            | Self::NoRules => false,
        }
    }

    /// What to do about it, where that is not in the rows.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Self::NothingListens(_) => Some("Start the store or correct the base URL, then check again."),
            Self::TokenRejected(_) => Some("Check again with another token."),
            Self::WrongBaseUrl(_) | Self::NotAPlantStore(..) => Some("Correct the base URL, then check again."),
            Self::AlwaysFails(..) => Some("Look into the store's log, then check again."),
            Self::Hangs(..) => Some("Check again when the store responds, or with a longer --timeout."),
            Self::CannotCleanUp(_) => Some("Delete them there, forget them here (plants resolve), then check again."),
            Self::EndedEarly(..)
            | Self::Canned(_)
            | Self::Fails(_)
            | Self::Passes(_)
            | Self::Inconclusive(_)
            | Self::NoRules => None,
        }
    }

    pub fn failed(&self) -> &[String] {
        self.counts().map_or(&[], |counts| &counts.failed)
    }

    fn counts(&self) -> Option<&Counts> {
        match self {
            Self::NotAPlantStore(_, counts)
            | Self::AlwaysFails(_, counts)
            | Self::Hangs(_, counts)
            | Self::EndedEarly(_, counts)
            | Self::Canned(counts)
            | Self::Fails(counts)
            | Self::Passes(counts)
            | Self::Inconclusive(counts) => Some(counts),
            Self::NothingListens(_)
            | Self::TokenRejected(_)
            | Self::WrongBaseUrl(_)
            | Self::CannotCleanUp(_)
            | Self::NoRules => None,
        }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingListens(why) => write!(f, "{why}."),
            Self::TokenRejected(status) => write!(f, "The token was rejected ({status})."),
            Self::WrongBaseUrl(how) => write!(f, "The base URL is wrong: {how}."),
            Self::NotAPlantStore(what, _) => write!(f, "Every response is {what}: this is not a Plant Store."),
            Self::AlwaysFails(what, _) => write!(f, "Every response is {what}: the store fails at every request."),
            Self::Hangs(time, _) => {
                write!(f, "The store hangs: {TIMEOUTS} requests in a row had no response within {time}.")
            }
            Self::CannotCleanUp(how) => {
                write!(f, "Plants of an earlier check cannot be deleted, so none were added ({how}).")
            }
            Self::EndedEarly(why, counts) => write!(f, "No diagnosis, the check ended early ({why}): {counts}."),
            Self::Canned(counts) => write!(f, "Canned responses, the same whatever is sent: {counts}."),
            Self::Fails(counts) => write!(f, "Departs from the document: {counts}."),
            Self::Passes(counts) => write!(f, "A Plant Store: {counts}."),
            Self::Inconclusive(counts) => write!(f, "No diagnosis, for responses are missing: {counts}."),
            Self::NoRules => f.write_str("No rule was checked."),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { failed, passed, inconclusive } = self;
        let all = failed.len() + passed + inconclusive;
        let inconclusive = match inconclusive {
            0 => String::new(),
            count => format!(", {count} inconclusive"),
        };
        match failed.len() {
            0 if (*passed, all) == (1, 1) => f.write_str("the one rule passes"),
            0 if *passed == all => write!(f, "all {all} rules pass"),
            0 => write!(f, "{passed} of {all} rules pass{inconclusive}"),
            1 => write!(f, "1 of {all} rules fails{inconclusive}"),
            count => write!(f, "{count} of {all} rules fail{inconclusive}"),
        }
    }
}

/// The diagnosis of a run. `ended_early` says why it ended before its end.
pub(super) fn diagnose(evidence: &Evidence, rules: &[RuleResult], ended_early: Option<&str>) -> Diagnosis {
    let count = |verdict| rules.iter().filter(|rule| rule.verdict == verdict).count();
    let failed = rules.iter().filter(|rule| rule.verdict == Verdict::Fail).map(|rule| rule.name.clone()).collect();
    let counts = Counts { failed, passed: count(Verdict::Pass), inconclusive: count(Verdict::Inconclusive) };
    if let Some(obstacle) = obstacle(evidence, &counts) {
        return obstacle;
    }
    match (ended_early, canned_body(evidence)) {
        (Some(why), _) => Diagnosis::EndedEarly(clean_fit(why, QUOTED), counts),
        (None, Some(_)) if !counts.failed.is_empty() => Diagnosis::Canned(counts),
        (None, _) if rules.is_empty() => Diagnosis::NoRules,
        (None, _) if !counts.failed.is_empty() => Diagnosis::Fails(counts),
        (None, _) if lacks_a_response(rules) || counts.passed == 0 => Diagnosis::Inconclusive(counts),
        (None, _) => Diagnosis::Passes(counts),
    }
}

/// Whether a rule is inconclusive that a response would have decided.
fn lacks_a_response(rules: &[RuleResult]) -> bool {
    rules.iter().any(|rule| matches!(rule.reason, Some(Reason::NotSent | Reason::NoResponse)))
}

/// What makes all further requests pointless, if the evidence shows it.
pub(super) fn obstacle(evidence: &Evidence, counts: &Counts) -> Option<Diagnosis> {
    if let Some(exchange) = &evidence.undeletable {
        return Some(Diagnosis::CannotCleanUp(in_short(exchange)));
    }
    if let Some(why) = nothing_sent(evidence) {
        return Some(Diagnosis::NothingListens(why));
    }
    if let ProbeResult::Rejected(create, response) = evidence.result(Step::Create) {
        if matches!(response.status, 401 | 403) {
            return Some(Diagnosis::TokenRejected(status(response)));
        }
        if wrong_base_url(create) {
            return Some(Diagnosis::WrongBaseUrl(how_rejected(create, response)));
        }
    }
    if let Some(time) = &evidence.hung {
        return Some(Diagnosis::Hangs(span(*time), counts.clone()));
    }
    every_response(evidence, counts)
}

/// Why no request reached the store, if none did.
fn nothing_sent(evidence: &Evidence) -> Option<String> {
    let first = evidence.all().next()?;
    if evidence.all().any(|exchange| exchange.outcome() != Outcome::NotSent) {
        return None;
    }
    let Ending::Failed(Failure { kind, detail }) = &first.ending else { return None };
    // A person ended it, which says nothing of the store.
    if *kind == FailureKind::CancelledBeforeSending {
        return None;
    }
    let base = first.request.as_ref().map_or("the base URL", |request| {
        let path = request.url.find("/plants").unwrap_or(request.url.len());
        request.url.get(..path).unwrap_or_default()
    });
    let (base, detail) = (clean_fit(base, QUOTED), clean_fit(detail, QUOTED));
    Some(match kind {
        FailureKind::NotConnected if detail.to_lowercase().contains("refused") => format!("Nothing listens at {base}"),
        FailureKind::NotConnected => format!("No connection to {base}: {detail}"),
        FailureKind::NotConnectedInTime => {
            format!("Nothing listens at {base}: no connection within {}", span(first.elapsed))
        }
        FailureKind::NotRecorded
        | FailureKind::NotBuilt
        | FailureKind::CancelledBeforeSending
        | FailureKind::TimedOut
        | FailureKind::NoResponse
        | FailureKind::CancelledInFlight
        | FailureKind::Interrupted
        | FailureKind::TaskDied => format!("Nothing was sent: {}", failed_because(*kind, first.elapsed)),
    })
}

/// `DELETE /plants/7: 404 Not Found`.
fn in_short(exchange: &Exchange) -> String {
    let request = exchange.request.as_ref();
    let request = request.map_or_else(
        || exchange.operation.kind.word().to_owned(),
        |request| format!("{} {}", request.method.word(), clean_fit(&request.target, QUOTED)),
    );
    match &exchange.ending {
        Ending::Responded(response) => format!("{request}: {}", status(response)),
        Ending::Failed(failure) => format!("{request}: {}", failed_because(failure.kind, exchange.elapsed)),
    }
}

fn how_rejected(create: &Exchange, response: &Response) -> String {
    let url = create.request.as_ref().map_or("/plants", |request| request.url.as_str());
    match redirects_elsewhere(create) {
        Some(place) => format!("POST {} is redirected to {place} ({})", clean_fit(url, QUOTED), status(response)),
        None => format!("POST {} is {}", clean_fit(url, QUOTED), status(response)),
    }
}

/// What all responses say, where they are alike and no Plant Store at work gives them: a page, or a failure.
fn every_response(evidence: &Evidence, counts: &Counts) -> Option<Diagnosis> {
    let responses: Vec<_> = evidence.all().map(Exchange::response).collect::<Option<_>>()?;
    let kind = |response: &Response| {
        let media_type =
            response.header("content-type").map(|value| value.split(';').next().unwrap_or_default().trim());
        (response.status, media_type.unwrap_or_default().to_ascii_lowercase())
    };
    let (status, media_type) = kind(responses.first()?);
    let are_alike =
        responses.len() >= ALIKE && responses.iter().all(|response| kind(response) == (status, media_type.clone()));
    let is_json = |response: &&Response| serde_json::from_slice::<serde_json::Value>(&response.body).is_ok();
    let is_a_page = media_type == "text/html" && !responses.iter().any(is_json);
    let what = clean_fit(format!("{status} {media_type}").trim(), QUOTED);
    if !are_alike {
        None
    } else if is_a_page {
        Some(Diagnosis::NotAPlantStore(what, counts.clone()))
    } else {
        (status >= 500).then(|| Diagnosis::AlwaysFails(what, counts.clone()))
    }
}
