//! The clauses: every statement of the document that can be observed from outside, each with its
//! probes and its judgement.
//!
//! A judgement is a pure function of what was seen. It never rests on an answer that did not
//! come: where there is none, nothing can be told.

#![expect(clippy::wildcard_enum_match_arm, reason = "what is no yes and no no is told in one place")]

use super::report::{Judged, Untold, Verdict};
use super::seen::{Said, Seen, is_about_the_caller, line, other_number, says_absent, status};
use super::steps::Step;
use crate::domain::outcome::differences;
use crate::domain::text::clean_fit;
use crate::domain::{Answer, BodyEnd, Difference, Exchange, OperationId, Outcome};

/// A statement of the document.
#[derive(Debug)]
pub struct Clause {
    /// Its stable name.
    pub name: &'static str,
    /// Where it stands in `interface.md`.
    pub section: &'static str,
    /// What the store is to do, in words for people.
    pub statement: &'static str,
    /// The probes that it is judged by.
    pub(super) steps: &'static [Step],
    judge: fn(&Seen) -> Judgement,
}

/// What the exchanges say, before it has a name.
pub(super) struct Judgement {
    verdict: Verdict,
    untold: Option<Untold>,
    evidence: String,
    exchanges: Vec<OperationId>,
}

/// All clauses, in the order of the document's operations.
pub const CLAUSES: [Clause; 14] = [
    Clause {
        name: "create-accepted",
        section: "4.1",
        statement: "A create with name, id and tag is accepted",
        steps: &[Step::Create],
        judge: create_accepted,
    },
    Clause {
        name: "create-media-type",
        section: "2",
        statement: "The answer to a create is application/json",
        steps: &[Step::Create],
        judge: media_type,
    },
    Clause {
        name: "create-json-object",
        section: "4.1",
        statement: "The answer to a create is a JSON object",
        steps: &[Step::Create],
        judge: json_object,
    },
    Clause {
        name: "create-name-and-tag",
        section: "4.1",
        statement: "It has name and tag, as strings equal to what was sent",
        steps: &[Step::Create],
        judge: name_and_tag,
    },
    Clause {
        name: "delete-accepted",
        section: "4.2",
        statement: "A delete of a plant that is there is accepted",
        steps: &[Step::Create, Step::Delete],
        judge: delete_accepted,
    },
    Clause {
        name: "delete-no-body",
        section: "4.2",
        statement: "The answer to a delete has no body data",
        steps: &[Step::Create, Step::Delete],
        judge: no_body,
    },
    Clause {
        name: "delete-single-plant",
        section: "4.2",
        statement: "A delete takes one plant away, and not another like it",
        steps: &[
            Step::Create,
            Step::CreateNeighbour,
            Step::Delete,
            Step::DeleteTwice,
            Step::DeleteAbsent,
            Step::DeleteNeighbour,
        ],
        judge: single_plant,
    },
    Clause {
        name: "delete-exact-id",
        section: "4.2",
        statement: "A plant is deleted by the integer it was created with, and by no other",
        steps: &[Step::Create, Step::Delete, Step::CreateBig, Step::DeleteTwin, Step::DeleteBig],
        judge: exact_id,
    },
    Clause {
        name: "create-without-token",
        section: "5",
        statement: "A create without a token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::DeleteAbsent, Step::CreateWithoutToken, Step::PlantWithoutToken],
        judge: |seen| create_is_guarded(seen, Step::CreateWithoutToken, Step::PlantWithoutToken),
    },
    Clause {
        name: "create-wrong-token",
        section: "5",
        statement: "A create with a wrong token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::DeleteAbsent, Step::CreateWrongToken, Step::PlantWrongToken],
        judge: |seen| create_is_guarded(seen, Step::CreateWrongToken, Step::PlantWrongToken),
    },
    Clause {
        name: "create-other-scheme",
        section: "5",
        statement: "A create with the token under another scheme is not accepted",
        steps: &[Step::Create, Step::Delete, Step::DeleteAbsent, Step::CreateOtherScheme, Step::PlantOtherScheme],
        judge: |seen| create_is_guarded(seen, Step::CreateOtherScheme, Step::PlantOtherScheme),
    },
    Clause {
        name: "delete-without-token",
        section: "5",
        statement: "A delete without a token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::PlantWithoutToken, Step::DeleteWithoutToken],
        judge: |seen| delete_is_guarded(seen, Step::DeleteWithoutToken),
    },
    Clause {
        name: "delete-wrong-token",
        section: "5",
        statement: "A delete with a wrong token is not accepted",
        steps: &[Step::Create, Step::Delete, Step::PlantWrongToken, Step::DeleteWrongToken],
        judge: |seen| delete_is_guarded(seen, Step::DeleteWrongToken),
    },
    Clause {
        name: "delete-other-scheme",
        section: "5",
        statement: "A delete with the token under another scheme is not accepted",
        steps: &[Step::Create, Step::Delete, Step::PlantOtherScheme, Step::DeleteOtherScheme],
        judge: |seen| delete_is_guarded(seen, Step::DeleteOtherScheme),
    },
];

