//! `plants` alone: opens the terminal interface.

use std::io;
use std::sync::Arc;

use color_eyre::eyre::{self, WrapErr as _};
use ratatui::Terminal;
use tokio::sync::mpsc;
use tracing::instrument;

use super::access::fetch_access;
use super::connect::{connected, connector, token_need};
use super::error::{Exit, OrExit as _};
use super::open::Ready;
use super::prompt::{leave_stops, suspend_on_signal};
use super::stop::stopped_again;
use super::{clock, print};
use crate::config::{Colors, Environment, Flags, Settings, Started, warnings};
use crate::os::terminal::is_gone;
use crate::runtime::{Connected, DetectedTheme, EventLoop, Ports, Turn, input};
use crate::terminal::{self, Guard, Screen};
use crate::text::number_format::counted;
use crate::tui::App;
use crate::tui::input::Keymap;
use crate::tui::status::Notice;

type ScreenTerminal = Terminal<Screen<io::BufWriter<io::Stdout>>>;

/// Runs the interface until the person quits; with `tour` it begins with the tour.
#[instrument(name = "interface", skip_all)]
pub(super) async fn run(flags: Flags, environment: Environment, settings: Settings, tour: bool) -> eyre::Result<Exit> {
    // `Keymap::faults` has reported invalid keys with the other settings.
    let keys = Keymap::configured(&settings.keys, &settings.config_file).unwrap_or_default();
    suspend_on_signal();
    let access = fetch_access(&settings, token_need(&settings)).await?;
    let unusable = "the terminal cannot be used";
    let screen = Terminal::new(Screen::new(io::BufWriter::new(io::stdout()), environment.assumed_size()));
    let screen = screen.wrap_err(unusable).or_exit(Exit::NotSent)?;
    let ready = Ready::open_readable(&settings, access, print::message).await?;
    let mut started = Started { flags, environment, settings };
    if let Some(token) = &ready.token {
        started.keep(token);
    }
    let ended = Box::pin(show(ready, started, screen, keys, tour)).await;
    let Some(app) = ended.wrap_err(unusable).or_exit(Exit::NotSent)? else {
        print::message(
            "Interrupted before everything was recorded: operations in flight are unknown at the next start.",
        );
        return Ok(Exit::Interrupted);
    };
    print_leftover_work(&app);
    Ok(Exit::Done)
}

async fn show(
    ready: Ready,
    mut started: Started,
    screen: ScreenTerminal,
    keys: Keymap,
    tour: bool,
) -> eyre::Result<Option<App>> {
    let Connected { arrival, handle } = connected(ready, &started.settings, started.environment.language).await;
    let mut app = App::new(arrival.info, keys, arrival.token);
    let notices = &mut app.cx.out.status.notices;
    notices.extend(warnings(&started.settings).into_iter().map(Notice::new));
    notices.extend(arrival.notices);
    app.cx.session.stores.known = started.known_stores();
    app.cx.display.motion = started.settings.motion;
    app.cx.display.notify = started.settings.notify;
    app.cx.display.progress_bar = started.environment.progress_bar;
    let (to_loop, inbox) = mpsc::unbounded_channel();
    leave_stops(true);
    let listeners = input::listen_to_signals(&to_loop)?;
    app.cx.display.theme = started.settings.theme;
    app.cx.display.language = started.settings.language;
    app.cx.display.of_locale = started.environment.language;
    if started.environment.is_named_dumb() {
        started.settings.colors = Colors::Off;
    }
    app.cx.display.colors = started.settings.colors;
    let theme = DetectedTheme::of(&started.settings, &started.environment);
    app.cx.display.marks = theme.theme().marks;
    let home = started.environment.home.clone();
    let (data_dir, config_file) = (started.settings.data_dir.clone(), started.settings.config_file.clone());
    let commands = started.settings.keys.commands.clone();
    let clipboard = started.settings.clipboard.clone();
    let started = Arc::new(started);
    let ports = Ports {
        handle,
        data_dir,
        config_file,
        home,
        connect: connector(Arc::clone(&started)),
        own: Box::new(move |target, open, words| started.command(target, open, words)),
        clock: clock::now,
        commands,
        clipboard,
        copy: terminal::copy,
        show_signs: terminal::show,
        ring: terminal::ring,
        use_mouse: terminal::use_mouse,
        suspend: terminal::suspend,
        lend: terminal::lend,
        query_background: terminal::query_background,
        retake: terminal::take,
    };
    let is_preliminary = theme.is_preliminary();
    let mut event_loop = EventLoop::new(app, screen, theme, inbox, ports);
    event_loop.app.set_time(clock::now());
    let mut first = event_loop.app.begin(arrival.samples);
    if tour {
        first.extend(event_loop.app.begin_tour());
    }
    let first = event_loop.begin(first);
    // While the journal reads the plants.
    let _guard = Guard::take()?;
    if event_loop.app.begins_without_token() {
        terminal::drop_typed_ahead();
    }
    input::listen_to_terminal(to_loop)?;
    if is_preliminary {
        terminal::query_background()?;
    }
    event_loop.open(first).await?;
    let ended = loop {
        match event_loop.turn().await {
            Ok(Turn::Drawn) => {}
            Ok(Turn::Over) => break Ok(()),
            Err(_) if is_gone() => break Ok(()),
            Err(why) => break Err(why),
        }
    };
    // The listeners can still end a program that blocks on a terminal here.
    terminal::give_back();
    // Records the operations in flight, also if the terminal is gone. Another signal ends this wait.
    let stopped_again = stopped_again();
    drop(listeners);
    leave_stops(false);
    let app = tokio::select! {
        app = event_loop.close() => Some(app),
        () = stopped_again => None,
    };
    ended.map(|()| app)
}

/// Prints which operations were not sent, and how many plants are unknown.
fn print_leftover_work(app: &App) {
    if app.cx.session.info.demo {
        return;
    }
    let unsent = app.not_sent();
    if !unsent.is_empty() {
        let names: Vec<_> = unsent.iter().map(|kind| app.cx.session.called(kind)).collect();
        print::message(format!("Not sent: {}.", names.join(", ")));
    }
    let unknown = app.cx.session.plants.window.tally.unknown;
    if unknown > 0 {
        print::message(format!(
            "{} unknown at {}. To resolve: plants resolve, or start plants again.",
            counted(unknown as u64, "plant is", "plants are"),
            app.cx.session.info.store
        ));
    }
}
