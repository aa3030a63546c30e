//! What is typed, and which rows it stands for.

use proptest::prelude::*;

use super::parse::failed;
use super::words::words;
use super::*;
use crate::domain::timestamp::LocalTime;
use crate::text::caseless::caseless;

fn parse(list: List, typed: &str) -> (Filter, Option<FilterFault>) {
    list.parse(typed, &LocalTime::default())
}

/// Returns the conditions of a filter without alternatives.
fn all(list: List, typed: &str) -> Vec<Condition> {
    let (filter, fault) = parse(list, typed);
    assert_eq!(fault, None, "{typed}");
    assert!(filter.alternatives().len() < 2, "{typed}");
    filter.alternatives.concat()
}

fn fault(list: List, typed: &str) -> String {
    let (filter, fault) = parse(list, typed);
    assert_eq!(filter, Filter::default(), "{typed}");
    fault.map(|fault| fault.to_string()).unwrap_or_default()
}

fn not(test: Test) -> Condition {
    Condition { any: vec![test], negated: true }
}

#[test]
fn words_are_text_and_all_must_match() {
    let text = |word: &str| Condition::from(Test::Text(word.to_owned()));
    assert_eq!(all(List::Plants, ""), []);
    assert_eq!(all(List::Plants, "  "), []);
    assert_eq!(all(List::Plants, " Big  FERN "), [text("big"), text("fern")]);
    assert_eq!(all(List::Plants, "\"Big  fern\" x"), [text("big  fern"), text("x")]);
    assert_eq!(all(List::Plants, "a\"b 12:30 : \"x:y\""), ["a\"b", "12:30", ":", "x:y"].map(text));
    assert_eq!(all(List::Plants, "!moss ! \""), [not(Test::Text("moss".to_owned()))]);
}

#[test]
fn a_field_looks_into_one_column() {
    assert_eq!(all(List::Plants, "tag:Desert"), [Test::Tag("desert".to_owned()).into()]);
    assert_eq!(all(List::Plants, "NAME:\"Big fern\""), [Test::Is(TextColumn::Name, "big fern".to_owned()).into()]);
    assert_eq!(all(List::Plants, "!tag:a:b"), [not(Test::Tag("a:b".to_owned()))]);
    assert_eq!(all(List::Plants, "id:-7 x"), [Test::Id(PlantId(-7)).into(), Test::Text("x".to_owned()).into()]);
    assert_eq!(all(List::Requests, "is:delete"), [Test::IsDelete.into()]);
    assert_eq!(all(List::Rules, "verdict:f"), [Test::Verdict("fail").into()]);
}

#[test]
fn a_dash_negates_a_field_and_no_other_word() {
    assert_eq!(all(List::Plants, "-tag:Desert"), [not(Test::Tag("desert".to_owned()))]);
    assert_eq!(all(List::Requests, "-is:check -id:-7"), [not(Test::OfCheck), not(Test::Id(PlantId(-7)))]);
    for word in ["-fern", "-7", "--tag:x", "-", "-1:2"] {
        assert_eq!(all(List::Plants, word), [Test::Text(word.to_owned()).into()], "{word}");
    }
}

#[test]
fn of_several_values_that_a_row_has_one_of_any_matches() {
    let [stored, unknown, adding] = [State::Stored, State::Unknown, State::Adding].map(Test::State);
    let either = Condition { any: vec![stored.clone(), unknown.clone()], negated: false };
    assert_eq!(all(List::Plants, "!state:adding state:stored state:un"), [not(adding), either]);
    assert_eq!(all(List::Plants, "!state:s !state:u"), [not(stored), not(unknown)]);
    assert_eq!(all(List::Plants, "tag:a tag:b").len(), 2);
    assert_eq!(all(List::Requests, "is:check is:delete"), [Test::OfCheck.into(), Test::IsDelete.into()]);
}

#[test]
fn a_bar_is_between_alternatives() {
    let whole = |text: &str| Test::Is(TextColumn::Tag, text.to_owned()).into();
    let text = |word: &str| Condition::from(Test::Text(word.to_owned()));
    let tag = |tag: &str| Condition::from(Test::Tag(tag.to_owned()));
    let unknown = Condition::from(Test::State(State::Unknown));
    for (typed, alternatives) in [
        (
            "tag:desert !fern | state:unknown",
            vec![vec![tag("desert"), not(Test::Text("fern".to_owned()))], vec![unknown.clone()]],
        ),
        ("fern|moss", vec![vec![text("fern")], vec![text("moss")]]),
        ("tag:a|tag:b x", vec![vec![tag("a")], vec![tag("b"), text("x")]]),
        ("tag:\"a\"|tag:\"b|c\"", vec![vec![whole("a")], vec![whole("b|c")]]),
        ("\"a|b\" c", vec![vec![text("a|b"), text("c")]]),
        ("state:u|state:u", vec![vec![unknown.clone()], vec![unknown]]),
        ("fern |", vec![vec![text("fern")]]),
        ("fern | tag: | ! || \"\" |moss", vec![vec![text("fern")], vec![text("moss")]]),
        ("|", vec![]),
    ] {
        let (filter, fault) = parse(List::Plants, typed);
        assert_eq!(filter.alternatives(), alternatives, "{typed}");
        assert_eq!(fault, None, "{typed}");
    }
}

