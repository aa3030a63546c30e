//! What keys, mouse and tour do: from a key press to a command, and to whom the command belongs.

use super::App;
use super::dialog::Dialog;
use super::screens::Screens;
use crate::config::ConnectionTarget;
use crate::domain::{OperationKind, Plant, sentence};

use crate::tui::check::CheckScreen;
use crate::tui::component::{Layer, Offer, Reason, Typed, Word};
use crate::tui::context::Context;
use crate::tui::copy;
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::palette::Offered;
use crate::tui::dialogs::stores::StorePicker;
use crate::tui::draft::Draft;
use crate::tui::effect::Effect;
use crate::tui::input::{Binding, Command, Key, Scope};
use crate::tui::message::{Arrival, Cause, FrameLayout, Target};
use crate::tui::outcome::{Open, Reading, Tab, Then};
use crate::tui::question::{self, Act, Unfinished};
use crate::tui::resolve_queue::ResolveQueue;
use crate::tui::session::Session;
use crate::tui::tour::{Observed, Step, Tour};
use crate::tui::widgets::text_input::TextInput;

/// Keys that an audience is shown at most.
const PRESSED: usize = 4;

/// What the app itself says about a command; `None` for a screen's.
type OwnAction = Option<Result<Offer<fn(&mut App)>, Reason>>;

#[expect(clippy::unnecessary_wraps, reason = "one of the answers that there are")]
fn does(run: fn(&mut App)) -> OwnAction {
    Some(Ok(Offer { run, word: Word::OfTheTable }))
}

#[expect(clippy::unnecessary_wraps, reason = "one of the answers that there are")]
fn called(word: &'static str, run: fn(&mut App)) -> OwnAction {
    Some(Ok(Offer { run, word: Word::Is(word) }))
}

fn unless(reason: Option<Reason>, run: fn(&mut App)) -> OwnAction {
    reason.map_or_else(|| does(run), |reason| Some(Err(reason)))
}

impl App {
    // Input

    pub(super) fn press(&mut self, key: Key) {
        let scope = self.scope();
        let command = self.cx.out.keys.binding(scope, key).map(|binding| binding.command);
        if command != Some(Command::Interrupt) {
            self.interrupted = false;
        }
        // Ignores commands while the terminal is too small to show what they do.
        let is_everywhere = matches!(command, Some(Command::Interrupt | Command::Suspend));
        if self.cx.display.layout.too_small && !is_everywhere {
            return;
        }
        self.cx.out.status.fade(self.cx.out.now);
        if self.tour.is_some() && self.press_on_tour(key, command) {
            return;
        }
        let is_typed = command.is_none() && scope.takes_text();
        self.show_key(key, is_typed);
        match command {
            Some(command) => self.perform(command),
            None if is_typed => self.type_text(Typed::Key(key)),
            None => {}
        }
    }

    /// Keeps a key to be shown to an audience. What is typed into a field stands there already.
    fn show_key(&mut self, key: Key, is_typed: bool) {
        let hides = self.dialogs.front().is_some_and(Dialog::hides_keys);
        if !self.cx.display.presenting || is_typed || hides {
            return;
        }
        if self.pressed.len() == PRESSED {
            self.pressed.pop_front();
        }
        self.pressed.push_back(key);
    }

    fn type_text(&mut self, typed: Typed<'_>) {
        let Self { cx, dialogs, screens, .. } = self;
        match dialogs.front_mut() {
            Some(dialog) => dialog.layer_mut().type_text(typed, cx),
            None => screens.get_mut(cx.display.tab).type_text(typed, cx),
        }
    }

    /// Puts a paste into a field or nowhere: it never presses keys.
    pub(super) fn paste(&mut self, text: &str) {
        self.interrupted = false;
        if self.cx.display.layout.too_small || self.tour.is_some() {
            return;
        }
        if self.scope().takes_text() {
            // The end of the line that was copied is not part of what is on it.
            self.type_text(Typed::Paste(text.trim_end_matches(['\r', '\n'])));
        } else {
            self.cx.out.say("Pasted text goes into a form; open one first.");
        }
    }

