//! Every action with its keys, as they are where the config file does not remap them.

use super::key::Key;
use super::keys::{
    Action, Anywhere, Binding, InCheck, InChoice, InExchanges, InForm, InGreenhouse, InInspector, InList, InOperations,
    InPlants, InPreview, InReader, InRoom, WithExchange, WithPlant,
};

/// All of them, in the order of the help.
pub(super) fn all() -> Vec<Binding> {
    [
        rooms(),
        greenhouse(),
        marking(),
        exchange(),
        leaving(),
        moving(),
        inspector(),
        reader(),
        form(),
        choice(),
        preview(),
        list(),
        everywhere(),
    ]
    .concat()
}

fn line(action: Action, name: &'static str, keys: &[Key], footer: Option<&'static str>, help: &'static str) -> Binding {
    Binding { action, name, keys: keys.to_vec(), footer, help }
}

/// In the order of the footer.
const RESOLVE: &str = "resolve what is unknown: the marked plants with one question, else plant by plant";

fn rooms() -> Vec<Binding> {
    use InCheck as C;
    use InExchanges as E;
    use InOperations as O;
    use InPlants as P;
    use InRoom as I;
    use Key as K;
    vec![
        line(
            Action::Check(C::Run),
            "run-check",
            &[K::Char('r')],
            Some("check"),
            "check whether the store keeps the interface document; asks first, but for the demo",
        ),
        line(
            Action::Check(C::Compare),
            "compare-runs",
            &[K::Char('v')],
            Some("compare"),
            "choose another run, of this store or another, and show what changed; once more ends it",
        ),
        line(
            Action::Check(C::Open),
            "open-run",
            &[K::Char('o')],
            Some("earlier"),
            "show an earlier run, of this store or another",
        ),
        line(
            Action::Check(C::Report),
            "report-check",
            &[K::Char('w')],
            Some("report"),
            "write the run on screen into a file: Markdown, JSON, JUnit or plain text, as the file's ending says",
        ),
        line(Action::Room(I::Add), "add", &[K::Char('a')], Some("add"), "add a plant"),
        line(
            Action::Plant(WithPlant::Delete),
            "delete",
            &[K::Char('d'), K::Delete],
            Some("delete"),
            "delete the selected plant, or all that are marked",
        ),
        line(
            Action::Exchanges(E::Compare),
            "compare",
            &[K::Char('v')],
            Some("compare"),
            "compare the two marked exchanges, or the marked one with the selected one",
        ),
        line(Action::Room(I::Settle), "resolve", &[K::Char('u')], Some("resolve"), RESOLVE),
        line(
            Action::Operations(O::SendAgain),
            "send-again",
            &[K::Char('r')],
            Some("send again"),
            "send again what was not sent",
        ),
        line(
            Action::Room(I::Open),
            "open",
            &[K::Enter],
            Some("open"),
            "open what is selected: a plant's story, an exchange, the exchanges behind a row of the check",
        ),
        line(
            Action::Room(I::Filter),
            "filter",
            &[K::Char('/')],
            Some("filter"),
            "show only what has this in name, tag or id, or in the words of the check; state:unknown shows plants by state",
        ),
        line(Action::Plants(P::Sort), "sort", &[K::Char('s')], Some("sort"), "sort by the next column"),
        line(Action::Plants(P::Reverse), "reverse", &[K::Char('S')], None, "sort the other way round"),
        line(
            Action::Exchanges(E::ByOutcome),
            "by-outcome",
            &[K::Char('o')],
            Some("outcome"),
            "show only exchanges that ended so: the next outcome, then all again",
        ),
        line(
            Action::Exchanges(E::ByPlant),
            "by-plant",
            &[K::Char('p')],
            Some("its plant"),
            "show only exchanges about the selected one's plant, then all again",
        ),
        line(
            Action::Exchanges(E::Report),
            "report",
            &[K::Char('w')],
            Some("report"),
            "write this session's exchanges into a file to share, in Markdown with every credential masked",
        ),
    ]
}

