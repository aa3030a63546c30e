//! Results that are failures, or that are not awaited any more.

use super::*;
use crate::domain::filter::Filter;
use crate::journal::{HistoryOrder, HistoryRequest};
use crate::tui::message::{Cause, WriteFault, Written};

fn notices(app: &App) -> Vec<&str> {
    app.cx.out.status.notices.iter().map(|notice| notice.text.as_str()).collect()
}

fn cause() -> Cause {
    "the disk is full".into()
}

fn of_history() -> HistoryRequest {
    HistoryRequest {
        search: Filter::default(),
        order: HistoryOrder::default(),
        around: HistoryRequest::NEWEST,
        rows: 9,
        expanded: None,
    }
}

#[test]
fn a_failure_of_the_journal_is_a_notice() {
    let read = "The journal could not be read: ";
    let panicked = JournalError::Panicked.to_string();
    for (result, before, why) in [
        (Msg::Window(Box::new(around(None)), Err(JournalError::Panicked)), read, panicked.as_str()),
        (Msg::History(of_history().into(), Err(JournalError::Panicked)), read, &panicked),
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
        said(Msg::Written("/r/a.md".into(), Ok(Written::Requests(2)))),
        "Wrote 2 requests to /r/a.md. Every credential in the file is masked."
    );
    assert_eq!(said(Msg::Written("/r/b.xml".into(), Ok(Written::Check))), "Wrote this run of the check to /r/b.xml.");
    let failed = Msg::Written("/r/a".into(), Err(WriteFault::Other("the disk is full".into())));
    assert_eq!(said(failed), "/r/a was not written: the disk is full.");
}

#[test]
fn two_requests_of_which_one_is_gone_are_not_compared() {
    let mut app = new_app();
    app.update(Msg::Compared(Ok(None)));
    assert_eq!(status_line(&app), "One of the two is no longer in the journal.");
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn a_token_that_its_command_replaced_is_not_prompted_for_again() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(Msg::TokenRenewed(Ok(Token::new("secret").unwrap())));
    assert!(status_line(&app).starts_with("Token set for "), "{}", status_line(&app));
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
    assert_eq!(press(&mut app, "d"), [Effect::FindListed(plants.clone())]);
    app.update(listed(&plants, &rows));
    assert_eq!(title_of(&app), "Delete these 2 plants?");
    press(&mut app, "<esc>");
    app.update(listed(&plants, &rows));
    assert!(!app.cx.display.has_dialog, "the question was left before");
    let unknown = |row: &Row| {
        let unknown = unknown_operation(2, OperationKind::Delete(row.id));
        ListedPlant { row: row.clone(), unknown: Some(unknown) }
    };
    let found: Vec<_> = rows.iter().map(unknown).collect();
    assert_eq!(press(&mut app, "u"), [Effect::FindListed(plants.clone())]);
    app.update(Msg::Listed(plants.clone(), Ok(found.clone())));
    assert_eq!(title_of(&app), "Resolve these 2 unknown plants?");
    assert!(!lines_of(&app).iter().any(|line| line.contains("left out")));
    press(&mut app, "<esc>");
    app.update(Msg::Listed(plants, Ok(found)));
    assert!(!app.cx.display.has_dialog, "the question was left before");
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
        assert!(again.iter().all(|operation| operation.seen.is_some()), "they are about what was seen before");
        app.update(responded(&again[0], 204));
        let together = "Deleting 2 plants: 1 deleted, 0 rejected, 0 unknown, 0 not sent, 1 to go.";
        assert_eq!(status_line(&app) == together, count == 2, "{}", status_line(&app));
        assert_eq!(status_line(&app).contains("plants:"), count == 2, "{}", status_line(&app));
    }
}

#[test]
fn a_list_whose_order_is_late_is_loaded_again_after_a_while() {
    let mut app = new_app();
    let late = || {
        let Msg::Window(asked, Ok(found)) = window(&[row(7, State::Stored)]) else { unreachable!("it is a window") };
        Msg::Window(asked, Ok(crate::journal::Window { late: Some(Duration::from_secs(5)), ..found }))
    };
    let wait = Effect::WaitForList(Duration::from_secs(5));
    assert!(app.update(late()).contains(&wait));
    app.update(Msg::JournalChanged);
    assert!(!app.update(late()).contains(&wait), "the first wait is not over");
    assert_eq!(app.update(Msg::ListDue), [Effect::Load(around(Some(7)))]);
    assert!(app.update(late()).contains(&wait));
}

