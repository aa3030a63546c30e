//! How panics and internal errors are reported: the message, where it arose, what the program was doing,
//! and where to send it. Installs nothing.

use color_eyre::config::{HookBuilder, Theme};
use tracing::level_filters::LevelFilter;
use tracing::subscriber::set_global_default;
use tracing_error::ErrorLayer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::Registry;

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const SYSTEM: &str = std::env::consts::OS;
const MACHINE: &str = std::env::consts::ARCH;

/// What to do with a report.
pub const REPORT_IT: &str = concat!(
    "this is a fault of plants ",
    env!("CARGO_PKG_VERSION"),
    ", not yours: please send this report to those who gave you the program, with what you did before"
);

/// Returns the hooks without colours: a report may quote text from outside, and all control characters are
/// made visible before it is printed. A manifest that names a repository adds a link to its issues.
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

/// Keeps the spans that are entered, for reports alone.
pub fn keep_spans() {
    let spans = Registry::default().with(LevelFilter::INFO).with(ErrorLayer::default());
    // Another subscriber keeps what it wants.
    let _ = set_global_default(spans);
}