fn greenhouse() -> Vec<Binding> {
    use InGreenhouse as G;
    use Key as K;
    vec![
        line(
            Action::Greenhouse(G::Weather),
            "weather",
            &[K::Char('w')],
            Some("weather"),
            "what the demo store does to requests: calm, slow, losing answers, refusing, out of order",
        ),
        line(
            Action::Greenhouse(G::Wire),
            "wire",
            &[K::Char('p')],
            Some("raw or picture"),
            "show the exchange as raw HTTP, or as a picture",
        ),
        line(Action::Greenhouse(G::Left), "left", &[K::Left, K::Char('h')], None, "select the pot to the left"),
        line(Action::Greenhouse(G::Right), "right", &[K::Right, K::Char('l')], None, "select the pot to the right"),
    ]
}

/// What is done with several, and with what is not on screen.
fn marking() -> Vec<Binding> {
    use InOperations as O;
    use InPlants as P;
    use InRoom as I;
    use Key as K;
    vec![
        line(
            Action::Operations(O::Mark),
            "mark",
            &[K::Char(' ')],
            Some("mark"),
            "mark what is selected: plants to delete together, two exchanges to compare",
        ),
        line(
            Action::Plants(P::MarkAll),
            "mark-all",
            &[K::Char('M')],
            None,
            "mark all that the filter shows, then none",
        ),
        line(
            Action::Plant(WithPlant::ItsExchanges),
            "its-exchanges",
            &[K::Char('x')],
            Some("exchanges"),
            "show all exchanges about the selected plant",
        ),
        line(
            Action::Room(I::DeleteById),
            "delete-by-id",
            &[K::Char('D')],
            Some("by id"),
            "delete any plant by its id, also one that is not in the view",
        ),
        line(
            Action::Room(I::BringBack),
            "bring-back",
            &[K::Char('b')],
            Some("bring back"),
            "find a plant that was deleted, forgotten, rejected or not sent, and add it again",
        ),
        line(
            Action::Room(I::Import),
            "import",
            &[K::Char('i')],
            Some("import"),
            "add the plants of a CSV, JSON or NDJSON file: first says what the file comes to; while it runs, tells all of it",
        ),
        line(
            Action::Room(I::Export),
            "export",
            &[K::Char('e')],
            Some("export"),
            "write all plants into a file that an import reads: CSV, JSON or NDJSON, as the file's ending says",
        ),
    ]
}

/// Out of what is going on, and to where the rest is told.
fn leaving() -> Vec<Binding> {
    use InRoom as I;
    use Key as K;
    vec![
        line(
            Action::Room(I::Connection),
            "connection",
            &[K::Char('c')],
            Some("connection"),
            "open another store: a profile, one used before, another URL with its token, the demo",
        ),
        line(
            Action::Room(I::ReplaceToken),
            "replace-token",
            &[K::Char('T')],
            None,
            "log in again: replace the token of the store that is open (login)",
        ),
        line(
            Action::Room(I::SaveProfile),
            "save-as-profile",
            &[K::Char('P')],
            None,
            "save the store that is open under a name in the config file, with where its token comes from",
        ),
        line(
            Action::Room(I::Back),
            "back",
            &[K::Esc],
            Some("cancel"),
            "read a notice away; else cancel what is in flight for the selected plant, or stop the check; else take marks and filter away; else stop the import",
        ),
        line(
            Action::Room(I::Palette),
            "palette",
            &[K::Char(':')],
            Some("actions"),
            "find an action by its name, and do it",
        ),
        line(
            Action::Room(I::Tour),
            "tour",
            &[K::Char('t')],
            Some("tour"),
            "be shown around: the demo store, the real thing, a step with each Space",
        ),
        line(
            Action::Room(I::Present),
            "present",
            &[K::F(5)],
            None,
            "for an audience: large title, strong contrast, the keys you press, slower motion; once more ends it",
        ),
        line(Action::Room(I::Help), "help", &[K::Char('?'), K::F(1)], Some("help"), "every key"),
        line(Action::Room(I::Quit), "quit", &[K::Char('q')], Some("quit"), "quit; asks where something would be lost"),
    ]
}

