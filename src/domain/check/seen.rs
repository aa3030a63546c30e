//! What a run has seen so far, and the words for it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::steps::Step;
use crate::domain::sentence::{failed_because, status_line};
use crate::domain::text::{clean_bytes, clean_fit};
use crate::domain::{Answer, BodyEnd, Credentials, Ending, Exchange, MediaType, Outcome, PlantId, Probe};

/// Columns of a request's body, and of an answer's, in a piece of evidence.
const QUOTED: (usize, usize) = (100, 160);
/// Bytes of an answer that are looked at for that.
const EXCERPT: usize = 1024;

/// What became of a probe.
#[derive(Debug, Clone)]
pub(super) enum Taken {
    /// It was sent, or at least recorded.
    Exchanged(Box<Exchange>),
    /// It was not tried, and why.
    Skipped(String),
}

/// What a run has seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) taken: BTreeMap<Step, Taken>,
    /// Deletes that took a plant away, or tried to, by the create that had planted it.
    pub(super) cleaned: BTreeMap<Step, Vec<Exchange>>,
    /// Those that were asked to wait, and every other that is not of a probe.
    pub(super) others: Vec<Exchange>,
}

/// What a probe was told.
#[derive(Debug, Clone, Copy)]
pub(super) enum Said<'a> {
    /// Yes.
    Yes(&'a Exchange, &'a Answer),
    /// No.
    No(&'a Exchange, &'a Answer),
    /// Nothing that settles it.
    Open(&'a Exchange),
    /// It was not tried, and why.
    Skipped(&'a str),
}

impl<'a> Said<'a> {
    pub(super) fn of(exchange: &'a Exchange) -> Self {
        match (exchange.outcome(), exchange.answer()) {
            (Outcome::Accepted, Some(answer)) => Self::Yes(exchange, answer),
            (Outcome::Refused, Some(answer)) => Self::No(exchange, answer),
            (Outcome::Accepted | Outcome::Refused | Outcome::Unknown | Outcome::NotSent, _) => Self::Open(exchange),
        }
    }

    pub(super) fn is_yes(self) -> bool {
        matches!(self, Self::Yes(..))
    }
}

impl Seen {
    /// What a probe was told.
    pub(super) fn said(&self, step: Step) -> Said<'_> {
        match self.taken.get(&step) {
            Some(Taken::Exchanged(exchange)) => Said::of(exchange),
            Some(Taken::Skipped(why)) => Said::Skipped(why),
            None => Said::Skipped("the run ended before it"),
        }
    }

    /// The deletes with the right token that took the plant of this create away, or tried to.
    pub(super) fn cleaned(&self, create: Step) -> &[Exchange] {
        self.cleaned.get(&create).map_or(&[], Vec::as_slice)
    }

    /// How many answers came.
    pub(super) fn answers(&self) -> usize {
        self.all().filter(|exchange| exchange.answer().is_some()).count()
    }

    /// Every exchange of the run.
    pub(super) fn all(&self) -> impl Iterator<Item = &Exchange> {
        let probes = self.taken.values().filter_map(|taken| match taken {
            Taken::Exchanged(exchange) => Some(exchange.as_ref()),
            Taken::Skipped(_) => None,
        });
        probes.chain(self.cleaned.values().flatten()).chain(&self.others)
    }
}

/// Whether an answer says that what was asked for is not there.
pub(super) fn says_absent(answer: &Answer) -> bool {
    matches!(answer.status, 404 | 410)
}

/// Whether a no is about who asks or how often, and not about what was asked.
pub(super) fn is_about_the_caller(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429)
}

/// `201 Created`.
pub(super) fn status(answer: &Answer) -> String {
    status_line(answer.status, &answer.reason)
}

/// The id in the answer to a create, as the store wrote it; of a string its text.
pub(super) fn id_as_written(answer: &Answer) -> Option<String> {
    #[derive(Deserialize)]
    struct WithId<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
    }
    let written = serde_json::from_slice::<WithId<'_>>(&answer.body).ok()?.id.get();
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
pub(super) fn other_number(exchange: &Exchange, answer: &Answer) -> Option<String> {
    let body: serde_json::Value = serde_json::from_slice(&answer.body).ok()?;
    let id = body.get("id")?;
    let sent = exchange.operation.ask.plant_id();
    id_as_written(answer)
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
        || exchange.operation.ask.word().to_owned(),
        |request| {
            let body = request.body.as_deref().map(|body| format!(" {}", clean_fit(body, sent))).unwrap_or_default();
            let otherwise = exchange.operation.probe.as_ref().map(otherwise).unwrap_or_default();
            format!("{} {}{body}{otherwise}", request.method.word(), clean_fit(&request.target, sent))
        },
    );
    let came = match &exchange.ending {
        Ending::Answered(answer) if answer.body.is_empty() => status(answer),
        Ending::Answered(answer) => {
            let excerpt = answer.body.get(..EXCERPT).unwrap_or(&answer.body);
            let cut = if matches!(answer.body_end, BodyEnd::CutOff(_)) { " and there it breaks off" } else { "" };
            format!("{} {}{cut}", status(answer), clean_fit(&clean_bytes(excerpt), came))
        }
        Ending::Failed(failure) => {
            let detail = if failure.detail.is_empty() { String::new() } else { format!(" ({})", failure.detail) };
            clean_fit(&format!("{}{detail}", failed_because(failure.kind, exchange.elapsed)), came)
        }
    };
    format!("{request}: {came}")
}
