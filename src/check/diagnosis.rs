//! The diagnosis: one sentence on a store, derived from the evidence of a run. All outputs and the exit code rest
//! on it.

#![expect(clippy::wildcard_enum_match_arm, reason = "most matches name a few of the many findings and failures")]

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumDiscriminants, EnumProperty};

use super::deletes::{Effect, effect_of_deletes};
use super::evidence::{Evidence, ProbeResult, request_in_short, status};
use super::row::{Reason, RowResult, Verdict};
use super::rules::create::{canned_body, redirect_target, wrong_base_url};
use super::steps::Step;
use crate::domain::sentence::{ended, failed_because, span};
use crate::domain::{Ending, Exchange, Failure, FailureKind, Outcome, Response};
use crate::text::clean_fit;

/// Maximum columns of a URL or of foreign text in a diagnosis.
const QUOTED: usize = 120;
/// Number of equal responses that count as all responses of a store.
const ALIKE: usize = 3;
/// Timeouts in a row after which a store counts as hanging.
pub(super) const TIMEOUTS: usize = 2;

/// The result of a run in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnosis {
    pub(super) finding: Finding,
    /// How many rules have each verdict.
    pub(super) failed: usize,
    pub(super) passed: usize,
    pub(super) inconclusive: usize,
    /// What is wrong with every delete, or with every create, beside the verdicts.
    pub(super) note: Option<String>,
}