/// Around in the rooms and between them.
fn moving() -> Vec<Binding> {
    use InRoom as I;
    use Key as K;
    vec![
        line(Action::Room(I::Plants), "plants", &[K::Char('1')], None, "the Plants room"),
        line(Action::Room(I::Exchanges), "exchanges", &[K::Char('2')], None, "the Exchanges room: everything sent"),
        line(
            Action::Room(I::Check),
            "check",
            &[K::Char('3')],
            None,
            "the Check room: does the store keep the interface?",
        ),
        line(
            Action::Room(I::Greenhouse),
            "greenhouse",
            &[K::Char('4')],
            None,
            "the Greenhouse: every plant a pot, every exchange a picture",
        ),
        line(Action::Room(I::NextRoom), "next-room", &[K::Tab], None, "the next room"),
        line(Action::Room(I::PreviousRoom), "previous-room", &[K::BackTab], None, "the room before"),
        line(Action::Room(I::Up), "up", &[K::Up, K::Char('k')], None, "select the line above"),
        line(Action::Room(I::Down), "down", &[K::Down, K::Char('j')], None, "select the line below"),
        line(Action::Room(I::PageUp), "page-up", &[K::PageUp], None, "a page up"),
        line(Action::Room(I::PageDown), "page-down", &[K::PageDown], None, "a page down"),
        line(Action::Room(I::First), "first", &[K::Home, K::Char('g')], None, "the first line"),
        line(Action::Room(I::Last), "last", &[K::End, K::Char('G')], None, "the last line"),
        line(
            Action::Room(I::Mouse),
            "mouse",
            &[K::Char('m')],
            None,
            "hand the mouse back to the terminal, to select text with it; once more takes it again",
        ),
    ]
}

fn exchange() -> Vec<Binding> {
    use Key as K;
    use WithExchange as W;
    vec![
        line(
            Action::Exchange(W::CopyCurl),
            "copy-curl",
            &[K::Char('y')],
            Some("copy"),
            "copy its request as a curl command, with $PLANTS_TOKEN for the token",
        ),
        line(
            Action::Exchange(W::CopyAnswer),
            "copy-answer",
            &[K::Char('Y')],
            Some("answer"),
            "copy the body of its answer",
        ),
        line(Action::Exchange(W::CopyId), "copy-id", &[K::Char('I')], Some("id"), "copy the id of its plant"),
    ]
}

fn inspector() -> Vec<Binding> {
    use InInspector as I;
    use Key as K;
    vec![
        line(
            Action::Inspector(I::Raw),
            "raw",
            &[K::Char('p')],
            Some("raw or laid out"),
            "show bodies as they were on the wire, or laid out",
        ),
        line(
            Action::Inspector(I::Previous),
            "previous-behind",
            &[K::Left],
            Some("one before"),
            "the exchange before, of those behind the row of the check",
        ),
        line(
            Action::Inspector(I::Next),
            "next-behind",
            &[K::Right],
            Some("one after"),
            "the exchange after, of those behind the row of the check",
        ),
    ]
}

fn form() -> Vec<Binding> {
    use InForm as I;
    use Key as K;
    vec![
        line(Action::Form(I::Submit), "submit", &[K::Enter], Some("send"), "send what the form shows"),
        line(Action::Form(I::Next), "next-field", &[K::Tab, K::Down], Some("next field"), "the next field"),
        line(Action::Form(I::Previous), "previous-field", &[K::BackTab, K::Up], None, "the field before"),
        line(
            Action::Form(I::Close),
            "close-form",
            &[K::Esc],
            Some("close"),
            "close the form; what was typed is kept for the next time, and thrown away if closed again unchanged",
        ),
        line(
            Action::Form(I::Blank),
            "blank-form",
            &[K::F(2)],
            Some("blank form"),
            "in the add form: a blank one; what was typed is kept for the next time",
        ),
    ]
}

