//! The rules: every statement of the document that can be observed from outside, with its probes and its
//! assessment.
//!
//! An assessment is a pure function of the evidence of a run. It never rests on a response that did not come:
//! where one is missing, the rule is inconclusive. Must not know how a run gathers evidence.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "one function explains every probe that was neither accepted nor rejected"
)]

mod assessment;
pub(super) mod create;
pub(super) mod delete;
mod token;

pub(super) use self::assessment::why_open;
use self::assessment::{Assessed, open};
pub use self::assessment::{Reason, RuleResult, Verdict};
use super::evidence::{Evidence, ProbeResult};
use super::steps::Step::{
    self, Create, CreateAgain, CreateAlias, CreateAsString, CreateBeside, CreateBigAfterTwin, CreateBigAgain,
    CreateNeighbourAgain, CreateOtherScheme, CreateTwin, CreateWithoutToken, CreateWrongToken, Delete, DeleteAbsent,
    DeleteBig, DeleteNeighbour, DeleteOtherScheme, DeleteTwice, DeleteTwin, DeleteWithoutToken, DeleteWrongToken,
    PlantForSecond, PlantOtherScheme, PlantWithoutToken, PlantWrongToken, SecondCreate,
};

/// A statement of the document.
#[derive(Debug)]
pub struct Rule {
    /// Stays the same in all releases.
    pub name: &'static str,
    /// Its section of `interface.md`.
    pub section: &'static str,
    /// The required behaviour, as a sentence.
    pub statement: &'static str,
    /// The probes whose ends decide the rule. Their prerequisites are not listed.
    pub(super) steps: &'static [Step],
    assess: fn(&Evidence, &[Step]) -> Assessed,
}

const fn rule(
    name: &'static str,
    section: &'static str,
    statement: &'static str,
    steps: &'static [Step],
    assess: fn(&Evidence, &[Step]) -> Assessed,
) -> Rule {
    Rule { name, section, statement, steps, assess }
}

/// All rules, by operation in the order of the document.
pub const RULES: [Rule; 15] = [
    rule(
        "create-accepted",
        "4.1",
        "A create with name, id and tag is accepted",
        &[Create, CreateAsString],
        create::is_accepted,
    ),
    rule("create-media-type", "2", "The response to a create is application/json", &[Create], create::media_type),
    rule("create-json-object", "4.1", "The response to a create is a JSON object", &[Create], create::json_object),
    rule(
        "create-name-and-tag",
        "4.1",
        "The response to a create has name and tag as they were sent",
        &[PlantForSecond],
        create::name_and_tag,
    ),
    rule("delete-accepted", "4.2", "A delete of a plant that was created is accepted", &[Delete], delete::is_accepted),
    rule("delete-no-body", "4.2", "The response to a delete has no body data", &[Delete], delete::no_body),
    rule(
        "delete-takes-effect",
        "4.2",
        "A plant is gone after its delete was accepted",
        &[DeleteTwice, DeleteAbsent, SecondCreate, CreateAgain],
        delete::takes_effect,
    ),
    rule(
        "delete-single-plant",
        "4.2",
        "A delete removes one plant, and not another like it",
        &[DeleteTwice, CreateNeighbourAgain, DeleteNeighbour, DeleteAbsent, SecondCreate, CreateAgain],
        delete::single_plant,
    ),
    rule(
        "delete-exact-id",
        "4.2",
        "A plant is deleted by the integer it was created with, and by no other",
        &[CreateAlias, CreateBeside, CreateTwin, DeleteTwin, CreateBigAfterTwin, DeleteBig, CreateBigAgain],
        delete::exact_id,
    ),
    rule(
        "create-without-token",
        "5",
        "A create without a token is rejected",
        &[DeleteTwice, DeleteAbsent, CreateWithoutToken, PlantWithoutToken],
        token::create_is_guarded,
    ),
    rule(
        "create-wrong-token",
        "5",
        "A create with a wrong token is rejected",
        &[DeleteTwice, DeleteAbsent, CreateWrongToken, PlantWrongToken],
        token::create_is_guarded,
    ),
    rule(
        "create-other-scheme",
        "5",
        "A create with the token under another scheme is rejected",
        &[DeleteTwice, DeleteAbsent, CreateOtherScheme, PlantOtherScheme],
        token::create_is_guarded,
    ),
    rule(
        "delete-without-token",
        "5",
        "A delete without a token is rejected",
        &[DeleteWithoutToken],
        token::delete_is_guarded,
    ),
    rule(
        "delete-wrong-token",
        "5",
        "A delete with a wrong token is rejected",
        &[DeleteWrongToken],
        token::delete_is_guarded,
    ),
    rule(
        "delete-other-scheme",
        "5",
        "A delete with the token under another scheme is rejected",
        &[DeleteOtherScheme],
        token::delete_is_guarded,
    ),
];

impl Rule {
    pub fn named(name: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.name == name)
    }

    pub(super) fn assess(&self, evidence: &Evidence) -> RuleResult {
        let assessed = (self.assess)(evidence, self.steps).or_else(|found| self.or_missing(evidence, found));
        let (Ok(result) | Err(result)) = assessed;
        RuleResult { name: self.name.to_owned(), elapsed: evidence.elapsed(&result.exchanges), ..result }
    }

    /// Explains an inconclusive rule by a probe without an outcome, if it has one that is not explained: with its
    /// response, the store might show what it does not show now.
    fn or_missing(&self, evidence: &Evidence, found: RuleResult) -> Assessed {
        if found.reason != Some(Reason::NotVisible) {
            return Err(found);
        }
        let mut steps = self.steps.iter().flat_map(|step| step.prerequisites().into_iter().chain([*step]));
        let missing = steps.find_map(|step| {
            let result = evidence.result(step);
            let ProbeResult::Unknown(exchange) = result else { return None };
            (!found.exchanges.contains(&exchange.operation.id)).then_some(result)
        });
        missing.map_or(Err(found), open)
    }
}

impl RuleResult {
    /// Returns the section of `interface.md`; `None` for a name of another release.
    pub fn section(&self) -> Option<&'static str> {
        Rule::named(&self.name).map(|rule| rule.section)
    }

    /// Returns the required behaviour; for a name of another release the name.
    pub fn statement(&self) -> &str {
        Rule::named(&self.name).map_or(&self.name, |rule| rule.statement)
    }
}