/// The property `advice` is what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Display, EnumProperty, EnumDiscriminants)]
#[strum_discriminants(name(FindingKind), derive(Serialize), serde(rename_all = "snake_case"))]
#[serde(rename_all = "snake_case")]
pub(super) enum Finding {
    /// Nothing reached the store, for this reason.
    #[strum(to_string = "{0}", props(advice = "Start the store or correct the base URL, then check again."))]
    NothingListens(String),
    /// Nothing was sent, for a reason on this machine.
    #[strum(to_string = "{0}", props(advice = "Put that right, then check again."))]
    NothingSent(String),
    /// The store rejected the first create, or the delete of many plants of earlier checks, with 401 or 403: the status line.
    #[strum(to_string = "The token was rejected ({0})", props(advice = "Check again with another token."))]
    TokenRejected(String),
    /// The response to the first create, or to the delete of many plants of earlier checks, is 407: the status line.
    #[strum(
        to_string = "A proxy rejected the request ({0})",
        props(advice = "Check the proxy and its credentials, then check again.")
    )]
    ProxyRejected(String),
    /// There is no `/plants` under the base URL: how the store rejected the first create.
    #[strum(to_string = "The base URL is wrong: {0}", props(advice = "Correct the base URL, then check again."))]
    WrongBaseUrl(String),
    /// The first create is redirected: where to. The target may be a login page.
    #[strum(
        to_string = "The base URL or the token may be wrong: {0}",
        props(advice = "Correct the base URL or the token, then check again.")
    )]
    Redirected(String),
    /// Every response to a create is this page, or says that the server has no such method (501).
    #[strum(
        to_string = "Every response to a create is {0}: this is not a Plant Store",
        props(advice = "The base URL or the token may be wrong: correct it, then check again.")
    )]
    NotAPlantStore(String),
    /// The store fails at every request, or at every create or delete with the token: which, and how.
    #[strum(to_string = "Every {0}", props(advice = "Read the log of the store, then check again."))]
    AlwaysFails(String),
    /// [`TIMEOUTS`] requests in a row had no response: how many, and within which time.
    #[strum(
        to_string = "The store hangs ({0})",
        props(advice = "Check again when the store responds, or with a longer --timeout.")
    )]
    Hangs(String),
    /// The store does not delete the many plants of earlier checks, so that the run sent no probe: such a delete.
    #[strum(
        to_string = "Too many plants of earlier checks cannot be deleted, so this one adds no more ({0})",
        props(
            advice = "Delete each by its id, or remove it at the store first: the delete then notes that it is gone \
                      (404). Then check again."
        )
    )]
    CannotCleanUp(String),
    /// The run ended early, for this reason.
    #[strum(to_string = "The check ended early ({0})")]
    EndedEarly(String),
    /// The run ended early, as creates are rejected with 401 or 403 that were accepted before.
    #[strum(to_string = "The check ended early ({0})", props(advice = "Check again with another token."))]
    TokenExpired(String),
    /// The run ended early, as a page comes in place of the responses to creates that were accepted before.
    #[strum(
        to_string = "The check ended early ({0})",
        props(advice = "The base URL or the token may be wrong: correct it, then check again.")
    )]
    PageCame(String),
    #[strum(to_string = "Canned responses, the same whatever is sent")]
    Canned,
    /// The store rejects the ids of the document, and accepts the same ones as strings.
    #[strum(to_string = "Differs from the document, and wants ids as strings")]
    WantsTextIds,
    /// At least one rule fails.
    #[strum(to_string = "Differs from the document")]
    Fails,
    /// Every rule passes that this store's behaviour shows.
    #[strum(to_string = "A Plant Store")]
    Passes,
    /// No rule fails, and at least one is inconclusive because a request is unknown or was not sent; or no rule was
    /// checked, and such requests leave nothing that was observed.
    #[strum(
        to_string = "Not every request was accepted or rejected",
        props(
            advice = "Check again when the store accepts or rejects every request; is:check outcome:unknown in the history \
                      finds the unknown ones."
        )
    )]
    Inconclusive,
    /// No rule fails, and at least one is inconclusive because the store took no usual create for a time.
    #[strum(
        to_string = "The store took no usual create for a time",
        props(advice = "Check again; if this happens again, with a longer --pace.")
    )]
    Blocked,
    /// No rule fails, and some are inconclusive because the store rejected this request with the token (401 or 403).
    #[strum(
        to_string = "The store rejected a request with the token ({0})",
        props(advice = "Check again with a token that may create and delete every plant.")
    )]
    Forbidden(String),
    /// No rule has a verdict, because this store does not show what they are about: the evidence of the first.
    #[strum(
        to_string = "No rule could be judged ({0})",
        props(advice = "Check more rules: the store does not show what these are about.")
    )]
    NotVisible(String),
    /// No rule fails, and some are inconclusive although every response came: the evidence of the first.
    #[strum(
        to_string = "Not every rule could be judged ({0})",
        props(advice = "The evidence of each inconclusive rule says what it lacks.")
    )]
    Unjudged(String),
    #[strum(to_string = "No rule was checked")]
    NoRules,
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
        match self.finding {
            // The rules say nothing about a store.
            Finding::WrongBaseUrl(_) | Finding::Redirected(_) | Finding::NotAPlantStore(_) => Conclusion::None,
            _ if self.failed > 0 => Conclusion::Fail,
            Finding::NothingListens(_) | Finding::NothingSent(_) => Conclusion::NotSent,
            Finding::Passes | Finding::NoRules => Conclusion::Pass,
            _ => Conclusion::None,
        }
    }

    /// Returns the verdict on the store, with the number of rules that have it: `15 pass`, `1 fail`.
    pub fn in_short(&self) -> (Verdict, String) {
        match self.conclusion() {
            Conclusion::Pass if self.passed == 0 => (Verdict::Inconclusive, "no rules".to_owned()),
            Conclusion::Pass => (Verdict::Pass, format!("{} pass", self.passed)),
            Conclusion::Fail => (Verdict::Fail, format!("{} fail", self.failed)),
            Conclusion::NotSent => (Verdict::Inconclusive, "not sent".to_owned()),
            Conclusion::None => (Verdict::Inconclusive, Verdict::Inconclusive.word().to_owned()),
        }
    }

    /// Whether the diagnosis explains every row, so that a report needs none.
    pub fn explains_all_rows(&self) -> bool {
        let is_about_rules = match self.finding {
            Finding::Inconclusive
            | Finding::Blocked
            | Finding::Forbidden(_)
            | Finding::TokenExpired(_)
            | Finding::PageCame(_)
            | Finding::NotVisible(_)
            | Finding::Unjudged(_) => true,
            Finding::Hangs(_) | Finding::AlwaysFails(_) => self.passed > 0,
            _ => false,
        };
        self.advice().is_some() && !is_about_rules
    }

    /// Whether the advice is about each leftover, so that a report lists them.
    pub(super) fn is_about_leftovers(&self) -> bool {
        matches!(self.finding, Finding::CannotCleanUp(_))
    }

    /// Returns the kind of the finding, for scripts.
    pub(super) fn kind(&self) -> FindingKind {
        (&self.finding).into()
    }

    /// Whether another token may help.
    pub fn is_about_the_token(&self) -> bool {
        matches!(self.kind(), FindingKind::TokenRejected | FindingKind::TokenExpired | FindingKind::Forbidden)
    }

    /// Returns what to do next, where there is no verdict.
    pub fn advice(&self) -> Option<&'static str> {
        self.finding.get_str("advice")
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { finding, failed, passed, inconclusive, note } = self;
        let all = failed + passed + inconclusive;
        if self.explains_all_rows() || all == 0 {
            return write!(f, "{finding}.");
        }
        write!(f, "{finding}: ")?;
        match failed {
            0 if (*passed, all) == (1, 1) => f.write_str("the one rule passes")?,
            0 if *passed == all => write!(f, "all {all} rules pass")?,
            0 => write!(f, "{passed} of {all} rules pass")?,
            1 => write!(f, "1 of {all} rules fails")?,
            _ => write!(f, "{failed} of {all} rules fail")?,
        }
        if *inconclusive > 0 {
            write!(f, ", {inconclusive} inconclusive")?;
        }
        if let Some(note) = note {
            write!(f, "; {note}")?;
        }
        f.write_str(".")
    }
}

