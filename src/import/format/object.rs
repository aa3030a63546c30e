//! Reads one plant from a JSON object, and finds the position of a fault in it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Error;
use serde_json::value::RawValue;

use super::super::row::{ImportRow, RowFault, RowNumber};
use super::error::{ITS_OWN_ID, NO_UTF_8, ReadError, id_reason};
use super::ignored::Ignored;
use super::position::Position;
use crate::domain::plant::{Field, Plant};

pub(super) struct JsonError {
    pub(super) at: Position,
    pub(super) reason: String,
    /// Whether the text could become JSON if more followed.
    pub(super) is_cut_off: bool,
}

impl JsonError {
    /// Takes a text that begins at `start`.
    pub(super) fn new(error: &Error, text: &[u8], start: Position) -> Self {
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        // The column of the error is that of the last byte read, from 1.
        let read = text.get(..(before + error.column()).saturating_sub(1)).unwrap_or(text);
        let follows_comma = read.trim_ascii_end().ends_with(b",") && text.get(read.len()) == Some(&b'}');
        let reason = if follows_comma { "a comma stands before the }: remove it" } else { "this is not JSON" };
        Self { at: start.after(read), reason: reason.to_owned(), is_cut_off: error.is_eof() }
    }
}

impl From<JsonError> for ReadError {
    fn from(JsonError { at, reason, .. }: JsonError) -> Self {
        Self::at(at, reason)
    }
}

/// Reads a text that begins at `start`, without leading white space. `None` is a plant as `plants list --json` prints it,
/// whose name is not known.
///
/// # Errors
///
/// The text is no JSON.
pub(super) fn parse(
    text: &[u8],
    start: Position,
    ignored: &mut Ignored,
) -> Result<Option<Result<ImportRow, RowFault>>, JsonError> {
    let fault = |at: usize, field, reason| {
        let Position { line, column } = start.after(text.get(..at).unwrap_or(text));
        Some(Err(RowFault { line, column, field, reason }))
    };
    let text = match str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => return Ok(fault(error.valid_up_to(), None, NO_UTF_8.to_owned())),
    };
    let json_error = |error: Error| JsonError::new(&error, text.as_bytes(), start);
    if !text.starts_with('{') {
        serde_json::from_str::<IgnoredAny>(text).map_err(json_error)?;
        let reason = format!("this is {}, and a plant is an object with name, id and tag", kind(text));
        return Ok(fault(0, None, reason));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let members = reader.deserialize_map(Wanted(ignored)).and_then(|members| reader.end().map(|()| members));
    let members = members.map_err(json_error)?;
    if members.is_unnamed() {
        ignored.unnamed += 1;
        return Ok(None);
    }
    Ok(match members.plant() {
        Ok(plant) => Some(Ok(ImportRow { number: RowNumber::of_line(start.line), plant })),
        Err(Invalid { value, field, reason }) => {
            fault(value.map_or(0, |value| offset(value, text)), Some(field), reason)
        }
    })
}

/// Returns the offset of a part of `text`.
fn offset(part: &RawValue, text: &str) -> usize {
    part.get().as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// Describes the type of a JSON value.
fn kind(value: &str) -> &'static str {
    match value.bytes().next() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a text",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        Some(_) | None => "a number",
    }
}

/// A field with a missing or invalid value.
struct Invalid<'text> {
    /// `None` if the field is missing.
    value: Option<&'text RawValue>,
    field: Field,
    reason: String,
}

/// The raw members of an object that make a plant.
#[derive(Default)]
struct Members<'text> {
    name: Option<&'text RawValue>,
    id: Option<&'text RawValue>,
    tag: Option<&'text RawValue>,
    has_state: bool,
    duplicate: Option<(Field, &'text RawValue)>,
}

impl<'text> Members<'text> {
    /// Whether this is a plant of a list of which the id alone is known.
    fn is_unnamed(&self) -> bool {
        let is_null = |value: Option<&RawValue>| value.is_some_and(|value| value.get() == "null");
        self.has_state && self.id.is_some() && is_null(self.name) && is_null(self.tag)
    }

    fn plant(self) -> Result<Plant, Invalid<'text>> {
        if let Some((field, value)) = self.duplicate {
            return Err(Invalid { value: Some(value), field, reason: format!("there is a second {}", field.word()) });
        }
        let name = string(self.name, Field::Name)?;
        let value = required(self.id, Field::Id)?;
        let id = match value.get() {
            text if text.starts_with('"') => Err("the id is a text: write it as a number, without quotes".to_owned()),
            number if number.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                number.parse().map_err(|fault| id_reason(&fault, number))
            }
            other => Err(format!("the id is {}, and must be a whole number", kind(other))),
        };
        let id = id.map_err(|reason| Invalid { value: Some(value), field: Field::Id, reason })?;
        Ok(Plant { name, id, tag: string(self.tag, Field::Tag)? })
    }
}

fn required(value: Option<&RawValue>, field: Field) -> Result<&RawValue, Invalid<'_>> {
    let advice = if field == Field::Id { format!(": {ITS_OWN_ID}") } else { String::new() };
    value.ok_or_else(|| Invalid { value: None, field, reason: format!("there is no {}{advice}", field.word()) })
}

fn string(value: Option<&RawValue>, field: Field) -> Result<String, Invalid<'_>> {
    let value = required(value, field)?;
    serde_json::from_str(value.get()).map_err(|_| {
        let word = field.word();
        let reason = if value.get().starts_with('"') {
            format!("the {word} has an escape that stands for no character: half of a surrogate pair")
        } else {
            format!("the {word} is {}: write it as a text, in double quotes", kind(value.get()))
        };
        Invalid { value: Some(value), field, reason }
    })
}

/// The name of a member, without escapes.
#[derive(Deserialize)]
struct Key<'text>(#[serde(borrow)] Cow<'text, str>);

/// Collects [`Members`], and adds the names of other members to the ignored ones.
struct Wanted<'a>(&'a mut Ignored);

impl<'text> Visitor<'text> for Wanted<'_> {
    type Value = Members<'text>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'text>>(self, mut map: A) -> Result<Members<'text>, A::Error> {
        let mut members = Members::default();
        while let Some(Key(key)) = map.next_key()? {
            let value: &RawValue = map.next_value()?;
            let (field, member) = match key.as_ref() {
                "name" => (Field::Name, &mut members.name),
                "id" => (Field::Id, &mut members.id),
                "tag" => (Field::Tag, &mut members.tag),
                other => {
                    members.has_state |= other == "state";
                    self.0.add(other);
                    continue;
                }
            };
            if member.replace(value).is_some() {
                members.duplicate.get_or_insert((field, value));
            }
        }
        Ok(members)
    }
}
