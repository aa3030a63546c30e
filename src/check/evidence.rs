//! The evidence of a run: every exchange so far, and the text that describes one. Must not know rules or verdicts.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::steps::{NORMAL_FORMS, Step, UNICODE};
use crate::domain::mismatch::may_be_masked;
use crate::domain::sentence::{ended, span, status_line};
use crate::domain::{
    BodyEnd, Credentials, Ending, Exchange, MediaType, OperationId, Outcome, PlantId, Probe, Response,
};
use crate::text::number_format::counted;
use crate::text::{clean_bytes, clean_fit};

/// Maximum columns of a request's body, and of a response's, in a line of evidence.
const QUOTED: (usize, usize) = (100, 160);
/// Bytes of a response that are read for that.
const EXCERPT: usize = 1024;

/// How long a store took for its responses, and how many requests had none, which the times leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency {
    pub median: Duration,
    pub slowest: Duration,
    #[serde(default)]
    pub without_response: usize,
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at the median, {} at most", span(self.median), span(self.slowest))?;
        match self.without_response {
            0 => Ok(()),
            count => write!(f, "; {} had no response", counted(count as u64, "request", "requests")),
        }
    }
}

/// Why a request was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Probe(Step),
    /// Deletes a plant.
    CleanUp(Origin),
    /// A usual create, which shows whether the store still takes those.
    Control,
}

/// Which create a plant is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Origin {
    Probe(Step),
    #[default]
    Control,
    EarlierRun,
}

impl Purpose {
    fn is_usual_create(self) -> bool {
        self == Self::Control || matches!(self, Self::Probe(step) if step.is_usual_create())
    }
}

/// Every exchange of a run, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Evidence {
    sent: Vec<Sent>,
    /// Whether the store accepted a usual create with something other than a page.
    responds_otherwise: bool,
    /// Why probes were not sent.
    pub(super) skipped: BTreeMap<Step, String>,
    /// How long a contradiction was watched, by the probe that shows it: the sum of the pauses before its repetitions.
    pub(super) watched: BTreeMap<Step, Duration>,
    /// A failed delete of one of many plants that earlier runs could not delete either; then the run sends no probe.
    pub(super) undeletable: Option<Exchange>,
    /// The control that shows that the store no longer accepts creates; then the run sends no further probe.
    pub(super) last_control: Option<Exchange>,
    /// Duration of the last of several timeouts in a row; then the run sends no further probe.
    pub(super) hung: Option<Duration>,
}

#[derive(Debug, Clone)]
struct Sent {
    /// `None` if the request is repeated with other ids, or because of its rate.
    purpose: Option<Purpose>,
    exchange: Exchange,
    /// Whether the exchange lies between two controls that disagree, so that it shows nothing about the store.
    is_void: bool,
}

/// The end of a probe, by its outcome.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProbeResult<'a> {
    Accepted(&'a Exchange, &'a Response),
    Rejected(&'a Exchange, &'a Response),
    /// Unknown or not sent.
    Unknown(&'a Exchange),
    /// The probe was not sent, for this reason.
    Skipped(&'a str),
}

/// Why a probe is not sent: an earlier run left a plant of the same shape, see
/// [`avoid`](super::test_plant::TestPlants::avoid).
pub(super) const AVOIDED: &str = "an earlier check could not delete a plant like this: delete that plant first";

/// Why a page shows nothing about a store.
pub(super) const PAGE_CAME: &str = "a page came in place of the response of the store";

impl<'a> ProbeResult<'a> {
    pub(super) fn of(exchange: &'a Exchange) -> Self {
        match (exchange.outcome(), exchange.response()) {
            (Outcome::Accepted, Some(response)) => Self::Accepted(exchange, response),
            (Outcome::Rejected, Some(response)) => Self::Rejected(exchange, response),
            (Outcome::Accepted | Outcome::Rejected | Outcome::Unknown | Outcome::NotSent, _) => Self::Unknown(exchange),
        }
    }

    /// Whether the store accepted or rejected the probe.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self, Self::Accepted(..) | Self::Rejected(..))
    }

    pub(super) fn exchange(self) -> Option<&'a Exchange> {
        match self {
            Self::Accepted(exchange, _) | Self::Rejected(exchange, _) | Self::Unknown(exchange) => Some(exchange),
            Self::Skipped(_) => None,
        }
    }
}

