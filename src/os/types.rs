//! What every system's side of the interface says.

/// Who else can use a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exposure {
    /// Neither this user nor the administrator owns it.
    pub is_of_another: bool,
    pub others_read: bool,
    pub others_change: bool,
}

/// What a lock would prevent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    Reading,
    Writing,
}

/// Why waiting for the terminal is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// The terminal sends something.
    Ready,
    /// The system cannot wait for this terminal: it is read from time to time.
    Unknown,
    /// The time is over, or the wait was interrupted.
    Over,
    /// The terminal is gone.
    Gone,
}