    /// Does what the mouse does, unless nothing can be seen, or the tour goes on with Space alone.
    pub(super) fn touch(&mut self, act: impl FnOnce(&mut Self)) {
        self.interrupted = false;
        if !self.cx.display.layout.too_small && self.tour.is_none() {
            self.cx.out.status.fade(self.cx.out.now);
            act(self);
        }
    }

    pub(super) fn click(&mut self, target: Target) {
        match (target, self.dialogs.front_mut()) {
            (Target::Command(command), _) => self.perform(command),
            (target, Some(dialog)) => dialog.layer_mut().click(target, &mut self.cx),
            (Target::Pane, None) => self.perform(Command::Open),
            (target, None) => self.screens.get_mut(self.cx.display.tab).click(target, &mut self.cx),
        }
    }

    pub(super) fn wheel(&mut self, over: Target, down: bool) {
        match self.dialogs.front_mut() {
            Some(dialog) => dialog.layer_mut().wheel(over, down, &mut self.cx),
            None => self.screens.get_mut(self.cx.display.tab).wheel(over, down, &mut self.cx),
        }
    }

    pub(super) fn drawn(&mut self, layout: FrameLayout) {
        self.cx.display.layout = layout;
        self.screens.get_mut(self.cx.display.tab).drawn(&layout);
        if let Some(dialog) = self.dialogs.front_mut().filter(|_| !layout.too_small) {
            dialog.layer_mut().drawn(&layout);
        }
    }

    // Commands

    /// Where a key is pressed now.
    pub fn scope(&self) -> Scope {
        match self.dialogs.front() {
            Some(dialog) => dialog.layer().scope(),
            None => self.screens.get(self.cx.display.tab).scope(),
        }
    }

    /// Does a command, wherever it came from: a key, the palette, the mouse, the tour.
    pub(super) fn perform(&mut self, command: Command) {
        match command {
            Command::Interrupt => return self.interrupt(),
            Command::Suspend => return self.cx.out.effect(Effect::Suspend),
            _ => {}
        }
        if let Some(dialog) = self.dialogs.front_mut() {
            if dialog.layer_mut().perform(command, &mut self.cx).is_none() && copy::is_copy(command) {
                self.perform_own_or_say(command);
            }
            return;
        }
        let screen = self.screens.get_mut(self.cx.display.tab);
        // The mouse takes other commands, too, while a filter is typed.
        if screen.is_typing() && self.cx.out.keys.of(Scope::Picker).any(|binding| binding.command == command) {
            screen.perform(command, &mut self.cx);
            return;
        }
        self.perform_in_tab(command);
    }

    /// Does a command of the active tab, though a dialog may be open over it.
    pub(super) fn perform_in_tab(&mut self, command: Command) {
        // A person who asks for something else is done with the queue, and waits for nothing to open.
        self.resolve = None;
        self.screens.get_mut(self.cx.display.tab).stop_waiting();
        self.perform_own_or_say(command);
    }

    /// Does a command of the app or of the active screen, or says why it does nothing now.
    fn perform_own_or_say(&mut self, command: Command) {
        let done = match self.action(command) {
            Some(Ok(offer)) => {
                (offer.run)(self);
                Ok(())
            }
            Some(Err(reason)) => Err(reason),
            None => {
                let tab = self.cx.display.tab;
                self.screens.get_mut(tab).perform(command, &mut self.cx).unwrap_or(Ok(()))
            }
        };
        match done {
            Ok(()) => {}
            Err(_) if command == Command::Back => self.cx.out.status.message = None,
            Err(reason) => {
                let key = self.key_here(command);
                self.cx.out.say(format!("{key} does nothing now: {reason}."));
            }
        }
    }

    /// The key of a command where it is pressed now.
    fn key_here(&self, command: Command) -> String {
        let binding = self.cx.out.keys.here(self.scope()).find(|binding| binding.command == command);
        let key = binding.and_then(|binding| binding.keys.first()).map(Key::to_string);
        key.unwrap_or_else(|| self.cx.key(command))
    }

