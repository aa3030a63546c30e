//! The palette: every command of the tabs by its name or another word for it, from the key table, and why one cannot be
//! done now. Some commands take an argument: `sort name`.

use std::iter;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::arguments::{Choice, Choices, Files, choices};
use super::list::{ListDialog, action_in_list};
use super::whole_line;
use crate::text::caseless::caseless;
use crate::text::clean_padded;
use crate::tui::component::{Action, Reason, called};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::completion::{PathKind, PathQuery};
use crate::tui::input::{Argument, Binding, Command, Scope};
use crate::tui::message::Msg;
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::text_input::TextInput;
use crate::tui::widgets::theme::Theme;

/// Words of commands that cannot exist, and what to do in their place. Enter takes no other command for them.
const ADVICE: [(&[&str], &str); 3] = [
    (
        &["rename", "update", "change", "modify", "patch", "put"],
        "The service cannot change a plant: delete it, then re-add it with another name or tag.",
    ),
    (
        &["w", "w!", "save!"],
        "There is nothing to save: every request is in the journal before it leaves. export writes the plants into a file.",
    ),
    (
        &["refresh", "reload", "sync", "fetch", "pull"],
        "There is nothing to refresh: the lists are always up to date, and the service cannot list its plants.",
    ),
];

/// Columns of a key.
const KEY: usize = 9;
/// Columns of a command's name, at least.
const NAME: usize = 15;
/// Columns behind it.
const GAP: usize = 2;
/// Commands that Up brings back, at most.
const RECENT: usize = 100;

/// A command of the palette.
#[derive(Debug, Clone)]
pub(crate) struct Offered {
    pub binding: Binding,
    /// Why the command cannot be done now.
    pub unavailable: Option<Reason>,
}

#[derive(Debug, Default)]
pub(crate) struct Palette {
    /// All commands at present; updated by the app.
    pub offers: Vec<Offered>,
    picker: Picker,
    /// Whether Enter was pressed while no line was marked, and a note says so.
    says_unmarked: bool,
    /// Which of the recent commands Up has brought, from the newest.
    recalled: Option<usize>,
    /// The path that is typed, and the files that begin like it, once they were read.
    path: Option<(PathQuery, Option<Files>)>,
    /// Whether what is typed can be carried out as a whole line, or why not.
    line: Option<Result<(), String>>,
}

/// A line of the palette.
enum Entry<'a> {
    /// A command, and the other word by which it was found.
    Command(&'a Offered, Option<&'static str>),
    /// The command before it with an argument, and how the command is typed.
    Argument(&'a Offered, &'a str, Choice),
    /// The whole line, which a shell would read in the same way.
    Line(&'a str, &'a Result<(), String>),
}

/// A command whose name is typed, with a space behind it.
struct WithArgument<'a> {
    offered: &'a Offered,
    argument: Argument,
    /// The name as it is typed.
    head: &'a str,
    /// What is typed behind the space.
    rest: &'a str,
}

impl<'a> WithArgument<'a> {
    /// Of several names that are typed, such as `delete` and `delete by id`, finds the longest.
    fn of(offered: &'a Offered, typed: &'a str) -> Option<Self> {
        let binding = &offered.binding;
        let (argument, title) = (binding.argument?, binding.title());
        let split = |name: &str| {
            let (head, rest) = typed.split_at_checked(name.len())?;
            let rest = rest.strip_prefix(' ').filter(|_| head.eq_ignore_ascii_case(name))?;
            Some(Self { offered, argument, head, rest })
        };
        let names = [&*binding.name, &title].into_iter().chain(binding.synonyms.iter().copied());
        names.filter_map(split).min_by_key(|found| found.rest.len())
    }
}

/// Returns what to do in place of a command that people try and that cannot exist.
fn advice(typed: &str) -> Option<&'static str> {
    let first = typed.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    ADVICE.iter().find(|(words, _)| words.contains(&first.as_str())).map(|(_, advice)| *advice)
}

/// How well a command matches what is typed, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Exact,
    Begins,
    /// Another word of the name begins so.
    WordBegins,
    Name,
    Mentioned,
}

impl Match {
    fn of(name: &str, typed: &str) -> Option<Self> {
        if name == typed {
            Some(Self::Exact)
        } else if name.starts_with(typed) {
            Some(Self::Begins)
        } else if name.split(' ').any(|word| word.starts_with(typed)) {
            Some(Self::WordBegins)
        } else {
            name.contains(typed).then_some(Self::Name)
        }
    }
}