/// `accepted: 201 Created`, `rejected: …`, or why nothing was observed.
impl fmt::Display for ProbeResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted(_, response) => write!(f, "accepted: {}", status(response)),
            Self::Rejected(_, response) => write!(f, "rejected: {}", status(response)),
            Self::Unknown(exchange) => match (why_open(exchange), exchange.response()) {
                (Some(why), _) => write!(f, "inconclusive: {why}"),
                (None, Some(response)) => write!(f, "inconclusive: {} decides nothing", status(response)),
                (None, None) => f.write_str("inconclusive: no response came"),
            },
            Self::Skipped(why) => write!(f, "not tried: {why}"),
        }
    }
}

impl Evidence {
    /// Adds an exchange.
    pub(super) fn add(&mut self, purpose: Option<Purpose>, exchange: Exchange) {
        let is_usual = purpose.is_some_and(Purpose::is_usual_create) && exchange.outcome() == Outcome::Accepted;
        self.responds_otherwise |= is_usual && !exchange.is_page();
        self.sent.push(Sent { purpose, exchange, is_void: false });
    }

    /// Whether an exchange shows nothing about the store: it lies between two controls that disagree, or was accepted with
    /// a page, although the store has another response to a usual create.
    fn is_void(&self, sent: &Sent) -> bool {
        sent.is_void || (self.responds_otherwise && sent.exchange.is_accepted_page())
    }

    /// Returns the statuses of the probes that were rejected since this exchange.
    pub(super) fn rejections_since(&self, first: usize) -> Vec<u16> {
        let probes = self.sent.iter().skip(first).filter(|sent| matches!(sent.purpose, Some(Purpose::Probe(_))));
        let rejected = probes.filter(|sent| sent.exchange.outcome() == Outcome::Rejected);
        rejected.filter_map(|sent| sent.exchange.status()).collect()
    }

    /// Returns the time of these exchanges together.
    pub(super) fn elapsed(&self, of: &[OperationId]) -> Duration {
        self.all().filter(|exchange| of.contains(&exchange.operation.id)).map(|exchange| exchange.elapsed).sum()
    }

    /// Whether controls exclude any exchange that was accepted or rejected.
    pub(super) fn has_void(&self) -> bool {
        self.sent.iter().any(|sent| sent.is_void && ProbeResult::of(&sent.exchange).is_decided())
    }

    /// Returns how long the store took for its responses; `None` without one.
    pub(super) fn latency(&self) -> Option<Latency> {
        let sent = self.all().filter(|exchange| exchange.outcome() != Outcome::NotSent).count();
        let responded = self.all().filter(|exchange| exchange.response().is_some());
        let mut times: Vec<_> = responded.map(|exchange| exchange.elapsed).collect();
        times.sort_unstable();
        let (median, slowest) = (*times.get(times.len() / 2)?, *times.last()?);
        Some(Latency { median, slowest, without_response: sent - times.len() })
    }

    /// Whether a response is no page, and has the media type of the accepted one to this probe, if there is one: another
    /// server that stands in front of the store responds otherwise.
    pub(super) fn is_like_that_of(&self, step: Step, exchange: &Exchange) -> bool {
        !exchange.is_page() && self.accepted(step).is_none_or(|first| media_type(first) == media_type(exchange))
    }

    /// Whether another server responded to a delete: with a page, or with 404 in another media type than the store has
    /// for a plant that is not there.
    pub(super) fn is_foreign(&self, delete: &Exchange) -> bool {
        if !is_not_found(delete) {
            return delete.outcome() == Outcome::Accepted && !self.is_like_that_of(Step::Delete, delete);
        }
        let absent = [Step::DeleteTwice, Step::DeleteAbsent].into_iter().filter_map(|step| self.last(step));
        let mut own =
            absent.map(|sent| &sent.exchange).filter(|absent| is_not_found(absent)).map(media_type).peekable();
        own.peek().is_some() && own.all(|own| own != media_type(delete))
    }

    pub(super) fn creates(&self) -> impl Iterator<Item = &Exchange> {
        self.all().filter(|exchange| exchange.operation.kind.plant().is_some())
    }

    /// Whether the store accepted every create with a page: no response shows a plant.
    pub(super) fn has_only_pages(&self) -> bool {
        self.creates().all(Exchange::is_accepted_page)
    }

    /// Returns the status of a create under a taken id, if the store rejects those.
    pub(super) fn taken_status(&self) -> Option<u16> {
        self.rejected(Step::SecondCreate).and_then(Exchange::status)
    }

