//! Configures the reports of panics and internal errors: the message, its location, the spans, and where to send it.
//!
//! Must not install a hook.

use color_eyre::config::{HookBuilder, Theme};
use tracing::subscriber::set_global_default;
use tracing_error::ErrorLayer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::Registry;

use super::log::LogLayer;

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const SYSTEM: &str = std::env::consts::OS;
const MACHINE: &str = std::env::consts::ARCH;

/// Tells the user what to do with a report.
pub const REPORT_IT: &str = concat!(
    "this is a fault of plants ",
    env!("CARGO_PKG_VERSION"),
    ", not yours: please send this report to those who gave you the program, with what you did before"
);

/// Returns hooks without colours, because control characters in the report, which may quote foreign text, are made
/// visible before it is printed. If the manifest names a repository, the report has a link to its issues.
pub fn hooks() -> HookBuilder {
    let hooks = HookBuilder::default()
        .display_env_section(false)
        .theme(Theme::new())
        .panic_section(format!("Note: {REPORT_IT}"));
    match REPOSITORY {
        "" => hooks,
        repository => hooks
            .issue_url(format!("{repository}/issues/new"))
            .add_issue_metadata("version", env!("CARGO_PKG_VERSION"))
            .add_issue_metadata("system", format!("{SYSTEM} {MACHINE}")),
    }
}

/// Records the entered spans for reports, and events for the log, once there is one.
pub fn record_spans() {
    let spans = Registry::default().with(LogLayer).with(ErrorLayer::default());
    // Fails if there is a subscriber already.
    let _ = set_global_default(spans);
}