/// Returns how well a binding matches, with the index of the synonym by which it does.
fn matched(binding: &Binding, typed: &str) -> Option<(Match, Option<usize>)> {
    let of_name = Match::of(&spaced(&binding.title()), typed).map(|how| (how, None));
    let synonyms = binding.synonyms.iter().enumerate();
    let of_synonym = synonyms.filter_map(|(at, word)| Some((Match::of(word, typed)?, Some(at)))).min();
    let best = of_name.into_iter().chain(of_synonym).min_by_key(|(how, _)| *how);
    let is_mentioned = || {
        let text = spaced(&format!("{} {}", binding.name, binding.described()));
        typed.split(' ').all(|word| text.contains(word))
    };
    best.or_else(|| is_mentioned().then_some((Match::Mentioned, None)))
}

/// Returns the words of a text, in lower case: a name is typed with dashes or with spaces.
fn spaced(text: &str) -> String {
    let text = caseless(text).replace('-', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Palette {
    /// Opens with this text already typed.
    pub(crate) fn holding(text: &str) -> Self {
        let mut palette = Self::default();
        palette.picker.text = TextInput::holding(text);
        // Nothing, or a command without its argument.
        palette.picker.is_unmarked = true;
        palette
    }

    /// The command whose name is typed, with a space behind it.
    fn command_with_argument(&self) -> Option<WithArgument<'_>> {
        let typed = self.picker.text.text();
        self.offers.iter().filter_map(|offered| WithArgument::of(offered, typed)).min_by_key(|found| found.rest.len())
    }

    /// Marks the first line once something is typed: Enter in an empty field must not run what happens to be the first
    /// command, nor take the first of the arguments that a command needs.
    fn mark_what_is_typed(&mut self) {
        let has_typed = match self.command_with_argument() {
            Some(WithArgument { argument, rest, .. }) => !argument.is_needed() || !rest.trim().is_empty(),
            None => !self.picker.text.text().trim().is_empty() && advice(self.picker.text.text()).is_none(),
        };
        (self.picker.marked, self.picker.is_unmarked, self.says_unmarked) = (0, !has_typed, false);
        self.line = whole_line::offered(self.picker.text.text().trim());
    }

    /// Returns the lines that match, the best first, and what is said above them.
    fn entries(&self, cx: &Context) -> (Vec<Entry<'_>>, Option<String>) {
        let typed = self.picker.text.text().trim();
        let (mut entries, hint) = self.found(cx);
        let is_typed = |entry: &Entry<'_>| matches!(entry, Entry::Argument(..)) && entry.name() == typed;
        // Of a single argument, the choices say what is possible.
        let has_choices = self.command_with_argument().is_some_and(|found| {
            let mut words = found.rest.split_whitespace();
            words.next().is_some_and(|word| !word.starts_with("--")) && words.next().is_none()
        });
        let Some(line) = self.line.as_ref().filter(|_| !has_choices && !entries.iter().any(is_typed)) else {
            return (entries, hint);
        };
        // `delete marked` can be the words of a description; `delete 3 4` cannot.
        let is_exact =
            |word: &str| word.starts_with(['-', '#']) || word.contains(|c: char| c == ':' || c.is_ascii_digit());
        if entries.is_empty() || whole_line::number(typed).is_some() || typed.split(' ').skip(1).any(is_exact) {
            entries.insert(0, Entry::Line(typed, line));
            return (entries, None);
        }
        entries.push(Entry::Line(typed, line));
        (entries, hint)
    }

    /// Returns the commands and arguments that match, and what is said above them.
    fn found(&self, cx: &Context) -> (Vec<Entry<'_>>, Option<String>) {
        let typed = spaced(self.picker.text.text());
        let found = self.offers.iter().filter_map(|offered| Some((offered, matched(&offered.binding, &typed)?)));
        let mut found: Vec<_> = found.collect();
        if !typed.is_empty() {
            // A command comes before those that have the word later among theirs, and before a movement. Of two names that
            // begin so, the shorter one is nearer to what is typed.
            found.sort_by_key(|(offered, (how, word))| {
                (offered.binding.command.is_movement(), *how, *word, offered.binding.name.len())
            });
        }
        // A whole name that is typed means this command, and never another one.
        found.sort_by_key(|(offered, how)| *how != (Match::Exact, None) && offered.unavailable.is_some());
        let commands = found.into_iter().map(|(offered, (_, word))| {
            Entry::Command(offered, word.and_then(|at| offered.binding.synonyms.get(at).copied()))
        });
        let Some(WithArgument { offered, argument, head, rest }) = self.command_with_argument() else {
            return (commands.collect(), None);
        };
        let files = self.path.as_ref().and_then(|(_, files)| files.as_ref());
        let Choices { list, hint } = choices(argument, rest, files, cx);
        let has_choices = !list.is_empty();
        let list = list.into_iter().map(|choice| Entry::Argument(offered, head, choice));
        let entries: Vec<_> = if !rest.trim().is_empty() {
            // The words can also be those of a description: `delete any plant`.
            let is_other = |entry: &Entry<'_>| match entry {
                Entry::Command(other, _) => !has_choices || other.binding.name != offered.binding.name,
                Entry::Argument(..) | Entry::Line(..) => true,
            };
            list.chain(commands.filter(is_other)).collect()
        } else if argument.is_needed() {
            list.collect()
        } else {
            iter::once(Entry::Command(offered, None)).chain(list).collect()
        };
        // `save as` is no path, but the beginning of another name.
        let is_argument = has_choices || entries.is_empty() || !argument.is_path();
        (entries, is_argument.then_some(hint))
    }

    fn set_text(&mut self, text: String, cx: &mut Context) {
        self.picker.text = TextInput::holding(text);
        self.mark_what_is_typed();
        self.find_files(cx);
    }

    /// Reads the files that begin like the typed path, if it is another one than before.
    fn find_files(&mut self, cx: &mut Context) {
        let typed = self.command_with_argument().filter(|found| found.argument.is_path()).map(|found| found.rest);
        let query = typed.map(|typed| {
            let slash = if PathQuery::lacks_slash(typed) { "/" } else { "" };
            PathQuery::new(&format!("{typed}{slash}"), PathKind::Plants)
        });
        if query.as_ref() != self.path.as_ref().map(|(query, _)| query) {
            cx.out.effects(query.clone().map(Effect::FindPaths));
            self.path = query.map(|query| (query, None));
        }
    }

    /// Returns the typed command with its path as far as all files agree that begin like it; `None` if that is typed
    /// already.
    fn common_path(&self) -> Option<String> {
        let WithArgument { head, rest, .. } = self.command_with_argument()?;
        let Some((_, Some(Files::Found(folder, found)))) = &self.path else { return None };
        let common = format!("{folder}{}", found.common);
        (found.count > 1 && !rest.is_empty() && common.len() > rest.len()).then(|| format!("{head} {common}"))
    }

    /// Types the marked command or argument to its end; if it is typed already, goes to the next line.
    fn complete(&mut self, cx: &mut Context) {
        if self.picker.is_unmarked {
            return self.go(Command::Down, cx);
        }
        let (entries, _) = self.entries(cx);
        let text = entries.get(self.picker.marked).map(|entry| match entry {
            Entry::Command(Offered { binding, .. }, _) if binding.argument.is_some() => format!("{} ", binding.title()),
            Entry::Command(Offered { binding, .. }, _) => binding.title(),
            Entry::Argument(_, head, choice) => format!("{head} {}", choice.text),
            Entry::Line(line, _) => (*line).to_owned(),
        });
        let text = self.common_path().filter(|_| self.picker.marked == 0).or(text);
        match text {
            Some(text) if text != self.picker.text.text() => self.set_text(text, cx),
            _ => self.go(Command::Down, cx),
        }
    }

    /// Brings back the command before the one that is shown.
    fn recall(&mut self, cx: &mut Context) {
        let at = self.recalled.map_or(0, |at| at + 1);
        if let Some(text) = cx.commands.iter().rev().nth(at) {
            self.set_text(text.clone(), cx);
            self.recalled = Some(at);
        }
    }
}

