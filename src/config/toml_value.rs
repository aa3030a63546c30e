//! Deserializes one TOML value, and says what is wrong with it in words for people who do not know
//! TOML's types. A value of the wrong type is not part of the words: it may be a token.
//!
//! It has the types that settings have: texts, names out of a list, true or false, arrays of texts.

use std::fmt;
use std::slice::Iter;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, Expected, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{did_you_mean, quoted};

/// A value of the config file, for `Deserialize`.
#[derive(Clone, Copy)]
pub(super) struct Value<'v>(pub(super) &'v Spanned<DeValue<'v>>);

/// What is wrong with a value.
#[derive(Debug)]
pub(super) struct WrongValue {
    what: String,
    /// Where in the text the item of an array begins that it is about, in bytes.
    pub(super) item: Option<usize>,
}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for WrongValue {}

impl Error for WrongValue {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self { what: what.to_string(), item: None }
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::custom(format_args!("{} is none of {}{}", quoted(name), known.join(", "), did_you_mean(name, known)))
    }
}

impl<'v> Value<'v> {
    /// Takes what `get` finds; where that is nothing, the value is of another type than `wanted`.
    fn typed<T>(self, wanted: &dyn Expected, get: impl FnOnce(&'v DeValue<'v>) -> Option<T>) -> Result<T, WrongValue> {
        let value = self.0.get_ref();
        get(value).ok_or_else(|| {
            let found = match value {
                DeValue::String(_) => "a text in quotes",
                DeValue::Integer(_) | DeValue::Float(_) => "a number",
                DeValue::Boolean(_) => "true or false",
                DeValue::Datetime(_) => "a date or time",
                DeValue::Array(_) => "an array",
                DeValue::Table(_) => "a table",
            };
            WrongValue::custom(format_args!("found {found}, wanted {wanted}"))
        })
    }

    /// The table that it is; `wanted` says how to write one.
    pub(super) fn table(self, wanted: &str) -> Result<&'v DeTable<'v>, WrongValue> {
        self.typed(&wanted, DeValue::as_table)
    }
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = WrongValue;

    /// One text, or an array.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        match self.0.get_ref().as_str() {
            Some(text) => visitor.visit_str(text),
            None => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        let text = self.typed(&visitor, DeValue::as_str)?;
        visitor.visit_str(text)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        visitor.visit_bool(self.typed(&"true or false, without quotes", DeValue::as_bool)?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongValue> {
        let items = self.typed(&visitor, DeValue::as_array)?;
        visitor.visit_seq(Items(items.iter()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongValue> {
        let name = self.typed(&visitor, DeValue::as_str)?;
        visitor.visit_enum(StrDeserializer::new(name))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf option unit unit_struct
        newtype_struct tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'v>(Iter<'v, Spanned<DeValue<'v>>>);

impl<'v> SeqAccess<'v> for Items<'v> {
    type Error = WrongValue;

    fn next_element_seed<T: DeserializeSeed<'v>>(&mut self, seed: T) -> Result<Option<T::Value>, WrongValue> {
        let Some(item) = self.0.next() else { return Ok(None) };
        let read = seed.deserialize(Value(item)).map(Some);
        read.map_err(|wrong| WrongValue { item: Some(item.span().start), ..wrong })
    }
}
