//! The palette: every command of the tabs by its name or another word for it, from the key table, and why one cannot be
//! done now; and every line of the command language, completed from the table of verbs.

use std::rc::Rc;

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::list::{ListDialog, action_in_list};
use super::values::{Choice, Files, choices, path_kind};
use super::whole_line::{self, OnScreen};
use crate::text::caseless::caseless;
use crate::text::clean_padded;
use crate::tui::component::{Action, Reason, called};
use crate::tui::context::Context;
use crate::tui::effect::Effect;
use crate::tui::input::arming::Arming;
use crate::tui::input::completion::PathQuery;
use crate::tui::input::{Binding, Command, Scope};
use crate::tui::message::Msg;
use crate::tui::ui_effect::UiEffect;
use crate::tui::widgets::picker::{Picker, Shown};
use crate::tui::widgets::text::fitted_named;
use crate::tui::widgets::text_input::TextInput;
use crate::tui::widgets::theme::Theme;
use crate::verbs::{Next, Values, instead_of, no_command, verbs};

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
    /// Which of the recent commands Up has brought, from the newest.
    recalled: Option<usize>,
    /// If a path is typed.
    path: Option<Files>,
    /// Of a line that was not typed and that acts without a question.
    arming: Option<Arming>,
}

/// A line of the palette: a command, or a line of the command language.
struct Entry<'a> {
    /// The command, or that of the verb of the line.
    offered: Option<&'a Offered>,
    /// Whether it is the command, and no line of the command language.
    is_command: bool,
    /// Whether its name, or another word for it, begins as typed.
    is_named: bool,
    /// The name of the command, with the argument; or the line as it is typed.
    name: String,
    help: Help,
}

/// What is said of a line.
enum Help {
    Said(String),
    /// What it does, with this value at its end: counts plants, and so is read only where it is drawn.
    Does(Rc<OnScreen>, Option<Choice>),
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

    /// Returns the line that is typed; `backup FILE` with the verb before it, `journal`.
    fn typed_line(&self) -> String {
        let text = self.picker.text.text().trim_start();
        let first = text.split_once(' ').map(|(first, _)| first).filter(|first| !self.is_command(first));
        let before = |name: &str| Some(name.strip_suffix(first?)?.strip_suffix(' ')?.to_owned());
        match verbs().iter().find_map(|(name, _)| before(name)) {
            Some(before) => format!("{before} {text}"),
            None => text.to_owned(),
        }
    }

    /// Returns how a line goes on of which the verb is typed.
    fn next(&self) -> Option<Next> {
        Next::of(&self.typed_line())
    }

    /// Returns the command that goes on with this verb.
    fn of_verb(&self, verb: &str) -> Option<&Offered> {
        self.offers.iter().find(|offered| offered.binding.verb.is_some_and(|(name, _)| name == verb))
    }

    /// Whether a command has this name, or this other word.
    fn is_command(&self, name: &str) -> bool {
        let mut all = self.offers.iter().map(|offered| &offered.binding);
        all.any(|binding| binding.name == name || binding.synonyms().any(|synonym| synonym == name))
    }

    /// Says that no command is called so, and what to do.
    fn says_nothing_found(&self) -> String {
        let verbs = verbs();
        let verbs = verbs.iter().filter_map(|(name, _)| name.rsplit(' ').next());
        let first = self.first_word();
        let typed =
            if self.is_command(first) && instead_of(first).is_none() { self.picker.text.text().trim() } else { first };
        no_command(typed, self.offers.iter().map(|offered| &*offered.binding.name).chain(verbs))
    }

    /// Whether a command is typed that people try and that there is not.
    fn is_no_command(&self) -> bool {
        instead_of(self.first_word()).is_some() && !self.is_command(self.first_word())
    }

    fn first_word(&self) -> &str {
        self.picker.text.text().split_whitespace().next().unwrap_or_default()
    }

    /// Marks the first line once something is typed that means it: Enter in an empty field must not run what happens to be
    /// the first command, nor take the first of the values that a command needs.
    fn mark_what_is_typed(&mut self) {
        let next = self.next();
        let needs_value = next.as_ref().is_some_and(|next| match &next.value {
            _ if next.is_bare => self.of_verb(&next.verb).is_some_and(|offered| offered.binding.needs_value()),
            // Of all files there are, none is meant.
            Some((kind, value)) => value.is_empty() && path_kind(*kind).is_some(),
            None => false,
        });
        // Of several that only mention what is typed, none is meant.
        let is_vague =
            || self.commands().split_first().is_some_and(|(first, others)| !first.is_named && !others.is_empty());
        let is_unmarked =
            self.first_word().is_empty() || needs_value || self.is_no_command() || (next.is_none() && is_vague());
        self.picker.mark(0);
        self.picker.is_unmarked = is_unmarked;
    }

