//! A row of a file: a plant with its line, or a fault with its position.

use std::num::NonZeroU64;
use std::ops::ControlFlow;

use serde::Serialize;
use thiserror::Error;

use crate::domain::Plant;
use crate::domain::plant::Field;

/// Where a person finds a row in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Error)]
#[error("line {line}{}", element.map(|element| format!(", element {element}")).unwrap_or_default())]
pub struct RowNumber {
    /// Its first line, from 1.
    pub line: u64,
    /// Its number in an array of JSON, from 1, where the element before is in the same line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<NonZeroU64>,
}

impl RowNumber {
    pub(super) fn of_line(line: u64) -> Self {
        Self { line, element: None }
    }
}

/// A row that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    pub number: RowNumber,
    pub plant: Plant,
}

/// What became of a row that needs a look.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{number}: {sentence}")]
pub struct RowNote {
    pub number: RowNumber,
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

impl From<&RowFault> for RowNote {
    fn from(fault: &RowFault) -> Self {
        let RowFault { line, column, field, reason } = fault;
        let field = field.map(|field| format!(" ({})", field.word())).unwrap_or_default();
        Self { number: RowNumber::of_line(*line), sentence: format!("left out: column {column}{field}: {reason}") }
    }
}

/// Receives the rows of a file in their order, until it returns [`ControlFlow::Break`].
pub(super) type RowSink<'a> = &'a mut dyn FnMut(Result<ImportRow, RowFault>) -> ControlFlow<()>;
