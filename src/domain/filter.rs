//! The filter of a list, as a person types it: `fern tag:desert !state:unknown`.
//!
//! Words are combined with AND. `field:value` looks into one field, `!` before a word negates it, as `-` does before
//! a field, and quotes keep spaces. Must not know where the rows are: the journal turns a [`Filter`] into SQL.

mod fault;

use std::ops::RangeInclusive;

use strum::IntoStaticStr;

pub use self::fault::FilterFault;
use super::ledger::State;
use super::outcome::Outcome;
use super::plant::PlantId;
use crate::text::caseless::caseless;

/// The list that a filter is for. Each list has its own fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Plants,
    /// The history.
    Requests,
    /// The rows of a contract check.
    Rules,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Field {
    Name,
    Tag,
    Id,
    State,
    Outcome,
    Status,
    Is,
    Section,
    Verdict,
}

/// One property that a row has or has not. Parts of texts are [`caseless`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// A part of any column with text, or of the id.
    Text(String),
    Name(String),
    Tag(String),
    Section(String),
    Id(PlantId),
    State(State),
    Outcome(Outcome),
    /// The status of a request, or of the last one of a plant.
    Status(RangeInclusive<u16>),
    /// The word of a rule's verdict.
    Verdict(&'static str),
    /// A request of a contract check.
    OfCheck,
    IsAdd,
    IsDelete,
}

/// A row meets a condition if it passes any of the tests; or none of them, if the condition is negated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub any: Vec<Test>,
    pub negated: bool,
}

impl From<Test> for Condition {
    fn from(test: Test) -> Self {
        Self { any: vec![test], negated: false }
    }
}

/// The conditions that a row must all meet. The default has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub all: Vec<Condition>,
}

impl Filter {
    /// Whether the filter can be meant for requests of contract checks: it names checks, or a plant by its id.
    pub fn asks_for_checks(&self) -> bool {
        #[expect(clippy::wildcard_enum_match_arm, reason = "most tests have nothing to do with checks")]
        let is_about_checks = |test: &Test| match test {
            Test::OfCheck | Test::Id(_) => true,
            Test::Text(text) | Test::Name(text) | Test::Tag(text) => text.contains(CHECK),
            _ => false,
        };
        self.all.iter().any(|condition| !condition.negated && condition.any.iter().any(is_about_checks))
    }

    /// Leaves out the requests of contract checks, many of which the store has to reject, unless the filter asks for
    /// them.
    #[must_use]
    pub fn without_unasked_checks(mut self) -> Self {
        let excludes = |condition: &Condition| condition.negated && condition.any.contains(&Test::OfCheck);
        if !self.asks_for_checks() && !self.all.iter().any(excludes) {
            self.all.push(Condition { any: vec![Test::OfCheck], negated: true });
        }
        self
    }

    /// Whether a row matches, given which tests it passes.
    pub fn matches(&self, passes: impl Fn(&Test) -> bool) -> bool {
        self.all.iter().all(|condition| condition.any.iter().any(&passes) != condition.negated)
    }
}

const OUTCOMES: [(&str, &[Test]); 5] = [
    ("accepted", &[Test::Outcome(Outcome::Accepted)]),
    ("rejected", &[Test::Outcome(Outcome::Rejected)]),
    ("unknown", &[Test::Outcome(Outcome::Unknown)]),
    ("not_sent", &[Test::Outcome(Outcome::NotSent)]),
    (FAILED, FAILURES),
];

/// The word for the requests that were not accepted.
const FAILED: &str = "failed";

const FAILURES: &[Test] =
    &[Test::Outcome(Outcome::Rejected), Test::Outcome(Outcome::Unknown), Test::Outcome(Outcome::NotSent)];

const STATES: [(&str, &[Test]); 4] = [
    ("stored", &[Test::State(State::Stored)]),
    ("unknown", &[Test::State(State::Unknown)]),
    ("adding", &[Test::State(State::Adding)]),
    ("deleting", &[Test::State(State::Deleting)]),
];

const VERDICTS: [(&str, &[Test]); 3] = [
    ("pass", &[Test::Verdict("pass")]),
    ("fail", &[Test::Verdict("fail")]),
    ("inconclusive", &[Test::Verdict("inconclusive")]),
];

/// The word for the requests of a check.
const CHECK: &str = "check";

const KINDS: [(&str, &[Test]); 4] =
    [(CHECK, &[Test::OfCheck]), ("add", &[Test::IsAdd]), ("delete", &[Test::IsDelete]), (FAILED, FAILURES)];