    /// What a command of the app itself does, or why it does nothing now; `None` for a screen's.
    fn action(&self, command: Command) -> OwnAction {
        let session = &self.cx.session;
        match command {
            Command::Plants => does(|app| app.go_to(Tab::Plants)),
            Command::History => does(|app| app.go_to(Tab::History)),
            Command::Check => does(|app| app.go_to(Tab::Check)),
            Command::Greenhouse => does(|app| app.go_to(Tab::Greenhouse)),
            Command::NextTab => does(|app| app.go_to(app.cx.display.tab.cycled(1))),
            Command::PreviousTab => does(|app| app.go_to(app.cx.display.tab.cycled(Tab::ALL.len() - 1))),
            Command::Add => unless(session.cannot_send(), Self::open_add_form),
            Command::DeleteById => unless(session.cannot_send(), |app| app.cx.out.open(Open::DeleteById)),
            Command::ReAdd => unless(session.cannot_send(), |app| app.cx.out.open(Open::ReAdd)),
            Command::Resolve => {
                let nothing = (session.plants.window.tally.unknown == 0).then_some("nothing is unknown");
                unless(nothing, Self::resolve)
            }
            Command::SendAgain => {
                let nothing = || session.unsent.is_empty().then_some("nothing waits to be sent again");
                unless(session.cannot_send().or_else(nothing), Self::send_again)
            }
            Command::Import if session.is_importing() => does(|app| app.cx.out.open(Open::Pager(Reading::Import))),
            Command::Import => unless(session.cannot_import(), |app| app.cx.out.open(Open::Import)),
            Command::Export => does(|app| app.cx.out.open(Open::Export)),
            Command::Connection => unless(session.stays_here(), |app| app.cx.out.open(Open::Stores)),
            Command::ReplaceToken => unless(session.cannot_send(), Self::ask_for_token),
            Command::SaveProfile => {
                let demo = "the demo store ends with this program: there is nothing to save";
                unless(session.info.demo.then_some(demo), |app| app.cx.out.open(Open::Profile))
            }
            Command::Palette => does(|app| app.cx.out.open(Open::Palette)),
            Command::Help => does(|app| app.cx.out.open(Open::Pager(Reading::Help))),
            Command::Tour => unless(self.no_tour(), Self::start_or_reach_tour),
            Command::Present => does(Self::toggle_presenting),
            Command::Mouse => does(Self::toggle_mouse),
            Command::Back => self.action_back(),
            Command::Quit => does(Self::quit),
            Command::CopyCurl | Command::CopyResponse | Command::CopyId => self.action_copy(command),
            _ => None,
        }
    }

    /// Esc in a tab: reads a notice away, else what the screen cancels or takes away, else stops an import.
    fn action_back(&self) -> OwnAction {
        let session = &self.cx.session;
        let tab = self.cx.display.tab;
        if !self.cx.out.status.notices.is_empty() {
            return called("read", |app| drop(app.cx.out.status.notices.pop_front()));
        }
        if let Some(Ok(word)) = self.screens.get(tab).word(Command::Back, &self.cx) {
            let run: fn(&mut Self) = |app| {
                let tab = app.cx.display.tab;
                app.screens.get_mut(tab).perform(Command::Back, &mut app.cx);
            };
            return Some(Ok(Offer { run, word }));
        }
        if session.import_can_be_stopped() {
            let stops = session.importing().is_some_and(|import| import.ending.is_none());
            let word = if stops { "stop the import" } else { "cancel what is out" };
            return called(word, |app| app.cx.session.stop_import(&mut app.cx.out));
        }
        if !session.pending.is_empty() && matches!(tab, Tab::Plants | Tab::Greenhouse) {
            return called("cancel", |app| {
                let (back, all) = (app.cx.key(Command::Back), app.cx.key(Command::Interrupt));
                let count = app.cx.session.pending.len();
                app.cx
                    .out
                    .say(format!("{count} in flight: select one and press {back} to cancel it, or {all} for all."));
            });
        }
        Some(Err("nothing is in flight"))
    }