    /// Whether a create that was rejected with this status has a taken id.
    pub(super) fn means_taken(&self, status: u16) -> bool {
        status == 409 || self.taken_status() == Some(status)
    }

    /// Whether the store rejected a new random id as taken, so that it does not keep ids apart. The neighbour does not
    /// count: it has the name of another plant.
    pub(super) fn has_taken_new_id(&self) -> bool {
        let is_meant = |purpose: Purpose| purpose.is_usual_create() && purpose != Purpose::Probe(Step::CreateNeighbour);
        let mut rejected = self.sent.iter().filter(|sent| sent.exchange.outcome() == Outcome::Rejected);
        let is_taken = |sent: &Sent| sent.exchange.status().is_some_and(|status| self.means_taken(status));
        rejected.any(|sent| sent.purpose.is_some_and(is_meant) && is_taken(sent))
    }

    /// Returns how many exchanges there are.
    pub(super) fn len(&self) -> usize {
        self.sent.len()
    }

    /// Excludes the exchanges from this one on: a control shows that they say nothing about the store.
    pub(super) fn void_since(&mut self, first: usize) {
        self.sent.iter_mut().skip(first).for_each(|sent| sent.is_void = true);
    }

    /// Returns the last exchange of a probe that was sent.
    fn last(&self, step: Step) -> Option<&Sent> {
        self.sent.iter().rfind(|sent| sent.purpose == Some(Purpose::Probe(step)))
    }

    /// Returns the end of a probe. A delete that found no plant, and finds it when it is repeated, is accepted.
    pub(super) fn result(&self, step: Step) -> ProbeResult<'_> {
        let Some(sent) = self.last(step) else {
            return ProbeResult::Skipped(
                self.skipped.get(&step).map_or("the check ended before this probe", |why| why),
            );
        };
        if self.is_void(sent) {
            return ProbeResult::Unknown(&sent.exchange);
        }
        let is_early = step.deletes_its_plant() && is_not_found(&sent.exchange);
        let later = is_early.then(|| self.accepted_clean_up(step.plant_step())).flatten();
        ProbeResult::of(later.unwrap_or(&sent.exchange))
    }

    /// Whether a probe was sent or skipped.
    pub(super) fn has(&self, step: Step) -> bool {
        self.last(step).is_some() || self.skipped.contains_key(&step)
    }

    /// Returns the exchange of a probe that was accepted.
    pub(super) fn accepted(&self, step: Step) -> Option<&Exchange> {
        let ProbeResult::Accepted(exchange, _) = self.result(step) else { return None };
        Some(exchange)
    }

    /// Returns the exchange of a probe that was rejected for its content, and not for its credentials or rate.
    pub(super) fn rejected(&self, step: Step) -> Option<&Exchange> {
        let ProbeResult::Rejected(exchange, response) = self.result(step) else { return None };
        (!is_about_the_caller(response.status)).then_some(exchange)
    }

    /// Whether a probe was rejected for its content at any time, also where that shows nothing by itself.
    pub(super) fn was_ever_rejected(&self, step: Step) -> bool {
        let of_step = self.sent.iter().filter(|sent| sent.purpose == Some(Purpose::Probe(step)));
        of_step.map(|sent| &sent.exchange).any(is_rejected_for_content)
    }

    fn sent_clean_ups(&self, create: Step) -> impl DoubleEndedIterator<Item = &Sent> {
        self.sent.iter().filter(move |sent| sent.purpose == Some(Purpose::CleanUp(Origin::Probe(create))))
    }

    /// Returns the deletes with the right token that clean up the plant of this create, in order.
    pub(super) fn clean_ups(&self, create: Step) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.sent_clean_ups(create).filter(|sent| !self.is_void(sent)).map(|sent| &sent.exchange)
    }

    /// Returns the first such delete that was accepted.
    pub(super) fn accepted_clean_up(&self, create: Step) -> Option<&Exchange> {
        self.clean_ups(create).find(|delete| delete.outcome() == Outcome::Accepted)
    }

    /// Whether every such delete was rejected. One without a response may have removed the plant, and so may one that
    /// shows nothing by itself.
    pub(super) fn rejects_clean_ups(&self, create: Step) -> bool {
        self.sent_clean_ups(create).all(|sent| sent.exchange.outcome() == Outcome::Rejected)
    }

    /// Whether a response means that the plant is not there: by [`is_not_found`], or by the status that this store
    /// has for an id that was never used.
    pub(super) fn means_absent(&self, delete: &Exchange) -> bool {
        is_not_found(delete)
            || self.rejected(Step::DeleteAbsent).is_some_and(|unused_id| unused_id.status() == delete.status())
    }

    /// Whether a response has the status that this store has for a delete of an id that was never used, also if that is a
    /// failure.
    pub(super) fn is_like_unused(&self, exchange: &Exchange) -> bool {
        let unused = self.result(Step::DeleteAbsent).exchange().and_then(Exchange::status);
        unused.is_some() && unused == exchange.status() && exchange.outcome() != Outcome::Accepted
    }

    pub(super) fn count_responses(&self) -> usize {
        self.all().filter(|exchange| exchange.response().is_some()).count()
    }

    /// Iterates over every exchange of the run.
    pub(super) fn all(&self) -> impl Iterator<Item = &Exchange> {
        self.sent.iter().map(|sent| &sent.exchange)
    }

    /// Iterates over the exchanges that show how the store behaves.
    pub(super) fn valid(&self) -> impl Iterator<Item = &Exchange> {
        self.sent.iter().filter(|sent| !self.is_void(sent)).map(|sent| &sent.exchange)
    }
}