#[test]
fn a_quoted_empty_value_is_an_empty_text() {
    assert_eq!(all(List::Plants, "tag:\"\""), [Test::Is(TextColumn::Tag, String::new()).into()]);
    assert_eq!(all(List::Plants, "tag:\"X\""), [Test::Is(TextColumn::Tag, "x".to_owned()).into()]);
    assert_eq!(all(List::Plants, "!name:\"\""), [not(Test::Is(TextColumn::Name, String::new()))]);
    assert_eq!(all(List::Requests, "response:\"\""), [Test::Is(TextColumn::Response, String::new()).into()]);
    assert_eq!(all(List::Plants, "\"\""), []);
    assert_eq!(fault(List::Plants, "id:\"\""), "use a whole number");
    assert_eq!(fault(List::Plants, "state:\"\""), "use stored, unknown, adding or deleting");
    assert_eq!(fault(List::Requests, "status:\"\""), "use 100 to 999, or a class like 4xx");
}

#[test]
fn a_time_is_an_age_or_a_date() {
    let time = LocalTime { now: Timestamp(7_200_000), ..LocalTime::default() };
    let filter = |typed: &str| List::Requests.parse(typed, &time).0;
    let since = |at| Filter::default().and(Test::Since(Timestamp(at)));
    assert_eq!(filter("since:1h"), since(3_600_000));
    assert_eq!(filter("since:\"1h 30m\""), since(1_800_000));
    assert_eq!(filter("since:1970-01-02"), since(86_400_000));
    assert_eq!(filter("-BEFORE:1970-01-01T01:00"), Filter::default().and(not(Test::Before(Timestamp(3_600_000)))));
    assert_eq!(all(List::Plants, "since:"), []);
    let explained = "use an age like 1h or 7d, or a date like 2026-11-01";
    for typed in ["since:1", "before:2026-11", "since:\"\"", "since:soon", "since:-1h"] {
        assert_eq!(fault(List::Plants, typed), explained, "{typed}");
    }
    assert!(fault(List::Rules, "since:1h").starts_with("no field since"));
}

#[test]
fn a_condition_is_added_to_every_alternative() {
    let (id, fern) = (Test::Id(PlantId(7)), Test::Text("fern".to_owned()));
    assert_eq!(Filter::default().and(id.clone()), all_of([vec![id.clone().into()]]));
    let filter = parse(List::Requests, "fern | is:check").0.and(id.clone());
    assert_eq!(filter, all_of([vec![fern.into(), id.clone().into()], vec![Test::OfCheck.into(), id.into()]]));
}

#[test]
fn each_alternative_leaves_out_checks_that_it_does_not_ask_for() {
    let fern = Condition::from(Test::Text("fern".to_owned()));
    let without = |typed: &str| parse(List::Requests, typed).0.without_unasked_checks();
    assert_eq!(without(""), all_of([vec![not(Test::OfCheck)]]));
    let check = vec![Test::OfCheck.into()];
    assert_eq!(without("fern | is:check"), all_of([vec![fern, not(Test::OfCheck)], check]));
    assert_eq!(without("id:7 | !is:check"), parse(List::Requests, "id:7 | !is:check").0);
}

fn all_of(alternatives: impl IntoIterator<Item = Vec<Condition>>) -> Filter {
    alternatives.into_iter().collect()
}

#[test]
fn a_filter_has_a_limited_number_of_words() {
    assert_eq!(all(List::Plants, &"a ".repeat(500)).len(), 500);
    let fault = parse(List::Plants, &"a ".repeat(501)).1.map(|fault| fault.to_string());
    assert_eq!(fault.as_deref(), Some("use at most 500 words"));
}

