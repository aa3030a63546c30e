//! What an audience reads in each language, on the smallest of usual screens.

use plants::domain::Language;
use plants::domain::simple_words::{Known, describe};

use super::greenhouse::{add, failed, later, reported, shelves};
use super::*;

/// As long as a name in a sentence can be.
const NAME: &str = "Königin der Nacht vom Amazonas 2";

/// Draws in a language that a person has chosen.
fn drawn_in(app: &mut App, language: Language) -> String {
    press(app, &format!(":language {}<enter>", language.word()));
    text(&drawn(app, &dark(), (60, 20)))
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn every_sentence_about_a_request_is_on_screen_in_every_language() {
    let statuses = [201, 302, 304, 400, 404, 405, 408, 409, 410, 413, 415, 418, 429, 500, 502, 503, 600];
    let failures = [
        FailureKind::NotRecorded,
        FailureKind::NotConnected,
        FailureKind::NotConnectedInTime,
        FailureKind::CancelledBeforeSending,
        FailureKind::TimedOut,
        FailureKind::NoResponse,
        FailureKind::CancelledInFlight,
        FailureKind::TaskDied,
    ];
    let as_sent = format!(r#"{{"name":"{NAME}","tag":"shade"}}"#);
    let responses = statuses.map(|status| response(status, "", if status == 201 { &as_sent } else { "" }));
    let mut cut = Vec::new();
    for ending in responses.into_iter().chain(failures.map(failed)) {
        let exchange = exchange(add(9, NAME, "shade"), ending);
        for language in Language::ALL {
            let mut app = shelves();
            reported(&mut app, exchange.clone(), None, None);
            let shown = drawn_in(&mut later(app), language);
            let told = language.render(&describe(&exchange, Known::default()));
            if !without_spaces(&shown).contains(&without_spaces(&told)) {
                cut.push(told);
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}