/// Returns the diagnosis of a run; `ended_early` is the reason if the run was cut short.
pub(super) fn diagnose(
    evidence: &Evidence,
    rules: &[RowResult],
    undocumented: &[RowResult],
    ended_early: Option<&str>,
) -> Diagnosis {
    let count = |verdict| rules.iter().filter(|rule| rule.verdict == Some(verdict)).count();
    let [failed, passed, inconclusive] = [Verdict::Fail, Verdict::Pass, Verdict::Inconclusive].map(count);
    let is_lacking = |rule: &&RowResult| matches!(rule.reason, Some(Reason::NotSent | Reason::NoResponse));
    let lacking = rules.iter().find(is_lacking);
    let lacks_a_response = lacking.is_some() || passed == 0;
    let is_open = |exchange: &Exchange| matches!(exchange.outcome(), Outcome::Unknown | Outcome::NotSent);
    let why = |rule: &RowResult| clean_fit(&rule.evidence, QUOTED);
    let shows_something = undocumented.iter().any(|row| row.is_observed == Some(true)) || !evidence.all().any(is_open);
    let finding = obstacle(evidence).unwrap_or_else(|| match ended_early {
        Some(why) => ending_early(evidence)(clean_fit(why, QUOTED)),
        None if failed > 0 && canned_body(evidence).is_some() && !tells_plants_apart(evidence) => Finding::Canned,
        None if rules.is_empty() && shows_something => Finding::NoRules,
        None if evidence.accepted(Step::CreateAsString).is_some() => Finding::WantsTextIds,
        None if failed > 0 => Finding::Fails,
        None if lacks_a_response && evidence.has_void() => Finding::Blocked,
        None if lacks_a_response => match (lacking, rules.first()) {
            (None, Some(first)) => Finding::NotVisible(why(first)),
            (Some(rule), _) => match forbidden(evidence, rule) {
                Some(forbidden) => Finding::Forbidden(in_short(forbidden)),
                None if evidence.all().any(is_open) => {
                    operation_always_fails(evidence).map_or(Finding::Inconclusive, Finding::AlwaysFails)
                }
                None => Finding::Unjudged(why(rule)),
            },
            (None, None) => Finding::Inconclusive,
        },
        None => Finding::Passes,
    });
    let note = match effect_of_deletes(evidence) {
        Effect::Unproven => Some("deletes are accepted, and not proven to work".to_owned()),
        Effect::None => Some("deletes are accepted, and have no effect".to_owned()),
        Effect::Works | Effect::Untested if matches!(finding, Finding::AlwaysFails(_)) => None,
        Effect::Works | Effect::Untested => operation_always_fails(evidence).map(|how| format!("every {how}")),
    };
    Diagnosis { finding, failed, passed, inconclusive, note }
}

