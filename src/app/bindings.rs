//! Every action with its keys, as they are where the config file does not remap them.

use super::key::Key;
use super::keys::{Action, Anywhere, Binding, InChoice, InForm, InList, InPlants, InReader, InRoom};

/// All of them, in the order of the help.
pub(super) fn all() -> Vec<Binding> {
    [rooms(), form(), choice(), list(), reader(), everywhere()].concat()
}

fn line(action: Action, name: &'static str, keys: &[Key], footer: Option<&'static str>, help: &'static str) -> Binding {
    Binding { action, name, keys: keys.to_vec(), footer, help }
}

/// In the order of the footer.
fn rooms() -> Vec<Binding> {
    use InPlants as P;
    use InRoom as I;
    use Key as K;
    vec![
        line(Action::Room(I::Add), "add", &[K::Char('a')], Some("add"), "add a plant"),
        line(
            Action::Plants(P::Delete),
            "delete",
            &[K::Char('d'), K::Delete],
            Some("delete"),
            "delete the selected plant",
        ),
        line(Action::Room(I::Settle), "settle", &[K::Char('u')], Some("settle"), "settle all in doubt, plant by plant"),
        line(
            Action::Room(I::SendAgain),
            "send-again",
            &[K::Char('r')],
            Some("send again"),
            "send again what was not sent",
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
            "find a plant that was deleted, forgotten, refused or not sent, and add it again",
        ),
        line(Action::Plants(P::Open), "open", &[K::Enter], Some("open"), "open the selected plant's story"),
        line(
            Action::Plants(P::CopyCurl),
            "copy-curl",
            &[K::Char('y')],
            Some("copy"),
            "copy the last request to the selected plant as a curl command, with $PLANTS_TOKEN for the token",
        ),
        line(
            Action::Plants(P::CopyAnswer),
            "copy-answer",
            &[K::Char('Y')],
            None,
            "copy the body of the last answer to it",
        ),
        line(Action::Plants(P::Up), "up", &[K::Up, K::Char('k')], None, "select the plant above"),
        line(Action::Plants(P::Down), "down", &[K::Down, K::Char('j')], None, "select the plant below"),
        line(Action::Plants(P::PageUp), "page-up", &[K::PageUp], None, "a page up"),
        line(Action::Plants(P::PageDown), "page-down", &[K::PageDown], None, "a page down"),
        line(Action::Plants(P::First), "first", &[K::Home, K::Char('g')], None, "the first plant"),
        line(Action::Plants(P::Last), "last", &[K::End, K::Char('G')], None, "the last plant"),
        line(
            Action::Room(I::Back),
            "back",
            &[K::Esc],
            Some("cancel"),
            "read a notice away; else cancel what is in flight for the selected plant",
        ),
        line(Action::Room(I::Help), "help", &[K::Char('?'), K::F(1)], Some("help"), "every key"),
        line(Action::Room(I::Quit), "quit", &[K::Char('q')], Some("quit"), "quit; asks where something would be lost"),
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

fn list() -> Vec<Binding> {
    use InList as I;
    use Key as K;
    vec![
        line(Action::List(I::Choose), "take", &[K::Enter], Some("take it"), "take what is marked"),
        line(Action::List(I::Down), "list-down", &[K::Down, K::Tab], Some("next"), "the next line"),
        line(Action::List(I::Up), "list-up", &[K::Up, K::BackTab], None, "the line before"),
        line(Action::List(I::PageDown), "list-page-down", &[K::PageDown], None, "a page down"),
        line(Action::List(I::PageUp), "list-page-up", &[K::PageUp], None, "a page up"),
        line(Action::List(I::Close), "close-list", &[K::Esc], Some("close"), "close the list"),
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
            "first closes what is open, then cancels what is in flight, then quits",
        ),
        line(Action::Everywhere(I::Suspend), "suspend", &[K::Ctrl('z')], None, "suspend; fg brings it back"),
    ]
}
