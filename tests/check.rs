//! Stores with one oddity each, for the contract check to find.

#![expect(clippy::unwrap_used, reason = "a check that cannot be set up has failed")]

#[path = "support/odd.rs"]
mod odd;
#[path = "check/stores.rs"]
mod stores;
#[path = "check/wire.rs"]
mod wire;

/// What nobody may ever read again.
const TOKEN: &str = "canary-5f1c";
