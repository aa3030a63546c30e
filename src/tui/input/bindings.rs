//! The key table: every command with its default keys, in the order of the footer and the help.
//!
//! Must not know what a command does.

use std::borrow::Cow;

use super::command::{self, Answer, Command as C, Scope as S};
use crate::config::{CommandSubject, CustomCommand};
use crate::terminal::Key::{self, BackTab, Char, Ctrl, Delete, Down, End, Enter, Esc, F, Home, Left, PageDown, PageUp};
use crate::terminal::Key::{Right, ShiftDown, ShiftUp, Tab, Up};
use crate::text::clean_fit;
use crate::verbs::aliases;

/// A prefix of a name that keeps its dash.
const PREFIX: &str = "re-";

/// Columns of the name of a program.
const PROGRAM: usize = 40;

/// One line of the key table.
#[derive(Debug, Clone)]
pub struct Binding {
    pub scope: S,
    pub command: C,
    /// Its unique name in the config file.
    pub name: Cow<'static, str>,
    /// The first key is the one that footer and messages show; without one, the command is in the palette alone.
    pub keys: Vec<Key>,
    /// Its label in the footer; `None` if the footer does not show it.
    pub footer: Option<Cow<'static, str>>,
    /// Its sentence in the help.
    pub help: Cow<'static, str>,
    /// Other words for it, besides those of its verb.
    synonyms: &'static [&'static str],
    /// The verb with which a line of the palette goes on, and the name of the value.
    pub verb: Option<(&'static str, &'static str)>,
}

impl Binding {
    fn help(self, help: &'static str) -> Self {
        Self { help: help.into(), ..self }
    }

    fn also(self, synonyms: &'static [&'static str]) -> Self {
        Self { synonyms, ..self }
    }

    fn goes_on(self, verb: &'static str, value: &'static str) -> Self {
        Self { verb: Some((verb, value)), ..self }
    }

    /// Whether it does nothing without a value.
    pub fn needs_value(&self) -> bool {
        matches!(self.command, C::Profile | C::Theme | C::Language)
    }

    /// Returns its name with spaces, as the palette shows it.
    pub fn title(&self) -> String {
        match self.name.strip_prefix(PREFIX) {
            Some(rest) => format!("{PREFIX}{}", rest.replace('-', " ")),
            None => self.name.replace('-', " "),
        }
    }

    /// Returns its keys in the help; where it has none, how to type it into the palette.
    pub fn shown_keys(&self) -> Vec<String> {
        if self.keys.is_empty() {
            return vec![format!(":{}", self.name)];
        }
        self.keys.iter().map(Key::to_string).collect()
    }

    /// Returns the other words for it, which the palette finds, too.
    pub fn synonyms(&self) -> impl Iterator<Item = &'static str> {
        self.synonyms.iter().copied().chain(self.verb.into_iter().flat_map(|(verb, _)| aliases(verb)))
    }

    /// Returns its sentence in the help, with the synonyms that are new to a reader.
    pub fn described(&self) -> String {
        let words: Vec<_> = self.synonyms().filter(|word| !self.help.contains(word)).collect();
        if words.is_empty() { self.help.to_string() } else { format!("{} ({})", self.help, words.join(", ")) }
    }
}

/// `footer` is empty if the footer does not show it.
fn line(scope: S, command: C, name: &'static str, footer: &'static str, keys: &[Key]) -> Binding {
    Binding {
        scope,
        command,
        name: name.into(),
        keys: keys.to_vec(),
        footer: (!footer.is_empty()).then(|| footer.into()),
        help: "".into(),
        synonyms: &[],
        verb: None,
    }
}

/// Returns the binding of the custom command with this index, without its key.
pub(super) fn custom(at: usize, custom: &CustomCommand) -> Binding {
    let (scope, command) = match custom.on {
        CommandSubject::Plant => (S::Plant, C::RunOnPlant(at)),
        CommandSubject::Request => (S::Exchange, C::RunOnRequest(at)),
    };
    let program = clean_fit(custom.program(), PROGRAM);
    Binding {
        footer: Some(custom.name.clone().into()),
        name: custom.name.clone().into(),
        help: format!("{}, a command of your own: {program} reads the {} as JSON", custom.name, custom.on.word())
            .into(),
        ..line(scope, command, "", "", &[])
    }
}