impl Clause {
    /// The clause of this name.
    pub fn called(name: &str) -> Option<&'static Self> {
        CLAUSES.iter().find(|clause| clause.name == name)
    }

    pub(super) fn judged(&self, seen: &Seen) -> Judged {
        let Judgement { verdict, untold, evidence, exchanges } = (self.judge)(seen);
        Judged { name: self.name.to_owned(), verdict, untold, evidence, exchanges }
    }
}

fn judgement(verdict: Verdict, untold: Option<Untold>, evidence: String, on: &[&Exchange]) -> Judgement {
    Judgement { verdict, untold, evidence, exchanges: on.iter().map(|exchange| exchange.operation.id).collect() }
}

fn kept(on: &[&Exchange]) -> Judgement {
    let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
    judgement(Verdict::Kept, None, lines.join("; "), on)
}

fn broken(what: &str, on: &[&Exchange]) -> Judgement {
    judgement(Verdict::Broken, None, with_lines(what, on), on)
}

fn with_lines(words: &str, on: &[&Exchange]) -> String {
    let lines: Vec<_> = on.iter().map(|exchange| line(exchange)).collect();
    if lines.is_empty() { words.to_owned() } else { format!("{words}: {}", lines.join("; ")) }
}

fn untold(why: Untold, reason: &str, on: &[&Exchange]) -> Judgement {
    judgement(Verdict::CouldNotTell, Some(why), with_lines(reason, on), on)
}

/// There was no yes, and no no that is about what was asked.
fn open(said: Said<'_>) -> Judgement {
    match said {
        Said::Open(exchange) => {
            let (why, reason) = match exchange.outcome() {
                Outcome::NotSent => (Untold::NotSent, "nothing reached the store"),
                Outcome::Accepted | Outcome::Refused | Outcome::Unknown => {
                    (Untold::NotAnswered, "no answer settles it")
                }
            };
            untold(why, reason, &[exchange])
        }
        Said::Yes(exchange, answer) | Said::No(exchange, answer) => {
            let why = if answer.status == 429 { "it asks for fewer requests" } else { "the token is refused" };
            untold(Untold::NotAnswered, why, &[exchange])
        }
        Said::Skipped(why) => untold(Untold::NotAnswered, why, &[]),
    }
}

/// The create in the document's own words was not accepted, so that there is no answer to judge.
fn no_yes_to_a_create(said: Said<'_>) -> Judgement {
    match said {
        Said::No(exchange, _) => untold(Untold::NotAnswered, "no create was accepted", &[exchange]),
        Said::Yes(..) | Said::Open(_) | Said::Skipped(_) => open(said),
    }
}

fn create_accepted(seen: &Seen) -> Judgement {
    match seen.said(Step::Create) {
        Said::Yes(exchange, _) => kept(&[exchange]),
        Said::No(exchange, answer) if !is_about_the_caller(answer.status) => {
            let what = match answer.status {
                300..=399 => "it points elsewhere, and redirects are never followed",
                404 => "it is refused; the base URL may be wrong",
                _ => "it is refused",
            };
            broken(what, &[exchange])
        }
        said => open(said),
    }
}

fn media_type(seen: &Seen) -> Judgement {
    let (exchange, answer) = match seen.said(Step::Create) {
        Said::Yes(exchange, answer) => (exchange, answer),
        said => return no_yes_to_a_create(said),
    };
    match answer.header("content-type") {
        Some(value) if essence(value).eq_ignore_ascii_case("application/json") => {
            judgement(Verdict::Kept, None, format!("content-type: {}", clean_fit(value, 60)), &[exchange])
        }
        Some(value) => broken(&format!("it is {}", clean_fit(value, 60)), &[exchange]),
        None if answer.body.is_empty() => {
            untold(Untold::NotVisible, "the answer has no body and no media type", &[exchange])
        }
        None => broken("it has no content-type", &[exchange]),
    }
}

/// A media type without its parameters (RFC 9110 §8.3.1).
fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

