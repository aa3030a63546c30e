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

pub(super) use self::assessment::{inconclusive, open};
use super::row::{Row, row};
use super::steps::Step::{
    Create, CreateAgain, CreateAlias, CreateAsString, CreateBeside, CreateBigAfterTwin, CreateBigAgain,
    CreateNeighbourAgain, CreateOtherScheme, CreateTwin, CreateWithoutToken, CreateWrongToken, Delete, DeleteAbsent,
    DeleteBig, DeleteNeighbour, DeleteOtherScheme, DeleteTwice, DeleteTwin, DeleteWithoutToken, DeleteWrongToken,
    PlantForSecond, PlantOtherScheme, PlantWithoutToken, PlantWrongToken, SecondCreate,
};

/// All rules, by operation in the order of the document.
pub const RULES: [Row; 15] = [
    row(
        "create-accepted",
        "4.1",
        "A create with name, id and tag is accepted",
        &[Create, CreateAsString],
        create::is_accepted,
    ),
    row("create-media-type", "2", "The response to a create is application/json", &[Create], create::media_type),
    row("create-json-object", "4.1", "The response to a create is a JSON object", &[Create], create::json_object),
    row(
        "create-name-and-tag",
        "4.1",
        "The response to a create has name and tag as they were sent",
        &[PlantForSecond],
        create::name_and_tag,
    ),
    row("delete-accepted", "4.2", "A delete of a plant that was created is accepted", &[Delete], delete::is_accepted),
    row("delete-no-body", "4.2", "The response to a delete has no body data", &[Delete], delete::no_body),
    row(
        "delete-takes-effect",
        "4.2",
        "A plant is gone after its delete was accepted",
        &[DeleteTwice, DeleteAbsent, SecondCreate, CreateAgain],
        delete::takes_effect,
    ),
    row(
        "delete-single-plant",
        "4.2",
        "A delete removes one plant, and not another like it",
        &[DeleteTwice, CreateNeighbourAgain, DeleteNeighbour, DeleteAbsent, SecondCreate, CreateAgain],
        delete::single_plant,
    ),
    row(
        "delete-exact-id",
        "4.2",
        "A plant is deleted by the integer it was created with, and by no other",
        &[CreateAlias, CreateBeside, CreateTwin, DeleteTwin, CreateBigAfterTwin, DeleteBig, CreateBigAgain],
        delete::exact_id,
    ),
    row(
        "create-without-token",
        "5",
        "A create without a token is rejected",
        &[DeleteTwice, DeleteAbsent, CreateWithoutToken, PlantWithoutToken],
        token::create_is_guarded,
    ),
    row(
        "create-wrong-token",
        "5",
        "A create with a wrong token is rejected",
        &[DeleteTwice, DeleteAbsent, CreateWrongToken, PlantWrongToken],
        token::create_is_guarded,
    ),
    row(
        "create-other-scheme",
        "5",
        "A create with the token under another scheme is rejected",
        &[DeleteTwice, DeleteAbsent, CreateOtherScheme, PlantOtherScheme],
        token::create_is_guarded,
    ),
    row(
        "delete-without-token",
        "5",
        "A delete without a token is rejected",
        &[DeleteWithoutToken],
        token::delete_is_guarded,
    ),
    row(
        "delete-wrong-token",
        "5",
        "A delete with a wrong token is rejected",
        &[DeleteWrongToken],
        token::delete_is_guarded,
    ),
    row(
        "delete-other-scheme",
        "5",
        "A delete with the token under another scheme is rejected",
        &[DeleteOtherScheme],
        token::delete_is_guarded,
    ),
];
