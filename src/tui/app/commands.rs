//! What the app's own commands do, and what the palette and the footer offer. Must not know keys.

use super::App;
use super::dialog::Dialog;
use crate::domain::language::Id;
use crate::domain::{Language, Message, OperationKind};
use crate::terminal::Key;
use crate::tui::app::resend;
use crate::tui::app::resolve_queue::ResolveQueue;
use crate::tui::check::CheckScreen;
use crate::tui::component::{Action, Label, Layer, NOT_LISTED, Offer, Reason, called, cancels, cannot, does, unless};
use crate::tui::context::{Context, KeysFor, MouseUser};
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::palette::Offered;
use crate::tui::effect::Effect;
use crate::tui::input::{Binding, Command, Scope};
use crate::tui::session::draft::Draft;
use crate::tui::session::question::{self, Act, Question, Several};
use crate::tui::session::{AboutSeveral, ImportRun};
use crate::tui::ui_effect::{AfterToken, Open, Reading, Tab, UiEffect};

/// What a command of the app, which owns the context, does; `None` for a command of a screen.
pub(super) type OwnAction = Action<App, ()>;

/// Opens a dialog, unless there is a reason against it.
fn opens(reason: Option<Reason>, open: Open) -> OwnAction {
    unless(reason, |app: &mut App, ()| app.cx.out.open(open))
}

impl App {
    /// Returns where keys are looked up now.
    pub fn scope(&self) -> Scope {
        self.dialogs.front().map_or_else(|| self.cx.scope_of_tab(), |dialog| dialog.layer().scope())
    }

    /// Carries out a command of a key, the palette, the mouse or the tour.
    pub(super) fn perform(&mut self, command: Command) {
        match command {
            Command::Interrupt => return self.interrupt(),
            Command::Redraw => return self.cx.out.effect(Effect::Redraw),
            Command::Suspend => return self.cx.out.effect(Effect::Suspend),
            Command::Present => return self.toggle_presenting(),
            Command::Help if !self.dialogs.is_empty() => return self.toggle_help(),
            _ => {}
        }
        let is_before_tab = self.is_text_in_front();
        if let Some(dialog) = self.dialogs.front_mut() {
            self.cx.out.status.leave();
            match dialog.layer_mut().perform(command, &mut self.cx) {
                None if is_before_tab => self.perform_behind_text(command),
                None if command.needs_request() => self.perform_or_say_why(command),
                Some(Err(reason)) => self.say_why_not(command, reason),
                Some(Ok(())) | None => {}
            }
            return;
        }
        // A click can be another command while a filter is typed.
        if self.cx.screen.is_typing() && self.cx.out.keys.of(Scope::Picker).any(|binding| binding.command == command) {
            if !self.waits(command) {
                self.screens.get_mut(self.cx.display.tab).perform(command, &mut self.cx);
            }
            return;
        }
        self.perform_in_tab(command);
    }

    /// Carries out a command of the tab behind a text, which then closes; stays where the command only copies, or is
    /// unavailable.
    fn perform_behind_text(&mut self, command: Command) {
        let copies = command.needs_request() && self.scope() == Scope::Inspector;
        if copies || command == Command::Mouse || !matches!(self.label(command, None), Some(Ok(_))) {
            return self.perform_or_say_why(command);
        }
        self.dialogs.close();
        self.perform_in_tab(command);
    }

    /// Whether a text is in front of the active tab, and nothing is typed into it.
    pub(super) fn is_text_in_front(&self) -> bool {
        self.dialogs.iter().count() == 1 && matches!(self.scope(), Scope::Pager | Scope::Inspector)
    }

    /// Ends the wait for the number of a column to sort by.
    pub(super) fn stop_sorting(&mut self) {
        self.cx.screen.stop_waiting();
        self.cx.out.status.leave();
    }

    /// Opens the help over the dialog or the tab in front, with its keys first; closes it if it is in front.
    fn toggle_help(&mut self) {
        let help = Open::Pager(Reading::Help(self.scope()));
        match self.dialogs.front() {
            Some(Dialog::Reader(reader)) if matches!(reader.reading, Reading::Help(_)) => self.cx.out.close(),
            Some(_) | None => self.cx.out.ui_effect(UiEffect::OpenOver(help)),
        }
    }

