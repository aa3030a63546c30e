//! One plant as a JSON object, with the place of what is wrong in it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Error;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::super::row::{ImportRow, RowFault};
use super::error::{NO_UTF_8, id_reason};
use super::ignored::Ignored;
use super::place::Place;
use crate::domain::plant::{Field, Plant};

pub(super) struct NoJson {
    pub(super) at: Place,
    pub(super) reason: String,
    /// Whether it could become JSON if more followed.
    pub(super) is_cut_off: bool,
}

/// Reads a text that begins at `place`, and has no white space before its first character.
///
/// # Errors
///
/// It is no JSON.
pub(super) fn parse(text: &[u8], place: Place, ignored: &mut Ignored) -> Result<Result<ImportRow, RowFault>, NoJson> {
    let fault = |at: usize, field, reason| {
        let Place { line, column } = place.behind(text.get(..at).unwrap_or(text));
        Err(RowFault { line, column, field, reason })
    };
    let text = match str::from_utf8(text) {
        Ok(text) => text,
        Err(why) => return Ok(fault(why.valid_up_to(), None, NO_UTF_8.to_owned())),
    };
    let no_json = |why: Error| no_json(&why, text, place);
    if !text.starts_with('{') {
        serde_json::from_str::<IgnoredAny>(text).map_err(no_json)?;
        let is = Kind::of(text).word();
        let reason = format!("this is {is}, and a plant is an object with name, id and tag");
        return Ok(fault(0, None, reason));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let members = Wanted(ignored).deserialize(&mut reader).and_then(|members| reader.end().map(|()| members));
    Ok(match members.map_err(no_json)?.plant() {
        Ok(plant) => Ok(ImportRow { line: place.line, plant }),
        Err(Wrong { value, field, reason }) => fault(value.map_or(0, |value| offset(value, text)), Some(field), reason),
    })
}

/// Where in `text` a part of it begins.
fn offset(part: &RawValue, text: &str) -> usize {
    part.get().as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

fn no_json(why: &Error, text: &str, place: Place) -> NoJson {
    let lines_before = why.line().saturating_sub(1);
    let before: usize = text.split_inclusive('\n').take(lines_before).map(str::len).sum();
    // Its column is that of the byte it has read last, from 1.
    let at = (before + why.column()).saturating_sub(1);
    let at = place.behind(text.as_bytes().get(..at).unwrap_or(text.as_bytes()));
    let told = why.to_string();
    let is_cut_off = why.classify() == Category::Eof;
    let words = told.rsplit_once(" at line ").map_or(told.as_str(), |(words, _)| words);
    NoJson { at, reason: format!("this is no JSON: {}", if is_cut_off { "it breaks off" } else { words }), is_cut_off }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    Text,
    Number,
    Truth,
    Null,
}

impl Kind {
    fn of(value: &str) -> Self {
        match value.bytes().next() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::Text,
            Some(b't' | b'f') => Self::Truth,
            Some(b'n') => Self::Null,
            Some(_) | None => Self::Number,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Truth => "true or false",
            Self::Null => "null",
        }
    }
}

/// What stands where a field belongs.
struct Wrong<'text> {
    /// `None` where nothing does.
    value: Option<&'text RawValue>,
    field: Field,
    reason: String,
}

/// The members of an object that make a plant, as they stand there.
#[derive(Default)]
struct Members<'text> {
    name: Option<&'text RawValue>,
    id: Option<&'text RawValue>,
    tag: Option<&'text RawValue>,
    twice: Option<(Field, &'text RawValue)>,
}

impl<'text> Members<'text> {
    fn plant(self) -> Result<Plant, Wrong<'text>> {
        if let Some((field, value)) = self.twice {
            return Err(Wrong { value: Some(value), field, reason: format!("there is a second {}", field.word()) });
        }
        let name = string(self.name, Field::Name)?;
        let value = there(self.id, Field::Id)?;
        let id = match Kind::of(value.get()) {
            Kind::Number => value.get().parse().map_err(|why| id_reason(&why, value.get())),
            Kind::Text => Err("the id is a text: write it as a number, without quotes".to_owned()),
            other @ (Kind::Object | Kind::Array | Kind::Truth | Kind::Null) => {
                Err(format!("the id is {}, and must be a whole number", other.word()))
            }
        };
        let id = id.map_err(|reason| Wrong { value: Some(value), field: Field::Id, reason })?;
        Ok(Plant { name, id, tag: string(self.tag, Field::Tag)? })
    }
}

fn there(value: Option<&RawValue>, field: Field) -> Result<&RawValue, Wrong<'_>> {
    value.ok_or_else(|| Wrong { value: None, field, reason: format!("there is no {}", field.word()) })
}

fn string(value: Option<&RawValue>, field: Field) -> Result<String, Wrong<'_>> {
    let value = there(value, field)?;
    let word = field.word();
    serde_json::from_str(value.get()).map_err(|_| {
        let reason = match Kind::of(value.get()) {
            Kind::Text => format!("the {word} has an escape that stands for no character: half of a surrogate pair"),
            other @ (Kind::Object | Kind::Array | Kind::Number | Kind::Truth | Kind::Null) => {
                format!("the {word} is {}: write it as a text, in double quotes", other.word())
            }
        };
        Wrong { value: Some(value), field, reason }
    })
}

/// The name of a member, its escapes resolved.
#[derive(Deserialize)]
struct Key<'text>(#[serde(borrow)] Cow<'text, str>);

/// Finds [`Members`], and notes the names of the others.
struct Wanted<'a>(&'a mut Ignored);

impl<'text> DeserializeSeed<'text> for Wanted<'_> {
    type Value = Members<'text>;

    fn deserialize<D: Deserializer<'text>>(self, deserializer: D) -> Result<Members<'text>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'text> Visitor<'text> for Wanted<'_> {
    type Value = Members<'text>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'text>>(self, mut map: A) -> Result<Members<'text>, A::Error> {
        let mut members = Members::default();
        while let Some(Key(key)) = map.next_key()? {
            let value: &RawValue = map.next_value()?;
            let (field, place) = match key.as_ref() {
                "name" => (Field::Name, &mut members.name),
                "id" => (Field::Id, &mut members.id),
                "tag" => (Field::Tag, &mut members.tag),
                other => {
                    self.0.met(other);
                    continue;
                }
            };
            if place.replace(value).is_some() {
                members.twice.get_or_insert((field, value));
            }
        }
        Ok(members)
    }
}