    fn action_copy(&self, command: Command) -> OwnAction {
        let layer: &dyn Layer = match self.dialogs.front() {
            Some(dialog) => dialog.layer(),
            None => self.screens.get(self.cx.display.tab),
        };
        let at_hand = layer.exchange(&self.cx);
        let reason = copy::unavailable(command, at_hand, layer.plant(&self.cx), &self.cx.session.info.store);
        unless(
            reason,
            match command {
                Command::CopyCurl => |app| app.copy(Command::CopyCurl),
                Command::CopyResponse => |app| app.copy(Command::CopyResponse),
                _ => |app| app.copy(Command::CopyId),
            },
        )
    }

    fn copy(&mut self, command: Command) {
        let layer: &dyn Layer = match self.dialogs.front() {
            Some(dialog) => dialog.layer(),
            None => self.screens.get(self.cx.display.tab),
        };
        let (at_hand, plant) = (layer.exchange(&self.cx), layer.plant(&self.cx));
        if let Some((text, words)) = copy::copied(command, at_hand, plant, &self.cx.session.info.store) {
            self.cx.out.say(words);
            self.cx.out.effect(Effect::Copy(text));
        }
    }

    /// Ctrl-C: first closes what is open, then stops a check or an import, then cancels what is in flight,
    /// then quits.
    fn interrupt(&mut self) {
        self.resolve = None;
        let too_small = self.cx.display.layout.too_small;
        match self.dialogs.front_mut().filter(|_| !too_small) {
            // Also while what to find in it is typed.
            Some(Dialog::Reader(_)) => return self.cx.out.close(),
            Some(dialog) => {
                dialog.layer_mut().perform(Command::Close, &mut self.cx);
                return;
            }
            None => {}
        }
        let screen = self.screens.get_mut(self.cx.display.tab);
        if screen.is_typing() {
            screen.set_typing(false);
            if !too_small {
                return;
            }
        }
        if self.cx.session.check.is_sending() {
            return self.screens.check.stop(&mut self.cx);
        }
        let Context { session, out, .. } = &mut self.cx;
        if session.importing().is_some_and(|import| import.ending.is_none()) {
            return session.stop_import(out);
        }
        let is_under_way = !session.pending.is_empty() || session.busy().is_some();
        let unseen = too_small && self.forms_to_lose() > 0;
        if self.interrupted || (!is_under_way && !unseen) {
            return self.cx.out.effect(Effect::Quit);
        }
        self.interrupted = true;
        self.screens.check.abandon("it was stopped twice", &mut self.cx);
        self.cx.session.cancel_import(&mut self.cx.out);
        self.cx.session.cancel_all(&mut self.cx.out);
    }

    fn open_add_form(&mut self) {
        let next = self.cx.session.next_id();
        let draft = self.cx.session.drafts.pop().map(Draft::reopened);
        let draft = draft.unwrap_or_else(|| Draft::suggesting(next));
        self.cx.out.open(Open::Add(Box::new(draft)));
    }

    /// An add form comes back by itself. At the Greenhouse, where people look on, it waits until it is asked for.
    pub(super) fn come_back(&mut self, draft: Draft) {
        if self.cx.display.tab == Tab::Greenhouse && self.tour.is_none() && self.dialogs.is_empty() {
            self.cx.session.drafts.push(draft);
            let key = self.cx.key(Command::Add);
            self.cx.out.say_also(&format!("{key} opens the form again."));
        } else {
            self.dialogs.push_back(Dialog::Add(AddForm::coming_back(draft)));
        }
    }

    /// Resolves the marked plants that are unknown, with one question; without marks, plant by plant.
    fn resolve(&mut self) {
        let shows_marks = matches!(self.cx.display.tab, Tab::Plants | Tab::Greenhouse);
        let Context { session, out, .. } = &mut self.cx;
        if shows_marks && !session.plants.marked.is_empty() {
            session.ask_to_resolve_marked(out);
        } else {
            self.resolve = Some(ResolveQueue::begin(session, out));
        }
    }

    /// Sends again what was not sent; several only after a look at what they are.
    fn send_again(&mut self) {
        let Context { session, out, .. } = &mut self.cx;
        if session.unsent.len() > 1 {
            out.ask(question::send_again(&session.unsent));
        } else {
            session.send_all(session.unsent.clone(), out);
        }
    }