    /// Carries out a command of the active tab, even under an open dialog, now or once it is known what it is about.
    pub(super) fn perform_in_tab(&mut self, command: Command) {
        if self.waits(command) {
            return;
        }
        // Another command ends the resolve queue, and cancels dialogs that would open later.
        (self.resolve_queue, self.given, self.cx.session.marks.sought) = (None, None, None);
        if !command.keeps_range() {
            self.cx.session.plants.range = None;
        }
        self.cx.screen.stop_waiting();
        self.perform_or_say_why(command);
    }

    /// Carries out a command of the app or of the active screen, or says why it is unavailable.
    fn perform_or_say_why(&mut self, command: Command) {
        self.cx.out.status.leave();
        self.cx.out.status.take_up(&self.cx.key(command));
        let done = match self.action(command) {
            Some(offer) => offer.map(|offer| (offer.run)(self, &mut ())),
            None => self.screens.get_mut(self.cx.display.tab).perform(command, &mut self.cx).unwrap_or(Ok(())),
        };
        match done {
            Ok(()) => {}
            Err(_) if command == Command::Back => self.cx.out.status.message = None,
            Err(reason) => self.say_why_not(command, reason),
        }
    }

    fn say_why_not(&mut self, command: Command, reason: Reason) {
        let binding = self.cx.out.keys.here(self.scope()).find(|binding| binding.command == command);
        let keys = binding.map(|binding| binding.keys.as_slice()).unwrap_or_default();
        let pressed = self.recent.key.as_ref().filter(|key| keys.contains(key));
        let key = pressed.or(keys.first()).map_or_else(|| self.cx.key(command), Key::to_string);
        let explained = self.front().explain(&self.cx).filter(|_| reason == NOT_LISTED);
        let (text, simple) = explained.unwrap_or_else(|| {
            let why = self.cx.display.language().by_english(Id::WhyNot, reason);
            let simple = if why == reason { Message::from(Id::KeyDoesNothing) } else { Id::KeyCannot.with("why", why) };
            (format!("{key} does nothing now: {reason}."), vec![simple.with("key", key)])
        });
        self.cx.out.say_here(text);
        // In English, an audience reads why.
        if self.cx.display.language() != Language::En {
            for simple in simple {
                self.cx.out.simply(simple);
            }
        }
        let is_incomplete = |import: &ImportRun| import.over.is_some() && import.progress.has_missing();
        if command == Command::SendAgain && self.cx.session.import.as_deref().is_some_and(is_incomplete) {
            let import = self.cx.key(Command::Import);
            self.cx.out.say_also(&format!("{import} imports the file again, and sends its missing rows."));
        } else if command == Command::SendAgain
            && self.cx.display.tab == Tab::History
            && let Some(Ok(_)) = self.label(Command::EditAndResend, None)
        {
            let edit = self.cx.key(Command::EditAndResend);
            self.cx.out.say_also(&format!("{edit} edits the selected request and sends it again."));
        }
    }

