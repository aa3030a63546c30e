//! A line of the palette that runs in the background, as the app knows it. Must not know how one is run.

#[derive(Debug)]
pub(super) struct RunningLine {
    /// As in a shell.
    pub name: String,
    /// Whether it sends requests.
    pub sends: bool,
    pub cancelled: bool,
}
