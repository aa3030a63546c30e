//! The interface on Unix.

pub mod files;
pub mod locks;
pub mod process;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod zone;