    /// Returns the lines that match, the best first, and what is said above them.
    fn entries(&self, cx: &Context) -> (Vec<Entry<'_>>, Option<String>) {
        let typed = self.picker.text.text().trim_start();
        let mut commands = self.commands();
        let Some(next) = self.next() else {
            // A number, or the help of a verb.
            let is_line = typed.contains(' ') || whole_line::number(typed).is_some();
            if let Some(done) = whole_line::read(typed).ok().filter(|_| is_line) {
                let help = Help::Does(Rc::new(done), None);
                commands.insert(0, Entry::line(None, typed.trim_end().to_owned(), help));
            }
            return (commands, None);
        };
        let offered = self.of_verb(&next.verb);
        let (mut entries, hint) = self.lines(&next, offered, cx);
        if let Some(offered) = offered.filter(|_| next.is_bare) {
            let itself = Entry::found(offered, "").filter(|_| !offered.binding.needs_value());
            return (itself.into_iter().chain(entries).collect(), hint);
        }
        let has_lines = !entries.is_empty();
        // `save as` is a line, and the beginning of another name.
        commands.retain(|entry| !next.is_bare && entry.is_named);
        // And then it is no path.
        let is_path = next.value.is_some_and(|(kind, _)| path_kind(kind).is_some());
        let hint = hint.filter(|_| has_lines || commands.is_empty() || !is_path);
        entries.extend(commands);
        (entries, hint)
    }