/// Returns why an exchange shows nothing, unless that is its response, or that none came.
pub(super) fn why_open(exchange: &Exchange) -> Option<&'static str> {
    match exchange.outcome() {
        Outcome::NotSent => Some("nothing reached the store"),
        Outcome::Accepted if exchange.is_accepted_page() => Some(PAGE_CAME),
        Outcome::Accepted | Outcome::Rejected => Some("creates were no longer accepted at that time"),
        Outcome::Unknown => None,
    }
}

fn media_type(exchange: &Exchange) -> Option<String> {
    exchange.response().and_then(Response::media_type).map(str::to_ascii_lowercase)
}

/// Whether a response means by its status alone that the plant is not there.
pub(super) fn is_not_found(delete: &Exchange) -> bool {
    matches!(delete.status(), Some(404 | 410))
}

/// Names the change that a store made to a text, if it is a usual one.
pub(super) fn text_change(sent: &str, came: &str) -> Option<&'static str> {
    let is_form = |form: &&(_, &str)| came == sent.replace(UNICODE, form.1);
    match came {
        _ if may_be_masked(sent, came) => Some("is masked, as it contains a secret"),
        _ if came == sent.trim() => Some("came back trimmed"),
        _ if came == sent.to_lowercase() => Some("came back in lower case"),
        _ if came == sent.to_uppercase() => Some("came back in upper case"),
        _ if came.split_whitespace().eq(sent.split_whitespace()) => Some("came back with other white space"),
        _ => NORMAL_FORMS.iter().find(is_form).map(|(words, _)| *words),
    }
}

/// Whether a rejection is for the credentials or the rate of requests, and not for their content.
pub(super) fn is_about_the_caller(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429)
}

/// Whether a request was rejected for its content.
pub(super) fn is_rejected_for_content(exchange: &Exchange) -> bool {
    exchange.outcome() == Outcome::Rejected && !exchange.status().is_some_and(is_about_the_caller)
}

/// Whether a header is about limits of the store.
pub(super) fn is_limit_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "retry-after" || ["ratelimit", "rate-limit", "quota"].iter().any(|part| name.contains(part))
}

/// Returns `201 Created`.
pub(super) fn status(response: &Response) -> String {
    status_line(response.status, &response.reason)
}

/// Returns the id in the response to a create as the store wrote it; without quotes if it is a string.
pub(super) fn id_as_written(response: &Response) -> Option<String> {
    #[derive(Deserialize)]
    struct WithId<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
    }
    let written = serde_json::from_slice::<WithId<'_>>(&response.body).ok()?.id.get();
    Some(serde_json::from_str(written).unwrap_or_else(|_| written.to_owned()))
}

/// Whether an id as a store wrote it is this number, in any notation.
pub(super) fn is_same_number(written: &str, id: PlantId) -> bool {
    let whole = written
        .split_once('.')
        .map_or(written, |(whole, zeros)| if zeros.bytes().all(|byte| byte == b'0') { whole } else { written });
    if let Ok(value) = whole.parse::<i64>() {
        return value == id.0;
    }
    // A double represents every integer below 2^53 exactly.
    let is_exact = id.0.unsigned_abs() < 1 << 53;
    #[expect(clippy::cast_precision_loss, clippy::float_cmp, reason = "nothing is lost below 2^53")]
    let same = written.parse::<f64>().is_ok_and(|value| value == id.0 as f64);
    is_exact && same
}

