//! A field for the path of a file, which completes as in a shell. All prompts for files use it.

use std::path::{Path, PathBuf};

use crate::domain::file_format::FileFormat;
use crate::text::dropped_path::dropped_path;
use crate::text::number_format::counted;
use crate::tui::effect::Effect;
use crate::tui::input::completion::{PathKind, PathMatches, PathQuery};
use crate::tui::message::Msg;
use crate::tui::outbox::Outbox;
use crate::tui::widgets::form::Form;
use crate::tui::widgets::text_input::{TextInput, Typed};

/// Rows of matches at most.
const ROWS: usize = 5;

#[derive(Debug, Default)]
pub(super) struct PathInput {
    text: TextInput,
    kind: PathKind,
    /// What the text is, if it is offered.
    offered: &'static str,
    /// The completion whose result has not come.
    awaited: Option<PathQuery>,
    /// The matches of a completion, or why there are none, until the text changes.
    found: Option<Result<PathMatches, String>>,
}

impl PathInput {
    pub(super) fn holding(text: impl Into<String>, kind: PathKind) -> Self {
        Self { text: TextInput::holding(text), kind, ..Self::default() }
    }

    /// Offers the path that was used last, if there is one.
    pub(super) fn offering(path: Option<&str>, kind: PathKind) -> Self {
        Self { offered: "the file used last", ..Self::suggesting(path.unwrap_or_default(), kind) }
    }

    /// Suggests a new name.
    pub(super) fn suggesting(name: impl Into<String>, kind: PathKind) -> Self {
        let text = TextInput::offering(name);
        Self { text, offered: "a suggestion", ..Self::holding("", kind) }
    }

    pub(super) fn text(&self) -> &str {
        self.text.text()
    }

    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(self.text())
    }

    /// Inserts or edits. Returns `false` for a key that does neither.
    pub(super) fn take(&mut self, typed: Typed<'_>) -> bool {
        let pasted = if let Typed::Paste(text) = typed { dropped_path(text) } else { None };
        let has_taken = self.text.take(pasted.as_deref().map_or(typed, Typed::Paste));
        if has_taken {
            self.end_completion();
        }
        has_taken
    }

    /// Keeps the text as it is, and removes what a completion found.
    pub(super) fn end_completion(&mut self) {
        (self.text.is_offered, self.awaited, self.found) = (false, None, None);
    }

    /// Completes the text before the cursor, once the folder is read. Returns `false` if there is nothing to complete,
    /// because it names a file or all matches are on screen.
    pub(super) fn complete(&mut self, out: &mut Outbox) -> bool {
        self.text.is_offered = false;
        let typed = self.text.before_cursor();
        let names_file = self.kind == PathKind::Plants && FileFormat::of_file(Path::new(typed)).is_some();
        if names_file || matches!(self.found, Some(Ok(_))) {
            return false;
        }
        if PathQuery::lacks_slash(typed) {
            self.text.insert("/");
            return true;
        }
        let query = PathQuery::new(typed, self.kind);
        self.found = None;
        if self.awaited.as_ref() == Some(&query) {
            self.found = Some(Err("still reading the folder …".to_owned()));
        } else {
            out.effect(Effect::FindPaths(query.clone()));
            self.awaited = Some(query);
        }
        true
    }

    /// Takes the result of a completion. Returns whether there was nothing to complete.
    pub(super) fn receive(&mut self, message: &Msg) -> bool {
        let Msg::Paths(query, result) = message else { return false };
        if self.awaited.take_if(|awaited| awaited == query).is_none() {
            return false;
        }
        let nothing = match result {
            Ok(matches) if matches.count > 0 => {
                let rest = matches.common.strip_prefix(&query.start).unwrap_or_default();
                self.text.insert(rest);
                let is_whole = matches.count == 1 && !matches.is_partial;
                self.found = (!is_whole).then(|| Ok(matches.clone()));
                return is_whole && rest.is_empty();
            }
            Ok(matches) if matches.is_partial => "no name begins like this, as far as the folder was read".to_owned(),
            Ok(_) => "no name in the folder begins like this".to_owned(),
            Err(why) => format!("nothing to complete: {why}"),
        };
        self.found = Some(Err(nothing));
        true
    }

    /// Draws the field, and below it what was found or is offered. Returns whether there is something below it.
    pub(super) fn draw(&self, label: &str, focused: bool, form: &mut Form<'_>) -> bool {
        form.field(label, &self.text, focused);
        match &self.found {
            _ if !focused => return false,
            Some(Ok(matches)) => draw_matches(matches, form),
            Some(Err(why)) => form.aside(why),
            None if self.text.is_offered => form.offered(self.offered),
            None => return false,
        }
        true
    }
}

/// Draws what a completion found below its field.
pub(super) fn draw_matches(matches: &PathMatches, form: &mut Form<'_>) {
    let shown = form.side_by_side(&matches.names, ROWS);
    let more = matches.count.saturating_sub(shown);
    if matches.is_partial {
        form.aside("and more: the folder is too large to read all of it");
    } else if more > 0 {
        form.aside(&format!("and {} more", counted(more as u64, "name", "names")));
    }
}
