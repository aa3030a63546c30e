//! The building blocks of components: canvas, theme, text, text input, form, picker, pager, viewport.
//!
//! Nothing here knows a component, the session or a store.

pub mod canvas;
pub mod drawings;
pub mod filter_input;
pub mod form;
pub mod large;
pub mod page;
pub mod pager;
pub mod pairs;
pub(in crate::tui) mod pending_query;
pub mod picker;
pub mod sheet;
#[cfg(test)]
pub(in crate::tui) mod testing;
pub mod text;
pub mod text_input;
pub mod theme;
pub mod time;
pub mod viewport;