#[test]
fn a_finished_filter_has_no_unfinished_word() {
    let parse = |typed: &str| List::Plants.parse_finished(typed, &LocalTime::default());
    assert_eq!(
        parse("tag:\"\" fern | "),
        Ok(all_of([vec![Test::Is(TextColumn::Tag, String::new()).into(), Test::Text("fern".into()).into()]]))
    );
    for (typed, word) in
        [("fern tag: x", "tag:"), ("-Name:\"", "-Name:\""), ("! |a", "!"), ("a|\"\"", "\"\""), ("id:-", "id:-")]
    {
        assert_eq!(parse(typed), Err(format!("{word} has no value")), "{typed}");
    }
    assert_eq!(parse("fern state:x tag:"), Err("state:x: use stored, unknown, adding or deleting".to_owned()));
    assert_eq!(parse(&"a ".repeat(501)), Err("use at most 500 words".to_owned()));
}

#[test]
fn a_quote_is_closed_at_the_end_of_a_word() {
    let open = "use a closing quote";
    for (typed, test) in [("\"open en", Test::Text("open en".to_owned())), ("tag:\"x", Test::Tag("x".to_owned()))] {
        let (filter, fault) = parse(List::Plants, typed);
        assert_eq!(filter, Filter::default().and(test), "it filters while it is typed");
        assert_eq!(fault.map(|fault| fault.to_string()).as_deref(), Some(open));
    }
    let finished = |typed: &str| List::Plants.parse_finished(typed, &LocalTime::default());
    assert_eq!(finished("moss !\"fern tag:desert"), Err(format!("!\"fern tag:desert: {open}")));
    for typed in ["tag:\"desert\"x", "tag:\"\"\"", "\"a\"tag:x"] {
        assert_eq!(fault(List::Plants, typed), "use a space after the closing quote", "{typed}");
        assert_eq!(finished(&format!("{typed} fern")), Err(format!("{typed}: use a space after the closing quote")));
    }
    assert!(finished("tag:\"a\"|tag:\"b\" fern").is_ok());
}

#[test]
fn an_unfinished_word_is_no_condition() {
    for typed in ["!", "\"", "tag:", "!name:", "name:\"", "id:", "id:-", "state:", "!state:"] {
        assert_eq!(all(List::Plants, typed), [], "{typed}");
    }
    assert_eq!(all(List::Requests, "status: outcome: is:"), []);
}

#[test]
fn the_word_check_finds_requests_of_a_check() {
    let either = vec![Test::Text("check".to_owned()), Test::OfCheck];
    assert_eq!(all(List::Requests, "Check"), [Condition { any: either.clone(), negated: false }]);
    assert_eq!(all(List::Requests, "!check"), [Condition { any: either, negated: true }]);
    assert_eq!(all(List::Requests, "\"check\""), [Test::Text("check".to_owned()).into()]);
    assert_eq!(all(List::Plants, "check"), [Test::Text("check".to_owned()).into()]);
}

#[test]
fn failed_is_everything_that_was_not_accepted() {
    let only_failed = [Condition { any: failed().1, negated: false }];
    for typed in ["outcome:failed", "is:failed", "outcome:f", "is:fail"] {
        assert_eq!(all(List::Requests, typed), only_failed, "{typed}");
    }
    let any = [vec![Test::Text("failed".to_owned())], failed().1].concat();
    assert_eq!(all(List::Requests, "Failed"), [Condition { any: any.clone(), negated: false }]);
    assert_eq!(all(List::Requests, "!failed"), [Condition { any, negated: true }]);
    assert_eq!(all(List::Requests, "\"failed\""), [Test::Text("failed".to_owned()).into()]);
    assert_eq!(all(List::Plants, "failed"), [Test::Text("failed".to_owned()).into()]);
}

#[test]
fn a_dash_before_a_word_is_explained() {
    assert_eq!(explain_dash("fern -shade x").as_deref(), Some("!shade leaves it out; -shade is text"));
    for typed in ["", "-", "-7", "-tag:x", "!-shade", "\"-shade\"", "a-b", "name:-x"] {
        assert_eq!(explain_dash(typed), None, "{typed}");
    }
}

#[test]
fn an_outcome_can_be_written_in_words() {
    for typed in ["outcome:not_sent", "outcome:NOT-SENT", "outcome:\"not sent\"", "outcome:n"] {
        assert_eq!(all(List::Requests, typed), [Test::Outcome(Outcome::NotSent).into()], "{typed}");
    }
}

