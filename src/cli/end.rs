//! Prints the error that ends the program, or a part of its work.

use color_eyre::Section as _;
use color_eyre::eyre::Report;
use tracing::debug;

use super::error::{Exit, Failure, exit_of};
use super::print;
use crate::runtime::hooks::REPORT_IT;

/// Prints an error and returns its exit code.
pub(super) fn end(error: Report) -> Exit {
    let exit = exit_of(&error);
    debug!("error: {error:#}");
    match error.downcast_ref::<Failure>().map(ToString::to_string) {
        Some(printed) if printed.is_empty() => {}
        Some(failure) => print::error(&failure),
        None => print::error(format!("internal error{:?}", error.note(REPORT_IT))),
    }
    exit
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use color_eyre::eyre::{WrapErr as _, eyre};
    use tracing::info_span;

    use super::super::error::{Internal, OrExit as _};
    use super::*;
    use crate::runtime::hooks::install_panic_hook;

    /// Returns the stderr of one of the tests below, run in its own process: hooks cannot be uninstalled.
    fn stderr_of(test: &str) -> String {
        let mut inside = Command::new(std::env::current_exe().unwrap());
        inside.args(["--exact", "--ignored", "--nocapture", &format!("cli::end::tests::{test}")]);
        inside.env_remove("RUST_BACKTRACE").env_remove("RUST_SPANTRACE");
        String::from_utf8(inside.output().unwrap().stderr).unwrap()
    }

    #[track_caller]
    fn assert_in_order(stderr: &str, parts: &[&str]) {
        let mut rest = stderr;
        for part in parts {
            rest = rest.split_once(part).unwrap_or_else(|| panic!("{part:?} is missing or out of order: {stderr}")).1;
        }
        assert!(!stderr.contains('\u{1b}'), "{stderr}");
    }

    #[test]
    fn a_failure_prints_sentences_without_a_report() {
        let stderr = stderr_of("inside_a_failure");
        assert_eq!(stderr, "plants: the house cannot be opened: the key ␛ is gone. Nothing was sent.\n");
    }

    #[test]
    #[ignore = "installs hooks; the test above runs it in its own process"]
    fn inside_a_failure() {
        install_panic_hook().unwrap();
        let failed = Err::<(), _>(eyre!("the key \u{1b} is gone")).wrap_err("the house cannot be opened");
        let failed = failed.or_exit_and_say(Exit::Usage, "Nothing was sent.");
        assert_eq!(end(failed.unwrap_err()), Exit::Usage);
        assert_eq!(end(Failure::printed(Exit::Interrupted).into()), Exit::Interrupted);
    }

    #[test]
    fn an_internal_error_prints_its_location_its_spans_and_where_to_report_it() {
        let parts = [
            "plants: internal error",
            "0: plants has failed; what was in flight is unknown",
            "1: the pump broke ␛",
            "Location:",
            "src/cli/end.rs:",
            "SPANTRACE",
            "watering with id=7",
            REPORT_IT,
        ];
        assert_in_order(&stderr_of("inside_an_internal_error"), &parts);
    }

    #[test]
    #[ignore = "installs hooks; the test above runs it in its own process"]
    fn inside_an_internal_error() {
        install_panic_hook().unwrap();
        let broke = info_span!("watering", id = 7).in_scope(|| eyre!("the pump broke \u{1b}"));
        assert_eq!(end(broke.wrap_err(Internal::Unknown)), Exit::Unknown);
        let (exit, nothing) = (exit_of(&eyre!("no context")), eyre!("broken").wrap_err(Internal::NothingSent));
        assert_eq!((exit, exit_of(&nothing)), (Exit::Unknown, Exit::NotSent));
    }

    #[test]
    fn a_panic_prints_the_same_report() {
        let parts = ["the pump broke ␛", "src/cli/end.rs:", REPORT_IT, "SPANTRACE", "watering with id=7"];
        assert_in_order(&stderr_of("inside_a_panic"), &parts);
    }

    #[test]
    #[ignore = "installs hooks; the test above runs it in its own process"]
    fn inside_a_panic() {
        install_panic_hook().unwrap();
        info_span!("watering", id = 7).in_scope(|| panic!("the pump broke \u{1b}"));
    }
}
