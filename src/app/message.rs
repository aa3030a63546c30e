//! What can happen to the model, and what it can ask for.

use crate::client::Token;
use crate::courier::Report;
use crate::domain::{Departed, Operation, OperationId, PlantId, Row, Settlement, Timestamp};
use crate::journal::{JournalError, Story, Window, WindowRequest};

use super::key::Key;

/// A fact.
#[derive(Debug)]
pub enum Msg {
    /// What time it is; comes before each batch of other messages.
    Now(Timestamp),
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The terminal has this many columns and rows.
    Resized {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A frame was drawn: how much of what there is fitted.
    Drawn(Drawn),
    /// The courier tells what became of an operation.
    Report(Box<Report>),
    /// The courier is gone; nothing can be sent any more. Says why.
    CourierDied(String),
    /// A window of the view arrived, or why it could not be read.
    Window(Result<Window, String>),
    /// Other programs have changed the journal.
    JournalChanged,
    /// What the journal knows of a plant arrived.
    Story(PlantId, Result<Box<Story>, String>),
    /// The plants in doubt.
    Doubts(Result<Vec<Row>, String>),
    /// Plants that are not in the view and have this text, or why they could not be read.
    Departed(String, Result<Vec<Departed>, String>),
    /// An operation that the dead courier left behind was written down as unknown, or why not.
    GivenUp(Result<(), String>),
    /// A settlement was written, or why it could not be.
    Settled(PlantId, Settlement, Result<(), JournalError>),
    /// Something turns on screen: draw its next step.
    Tick,
    /// The system asks the program to end.
    Terminate,
}

/// What a drawn frame had room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drawn {
    /// The terminal was too small to draw on.
    pub too_small: bool,
    /// Rows of the table.
    pub page: usize,
    /// Rows of the reader (help, story), if one is open.
    pub reader_page: usize,
    /// Lines the reader has in all.
    pub reader_lines: usize,
}

/// An order to the runtime.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Give an operation to the courier.
    Send(Operation),
    /// Cancel an operation that is queued or out.
    Cancel(OperationId),
    /// Cancel all of them.
    CancelAll,
    /// Use this token from now on.
    UseToken(Token),
    /// Write down that nobody knows how an operation ended: the courier died with it.
    GiveUp(Operation),
    /// Write a person's word about a plant, and about this doubt if it is in doubt.
    Settle(PlantId, Option<OperationId>, Settlement),
    /// Read a window of the view.
    Load(WindowRequest),
    /// Read what is known of a plant.
    Tell(PlantId),
    /// Read which plants are in doubt.
    FindDoubts,
    /// Read which plants are not in the view and have this text.
    FindDeparted(String),
    /// Hand this text to the terminal's clipboard.
    Copy(String),
    /// Give the terminal back and stop until told to go on.
    Suspend,
    /// End the program.
    Quit,
}
