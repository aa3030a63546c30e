//! What components draw with and type into: a canvas, text, fields, one viewport, picker, pager, form and
//! confirm dialog. Nothing here knows a component, a session or a store.

pub mod canvas;
pub mod form;
pub mod pager;
pub mod pairs;
pub mod picker;
pub mod progress;
pub mod sheet;
pub mod text;
pub mod text_input;
pub mod theme;
pub mod time;
pub mod viewport;