impl List {
    fn fields(self) -> &'static [Field] {
        match self {
            Self::Plants => &[Field::Name, Field::Tag, Field::Id, Field::State, Field::Status],
            Self::Requests => &[Field::Name, Field::Tag, Field::Id, Field::Outcome, Field::Status, Field::Is],
            Self::Rules => &[Field::Name, Field::Section, Field::Verdict],
        }
    }

    /// Returns what can be typed, the most useful first.
    pub fn examples(self) -> &'static [&'static str] {
        match self {
            Self::Plants => &["text", "name:", "tag:", "id:", "state:unknown", "!not"],
            Self::Requests => &["text", "name:", "tag:", "id:", "outcome:", "status:5xx", "!check", "is:failed"],
            Self::Rules => &["text", "name:", "verdict:fail", "section:", "!not"],
        }
    }

    /// Parses a filter. Returns its conditions and the first fault; a word with a fault is no condition.
    ///
    /// A value that may still become longer never filters too much: an empty one is no condition, and the beginning of
    /// a state stands for that state.
    pub fn parse(self, typed: &str) -> (Filter, Option<FilterFault>) {
        let mut all: Vec<(Option<Field>, Condition)> = Vec::new();
        let mut fault = None;
        for word in words(typed) {
            let (field, any) = match self.tests(&word) {
                Ok(tests) => tests,
                Err(why) => {
                    fault.get_or_insert(why);
                    continue;
                }
            };
            // A row has one id and one state: of several, it can have any.
            let same = |(other, condition): &&mut (Option<Field>, Condition)| *other == field && !condition.negated;
            let is_single = field.is_some_and(Field::is_single) && !word.negated;
            match all.iter_mut().find(same).filter(|_| is_single) {
                _ if any.is_empty() => {}
                Some((_, condition)) => condition.any.extend(any),
                None => all.push((field, Condition { any, negated: word.negated })),
            }
        }
        (Filter { all: all.into_iter().map(|(_, condition)| condition).collect() }, fault)
    }

    /// Returns the tests of which a word needs one, and its field; none if the word is not finished.
    fn tests(self, word: &Word<'_>) -> Result<(Option<Field>, Vec<Test>), FilterFault> {
        let value = caseless(word.value);
        let text =
            |test: fn(String) -> Test| (!word.value.is_empty()).then(|| test(value.clone())).into_iter().collect();
        let Some(name) = word.field else {
            let mut any: Vec<_> = text(Test::Text);
            if !word.is_quoted {
                any.extend(self.named(&value));
            }
            return Ok((None, any));
        };
        let is_it = |field: &&Field| field.word().eq_ignore_ascii_case(name);
        let Some(field) = self.fields().iter().copied().find(|field| is_it(&field)) else {
            let problem = format!("no field {}", name.to_ascii_lowercase());
            return Err(FilterFault::one_of(Some(problem), self.fields().iter().map(|field| field.word())));
        };
        let any = match field {
            Field::Name => text(Test::Name),
            Field::Tag => text(Test::Tag),
            Field::Section => text(Test::Section),
            Field::Id if matches!(word.value, "" | "-") => Vec::new(),
            Field::Id => vec![Test::Id(word.value.parse().map_err(|_| FilterFault::text("a whole number"))?)],
            Field::State => begun(&STATES, &value)?,
            Field::Outcome => begun(&OUTCOMES, &value)?,
            Field::Verdict => begun(&VERDICTS, &value)?,
            Field::Is => begun(&KINDS, &value)?,
            Field::Status if value.is_empty() => Vec::new(),
            Field::Status => {
                let range = begun_status(&value);
                vec![Test::Status(range.ok_or(FilterFault::text("100 to 999, or a class like 4xx"))?)]
            }
        };
        Ok((Some(field), any))
    }

    /// Returns the tests that a word without a field stands for, besides the text: a state, an outcome, a status, a
    /// verdict, or a check, each written in full.
    fn named(self, value: &str) -> Vec<Test> {
        let words: &[(&str, &[Test])] = match self {
            Self::Plants => &STATES,
            Self::Requests => &OUTCOMES,
            Self::Rules => &VERDICTS,
        };
        let mut tests: Vec<_> =
            words.iter().filter(|(word, _)| *word == value).flat_map(|(_, tests)| tests.iter().cloned()).collect();
        if self == Self::Requests {
            tests.extend((value == CHECK).then_some(Test::OfCheck));
            tests.extend(status(value).map(Test::Status));
        }
        tests
    }
}

