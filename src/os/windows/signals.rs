//! Lists the events of the console that the program handles as signals, and installs their handlers.
//!
//! Must not know what the program does on a signal.

use std::future::pending;
use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown,
};

use super::terminal::resized;

/// One event, as long as it is listened to.
#[derive(Debug)]
pub enum Signal {
    Interrupt(CtrlC),
    Break(CtrlBreak),
    /// The console's window is closed.
    Close(CtrlClose),
    LogOff(CtrlLogoff),
    ShutDown(CtrlShutdown),
    Resize,
    /// What no event requests.
    Never,
}

impl Signal {
    pub async fn recv(&mut self) -> Option<()> {
        match self {
            Self::Interrupt(event) => event.recv().await,
            Self::Break(event) => event.recv().await,
            Self::Close(event) => event.recv().await,
            Self::LogOff(event) => event.recv().await,
            Self::ShutDown(event) => event.recv().await,
            Self::Resize => {
                resized().await;
                Some(())
            }
            Self::Never => pending().await,
        }
    }
}

/// Listens to the events that request the end of the program.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends() -> io::Result<Vec<Signal>> {
    let mut ends = ends_but_interrupt()?;
    ends.push(Signal::Interrupt(ctrl_c()?));
    Ok(ends)
}

/// Listens to the same events without Ctrl-C.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends_but_interrupt() -> io::Result<Vec<Signal>> {
    Ok(vec![
        Signal::Close(ctrl_close()?),
        Signal::Break(ctrl_break()?),
        Signal::LogOff(ctrl_logoff()?),
        Signal::ShutDown(ctrl_shutdown()?),
    ])
}

/// Listens to Ctrl-C.
///
/// # Errors
///
/// The handler could not be installed.
pub fn interrupts() -> io::Result<Option<Signal>> {
    ctrl_c().map(|event| Some(Signal::Interrupt(event)))
}

/// Listens to the same events without the close of the console's window.
///
/// # Errors
///
/// A handler could not be installed.
pub fn ends_but_hang_up() -> io::Result<Vec<Signal>> {
    Ok(ends()?.into_iter().filter(|end| !matches!(end, Signal::Close(_))).collect())
}

/// Listens to nothing: the system has no requests to stop.
///
/// # Errors
///
/// None.
pub fn suspends() -> io::Result<Option<Signal>> {
    Ok(None)
}

/// Listens to nothing: the program never continues after a stop.
///
/// # Errors
///
/// None.
pub fn continues() -> io::Result<Signal> {
    Ok(Signal::Never)
}

/// Listens to changes of the terminal's size, which arrive with what is typed.
///
/// # Errors
///
/// None.
pub fn resizes() -> io::Result<Signal> {
    Ok(Signal::Resize)
}

/// Does nothing: the system has no such limit.
///
/// # Errors
///
/// None.
pub fn outlive_file_size_limit() -> io::Result<()> {
    Ok(())
}

/// Lets Ctrl-C reach only the program that has the terminal, such as a pager: it decides what is interrupted.
///
/// # Errors
///
/// A handler could not be installed.
pub fn outlive_interrupts() -> io::Result<()> {
    // Without a listener, the event would end the program.
    std::mem::forget((ctrl_c()?, ctrl_break()?));
    Ok(())
}