    pub(super) fn ask_for_token(&mut self) {
        let why = format!("{} asks for a bearer token with every request.", self.cx.session.info.store);
        self.cx.out.open(Open::Token { why: vec![why], then: Then::Nothing });
    }

    fn toggle_presenting(&mut self) {
        self.cx.display.presenting = !self.cx.display.presenting;
        self.pressed.clear();
        let key = self.cx.key(Command::Present);
        self.cx.out.say(if self.cx.display.presenting {
            format!("For an audience: the keys you press are shown. {key} ends it.")
        } else {
            "As before.".to_owned()
        });
    }

    fn toggle_mouse(&mut self) {
        let mouse = !self.cx.display.mouse;
        self.cx.display.mouse = mouse;
        let key = self.cx.key(Command::Mouse);
        self.cx.out.say(if mouse {
            format!("The mouse selects and scrolls here; {key} hands it back to the terminal.")
        } else {
            format!("The mouse is the terminal's: select text with it. {key} takes it again.")
        });
        self.cx.out.effect(Effect::UseMouse(mouse));
    }

    /// What quitting now would leave unfinished.
    fn unfinished(&self) -> Unfinished {
        let session = &self.cx.session;
        Unfinished {
            in_flight: session.pending.iter().filter(|pending| pending.operation.probe.is_none()).count(),
            unsent: session.unsent.len(),
            forms: self.forms_to_lose(),
            unresolved: session.unresolved.len(),
            checks: usize::from(session.check.is_under_way()),
            imports: usize::from(session.is_importing()),
        }
    }

    /// Forms with something in them that quitting would lose.
    fn forms_to_lose(&self) -> usize {
        let open = self.dialogs.iter().filter(|dialog| matches!(dialog, Dialog::Add(_)));
        self.cx.session.drafts.len() + open.count()
    }

    fn quit(&mut self) {
        let left = self.unfinished();
        if left == Unfinished::default() {
            self.cx.out.effect(Effect::Quit);
        } else {
            self.cx.out.ask(question::quit(left, self.cx.session.info.demo));
        }
    }

    /// Does what a response of a question says.
    pub(super) fn act(&mut self, act: Act) {
        let is_overtaken = matches!(act, Act::Quit(left) if self.unfinished().is_more_than(left));
        let Context { session, out, .. } = &mut self.cx;
        match act {
            Act::Leave => {
                if self.resolve.is_some() {
                    out.status.message = None;
                }
            }
            Act::Send(kind) => {
                let plant = sentence::called(kind.plant_id(), session.name_of(kind.plant_id()).as_deref());
                out.say(match kind {
                    OperationKind::Add(_) => format!("Adding {plant} again …"),
                    OperationKind::Delete(_) => format!("Deleting {plant} …"),
                });
                // The selection stays where it is for a plant that the list does not have.
                if session.plants.row(kind.plant_id()).is_some() {
                    session.plants.select(kind.plant_id());
                }
                session.submit(kind, out);
            }
            Act::Drop(asks) => session.unsent.retain(|kind| !asks.contains(kind)),
            Act::SendAll(asks) => session.send_all(asks, out),
            Act::Resolve(id, unknown, resolution) => out.effect(Effect::Resolve(id, unknown, resolution)),
            Act::DeleteAll(plants) => {
                session.send_together(plants.into_iter().map(OperationKind::Delete).collect(), out);
            }
            Act::ResendAll(asks) => session.send_together(asks, out),
            Act::ResolveAll(seen, resolution) => out.effect(Effect::ResolveAll(seen, resolution)),
            Act::Check(wanted) => CheckScreen::begin(wanted, &mut self.cx),
            Act::Weather(preset) => {
                session.weather = preset;
                out.say(format!("The weather at the demo store is {}. {}", preset.words(), preset.help()));
                out.effect(Effect::Weather(preset));
            }
            Act::Connect(target) => self.connect(target),
            // Something may have come back since it was asked.
            Act::Quit(_) if is_overtaken => self.quit(),
            Act::Quit(_) => out.effect(Effect::Quit),
        }
    }

