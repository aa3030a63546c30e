//! Results that are failures, or that are not awaited any more.

use super::*;
use crate::journal::{LogAnchor, LogRequest, Search};
use crate::tui::message::Cause;

fn notices(app: &App) -> Vec<&str> {
    app.cx.out.status.notices.iter().map(|notice| notice.text.as_str()).collect()
}

fn cause() -> Cause {
    "the disk is full".into()
}

fn of_history() -> LogRequest {
    LogRequest { search: Search::default(), anchor: LogAnchor::Newest, rows: 9, unfolded: None }
}

#[test]
fn a_failure_of_the_journal_is_a_notice() {
    let read = "The journal could not be read: ";
    let panicked = JournalError::Panicked.to_string();
    for (result, before, why) in [
        (Msg::Window(Box::new(around(None)), Err(JournalError::Panicked)), read, panicked.as_str()),
        (Msg::Log(of_history().into(), Err(JournalError::Panicked)), read, &panicked),
        (Msg::Latencies(Box::default(), Err(JournalError::Panicked)), read, &panicked),
        (Msg::Unlisted(String::new(), Err(cause())), read, "the disk is full"),
        (Msg::Compared(Err(cause())), read, "the disk is full"),
        (Msg::GivenUp(Err(cause())), "The journal could not record this: ", "the disk is full"),
    ] {
        let mut app = new_app();
        let what = format!("{result:?}");
        app.update(result);
        assert_eq!(notices(&app), [format!("{before}{why}")], "{what}");
    }
}

#[test]
fn a_superseded_query_is_no_failure() {
    for result in [
        Msg::Window(Box::new(around(None)), Err(JournalError::Superseded)),
        Msg::Log(of_history().into(), Err(JournalError::Superseded)),
        Msg::Latencies(Box::default(), Err(JournalError::Superseded)),
    ] {
        let mut app = new_app();
        let what = format!("{result:?}");
        app.update(result);
        assert_eq!(notices(&app), [""; 0], "{what}");
    }
}

#[test]
fn a_list_that_could_not_be_read_is_loaded_again_with_the_next_change() {
    let mut app = new_app();
    app.update(Msg::Window(Box::new(around(None)), Err(JournalError::Panicked)));
    let effects = app.update(Msg::JournalChanged);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Load(_))), "{effects:?}");
}

#[test]
fn a_report_is_announced_with_its_file_or_why_it_was_not_written() {
    let said = |result: Msg| {
        let mut app = new_app();
        app.update(result);
        status_line(&app).to_owned()
    };
    assert_eq!(
        said(Msg::Reported("/r/a.md".into(), Ok(2))),
        "Wrote 2 requests to /r/a.md. Every credential in the file is masked."
    );
    assert_eq!(said(Msg::CheckWritten("/r/b.xml".into(), Ok(()))), "Wrote this run of the check to /r/b.xml.");
    for failed in [Msg::Reported("/r/a".into(), Err(cause())), Msg::CheckWritten("/r/a".into(), Err(cause()))] {
        assert_eq!(said(failed), "/r/a was not written: the disk is full.");
    }
}

#[test]
fn two_requests_of_which_one_is_gone_are_not_compared() {
    let mut app = new_app();
    app.update(Msg::Compared(Ok(None)));
    assert_eq!(status_line(&app), "One of the two is no longer in the journal.");
    assert!(app.cx.display.is_plain);
}

#[test]
fn a_token_that_its_command_replaced_is_not_prompted_for_again() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(Msg::TokenRenewed);
    assert!(status_line(&app).ends_with("its token command gave another, and the import goes on."));
    app.update(responded(&operations[0], 401));
    assert!(draft(&app).reasons().iter().any(|line| line.contains("had before")));
}

#[test]
fn plants_to_delete_or_resolve_open_one_question_each_time_they_are_asked_for() {
    let rows = [row(7, State::Unknown), row(8, State::Unknown)];
    let plants = rows.each_ref().map(|row| row.id).to_vec();
    let mut app = new_app();
    app.update(window(&rows));
    press(&mut app, " <down> ");
    assert_eq!(press(&mut app, "d"), [Effect::FindToDelete(plants.clone())]);
    app.update(Msg::ToDelete(plants.clone(), Ok(rows.to_vec())));
    assert_eq!(question(&app).title, "Delete these 2 plants?");
    press(&mut app, "<esc>");
    app.update(Msg::ToDelete(plants.clone(), Ok(rows.to_vec())));
    assert!(app.cx.display.is_plain, "the question was left before");
    let unknown = |row: &Row| {
        let unknown = unknown_operation(2, OperationKind::Delete(row.id));
        crate::domain::Unresolved { row: row.clone(), unknown }
    };
    let found: Vec<_> = rows.iter().map(unknown).collect();
    assert_eq!(press(&mut app, "u"), [Effect::FindToResolve(plants.clone())]);
    app.update(Msg::ToResolve(plants.clone(), Ok(found.clone())));
    assert_eq!(question(&app).title, "Resolve these 2 unknown plants?");
    assert!(!question(&app).lines.iter().any(|line| line.contains("left out")));
    press(&mut app, "<esc>");
    app.update(Msg::ToResolve(plants, Ok(found)));
    assert!(app.cx.display.is_plain, "the question was left before");
}

#[test]
fn several_unsent_deletes_are_sent_again_with_one_message() {
    for count in [1, 2] {
        let mut app = new_app();
        app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
        for _ in 0..count {
            let operations = sent(&press(&mut app, "d<tab><enter>"));
            app.update(failed(&operations[0], FailureKind::NotConnected));
            press(&mut app, "<down>");
        }
        let keys = if count == 1 { "r" } else { "r<tab><enter>" };
        let again = sent(&press(&mut app, keys));
        assert_eq!(again.len(), count);
        app.update(responded(&again[0], 204));
        let together = "Deleting 2 plants: 1 deleted, 0 rejected, 0 unknown, 0 not sent, 1 to go.";
        assert_eq!(status_line(&app) == together, count == 2, "{}", status_line(&app));
    }
}