/// What is unlike the document in the answer to the create; or why there is no whole answer.
fn answer_to_create(seen: &Seen) -> Result<(&Exchange, Vec<Difference>), Judgement> {
    let (exchange, answer) = match seen.said(Step::Create) {
        Said::Yes(exchange, answer) => (exchange, answer),
        said => return Err(no_yes_to_a_create(said)),
    };
    if let Some(coding) = answer.header("content-encoding").filter(|coding| !coding.eq_ignore_ascii_case("identity")) {
        let why = format!("the answer is packed as {}, which was not asked for and is not read", clean_fit(coding, 20));
        return Err(untold(Untold::NotVisible, &why, &[]));
    }
    match &answer.body_end {
        BodyEnd::Complete => Ok((exchange, differences(&exchange.operation.ask, answer))),
        BodyEnd::CutOff(_) => Err(untold(Untold::NotAnswered, "the answer breaks off", &[exchange])),
        BodyEnd::Capped(_) | BodyEnd::Trimmed => {
            Err(untold(Untold::NotAnswered, "not all of the answer was read", &[exchange]))
        }
    }
}

fn is_no_object(difference: &Difference) -> bool {
    matches!(difference, Difference::Empty | Difference::NotJson | Difference::NotAnObject)
}

fn json_object(seen: &Seen) -> Judgement {
    let (exchange, found) = match answer_to_create(seen) {
        Ok(answer) => answer,
        Err(judgement) => return judgement,
    };
    match found.iter().find(|difference| is_no_object(difference)) {
        None => kept(&[exchange]),
        Some(difference) => broken(&difference.to_string(), &[exchange]),
    }
}

fn name_and_tag(seen: &Seen) -> Judgement {
    let (exchange, found) = match answer_to_create(seen) {
        Ok(answer) => answer,
        Err(judgement) => return judgement,
    };
    if found.is_empty() {
        return kept(&[exchange]);
    }
    if found.iter().any(is_no_object) {
        return untold(Untold::NotVisible, "the answer is no JSON object", &[exchange]);
    }
    let words: Vec<_> = found.iter().map(ToString::to_string).collect();
    broken(&words.join(", "), &[exchange])
}

fn delete_accepted(seen: &Seen) -> Judgement {
    match seen.said(Step::Delete) {
        Said::Yes(exchange, _) => kept(&[exchange]),
        Said::No(exchange, answer) if !is_about_the_caller(answer.status) => match seen.said(Step::Create) {
            Said::Yes(create, created) if created.status == 202 && says_absent(answer) => {
                let why = "its create was accepted for later, and it is not there yet";
                untold(Untold::NotAnswered, why, &[create, exchange])
            }
            _ => broken("it is refused, though the create of the plant was accepted", &[exchange]),
        },
        said => open(said),
    }
}

fn no_body(seen: &Seen) -> Judgement {
    match seen.said(Step::Delete) {
        Said::Yes(exchange, answer) if !answer.body.is_empty() => {
            broken(&format!("a body of {} bytes", answer.body.len()), &[exchange])
        }
        Said::Yes(exchange, Answer { body_end: BodyEnd::Complete, .. }) => kept(&[exchange]),
        Said::Yes(exchange, _) => untold(Untold::NotAnswered, "the answer breaks off", &[exchange]),
        Said::No(exchange, _) => untold(Untold::NotAnswered, "no delete was accepted", &[exchange]),
        said @ (Said::Open(_) | Said::Skipped(_)) => open(said),
    }
}

/// Whether a delete of what is not there is accepted, too: then a yes shows nothing.
fn says_yes_to_nothing(seen: &Seen) -> bool {
    seen.said(Step::DeleteAbsent).is_yes()
}

fn single_plant(seen: &Seen) -> Judgement {
    if let Said::No(exchange, answer) = seen.said(Step::CreateNeighbour)
        && seen.said(Step::Create).is_yes()
        && !is_about_the_caller(answer.status)
    {
        return untold(Untold::NotVisible, "another plant with the same name and tag is refused here", &[exchange]);
    }
    if let (Said::Yes(one, answer), Said::Yes(again, _)) = (seen.said(Step::Delete), seen.said(Step::DeleteTwice))
        && answer.status != 202
        && matches!(seen.said(Step::DeleteAbsent), Said::No(_, absent) if says_absent(absent))
    {
        return broken("it says yes and the plant stays: a second delete finds it", &[one, again]);
    }
    match (seen.said(Step::Delete), seen.said(Step::DeleteNeighbour)) {
        (Said::Yes(one, _), Said::Yes(other, _)) if !says_yes_to_nothing(seen) => kept(&[one, other]),
        (Said::Yes(one, _), Said::Yes(other, _)) => {
            let why = "a delete of an id that is not there is accepted as well, so that a yes shows nothing";
            untold(Untold::NotVisible, why, &[one, other])
        }
        (Said::Yes(one, _), Said::No(other, answer)) if says_absent(answer) => {
            broken("after it, the plant with the next id and the same name and tag is gone", &[one, other])
        }
        (Said::Yes(one, _), Said::No(other, answer)) if !is_about_the_caller(answer.status) => {
            untold(Untold::NotAnswered, "the delete of the other plant is refused otherwise", &[one, other])
        }
        (Said::No(exchange, _), _) => untold(Untold::NotAnswered, "no delete was accepted", &[exchange]),
        (Said::Yes(..), said) | (said, _) => open(said),
    }
}