fn choice() -> Vec<Binding> {
    use InChoice as I;
    use Key as K;
    vec![
        line(Action::Choice(I::Choose), "choose", &[K::Enter], Some("choose"), "take the marked answer"),
        line(Action::Choice(I::Next), "next-choice", &[K::Tab, K::Down, K::Right], Some("next"), "the next answer"),
        line(Action::Choice(I::Previous), "previous-choice", &[K::BackTab, K::Up, K::Left], None, "the answer before"),
        line(
            Action::Choice(I::Close),
            "close-choice",
            &[K::Esc],
            Some("leave it"),
            "close the dialog; nothing changes, and nothing more is asked",
        ),
    ]
}

fn preview() -> Vec<Binding> {
    use InPreview as I;
    use Key as K;
    vec![
        line(
            Action::Preview(I::Resend),
            "resend-unknown",
            &[K::Char(' ')],
            Some("unknown ones, too"),
            "send again also what is unknown, or leave it",
        ),
        line(Action::Preview(I::PageDown), "preview-page-down", &[K::PageDown], Some("scroll"), "a page down"),
        line(Action::Preview(I::PageUp), "preview-page-up", &[K::PageUp], None, "a page up"),
        line(Action::Preview(I::Down), "preview-down", &[K::Char('j')], None, "a line down"),
        line(Action::Preview(I::Up), "preview-up", &[K::Char('k')], None, "a line up"),
        line(Action::Preview(I::First), "preview-first", &[K::Home, K::Char('g')], None, "to the top"),
        line(Action::Preview(I::Last), "preview-last", &[K::End, K::Char('G')], None, "to the end"),
    ]
}

fn list() -> Vec<Binding> {
    use InList as I;
    use Key as K;
    vec![
        line(Action::List(I::Choose), "take", &[K::Enter], Some("take it"), "take what is marked; keep the filter"),
        line(Action::List(I::Down), "list-down", &[K::Down, K::Tab], Some("next"), "the next line"),
        line(Action::List(I::Up), "list-up", &[K::Up, K::BackTab], None, "the line before"),
        line(Action::List(I::PageDown), "list-page-down", &[K::PageDown], None, "a page down"),
        line(Action::List(I::PageUp), "list-page-up", &[K::PageUp], None, "a page up"),
        line(Action::List(I::Close), "close-list", &[K::Esc], Some("close"), "close the list; take the filter away"),
    ]
}

fn reader() -> Vec<Binding> {
    use InReader as I;
    use Key as K;
    vec![
        line(Action::Reader(I::Down), "read-down", &[K::Down, K::Char('j')], Some("scroll"), "a line down"),
        line(Action::Reader(I::Up), "read-up", &[K::Up, K::Char('k')], None, "a line up"),
        line(Action::Reader(I::PageDown), "read-page-down", &[K::PageDown, K::Char(' ')], None, "a page down"),
        line(Action::Reader(I::PageUp), "read-page-up", &[K::PageUp], None, "a page up"),
        line(Action::Reader(I::First), "read-first", &[K::Home, K::Char('g')], None, "to the top"),
        line(Action::Reader(I::Last), "read-last", &[K::End, K::Char('G')], None, "to the end"),
        line(Action::Reader(I::Find), "find", &[K::Char('/')], Some("find"), "find text in it"),
        line(Action::Reader(I::NextMatch), "next-match", &[K::Char('n')], Some("next"), "to the next line found"),
        line(Action::Reader(I::PreviousMatch), "previous-match", &[K::Char('N')], None, "to the line found before"),
        line(
            Action::Reader(I::Close),
            "close-reader",
            &[K::Esc, K::Enter, K::Char('q'), K::Char('?')],
            Some("close"),
            "close it",
        ),
    ]
}

fn everywhere() -> Vec<Binding> {
    use Anywhere as I;
    use Key as K;
    vec![
        line(
            Action::Everywhere(I::Interrupt),
            "interrupt",
            &[K::Ctrl('c')],
            None,
            "first closes what is open, then stops a check or an import, then cancels what is in flight, then quits",
        ),
        line(Action::Everywhere(I::Suspend), "suspend", &[K::Ctrl('z')], None, "suspend; fg brings it back"),
    ]
}
