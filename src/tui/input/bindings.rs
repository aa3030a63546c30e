//! Every command with its keys, as they are where the config file does not remap them.

use super::command::{Command as C, Scope};
use super::key::Key as K;

/// One line of the key table.
#[derive(Debug, Clone)]
pub struct Binding {
    pub scope: Scope,
    pub command: C,
    /// Its name in the config file.
    pub name: &'static str,
    /// The first is the one that is shown.
    pub keys: Vec<K>,
    /// Its word in the footer; `None` if it does not stand there.
    pub footer: Option<&'static str>,
    /// Its sentence in the help.
    pub help: &'static str,
}

/// All of them, in the order of the footer and the help.
pub(super) fn all() -> Vec<Binding> {
    [
        tabs(),
        greenhouse(),
        marking(),
        exchange(),
        leaving(),
        moving(),
        inspector(),
        pager(),
        form(),
        confirm(),
        preview(),
        picker(),
        everywhere(),
    ]
    .concat()
}

fn line(
    scope: Scope,
    command: C,
    name: &'static str,
    keys: &[K],
    footer: Option<&'static str>,
    help: &'static str,
) -> Binding {
    Binding { scope, command, name, keys: keys.to_vec(), footer, help }
}

const RESOLVE: &str = "resolve what is unknown: the marked plants with one question, else plant by plant";

#[expect(clippy::too_many_lines, reason = "a table, in the order of the footer")]
fn tabs() -> Vec<Binding> {
    vec![
        line(
            Scope::Check,
            C::RunCheck,
            "run-check",
            &[K::Char('r')],
            Some("check"),
            "check whether the store keeps the interface document; asks first, but for the demo",
        ),
        line(
            Scope::Check,
            C::Compare,
            "compare-runs",
            &[K::Char('v')],
            Some("compare"),
            "choose another run, of this store or another, and show what changed; once more ends it",
        ),
        line(
            Scope::Check,
            C::OpenRun,
            "open-run",
            &[K::Char('o')],
            Some("earlier"),
            "show an earlier run, of this store or another",
        ),
        line(
            Scope::Check,
            C::Report,
            "report-check",
            &[K::Char('w')],
            Some("report"),
            "write the run on screen into a file: Markdown, JSON, JUnit or plain text, as the file's ending says",
        ),
        line(Scope::Tabs, C::Add, "add", &[K::Char('a')], Some("add"), "add a plant"),
        line(
            Scope::Plant,
            C::Delete,
            "delete",
            &[K::Char('d'), K::Delete],
            Some("delete"),
            "delete the selected plant, or all that are marked",
        ),
        line(
            Scope::History,
            C::Compare,
            "compare",
            &[K::Char('v')],
            Some("compare"),
            "compare the two marked exchanges, or the marked one with the selected one",
        ),
        line(Scope::Tabs, C::Resolve, "resolve", &[K::Char('u')], Some("resolve"), RESOLVE),
        line(
            Scope::Operations,
            C::SendAgain,
            "send-again",
            &[K::Char('r')],
            Some("send again"),
            "send again what was not sent",
        ),
        line(
            Scope::Tabs,
            C::Open,
            "open",
            &[K::Enter],
            Some("open"),
            "open what is selected: a plant's story, an exchange, the exchanges behind a row of the check",
        ),
        line(
            Scope::Tabs,
            C::Filter,
            "filter",
            &[K::Char('/')],
            Some("filter"),
            "show only what has this in name, tag or id, or in the words of the check; state:unknown shows plants by state",
        ),
        line(Scope::Plants, C::Sort, "sort", &[K::Char('s')], Some("sort"), "sort by the next column"),
        line(Scope::Plants, C::Reverse, "reverse", &[K::Char('S')], None, "sort the other way round"),
        line(
            Scope::History,
            C::ByOutcome,
            "by-outcome",
            &[K::Char('o')],
            Some("outcome"),
            "show only exchanges that ended so: the next outcome, then all again",
        ),
        line(
            Scope::History,
            C::ByPlant,
            "by-plant",
            &[K::Char('p')],
            Some("its plant"),
            "show only exchanges about the selected one's plant, then all again",
        ),
        line(
            Scope::History,
            C::Report,
            "report",
            &[K::Char('w')],
            Some("report"),
            "write this session's exchanges into a file to share, in Markdown with every credential masked",
        ),
    ]
}