fn exact_id(seen: &Seen) -> Judgement {
    if let Said::No(exchange, _) = seen.said(Step::Delete) {
        return untold(Untold::NotAnswered, "no delete was accepted", &[exchange]);
    }
    let (create, answer) = match seen.said(Step::CreateBig) {
        Said::Yes(exchange, answer) => (exchange, answer),
        Said::Skipped(why) if seen.said(Step::SecondCreate).is_yes() => return untold(Untold::NotVisible, why, &[]),
        Said::Open(exchange) if exchange.answer().is_some() && seen.said(Step::Create).is_yes() => {
            return untold(
                Untold::NotVisible,
                "this store fails at an id that is large enough to show it",
                &[exchange],
            );
        }
        Said::No(exchange, answer) if (400..500).contains(&answer.status) && !is_about_the_caller(answer.status) => {
            let why = "no id is taken here that is large enough to show it; the document gives no bounds";
            return untold(Untold::NotVisible, why, &[exchange]);
        }
        said => return open(said),
    };
    if let Some(other) = other_number(create, answer) {
        return broken(&format!("it came back as {other}"), &[create]);
    }
    match (seen.said(Step::DeleteTwin), seen.said(Step::DeleteBig)) {
        (Said::Yes(twin, _), Said::No(exact, answer)) if !is_about_the_caller(answer.status) => {
            broken("another id took the plant away", &[create, twin, exact])
        }
        (Said::Yes(twin, _), Said::Yes(exact, _)) => {
            let why = "deletes of both ids are accepted, so that a yes shows nothing";
            untold(Untold::NotVisible, why, &[twin, exact])
        }
        (Said::No(twin, answer), Said::Yes(exact, _)) if !is_about_the_caller(answer.status) => {
            kept(&[create, twin, exact])
        }
        (Said::No(..), Said::No(exact, answer)) if !is_about_the_caller(answer.status) => {
            broken("the id it was created with does not delete it", &[create, exact])
        }
        (said @ (Said::Open(_) | Said::Skipped(_)), _) | (_, said) => open(said),
    }
}

/// A request that does not present the right token; `control` is the same with it.
fn is_guarded(said: Said<'_>, control: Option<&Exchange>) -> Judgement {
    let accepts = |control: &Exchange| control.outcome() == Outcome::Accepted;
    match (said, control) {
        (Said::Yes(exchange, _), _) => broken("it is accepted", &[exchange]),
        (Said::No(exchange, answer), _) if matches!(answer.status, 401 | 403) => kept(&[exchange]),
        (Said::No(exchange, answer), _) if is_about_the_caller(answer.status) => open(Said::Open(exchange)),
        (Said::No(exchange, _), Some(control)) if accepts(control) => kept(&[exchange, control]),
        (Said::No(exchange, _), _) => {
            let why = "it is refused, but not for its token as far as can be seen";
            untold(Untold::NotAnswered, why, &[exchange])
        }
        (said @ (Said::Open(_) | Said::Skipped(_)), _) => open(said),
    }
}

fn create_is_guarded(seen: &Seen, step: Step, with_token: Step) -> Judgement {
    let control = match seen.said(with_token) {
        Said::Yes(exchange, _) | Said::No(exchange, _) | Said::Open(exchange) => Some(exchange),
        Said::Skipped(_) => None,
    };
    let there = seen.cleaned(step).first().filter(|delete| delete.outcome() == Outcome::Accepted);
    if let (Said::No(refused, _), Some(there)) = (seen.said(step), there.filter(|_| !says_yes_to_nothing(seen))) {
        return broken("it is refused, and the plant was there all the same", &[refused, there]);
    }
    is_guarded(seen.said(step), control)
}

fn delete_is_guarded(seen: &Seen, step: Step) -> Judgement {
    let tries = seen.cleaned(step.plot());
    let absent = tries.first().filter(|delete| delete.answer().is_some_and(says_absent));
    if let (Said::No(refused, _), Some(absent), Said::Yes(..)) = (seen.said(step), absent, seen.said(Step::Delete)) {
        return broken("it is refused, and the plant is gone all the same", &[refused, absent]);
    }
    is_guarded(seen.said(step), tries.iter().find(|delete| delete.outcome() == Outcome::Accepted))
}

/// The status of a yes; for other tables of the check.
pub(super) fn status_of(said: Said<'_>) -> Option<String> {
    match said {
        Said::Yes(_, answer) | Said::No(_, answer) => Some(status(answer)),
        Said::Open(_) | Said::Skipped(_) => None,
    }
}