#[test]
fn a_status_is_a_number_or_a_class() {
    let meant = |typed: &str| all(List::Requests, &format!("status:{typed}"));
    for (typed, range) in [
        ("409", 409..=409),
        ("5xx", 500..=599),
        ("5XX", 500..=599),
        ("5x", 500..=599),
        ("5", 500..=599),
        ("40", 400..=409),
        ("40x", 400..=409),
    ] {
        assert_eq!(meant(typed), [Test::Status(range).into()], "{typed}");
    }
    assert_eq!([status("404"), status("4xx")], [Some(404..=404), Some(400..=499)]);
    for wrong in ["", "4", "40", "xx", "xxx", "0xx", "44xx", "-4xx", "99", "099", "1000", "ok", "+40", "x40"] {
        assert_eq!(status(wrong), None, "{wrong}");
    }
}

#[test]
fn what_cannot_be_is_said_with_what_can_be() {
    assert_eq!(
        fault(List::Plants, "foo:bar"),
        "no field foo: use name, tag, id, state, status, response, author, since or before; quotes make it text"
    );
    assert_eq!(
        fault(List::Plants, "!Outcome:rejected"),
        "no field outcome: use name, tag, id, state, status, response, author, since or before; quotes make it text"
    );
    assert!(fault(List::Plants, "https://plants.example").starts_with("no field https: use name"));
    assert_eq!(fault(List::Plants, "state:foo"), "use stored, unknown, adding or deleting");
    assert_eq!(fault(List::Plants, "id:seven"), "use a whole number");
    for status in ["abc", "44xx", "4xxx", "1000"] {
        let explained = fault(List::Requests, &format!("status:{status}"));
        assert_eq!(explained, "use 100 to 999, or a class like 4xx", "{status}");
    }
    assert_eq!(fault(List::Requests, "outcome:lost"), "use accepted, rejected, unknown, not_sent or failed");
    assert_eq!(fault(List::Requests, "is:big"), "use check, add, delete or failed");
    assert_eq!(fault(List::Rules, "verdict:no"), "use pass, fail or inconclusive");
    let (filter, fault) = parse(List::Plants, "state:foo fern x:y");
    assert_eq!(filter, Filter::default().and(Test::Text("fern".to_owned())));
    assert_eq!(fault.map(|fault| fault.to_string()).as_deref(), Some("use stored, unknown, adding or deleting"));
    let short = |list: List, typed| parse(list, typed).1.map(|fault| fault.in_short()).unwrap_or_default();
    assert_eq!(short(List::Requests, "method:get"), "no field method; quotes make it text");
    assert_eq!(short(List::Requests, "status:abc"), "use 100 to 999, or a class like 4xx");
}

#[test]
fn a_whole_word_finds_a_state_an_outcome_a_status_or_a_verdict_besides_the_text() {
    let text = |word: &str| Test::Text(word.to_owned());
    for (list, word, test) in [
        (List::Plants, "unknown", Test::State(State::Unknown)),
        (List::Requests, "rejected", Test::Outcome(Outcome::Rejected)),
        (List::Requests, "not_sent", Test::Outcome(Outcome::NotSent)),
        (List::Requests, "409", Test::Status(409..=409)),
        (List::Requests, "5xx", Test::Status(500..=599)),
        (List::Requests, "check", Test::OfCheck),
        (List::Requests, "delete", Test::IsDelete),
        (List::Rules, "fail", Test::Verdict("fail")),
    ] {
        let any = vec![text(word), test];
        assert_eq!(all(list, word), [Condition { any: any.clone(), negated: false }]);
        assert_eq!(all(list, &format!("!{}", word.to_uppercase())), [Condition { any, negated: true }]);
        assert_eq!(all(list, &format!("\"{word}\"")), [text(word).into()]);
    }
    for word in ["reject", "40", "99", "1000"] {
        assert_eq!(all(List::Requests, word), [text(word).into()]);
    }
    assert_eq!(all(List::Plants, "409"), [text("409").into()]);
}

#[test]
fn the_end_of_a_filter_is_what_can_be_completed() {
    for (typed, end) in [
        ("", Some(("", None, "", false))),
        ("fern ", Some(("fern ", None, "", false))),
        ("fern |", Some(("fern |", None, "", false))),
        ("fe", Some(("", None, "fe", false))),
        ("!tag:de", Some(("!tag:", Some("tag"), "de", false))),
        ("fern tag:", Some(("fern tag:", Some("tag"), "", false))),
        ("tag:\"de r", Some(("tag:", Some("tag"), "de r", true))),
        ("tag:\"de\"", None),
        ("tag:\"de\" ", Some(("tag:\"de\" ", None, "", false))),
    ] {
        let end = end.map(|(before, field, value, is_quoted)| Unfinished { before, field, value, is_quoted });
        assert_eq!(unfinished(typed), end, "{typed}");
    }
}

