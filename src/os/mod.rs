//! What differs between operating systems, behind one small interface: files, locks, processes, signals, sockets and the
//! terminal's modes. The only layer that calls the system other than through the standard library.
//!
//! Must not know what a file, a process or a terminal is for.

pub mod types;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
