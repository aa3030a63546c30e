//! The words of a filter as a person types it. Must not know what a field or a value means.

pub(super) struct Word<'a> {
    pub(super) typed: &'a str,
    pub(super) negated: bool,
    /// The name before a colon.
    pub(super) field: Option<&'a str>,
    /// Without its quotes.
    pub(super) value: &'a str,
    pub(super) quotes: Quotes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    None,
    /// The second one is not typed yet.
    Open,
    Both,
    /// Text is directly after the second one.
    Inside,
}

/// Splits a filter into its words; `None` is `|`, between alternatives. A quote before a value keeps spaces and `|`.
pub(super) fn tokens(typed: &str) -> impl Iterator<Item = Option<Word<'_>>> {
    let mut rest = typed;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        if let Some(after) = rest.strip_prefix('|') {
            rest = after;
            return Some(None);
        }
        let (word, after) = first_word(rest);
        rest = after;
        Some(Some(word))
    })
}

pub(super) fn words(typed: &str) -> impl Iterator<Item = Word<'_>> {
    tokens(typed).flatten()
}

/// The end of a filter that is being typed.
#[derive(Debug, PartialEq, Eq)]
pub struct Unfinished<'a> {
    /// All before the value, with the name of its field.
    pub before: &'a str,
    pub field: Option<&'a str>,
    /// What is typed of the value, without a quote.
    pub value: &'a str,
    /// Whether the value has a quote before it.
    pub is_quoted: bool,
}

/// Returns the end of a filter; `None` after a quoted value, to which nothing can be added.
pub fn unfinished(typed: &str) -> Option<Unfinished<'_>> {
    let new = Unfinished { before: typed, field: None, value: "", is_quoted: false };
    let Some(Some(Word { field, value, quotes, .. })) = tokens(typed).last() else { return Some(new) };
    if quotes != Quotes::Open && typed.ends_with(char::is_whitespace) {
        return Some(new);
    }
    let is_quoted = quotes == Quotes::Open;
    let (before, _) = typed.split_at_checked(typed.len() - value.len() - usize::from(is_quoted))?;
    matches!(quotes, Quotes::None | Quotes::Open).then_some(Unfinished { before, field, value, is_quoted })
}

/// Writes a text as a value; `None` for a text that no filter can have as a value.
pub fn quoted(value: &str) -> Option<String> {
    let needs_quotes = value.is_empty() || value.contains(|c: char| c.is_whitespace() || c == '|');
    match (needs_quotes, value.contains('"')) {
        (true, false) => Some(format!("\"{value}\"")),
        (true, true) => None,
        (false, _) => (!value.starts_with('"')).then(|| value.to_owned()),
    }
}

fn split_at_end(text: &str) -> (&str, &str) {
    let is_end = |c: char| c.is_whitespace() || c == '|';
    text.split_at(text.find(is_end).unwrap_or(text.len()))
}

/// Returns the word at the start, and what follows it.
fn first_word(typed: &str) -> (Word<'_>, &str) {
    // A dash before a word can be that of a number or a part of a name.
    let of_dash = || typed.strip_prefix('-').filter(|after| field(after).is_some());
    let positive = typed.strip_prefix('!').or_else(of_dash).unwrap_or(typed);
    let field = field(positive);
    let begin = field.map_or(positive, |(_, after)| after);
    let (value, quotes, after) = match begin.strip_prefix('"').map(|quoted| (quoted, quoted.split_once('"'))) {
        Some((quoted, None)) => (quoted, Quotes::Open, ""),
        Some((_, Some((value, after)))) => match split_at_end(after) {
            ("", _) => (value, Quotes::Both, after),
            (_, after) => (value, Quotes::Inside, after),
        },
        None => {
            let (value, after) = split_at_end(begin);
            (value, Quotes::None, after)
        }
    };
    let negated = positive.len() < typed.len();
    let (word, _) = typed.split_at(typed.len() - after.len());
    (Word { typed: word, negated, field: field.map(|(name, _)| name), value, quotes }, after)
}

/// Splits `name:value` at its colon.
fn field(typed: &str) -> Option<(&str, &str)> {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    typed.split_once(':').filter(|(name, _)| is_name(name))
}
