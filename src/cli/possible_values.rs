//! Parses an option that takes one of a fixed list of names. Must not know what the values are for.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Parses one of these names into its value.
pub(super) fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.map(name))
        .try_map(move |typed| values.into_iter().find(|value| name(*value) == typed).ok_or("no such value"))
}