    /// The table of the app's own commands: what each does, or why it is unavailable; `None` for a screen's.
    pub(super) fn action(&self, command: Command) -> OwnAction {
        let session = &self.cx.session;
        match command {
            Command::GoTo(tab) => does(move |app: &mut Self, ()| app.go_to(tab)),
            Command::NextTab => does(|app: &mut Self, ()| app.go_to(app.cx.display.tab.cycled(1))),
            Command::PreviousTab => does(|app: &mut Self, ()| app.go_to(app.cx.display.tab.cycled(Tab::ALL.len() - 1))),
            Command::Add => unless(session.cannot_send(), |app: &mut Self, ()| app.open_add_form()),
            Command::DeleteById => opens(session.cannot_send(), Open::DeleteById(None)),
            Command::ReAdd => opens(session.cannot_send(), Open::ReAdd),
            Command::Undo if session.cannot_send().is_none() && self.undoes_deletes() => {
                called("undo", |app: &mut Self, ()| app.undo())
            }
            Command::Undo => unless(session.cannot_send(), |app: &mut Self, ()| app.undo()),
            Command::Resolve => {
                // Marked plants may be in flight of another member of the team.
                let tally = &session.plants.window.tally;
                let may_be_marked = tally.adding + tally.deleting > 0 && !session.plants.marked.is_empty();
                let is_nothing = tally.unknown == 0 && !may_be_marked;
                let nothing = is_nothing.then_some("nothing is unknown");
                unless(nothing, |app: &mut Self, ()| app.resolve())
            }
            Command::SendAgain => {
                let nothing = || session.unsent.is_empty().then_some("nothing waits to be sent again");
                unless(session.cannot_send().or_else(nothing), |app: &mut Self, ()| app.send_again())
            }
            Command::Import => opens(session.busy(), Open::Import(None)),
            Command::Export => opens(None, Open::Export(None)),
            Command::Connection => opens(session.stays_here(), Open::Stores(None)),
            Command::Profile => opens(session.stays_here(), Open::Palette("profile ".to_owned())),
            Command::ReplaceToken => unless(session.cannot_send(), |app: &mut Self, ()| app.prompt_for_token()),
            Command::SaveProfile => {
                let demo = "the demo store is gone once you quit: there is nothing to save";
                opens(session.info.demo.then_some(demo), Open::Profile { is_new: false })
            }
            Command::Weather => {
                let no_weather = "only the demo store has weather to choose";
                opens(
                    (!session.info.demo).then_some(no_weather),
                    Open::Confirm(Box::new(question::weather(session.weather))),
                )
            }
            Command::Theme => opens(None, Open::Palette("theme ".to_owned())),
            Command::Language => opens(None, Open::Palette("language ".to_owned())),
            Command::Palette => opens(None, Open::Palette(String::new())),
            Command::Help => does(|app: &mut Self, ()| app.toggle_help()),
            Command::Tour => unless(self.no_tour(), |app: &mut Self, ()| app.start_or_reach_tour()),
            Command::Present => does(|app: &mut Self, ()| app.toggle_presenting()),
            Command::Mouse => does(|app: &mut Self, ()| app.toggle_mouse()),
            Command::Back => self.action_back(),
            Command::QuitNow if !self.unfinished().is_under_way() => does(|app: &mut Self, ()| {
                app.cx.out.effect(Effect::Quit);
            }),
            Command::Quit | Command::QuitNow => does(|app: &mut Self, ()| app.quit(None)),
            Command::CopyCurl if self.shows_requests() && self.copied(command).is_ok() => {
                called("copy curl", move |app: &mut Self, ()| app.copy(command))
            }
            Command::CopyCurl | Command::CopyResponse | Command::CopyId => {
                unless(self.copied(command).err(), move |app: &mut Self, ()| app.copy(command))
            }
            Command::RunOnRequest(at) => self.action_on_request(at),
            Command::EditAndResend => {
                let reason = match self.behind_palette().exchange(&self.cx) {
                    Some((exchange, _)) => resend::unavailable(exchange),
                    None if self.is_reading_request() => None,
                    None => Some("no request is selected"),
                };
                match session.cannot_send().or(reason) {
                    Some(reason) => cannot(reason),
                    None if self.shows_requests() => called("edit", |app: &mut Self, ()| app.edit_and_resend()),
                    None => does(|app: &mut Self, ()| app.edit_and_resend()),
                }
            }
            _ => None,
        }
    }

    /// Whether requests are what the screen is about, so that the footer has their keys.
    fn shows_requests(&self) -> bool {
        self.cx.display.tab == Tab::History || !self.dialogs.is_empty()
    }

