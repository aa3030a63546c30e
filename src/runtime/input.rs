//! Turns the inputs of the terminal, and signals, into events of the event loop.
//!
//! Must not know what an event does to the app.

use std::io;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::select_all;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;

use super::event::Event;
use crate::os::process::continue_group;
use crate::os::signals::{self, Signal};
use crate::terminal;
use crate::tui::Msg;

/// How long the program may take to end after a signal. It takes this long only if the terminal blocks, or another
/// program locks the journal.
const END_TIME_LIMIT: Duration = Duration::from_secs(2);

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Listens to signals until the set is dropped. Must be called before the terminal is changed: a
/// signal without a listener would end the program without restoring it.
///
/// Ends the program itself if the set still exists two seconds after a termination signal.
///
/// # Errors
///
/// A signal handler could not be installed.
pub fn listen_to_signals(to: &UnboundedSender<Event>) -> io::Result<JoinSet<()>> {
    let mut listeners = JoinSet::new();
    let (ends, interrupts, to_loop) = (signals::ends_but_interrupt()?, signals::interrupts()?, to.clone());
    let ending = async move {
        if ended(ends, interrupts).await && to_loop.send(Event::Msg(Msg::Terminate)).is_ok() {
            tokio::time::sleep(END_TIME_LIMIT).await;
            terminal::abandon(INTERRUPTED);
        }
    };
    listeners.spawn(ending.boxed());
    listeners.spawn(each(signals::continues()?, to.clone(), || Event::Continued).boxed());
    listeners.spawn(each(signals::resizes()?, to.clone(), || Event::Resized).boxed());
    if let Some(suspends) = signals::suspends()? {
        listeners.spawn(each(suspends, to.clone(), || Event::Suspend).boxed());
    }
    Ok(listeners)
}

/// Waits for a request to end the program: one of these signals, or Ctrl-C, unless it was meant for a program to which the
/// terminal is lent. Returns whether there was one.
async fn ended(ends: Vec<Signal>, interrupts: Option<Signal>) -> bool {
    let ends = ends.into_iter().map(|mut end| async move { end.recv().await.is_some() }.boxed());
    let interrupted = |mut interrupts: Signal| {
        let interrupted = async move {
            while interrupts.recv().await.is_some() {
                if !terminal::is_lent() {
                    return true;
                }
                // Ctrl-C also ends one that has stopped itself.
                continue_group();
            }
            false
        };
        interrupted.boxed()
    };
    let all: Vec<_> = ends.chain(interrupts.map(interrupted)).collect();
    !all.is_empty() && select_all(all).await.0
}

async fn each(mut signal: Signal, to: UnboundedSender<Event>, event: fn() -> Event) {
    while signal.recv().await.is_some() {
        if to.send(event()).is_err() {
            return;
        }
    }
}

/// Listens to the terminal, which is taken.
///
/// # Errors
///
/// The thread that reads could not be started.
pub fn listen_to_terminal(to: UnboundedSender<Event>) -> io::Result<()> {
    let gone = KeyboardSender(to);
    terminal::listen(move |input| match input {
        Some((input, timing)) => gone.0.send(Event::Input(input, timing)).is_ok(),
        None => gone.0.send(Event::Msg(Msg::Terminate)).is_ok(),
    })
}

/// Reports the end of the thread that owns it, even after a panic.
struct KeyboardSender(UnboundedSender<Event>);

impl Drop for KeyboardSender {
    fn drop(&mut self) {
        let _ = self.0.send(Event::KeyboardLost);
    }
}