    /// There is a token now: what waited for it begins.
    pub(super) fn begin_with_token(&mut self, then: Then) {
        match (then, self.dialogs.front_mut()) {
            (Then::Check, _) => CheckScreen::begin_with_token(&mut self.cx),
            (Then::Import, Some(Dialog::Import(import))) => import.begin_with_token(&mut self.cx),
            (Then::Nothing | Then::Import, _) => {}
        }
    }

    /// The tab of a scope whose commands are one screen's.
    pub(super) fn tab_of(&self, scope: Scope) -> Option<Tab> {
        match scope {
            Scope::Plants => Some(Tab::Plants),
            Scope::Plant if self.cx.display.tab != Tab::Greenhouse => Some(Tab::Plants),
            Scope::Plant | Scope::Greenhouse => Some(Tab::Greenhouse),
            Scope::History => Some(Tab::History),
            Scope::Check => Some(Tab::Check),
            _ => None,
        }
    }

    /// What the palette offers: the commands of this tab first.
    pub(in crate::tui) fn offers(&self) -> Vec<Offered> {
        let here = self.screens.get(self.cx.display.tab).scope();
        let mut scopes = [
            Scope::Tabs,
            Scope::Operations,
            Scope::Plant,
            Scope::Plants,
            Scope::History,
            Scope::Check,
            Scope::Greenhouse,
            Scope::Exchange,
            Scope::Everywhere,
        ];
        scopes.sort_by_key(|scope| *scope != here);
        let bindings = scopes.into_iter().flat_map(|scope| self.cx.out.keys.of(scope));
        let offered = |binding: &Binding| Offered {
            binding: binding.clone(),
            unavailable: self.word(binding, self.tab_of(binding.scope)).and_then(Result::err),
        };
        bindings.filter(|binding| binding.command != Command::Palette).map(offered).collect()
    }

    /// What the footer calls a command of a tab, or why it does nothing now; without a tab, of the active one.
    fn word(&self, binding: &Binding, tab: Option<Tab>) -> Option<Result<Word, Reason>> {
        let command = binding.command;
        let own = self.action(command).map(|response| response.map(|offer| offer.word));
        own.or_else(|| self.screens.get(tab.unwrap_or(self.cx.display.tab)).word(command, &self.cx))
    }

    /// The keys that do something now, with their words.
    pub(super) fn footer(&self) -> Vec<(&Binding, &'static str)> {
        let word = |binding: &Binding| match self.dialogs.front() {
            Some(dialog) => match dialog.layer().word(binding.command, &self.cx) {
                None if copy::is_copy(binding.command) => self.word(binding, None),
                own => own,
            },
            None => self.word(binding, None),
        };
        let shown = |binding: &Binding| match word(binding)?.ok()? {
            Word::OfTheTable => binding.footer,
            Word::Is(word) => Some(word),
        };
        let here = self.cx.out.keys.here(self.scope());
        here.filter_map(|binding| Some((binding, shown(binding)?))).collect()
    }

    // Connections

    /// Begins to open another store; the one that is open stays so until that is done.
    fn connect(&mut self, target: ConnectionTarget) {
        match self.dialogs.front_mut() {
            Some(Dialog::Stores(picker)) => picker.fault = None,
            Some(Dialog::BaseUrl(form)) => form.set_fault(None),
            _ => return,
        }
        self.cx.session.stores.connecting = Some(target.clone());
        self.cx.out.effect(Effect::Connect(target));
    }

    /// Another store is open, or why not. Without [`Effect::Switch`] it is not wanted any more.
    pub(super) fn connected(&mut self, result: Result<Box<Arrival>, Cause>) {
        let Some(target) = self.cx.session.stores.connecting.take() else { return };
        let why = match (result, self.cx.session.stays_here()) {
            (Ok(arrival), None) => return self.switch(*arrival, target),
            (Ok(_), Some(why)) => why.to_owned(),
            (Err(why), _) => format!("{} was not opened: {why}", self.cx.session.stores.in_words(&target)),
        };
        match self.dialogs.front_mut() {
            Some(Dialog::Stores(picker)) => picker.fault = Some(why),
            Some(Dialog::BaseUrl(form)) => form.set_fault(Some(why)),
            _ => self.cx.out.say(why),
        }
    }

