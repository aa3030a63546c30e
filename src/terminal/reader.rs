//! Reads the terminal on a thread of its own, and hands on whole inputs.
//!
//! The thread sleeps until the terminal sends something, hangs up, or a sequence that has begun is over. It is the only
//! reader: others ask it to pause, so that a shell or another program gets what is typed. Must not know what an input
//! does.

use std::io;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::decode::{Input, decode};
use super::framer::{Framer, Sequence, Timing};
use crate::os::terminal::{Keyboard, Waker};
use crate::os::types::Wait;

/// How often a system that cannot wait for its terminal is asked whether something has arrived.
const BETWEEN_READS: Duration = Duration::from_millis(20);

/// How long the mouse, or a query, is expected to have more to say.
const OWES: Duration = Duration::from_secs(2);

static START: LazyLock<Instant> = LazyLock::new(now);

/// Returns the time since the program's start, the clock of [`Timing`].
pub fn elapsed() -> Duration {
    now() - *START
}

#[expect(clippy::disallowed_methods, reason = "measures the time between inputs; shows no time of day")]
fn now() -> Instant {
    Instant::now()
}

/// What the thread does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Reading,
    /// Drops everything up to the terminal's response to a query of its status; then pauses.
    Draining,
    /// Leaves everything to others.
    Paused,
    Over,
}

#[derive(Debug)]
struct State {
    mode: Mode,
    /// Until when the terminal may send something that no person has typed.
    owes_until: Duration,
}

/// The thread that reads the terminal. It ends when this is dropped, when the terminal is gone, or when its inputs are no
/// longer taken.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<(Mutex<State>, Condvar)>,
    waker: Waker,
}

impl Reader {
    /// Starts to read a terminal in raw mode whose reads never block. Calls `take` with each input, and with `None` once
    /// the terminal is gone; it returns whether there is another taker.
    ///
    /// # Errors
    ///
    /// The thread could not be started.
    pub fn start(take: impl FnMut(Option<(Input, Timing)>) -> bool + Send + 'static) -> io::Result<Self> {
        let (keyboard, waker) = Keyboard::open()?;
        let state = State { mode: Mode::Reading, owes_until: Duration::ZERO };
        let shared = Arc::new((Mutex::new(state), Condvar::new()));
        let thread = Thread { shared: Arc::clone(&shared), keyboard, framer: Framer::default(), take };
        thread::Builder::new().name("terminal".to_owned()).spawn(move || thread.run())?;
        Ok(Self { shared, waker })
    }

    /// Reads again after a pause.
    pub fn resume(&self) {
        self.switch(Mode::Reading);
    }

    /// Pauses: nothing is read once this returns.
    pub fn pause(&self) {
        self.switch(Mode::Paused);
    }

    /// Expects a response of the terminal that no person has typed.
    pub fn expect_response(&self) {
        lock(&self.shared.0).owes_until = elapsed() + OWES;
    }

    /// Whether the terminal may be about to send something that no person has typed.
    pub fn is_owed(&self) -> bool {
        lock(&self.shared.0).owes_until > elapsed()
    }

    /// Pauses once the terminal has responded to a query of its status, or after `limit`. Drops what arrives until then.
    pub fn drain(&self, limit: Duration) {
        self.switch(Mode::Draining);
        let state = lock(&self.shared.0);
        let is_draining = |state: &mut State| state.mode == Mode::Draining;
        drop(self.shared.1.wait_timeout_while(state, limit, is_draining));
        self.pause();
    }

    fn switch(&self, mode: Mode) {
        let mut state = lock(&self.shared.0);
        if state.mode != Mode::Over {
            state.mode = mode;
        }
        drop(state);
        self.waker.wake();
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.switch(Mode::Over);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Thread<T> {
    shared: Arc<(Mutex<State>, Condvar)>,
    keyboard: Keyboard,
    framer: Framer,
    take: T,
}

impl<T: FnMut(Option<(Input, Timing)>) -> bool> Thread<T> {
    fn run(mut self) {
        while let Some(sequences) = self.next() {
            for (sequence, timing) in sequences {
                if !self.hand_on(decode(sequence), timing) {
                    return self.end();
                }
            }
        }
        (self.take)(None);
        self.end();
    }

    fn end(self) {
        lock(&self.shared.0).mode = Mode::Over;
        self.shared.1.notify_all();
    }

    /// Hands on an input. Returns whether somebody takes the next one.
    fn hand_on(&mut self, input: Input, timing: Timing) -> bool {
        let mut state = lock(&self.shared.0);
        match input {
            // The query is answered.
            Input::Background(_) => state.owes_until = Duration::ZERO,
            // A wheel turns on for a while.
            Input::Wheel { .. } => state.owes_until = elapsed() + OWES,
            _ => {}
        }
        match state.mode {
            Mode::Reading => {
                drop(state);
                (self.take)(Some((input, timing)))
            }
            Mode::Draining if input == Input::Status => {
                state.mode = Mode::Paused;
                self.shared.1.notify_all();
                true
            }
            Mode::Draining | Mode::Paused => true,
            Mode::Over => false,
        }
    }

    /// Waits for the terminal, for a deadline, or for another mode. `None` once the terminal is gone, or the reader is
    /// dropped.
    fn next(&mut self) -> Option<Vec<(Sequence, Timing)>> {
        let mode = lock(&self.shared.0).mode;
        let reads = match mode {
            Mode::Reading | Mode::Draining => true,
            Mode::Paused => false,
            Mode::Over => return None,
        };
        let deadline = self.framer.deadline();
        let time = deadline.map(|deadline| deadline.saturating_sub(elapsed()));
        match self.keyboard.wait(reads, time) {
            Wait::Gone => return None,
            Wait::Ready => {}
            Wait::Unknown => thread::sleep(BETWEEN_READS),
            Wait::Over => {
                let is_over = deadline.is_some_and(|deadline| deadline <= elapsed());
                return Some(if is_over { self.framer.expire() } else { Vec::new() });
            }
        }
        self.read()
    }

    fn read(&mut self) -> Option<Vec<(Sequence, Timing)>> {
        // Locked: the mode does not change between the look at it and the read.
        let state = lock(&self.shared.0);
        if !matches!(state.mode, Mode::Reading | Mode::Draining) {
            return Some(Vec::new());
        }
        let read = self.keyboard.read()?;
        Some(if read.is_empty() { Vec::new() } else { self.framer.push(&read, elapsed()) })
    }
}
