//! What the demo store keeps, and how it reads a plant from a body.
//!
//! Has its own idea of a plant, on purpose: the client's mistakes must not be mirrored here.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

/// A plant as a caller posts it, and as the response shows it: without its id
/// (`interface.md` §2, rule 2).
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Plant {
    pub(super) name: String,
    #[serde(skip)]
    pub(super) id: i64,
    pub(super) tag: String,
}

/// Why a body is no plant.
#[derive(Debug)]
pub(super) enum PlantFault {
    NotJson(serde_json::Error),
    NotAnObject,
    Missing(&'static str),
    NotAString(&'static str),
    NotAnId,
}

impl fmt::Display for PlantFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(fault) => write!(f, "the body is not JSON: {fault}"),
            Self::NotAnObject => f.write_str("the body must be a JSON object with name, id and tag"),
            Self::Missing(field) => write!(f, "{field} is missing"),
            Self::NotAString(field) => write!(f, "{field} must be a string"),
            Self::NotAnId => f.write_str("id must be an integer of 64 bits, without fraction or exponent"),
        }
    }
}

impl std::error::Error for PlantFault {}

impl Plant {
    /// Reads a body; fields that the document does not show are ignored.
    pub(super) fn read(body: &[u8]) -> Result<Self, PlantFault> {
        let Value::Object(mut fields) = serde_json::from_slice(body).map_err(PlantFault::NotJson)? else {
            return Err(PlantFault::NotAnObject);
        };
        let mut field = |name: &'static str| fields.remove(name).ok_or(PlantFault::Missing(name));
        let (name, id, tag) = (field("name")?, field("id")?, field("tag")?);
        Ok(Self {
            name: string("name", name)?,
            // Only integers that fit; what was written as 7.0 or 7e0 is a float to the parser.
            id: id.as_i64().ok_or(PlantFault::NotAnId)?,
            tag: string("tag", tag)?,
        })
    }
}

fn string(field: &'static str, value: Value) -> Result<String, PlantFault> {
    match value {
        Value::String(text) => Ok(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(PlantFault::NotAString(field))
        }
    }
}

/// The id in a path: a decimal integer of 64 bits in its one plain spelling (no `+7`, no `007`).
pub(super) fn path_id(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|id| id.to_string() == text)
}

/// The plants that are there. Only their ids: no operation of the interface ever reads a name back.
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<HashSet<i64>>);

impl Shelf {
    /// Whether there was room for it: false if the id is there already.
    pub(super) fn put(&self, id: i64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id)
    }

    /// Whether it was there.
    pub(super) fn take(&self, id: i64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Plant, String> {
        Plant::read(body.as_bytes()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_plant_is_read_exactly() {
        for id in [i64::MIN, -1, 0, 9_007_199_254_740_993, i64::MAX] {
            let plant = read(&format!(r#"{{"tag":"t","name":"Échevéria","id":{id},"colour":"red"}}"#)).unwrap();
            assert_eq!(plant, Plant { name: "Échevéria".into(), id, tag: "t".into() });
        }
    }

    #[test]
    fn a_fault_names_its_field() {
        for (body, named) in [
            ("", "not JSON"),
            ("{", "not JSON"),
            ("[]", "JSON object"),
            (r#"{"id":7,"tag":"t"}"#, "name is missing"),
            (r#"{"name":"n","tag":"t"}"#, "id is missing"),
            (r#"{"name":"n","id":7}"#, "tag is missing"),
            (r#"{"name":7,"id":7,"tag":"t"}"#, "name must be a string"),
            (r#"{"name":"n","id":7,"tag":null}"#, "tag must be a string"),
        ] {
            assert!(read(body).unwrap_err().contains(named), "{body}");
        }
        for id in ["7.0", "7e0", "\"7\"", "null", "9223372036854775808", "-9223372036854775809", "[7]", "true"] {
            let fault = read(&format!(r#"{{"name":"n","id":{id},"tag":"t"}}"#)).unwrap_err();
            assert!(fault.contains("id must be an integer"), "{id}: {fault}");
        }
    }

    #[test]
    fn an_id_in_a_path_has_one_spelling() {
        assert_eq!(path_id("7"), Some(7));
        assert_eq!(path_id("-9223372036854775808"), Some(i64::MIN));
        for no_id in ["", "seven", "7.0", "+7", "007", "-0", " 7", "9223372036854775808"] {
            assert_eq!(path_id(no_id), None, "{no_id:?}");
        }
    }
}