/// Returns the finding of a run that ended early, by the control that ended it, if one did.
fn ending_early(evidence: &Evidence) -> fn(String) -> Finding {
    match &evidence.last_control {
        Some(control) if control.rejects_token() => Finding::TokenExpired,
        Some(control) if control.is_page() => Finding::PageCame,
        _ => Finding::EndedEarly,
    }
}

/// Returns a request with the token that was rejected with 401 or 403, if such a rule rests on one.
fn forbidden<'a>(evidence: &'a Evidence, lacking: &RowResult) -> Option<&'a Exchange> {
    let mut all = evidence.all().filter(|exchange| lacking.exchanges.contains(&exchange.operation.id));
    all.find(|exchange| exchange.rejects_token())
}

/// Says how every create, or every delete, fails with the token, if each has the same status (5xx).
fn operation_always_fails(evidence: &Evidence) -> Option<String> {
    [("create", false), ("delete", true)].into_iter().find_map(|(word, is_delete)| {
        let is_meant = |one: &&Exchange| one.has_token() && one.operation.kind.plant().is_none() == is_delete;
        let first = evidence.all().find(is_meant)?;
        let failure = first.response().filter(|response| response.status >= 500)?;
        let fail_alike = evidence.all().filter(is_meant).all(|one| one.status() == Some(failure.status));
        fail_alike.then(|| format!("{word} with the token is {}", status(failure)))
    })
}

/// Whether the store rejected a taken id, or the delete of an absent plant.
fn tells_plants_apart(evidence: &Evidence) -> bool {
    [Step::SecondCreate, Step::DeleteTwice, Step::DeleteAbsent].iter().any(|step| evidence.rejected(*step).is_some())
}

/// Returns the finding that makes all further requests pointless, if the evidence shows one.
pub(super) fn obstacle(evidence: &Evidence) -> Option<Finding> {
    let denied = |response: &Response| match response.status {
        401 | 403 => Some(Finding::TokenRejected(status(response))),
        407 => Some(Finding::ProxyRejected(status(response))),
        _ => None,
    };
    if let Some(exchange) = &evidence.undeletable {
        return exchange.response().and_then(denied).or_else(|| Some(Finding::CannotCleanUp(in_short(exchange))));
    }
    let of_create = || {
        let ProbeResult::Rejected(create, response) = evidence.result(Step::Create) else { return None };
        let wrong = || wrong_base_url(create).then(|| of_wrong_base_url(create, response));
        denied(response).or_else(wrong)
    };
    let hangs = |time| Finding::Hangs(format!("{TIMEOUTS} requests in a row had no response within {}", span(time)));
    nothing_sent(evidence).or_else(of_create).or_else(|| evidence.hung.map(hangs)).or_else(|| same_response(evidence))
}

/// Returns why no request reached the store, if none did.
fn nothing_sent(evidence: &Evidence) -> Option<Finding> {
    let first = evidence.all().next()?;
    if evidence.all().any(|exchange| exchange.outcome() != Outcome::NotSent) {
        return None;
    }
    let Ending::Failed(Failure { kind, detail }) = &first.ending else { return None };
    let url = first.request.as_ref().map(|request| &*request.url);
    let base = url.map_or("the base URL", |url| url.rsplit_once("/plants").map_or(url, |(base, _)| base));
    let (base, detail) = (clean_fit(base, QUOTED), clean_fit(detail, QUOTED));
    Some(Finding::NothingListens(match kind {
        // A person ended the run, which shows nothing about the store.
        FailureKind::CancelledBeforeSending => return None,
        FailureKind::NotConnected if detail.to_lowercase().contains("refused") => format!("Nothing listens at {base}"),
        FailureKind::NotConnected => format!("No connection to {base}: {detail}"),
        FailureKind::NotConnectedInTime => {
            format!("Nothing listens at {base}: no connection within {}", span(first.elapsed))
        }
        _ => {
            let why = format!("Nothing was sent: {}", failed_because(*kind, first.elapsed));
            return Some(Finding::NothingSent(why));
        }
    }))
}

