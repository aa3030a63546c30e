//! What separates the columns of a table.

use strum::IntoStaticStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Separator {
    #[default]
    Comma,
    Semicolon,
    Tab,
    Bar,
}

impl Separator {
    pub const ALL: [Self; 4] = [Self::Comma, Self::Semicolon, Self::Tab, Self::Bar];

    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the character itself.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Tab => "\t",
            Self::Bar => "|",
        }
    }

    /// Returns the separator of this word or character.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|separator| [separator.word(), separator.sign()].contains(&name))
    }

    pub(super) fn byte(self) -> u8 {
        self.sign().bytes().next().unwrap_or_default()
    }
}