    /// Starts anew for another store. What is the person's own stays: where they are, what they typed, what
    /// they have still to read.
    fn switch(&mut self, arrival: Arrival, target: ConnectionTarget) {
        let goes_on_tour = self.dialogs.iter().any(|dialog| matches!(dialog, Dialog::Stores(picker) if picker.tour));
        let Arrival { info, token_set, notices, samples } = arrival;
        let before = std::mem::replace(&mut self.cx.session, Session::new(info, token_set));
        let session = &mut self.cx.session;
        session.stores = before.stores;
        (session.stores.here, session.stores.connecting) = (target, None);
        session.drafts = before.drafts;
        // The dialog in front is the one that leads here.
        for dialog in self.dialogs.drain(..).skip(1) {
            if let Dialog::Add(form) = dialog {
                session.drafts.extend(form.kept());
            }
        }
        for draft in &mut session.drafts {
            draft.move_to_another_store();
        }
        *self.screens = Screens::default();
        (self.resolve, self.tour, self.interrupted) = (None, None, false);
        let too_small = self.cx.display.layout.too_small;
        // The next frame says anew how much fits.
        self.cx.display.layout = FrameLayout { too_small, ..FrameLayout::default() };
        self.cx.out.status.notices.extend(notices);
        let store = self.cx.session.store_in_words();
        self.cx.out.say(format!("Now at {store}. Nothing was tested: the next operation shows whether it works."));
        self.cx.out.effect(Effect::Switch);
        let effects = self.begin(samples);
        self.cx.out.effects.extend(effects);
        if goes_on_tour {
            self.start_tour();
        }
    }

    // Tour

    /// Why there is no tour now.
    fn no_tour(&self) -> Option<Reason> {
        let session = &self.cx.session;
        if session.info.read_only {
            return Some("read-only: the tour adds plants to the demo store and deletes one");
        }
        // What is out could bring something that the tour would take for its own; but for the samples.
        let are_samples = session.info.demo && !session.samples.is_empty();
        let is_out = || if are_samples { None } else { session.in_flight() };
        session.cannot_send().or_else(|| session.busy()).or_else(is_out)
    }

    /// Begins the tour; from another store it goes to the demo store first.
    pub fn begin_tour(&mut self) -> Vec<Effect> {
        match self.no_tour() {
            Some(why) => self.cx.out.say(format!("There is no tour now: {why}.")),
            None => self.start_or_reach_tour(),
        }
        self.finish()
    }

    fn start_or_reach_tour(&mut self) {
        if self.cx.session.info.demo {
            return self.start_tour();
        }
        let picker = StorePicker::leave_for_tour(&mut self.cx);
        self.dialogs.push_back(Dialog::Stores(picker));
    }

    /// Begins the tour at the demo store, which is open.
    pub(super) fn start_tour(&mut self) {
        let Context { session, out, .. } = &mut self.cx;
        // A delete is about the selected plant alone.
        session.plants.marked.clear();
        if !session.plants.filter.text().is_empty() {
            session.plants.filter = TextInput::default();
            out.effects(session.plants.arrange_anew().map(Effect::Load));
        }
        self.cx.display.on_tour = true;
        let (tour, steps) = Tour::begin();
        self.tour = Some(tour);
        self.take_steps(steps);
    }

    /// What a key does on the tour; `false` if it does there what it does anywhere.
    fn press_on_tour(&mut self, key: Key, command: Option<Command>) -> bool {
        if matches!(command, Some(Command::Suspend | Command::Present)) {
            return false;
        }
        let Some(tour) = &mut self.tour else { return false };
        if key == Key::Esc || command == Some(Command::Interrupt) {
            self.take_step(&Step::CloseForm);
            self.tour = None;
            let way_back = self.way_back();
            self.cx.out.say(format!("You have left the tour. All of it stays as it stands.{way_back}"));
        } else if key == Key::Char(' ') {
            match tour.go_on() {
                Some(steps) => self.take_steps(steps),
                None => {
                    self.tour = None;
                    let way_back = self.way_back();
                    self.cx.out.say(format!("The tour is over.{way_back}"));
                }
            }
        } else {
            tour.other_key = true;
        }
        true
    }

