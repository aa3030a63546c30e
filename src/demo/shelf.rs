//! Stores the plants of the demo store, and parses a plant from a request body.
//!
//! Defines its own plant on purpose: a mistake of the client must not be repeated here.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

/// A plant as posted, and as the response shows it: without its id (`interface.md` §2, rule 2).
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Plant {
    pub(super) name: String,
    #[serde(skip)]
    pub(super) id: i64,
    pub(super) tag: String,
}

impl Plant {
    /// Parses a body; ignores fields that the document does not show.
    ///
    /// # Errors
    ///
    /// The body is not a plant, for this reason.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        let body = serde_json::from_slice(body).map_err(|why| format!("the body is not JSON: {why}"))?;
        let Value::Object(fields) = body else {
            return Err("the body must be a JSON object with name, id and tag".to_owned());
        };
        let field = |name: &str| fields.get(name).ok_or_else(|| format!("{name} is missing"));
        let string =
            |name: &str| field(name)?.as_str().map(str::to_owned).ok_or_else(|| format!("{name} must be a string"));
        Ok(Self {
            name: string("name")?,
            // 7.0 and 7e0 are floats to the parser.
            id: field("id")?.as_i64().ok_or("id must be an integer of 64 bits, without fraction or exponent")?,
            tag: string("tag")?,
        })
    }
}

/// Parses the id in a path: a 64-bit integer in its plain decimal spelling (no `+7`, no `007`).
pub(super) fn path_id(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|id| id.to_string() == text)
}

/// The stored plants: only their ids, since no operation of the interface reads a name.
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<HashSet<i64>>);

impl Shelf {
    /// Returns `false` if the id is taken.
    pub(super) fn insert(&self, id: i64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id)
    }

    /// Returns `false` if there is no such plant.
    pub(super) fn remove(&self, id: i64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Plant, String> {
        Plant::read(body.as_bytes())
    }

    #[test]
    fn a_plant_is_parsed_exactly() {
        for id in [i64::MIN, -1, 0, 9_007_199_254_740_993, i64::MAX] {
            let plant = read(&format!(r#"{{"tag":"t","name":"Échevéria","id":{id},"colour":"red"}}"#)).unwrap();
            assert_eq!(plant, Plant { name: "Échevéria".into(), id, tag: "t".into() });
        }
    }

    #[test]
    fn an_error_names_its_field() {
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