pub(super) fn all() -> Vec<Binding> {
    [tabs(), plants_and_stores(), navigation(), sorting(), dialogs(), texts()].concat()
}

fn tabs() -> Vec<Binding> {
    vec![
        line(S::Check, C::RunCheck, "run-check", "check", &[Char('r')])
            .help("check whether the store follows the interface document; asks first, except at the demo store").also(&["check", "test"]),
        line(S::Check, C::Compare, "compare-runs", "compare", &[Char('v')])
            .help("choose another run, of this store or another, and show what changed"),
        line(S::Check, C::OpenRun, "open-run", "earlier", &[Char('o')])
            .help("show an earlier run, of this store or another"),
        line(S::Check, C::Report, "report-check", "report", &[Char('w')])
            .help("write the run on screen into a file: Markdown, JSON, JUnit or plain text, by the file's ending").also(&["share"]),
        line(S::Tabs, C::Add, "add", "add", &[Char('a')]).help("add a plant").goes_on("add", "NAME"),
        line(S::Plant, C::Delete, "delete", "delete", &[Char('d'), Delete])
            .help("delete the selected plant, or all marked ones").also(&["remove", "rm", "del"]),
        line(S::History, C::Compare, "compare", "compare", &[Char('v')])
            .help("compare the two marked requests, or the marked one with the selected one"),
        line(S::Tabs, C::Resolve, "resolve", "resolve", &[Char('u')])
            .help("resolve unknown plants: the marked ones with one question, else one by one").also(&["unknown", "forget", "mark as stored"]),
        line(S::Operations, C::SendAgain, "send-again", "send again", &[Char('r')])
            .help("send again operations that were not sent; an import: its file again").also(&["retry", "resend"]),
        line(S::Exchange, C::EditAndResend, "edit-and-resend", "", &[Char('E')])
            .help("change it and send it again: a form with its plant, or with the id to delete").also(&["edit", "retry"]),
        line(S::Exchange, C::CopyCurl, "copy-curl", "", &[Char('y')])
            .help("copy it as a curl command for sh, bash, zsh and fish, with $PLANTS_TOKEN").also(&["curl"]),
        line(S::Tabs, C::Open, "open", "open", &[Enter])
            .help("open what is selected: a plant's history, a request, the requests of a row of the check"),
        line(S::Tabs, C::Filter, "filter", "filter", &[Char('/')])
            .help("show only lines with these words; tag:desert looks into one field, !word leaves lines out, \"two words\" keeps the space, a bar is between alternatives").goes_on("filter", "WORDS"),
        line(S::Sorted, C::Sort, "sort", "sort", &[Char('s')])
            .help("sort by a column: its number follows, or s for the next one; in the palette, its name").goes_on("sort", "COLUMN"),
        line(S::Sorted, C::Reverse, "reverse", "", &[Char('S')]).help("reverse the order"),
        line(S::History, C::ByOutcome, "by-outcome", "outcome", &[Char('o')])
            .help("show only requests with the next outcome, then all again"),
        line(S::History, C::ByPlant, "by-plant", "only its plant", &[Char('p')])
            .help("show only requests about the plant of the selected one, then all again"),
        line(S::History, C::Expand, "unfold", "", &[Right, Char('l')])
            .help("list the requests of the selected run of the check below it"),
        line(S::History, C::Collapse, "fold", "", &[Left, Char('h')])
            .help("fold the requests of a run of the check into one line"),
        line(S::History, C::Report, "report", "report", &[Char('w')])
            .help("write this session's requests, or those that the filter finds, into a file to share, every credential masked: Markdown or HAR, by the file's ending").also(&["har", "share"]),
        line(S::Greenhouse, C::Weather, "weather", "weather", &[Char('w')])
            .help("what the demo store does to requests: calm, slow, losing responses, rejecting, out of order").also(&["simulate", "faults"]).goes_on("weather", "NAME"),
        line(S::Greenhouse, C::Wire, "wire", "as sent", &[Char('p')])
            .help("show the request as it was sent, in HTTP, or as a picture").also(&["raw", "http"]),
        line(S::Greenhouse, C::Left, "left", "", &[Left, Char('h')]).help("select the pot to the left"),
        line(S::Greenhouse, C::Right, "right", "", &[Right, Char('l')]).help("select the pot to the right"),
        line(S::Operations, C::Mark, "mark", "mark", &[Char(' ')])
            .help("mark what is selected: plants to delete or resolve together, two requests to compare").also(&["select"]),
        line(S::Tabs, C::Pane, "pane", "", &[Char('f')])
            .help("go into the pane beside the list, to scroll it, or back; on a narrow terminal, open it below, or close it").also(&["focus", "preview"]),
        line(S::Plants, C::MarkAll, "mark-all", "", &[Char('M')]).help("mark all plants that the filter shows, then none").also(&["select all"]),
        line(S::Plants, C::MarkRange, "mark-range", "", &[Char('V')])
            .help("begin a range: what the selection passes is marked, until V again, Esc, a click or another command").also(&["visual"]),
        line(S::Plants, C::MarkDown, "mark-down", "", &[ShiftDown]).help("mark this line and the one below"),
        line(S::Plants, C::MarkUp, "mark-up", "", &[ShiftUp]).help("mark this line and the one above"),
        line(S::Plant, C::ItsRequests, "its-requests", "requests", &[Char('x')])
            .help("show all requests about the selected plant"),
    ]
}

