//! Why a file of what the journal knows is not written, or not whole.

use std::fmt;
use std::io;

use super::new_file::in_words;
use crate::journal::JournalError;

#[derive(Debug)]
pub enum WriteError {
    Journal(JournalError),
    File(io::Error),
}

impl From<JournalError> for WriteError {
    fn from(why: JournalError) -> Self {
        Self::Journal(why)
    }
}

impl From<io::Error> for WriteError {
    fn from(why: io::Error) -> Self {
        Self::File(why)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(why) => why.fmt(f),
            Self::File(why) => f.write_str(&in_words(why)),
        }
    }
}

// Shows its cause itself.
impl std::error::Error for WriteError {}
