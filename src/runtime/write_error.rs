//! Why a file with contents of the journal was not written, or not whole.

use std::io;

use thiserror::Error;

use super::new_file::error_text;
use crate::journal::JournalError;

#[derive(Debug, Error)]
pub enum WriteError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{}", error_text(.0))]
    File(#[from] io::Error),
}