fn greenhouse() -> Vec<Binding> {
    vec![
        line(
            Scope::Greenhouse,
            C::Weather,
            "weather",
            &[K::Char('w')],
            Some("weather"),
            "what the demo store does to requests: calm, slow, losing responses, refusing, out of order",
        ),
        line(
            Scope::Greenhouse,
            C::Wire,
            "wire",
            &[K::Char('p')],
            Some("raw or picture"),
            "show the exchange as raw HTTP, or as a picture",
        ),
        line(Scope::Greenhouse, C::Left, "left", &[K::Left, K::Char('h')], None, "select the pot to the left"),
        line(Scope::Greenhouse, C::Right, "right", &[K::Right, K::Char('l')], None, "select the pot to the right"),
    ]
}

/// What is done with several, and with what is not on screen.
fn marking() -> Vec<Binding> {
    vec![
        line(
            Scope::Operations,
            C::Mark,
            "mark",
            &[K::Char(' ')],
            Some("mark"),
            "mark what is selected: plants to delete together, two exchanges to compare",
        ),
        line(Scope::Plants, C::MarkAll, "mark-all", &[K::Char('M')], None, "mark all that the filter shows, then none"),
        line(
            Scope::Plant,
            C::ItsExchanges,
            "its-exchanges",
            &[K::Char('x')],
            Some("exchanges"),
            "show all exchanges about the selected plant",
        ),
        line(
            Scope::Tabs,
            C::DeleteById,
            "delete-by-id",
            &[K::Char('D')],
            Some("by id"),
            "delete any plant by its id, also one that is not in the view",
        ),
        line(
            Scope::Tabs,
            C::ReAdd,
            "bring-back",
            &[K::Char('b')],
            Some("bring back"),
            "find a plant that was deleted, forgotten, rejected or not sent, and add it again",
        ),
        line(
            Scope::Tabs,
            C::Import,
            "import",
            &[K::Char('i')],
            Some("import"),
            "add the plants of a CSV, JSON or NDJSON file: first says what the file comes to; while it runs, tells all of it",
        ),
        line(
            Scope::Tabs,
            C::Export,
            "export",
            &[K::Char('e')],
            Some("export"),
            "write all plants into a file that an import reads: CSV, JSON or NDJSON, as the file's ending says",
        ),
    ]
}

/// Out of what is going on, and to where the rest is told.
fn leaving() -> Vec<Binding> {
    vec![
        line(
            Scope::Tabs,
            C::Connection,
            "connection",
            &[K::Char('c')],
            Some("connection"),
            "open another store: a profile, one used before, another URL with its token, the demo",
        ),
        line(
            Scope::Tabs,
            C::ReplaceToken,
            "replace-token",
            &[K::Char('T')],
            None,
            "log in again: replace the token of the store that is open (login)",
        ),
        line(
            Scope::Tabs,
            C::SaveProfile,
            "save-as-profile",
            &[K::Char('P')],
            None,
            "save the store that is open under a name in the config file, with where its token comes from",
        ),
        line(
            Scope::Tabs,
            C::Back,
            "back",
            &[K::Esc],
            Some("cancel"),
            "read a notice away; else cancel what is in flight for the selected plant, or stop the check; else take marks and filter away; else stop the import",
        ),
        line(
            Scope::Tabs,
            C::Palette,
            "palette",
            &[K::Char(':')],
            Some("actions"),
            "find an action by its name, and do it",
        ),
        line(
            Scope::Tabs,
            C::Tour,
            "tour",
            &[K::Char('t')],
            Some("tour"),
            "be shown around: the demo store, the real thing, a step with each Space",
        ),
        line(
            Scope::Tabs,
            C::Present,
            "present",
            &[K::F(5)],
            None,
            "for an audience: large title, strong contrast, the keys you press, slower motion; once more ends it",
        ),
        line(Scope::Tabs, C::Help, "help", &[K::Char('?'), K::F(1)], Some("help"), "every key"),
        line(Scope::Tabs, C::Quit, "quit", &[K::Char('q')], Some("quit"), "quit; asks where something would be lost"),
    ]
}

