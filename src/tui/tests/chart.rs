//! The chart of latencies in the History tab, as it is drawn.

use super::frame::screen;
use super::*;
use crate::domain::filter::{Filter, List};
use crate::domain::{LocalTime, Sample};

fn samples(latencies: &[u64]) -> Vec<Sample> {
    let sample = |(at, millis): (i64, &u64)| Sample {
        started: Timestamp(at * 1000),
        elapsed: Duration::from_millis(*millis),
        outcome: Outcome::Accepted,
        responded: true,
    };
    (0..).zip(latencies).map(sample).collect()
}

/// Returns the search of a filter that is not about the check.
fn without_check(typed: &str) -> Filter {
    List::Requests.parse(&format!("{typed} !is:check"), &LocalTime::default()).0
}

#[test]
fn requests_of_the_check_are_in_the_chart_if_the_filter_names_it() {
    for (typed, is_in_title) in [("fern", true), ("!check", true), ("check", false), ("is:check", false)] {
        let mut app = new_app();
        press(&mut app, "2");
        let filter = List::Requests.parse(typed, &LocalTime::default()).0;
        let asked = press(&mut app, &format!(":filter {typed}<enter>"));
        let expected = filter.without_unasked_checks();
        assert_eq!(searches(&asked), [&expected], "{typed}");
        let screen = screen(&app).join("\n");
        assert_eq!(screen.contains("Latency without checks"), is_in_title, "{screen}");
    }
    // The plant of a request of the check.
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let asked = press(&mut app, "x");
    assert_eq!(searches(&asked), [&List::Requests.parse("id:7", &LocalTime::default()).0]);
}

fn searches(effects: &[Effect]) -> Vec<&Filter> {
    effects
        .iter()
        .filter_map(|effect| if let Effect::Latencies(search) = effect { Some(search) } else { None })
        .collect()
}

#[test]
fn percentiles_counts_and_axes_follow_the_filter() {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "2");
    app.update(Msg::Latencies(Box::new(without_check("")), Ok(samples(&[10, 20, 38, 12]))));
    let shows = |app: &App, texts: &[&str]| {
        let screen = screen(app).join("\n");
        for text in texts {
            assert!(screen.contains(text), "no {text:?} in\n{screen}");
        }
    };
    let all =
        ["Latency, last 4 requests without checks", "p50 12 ms  p95 38 ms", "✓ 4 accepted", "40 ms┤", "20 ms┤", "0└┬"];
    shows(&app, &all);
    shows(&app, &["00:00:00    00:00:01                00:00:03"]);
    let filtered = press(&mut app, "o");
    let accepted = without_check("outcome:accepted");
    assert_eq!(searches(&filtered), [&accepted]);
    // The latencies of the filter before are not shown any more once others were requested.
    app.update(Msg::Latencies(Box::new(without_check("")), Ok(samples(&[900]))));
    shows(&app, &all);
    app.update(Msg::Latencies(Box::new(accepted), Ok(samples(&[1300, 1500]))));
    shows(&app, &["last 2 requests without", "p50 1.3 s  p95 1.5 s", "✓ 2 accepted", "2 s┤", "1 s┤", "0└┬"]);
    app.update(Msg::Latencies(Box::new(without_check("outcome:accepted")), Ok(samples(&[]))));
    shows(&app, &["no response matches"]);
}

#[test]
fn a_foot_below_each_bar_and_a_tick_below_three() {
    let mut app = new_app();
    app.update(window(&[]));
    press(&mut app, "2");
    app.update(Msg::Latencies(Box::new(without_check("")), Ok(samples(&[38; 8]))));
    let screen = screen(&app).join("\n");
    let feet = format!("0└┬{}┬{}┬{} ", "─".repeat(17), "─".repeat(23), "─".repeat(5));
    assert!(screen.contains(&feet), "{screen}");
}
