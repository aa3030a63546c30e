//! How much is tested, as the environment says: a little of each, or all that there is time for.

/// Returns whether a variable of the environment is set.
#[expect(clippy::disallowed_methods, reason = "the one way to tell a test something")]
pub(crate) fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some()
}

/// Returns whether the tests that take long run, too.
pub(crate) fn is_long() -> bool {
    is_set("PLANTS_LONG_TESTS")
}

/// Returns the number that a variable of the environment holds.
#[expect(clippy::disallowed_methods, reason = "the one way to tell a test something")]
pub(crate) fn number_in(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Returns how often something is done: as the variable says, else a few times, or with the long tests many.
pub(crate) fn rounds(variable: &str, few: u64, many: u64) -> u64 {
    number_in(variable).unwrap_or(if is_long() { many } else { few })
}

/// Returns the step through what is tried one after the other: each with the long tests, else every `few`th.
pub(crate) fn step(few: usize) -> usize {
    if is_long() { 1 } else { few }
}