/// Around in the rooms and between them.
fn moving() -> Vec<Binding> {
    vec![
        line(Scope::Tabs, C::Plants, "plants", &[K::Char('1')], None, "the Plants room"),
        line(Scope::Tabs, C::History, "exchanges", &[K::Char('2')], None, "the Exchanges room: everything sent"),
        line(
            Scope::Tabs,
            C::Check,
            "check",
            &[K::Char('3')],
            None,
            "the Check room: does the store keep the interface?",
        ),
        line(
            Scope::Tabs,
            C::Greenhouse,
            "greenhouse",
            &[K::Char('4')],
            None,
            "the Greenhouse: every plant a pot, every exchange a picture",
        ),
        line(Scope::Tabs, C::NextTab, "next-room", &[K::Tab], None, "the next room"),
        line(Scope::Tabs, C::PreviousTab, "previous-room", &[K::BackTab], None, "the room before"),
        line(Scope::Tabs, C::Up, "up", &[K::Up, K::Char('k')], None, "select the line above"),
        line(Scope::Tabs, C::Down, "down", &[K::Down, K::Char('j')], None, "select the line below"),
        line(Scope::Tabs, C::PageUp, "page-up", &[K::PageUp], None, "a page up"),
        line(Scope::Tabs, C::PageDown, "page-down", &[K::PageDown], None, "a page down"),
        line(Scope::Tabs, C::First, "first", &[K::Home, K::Char('g')], None, "the first line"),
        line(Scope::Tabs, C::Last, "last", &[K::End, K::Char('G')], None, "the last line"),
        line(
            Scope::Tabs,
            C::Mouse,
            "mouse",
            &[K::Char('m')],
            None,
            "hand the mouse back to the terminal, to select text with it; once more takes it again",
        ),
    ]
}

fn exchange() -> Vec<Binding> {
    vec![
        line(
            Scope::Exchange,
            C::CopyCurl,
            "copy-curl",
            &[K::Char('y')],
            Some("copy"),
            "copy its request as a curl command, with $PLANTS_TOKEN for the token",
        ),
        line(
            Scope::Exchange,
            C::CopyResponse,
            "copy-response",
            &[K::Char('Y')],
            Some("response"),
            "copy the body of its response",
        ),
        line(Scope::Exchange, C::CopyId, "copy-id", &[K::Char('I')], Some("id"), "copy the id of its plant"),
    ]
}

fn inspector() -> Vec<Binding> {
    vec![
        line(
            Scope::Inspector,
            C::Raw,
            "raw",
            &[K::Char('p')],
            Some("raw or laid out"),
            "show bodies as they were on the wire, or laid out",
        ),
        line(
            Scope::Inspector,
            C::Previous,
            "previous-behind",
            &[K::Left],
            Some("one before"),
            "the exchange before, of those behind the row of the check",
        ),
        line(
            Scope::Inspector,
            C::Next,
            "next-behind",
            &[K::Right],
            Some("one after"),
            "the exchange after, of those behind the row of the check",
        ),
    ]
}

fn form() -> Vec<Binding> {
    vec![
        line(Scope::Form, C::Submit, "submit", &[K::Enter], Some("send"), "send what the form shows"),
        line(Scope::Form, C::Next, "next-field", &[K::Tab, K::Down], Some("next field"), "the next field"),
        line(Scope::Form, C::Previous, "previous-field", &[K::BackTab, K::Up], None, "the field before"),
        line(
            Scope::Form,
            C::Close,
            "close-form",
            &[K::Esc],
            Some("close"),
            "close the form; what was typed is kept for the next time, and thrown away if closed again unchanged",
        ),
        line(
            Scope::Form,
            C::BlankForm,
            "blank-form",
            &[K::F(2)],
            Some("blank form"),
            "in the add form: a blank one; what was typed is kept for the next time",
        ),
    ]
}

