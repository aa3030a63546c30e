//! The languages that an audience reads, and the messages of `assets/languages`.
//!
//! Must not know which message is chosen when.

use std::sync::OnceLock;
use std::time::Duration;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use strum::{EnumString, IntoStaticStr};

use super::sentence::span;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Language {
    #[default]
    En,
    De,
    Es,
    Ja,
    /// German without umlauts. No locale and no setting names it.
    #[strum(serialize = "de-ascii")]
    DeAscii,
}

/// Takes the ids from `assets/languages/ids.rs`, which reads them in the English file.
macro_rules! ids {
    ($($id:ident)*) => {
        /// A message, by its id in the files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
        #[cfg_attr(test, derive(strum::EnumIter))]
        #[strum(serialize_all = "kebab-case")]
        pub(crate) enum Id {
            $($id,)*
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/ids.rs"));

/// A sentence or a label that is not in any language yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    id: Id,
    values: Vec<(&'static str, String)>,
    time: Option<Duration>,
}

impl Id {
    /// Returns the message with a clean value for one of its variables.
    pub(crate) fn with(self, variable: &'static str, value: impl Into<String>) -> Message {
        Message::from(self).with(variable, value)
    }
}

impl From<Id> for Message {
    fn from(id: Id) -> Self {
        Self { id, values: Vec::new(), time: None }
    }
}

impl Message {
    #[must_use]
    pub(crate) fn with(mut self, variable: &'static str, value: impl Into<String>) -> Self {
        self.values.push((variable, value.into()));
        self
    }

    /// Sets the variable `time`.
    #[must_use]
    pub(crate) fn in_time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }
}

type Bundle = FluentBundle<FluentResource>;

/// The messages in each language, parsed when the first of them is shown.
static BUNDLES: [OnceLock<Bundle>; Language::ALL.len() + 1] = [const { OnceLock::new() }; _];

/// The variables that are keys.
const KEYS: [&str; 11] = ["add", "all", "back", "choose", "delete", "enter", "esc", "help", "key", "resolve", "tour"];

/// How German is spelt in ASCII.
const SPELT: [(char, &str); 7] =
    [('ä', "ae"), ('ö', "oe"), ('ü', "ue"), ('ß', "ss"), ('Ä', "Ae"), ('Ö', "Oe"), ('Ü', "Ue")];

fn bundle(language: Language) -> Bundle {
    let locale = language.word().split('-').next().and_then(|code| code.parse().ok());
    let mut bundle = Bundle::new_concurrent(locale.into_iter().collect());
    // A terminal would show the marks that isolate right-to-left text.
    bundle.set_use_isolating(false);
    let mut file = language.file().to_owned();
    // Not in `formatted`: the name of a plant in a sentence is spelt as on its pot.
    if language == Language::DeAscii {
        file = SPELT.iter().fold(file, |file, (letter, spelt)| file.replace(*letter, spelt));
    }
    let messages = FluentResource::try_new(file);
    bundle.add_resource_overriding(messages.unwrap_or_else(|(valid, _)| valid));
    bundle
}

impl Language {
    pub const ALL: [Self; 4] = [Self::En, Self::De, Self::Es, Self::Ja];

    /// Returns its code.
    pub fn word(self) -> &'static str {
        self.into()
    }

    fn file(self) -> &'static str {
        match self {
            Self::En => include_str!("../../assets/languages/en.ftl"),
            Self::De | Self::DeAscii => include_str!("../../assets/languages/de.ftl"),
            Self::Es => include_str!("../../assets/languages/es.ftl"),
            Self::Ja => include_str!("../../assets/languages/ja.ftl"),
        }
    }

    /// Returns the language of a locale like `de_DE.UTF-8`; English if there is no file of it.
    pub fn of_locale(locale: &str) -> Self {
        locale.split(['_', '-', '.', '@']).next().and_then(|code| code.parse().ok()).unwrap_or_default()
    }

    /// Returns this language as it is written in ASCII, or English where ASCII has none of its letters.
    #[must_use]
    pub fn in_ascii(self) -> Self {
        match self {
            Self::Ja => Self::En,
            Self::De => Self::DeAscii,
            Self::En | Self::Es | Self::DeAscii => self,
        }
    }

    pub fn say(self, message: &Message) -> String {
        self.formatted(message, None)
    }

    /// Says it in fewer words, if there are some.
    pub(crate) fn short(self, message: &Message) -> String {
        self.formatted(message, Some("short"))
    }

    /// Says what follows from a choice.
    pub(crate) fn hint(self, id: Id) -> String {
        self.formatted(&id.into(), Some("hint"))
    }

    pub(crate) fn label(self, id: Id) -> String {
        self.say(&id.into())
    }

    /// Returns the name of a tab, or of what a key does, by its English one.
    pub(crate) fn named(self, english: &str) -> String {
        self.by_english(Id::Label, english)
    }

    /// Returns the name of a key on a keyboard of the language.
    pub(crate) fn key(self, english: &str) -> String {
        english.split('-').map(|part| self.by_english(Id::Key, part)).collect::<Vec<_>>().join("-")
    }

    /// Returns the attribute of a message that is called like an English text, or that text.
    pub(crate) fn by_english(self, id: Id, english: &str) -> String {
        let name = english.replace([':', ',', ';'], "").replace(' ', "-");
        self.formatted(&id.with("name", english), Some(&name))
    }

    /// Says one sentence after the other.
    pub fn render(self, messages: &[Message]) -> String {
        let between = match self {
            Self::En | Self::De | Self::Es | Self::DeAscii => " ",
            Self::Ja => "",
        };
        messages.iter().map(|message| self.say(message)).collect::<Vec<_>>().join(between)
    }

    /// Formats a duration like `sentence::span`, with the decimal mark or the units of the language.
    pub(crate) fn span(self, time: Duration) -> String {
        self.units(span(time))
    }

    /// Replaces the decimal mark or the units of a duration or a rate by those of the language.
    pub(crate) fn units(self, english: String) -> String {
        const JAPANESE: [(&str, &str); 6] =
            [(" ms", "ミリ秒"), (" s", "秒"), (" min", "分"), (" h ", "時間"), (" days", "日"), ("/s", "/秒")];
        match self {
            Self::En => english,
            Self::De | Self::DeAscii => english.replace(',', "").replace('.', ",").replace(" days", " Tage"),
            Self::Es => english.replace(',', "").replace('.', ",").replace(" days", " días"),
            Self::Ja => JAPANESE.iter().fold(english, |text, (unit, own)| text.replace(unit, own)),
        }
    }

    fn formatted(self, message: &Message, attribute: Option<&str>) -> String {
        let id: &str = message.id.into();
        let bundle = BUNDLES[self as usize].get_or_init(|| bundle(self));
        let found = bundle.get_message(id);
        let short = attribute.and_then(|name| found.as_ref()?.get_attribute(name)).map(|found| found.value());
        let Some(pattern) = short.or_else(|| found?.value()) else { return id.to_owned() };
        let values = message.values.iter().map(|(name, value)| match *name {
            // A count has a singular and a plural.
            "count" => (*name, FluentValue::try_number(value)),
            name if KEYS.contains(&name) => (name, FluentValue::from(self.key(value))),
            _ => (*name, FluentValue::from(value.as_str())),
        });
        let mut values: FluentArgs<'_> = values.collect();
        if let Some(time) = message.time {
            values.set("time", self.span(time));
        }
        let mut faults = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&values), &mut faults).into_owned();
        debug_assert!(faults.is_empty(), "{id}: {faults:?}");
        text
    }
}

#[cfg(test)]
mod tests;