impl Field {
    fn word(self) -> &'static str {
        self.into()
    }

    /// Whether a row has exactly one value of it, or none.
    fn is_single(self) -> bool {
        matches!(self, Self::Id | Self::State | Self::Outcome | Self::Status | Self::Verdict)
    }
}

/// Returns the tests whose words begin with this value; none if it is empty.
fn begun(words: &[(&'static str, &[Test])], value: &str) -> Result<Vec<Test>, FilterFault> {
    let value = value.replace([' ', '-'], "_");
    if value.is_empty() {
        return Ok(Vec::new());
    }
    let meant: Vec<_> = words
        .iter()
        .filter(|(word, _)| word.starts_with(&value))
        .flat_map(|(_, tests)| tests.iter().cloned())
        .collect();
    if meant.is_empty() {
        return Err(FilterFault::one_of(None, words.iter().map(|(word, _)| *word)));
    }
    Ok(meant)
}

/// Returns how to leave out the first word that is typed with a dash before it, which is text: `!fern leaves it out`.
pub fn explain_dash(typed: &str) -> Option<String> {
    let is_meant = |word: &Word<'_>| !word.negated && word.field.is_none() && !word.is_quoted;
    let dashed = words(typed).filter(is_meant).find_map(|word| word.value.strip_prefix('-'))?;
    dashed.starts_with(char::is_alphabetic).then(|| format!("!{dashed} leaves it out; -{dashed} is text"))
}

/// Parses a status, or a class of statuses such as `4xx`.
pub fn status(typed: &str) -> Option<RangeInclusive<u16>> {
    (typed.len() == 3).then(|| begun_status(&typed.to_ascii_lowercase())).flatten()
}

/// Parses a status that may still become longer: `4`, `4x` and `4xx` are the class, `40` is 400 to 409.
fn begun_status(typed: &str) -> Option<RangeInclusive<u16>> {
    let digits = typed.trim_end_matches('x');
    if typed.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = 10_u16.pow(u32::try_from(3_usize.checked_sub(digits.len())?).ok()?);
    let first = digits.parse::<u16>().ok()?.checked_mul(size).filter(|first| *first >= 100)?;
    Some(first..=first + (size - 1))
}

struct Word<'a> {
    negated: bool,
    field: Option<&'a str>,
    value: &'a str,
    is_quoted: bool,
}

fn words<'a>(typed: &'a str) -> impl Iterator<Item = Word<'a>> {
    let mut rest = typed;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let begin = rest;
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let field_of = |word: &'a str| word.split_once(':').filter(|(name, _)| is_name(name));
        // A dash before a word can be that of a number or a part of a name.
        let of_dash = || rest.strip_prefix('-').filter(|after| field_of(after).is_some());
        rest = rest.strip_prefix('!').or_else(of_dash).unwrap_or(rest);
        let negated = rest.len() < begin.len();
        let field = field_of(rest);
        rest = field.map_or(rest, |(_, after)| after);
        let quoted = rest.strip_prefix('"');
        let (value, after) = match quoted {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        rest = after;
        Some(Word { negated, field: field.map(|(name, _)| name), value, is_quoted: quoted.is_some() })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(list: List, typed: &str) -> Vec<Condition> {
        let (filter, fault) = list.parse(typed);
        assert_eq!(fault, None, "{typed}");
        filter.all
    }

    fn fault(list: List, typed: &str) -> String {
        let (filter, fault) = list.parse(typed);
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
        assert_eq!(all(List::Plants, "\"open en"), [text("open en")]);
        assert_eq!(all(List::Plants, "a\"b 12:30 : \"x:y\""), ["a\"b", "12:30", ":", "x:y"].map(text));
        assert_eq!(all(List::Plants, "!moss ! \""), [not(Test::Text("moss".to_owned()))]);
    }

    #[test]
    fn a_field_looks_into_one_column() {
        assert_eq!(all(List::Plants, "tag:Desert"), [Test::Tag("desert".to_owned()).into()]);
        assert_eq!(all(List::Plants, "NAME:\"Big fern\""), [Test::Name("big fern".to_owned()).into()]);
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
        let failed = [Condition { any: FAILURES.to_vec(), negated: false }];
        for typed in ["outcome:failed", "is:failed", "outcome:f", "is:fail"] {
            assert_eq!(all(List::Requests, typed), failed, "{typed}");
        }
        let any = [vec![Test::Text("failed".to_owned())], FAILURES.to_vec()].concat();
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
        assert_eq!(fault(List::Plants, "foo:bar"), "no field foo: use name, tag, id, state or status");
        assert_eq!(fault(List::Plants, "!Outcome:rejected"), "no field outcome: use name, tag, id, state or status");
        assert_eq!(fault(List::Plants, "state:foo"), "use stored, unknown, adding or deleting");
        assert_eq!(fault(List::Plants, "id:seven"), "use a whole number");
        for status in ["abc", "44xx", "4xxx", "1000"] {
            let explained = fault(List::Requests, &format!("status:{status}"));
            assert_eq!(explained, "use 100 to 999, or a class like 4xx", "{status}");
        }
        assert_eq!(fault(List::Requests, "outcome:lost"), "use accepted, rejected, unknown, not_sent or failed");
        assert_eq!(fault(List::Requests, "is:big"), "use check, add, delete or failed");
        assert_eq!(fault(List::Rules, "verdict:no"), "use pass, fail or inconclusive");
        let (filter, fault) = List::Plants.parse("state:foo fern x:y");
        assert_eq!(filter.all, [Test::Text("fern".to_owned()).into()]);
        assert_eq!(fault.map(|fault| fault.to_string()).as_deref(), Some("use stored, unknown, adding or deleting"));
        let short = |list: List, typed| list.parse(typed).1.map(|fault| fault.in_short()).unwrap_or_default();
        assert_eq!(short(List::Requests, "method:get"), "use name tag id outcome status is");
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
    fn the_words_are_those_of_the_values() {
        for (word, tests) in OUTCOMES.into_iter().filter(|(word, _)| *word != FAILED) {
            assert_eq!(tests.first(), word.parse().ok().map(Test::Outcome).as_ref(), "{word}");
        }
        assert_eq!(STATES.map(|(word, _)| word), State::ALL.map(State::word));
        assert_eq!(STATES.map(|(_, tests)| tests.to_vec()), State::ALL.map(|state| vec![Test::State(state)]));
    }

    #[test]
    fn every_example_is_valid() {
        for list in [List::Plants, List::Requests, List::Rules] {
            for example in list.examples() {
                assert_eq!(list.parse(example).1, None, "{example}");
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
        (prop::sample::select(vec!["", "!"]), field, value)
            .prop_map(|(not, field, value)| format!("{not}{field}{value}"))
    }

    fn complete() -> impl Strategy<Value = String> {
        word().prop_filter("every quote ends", |word| word.matches('"').count() % 2 == 0)
    }

    /// One word that filters a list, without `!`.
    fn meaningful() -> impl Strategy<Value = (List, String)> {
        let word = word().prop_map(|word| word.trim_start_matches('!').to_owned());
        (lists(), word).prop_filter("one word that filters", |(list, word)| {
            words(word).count() == 1 && list.parse(word).0 != Filter::default()
        })
    }

    proptest! {
        #[test]
        fn any_text_can_be_parsed(list in lists(), typed in any::<String>()) {
            list.parse(&typed);
        }

        #[test]
        fn quoted_text_is_text(list in lists(), text in "[^\"]{1,9}") {
            let test = Test::Text(caseless(&text));
            prop_assert_eq!(list.parse(&format!("\"{text}\"")), (Filter { all: vec![test.into()] }, None));
        }

        /// A word and its negation share no row, and have every row between them.
        #[test]
        fn a_negation_is_the_complement((list, word) in meaningful(), passed: u64) {
            let passes = |test: &Test| format!("{test:?}").len() as u64 & passed != 0;
            let ((filter, _), (negation, _)) = (list.parse(&word), list.parse(&format!("!{word}")));
            prop_assert_ne!(filter.matches(passes), negation.matches(passes));
        }

        /// Words do not change each other's meaning, except several values of one field.
        #[test]
        fn a_row_matches_if_it_matches_every_word(list in lists(), words in prop::collection::vec(complete(), 0..5), passed: u64) {
            let passes = |test: &Test| format!("{test:?}").len() as u64 & passed != 0;
            let each: Vec<_> = words.iter().map(|word| list.parse(word)).collect();
            let (whole, fault) = list.parse(&words.join(" "));
            let matches_each = each.iter().all(|(filter, _)| filter.matches(passes));
            prop_assert!(!matches_each || whole.matches(passes));
            let is_single = |test: &Test| matches!(test, Test::Id(_) | Test::State(_) | Test::Outcome(_) | Test::Status(_) | Test::Verdict(_));
            let singles = each.iter().flat_map(|(filter, _)| &filter.all).filter(|one| !one.negated && one.any.iter().any(is_single));
            if singles.count() < 2 {
                prop_assert_eq!(matches_each, whole.matches(passes));
            }
            prop_assert_eq!(fault, each.into_iter().find_map(|(_, fault)| fault));
        }
    }
}
