//! A row of a file: a plant with its line, or what is wrong with it and where.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use crate::domain::Plant;
use crate::domain::plant::Field;

/// A row that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    /// Where it begins in its file, from 1.
    pub line: u64,
    pub plant: Plant,
}

/// Why a row is no plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowFault {
    /// In its file, from 1.
    pub line: u64,
    /// From 1: of a table the column, as a spreadsheet counts them; of JSON the character in the line.
    pub column: u64,
    /// The field that is wrong, where it is one.
    pub field: Option<Field>,
    pub reason: String,
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, field, reason } = self;
        match field {
            Some(field) => write!(f, "line {line}, column {column} ({}): {reason}", field.word()),
            None => write!(f, "line {line}, column {column}: {reason}"),
        }
    }
}

impl Error for RowFault {}

/// Takes the rows of a file in their order, until it breaks.
pub(super) type RowSink<'a> = &'a mut dyn FnMut(Result<ImportRow, RowFault>) -> ControlFlow<()>;
