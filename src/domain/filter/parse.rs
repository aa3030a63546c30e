//! Reads a filter as a person types it: `fern tag:desert | !state:unknown`.
//!
//! Words are combined with AND, and `|` is between alternatives. `field:value` looks into one field, `!` before a word
//! negates it, as `-` does before a field. Quotes keep spaces and `|`, and what is in them is text alone.

use std::ops::RangeInclusive;

use strum::IntoStaticStr;

use super::words::{Quotes, Word, tokens, words};
use super::{CHECK, Condition, Filter, FilterFault, List, Test, TextColumn};
use crate::domain::{LocalTime, Outcome, State};
use crate::text::caseless::caseless;

/// The most words of a filter: `SQLite` limits the depth of an expression.
const MOST_WORDS: usize = 500;

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
    Response,
    Author,
    Since,
    Before,
    Section,
    Verdict,
}

/// The requests that were not accepted: their word, and what it stands for.
pub(super) fn failed() -> (&'static str, Vec<Test>) {
    ("failed", [Outcome::Rejected, Outcome::Unknown, Outcome::NotSent].map(Test::Outcome).to_vec())
}

impl List {
    fn fields(self) -> &'static [Field] {
        use Field::{Author, Before, Id, Is, Name, Outcome, Response, Section, Since, State, Status, Tag, Verdict};
        match self {
            Self::Plants => &[Name, Tag, Id, State, Status, Response, Author, Since, Before],
            Self::Requests => &[Name, Tag, Id, Outcome, Status, Is, Response, Author, Since, Before],
            Self::Rules => &[Name, Section, Verdict],
        }
    }

    /// Splits `tag:fern` or `tag=fern` behind the name of a field of this list.
    pub fn split_field(self, word: &str) -> Option<(&'static str, &str)> {
        let (name, value) = word.split_once([':', '='])?;
        let field = self.fields().iter().find(|field| field.word().eq_ignore_ascii_case(name))?;
        Some((field.word(), value))
    }

    /// Returns the words that can be typed as a value of this field, or, of none, the fields with their colons.
    pub fn words_of(self, field: Option<&str>) -> Vec<String> {
        let Some(name) = field else { return self.fields().iter().map(|field| format!("{}:", field.word())).collect() };
        let of_field = self.fields().iter().filter(|field| field.word() == name).flat_map(|field| field.words());
        of_field.map(|(word, _)| word.to_owned()).collect()
    }

    /// Returns what can be typed, with spaces in between, the most useful first.
    pub fn examples(self) -> &'static str {
        match self {
            Self::Plants => "text name: tag: id: state:unknown !not this|that since:1h",
            Self::Requests => "text name: tag: id: outcome: status:5xx !check is:failed since:1h this|that response:",
            Self::Rules => "text name: verdict:fail section: !not this|that",
        }
    }

    /// Parses a filter while it is typed. Returns its conditions and the first fault; a word with a fault is no
    /// condition.
    ///
    /// A value that may still become longer never filters too much: an empty one is no condition, the beginning of a
    /// state stands for that state, and an alternative without a condition is none.
    pub fn parse(self, typed: &str, time: &LocalTime) -> (Filter, Option<FilterFault>) {
        let (filter, mut faults) = self.read(typed, time);
        faults.retain(|(_, fault)| !matches!(fault, FilterFault::Unfinished(_)));
        (filter, faults.into_iter().next().map(|(_, fault)| fault))
    }

    /// Parses a filter that is finished, as in a command: there, a field without a value must not stand for every row.
    ///
    /// # Errors
    ///
    /// Says which word is invalid, or has no value, and why.
    pub fn parse_finished(self, typed: &str, time: &LocalTime) -> Result<Filter, String> {
        let (filter, faults) = self.read(typed, time);
        faults.into_iter().next().map_or(Ok(filter), |(word, fault)| Err(fault.in_word(word)))
    }

    /// Parses a filter that names the plants of a command: finished, and not empty, as a variable without a value is.
    ///
    /// # Errors
    ///
    /// As for [`List::parse_finished`], or the filter is empty.
    pub fn parse_naming(self, typed: &str, time: &LocalTime) -> Result<Filter, String> {
        let filter = self.parse_finished(typed, time)?;
        let why = "it is empty, and would name every plant; state:stored names the stored ones";
        if filter.is_empty() { Err(why.to_owned()) } else { Ok(filter) }
    }

    /// Returns the conditions, and the faults in the order of their words; too many words have none.
    fn read<'t>(self, typed: &'t str, time: &LocalTime) -> (Filter, Vec<(&'t str, FilterFault)>) {
        let (mut alternatives, mut all) = (Vec::new(), Vec::new());
        let mut faults = Vec::new();
        for (count, token) in tokens(typed).enumerate() {
            if count == MOST_WORDS {
                faults.push(("", FilterFault::Other("at most 500 words")));
                break;
            }
            match token {
                None => alternatives.push(std::mem::take(&mut all)),
                Some(word) => match self.tests(&word, time) {
                    Ok((_, any)) if any.is_empty() => {
                        faults.push((word.typed, FilterFault::Unfinished(word.typed.to_owned())));
                    }
                    Ok((field, any)) => {
                        add(&mut all, field, Condition { any, negated: word.negated });
                        if word.quotes == Quotes::Open {
                            faults.push((word.typed, FilterFault::Other("a closing quote")));
                        }
                    }
                    Err(why) => faults.push((word.typed, why)),
                },
            }
        }
        alternatives.push(all);
        let conditions = |all: Vec<(_, Condition)>| all.into_iter().map(|(_, condition)| condition).collect();
        (alternatives.into_iter().map(conditions).collect(), faults)
    }

    /// Returns the tests of which a word needs one, and its field; none if the word is not finished.
    fn tests(self, word: &Word<'_>, time: &LocalTime) -> Result<(Option<Field>, Vec<Test>), FilterFault> {
        if word.quotes == Quotes::Inside {
            return Err(FilterFault::Other("a space after the closing quote"));
        }
        let value = caseless(word.value);
        let Some(name) = word.field else {
            if let (Quotes::None, Some((field, _))) = (word.quotes, self.split_field(word.value)) {
                return Err(FilterFault::NoColon(field));
            }
            let mut any = Vec::new();
            if !word.value.is_empty() {
                any.push(Test::Text(value.clone()));
            }
            if word.quotes == Quotes::None {
                any.extend(self.named(&value));
            }
            return Ok((None, any));
        };
        let is_it = |field: &&Field| field.word().eq_ignore_ascii_case(name);
        let Some(field) = self.fields().iter().copied().find(|field| is_it(&field)) else {
            let fields = self.fields().iter().map(|field| field.word()).collect();
            return Err(FilterFault::NoField(name.to_ascii_lowercase(), fields));
        };
        if word.value.is_empty() && word.quotes != Quotes::Both {
            return Ok((Some(field), Vec::new()));
        }
        // A quoted name or tag is meant whole: `tag:"x"` must not delete what is tagged exotic.
        let text = |column, part: fn(String) -> Test| {
            let is_whole = word.quotes == Quotes::Both && matches!(column, TextColumn::Name | TextColumn::Tag);
            if value.is_empty() || is_whole { Test::Is(column, value.clone()) } else { part(value.clone()) }
        };
        let moment = || time.parse(word.value).map_err(FilterFault::Other);
        let any = match field {
            Field::Name => vec![text(TextColumn::Name, Test::Name)],
            Field::Tag => vec![text(TextColumn::Tag, Test::Tag)],
            Field::Section => vec![text(TextColumn::Section, Test::Section)],
            Field::Response => vec![text(TextColumn::Response, Test::Response)],
            Field::Author => vec![Test::Author(value)],
            Field::Since => vec![Test::Since(moment()?)],
            Field::Before => vec![Test::Before(moment()?)],
            Field::Id if word.value == "-" => Vec::new(),
            Field::Id => vec![Test::Id(word.value.parse().map_err(|_| FilterFault::Other("a whole number"))?)],
            Field::State | Field::Outcome | Field::Verdict | Field::Is => begun(&field.words(), &value)?,
            Field::Status => {
                let range = begun_status(&value);
                vec![Test::Status(range.ok_or(FilterFault::Other("100 to 999, or a class like 4xx"))?)]
            }
        };
        Ok((Some(field), any))
    }

    /// Returns the tests that a word without a field stands for, besides the text: a state, an outcome, a status, a
    /// verdict, or a kind of request, each written in full.
    fn named(self, value: &str) -> Vec<Test> {
        let mut words = self.fields().iter().flat_map(|field| field.words());
        let found = words.find(|(word, _)| *word == value).map(|(_, tests)| tests);
        let status = if self == Self::Requests { status(value).map(Test::Status) } else { None };
        found.into_iter().flatten().chain(status).collect()
    }
}