impl ListDialog for Palette {
    fn picker(&self) -> &Picker {
        &self.picker
    }

    fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    fn count(&self, cx: &Context) -> usize {
        self.entries(cx).0.len()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let (entries, hint) = self.entries(cx);
        let (style, mark) = match entries.first() {
            None => (theme.bad, theme.mark("✗ ", "x ")),
            Some(_) => (theme.dim, ""),
        };
        let hint = hint.map(|hint| {
            let end = if hint.ends_with('?') { "" } else { "." };
            (format!("{mark}{hint}{end}"), style)
        });
        let unmarked = || {
            let down = cx.out.keys.shown_in(Scope::Picker, Command::Down);
            (format!("Nothing is marked yet: type a word, or go to a line with {down}."), theme.warning)
        };
        let hint = match advice(self.picker.text.text()) {
            Some(advice) => Some((advice.to_owned(), theme.warning)),
            None if self.says_unmarked && self.picker.is_unmarked => Some(unmarked()),
            None => hint,
        };
        let columns = entries.iter().map(|entry| entry.name().width()).max().unwrap_or(0).max(NAME);
        Shown {
            title: "Commands",
            hint: if cx.commands.is_empty() {
                "a word of what you want to do"
            } else {
                "a word of what you want to do, or Up for the last command"
            },
            count: entries.len(),
            empty: if hint.is_some() { "" } else { "No command has this in its name or description." },
            note: hint,
            line: Box::new(move |at, is_marked, width| {
                Some(entries.get(at)?.line(is_marked, columns.min(width / 2), theme, width))
            }),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        if self.picker.is_unmarked {
            self.says_unmarked = true;
            return;
        }
        let (mut entries, _) = self.entries(cx);
        if self.picker.marked >= entries.len() {
            return;
        }
        let (done, effect) = match entries.swap_remove(self.picker.marked) {
            Entry::Argument(offered, head, choice)
                if offered.binding.argument.is_some_and(Argument::is_path) && choice.text.ends_with('/') =>
            {
                let text = format!("{head} {}", choice.text);
                return self.set_text(text, cx);
            }
            Entry::Command(Offered { binding, .. }, _) => {
                (binding.title(), UiEffect::Command(binding.scope, binding.command))
            }
            Entry::Argument(Offered { binding, unavailable: Some(_) }, ..) => {
                // Says why not.
                (binding.title(), UiEffect::Command(binding.scope, binding.command))
            }
            Entry::Argument(_, head, choice) => (format!("{head} {}", choice.text), choice.effect),
            Entry::Line(line, _) => (line.to_owned(), UiEffect::Line(line.to_owned())),
        };
        if cx.commands.back() != Some(&done) {
            cx.commands.push_back(done);
        }
        if cx.commands.len() > RECENT {
            cx.commands.pop_front();
        }
        cx.out.close();
        cx.out.ui_effect(effect);
    }

    fn action(&self, command: Command, cx: &Context) -> Action<Self> {
        match command {
            Command::Choose if self.count(cx) == 0 => Some(Err("nothing matches what is typed")),
            Command::Choose => called("do it", Self::choose),
            Command::Complete => called("complete", Self::complete),
            _ => action_in_list(command),
        }
    }

    /// Up at the first line brings back the commands before.
    fn go(&mut self, command: Command, cx: &mut Context) {
        let is_recalling = self.recalled.is_some() || self.picker.text.text().is_empty();
        if command == Command::Up && self.picker.marked == 0 && is_recalling {
            return self.recall(cx);
        }
        let count = self.count(cx);
        self.picker.go(command, count);
    }

    fn filter_changed(&mut self, cx: &mut Context) {
        self.recalled = None;
        self.mark_what_is_typed();
        self.find_files(cx);
    }

    fn receive(&mut self, message: &Msg, _cx: &mut Context) {
        if let (Msg::Paths(query, found), Some((awaited, files))) = (message, &mut self.path)
            && query == awaited
        {
            *files = Some(match found {
                Ok(found) => Files::Found(query.folder.clone(), found.clone()),
                Err(why) => Files::Unreadable(why.to_string()),
            });
        }
    }
}

impl Entry<'_> {
    /// Its name, with the argument, or with a word for it.
    fn name(&self) -> String {
        match self {
            Self::Command(Offered { binding, .. }, _) => match binding.argument {
                Some(argument) => format!("{} {}", binding.title(), argument.placeholder()),
                None => binding.title(),
            },
            Self::Argument(_, head, choice) => format!("{head} {}", choice.text),
            Self::Line(line, _) => (*line).to_owned(),
        }
    }

