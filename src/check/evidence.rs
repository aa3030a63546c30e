//! The evidence of a run: every exchange so far, and the words for it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::steps::Step;
use crate::domain::sentence::{failed_because, status_line};
use crate::domain::text::{clean_bytes, clean_fit};
use crate::domain::{BodyEnd, Credentials, Ending, Exchange, MediaType, Outcome, PlantId, Probe, Response};

/// Columns of a request's body, and of a response's, in a piece of evidence.
const QUOTED: (usize, usize) = (100, 160);
/// Bytes of a response that are looked at for that.
const EXCERPT: usize = 1024;

/// What became of a probe.
#[derive(Debug, Clone)]
pub(super) enum ProbeEnd {
    /// It was sent, or at least recorded.
    Exchanged(Box<Exchange>),
    /// It was not tried, and why.
    Skipped(String),
}

/// Every exchange of a run, by what it was sent for.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    pub(super) probes: BTreeMap<Step, ProbeEnd>,
    /// Deletes that took a plant away, or tried to, by the create that had planted it.
    pub(super) cleaned: BTreeMap<Step, Vec<Exchange>>,
    /// Those that were asked to wait, and every other that is not of a probe.
    pub(super) others: Vec<Exchange>,
    /// The delete of a plant that earlier runs could not delete either, so that nothing was added.
    pub(super) undeletable: Option<Exchange>,
    /// How long the last of several timeouts in a row was, after which nothing more was tried.
    pub(super) hung: Option<Duration>,
}

/// What became of a probe, by its outcome.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProbeResult<'a> {
    /// Accepted by the store.
    Accepted(&'a Exchange, &'a Response),
    /// Rejected by the store.
    Rejected(&'a Exchange, &'a Response),
    /// Nothing that decides it.
    Unknown(&'a Exchange),
    /// It was not tried, and why.
    Skipped(&'a str),
}

impl<'a> ProbeResult<'a> {
    pub(super) fn of(exchange: &'a Exchange) -> Self {
        match (exchange.outcome(), exchange.response()) {
            (Outcome::Accepted, Some(response)) => Self::Accepted(exchange, response),
            (Outcome::Rejected, Some(response)) => Self::Rejected(exchange, response),
            (Outcome::Accepted | Outcome::Rejected | Outcome::Unknown | Outcome::NotSent, _) => Self::Unknown(exchange),
        }
    }

    pub(super) fn is_accepted(self) -> bool {
        matches!(self, Self::Accepted(..))
    }

    /// The exchange, if it was accepted.
    pub(super) fn accepted(self) -> Option<&'a Exchange> {
        match self {
            Self::Accepted(exchange, _) => Some(exchange),
            Self::Rejected(..) | Self::Unknown(_) | Self::Skipped(_) => None,
        }
    }
}

impl Evidence {
    /// What became of a probe, by its outcome.
    pub(super) fn result(&self, step: Step) -> ProbeResult<'_> {
        match self.probes.get(&step) {
            Some(ProbeEnd::Exchanged(exchange)) => ProbeResult::of(exchange),
            Some(ProbeEnd::Skipped(why)) => ProbeResult::Skipped(why),
            None => ProbeResult::Skipped("the run ended before it"),
        }
    }

    /// The deletes with the right token that took the plant of this create away, or tried to.
    pub(super) fn cleaned(&self, create: Step) -> &[Exchange] {
        self.cleaned.get(&create).map_or(&[], Vec::as_slice)
    }

    /// Whether a response says that what was requested is not there: in the usual words, or in those
    /// that this store has for an id that was never used.
    pub(super) fn says_absent(&self, response: &Response) -> bool {
        let of_this_store = match self.result(Step::DeleteAbsent) {
            ProbeResult::Rejected(_, absent) if !is_about_the_caller(absent.status) => absent.status == response.status,
            ProbeResult::Accepted(..)
            | ProbeResult::Rejected(..)
            | ProbeResult::Unknown(_)
            | ProbeResult::Skipped(_) => false,
        };
        says_absent(response) || of_this_store
    }

    /// How many responses came.
    pub(super) fn responses(&self) -> usize {
        self.all().filter(|exchange| exchange.response().is_some()).count()
    }

    /// Every exchange of the run.
    pub(super) fn all(&self) -> impl Iterator<Item = &Exchange> {
        let probes = self.probes.values().filter_map(|end| match end {
            ProbeEnd::Exchanged(exchange) => Some(exchange.as_ref()),
            ProbeEnd::Skipped(_) => None,
        });
        probes.chain(self.cleaned.values().flatten()).chain(&self.others)
    }
}