/// Returns `DELETE /plants/7: 404 Not Found`.
fn in_short(exchange: &Exchange) -> String {
    format!("{}: {}", request_in_short(exchange, QUOTED), ended(exchange))
}

fn of_wrong_base_url(create: &Exchange, response: &Response) -> Finding {
    let url = create.request.as_ref().map_or("/plants", |request| &*request.url);
    let (url, status) = (clean_fit(url, QUOTED), status(response));
    match redirect_target(create) {
        Some(target) => {
            Finding::Redirected(format!("POST {url} points to {target} ({status}), and redirects are never followed"))
        }
        None => Finding::WrongBaseUrl(format!("POST {url} is {status}")),
    }
}

/// Returns the finding if the responses are the same and none that a working Plant Store gives: a page, or 501, to every
/// create, or another failure to every request.
fn same_response(evidence: &Evidence) -> Option<Finding> {
    // Deletes of earlier plants alone do not show how the store responds to other requests.
    evidence.creates().next()?;
    let failure = || alike(evidence.all()).filter(|(status, _)| *status >= 500);
    let fails = || failure().map(|(_, kind)| Finding::AlwaysFails(format!("response is {kind}")));
    foreign_response(evidence).map(Finding::NotAPlantStore).or_else(fails)
}

/// Returns the status and media type of every response to a create, if no Plant Store gives those: a page, or 501.
pub(super) fn foreign_response(evidence: &Evidence) -> Option<String> {
    let is_foreign = |status| status == 501 || status < 500 && evidence.creates().all(Exchange::is_page);
    alike(evidence.creates()).filter(|(status, _)| is_foreign(*status)).map(|(_, kind)| kind)
}

/// Returns the status that all of these exchanges have, and it with their media type, if there are at least [`ALIKE`].
fn alike<'a>(exchanges: impl Iterator<Item = &'a Exchange>) -> Option<(u16, String)> {
    let responses: Vec<_> = exchanges.map(Exchange::response).collect::<Option<_>>()?;
    let kind = |response: &Response| (response.status, response.media_type().unwrap_or_default().to_ascii_lowercase());
    let first = kind(responses.first()?);
    let are_alike = responses.len() >= ALIKE && responses.iter().all(|response| kind(response) == first);
    are_alike.then(|| (first.0, clean_fit(format!("{} {}", first.0, first.1).trim(), QUOTED)))
}

#[cfg(test)]
mod tests {
    use super::super::evidence::Purpose;
    use super::super::row::Row;
    use super::super::tests::{exchange, responded, without_response};
    use super::*;
    use crate::domain::{Header, OperationKind, Plant, PlantId, Probe};

    fn diagnosis(finding: Finding, [failed, passed, inconclusive]: [usize; 3]) -> Diagnosis {
        Diagnosis { finding, failed, passed, inconclusive, note: None }
    }

    #[test]
    fn the_sentence_counts_the_rules() {
        for (finding, counts, sentence, short) in [
            (Finding::Passes, [0, 1, 0], "A Plant Store: the one rule passes.", "1 pass"),
            (Finding::Passes, [0, 15, 0], "A Plant Store: all 15 rules pass.", "15 pass"),
            (Finding::Passes, [0, 14, 1], "A Plant Store: 14 of 15 rules pass, 1 inconclusive.", "14 pass"),
            (Finding::Fails, [1, 14, 0], "Differs from the document: 1 of 15 rules fails.", "1 fail"),
            (Finding::NoRules, [0, 0, 0], "No rule was checked.", "no rules"),
            (Finding::Fails, [2, 11, 2], "Differs from the document: 2 of 15 rules fail, 2 inconclusive.", "2 fail"),
        ] {
            let diagnosis = diagnosis(finding, counts);
            assert_eq!((diagnosis.to_string().as_str(), diagnosis.in_short().1.as_str()), (sentence, short));
        }
    }

