//! What `plants --version` prints: the version, the commit that a package was built from, and what the program was built
//! with.

use std::env::consts::{ARCH, OS};
use std::sync::LazyLock;

use crate::journal;

/// Set by `.ci/packages` alone.
const COMMIT: Option<&str> = option_env!("PLANTS_COMMIT");

static SHORT: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    COMMIT.map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"))
});

static LONG: LazyLock<String> = LazyLock::new(|| {
    let sqlite = journal::sqlite_version();
    format!(
        "{}\nSystem: {OS} {ARCH}\nFeatures: journal (SQLite {sqlite}), https (rustls), teams (NATS JetStream)",
        version()
    )
});

/// Returns the version, and in a package the commit.
pub fn version() -> &'static str {
    &SHORT
}

/// Adds to [`version`] the system and the features, each with the library behind it.
pub(super) fn long_version() -> &'static str {
    &LONG
}
