//! Strings in, strings out: text made harmless, cut, wrapped, aligned and compared, and numbers in words.
//!
//! Must not know plants, requests or what a text is for.

pub mod body;
pub mod caseless;
mod clean;
pub mod columns;
pub mod dropped_path;
pub mod duration;
pub mod encoding;
pub mod json;
pub(crate) mod markdown;
pub mod number_format;
pub mod similar;
pub mod uncertain_width;
pub mod wrap;

pub(crate) use clean::is_printable_ascii;
pub use clean::{
    alternatives, ascii_symbol, capitalized, clean, clean_bytes, clean_fit, clean_fit_named, clean_lines, clean_padded,
    columns_of, decoded, fit_before, has_hidden_characters, in_ascii, is_ordinary, json_text, push_json, shown_path,
};