#[test]
fn a_text_that_is_written_as_a_value_is_that_text() {
    for text in ["desert", "desert rose", "a|b", "a\"b", "state", "é"] {
        let typed = format!("tag:{}", quoted(text).unwrap());
        let tag =
            if typed.contains(":\"") { Test::Is(TextColumn::Tag, text.to_owned()) } else { Test::Tag(text.to_owned()) };
        assert_eq!(all(List::Plants, &typed), [tag.into()], "{typed}");
    }
    assert_eq!(["\"a", "a \"b"].map(quoted), [None, None]);
}

#[test]
fn every_example_is_valid() {
    for list in [List::Plants, List::Requests, List::Rules] {
        for example in list.examples().split(' ') {
            assert_eq!(parse(list, example).1, None, "{example}");
        }
    }
}

fn lists() -> impl Strategy<Value = List> {
    prop::sample::select(vec![List::Plants, List::Requests, List::Rules])
}

/// Words of a filter, valid and invalid ones.
fn word() -> impl Strategy<Value = String> {
    let field = prop::sample::select(vec!["", "", "name:", "tag:", "id:", "state:", "status:", "is:", "nam:", ":"]);
    let value = prop_oneof!["[a-z0-9:\"é]{0,4}", Just("unknown".to_owned()), Just("\"a b\"".to_owned())];
    (prop::sample::select(vec!["", "!"]), field, value).prop_map(|(not, field, value)| format!("{not}{field}{value}"))
}

fn complete() -> impl Strategy<Value = String> {
    word().prop_filter("every quote ends", |word| word.matches('"').count() % 2 == 0)
}

/// Words that filter every list.
fn meaning() -> impl Strategy<Value = String> {
    let word =
        prop::sample::select(vec!["fern", "!fern", "name:a", "-name:a", "\"a|b\"", "unknown", "!409", "name:\"\""]);
    prop::collection::vec(word, 1..4).prop_map(|words| words.join(" "))
}

/// One word that filters a list, without `!`.
fn meaningful() -> impl Strategy<Value = (List, String)> {
    let word = word().prop_map(|word| word.trim_start_matches('!').to_owned());
    (lists(), word).prop_filter("one word that filters", |(list, word)| {
        words(word).count() == 1 && parse(*list, word).0 != Filter::default()
    })
}

proptest! {
    #[test]
    fn any_text_can_be_parsed(list in lists(), typed in any::<String>()) {
        parse(list, &typed);
    }

    #[test]
    fn quoted_text_is_text(list in lists(), text in "[^\"]{1,9}") {
        let test = Test::Text(caseless(&text));
        prop_assert_eq!(parse(list, &format!("\"{text}\"")), (Filter::default().and(test), None));
    }

    /// A word and its negation share no row, and have every row between them.
    #[test]
    fn a_negation_is_the_complement((list, word) in meaningful(), passed: u64) {
        let passes = |test: &Test| format!("{test:?}").len() as u64 & passed != 0;
        let ((filter, _), (negation, _)) = (parse(list, &word), parse(list, &format!("!{word}")));
        prop_assert_ne!(filter.matches(passes), negation.matches(passes));
    }

    #[test]
    fn a_row_matches_if_it_matches_an_alternative(list in lists(), one in meaning(), other in meaning(), passed: u64) {
        let passes = |test: &Test| format!("{test:?}").len() as u64 & passed != 0;
        let matches = |typed: &str| parse(list, typed).0.matches(passes);
        prop_assert_eq!(matches(&format!("{one} | {other}")), matches(&one) || matches(&other));
        prop_assert_eq!(matches(&format!("{one}|")), matches(&one));
    }

    /// Words do not change each other's meaning, except several values of one field.
    #[test]
    fn a_row_matches_if_it_matches_every_word(list in lists(), words in prop::collection::vec(complete(), 0..5), passed: u64) {
        let passes = |test: &Test| format!("{test:?}").len() as u64 & passed != 0;
        let each: Vec<_> = words.iter().map(|word| parse(list, word)).collect();
        let (whole, fault) = parse(list, &words.join(" "));
        let matches_each = each.iter().all(|(filter, _)| filter.matches(passes));
        prop_assert!(!matches_each || whole.matches(passes));
        let is_single = |test: &Test| matches!(test, Test::Id(_) | Test::State(_) | Test::Outcome(_) | Test::Status(_) | Test::Verdict(_));
        let singles = each.iter().flat_map(|(filter, _)| filter.alternatives.iter().flatten()).filter(|one| !one.negated && one.any.iter().any(is_single));
        if singles.count() < 2 {
            prop_assert_eq!(matches_each, whole.matches(passes));
        }
        prop_assert_eq!(fault, each.into_iter().find_map(|(_, fault)| fault));
    }
}
