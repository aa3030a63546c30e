//! That the languages are complete, and what a message becomes.

use std::collections::{BTreeMap, BTreeSet};

use strum::IntoEnumIterator as _;
use unicode_width::UnicodeWidthStr as _;

use super::*;

/// What a file has of a message.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    attributes: BTreeSet<&'static str>,
    /// With those of the messages that it refers to.
    variables: BTreeSet<&'static str>,
    refers_to: BTreeSet<&'static str>,
}

/// Returns the words that follow a mark.
fn words_behind(text: &'static str, mark: &str) -> impl Iterator<Item = &'static str> {
    let ends = |letter: char| !(letter.is_ascii_lowercase() || letter == '-');
    text.split(mark).skip(1).filter_map(move |rest| rest.split(ends).next()).filter(|word| !word.is_empty())
}

fn entries(language: Language) -> BTreeMap<&'static str, Entry> {
    let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
    let mut id = "";
    for line in language.file().lines().filter(|line| !line.starts_with('#')) {
        let begins = line.starts_with(|letter: char| letter.is_ascii_lowercase());
        if let Some((name, _)) = line.split_once(" =").filter(|_| begins) {
            id = name;
            assert!(!entries.contains_key(id), "{language:?} has {id} twice");
        }
        let entry = entries.entry(id).or_default();
        entry.attributes.extend(line.trim_start().strip_prefix('.').and_then(|line| line.split(' ').next()));
        entry.variables.extend(words_behind(line, "$"));
        entry.refers_to.extend(words_behind(line, "{ "));
    }
    let own: BTreeMap<_, _> = entries.iter().map(|(id, entry)| (*id, entry.variables.clone())).collect();
    for entry in entries.values_mut() {
        entry.variables.extend(entry.refers_to.iter().flat_map(|other| own[other].clone()));
    }
    entries.remove("");
    entries
}

#[test]
fn every_language_has_each_message_of_the_program_and_no_other_with_the_same_attributes_and_variables() {
    let english = entries(Language::En);
    let used: BTreeSet<&str> = Id::iter().map(<&str>::from).collect();
    for language in Language::ALL {
        assert!(FluentResource::try_new(language.file().to_owned()).is_ok(), "{language:?}");
        let here = entries(language);
        assert_eq!(here.keys().copied().collect::<BTreeSet<_>>(), used, "{language:?}");
        for (id, entry) in &here {
            let of = |entry: &Entry| (entry.attributes.clone(), entry.variables.clone());
            assert_eq!(of(entry), of(&english[id]), "{language:?} {id}");
        }
    }
}

#[test]
fn the_language_of_a_locale_is_the_one_that_it_begins_with() {
    for (locale, language) in [
        ("de_AT.UTF-8", Language::De),
        ("es", Language::Es),
        ("ja_JP.eucJP", Language::Ja),
        ("de@euro", Language::De),
        ("C", Language::En),
        ("C.UTF-8", Language::En),
        ("fr_FR.UTF-8", Language::En),
        ("den_US", Language::En),
    ] {
        assert_eq!(Language::of_locale(locale), language, "{locale}");
    }
}

#[test]
fn in_ascii_every_language_can_be_read() {
    for language in Language::ALL.map(Language::in_ascii) {
        let unreadable = language.file().lines().find(|line| crate::text::in_ascii(line).contains('_'));
        assert_eq!(unreadable, None, "{language:?}");
    }
}

#[test]
fn a_sentence_has_its_values_without_marks_around_them() {
    let gone = Id::Deleted.with("named", "yes").with("name", "Ficus").with("id", "7");
    let said = Language::ALL.map(|language| language.say(&gone));
    assert_eq!(said, ["Ficus is gone.", "Ficus ist weg.", "Ficus ya no está.", "「Ficus」はもうありません。"]);
    let yes = Message::from(Id::SaidYes).in_time(Duration::from_millis(12));
    assert_eq!(Language::De.render(&[yes.clone(), gone.clone()]), "Der Laden hat nach 12 ms Ja gesagt. Ficus ist weg.");
    assert_eq!(
        Language::Ja.render(&[yes.clone(), gone]),
        "お店は12ミリ秒で「はい」と言いました。「Ficus」はもうありません。"
    );
    assert_eq!(Language::Es.short(&yes), "La tienda dijo que sí.");
}

#[test]
fn in_ascii_german_spells_umlauts_and_names_stay_as_they_are() {
    let pressed = Id::StageBegins.with("key", "F5");
    assert_eq!(Language::De.in_ascii().say(&pressed), "Die Vorfuehrung zeigt, was du drueckst; F5 beendet sie.");
    let gone = Id::Deleted.with("named", "yes").with("name", "Löwenzahn").with("id", "7");
    assert_eq!(Language::De.in_ascii().say(&gone), "Löwenzahn ist weg.");
}

#[test]
fn a_count_has_a_singular_and_a_plural() {
    let said =
        |count| [Language::En, Language::De].map(|language| language.say(&Id::HeaderTeamPeople.with("count", count)));
    assert_eq!(said("1"), ["1 person", "1 Person"]);
    assert_eq!(said("1,203"), ["1,203 people", "1,203 Personen"]);
}

#[test]
fn a_duration_has_the_decimal_mark_of_the_language() {
    let waited = Message::from(Id::NoResponseWithin).in_time(Duration::from_secs(3));
    let said = Language::ALL.map(|language| language.say(&waited));
    let expected = [
        "No response came back within 3.0 s.",
        "Innerhalb von 3,0 s kam keine Antwort.",
        "No llegó ninguna respuesta en 3,0 s.",
        "3.0秒のうちに返事が来ませんでした。",
    ];
    assert_eq!(said, expected);
}

#[test]
fn what_the_demo_says_fits_a_line_of_a_narrow_terminal() {
    for language in Language::ALL {
        let said = language.render(&[Id::NothingLeaves.into(), Id::KeyHelps.with("key", "?")]);
        assert!(said.width() <= 59, "{language:?} {said}");
    }
}

#[test]
fn the_labels_of_a_dialog_leave_room_for_what_is_beside_them() {
    let choices = [
        Id::KeepIt,
        Id::KeepThem,
        Id::KeepListed,
        Id::DeleteIt,
        Id::DeleteThem,
        Id::LeaveIt,
        Id::AddAgain,
        Id::DeleteAgain,
        Id::MarkStored,
        Id::ForgetIt,
        Id::ForgetAdd,
        Id::Stay,
        Id::Quit,
        Id::WeatherCalm,
        Id::WeatherSlow,
        Id::WeatherLosingResponses,
        Id::WeatherRejecting,
        Id::WeatherOutOfOrder,
    ];
    for language in Language::ALL {
        for id in choices {
            let (label, hint) = (language.label(id), language.hint(id));
            // Of 60 columns, those of the hint are at least half.
            assert!(label.width() <= 24 && label != hint && !hint.is_empty(), "{language:?} {label}: {hint}");
        }
        for field in ["name", "id", "tag"] {
            let label = language.say(&Id::Field.with("field", field));
            assert!(label.width() <= 8, "{language:?} {label}");
        }
    }
}
