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
mod fit;
pub mod json;
pub(crate) mod markdown;
pub mod number_format;
pub mod similar;
pub mod uncertain_width;
pub mod wrap;

pub(crate) use clean::is_printable_ascii;
pub use clean::{
    Marks, alternatives, ascii_symbol, capitalized, clean, clean_bytes, clean_lines, decoded, has_hidden_characters,
    in_ascii, is_ordinary, json_text, listed, push_json, shown_path,
};
pub use fit::{clean_fit, clean_fit_middle, clean_fit_named, clean_padded, columns_of, fit_before};