    /// Esc in a tab: dismisses a notice; else leaves the pane; else does what the screen does; else stops the import; else
    /// cancels what runs in the background; else explains how to cancel.
    fn action_back(&self) -> OwnAction {
        let session = &self.cx.session;
        let tab = self.cx.display.tab;
        if !self.cx.out.status.notices.is_empty() {
            return called("dismiss", |app: &mut Self, ()| drop(app.cx.out.status.notices.pop_front()));
        }
        if self.cx.screen.keys_for == KeysFor::Pane {
            return called("to the list", |app: &mut Self, ()| app.cx.screen.keys_for = KeysFor::Commands);
        }
        let screen = self.screens.get(tab);
        if let Some(Ok(label)) = screen.label(Command::Back, &self.cx) {
            let cancels = screen.cancels(Command::Back, &self.cx);
            let run = |app: &mut Self, (): &mut ()| {
                app.screens.get_mut(app.cx.display.tab).perform(Command::Back, &mut app.cx);
            };
            return Some(Ok(Offer { run: Box::new(run), label, cancels }));
        }
        if session.can_stop_import() {
            let stops = session.importing().is_some_and(|import| import.ending.is_none());
            let label = if stops { "stop the import" } else { "cancel what is in flight" };
            return cancels(label, |app: &mut Self, ()| app.cx.session.stop_import(&mut app.cx.out));
        }
        if !self.lines.is_empty() {
            let label = match self.lines.iter().filter(|line| !line.cancelled).count() {
                0 => "end at once what is stopping",
                1 => "cancel the command",
                _ => "cancel the commands",
            };
            return cancels(label, |app: &mut Self, ()| {
                app.cancel_lines();
            });
        }
        if !session.pending.is_empty() && matches!(tab, Tab::Plants | Tab::Greenhouse) {
            return called("cancel", |app: &mut Self, ()| {
                let (back, all) = (app.cx.key(Command::Back), app.cx.key(Command::Interrupt));
                let count = app.cx.session.pending.len();
                let words = if app.cx.display.tab == Tab::Greenhouse { "on the way" } else { "in flight" };
                let text = format!("{count} {words}: select one and press {back} to cancel it, or {all} for all.");
                app.cx.out.say_here(text);
                let simple = Id::SelectToCancel.with("count", count.to_string());
                app.cx.out.simply(simple.with("key", back).with("all", all));
            });
        }
        cannot("nothing is in flight")
    }