    /// `▸ a       add NAME        add a plant`, or why it cannot be done in the place of its description.
    fn line(&self, marked: bool, columns: usize, theme: &Theme, width: usize) -> Line<'static> {
        let (offered, key, words) = match self {
            Self::Command(offered, None) => {
                (Some(offered), offered.binding.keys.first(), offered.binding.help.to_string())
            }
            Self::Command(offered, Some(word)) => {
                (Some(offered), offered.binding.keys.first(), format!("{word}: {}", offered.binding.help))
            }
            Self::Argument(offered, _, choice) => (Some(offered), None, choice.help.clone()),
            Self::Line(line, Ok(())) if whole_line::number(line).is_some() => {
                (None, None, "selects the plant with this id; in the History, opens the request".to_owned())
            }
            Self::Line(_, Ok(())) => (None, None, "does this, as in a shell".to_owned()),
            Self::Line(_, Err(why)) => (None, None, format!("not here: {why}")),
        };
        let unavailable = offered.and_then(|offered| offered.unavailable.as_ref());
        let (key_style, style, words) = match unavailable {
            None => (theme.key, theme.text, words),
            Some(reason) => (theme.dim, theme.dim, format!("not now: {reason}")),
        };
        let key = key.map(ToString::to_string).unwrap_or_default();
        let rest = width.saturating_sub(2 + KEY + 1 + columns + GAP);
        Line::from(vec![
            theme.pointer(marked),
            Span::styled(format!("{} ", clean_padded(&key, KEY)), key_style),
            Span::styled(format!("{}{}", clean_padded(&self.name(), columns), " ".repeat(GAP)), style),
            fitted(&words, rest, style),
        ])
    }
}
