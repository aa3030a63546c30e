//! `plants` alone: opens the terminal interface.

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use jiff::tz::TimeZone;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::sync::mpsc;

use super::open::{Ready, TokenNeed, clock, failed, listed};
use super::stop::stopped;
use super::{Exit, say};
use crate::app::keys::KeyTable;
use crate::app::{Facts, Model, Notice};
use crate::config::{Environment, Settings};
use crate::demo::Weather;
use crate::domain::Plant;
use crate::domain::sentence::subject;
use crate::journal::Changes;
use crate::runtime::terminal::{self, Guard};
use crate::runtime::{Stage, Tools, Turn, input, look};

/// How long the demo store takes to answer inside the interface: long enough to see an add on
/// its way.
const DEMO_LATENCY: Duration = Duration::from_millis(160);

/// The plants that the demo begins with.
const SAMPLES: &str = include_str!("../../assets/samples.json");

/// `plants`
pub(super) async fn run(settings: Settings, environment: &Environment, json: bool) -> Exit {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return failed(
            Exit::Usage,
            "the terminal interface needs a terminal. Off a terminal use a subcommand: plants add, plants delete, plants list, plants serve; plants --help says more",
        );
    }
    if json {
        return failed(Exit::Usage, "--json goes with a subcommand: plants add, delete, list or serve");
    }
    // Its faults were told with all others.
    let keys = KeyTable::remapped(&settings.remaps, &settings.config_file).unwrap_or_default();
    let need = if settings.read_only { TokenNeed::Never } else { TokenNeed::Later };
    let weather = Weather { latency: DEMO_LATENCY, ..Weather::default() };
    let ready = match Ready::open(&settings, need, weather).await {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    match show(&ready, &settings, environment, keys).await {
        Ok(Some(model)) => {
            last_words(&ready, &model);
            Exit::Done
        }
        Ok(None) => {
            say::words("Ended before everything was written down; what is not settled is in doubt at the next start.");
            Exit::Interrupted
        }
        Err(why) => failed(Exit::NotSent, &format!("the terminal cannot be used: {why}")),
    }
}

async fn show(
    ready: &Ready,
    settings: &Settings,
    environment: &Environment,
    keys: KeyTable,
) -> io::Result<Option<Model>> {
    let demo = ready.demo.is_some();
    let facts = Facts {
        store: ready.store.clone(),
        demo,
        profile: ready.profile.clone(),
        header_color: ready.header_color,
        read_only: settings.read_only,
        timeout: settings.timeout,
        zone: TimeZone::system(),
        origin: ready.origin,
    };
    let mut model = Model::new(facts, keys, ready.token.is_some());
    model.notices.extend(start_notices(ready).await);
    // Before the view is read for the first time, so that nothing falls in between.
    let changes = ready.journal.changes(clock).unwrap_or_else(|why| {
        model.notices.push_back(Notice(format!("Plants added by other programs show when you next act: {why}.")));
        Changes::default()
    });
    let at_work = ready.go_to_work();
    let (to_stage, heard) = mpsc::unbounded_channel();
    let mut ears = input::listen_to_signals(&to_stage)?;
    let theme = look::theme(settings, environment);
    let _guard = Guard::take()?;
    let screen = Terminal::new(CrosstermBackend::new(io::BufWriter::new(io::stdout())))?;
    let tools = Tools {
        journal: ready.journal.clone(),
        changes,
        courier: at_work.courier,
        courier_task: at_work.task,
        reports: at_work.reports,
        heard,
        clock,
        copy: terminal::copy,
        use_mouse: terminal::use_mouse,
        suspend: terminal::suspend,
        retake: terminal::retake,
    };
    let mut stage = Stage::new(model, screen, theme, tools);
    stage.model.now = clock();
    let samples = if demo && !settings.read_only { samples() } else { Vec::new() };
    let first = stage.model.begin(samples);
    stage.open(first)?;
    input::listen_to_terminal(&to_stage, &mut ears)?;
    let ended = loop {
        match stage.turn().await {
            Ok(Turn::Drawn) => {}
            Ok(Turn::Over) => break Ok(()),
            Err(why) => break Err(why),
        }
    };
    drop(ears);
    terminal::give_back();
    // Also when the terminal is gone: what is in flight is still to be written down. A signal
    // meanwhile means that somebody will not wait for it.
    let again = stopped();
    let model = tokio::select! {
        model = stage.close() => Some(model),
        () = again => None,
    };
    ended.map(|()| model)
}

/// What a person must know before anything else: what became of the journal, and what is in
/// doubt from before.
async fn start_notices(ready: &Ready) -> Vec<Notice> {
    let mut notices: Vec<_> = ready.set_aside.iter().cloned().map(Notice).collect();
    if let Ok(doubts) = ready.journal.doubts().await
        && !doubts.is_empty()
    {
        notices.push(Notice(format!(
            "In doubt from before: {}. Nobody knows whether the store has them; settle each.",
            listed(&doubts)
        )));
    }
    notices
}

fn samples() -> Vec<Plant> {
    serde_json::from_str(SAMPLES).unwrap_or_default()
}

/// What a person should know after the screen is gone.
fn last_words(ready: &Ready, model: &Model) {
    if ready.demo.is_some() {
        return;
    }
    let unsent = model.not_sent();
    if !unsent.is_empty() {
        let names: Vec<_> = unsent.iter().map(|ask| subject(ask, None)).collect();
        say::words(&format!("Not sent: {}.", names.join(", ")));
    }
    let doubts = model.table.window.tally.unknown;
    if doubts > 0 {
        say::words(&format!("{doubts} in doubt at {}: start plants again and settle them.", ready.store));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_are_plants() {
        let samples = samples();
        assert!(samples.len() >= 3);
        assert!(samples.iter().all(|plant| plant.slips().is_empty()));
    }
}
