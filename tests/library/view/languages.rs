//! What an audience reads in each language, on the smallest of usual screens.

use plants::demo::WeatherPreset;
use plants::domain::Language;
use plants::domain::simple_words::{Known, describe};

use super::greenhouse::{add, failed, later, reported, shelves};
use super::*;
use crate::extent::step;

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
    for ending in responses.into_iter().chain(failures.map(failed)).step_by(step(6)) {
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

/// Returns the parts of the last row of a header with so many rows.
fn parts_of_header(shown: &str, rows: usize) -> Vec<String> {
    shown.lines().nth(rows - 1).unwrap().split(" · ").map(without_spaces).collect()
}

#[test]
fn before_an_audience_a_header_that_is_cut_says_so_and_what_is_said_of_the_mode_is_whole() {
    let weathers =
        [WeatherPreset::Slow, WeatherPreset::LosingResponses, WeatherPreset::Rejecting, WeatherPreset::OutOfOrder];
    let all_stored = || window(rows().into_iter().map(|row| Row { state: State::Stored, ..row }).collect());
    for (language, weather) in
        Language::ALL.into_iter().flat_map(|language| weathers.map(|weather| (language, weather))).step_by(step(3))
    {
        for is_all_known in [false, true] {
            let mut app = shelves();
            if is_all_known {
                app.update(all_stored());
            }
            app.cx.session.weather = weather;
            press(&mut app, &format!(":language {}<enter><f5>", language.word()));
            let whole = parts_of_header(&text(&drawn(&mut app, &dark(), (200, 60))), 2);
            for size in [(60, 20), (50, 14)] {
                let shown = text(&drawn(&mut app, &dark(), size));
                let parts = parts_of_header(&shown, 2);
                let is_whole = |part: &String| whole.iter().any(|other| other.ends_with(part.as_str()));
                assert!(
                    parts.iter().all(|part| is_whole(part) || part.ends_with('…')),
                    "{language:?} {parts:?} {whole:?}"
                );
                let said = &app.cx.out.status.message.as_ref().unwrap().text;
                if size == (60, 20) {
                    assert!(!is_all_known || parts.iter().all(is_whole), "{language:?} {parts:?}");
                    assert!(without_spaces(&shown).contains(&without_spaces(said)), "{language:?} {shown}");
                }
            }
        }
    }
}