    /// Returns the lines that what is typed can become, and what the value is that is typed, or why there is no line.
    fn lines<'a>(&self, next: &Next, offered: Option<&'a Offered>, cx: &Context) -> (Vec<Entry<'a>>, Option<String>) {
        if next.fault.is_some() {
            return (Vec::new(), next.fault.clone());
        }
        let entry = |line, help| Entry::line(offered, line, help);
        let text = self.typed_line();
        let typed = text.trim_end();
        let (mut lines, mut hint) = (Vec::new(), None);
        // A value of no kind can be anything, and a line can end before the next one. A dash alone stands for a stream.
        let is_free = match &next.value {
            None => {
                text.ends_with(' ') || text.ends_with(" -") || next.words.iter().all(|(word, _)| text.ends_with(word))
            }
            Some((_, value)) => value.is_empty() && !(next.is_bare && offered.is_some()),
        };
        let whole = whole_line::read(typed).map(Rc::new);
        let said = whole.iter().filter(|done| is_free || done.is_help());
        lines.extend(said.map(|done| entry(typed.to_owned(), Help::Does(Rc::clone(done), None))));
        let is_whole = !lines.is_empty();
        if let Some((kind, value)) = &next.value {
            let found = choices(*kind, value, self.path.as_ref(), cx);
            // Only the value differs from line to line.
            let done = found.list.first().and_then(|choice| whole_line::read(&next.with(&choice.text)).ok());
            let done = done.map(Rc::new);
            let help = |choice: Choice| match &done {
                Some(done) if *kind == Values::PlantIds || choice.help.is_empty() => {
                    Help::Does(Rc::clone(done), Some(choice))
                }
                Some(_) | None => Help::Said(choice.help),
            };
            lines.extend(found.list.into_iter().map(|choice| entry(next.with(&choice.text), help(choice))));
            hint = Some(found.hint);
        }
        let words = next.words.iter().map(|(word, help)| (next.with(word), help));
        let words = words.filter(|(line, _)| !(is_whole && line == typed));
        lines.extend(words.map(|(line, help)| entry(line, Help::Said(help.clone()))));
        if lines.is_empty() {
            hint = hint.or(whole.err());
        }
        (lines, hint)
    }

    /// Returns the verbs that begin as typed and are no command of the key table.
    fn other_verbs(&self, typed: &str) -> Vec<Entry<'_>> {
        // Behind a space, the verb itself goes on.
        let is_typed = !typed.is_empty() && !self.picker.text.text().ends_with(' ');
        let last = |name: &str| name.rsplit(' ').next().is_some_and(|word| word.starts_with(typed));
        let is_begun = |name: &str| is_typed && last(name) && !self.is_command(name);
        let begun = verbs().into_iter().filter(|(name, _)| is_begun(name));
        begun.map(|(line, help)| Entry::line(None, line, Help::Said(help))).collect()
    }

    /// Returns the commands and verbs that match what is typed.
    fn commands(&self) -> Vec<Entry<'_>> {
        let typed = spaced(self.picker.text.text());
        let found = self.offers.iter().filter_map(|offered| Entry::found(offered, &typed));
        let mut entries: Vec<_> = found.chain(self.other_verbs(&typed)).collect();
        // A whole name means this command, also while it cannot be done. What is called so comes before what only
        // mentions it, a command before a movement, and a name before another word for one; otherwise the order is that of
        // the table.
        entries.sort_by_cached_key(|entry| {
            let command = entry.as_command();
            let title = spaced(&command.map_or_else(|| entry.name.clone(), Binding::title));
            let (is_whole, is_other_word) = (title == typed, !title.starts_with(&typed));
            let is_whole_word = command.is_some_and(|binding| binding.synonyms().any(|word| word == typed));
            let is_movement = command.is_some_and(|binding| binding.command.is_movement());
            (!entry.is_named, !is_whole, !is_whole_word, entry.unavailable().is_some(), is_movement, is_other_word)
        });
        entries
    }

    fn set_text(&mut self, text: String, cx: &mut Context) {
        let acts_at_once = whole_line::read(&text).is_ok_and(|done| done.acts_at_once());
        self.arming = acts_at_once.then(|| Arming::of("line"));
        self.picker.text = TextInput::holding(text);
        self.mark_what_is_typed();
        self.find_files(cx);
    }

    /// Reads the files that begin like the typed path, if it is another one than before.
    fn find_files(&mut self, cx: &mut Context) {
        let query = self.next().and_then(|next| next.value).and_then(|(kind, typed)| {
            let slash = if PathQuery::lacks_slash(&typed) { "/" } else { "" };
            Some(PathQuery::new(&format!("{typed}{slash}"), path_kind(kind)?))
        });
        if query.as_ref() != self.path.as_ref().map(|(query, _)| query) {
            cx.out.effects(query.clone().map(Effect::FindPaths));
            self.path = query.map(|query| (query, None));
        }
    }

    /// Returns the typed line with its path as far as all files agree that begin like it; `None` if that is typed
    /// already.
    fn common_path(&self) -> Option<String> {
        let next = self.next()?;
        let (_, typed) = next.value.as_ref()?;
        let Some((query, Some(Ok(found)))) = &self.path else { return None };
        let common = format!("{}{}", query.folder, found.common);
        let is_longer = found.count > 1 && !typed.is_empty() && common.len() > typed.len();
        is_longer.then(|| next.with(&common))
    }

    /// Types the marked command or line to its end; if it is typed already, goes to the next line.
    fn complete(&mut self, cx: &mut Context) {
        if self.picker.is_unmarked {
            return self.go(Command::Down, cx);
        }
        let (entries, _) = self.entries(cx);
        let text = entries.get(self.picker.marked).map(|entry| match entry.as_command() {
            Some(Binding { verb: Some((verb, _)), .. }) => format!("{verb} "),
            _ => entry.name.clone(),
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

    fn names(&self, cx: &Context) -> Vec<String> {
        self.entries(cx).0.into_iter().map(|entry| entry.name).collect()
    }

    fn shown<'a>(&'a self, cx: &'a Context, theme: &'a Theme) -> Shown<'a> {
        let (entries, hint) = self.entries(cx);
        let is_no_command = self.is_no_command() || entries.is_empty() && hint.is_none();
        let hint = if is_no_command { Some(self.says_nothing_found()) } else { hint };
        let (style, mark) = match entries.first() {
            Some(_) if !is_no_command => (theme.dim, ""),
            _ => (theme.bad, theme.mark("✗ ", "x ")),
        };
        let note = hint.map(|hint| {
            let end = if hint.ends_with(['?', '.']) { "" } else { "." };
            (format!("{mark}{hint}{end}"), style)
        });
        let columns = entries.iter().map(|entry| entry.name.width()).max().unwrap_or(0).max(NAME);
        let key = self.offers.iter().filter_map(|offered| offered.binding.keys.first());
        let key = key.map(|key| key.to_string().width()).max().unwrap_or(0);
        Shown {
            title: "Commands".into(),
            find: "find".into(),
            hint: if cx.commands.is_empty() {
                "a word of what you want to do"
            } else {
                "a word of what you want to do, or Up for the last command"
            }
            .into(),
            count: entries.len(),
            empty: "".into(),
            note,
            line: Box::new(move |at, is_marked, width| {
                Some(entries.get(at)?.draw(is_marked, [key, columns.min(width / 2), width], theme, cx))
            }),
        }
    }

    fn choose(&mut self, cx: &mut Context) {
        if self.picker.is_unmarked {
            let down = cx.out.keys.shown_in(Scope::Picker, Command::Down);
            let nothing = || format!("Nothing is marked yet: type a word, or go to a line with {down}.");
            return cx.out.say_here(if self.is_no_command() { self.says_nothing_found() } else { nothing() });
        }
        let (mut entries, _) = self.entries(cx);
        if self.picker.marked >= entries.len() {
            return;
        }
        let entry = entries.swap_remove(self.picker.marked);
        // The app says why, if it cannot be done.
        let command = entry.offered.filter(|offered| entry.is_command || offered.unavailable.is_some());
        let (done, effect) = match command {
            Some(Offered { binding, .. }) => (binding.title(), UiEffect::Command(binding.scope, binding.command)),
            None => {
                let line = entry.name;
                let is_completed = line != self.typed_line().trim_end();
                let done = whole_line::read(&line);
                if line.ends_with('/') || is_completed && done.as_ref().is_ok_and(OnScreen::acts_at_once) {
                    return self.set_text(line, cx);
                }
                if done.is_err() {
                    return self.set_text(format!("{line} "), cx);
                }
                (line.clone(), UiEffect::Line(line))
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

    fn arming(&mut self) -> Option<&mut Arming> {
        self.arming.as_mut()
    }

    fn receive(&mut self, message: &Msg, _cx: &mut Context) {
        if let (Msg::Paths(query, found), Some((awaited, files))) = (message, &mut self.path)
            && query == awaited
        {
            *files = Some(found.as_ref().cloned().map_err(ToString::to_string));
        }
    }
}

impl<'a> Entry<'a> {
    /// Returns a command if its name or another word for it begins as typed, or its help has all words that are typed. One
    /// that quits is found by what it is called alone.
    fn found(offered: &'a Offered, typed: &str) -> Option<Self> {
        let Offered { binding, .. } = offered;
        let title = binding.title();
        let is_called = spaced(&title).starts_with(typed);
        let synonym = binding.synonyms().find(|word| !is_called && word.starts_with(typed));
        let is_named = is_called || synonym.is_some();
        let word = synonym.map(|word| format!("{word}: ")).unwrap_or_default();
        let text = spaced(&format!("{title} {}", binding.described()));
        let is_mentioned = || !binding.command.quits() && typed.split(' ').all(|word| text.contains(word));
        if !is_named && !is_mentioned() {
            return None;
        }
        let value = binding.verb.map(|(_, value)| format!(" {value}")).unwrap_or_default();
        let (name, help) = (format!("{title}{value}"), Help::Said(format!("{word}{}", binding.help)));
        Some(Self { offered: Some(offered), is_command: true, is_named, name, help })
    }

    fn line(offered: Option<&'a Offered>, line: String, help: Help) -> Self {
        Self { offered, is_command: false, is_named: true, name: line, help }
    }

    fn as_command(&self) -> Option<&'a Binding> {
        self.offered.filter(|_| self.is_command).map(|offered| &offered.binding)
    }

    /// Returns why its command cannot be done now.
    fn unavailable(&self) -> Option<Reason> {
        self.offered.and_then(|offered| offered.unavailable)
    }

    /// `▸ a       add NAME        add a plant`, or why it cannot be done in the place of its description.
    fn draw(&self, marked: bool, columns: [usize; 3], theme: &Theme, cx: &Context) -> Line<'static> {
        let [at_key, columns, width] = columns;
        let (key_style, style, words) = match (self.unavailable(), &self.help) {
            (Some(reason), _) => (theme.dim, theme.dim, format!("not now: {reason}")),
            (None, Help::Said(help)) => (theme.key, theme.text, help.clone()),
            (None, Help::Does(done, value)) => (theme.key, theme.text, done.does(value.as_ref(), cx)),
        };
        let key = self.as_command().and_then(|binding| binding.keys.first()).map(ToString::to_string);
        let rest = width.saturating_sub(2 + at_key + 1 + columns + GAP);
        Line::from(vec![
            theme.pointer(marked),
            Span::styled(format!("{} ", clean_padded(&key.unwrap_or_default(), at_key)), key_style),
            Span::styled(format!("{}{}", clean_padded(&self.name, columns), " ".repeat(GAP)), style),
            fitted_named(&words, rest, style),
        ])
    }
}