fn plants_and_stores() -> Vec<Binding> {
    vec![
        line(S::Tabs, C::Connection, "connection", "connection", &[Char('c')])
            .help("open another store: a profile, a recent one, another URL with its token, the demo, a new profile").also(&["switch", "context", "ctx", "store", "connect", "settings"]),
        line(S::Plant, C::Duplicate, "duplicate", "duplicate", &[Char('A')])
            .help("copy the selected plant: the add form with its name and tag, and the next free id").also(&["copy plant", "clone"]),
        line(S::Tabs, C::DeleteById, "delete-by-id", "delete by id", &[Char('D')])
            .help("delete any plant by its id, even one that is not in the list").also(&["delete"]).goes_on("delete", "ID"),
        line(S::Tabs, C::ReAdd, "re-add", "re-add", &[Char('b')])
            .help("find a plant that was deleted, forgotten, rejected or not sent, and add it again").also(&["undo", "edit", "retry"]),
        line(S::Tabs, C::Undo, "undo", "", &[Char('z')])
            .help("undo the last add or delete, or those of one question: asks first; what cannot be undone is said"),
        line(S::Tabs, C::Import, "import", "import", &[Char('i')])
            .help("add the plants of a CSV, JSON or NDJSON file after a preview")
            .goes_on("import", "PATH"),
        line(S::Tabs, C::Export, "export", "export plants", &[Char('e')])
            .help("write all plants into a file that an import reads: CSV, JSON or NDJSON, by the file's ending")
            .goes_on("export", "PATH"),
        line(S::Exchange, C::CopyResponse, "copy-response", "copy response", &[Char('Y')])
            .help("copy the body of its response"),
        line(S::Exchange, C::CopyId, "copy-id", "copy id", &[Char('I')]).help("copy the id of its plant"),
        line(S::Tabs, C::Profile, "profile", "", &[])
            .help("open a store by its name")
            .also(&["open", "settings"])
            .goes_on("profile", "NAME"),
        line(S::Tabs, C::Theme, "theme", "", &[])
            .help("choose the colours; kept in the config file")
            .also(&["settings"])
            .goes_on("theme", "NAME"),
        line(S::Tabs, C::Language, "language", "", &[])
            .help("choose the language of the Greenhouse and the tour; kept in the config file")
            .also(&["settings"])
            .goes_on("language", "NAME"),
        line(S::Tabs, C::ReplaceToken, "replace-token", "", &[Char('T')])
            .help("log in again: replace the token of the open store").also(&["login", "password"]),
        line(S::Tabs, C::SaveProfile, "save-as-profile", "", &[Char('P')])
            .help("save the open store as a profile in the config file, with where its token comes from").also(&["settings"]),
        line(S::Tabs, C::Back, "back", "cancel", &[Esc])
            .help("dismiss a notice; else cancel what is in flight for the selected plant, or stop the check; else clear marks and filter; else stop the import; else cancel what runs in the background, and again end it at once").also(&["cancel", "stop"]),
        line(S::Tabs, C::Palette, "palette", "commands", &[Char(':')]).help("find a command by its name, and do it; some take a word more: delete 7; Up brings back the last one"),
        line(S::Tabs, C::Tour, "tour", "tour", &[Char('t')])
            .help("a tour of the program at the demo store, one step with each Space or Right; Left reads the text before again").also(&["tutorial", "guide"]),
        line(S::Tabs, C::Present, "present", "", &[F(5)])
            .help("presentation mode, also from a dialog: large pictures and names, strong contrast, dark or light like the theme, the keys you press, slower motion; again ends it"),
        line(S::Tabs, C::Help, "help", "help", &[Char('?')]).help("every key, those of this tab first").also(&["keys", "manual"]),
        line(S::Tabs, C::Quit, "quit", "quit", &[Char('q')]).help("quit; asks while something is in flight, became unknown or was not sent since the start, in the Greenhouse, in presentation mode, and in a demo with plants of yours").also(&["exit", "close", "wq", "x"]),
        line(S::Tabs, C::QuitNow, "quit-now", "", &[]).help("quit; asks only while something is in flight").also(&["q!"]),
    ]
}

