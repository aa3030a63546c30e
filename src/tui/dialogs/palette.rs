//! The palette: every command of the tabs by its name or another word for it, from the key table, and why one cannot be
//! done now; and every line of the command language, completed from the table of verbs.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::list::{ListDialog, action_in_list};
use super::values::{AS_IN_A_SHELL, Files, choices};
use super::whole_line;
use crate::text::caseless::caseless;
use crate::text::clean_padded;
use crate::tui::component::{Action, Reason, called};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::completion::{PathKind, PathQuery};
use crate::tui::input::{Binding, Command, Scope};
use crate::tui::message::Msg;
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::text_input::TextInput;
use crate::tui::widgets::theme::Theme;
use crate::verbs::{Next, Values, verbs};

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
}

/// A line of the palette.
enum Entry<'a> {
    /// A command, and the other word by which it was found.
    Command(&'a Offered, Option<&'static str>),
    Line(LineEntry<'a>),
}

/// A line of the command language.
struct LineEntry<'a> {
    /// The command with whose name it begins.
    offered: Option<&'a Offered>,
    /// As it is typed, with any name of the command.
    typed: String,
    /// As the table of verbs reads it.
    line: String,
    help: String,
}

/// What is typed, with a verb at its beginning.
struct Reading<'a> {
    /// The command with whose name it begins.
    offered: Option<&'a Offered>,
    /// The name as it is typed.
    head: &'a str,
    verb: &'a str,
    /// What is typed behind it, with the space.
    rest: &'a str,
}

impl<'a> Reading<'a> {
    /// Of several names that are typed, such as `delete` and `delete by id`, finds the longest.
    fn of(offered: &'a Offered, typed: &'a str) -> Option<Self> {
        let binding = &offered.binding;
        let (verb, title) = (binding.verb?.0, binding.title());
        let split = |name: &str| {
            let (head, rest) = typed.split_at_checked(name.len())?;
            let is_name = head.eq_ignore_ascii_case(name) && rest.starts_with(' ');
            is_name.then_some(Self { offered: Some(offered), head, verb, rest })
        };
        let names = [&*binding.name, &title].into_iter().chain(binding.synonyms.iter().copied());
        names.filter_map(split).min_by_key(|found| found.rest.len())
    }

    fn line(&self) -> String {
        format!("{}{}", self.verb, self.rest)
    }

    /// Returns how it goes on; `None` if it is a line of no verb.
    fn next(&self) -> Option<Next> {
        Next::of(&self.line())
    }

    fn entry(&self, line: String, help: String) -> LineEntry<'a> {
        let rest = line.strip_prefix(self.verb).unwrap_or_default();
        LineEntry { offered: self.offered, typed: format!("{}{rest}", self.head), line, help }
    }
}

/// Returns what to do in place of a command that people try and that cannot exist.
fn advice(typed: &str) -> Option<&'static str> {
    let first = typed.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    ADVICE.iter().find(|(words, _)| words.contains(&first.as_str())).map(|(_, advice)| *advice)
}