/// Returns the id in a response if it is a number and not the one that was sent.
pub(super) fn other_number(exchange: &Exchange, response: &Response) -> Option<String> {
    let body: serde_json::Value = serde_json::from_slice(&response.body).ok()?;
    let written = id_as_written(response)?;
    let is_other = body.get("id")?.is_number() && !is_same_number(&written, exchange.operation.kind.plant_id());
    is_other.then(|| clean_fit(&written, 40))
}

/// Describes how the head of a request differs from the document.
fn differences_in_head(probe: &Probe) -> String {
    let credentials = match probe.credentials {
        Credentials::Token => "",
        Credentials::None => " without a token",
        Credentials::WrongToken => " with a wrong token",
        Credentials::OtherScheme => " with the token under Basic",
    };
    match &probe.media_type {
        MediaType::Json => credentials.to_owned(),
        MediaType::None => format!("{credentials} without a media type"),
        MediaType::Other(other) => format!("{credentials} as {other}"),
    }
}

/// Returns `DELETE /plants/7`, with the target cut to these columns.
pub(super) fn request_in_short(exchange: &Exchange, columns: usize) -> String {
    match &exchange.request {
        Some(request) => format!("{} {}", request.method.word(), clean_fit(&request.target, columns)),
        None => exchange.operation.kind.word().to_owned(),
    }
}

/// Describes an exchange in one line: the request and its response. Foreign text is cleaned.
pub(super) fn line(exchange: &Exchange) -> String {
    let (request_columns, response_columns) = QUOTED;
    let mut text = request_in_short(exchange, request_columns);
    if let Some(request) = &exchange.request {
        text.extend(request.body.as_deref().map(|body| format!(" {}", clean_fit(body, request_columns))));
        text.extend(exchange.operation.probe.as_ref().map(differences_in_head));
    }
    let more = match &exchange.ending {
        Ending::Responded(response) if response.body.is_empty() => String::new(),
        Ending::Responded(response) => {
            let excerpt = response.body.get(..EXCERPT).unwrap_or(&response.body);
            let cut = if matches!(response.body_end, BodyEnd::CutOff(_)) { " (cut off)" } else { "" };
            format!(" {}{cut}", clean_fit(&clean_bytes(excerpt), response_columns))
        }
        Ending::Failed(failure) if failure.detail.is_empty() => String::new(),
        Ending::Failed(failure) => format!(" ({})", clean_fit(&failure.detail, response_columns)),
    };
    format!("{text}: {}{more}", ended(exchange))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{exchange, responded};
    use super::*;
    use crate::domain::{OperationKind, Plant};

    #[test]
    fn an_id_is_the_same_number_in_any_notation() {
        for written in ["7", "7.0", "7.00", "7e0", "0.7e1", "70e-1"] {
            assert!(is_same_number(written, PlantId(7)), "{written}");
        }
        for written in ["8", "7.5", "7.05", "-7", "\"7\"", "null", "7e1"] {
            assert!(!is_same_number(written, PlantId(7)), "{written}");
        }
        let exact = (1 << 53) - 1;
        assert!(is_same_number("9.007199254740991e15", PlantId(exact)));
        // The same double is also 2^53 + 1.
        assert!(!is_same_number("9.007199254740992e15", PlantId(exact + 1)));
        assert!(is_same_number("9007199254740992", PlantId(exact + 1)));
    }

    #[test]
    fn only_another_number_is_another_id() {
        let other = |body: &str| {
            let add = OperationKind::add(Plant { name: "n".into(), id: PlantId(7), tag: "t".into() });
            let exchange = exchange(1, add, Probe::default(), responded(201, body));
            other_number(&exchange, exchange.response().unwrap())
        };
        for (body, expected) in [
            (r#"{"id":8}"#, Some("8")),
            (r#"{"id":7.5}"#, Some("7.5")),
            (r#"{"id":7.0}"#, None),
            (r#"{"id":"8"}"#, None),
            (r#"{"id":null}"#, None),
            ("{}", None),
            ("8", None),
        ] {
            assert_eq!(other(body).as_deref(), expected, "{body}");
        }
    }
}