fn navigation() -> Vec<Binding> {
    vec![
        line(S::Tabs, C::GoTo(command::Tab::Plants), "plants", "", &[Char('1')])
            .help("the Plants tab")
            .also(&["list", "ls"]),
        line(S::Tabs, C::GoTo(command::Tab::History), "history", "", &[Char('2')])
            .help("the History tab: every request")
            .also(&["log", "requests", "show"]),
        line(S::Tabs, C::GoTo(command::Tab::Check), "check", "", &[Char('3')])
            .help("the Check tab: does the store follow the interface?"),
        line(S::Tabs, C::GoTo(command::Tab::Greenhouse), "greenhouse", "", &[Char('4')])
            .help("the Greenhouse tab: every plant a pot, every request a picture"),
        line(S::Tabs, C::NextTab, "next-tab", "", &[Tab]).help("the next tab"),
        line(S::Tabs, C::PreviousTab, "previous-tab", "", &[BackTab]).help("the previous tab"),
        line(S::Tabs, C::Up, "up", "", &[Up, Char('k'), Ctrl('p')]).help("select the line above"),
        line(S::Tabs, C::Down, "down", "", &[Down, Char('j'), Ctrl('n')]).help("select the line below"),
        line(S::Tabs, C::PageUp, "page-up", "", &[PageUp, Ctrl('b')]).help("a page up"),
        line(S::Tabs, C::PageDown, "page-down", "", &[PageDown, Ctrl('f')]).help("a page down"),
        line(S::Tabs, C::HalfPageUp, "half-page-up", "", &[Ctrl('u')]).help("half a page up"),
        line(S::Tabs, C::HalfPageDown, "half-page-down", "", &[Ctrl('d')]).help("half a page down"),
        line(S::Tabs, C::First, "first", "", &[Home, Char('g')]).help("the first line"),
        line(S::Tabs, C::Last, "last", "", &[End, Char('G')]).help("the last line"),
        line(S::Tabs, C::Mouse, "mouse", "", &[Char('m')])
            .help("give the mouse back to the terminal, to select text with it; again takes it"),
    ]
}

fn sorting() -> Vec<Binding> {
    let by = |at, name, key| line(S::Sorting, C::SortBy(at), name, "", &[Char(key)]);
    vec![
        by(0, "sort-by-first", '1').help("sort by the first column; once more reverses the order"),
        by(1, "sort-by-second", '2').help("by the second column"),
        by(2, "sort-by-third", '3').help("by the third column"),
        by(3, "sort-by-fourth", '4').help("by the fourth column"),
        by(4, "sort-by-fifth", '5').help("by the fifth column"),
        by(5, "sort-by-sixth", '6').help("by the sixth column"),
        by(6, "sort-by-seventh", '7').help("by the seventh column"),
        line(S::Sorting, C::SortByNext, "sort-by-next", "next column", &[Char('s')]).help("by the next column"),
        line(S::Sorting, C::StopSorting, "cancel-sort", "cancel", &[Esc])
            .help("leave the order as it is, as any other key does"),
    ]
}