/// Whether a response says in the usual words that what was requested is not there.
pub(super) fn says_absent(response: &Response) -> bool {
    matches!(response.status, 404 | 410)
}

/// The name of the change that a text went through at a store, if it is a usual one.
pub(super) fn changed_how(sent: &str, came: &str) -> Option<&'static str> {
    if came == sent.trim() {
        Some("came back trimmed")
    } else if came == sent.to_lowercase() {
        Some("came back in lower case")
    } else if came == sent.to_uppercase() {
        Some("came back in upper case")
    } else if came.split_whitespace().eq(sent.split_whitespace()) {
        Some("came back with other white space")
    } else {
        None
    }
}

/// Whether a no is about who asks or how often, and not about what was asked.
pub(super) fn is_about_the_caller(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429)
}

/// `201 Created`.
pub(super) fn status(response: &Response) -> String {
    status_line(response.status, &response.reason)
}

/// The id in the response to a create, as the store wrote it; of a string its text.
pub(super) fn id_as_written(response: &Response) -> Option<String> {
    #[derive(Deserialize)]
    struct WithId<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
    }
    let written = serde_json::from_slice::<WithId<'_>>(&response.body).ok()?.id.get();
    Some(serde_json::from_str(written).unwrap_or_else(|_| written.to_owned()))
}

/// Whether an id as a store wrote it is this one, however it spells the number.
pub(super) fn has_spelled(written: &str, id: PlantId) -> bool {
    let whole = written
        .split_once('.')
        .map_or(written, |(whole, zeros)| if zeros.bytes().all(|byte| byte == b'0') { whole } else { written });
    if let Ok(value) = whole.parse::<i64>() {
        return value == id.0;
    }
    // Below 2^53 every integer is a double of its own.
    let is_exact = id.0.unsigned_abs() < 1 << 53;
    #[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "below 2^53 nothing is lost")]
    let same = written.parse::<f64>().is_ok_and(|value| value == id.0 as f64);
    is_exact && same
}

/// The same if it is a number, and another than was sent.
pub(super) fn other_number(exchange: &Exchange, response: &Response) -> Option<String> {
    let body: serde_json::Value = serde_json::from_slice(&response.body).ok()?;
    let id = body.get("id")?;
    let sent = exchange.operation.kind.plant_id();
    id_as_written(response)
        .filter(|written| id.is_number() && !has_spelled(written, sent))
        .map(|written| clean_fit(&written, 40))
}

/// What of a request's head is not as the document has it.
fn otherwise(probe: &Probe) -> String {
    let credentials = match probe.credentials {
        Credentials::Token => None,
        Credentials::None => Some(" without a token".to_owned()),
        Credentials::WrongToken => Some(" with a wrong token".to_owned()),
        Credentials::OtherScheme => Some(" with the token under Basic".to_owned()),
    };
    let media_type = match &probe.media_type {
        MediaType::Json => None,
        MediaType::None => Some(" without a media type".to_owned()),
        MediaType::Other(other) => Some(format!(" as {other}")),
    };
    credentials.into_iter().chain(media_type).collect()
}

/// An exchange in a line: what was sent, and what came of it.
pub(super) fn line(exchange: &Exchange) -> String {
    let (sent, came) = QUOTED;
    let request = exchange.request.as_ref().map_or_else(
        || exchange.operation.kind.word().to_owned(),
        |request| {
            let body = request.body.as_deref().map(|body| format!(" {}", clean_fit(body, sent))).unwrap_or_default();
            let otherwise = exchange.operation.probe.as_ref().map(otherwise).unwrap_or_default();
            format!("{} {}{body}{otherwise}", request.method.word(), clean_fit(&request.target, sent))
        },
    );
    let came = match &exchange.ending {
        Ending::Responded(response) if response.body.is_empty() => status(response),
        Ending::Responded(response) => {
            let excerpt = response.body.get(..EXCERPT).unwrap_or(&response.body);
            let cut = if matches!(response.body_end, BodyEnd::CutOff(_)) { " and there it breaks off" } else { "" };
            format!("{} {}{cut}", status(response), clean_fit(&clean_bytes(excerpt), came))
        }
        Ending::Failed(failure) => {
            let detail = if failure.detail.is_empty() { String::new() } else { format!(" ({})", failure.detail) };
            clean_fit(&format!("{}{detail}", failed_because(failure.kind, exchange.elapsed)), came)
        }
    };
    format!("{request}: {came}")
}