    /// Returns the label of what Esc in a tab would cancel or stop, if it would.
    pub(super) fn cancels_by_back(&self) -> Option<&'static str> {
        let offer = self.action_back().filter(|_| self.dialogs.is_empty())?.ok()?;
        offer.label.filter(|_| offer.cancels)
    }

    /// Returns what a command of the palette is about: the palette closes before it is carried out.
    pub(super) fn behind_palette(&self) -> &dyn Layer {
        match self.dialogs.front() {
            Some(Dialog::Palette(_)) => self.screens.get(self.cx.display.tab),
            _ => self.front(),
        }
    }

    /// Whether the request that is selected in the History tab is being read.
    fn is_reading_request(&self) -> bool {
        let is_tab = matches!(self.dialogs.front(), None | Some(Dialog::Palette(_)));
        is_tab && self.cx.display.tab == Tab::History && self.screens.history.is_reading()
    }

    /// Opens the form that fits the request in front, before what is open.
    fn edit_and_resend(&mut self) {
        if let Some((exchange, _)) = self.front().exchange(&self.cx) {
            let open = resend::form(exchange);
            self.cx.out.ui_effect(UiEffect::OpenOver(open));
        }
    }

    fn open_add_form(&mut self) {
        let session = &mut self.cx.session;
        let draft = session.drafts.pop().map(|draft| draft.suggesting_again(session.next_id()).offered_again());
        if draft.is_some() {
            // It named the key, and the form says the rest.
            self.cx.out.status.message = None;
        }
        let draft = draft.unwrap_or_else(|| Draft::suggesting(session.next_id()));
        self.cx.out.open(Open::Add(Box::new(draft)));
    }

    /// Reopens an add form by itself, except in the Greenhouse: there the draft is stored, so that no form hides the
    /// picture. Only one rejected plant is stored.
    pub(super) fn reopen(&mut self, draft: Draft) {
        if self.cx.display.tab == Tab::Greenhouse {
            self.cx.session.keep_form(draft, &mut self.cx.out);
        } else {
            let before = std::mem::replace(&mut self.dialogs.by_itself, true);
            self.dialogs.enqueue(Dialog::Add(AddForm::coming_back(draft)));
            self.dialogs.by_itself = before;
        }
    }

    /// Asks one question about all marked plants that are unknown; without marks, one question for each unknown plant.
    fn resolve(&mut self) {
        let shows_marks = matches!(self.cx.display.tab, Tab::Plants | Tab::Greenhouse);
        let Context { session, out, .. } = &mut self.cx;
        if shows_marks && !session.plants.marked.is_empty() {
            session.ask_about_marked(Several::Resolve, out);
        } else {
            self.resolve_queue = Some(ResolveQueue::begin(session, out));
        }
    }

    /// Sends again what was not sent; asks first if there are several.
    fn send_again(&mut self) {
        let Context { session, out, .. } = &mut self.cx;
        if session.unsent.len() > 1 {
            out.ask(question::send_again(&session.unsent, |kind| session.called(kind)));
        } else {
            session.send_all(session.unsent.clone(), out);
        }
    }

    pub(super) fn prompt_for_token(&mut self) {
        let Context { session, out, .. } = &mut self.cx;
        let why = format!("{} asks for a bearer token with every request.", session.info.store);
        let replaces = session.token.is_some().then(|| "The token typed here replaces the one that is set.".to_owned());
        out.open(Open::Token { why: [why].into_iter().chain(replaces).collect(), then: AfterToken::Nothing });
    }

    fn toggle_presenting(&mut self) {
        self.cx.display.presenting = !self.cx.display.presenting;
        self.pressed.clear();
        let key = self.cx.key(Command::Present);
        let said = if self.cx.display.presenting { Id::StageBegins.with("key", key) } else { Id::StageEnds.into() };
        self.cx.out.say(self.cx.display.language().say(&said));
    }

    fn toggle_mouse(&mut self) {
        let key = self.cx.key(Command::Mouse);
        let (user, words, simple) = match self.cx.display.mouse {
            MouseUser::Program => {
                let words = format!("The terminal has the mouse: select text with it. {key} takes it again.");
                (MouseUser::Terminal, words, Id::MouseOfTerminal)
            }
            MouseUser::Terminal => {
                let words = format!("The mouse selects and scrolls here; {key} gives it back to the terminal.");
                (MouseUser::Program, words, Id::MouseOfProgram)
            }
        };
        self.cx.display.mouse = user;
        self.cx.out.say_in_both(words, vec![simple.with("key", key)]);
        self.cx.out.effect(Effect::UseMouse(user == MouseUser::Program));
    }

    /// Carries out a choice of a question.
    pub(super) fn act(&mut self, act: Act) {
        let left = self.unfinished();
        if matches!(act, Act::Send(_) | Act::Together(..)) {
            self.dialogs.retain(|dialog| !matches!(dialog, Dialog::ReAdd(_)));
        }
        let Context { session, out, display, .. } = &mut self.cx;
        match act {
            Act::Leave => {
                if self.resolve_queue.is_some() {
                    out.status.message = None;
                }
            }
            Act::Send(kind) => {
                // A plant that is not in the list cannot be selected.
                if matches!(kind, OperationKind::Add(_)) && session.plants.row(kind.plant_id()).is_some() {
                    session.plants.select(kind.plant_id());
                }
                session.submit(kind, out);
            }
            Act::Drop(kinds) => session.unsent.retain(|kind| !kinds.contains(kind)),
            Act::SendAll(kinds) => session.send_all(kinds, out),
            Act::Resolve(plants, resolution) => out.effect(Effect::Resolve(plants, resolution)),
            Act::Together(kinds, of_unknown) => session.send_together(kinds, of_unknown, out),
            Act::AllTogether => {
                let rest = self.resolve_queue.take().map(|queue| queue.rest().to_vec()).unwrap_or_default();
                session.ask_about(AboutSeveral::of(Several::Resolve), rest, out);
            }
            Act::GoOn(kinds, of_unknown) => {
                session.feed.release();
                session.send_together(kinds, of_unknown, out);
            }
            Act::OrderImport(order) => session.order_import(order, out),
            Act::Check(wanted) => CheckScreen::begin(wanted, &mut self.cx),
            Act::Weather(preset) => {
                session.weather = preset;
                let id = question::ids_of(preset).0;
                let now = |language: Language| {
                    Id::WeatherNow.with("weather", language.label(id)).with("effect", language.hint(id))
                };
                out.say_in_both(Language::En.say(&now(Language::En)), vec![now(display.language())]);
                out.effect(Effect::Weather(preset));
            }
            Act::Connect(target) => self.connect(target),
            // More has become unfinished since the question was shown.
            Act::Quit(seen) if left.is_more_than(seen) => {
                out.ask(Question { by_itself: true, ..question::quit(left, session.info.demo, false, None) });
            }
            Act::Quit(_) => out.effect(Effect::Quit),
        }
    }

    /// Begins what waited for a token.
    pub(super) fn begin_with_token(&mut self, then: AfterToken) {
        match (then, self.dialogs.front_mut()) {
            (AfterToken::Check, _) => CheckScreen::begin_with_token(&mut self.cx),
            (AfterToken::Import, Some(Dialog::Import(import))) => import.begin(&mut self.cx),
            (AfterToken::Nothing | AfterToken::Import, _) => {}
        }
    }

    /// Returns the tab that a scope's commands belong to; `None` for a scope of all tabs.
    pub(super) fn tab_of(&self, scope: Scope) -> Option<Tab> {
        match scope {
            Scope::Plants => Some(Tab::Plants),
            Scope::Sorted if self.cx.display.tab != Tab::History => Some(Tab::Plants),
            Scope::Plant if self.cx.display.tab != Tab::Greenhouse => Some(Tab::Plants),
            Scope::Plant | Scope::Greenhouse => Some(Tab::Greenhouse),
            Scope::History => Some(Tab::History),
            Scope::Check => Some(Tab::Check),
            _ => None,
        }
    }

    /// Returns what the palette offers: what can be done in the active tab first, in the order of the help.
    pub(in crate::tui) fn offers(&self) -> Vec<Offered> {
        let here = self.cx.scope_of_tab();
        let scopes = || Scope::ALL.iter().filter(|scope| !scope.is_of_dialog());
        // A name that begins one of this tab means that one here: `report` is that of the check in its tab.
        let means_own = |other: &&Binding| {
            let is_own = |own: &Binding| own.command == other.command && own.name.starts_with(&*other.name);
            self.cx.out.keys.here(here).any(is_own)
        };
        let elsewhere = scopes().filter(|scope| !scope.applies_in(here)).flat_map(|scope| self.cx.out.keys.of(*scope));
        let elsewhere = elsewhere.filter(|other| !means_own(other));
        let bindings = self.cx.out.keys.here(here).chain(elsewhere);
        let offered = |binding: &Binding| Offered {
            binding: binding.clone(),
            unavailable: self.label(binding.command, self.tab_of(binding.scope)).and_then(Result::err),
        };
        // Help is among the commands of the tabs already.
        let is_offered = |binding: &&Binding| match binding.command {
            Command::Palette => false,
            Command::Help => binding.scope != Scope::Everywhere,
            _ => true,
        };
        bindings.filter(is_offered).map(offered).collect()
    }

    /// Returns the label of a command in a tab, or why it is unavailable; without a tab, in the active one.
    pub(super) fn label(&self, command: Command, tab: Option<Tab>) -> Option<Result<Label, Reason>> {
        let own = self.action(command).map(|action| action.map(|offer| offer.label));
        own.or_else(|| self.screens.get(tab.unwrap_or(self.cx.display.tab)).label(command, &self.cx))
    }

    /// Returns the keys that work now, with their labels.
    pub(in crate::tui) fn footer(&self) -> Vec<(&Binding, &str)> {
        let label = |command: Command| match self.dialogs.front() {
            Some(dialog) => match dialog.layer().label(command, &self.cx) {
                None if command.needs_request() => self.label(command, None),
                own => own,
            },
            None => self.label(command, None),
        };
        // Before an audience, the keys that lead to the requests are not shown: requests are for those who read them.
        let shows_pots = self.cx.display.presenting && self.scope() == Scope::Greenhouse;
        let leads_away = |command| shows_pots && matches!(command, Command::Open | Command::ItsRequests);
        let here = self.cx.out.keys.here(self.scope()).filter(|binding| !leads_away(binding.command));
        here.filter_map(|binding| Some((binding, label(binding.command)?.ok()?.or(binding.footer.as_deref())?)))
            .collect()
    }
}