fn dialogs() -> Vec<Binding> {
    vec![
        line(S::Form, C::Submit, "submit", "send", &[Enter]).help("send what the form shows"),
        line(S::Choice, C::PreviousValue, "previous-value", "previous", &[Left]).help("the value before"),
        line(S::Choice, C::NextValue, "next-value", "change", &[Right, Char(' ')]).help("the next value"),
        line(S::Form, C::Next, "next-field", "next field", &[Tab])
            .help("complete the path of a file, or a tag; else the next field"),
        line(S::Form, C::Down, "field-below", "", &[Down, Ctrl('n')]).help("the next field"),
        line(S::Form, C::Previous, "previous-field", "", &[BackTab, Up, Ctrl('p')]).help("the previous field"),
        line(S::Form, C::Close, "close-form", "close", &[Esc])
            .help("close the form; the text of an add comes back once in the next one, unless it is what the store rejected"),
        line(S::Form, C::Headers, "form-headers", "headers", &[F(3)]).help("show the headers of the request, or hide them"),
        line(S::Form, C::NextId, "next-id", "next free id", &[F(4)]).help("take the next free id of the list"),
        line(S::Form, C::BlankForm, "blank-form", "start over", &[F(2)])
            .help("in the add form: start over with an empty one; the text comes back once, as after closing"),
        line(S::Confirm, C::Choose, "choose", "choose", &[Enter]).help("take the marked choice"),
        line(S::Confirm, C::Yes, "yes", "", &[Char('y')]).help("take the only choice that does something, or the one for all; others have their own keys"),
        line(S::Confirm, C::No, "no", "", &[Char('n')]).help("take the choice that changes nothing"),
        line(S::Confirm, C::Next, "next-choice", "next", &[Tab, Down, Right]).help("the next choice"),
        line(S::Confirm, C::Previous, "previous-choice", "", &[BackTab, Up, Left]).help("the previous choice"),
        line(S::Confirm, C::Close, "close-choice", "close", &[Esc])
            .help("close the dialog; nothing changes, and no further question follows"),
        line(S::Confirm, C::PageDown, "dialog-page-down", "scroll", &[PageDown, Ctrl('f')]).help("a page down"),
        line(S::Confirm, C::PageUp, "dialog-page-up", "", &[PageUp, Ctrl('b')]).help("a page up"),
        line(S::Confirm, C::HalfPageDown, "dialog-half-page-down", "", &[Ctrl('d')]).help("half a page down"),
        line(S::Confirm, C::HalfPageUp, "dialog-half-page-up", "", &[Ctrl('u')]).help("half a page up"),
        line(S::Confirm, C::First, "dialog-first", "", &[Home, Char('g')]).help("to the top"),
        line(S::Confirm, C::Last, "dialog-last", "", &[End, Char('G')]).help("to the end"),
        line(S::Confirm, C::Help, "help-in-dialog", "", &[Char('?')]).help("every key, those of the dialog first"),
        line(S::Question, C::Next, "choice-below", "", &[Char('j'), Ctrl('n')]).help("the next choice"),
        line(S::Question, C::Previous, "choice-above", "", &[Char('k'), Ctrl('p')]).help("the previous choice"),
        answer(Answer::SendAgain, "answer-send-again", 'r').help("send again"),
        answer(Answer::Delete, "answer-delete", 'd').help("delete the unknown plant, or plants"),
        answer(Answer::Stored, "answer-stored", 's').help("mark as stored"),
        answer(Answer::Forget, "answer-forget", 'f').help("forget the plant, or plants"),
        answer(Answer::Drop, "answer-drop", 'x').help("drop what was not sent"),
        answer(Answer::Last, "answer-last", 'l').help("send again the last one that was not sent"),
        answer(Answer::All, "answer-all", 'a').help("run all of the check, or decide about all unknown plants together"),
        answer(Answer::Rules, "answer-rules", 'o').help("check only the rules"),
        answer(Answer::Weather(0), "answer-calm", '1').help("calm weather"),
        answer(Answer::Weather(1), "answer-slow", '2').help("slow responses"),
        answer(Answer::Weather(2), "answer-losing", '3').help("lost responses"),
        answer(Answer::Weather(3), "answer-rejecting", '4').help("a store that rejects"),
        answer(Answer::Weather(4), "answer-out-of-order", '5').help("responses out of order"),
        line(S::Preview, C::Down, "preview-down", "", &[Char('j'), Ctrl('n')]).help("a line down"),
        line(S::Preview, C::Up, "preview-up", "", &[Char('k'), Ctrl('p')]).help("a line up"),
        line(S::Picker, C::Choose, "take", "take it", &[Enter]).help("take the marked line; keep the filter"),
        line(S::Picker, C::Down, "list-down", "next", &[Down, Ctrl('n')]).help("the next line"),
        line(S::Picker, C::Complete, "complete", "", &[Tab])
            .help("complete what is typed in the palette; mark the line in the re-add list; in other lists, the next line"),
        line(S::Picker, C::Up, "list-up", "", &[Up, Ctrl('p')]).help("the previous line"),
        line(S::Picker, C::StepBack, "list-back", "", &[BackTab])
            .help("the previous line; in the re-add list, remove its mark, too"),
        line(S::Picker, C::PageDown, "list-page-down", "", &[PageDown]).help("a page down"),
        line(S::Picker, C::PageUp, "list-page-up", "", &[PageUp]).help("a page up"),
        line(S::Picker, C::Close, "close-list", "close", &[Esc]).help("close the list; clear the filter"),
        line(S::Everywhere, C::Interrupt, "interrupt", "", &[Ctrl('c')])
            .help("close what is open; else stop a check or an import; else cancel what is in flight, or what runs in the background; else quit, after the same question as q, which it answers if pressed again; three times in a row always quits"),
        line(S::Everywhere, C::Help, "help-anywhere", "", &[F(1)])
            .help("every key, also over a dialog: those that work there come first"),
        line(S::Everywhere, C::Redraw, "redraw", "", &[Ctrl('l')])
            .help("draw the whole screen again, over what another program wrote there").also(&["repaint", "clear"]),
        line(S::Everywhere, C::Suspend, "suspend", "", &[Ctrl('z')]).help("suspend; fg resumes"),
    ]
}