#[test]
fn a_history_that_cannot_be_read_keeps_no_other_from_being_read() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    app.update(Msg::PlantHistory(PlantId(7), Err(cause())));
    assert!(press(&mut app, "<down>").contains(&Effect::LoadPlantHistory(PlantId(8))));
}

#[test]
fn a_notice_about_unknown_plants_stays_until_fewer_are_unknown() {
    let mut app = new_app();
    app.cx.out.status.notices.push_back(crate::tui::status::Notice::of_unknown("Some are unknown."));
    for _ in 0..2 {
        app.update(window(&[row(7, State::Unknown), row(8, State::Unknown)]));
        assert_eq!(notices(&app), ["Some are unknown."]);
    }
    app.update(window(&[row(7, State::Stored), row(8, State::Unknown)]));
    assert_eq!(notices(&app), [""; 0]);
}

#[test]
fn a_delete_says_how_to_re_add_its_plant() {
    let mut app = new_app();
    app.update(window(&[named(7, "Fern")]));
    let operations = sent(&press(&mut app, "dy"));
    app.update(responded(&operations[0], 204));
    assert!(status_line(&app).ends_with("z re-adds it."), "{}", status_line(&app));
    // Without a name, it cannot be added again.
    app.update(window(&[Row { details: None, ..row(8, State::Stored) }]));
    let operations = sent(&press(&mut app, "dy"));
    app.update(responded(&operations[0], 204));
    assert!(!status_line(&app).contains("re-adds"), "{}", status_line(&app));
}

#[test]
fn what_was_not_sent_is_sent_again_in_another_tab_than_check() {
    for (tab, words) in [("1", " r sends it again."), ("3", " In another tab, r sends it again.")] {
        let mut app = new_app();
        let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
        press(&mut app, tab);
        app.update(failed(&operations[0], FailureKind::NotConnected));
        assert!(status_line(&app).ends_with(words), "{}", status_line(&app));
    }
}

#[test]
fn the_death_of_the_worker_has_an_outcome_if_something_was_in_flight() {
    for (keys, outcome) in [("", None), ("aFern<tab><tab>t<enter>", Some(Outcome::Unknown))] {
        let mut app = new_app();
        press(&mut app, keys);
        app.update(Msg::WorkerDied("boom".into()));
        assert_eq!(app.cx.out.status.message.as_ref().unwrap().outcome, outcome, "{keys}");
    }
}

#[test]
fn an_operation_on_an_unknown_plant_that_is_not_listed_yet_leaves_it_unknown() {
    let mut app = new_app();
    app.update(window(&[]));
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(failed(&operations[0], FailureKind::TimedOut));
    press(&mut app, "D1<enter>");
    app.update(listed(&[PlantId(1)], &[]));
    assert_eq!(sent(&press(&mut app, "<tab><enter>")).len(), 1);
    assert_eq!(app.cx.session.unknown_plants(), 1);
}

#[test]
fn a_plant_that_left_the_whole_list_was_forgotten() {
    let forgotten = Some(Resolution::Forget);
    for (keys, rows, total, resolved) in [
        ("", vec![], 0, forgotten),
        ("", vec![], 9, None),
        ("/ivy<enter>", vec![], 0, None),
        ("", vec![row(7, State::Unknown)], 1, None),
        ("", vec![row(7, State::Stored)], 1, Some(Resolution::MarkStored)),
    ] {
        let mut app = new_app();
        press(&mut app, keys);
        app.cx.session.plants.window = crate::journal::Window { rows, total, ..app.cx.session.plants.window.clone() };
        let delete = OperationKind::Delete(PlantId(7));
        let operation = Operation::new(OperationId { origin: 1, number: 1 }, delete, Timestamp(0));
        let lost = Exchange::failed(operation, FailureKind::TimedOut, String::new(), Timestamp(0));
        assert_eq!(app.cx.session.known(&lost, None, None).resolved, resolved, "{keys} {total}");
    }
}

#[test]
fn the_greenhouse_knows_what_a_rejected_add_left_as_it_was() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "4aFern<tab><c-u>7<tab>t<enter>"));
    let Msg::Report(mut report) = responded(&operations[0], 409) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.row = Some(named(7, "Ivy"));
    app.update(Msg::Report(report));
    app.update(Msg::Now(Timestamp(app.cx.now().0 + 1_000)));
    let reasons = app.cx.session.drafts[0].simple_reasons(crate::domain::Language::En).unwrap();
    assert!(reasons.contains("Fern was not added; the earlier plant"), "{reasons:?}");
}