/// Says why a line is not carried out here.
fn not_here(done: Result<(), String>) -> Option<String> {
    done.err().map(|why| format!("not here: {why}"))
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

    /// Reads what is typed as lines: as it stands, and with the verb of the command that is called so.
    fn readings(&self) -> Vec<Reading<'_>> {
        let typed = self.picker.text.text().trim_start();
        let named = self.offers.iter().filter_map(|offered| Reading::of(offered, typed)).min_by_key(|it| it.rest.len());
        let word = typed.find(' ').and_then(|space| typed.split_at_checked(space));
        let is_longer = |head: &str| named.as_ref().is_some_and(|named| named.head.len() > head.len());
        let as_typed = word.filter(|(head, _)| !is_longer(head)).map(|(head, rest)| Reading {
            offered: named.as_ref().and_then(|named| named.offered),
            head,
            verb: head,
            rest,
        });
        let as_typed = as_typed.filter(|it| it.next().is_some());
        // `profile staging` is `profile use staging`.
        let is_other = |named: &Reading<'_>| {
            as_typed.as_ref().is_none_or(|it| named.verb.len() > it.verb.len() && named.verb.starts_with(it.verb))
        };
        let named = named.filter(is_other);
        named.into_iter().chain(as_typed).collect()
    }

    /// Marks the first line once something is typed: Enter in an empty field must not run what happens to be the first
    /// command, nor take the first of the values that a command needs.
    fn mark_what_is_typed(&mut self) {
        let typed = self.picker.text.text().trim();
        let needs_value = self.readings().iter().any(|reading| {
            reading.rest.trim().is_empty() && reading.offered.is_some_and(|offered| offered.binding.needs_value())
        });
        let has_typed = !typed.is_empty() && !needs_value && advice(typed).is_none();
        (self.picker.marked, self.picker.is_unmarked, self.says_unmarked) = (0, !has_typed, false);
    }

    /// Returns the lines that match, the best first, and what is said above them.
    fn entries(&self, cx: &Context) -> (Vec<Entry<'_>>, Option<String>) {
        let typed = self.picker.text.text().trim();
        let readings = self.readings();
        let mut commands = self.commands();
        if let Some(number) = whole_line::number(typed) {
            let help = "selects the plant with this id; in the History, opens the request".to_owned();
            let line = LineEntry { offered: None, typed: number.to_string(), line: typed.to_owned(), help };
            commands.insert(0, Entry::Line(line));
            return (commands, None);
        }
        if readings.is_empty() {
            return (commands, None);
        }
        let (lines, hint, is_path) = self.lines(&readings, cx);
        let offered = readings.iter().find_map(|reading| reading.offered);
        let has_lines = !lines.is_empty();
        let rest = readings.iter().map(|reading| reading.rest.trim()).min_by_key(|rest| rest.len()).unwrap_or_default();
        if let Some(offered) = offered {
            if rest.is_empty() {
                let itself = (!offered.binding.needs_value()).then_some(Entry::Command(offered, None));
                return (itself.into_iter().chain(lines).collect(), hint);
            }
            // The words can also be those of a description: `delete any plant`.
            commands.retain(|entry| match entry {
                Entry::Command(other, _) => !has_lines || other.binding.name != offered.binding.name,
                Entry::Line(_) => true,
            });
        }
        // `list plants` can be the words of a description; `list 3` cannot.
        let is_exact =
            |word: &str| word.starts_with(['-', '#']) || word.contains(|c: char| c == ':' || c.is_ascii_digit());
        let is_first = offered.is_some() || rest.is_empty() || rest.split(' ').any(is_exact);
        // `save as` is no path, but the beginning of another name.
        let hint = hint.filter(|_| has_lines || commands.is_empty() || !is_path);
        let entries = if is_first {
            lines.into_iter().chain(commands).collect()
        } else {
            commands.into_iter().chain(lines).collect()
        };
        (entries, hint)
    }

    /// Returns the lines that what is typed can become, what the value is that is typed, and whether it is a path.
    fn lines<'a>(&self, readings: &[Reading<'a>], cx: &Context) -> (Vec<Entry<'a>>, Option<String>, bool) {
        let (mut lines, mut hint, mut is_path) = (Vec::new(), None, false);
        for reading in readings {
            let Some(next) = reading.next() else { continue };
            let begun = lines.len();
            if let Some((kind, value)) = &next.value {
                let files = self.path.as_ref().and_then(|(_, files)| files.as_ref());
                let found = choices(*kind, reading.verb, value, files, cx);
                lines.extend(found.list.into_iter().map(|choice| {
                    let line = next.with(&choice.text);
                    let done = (choice.text == *value).then(|| whole_line::offered(&line)).flatten();
                    reading.entry(line, done.and_then(not_here).unwrap_or(choice.help))
                }));
                (hint, is_path) = (hint.or(Some(found.hint)), *kind == Values::Path);
            }
            let typed = reading.line().trim_end().to_owned();
            let is_bare = reading.rest.trim().is_empty();
            // A value of no kind can be anything, and a line can end before the next one.
            let is_free = match &next.value {
                None => reading.rest.ends_with(' ') || next.words.iter().all(|(word, _)| reading.rest.ends_with(word)),
                Some((_, value)) => value.is_empty() && !(is_bare && reading.offered.is_some()),
            };
            let whole = whole_line::offered(&typed).filter(|_| is_free);
            if let Some(done) = whole {
                let help = not_here(done).unwrap_or_else(|| AS_IN_A_SHELL.to_owned());
                lines.insert(begun, reading.entry(typed.clone(), help));
            }
            let words = next.words.iter().map(|(word, help)| reading.entry(next.with(word), help.clone()));
            // An option that is for a shell, with the value that it may need.
            let is_for_shell = |line: &str| {
                let tried = [line.to_owned(), format!("{line} 1")];
                tried.iter().find_map(|line| whole_line::offered(line)).is_some_and(|done| done.is_err())
            };
            lines.extend(words.filter(|entry| !(is_for_shell(&entry.line) || is_free && entry.line == typed)));
        }
        (lines.into_iter().map(Entry::Line).collect(), hint, is_path)
    }

    /// Returns the verbs that begin as typed and are no command of the key table.
    fn other_verbs(&self, typed: &str) -> Vec<Entry<'_>> {
        let is_command = |name: &str| {
            self.offers.iter().any(|offered| offered.binding.name == name || offered.binding.synonyms.contains(&name))
        };
        // Behind a space, the verb itself goes on.
        let is_typed = !typed.is_empty() && !self.picker.text.text().ends_with(' ');
        let is_begun = |name: &str| is_typed && name.starts_with(typed) && !is_command(name);
        let begun = verbs().into_iter().filter(|(name, _)| is_begun(name));
        begun
            .map(|(name, help)| Entry::Line(LineEntry { offered: None, typed: name.clone(), line: name, help }))
            .collect()
    }

    /// Returns the commands and verbs that match what is typed.
    fn commands<'a>(&'a self) -> Vec<Entry<'a>> {
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
        // Verbs begin as typed, and are before what mentions it.
        let at = found.iter().position(|(_, (how, _))| *how == Match::Mentioned).unwrap_or(found.len());
        let command = |(offered, (_, word)): (&'a Offered, (Match, Option<usize>))| {
            Entry::Command(offered, word.and_then(|at| offered.binding.synonyms.get(at).copied()))
        };
        let mut commands: Vec<_> = found.into_iter().map(command).collect();
        commands.splice(at..at, self.other_verbs(&typed));
        commands
    }

    fn set_text(&mut self, text: String, cx: &mut Context) {
        self.picker.text = TextInput::holding(text);
        self.mark_what_is_typed();
        self.find_files(cx);
    }

    /// Returns the value that is typed, if it is a path, with its reading.
    fn typed_path(&self) -> Option<(Reading<'_>, Next, String)> {
        self.readings().into_iter().find_map(|reading| {
            let next = reading.next()?;
            let (_, typed) = next.value.clone().filter(|(kind, _)| *kind == Values::Path)?;
            Some((reading, next, typed))
        })
    }

    /// Reads the files that begin like the typed path, if it is another one than before.
    fn find_files(&mut self, cx: &mut Context) {
        let query = self.typed_path().map(|(reading, _, typed)| {
            let slash = if PathQuery::lacks_slash(&typed) { "/" } else { "" };
            let is_of_plants = matches!(reading.verb, "import" | "export");
            let kind = if is_of_plants { PathKind::Plants } else { PathKind::Any };
            PathQuery::new(&format!("{typed}{slash}"), kind)
        });
        if query.as_ref() != self.path.as_ref().map(|(query, _)| query) {
            cx.out.effects(query.clone().map(Effect::FindPaths));
            self.path = query.map(|query| (query, None));
        }
    }

    /// Returns the typed line with its path as far as all files agree that begin like it; `None` if that is typed
    /// already.
    fn common_path(&self) -> Option<String> {
        let (reading, next, typed) = self.typed_path()?;
        let Some((_, Some(Files::Found(folder, found)))) = &self.path else { return None };
        let common = format!("{folder}{}", found.common);
        let is_longer = found.count > 1 && !typed.is_empty() && common.len() > typed.len();
        is_longer.then(|| reading.entry(next.with(&common), String::new()).typed)
    }

    /// Types the marked command or line to its end; if it is typed already, goes to the next line.
    fn complete(&mut self, cx: &mut Context) {
        if self.picker.is_unmarked {
            return self.go(Command::Down, cx);
        }
        let (entries, _) = self.entries(cx);
        let text = entries.get(self.picker.marked).map(|entry| match entry {
            Entry::Command(Offered { binding, .. }, _) if binding.verb.is_some() => format!("{} ", binding.title()),
            Entry::Command(Offered { binding, .. }, _) => binding.title(),
            Entry::Line(LineEntry { typed, .. }) => typed.clone(),
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
            // Says why not, if it cannot be done.
            Entry::Command(Offered { binding, .. }, _)
            | Entry::Line(LineEntry { offered: Some(Offered { binding, unavailable: Some(_) }), .. }) => {
                (binding.title(), UiEffect::Command(binding.scope, binding.command))
            }
            Entry::Line(LineEntry { typed, line, .. }) => {
                if typed.ends_with('/') {
                    return self.set_text(typed, cx);
                }
                if whole_line::offered(&line).is_none() {
                    return self.set_text(format!("{typed} "), cx);
                }
                (typed, UiEffect::Line(line))
            }
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
            Self::Command(Offered { binding, .. }, _) => match binding.verb {
                Some((_, value)) => format!("{} {value}", binding.title()),
                None => binding.title(),
            },
            Self::Line(LineEntry { typed, .. }) => typed.clone(),
        }
    }

    /// `▸ a       add NAME        add a plant`, or why it cannot be done in the place of its description.
    fn line(&self, marked: bool, columns: usize, theme: &Theme, width: usize) -> Line<'static> {
        let (offered, key, words) = match self {
            Self::Command(offered, word) => {
                let word = word.map(|word| format!("{word}: ")).unwrap_or_default();
                (Some(*offered), offered.binding.keys.first(), format!("{word}{}", offered.binding.help))
            }
            Self::Line(LineEntry { offered, help, .. }) => (*offered, None, help.clone()),
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