fn confirm() -> Vec<Binding> {
    vec![
        line(Scope::Confirm, C::Choose, "choose", &[K::Enter], Some("choose"), "take the marked choice"),
        line(Scope::Confirm, C::Next, "next-choice", &[K::Tab, K::Down, K::Right], Some("next"), "the next choice"),
        line(Scope::Confirm, C::Previous, "previous-choice", &[K::BackTab, K::Up, K::Left], None, "the choice before"),
        line(
            Scope::Confirm,
            C::Close,
            "close-choice",
            &[K::Esc],
            Some("leave it"),
            "close the dialog; nothing changes, and nothing more is asked",
        ),
    ]
}

fn preview() -> Vec<Binding> {
    vec![
        line(
            Scope::Preview,
            C::ResendUnknown,
            "resend-unknown",
            &[K::Char(' ')],
            Some("unknown ones, too"),
            "send again also what is unknown, or leave it",
        ),
        line(Scope::Preview, C::PageDown, "preview-page-down", &[K::PageDown], Some("scroll"), "a page down"),
        line(Scope::Preview, C::PageUp, "preview-page-up", &[K::PageUp], None, "a page up"),
        line(Scope::Preview, C::Down, "preview-down", &[K::Char('j')], None, "a line down"),
        line(Scope::Preview, C::Up, "preview-up", &[K::Char('k')], None, "a line up"),
        line(Scope::Preview, C::First, "preview-first", &[K::Home, K::Char('g')], None, "to the top"),
        line(Scope::Preview, C::Last, "preview-last", &[K::End, K::Char('G')], None, "to the end"),
    ]
}

fn picker() -> Vec<Binding> {
    vec![
        line(Scope::Picker, C::Choose, "take", &[K::Enter], Some("take it"), "take what is marked; keep the filter"),
        line(Scope::Picker, C::Down, "list-down", &[K::Down, K::Tab], Some("next"), "the next line"),
        line(Scope::Picker, C::Up, "list-up", &[K::Up, K::BackTab], None, "the line before"),
        line(Scope::Picker, C::PageDown, "list-page-down", &[K::PageDown], None, "a page down"),
        line(Scope::Picker, C::PageUp, "list-page-up", &[K::PageUp], None, "a page up"),
        line(Scope::Picker, C::Close, "close-list", &[K::Esc], Some("close"), "close the list; take the filter away"),
    ]
}

fn pager() -> Vec<Binding> {
    vec![
        line(Scope::Pager, C::Down, "read-down", &[K::Down, K::Char('j')], Some("scroll"), "a line down"),
        line(Scope::Pager, C::Up, "read-up", &[K::Up, K::Char('k')], None, "a line up"),
        line(Scope::Pager, C::PageDown, "read-page-down", &[K::PageDown, K::Char(' ')], None, "a page down"),
        line(Scope::Pager, C::PageUp, "read-page-up", &[K::PageUp], None, "a page up"),
        line(Scope::Pager, C::First, "read-first", &[K::Home, K::Char('g')], None, "to the top"),
        line(Scope::Pager, C::Last, "read-last", &[K::End, K::Char('G')], None, "to the end"),
        line(Scope::Pager, C::Find, "find", &[K::Char('/')], Some("find"), "find text in it"),
        line(Scope::Pager, C::NextMatch, "next-match", &[K::Char('n')], Some("next"), "to the next line found"),
        line(Scope::Pager, C::PreviousMatch, "previous-match", &[K::Char('N')], None, "to the line found before"),
        line(
            Scope::Pager,
            C::Close,
            "close-reader",
            &[K::Esc, K::Enter, K::Char('q'), K::Char('?')],
            Some("close"),
            "close it",
        ),
    ]
}

fn everywhere() -> Vec<Binding> {
    vec![
        line(
            Scope::Everywhere,
            C::Interrupt,
            "interrupt",
            &[K::Ctrl('c')],
            None,
            "first closes what is open, then stops a check or an import, then cancels what is in flight, then quits",
        ),
        line(Scope::Everywhere, C::Suspend, "suspend", &[K::Ctrl('z')], None, "suspend; fg brings it back"),
    ]
}
