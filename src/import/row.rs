//! A row of a file: a plant with its line, or a fault with its position.

use std::ops::ControlFlow;

use serde::Serialize;
use thiserror::Error;

use crate::domain::Plant;
use crate::domain::plant::Field;

/// A row that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// First line of the row in its file, from 1.
    pub line: u64,
    pub plant: Plant,
}

/// What became of a row that needs a look.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {sentence}")]
pub struct RowNote {
    /// Line in the file, from 1.
    pub line: u64,
    pub sentence: String,
}

/// Why a row is no plant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Error)]
#[error("line {line}, column {column}{}: {reason}", field.map(|field| format!(" ({})", field.word())).unwrap_or_default())]
pub struct RowFault {
    /// Line in the file, from 1.
    pub line: u64,
    /// Column of a table, or character in a line of JSON, from 1.
    pub column: u64,
    /// The invalid field, if the fault concerns only one.
    pub field: Option<Field>,
    pub reason: String,
}

/// Receives the rows of a file in their order, until it returns [`ControlFlow::Break`].
pub(super) type RowSink<'a> = &'a mut dyn FnMut(Result<ImportRow, RowFault>) -> ControlFlow<()>;