    /// How to go on to a store of one's own, if there is one.
    fn way_back(&self) -> String {
        let key = self.cx.key(Command::Connection);
        let has_another = self.cx.session.stores.known.iter().any(|store| store.target != ConnectionTarget::Demo);
        if has_another { format!(" This is the demo store: {key} goes to yours.") } else { String::new() }
    }

    /// What the tour needs to know of everything.
    pub(super) fn observed(&self) -> Observed<'_> {
        let session = &self.cx.session;
        let front = self.dialogs.front();
        let form = if let Some(Dialog::Add(form)) = front { Some(form) } else { None };
        Observed {
            session,
            keys: &self.cx.out.keys,
            last: self.screens.greenhouse.last_of_all(),
            form: form.and_then(|form| form.draft().plant()),
            is_warned: form.is_some_and(AddForm::is_warned),
            question: if let Some(Dialog::Confirm(confirm)) = front { Some(&confirm.question) } else { None },
            is_resolving: self.resolve.is_some(),
            has_notices: !self.cx.out.status.notices.is_empty(),
            report: self.screens.check.report(),
            added: self.tour.as_ref().and_then(Tour::added).map(|plant| plant.id),
        }
    }

    fn take_steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.take_step(step);
        }
    }

    /// Does something of the tour as a person would, through the same commands.
    fn take_step(&mut self, step: &Step) {
        let plant = self.tour.as_ref().and_then(Tour::added).map(|plant| plant.id);
        let fills_a_form = self.tour.as_ref().is_some_and(|tour| tour.fills_a_form(&self.observed()));
        match step {
            Step::Weather(preset) => self.act(Act::Weather(*preset)),
            Step::Do(command) => self.perform(*command),
            Step::Fill { name, tag } => self.fill_form([name, "", tag]),
            Step::FillAgain => {
                if let Some(Plant { name, id, tag }) = self.tour.as_ref().and_then(|tour| tour.added().cloned()) {
                    self.fill_form([&name, &id.to_string(), &tag]);
                }
            }
            // The tour sends and closes what it has filled in itself, and nothing else.
            Step::Submit if fills_a_form => self.perform(Command::Submit),
            Step::CloseForm if fills_a_form => {
                let drafts = self.cx.session.drafts.len();
                self.perform(Command::Close);
                self.apply_outcomes();
                self.cx.session.drafts.truncate(drafts);
            }
            Step::Submit | Step::CloseForm => {}
            Step::Select => {
                if let Some(plant) = plant {
                    self.cx.session.plants.select(plant);
                }
            }
            Step::Choose(is_it) => {
                let Some((plant, Dialog::Confirm(confirm))) = plant.zip(self.dialogs.front_mut()) else { return };
                if confirm.question.about == Some(plant) && confirm.mark(|act| is_it(act, plant)) {
                    self.perform(Command::Choose);
                    self.apply_outcomes();
                    self.resolve = None;
                }
            }
        }
        self.apply_outcomes();
    }

    /// Opens the form and types name, id and tag; an empty id leaves the one that is suggested. Where something
    /// else is open, nothing is typed.
    fn fill_form(&mut self, texts: [&str; 3]) {
        let typed = self.dialogs.is_empty().then(|| {
            // What a person had begun to type waits where it is.
            let drafts = std::mem::take(&mut self.cx.session.drafts);
            self.perform(Command::Add);
            self.apply_outcomes();
            self.cx.session.drafts = drafts;
            // Where nothing can be sent, none opens.
            if !matches!(self.dialogs.front(), Some(Dialog::Add(_))) {
                return None;
            }
            for text in texts {
                for letter in text.chars() {
                    self.type_text(Typed::Key(Key::Char(letter)));
                }
                self.perform(Command::Next);
            }
            if let Some(Dialog::Add(form)) = self.dialogs.front() { form.draft().plant() } else { None }
        });
        if let Some(tour) = &mut self.tour {
            tour.has_filled(typed.flatten());
        }
    }
}
