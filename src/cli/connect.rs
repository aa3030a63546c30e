//! Opening a store for the terminal interface: the first one, and others while it runs.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::open::{NotOpened, Ready, TokenNeed, clock, fetch_token, listed, renewal};
use super::zone;
use crate::app::keys::KeyTable;
use crate::app::{Arrival, Facts, Notice};
use crate::config::{Fault, Settings, Started, StoreChoice, Wish, exposed};
use crate::demo::Sky;
use crate::domain::Plant;
use crate::journal::{Changes, Journal};
use crate::runtime::{Connect, Connected, Link};

/// The plants that the demo begins with.
const SAMPLES: &str = include_str!("../../assets/samples.json");

/// Whether a token is needed to open a store: the interface asks for one itself.
pub(super) fn token_need(settings: &Settings) -> TokenNeed {
    if settings.read_only { TokenNeed::Never } else { TokenNeed::Later }
}

/// What opens a store that is wished for.
pub(super) fn connector(started: Started) -> Connect {
    let started = Arc::new(started);
    Box::new(move |wish, gives_up| Box::pin(connect(Arc::clone(&started), wish, gives_up)))
}

async fn connect(started: Arc<Started>, wish: Wish, gives_up: CancellationToken) -> Result<Connected, String> {
    let reading = tokio::task::spawn_blocking({
        let started = Arc::clone(&started);
        move || started.settings_for(&wish, KeyTable::faults)
    });
    let settings = reading.await.map_err(|died| died.to_string())?.map_err(|faults| in_words(&faults))?;
    // Only this can take long and be dropped at any time.
    let token = tokio::select! {
        token = fetch_token(&settings, token_need(&settings)) => token.map_err(why_not)?,
        () = gives_up.cancelled() => return Err("nobody waits for it any more".to_owned()),
    };
    let ready = Ready::open_with(&settings, token, Sky::default().weather(), drop).await.map_err(why_not)?;
    let mut connected = put_to_work(ready, &settings).await;
    // What was wrong at the start was said then.
    let known = exposed(&started.settings);
    let new = exposed(&settings).into_iter().filter(|warning| !known.contains(warning));
    connected.arrival.notices.extend(new.map(Notice::new));
    Ok(connected)
}

fn why_not(not_opened: NotOpened) -> String {
    not_opened.why.unwrap_or_else(|| "it could not be opened".to_owned())
}

/// The faults beside the field: what was typed there was no flag.
fn in_words(faults: &[Fault]) -> String {
    let words = |fault: &Fault| if fault.key == "--base-url" { fault.what.clone() } else { fault.to_string() };
    faults.iter().map(words).collect::<Vec<_>>().join("; ")
}

/// A store that was opened, at work.
pub(super) async fn put_to_work(mut ready: Ready, settings: &Settings) -> Connected {
    let demo = ready.demo.take();
    let facts = Facts {
        store: ready.store.clone(),
        demo: demo.is_some(),
        profile: ready.profile.clone(),
        header_color: ready.header_color,
        read_only: settings.read_only,
        timeout: settings.timeout,
        zone: zone::local(),
        origin: ready.origin,
    };
    let samples = if facts.demo && !settings.read_only { samples() } else { Vec::new() };
    let mut notices = start_notices(&ready.journal, ready.set_aside.as_deref()).await;
    // Before the view is read for the first time, so that nothing falls in between.
    let changes = ready.journal.changes(clock).unwrap_or_else(|why| {
        notices.push(Notice::new(format!("Plants added by other programs show when you next act: {why}.")));
        Changes::default()
    });
    if let (None, StoreChoice::Deployed(connection)) = (&ready.token, &settings.store)
        && let Some(withheld) = &connection.withheld
    {
        notices.push(Notice::new(format!("{} gets a token of its own: {withheld}.", ready.store)));
    }
    let arrival = Arrival { facts, token_held: ready.token.is_some(), notices, samples };
    let at_work = ready.go_to_work();
    let link = Link {
        journal: ready.journal,
        changes,
        courier: at_work.courier,
        courier_task: Some(at_work.task),
        reports: at_work.reports,
        renew: renewal(settings),
        demo,
    };
    Connected { arrival, link }
}

/// What a person must know before anything else: what became of the journal, and what is in
/// doubt from before.
async fn start_notices(journal: &Journal, set_aside: Option<&str>) -> Vec<Notice> {
    let mut notices: Vec<_> = set_aside.map(Notice::new).into_iter().collect();
    if let Ok(doubts) = journal.doubts().await
        && !doubts.is_empty()
    {
        notices.push(Notice::of_doubts(format!(
            "Unknown since an earlier start: {}. Whether the store has them is unknown; resolve each.",
            listed(&doubts)
        )));
    }
    notices
}

