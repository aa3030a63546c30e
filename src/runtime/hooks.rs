//! The reports of panics and internal errors: the message, its location, the spans, and where to send it.
//!
//! Writes to stderr ignore errors: a second panic on a terminal that is gone would abort the program.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use color_eyre::config::{HookBuilder, Theme};
use tracing::error;
use tracing::subscriber::set_global_default;
use tracing_error::ErrorLayer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::Registry;

use super::log::LogLayer;
use crate::terminal;
use crate::text::clean_lines;

/// Tells the user what to do with a report.
pub const REPORT_IT: &str = concat!(
    "this is a fault of plants ",
    env!("CARGO_PKG_VERSION"),
    ", not yours: please send this report to those who gave you the program, with what you did before"
);

/// Returns hooks without colours, because control characters in the report, which may quote foreign text, are made
/// visible before it is printed.
pub fn hooks() -> HookBuilder {
    HookBuilder::default().display_env_section(false).theme(Theme::new()).panic_section(format!("Note: {REPORT_IT}"))
}

static STARTING: AtomicBool = AtomicBool::new(false);

/// The exit code if nothing was sent.
const NOT_SENT: i32 = 3;

/// Calls a library function that starts threads. If it panics, the panic hook ends the program, instead of waiting for
/// the threads that were started.
pub fn starting<T>(start: impl FnOnce() -> T) -> T {
    STARTING.store(true, Ordering::SeqCst);
    let started = start();
    STARTING.store(false, Ordering::SeqCst);
    started
}

/// Installs a hook that prints panics without damaging the screen.
///
/// A panic on the drawing thread gives the terminal back first. A panic on another thread is not printed while the
/// terminal is taken: the task's result shows it on the screen.
///
/// # Errors
///
/// A hook for error reports is installed already.
pub fn install_panic_hook() -> color_eyre::Result<()> {
    // Keeps the entered spans for reports, and passes events to the log, once there is one.
    let spans = Registry::default().with(LogLayer).with(ErrorLayer::default());
    // Fails if there is a subscriber already.
    let _ = set_global_default(spans);
    let (panics, errors) = hooks().try_into_hooks()?;
    errors.install()?;
    std::panic::set_hook(Box::new(move |panic| {
        error!("{panic}");
        if STARTING.load(Ordering::SeqCst) {
            let why = panic.payload().downcast_ref::<String>().map_or("the system refuses", String::as_str);
            let _ = writeln!(io::stderr(), "plants: the program cannot start its threads: {why}. Nothing was sent.");
            std::process::exit(NOT_SENT);
        }
        if terminal::is_taken_by_another_thread() {
            return;
        }
        terminal::give_back();
        let report = panics.panic_report(panic).to_string();
        let _ = writeln!(io::stderr(), "{}", clean_lines(report.as_bytes()));
    }));
    Ok(())
}