impl Field {
    fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the words that are its values, if it has a choice of some.
    fn words(self) -> Vec<(&'static str, Vec<Test>)> {
        use Field::{Author, Before, Id, Name, Response, Section, Since, Status, Tag};
        match self {
            Self::State => State::ALL.map(|state| (state.word(), vec![Test::State(state)])).into(),
            Self::Outcome => {
                let outcomes = Outcome::ALL.map(|outcome| (outcome.into(), vec![Test::Outcome(outcome)]));
                outcomes.into_iter().chain([failed()]).collect()
            }
            Self::Verdict => ["pass", "fail", "inconclusive"].map(|word| (word, vec![Test::Verdict(word)])).into(),
            Self::Is => {
                let kinds = [(CHECK, Test::OfCheck), ("add", Test::IsAdd), ("delete", Test::IsDelete)];
                kinds.map(|(word, test)| (word, vec![test])).into_iter().chain([failed()]).collect()
            }
            Name | Tag | Id | Status | Response | Author | Since | Before | Section => Vec::new(),
        }
    }

    /// Whether a row has exactly one value of it, or none.
    fn is_single(self) -> bool {
        matches!(self, Self::Id | Self::State | Self::Outcome | Self::Status | Self::Verdict)
    }
}

/// Adds a condition to an alternative. A row has one id and one state: of several, it can have any.
fn add(all: &mut Vec<(Option<Field>, Condition)>, field: Option<Field>, new: Condition) {
    let is_single = field.is_some_and(Field::is_single) && !new.negated;
    let same = |(other, condition): &&mut (Option<Field>, Condition)| *other == field && !condition.negated;
    match all.iter_mut().find(same).filter(|_| is_single) {
        Some((_, condition)) => condition.any.extend(new.any),
        None => all.push((field, new)),
    }
}

/// Returns the tests whose words begin with this value.
fn begun(words: &[(&'static str, Vec<Test>)], value: &str) -> Result<Vec<Test>, FilterFault> {
    let value = value.replace([' ', '-'], "_");
    let meant: Vec<_> = words
        .iter()
        .filter(|(word, _)| !value.is_empty() && word.starts_with(&value))
        .flat_map(|(_, tests)| tests.iter().cloned())
        .collect();
    if meant.is_empty() {
        return Err(FilterFault::OneOf(words.iter().map(|(word, _)| *word).collect()));
    }
    Ok(meant)
}

/// Returns how to leave out the first word that is typed with a dash before it, which is text: `!fern leaves it out`.
pub fn explain_dash(typed: &str) -> Option<String> {
    let is_meant = |word: &Word<'_>| !word.negated && word.field.is_none() && word.quotes == Quotes::None;
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