fn samples() -> Vec<Plant> {
    serde_json::from_str(SAMPLES).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::config::{Environment, Flags, OtherStore, RawToken};

    /// Started on the demo store with these profiles and a token in the environment.
    fn started(flags: Flags, profiles: &str) -> (tempfile::TempDir, Arc<Started>) {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/plants")).unwrap();
        std::fs::write(home.path().join(".config/plants/config.toml"), profiles).unwrap();
        let environment = Environment { token: Some(RawToken::from("canary")), ..Environment::at_home(home.path()) };
        let flags = Flags { demo: true, ..flags };
        let settings = crate::config::resolve(&flags, &environment, KeyTable::faults).unwrap();
        (home, Arc::new(Started { flags, environment, settings }))
    }

    fn other(url: &str) -> Wish {
        Wish::BaseUrl(OtherStore { url: url.parse().unwrap(), token: None })
    }

    async fn opened(started: &Arc<Started>, wish: Wish) -> Result<Connected, String> {
        connect(Arc::clone(started), wish, CancellationToken::new()).await
    }

    #[track_caller]
    fn assert_refused(opened: Result<Connected, String>, words: &str) {
        let why = opened.err().expect("it cannot be opened");
        assert!(why.contains(words) && !why.contains("canary"), "{why}");
    }

    #[tokio::test]
    async fn what_cannot_be_opened_is_told_in_words() {
        let profiles = "
[profile.failing]
base_url = 'https://plants.example'
token_command = ['sh', '-c', 'echo no such entry >&2; exit 3']
[profile.missing]
base_url = 'https://plants.example'
token_file = 'nowhere'
";
        let (home, started) = started(Flags::default(), profiles);
        let profile = |name: &str| Wish::Profile(name.to_owned());
        assert_refused(opened(&started, profile("failing")).await, "said: no such entry");
        assert_refused(opened(&started, profile("missing")).await, "cannot be read");
        assert_refused(opened(&started, profile("nobody")).await, "there is no profile");
        let in_clear = opened(&started, other("http://10.0.0.9")).await;
        assert_refused(in_clear, "over plain http the token would travel in clear");
        // A file where the journal's folder is to be.
        std::fs::create_dir_all(home.path().join(".local/share")).unwrap();
        std::fs::write(home.path().join(".local/share/plants"), "").unwrap();
        assert_refused(opened(&started, other("http://127.0.0.1:9")).await, "Nothing was sent.");
    }

    #[tokio::test]
    async fn who_gives_up_does_not_wait_for_the_token() {
        let profiles = "[profile.slow]\nbase_url = 'https://plants.example'\ntoken_command = ['sleep', '3600']\n";
        let (_home, started) = started(Flags::default(), profiles);
        let gives_up = CancellationToken::new();
        gives_up.cancel();
        assert_refused(connect(started, Wish::Profile("slow".to_owned()), gives_up).await, "nobody waits");
    }

    #[tokio::test]
    async fn another_base_url_is_without_a_token_and_the_demo_has_its_own() {
        let (_home, started) = started(Flags::default(), "");
        let other = opened(&started, other("http://127.0.0.1:9")).await.unwrap();
        assert!(!other.arrival.token_held && !other.arrival.facts.demo && other.arrival.samples.is_empty());
        let demo = opened(&started, Wish::Demo).await.unwrap();
        assert!(demo.arrival.token_held && demo.link.demo.is_some() && !demo.arrival.samples.is_empty());
        assert_ne!(demo.arrival.facts.origin, other.arrival.facts.origin);
        demo.link.close().await;
        other.link.close().await;
    }

    #[tokio::test]
    async fn read_only_said_at_the_start_holds_for_every_store() {
        let (_home, started) = started(Flags { read_only: true, ..Flags::default() }, "");
        for wish in [Wish::Demo, other("http://127.0.0.1:9")] {
            let connected = opened(&started, wish).await.unwrap();
            assert!(connected.arrival.facts.read_only && connected.arrival.samples.is_empty());
            connected.link.close().await;
        }
    }

    #[test]
    fn the_samples_are_plants() {
        let samples = samples();
        assert!(samples.len() >= 3);
        assert!(samples.iter().all(|plant| plant.slips().is_empty()));
    }
}