fn answer(answer: Answer, name: &'static str, key: char) -> Binding {
    line(S::Question, C::Answer(answer), name, "", &[Char(key)])
}

fn texts() -> Vec<Binding> {
    vec![
        line(S::Inspector, C::Raw, "raw", "as sent", &[Char('p')])
            .help("show both messages unformatted, or with formatted bodies and the headers below"),
        line(S::Inspector, C::Headers, "headers", "headers", &[Char('h')]).help("hide the headers, or show them"),
        line(S::Inspector, C::Previous, "previous-request", "previous", &[Char('['), Left])
            .help("the request above in the History, or the previous one of the same row of the check"),
        line(S::Inspector, C::Next, "next-request", "next", &[Char(']'), Right])
            .help("the request below in the History, or the next one of the same row of the check"),
        line(S::Pager, C::Down, "read-down", "scroll", &[Down, Char('j'), Ctrl('n')]).help("a line down"),
        line(S::Pager, C::Up, "read-up", "", &[Up, Char('k'), Ctrl('p')]).help("a line up"),
        line(S::Pager, C::PageDown, "read-page-down", "", &[PageDown, Char(' '), Ctrl('f')]).help("a page down"),
        line(S::Pager, C::PageUp, "read-page-up", "", &[PageUp, Ctrl('b')]).help("a page up"),
        line(S::Pager, C::HalfPageDown, "read-half-page-down", "", &[Ctrl('d')]).help("half a page down"),
        line(S::Pager, C::HalfPageUp, "read-half-page-up", "", &[Ctrl('u')]).help("half a page up"),
        line(S::Pager, C::First, "read-first", "", &[Home, Char('g')]).help("to the top"),
        line(S::Pager, C::Last, "read-last", "", &[End, Char('G')]).help("to the end"),
        line(S::Pager, C::Find, "find", "find", &[Char('/')]).help("find text in it"),
        line(S::Pager, C::NextMatch, "next-match", "next", &[Char('n')]).help("to the next match"),
        line(S::Pager, C::PreviousMatch, "previous-match", "", &[Char('N')]).help("to the previous match"),
        line(S::Pager, C::Close, "close-reader", "close", &[Esc, Enter, Char('q')])
            .help("close it; a key of the tab behind it closes it, too, and does what it does there"),
        line(S::Pager, C::Help, "help-in-text", "", &[Char('?')])
            .help("every key, those of the text first; closes the help"),
    ]
}
