//! One difference of a response from the document (`interface.md` §4), and its sentence. Must not know how it is found.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::text::clean_fit;

/// The most columns of a value quoted in a mismatch.
const QUOTED_COLUMNS: usize = 80;

/// One difference between an accepted response and the document (`interface.md` §4). Its names in the code are stored in
/// journals and published to teams: they never change.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Mismatch {
    #[error("the response is {}, not application/json", cut(.0))]
    MediaType(String),
    #[error("the response has a body and no Content-Type, not application/json")]
    NoMediaType,
    /// The body has this content coding, although the request excluded any; nothing decodes it.
    #[error("{}, so its body cannot be compared", encoded(.0))]
    Encoded(String),
    #[error("the response is cut off: {}", cut(.0))]
    CutOff(String),
    /// The body is longer than the cap, in bytes.
    #[error("the response is longer than {0} bytes; the rest was not read")]
    TooLong(usize),
    #[error("the response has no body, not a JSON object with name and tag")]
    Empty,
    #[error("the response is not JSON")]
    NotJson,
    #[error("the response is JSON, but not an object")]
    NotAnObject,
    #[error("the response has no {0}")]
    Missing(Field),
    #[error("the {0} in the response is not a string")]
    NotAString(Field),
    #[error("{field} was sent as {} and came back as {}", cut(&format!("{sent:?}")), cut(&format!("{came:?}")))]
    Changed { field: Field, sent: String, came: String },
    /// The response to a delete has a body, of which so many bytes were read.
    #[error("the response to a delete has a body of {0} bytes; the document says it has none")]
    BodyOnDelete(usize),
}

/// A field of the body, displayed as its name. Stored as [`Mismatch`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::IntoStaticStr, Serialize, Deserialize)]
#[strum(serialize_all = "lowercase")]
pub enum Field {
    Name,
    Tag,
}

fn cut(value: &str) -> String {
    clean_fit(value, QUOTED_COLUMNS)
}

/// Says that a response is compressed; cleans and cuts the coding, which is foreign text.
pub(super) fn encoded(coding: &str) -> String {
    format!("the response is compressed with {}, which was not requested, and is not decoded", clean_fit(coding, 20))
}
