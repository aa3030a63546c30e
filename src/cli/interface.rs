//! `plants` alone: opens the terminal interface.

use std::io::{self, IsTerminal as _};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc;

use super::connect::{connector, put_to_work, token_need};
use super::open::{Ready, clock, failed};
use super::stop::hurried;
use super::{Exit, say};
use crate::app::keys::KeyTable;
use crate::app::{Model, Notice};
use crate::config::{Environment, Flags, Settings, Started, exposed};
use crate::demo::Sky;
use crate::domain::sentence::subject;
use crate::runtime::terminal::{self, Guard};
use crate::runtime::{Bounded, Connected, Stage, Tools, Turn, input, look, signals};

/// What was asked for besides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// `--tour`
    pub(super) tour: bool,
    /// `--json`, which is for subcommands.
    pub(super) json: bool,
}

/// `plants`
pub(super) async fn run(flags: Flags, environment: Environment, settings: Settings, wanted: Wanted) -> Exit {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return failed(
            Exit::Usage,
            "the terminal interface needs a terminal. Off a terminal use a subcommand: plants add, plants delete, plants list, plants serve; plants --help says more",
        );
    }
    if wanted.json {
        return failed(Exit::Usage, "--json goes with a subcommand: plants add, delete, list or serve");
    }
    // Its faults were told with all others.
    let keys = KeyTable::remapped(&settings.remaps, &settings.config_file).unwrap_or_default();
    let ready = match Ready::open(&settings, token_need(&settings), Sky::default().weather()).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    let mut started = Started { flags, environment, settings };
    if let Some(token) = &ready.token {
        started.keep(token);
    }
    match show(ready, started, keys, wanted.tour).await {
        Ok(Some(model)) => {
            last_words(&model);
            Exit::Done
        }
        Ok(None) => {
            say::words("Ended before everything was written down; what is not resolved is unknown at the next start.");
            Exit::Interrupted
        }
        Err(why) => failed(Exit::NotSent, &format!("the terminal cannot be used: {why}")),
    }
}

async fn show(ready: Ready, started: Started, keys: KeyTable, tour: bool) -> io::Result<Option<Model>> {
    let Connected { arrival, link } = put_to_work(ready, &started.settings).await;
    let mut model = Model::new(arrival.facts, keys, arrival.token_held);
    model.notices.extend(exposed(&started.settings).into_iter().map(Notice::new));
    model.notices.extend(arrival.notices);
    model.known = started.known_stores();
    model.still = started.settings.reduced_motion;
    let (to_stage, heard) = mpsc::unbounded_channel();
    let mut ears = input::listen_to_signals(&to_stage)?;
    let theme = look::theme(&started.settings, &started.environment);
    let _guard = Guard::take()?;
    if model.begins_without_token() {
        terminal::drop_typed_ahead();
    }
    let screen = Terminal::new(Bounded(CrosstermBackend::new(io::BufWriter::new(io::stdout()))))?;
    let home = started.environment.home.clone();
    let (data_dir, config_file) = (started.settings.data_dir.clone(), started.settings.config_file.clone());
    let tools = Tools {
        link,
        data_dir,
        config_file,
        home,
        connect: connector(started),
        heard,
        clock,
        copy: terminal::copy,
        use_mouse: terminal::use_mouse,
        suspend: terminal::suspend,
        retake: terminal::retake,
    };
    let mut stage = Stage::new(model, screen, theme, tools);
    stage.model.now = clock();
    let mut first = stage.model.begin(arrival.samples);
    if tour {
        first.extend(stage.model.begin_tour());
    }
    stage.open(first).await?;
    input::listen_to_terminal(&to_stage, &mut ears)?;
    let ended = loop {
        match stage.turn().await {
            Ok(Turn::Drawn) => {}
            Ok(Turn::Over) => break Ok(()),
            Err(_) if terminal::is_gone() => break Ok(()),
            Err(why) => break Err(why),
        }
    };
    // The ears still end a program that waits for a terminal.
    terminal::give_back();
    // Also when the terminal is gone: what is in flight is still to be written down. A signal
    // meanwhile means that somebody will not wait for it.
    let hurried = hurried();
    drop(ears);
    let suspending = signals::suspend_when_asked(signals::suspends().unwrap_or_default());
    let model = tokio::select! {
        model = stage.close() => Some(model),
        () = hurried => None,
        never = suspending => match never {},
    };
    ended.map(|()| model)
}

/// What a person should know after the screen is gone.
fn last_words(model: &Model) {
    if model.facts.demo {
        return;
    }
    let unsent = model.not_sent();
    if !unsent.is_empty() {
        let names: Vec<_> = unsent.iter().map(|ask| subject(ask, None)).collect();
        say::words(&format!("Not sent: {}.", names.join(", ")));
    }
    let doubts = model.table.window.tally.unknown;
    if doubts > 0 {
        say::words(&format!("{doubts} unknown at {}: start plants again and resolve them.", model.facts.store));
    }
}
