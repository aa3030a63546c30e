//! The interface on Windows. Its terminal is a console that obeys escape sequences (Windows 10 since 2018).

pub mod files;
pub mod locks;
pub mod process;
pub mod signals;
pub mod sockets;
pub mod terminal;
pub mod zone;