    #[test]
    fn rows_are_left_out_if_the_diagnosis_explains_them() {
        let why = || "why".to_owned();
        for (finding, passed, explains) in [
            (Finding::WrongBaseUrl(why()), 0, true),
            (Finding::WrongBaseUrl(why()), 1, true),
            (Finding::Hangs(why()), 0, true),
            (Finding::Hangs(why()), 1, false),
            (Finding::AlwaysFails(why()), 1, false),
            (Finding::EndedEarly(why()), 0, false),
            (Finding::Fails, 0, false),
        ] {
            let diagnosis = diagnosis(finding, [0, passed, 14]);
            assert_eq!(diagnosis.explains_all_rows(), explains, "{diagnosis:?}");
        }
    }

    fn add(number: u32, ending: Ending) -> Exchange {
        let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: String::new() };
        exchange(number, OperationKind::add(plant), Probe::default(), ending)
    }

    fn page(status: u16) -> Ending {
        let Ending::Responded(response) = responded(status, "<!doctype html>") else { unreachable!() };
        let headers = [Header { name: "Content-Type".into(), value: "text/html".into() }].into();
        Ending::Responded(Response { headers, ..response })
    }

    #[test]
    fn three_responses_alike_are_all_responses_of_a_store() {
        let finding = |endings: Vec<Ending>| {
            let mut evidence = Evidence::default();
            for (ending, number) in endings.into_iter().zip(1..) {
                evidence.add(None, add(number, ending));
            }
            same_response(&evidence)
        };
        let fails = || responded(503, "{}");
        assert_eq!(finding(vec![fails(), fails()]), None);
        let always = Finding::AlwaysFails("response is 503 application/json".to_owned());
        assert_eq!(finding(vec![fails(), fails(), fails()]), Some(always));
        assert_eq!(finding(vec![fails(), fails(), responded(500, "{}")]), None);
        assert_eq!(finding(vec![fails(), fails(), fails(), without_response(FailureKind::TimedOut)]), None);
        assert_eq!(finding(vec![responded(404, "{}"), responded(404, "{}"), responded(404, "{}")]), None);
        let pages = || vec![page(200), page(200), page(200)];
        let no_store = Some(Finding::NotAPlantStore("200 text/html".to_owned()));
        assert_eq!(finding(pages()), no_store);
        // A proxy in front of a store that is down responds with pages, too.
        let always = Finding::AlwaysFails("response is 502 text/html".to_owned());
        assert_eq!(finding(vec![page(502), page(502), page(502)]), Some(always));
        // Responses to deletes do not count.
        let mut evidence = Evidence::default();
        for page in pages() {
            evidence.add(None, add(1, page));
        }
        let delete = exchange(9, OperationKind::Delete(PlantId(7)), Probe::default(), responded(404, "{}"));
        evidence.add(None, delete);
        assert_eq!(same_response(&evidence), no_store);
    }

    #[test]
    fn a_plant_that_cannot_be_deleted_is_named_by_its_delete() {
        for (ending, how) in [
            (responded(500, "Oops"), "500"),
            (without_response(FailureKind::NoResponse), "the connection ended without a usable response"),
        ] {
            let delete = exchange(1, OperationKind::Delete(PlantId(7)), Probe::default(), ending);
            let mut evidence = Evidence::default();
            evidence.undeletable = Some(delete);
            let sentence = obstacle(&evidence).unwrap().to_string();
            assert!(sentence.ends_with(&format!("so this one adds no more (DELETE /plants/7: {how})")), "{sentence}");
        }
        let delete = exchange(1, OperationKind::Delete(PlantId(7)), Probe::default(), responded(401, ""));
        let mut evidence = Evidence::default();
        evidence.undeletable = Some(delete);
        assert!(matches!(obstacle(&evidence), Some(Finding::TokenRejected(_))), "the token comes first");
    }

    #[test]
    fn canned_responses_are_found_only_if_a_rule_fails() {
        let canned = || responded(201, r#"{"name":"Fern","tag":""}"#);
        let mut evidence = Evidence::default();
        evidence.add(Some(Purpose::Probe(Step::Create)), add(1, canned()));
        evidence.add(Some(Purpose::Probe(Step::PlantForSecond)), add(2, canned()));
        let passes = Row::named("create-accepted").unwrap().assess(&evidence);
        let fails = RowResult { verdict: Some(Verdict::Fail), ..passes.clone() };
        assert_eq!(diagnose(&evidence, &[passes], &[], None).finding, Finding::Passes);
        assert_eq!(diagnose(&evidence, std::slice::from_ref(&fails), &[], None).finding, Finding::Canned);
        evidence.add(Some(Purpose::Probe(Step::SecondCreate)), add(3, responded(409, "")));
        assert_eq!(diagnose(&evidence, &[fails], &[], None).finding, Finding::Fails, "it is not the same for all");
    }

    #[test]
    fn what_a_verdict_lacks_is_named() {
        let finding = |rule: &str, create: Ending, delete: Ending| {
            let mut evidence = Evidence::default();
            evidence.add(Some(Purpose::Probe(Step::Create)), add(1, create));
            let delete = exchange(2, OperationKind::Delete(PlantId(7)), Probe::default(), delete);
            evidence.add(Some(Purpose::Probe(Step::Delete)), delete);
            let rule = Row::named(rule).unwrap().assess(&evidence);
            let found = diagnose(&evidence, &[rule], &[], None);
            assert_eq!(found.conclusion(), Conclusion::None);
            found.to_string()
        };
        let created = || responded(201, r#"{"name":"Fern","tag":""}"#);
        let lost = without_response(FailureKind::NoResponse);
        for (rule, create, delete, begins) in [
            ("delete-no-body", created(), lost, "Not every request was accepted or rejected: 0"),
            (
                "delete-no-body",
                created(),
                responded(403, ""),
                "The store rejected a request with the token (DELETE /plants/7: 403",
            ),
            ("delete-no-body", created(), responded(500, ""), "Every delete with the token is 500."),
            ("create-accepted", responded(503, ""), responded(404, ""), "Every create with the token is 503."),
            ("delete-takes-effect", created(), responded(204, ""), "Not every rule could be judged (the check ended"),
            ("create-media-type", with_no_type(), responded(204, ""), "No rule could be judged (the response has no"),
            ("create-accepted", responded(407, ""), responded(407, ""), "A proxy rejected the request (407"),
        ] {
            let sentence = finding(rule, create, delete);
            assert!(sentence.starts_with(begins), "{sentence}");
        }
    }

    /// Returns an accepted response with neither a body nor a media type.
    fn with_no_type() -> Ending {
        let Ending::Responded(response) = responded(201, "") else { unreachable!() };
        Ending::Responded(Response { headers: [].into(), ..response })
    }

    #[test]
    fn nothing_sent_is_explained_by_its_cause() {
        for (kind, detail, expected) in [
            (
                FailureKind::NotConnected,
                "Connection refused (os error 111)",
                Some("Nothing listens at http://plants.example"),
            ),
            (
                FailureKind::NotConnected,
                "no route to host",
                Some("No connection to http://plants.example: no route to host"),
            ),
            (
                FailureKind::NotConnectedInTime,
                "",
                Some("Nothing listens at http://plants.example: no connection within 5.0 s"),
            ),
            (FailureKind::NotBuilt, "", Some("Nothing was sent: the request could not be built")),
            (FailureKind::CancelledBeforeSending, "", None),
            (FailureKind::NoResponse, "", None),
        ] {
            let mut failed = add(1, without_response(kind));
            failed.elapsed = std::time::Duration::from_secs(5);
            if let Ending::Failed(failure) = &mut failed.ending {
                detail.clone_into(&mut failure.detail);
            }
            let mut evidence = Evidence::default();
            evidence.add(Some(Purpose::Probe(Step::Create)), failed);
            let found = nothing_sent(&evidence).map(|finding| finding.to_string());
            assert_eq!(found.as_deref(), expected, "{kind:?} {detail}");
        }
    }
}
