//! Opens stores for the terminal interface: the first one, and others while the interface runs.

use std::sync::Arc;

use color_eyre::eyre::{self, bail};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::access::{TokenNeed, fetch_access};
use super::clock;
use super::error::{Exit, Failure};
use super::open::{Ready, listed};
use crate::config::{ConnectionTarget, Fault, Settings, Started, TokenSource, warnings};
use crate::domain::language::Id;
use crate::domain::{Language, Plant};
use crate::runtime::{Connect, Connected, WorkerHandle};
use crate::tui::input::Keymap;
use crate::tui::message::{Arrival, StoreInfo};
use crate::tui::status::Notice;

const SAMPLES: &str = include_str!("../../assets/samples.json");

pub(super) fn token_need(settings: &Settings) -> TokenNeed {
    if settings.read_only { TokenNeed::Never } else { TokenNeed::Later }
}

/// Returns the function that opens another store.
pub(super) fn connector(started: Arc<Started>) -> Connect {
    Box::new(move |target, cancelled| {
        let started = Arc::clone(&started);
        Box::pin(async { connect(started, target, cancelled).await.map_err(without_repetition) })
    })
}

/// Removes the causes of a failure, which its text names already.
fn without_repetition(error: eyre::Report) -> eyre::Report {
    debug!("the store cannot be opened: {error:#}");
    let text = error.downcast_ref::<Failure>().map(ToString::to_string);
    text.map_or(error, eyre::Report::msg)
}

async fn connect(
    started: Arc<Started>,
    target: ConnectionTarget,
    cancelled: CancellationToken,
) -> eyre::Result<Connected> {
    let reading = tokio::task::spawn_blocking({
        let started = Arc::clone(&started);
        move || started.settings_for(&target, Keymap::faults)
    });
    let settings = reading.await?.map_err(|faults| Failure::usage(fault_text(&faults)))?;
    // Only this may take long, and can be dropped at any time.
    let access = tokio::select! {
        access = fetch_access(&settings, token_need(&settings)) => access?,
        () = cancelled.cancelled() => bail!(Failure::new(Exit::Interrupted, "the connection was cancelled")),
    };
    let ready = Ready::open_readable(&settings, access, drop).await?;
    let mut connected = connected(ready, &settings, started.environment.language).await;
    // The interface has shown the warnings of the start.
    let known = warnings(&started.settings);
    let new = warnings(&settings).into_iter().filter(|warning| !known.contains(warning));
    connected.arrival.notices.extend(new.map(Notice::new));
    Ok(connected)
}

/// Renders the faults for the connection dialog, which has no flag `--base-url`.
fn fault_text(faults: &[Fault]) -> String {
    let text = |fault: &Fault| if fault.location.key == "--base-url" { fault.what.clone() } else { fault.to_string() };
    faults.iter().map(text).collect::<Vec<_>>().join("; ")
}

/// Starts the worker of an opened store, and gathers what the interface shows of the store.
pub(super) async fn connected(mut ready: Ready, settings: &Settings, of_locale: Language) -> Connected {
    let demo = ready.demo.take();
    let connection = settings.connection.as_ref();
    let headers = connection.iter().flat_map(|connection| &connection.headers);
    let info = StoreInfo {
        store: ready.store.clone(),
        demo: demo.is_some(),
        profile: connection.and_then(|connection| connection.profile.clone()),
        header_color: connection.and_then(|connection| connection.header_color),
        token_from: connection.map_or(TokenSource::Prompt, |connection| connection.token_source.in_profile()),
        unsaved: settings.unsaved(),
        token_origin: connection
            .map(|connection| &connection.token_source)
            .filter(|source| !matches!(source, TokenSource::Prompt))
            .map(TokenSource::origin),
        token_can_change: connection.is_some_and(|connection| connection.token_source.can_change()),
        headers: headers.map(|header| header.name.clone()).collect(),
        read_only: settings.read_only || ready.read_only.is_some(),
        timeout: settings.timeout,
        zone: clock::local_zone(),
        origin: ready.origin,
    };
    let is_planted = info.demo && !settings.read_only;
    let language = settings.language.language(of_locale);
    // Spelt as the tour spells its own.
    let language = if settings.ascii { language.in_ascii() } else { language };
    let samples = if is_planted { samples(language) } else { Vec::new() };
    let mut notices = start_notices(&ready).await;
    // Watches before the list is read for the first time, so that no change is missed.
    let changes = ready.journal.changes(clock::now);
    if let (None, Some(withheld)) = (&ready.token, connection.and_then(|connection| connection.withheld.as_ref())) {
        notices.push(Notice::new(format!("{} needs its own token: {withheld}.", ready.store)));
    }
    let arrival = Arrival { info, token: ready.token.clone(), notices, samples };
    let (renew, sender) = (ready.renewal(settings), ready.start_worker());
    let handle = WorkerHandle {
        journal: ready.journal,
        changes,
        worker: sender.worker,
        worker_task: sender.task,
        reports: sender.reports,
        renew,
        // The journal of the demo store is gone with it.
        trim_after: settings.trim_after.filter(|_| connection.is_some() && ready.read_only.is_none()),
        demo,
        link: ready.link,
    };
    Connected { arrival, handle }
}

async fn start_notices(ready: &Ready) -> Vec<Notice> {
    let mut notices: Vec<_> =
        [&ready.set_aside, &ready.read_only, &ready.no_token].into_iter().flatten().map(Notice::new).collect();
    if let Ok(unknown) = ready.journal.unknown_rows().await
        && !unknown.is_empty()
    {
        let only = match unknown.as_slice() {
            [row] => ready.journal.listed(vec![row.id]).await.ok().and_then(|found| found.into_iter().next()?.unknown),
            _ => None,
        };
        let them = if unknown.len() == 1 { "it" } else { "them" };
        let why = only.map_or_else(
            || format!("Only you can say whether the store has {them}: resolve {them}."),
            |unknown| unknown.why() + " Resolve it.",
        );
        notices.push(Notice::of_unknown(format!("Unknown since an earlier start: {}. {why}", listed(&unknown))));
    }
    notices
}

/// Returns the plants that the demo store begins with, in the language of the audience.
pub(super) fn samples(language: Language) -> Vec<Plant> {
    let samples: Vec<Plant> = serde_json::from_str(SAMPLES).unwrap_or_default();
    let [names, tags] = [Id::SampleNames, Id::SampleTags].map(|id| language.label(id));
    let texts = names.split(", ").zip(tags.split(", "));
    samples
        .into_iter()
        .zip(texts)
        .map(|(plant, (name, tag))| Plant { name: name.into(), tag: tag.into(), ..plant })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::config::{Environment, Flags, OtherStore};

    /// Starts on the demo store, with these profiles and a token in the environment.
    fn started(flags: Flags, profiles: &str) -> (tempfile::TempDir, Arc<Started>) {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join(".config/plants")).unwrap();
        std::fs::write(home.path().join(".config/plants/config.toml"), profiles).unwrap();
        let environment = Environment::at_home(home.path()).with(&[("PLANTS_TOKEN", "canary")]);
        let flags = Flags { demo: true, ..flags };
        let settings = crate::config::resolve(&flags, &environment, Keymap::faults).unwrap();
        (home, Arc::new(Started { flags, environment, settings }))
    }

    fn other(url: &str) -> ConnectionTarget {
        ConnectionTarget::BaseUrl(OtherStore { url: url.parse().unwrap(), token: None })
    }

    async fn opened(started: &Arc<Started>, target: ConnectionTarget) -> eyre::Result<Connected> {
        connect(Arc::clone(started), target, CancellationToken::new()).await
    }

    #[tokio::test]
    async fn another_base_url_gets_no_token_and_the_demo_store_has_its_own() {
        let (_home, started) = started(Flags::default(), "");
        let other = opened(&started, other("http://127.0.0.1:9")).await.unwrap();
        assert!(other.arrival.token.is_none() && !other.arrival.info.demo && other.arrival.samples.is_empty());
        let demo = opened(&started, ConnectionTarget::Demo).await.unwrap();
        assert!(demo.arrival.token.is_some() && demo.handle.demo.is_some() && !demo.arrival.samples.is_empty());
        assert_ne!(demo.arrival.info.origin, other.arrival.info.origin);
        demo.handle.close().await;
        other.handle.close().await;
    }

    #[tokio::test]
    async fn read_only_at_the_start_applies_to_every_store() {
        let (_home, started) = started(Flags { read_only: true, ..Flags::default() }, "");
        for target in [ConnectionTarget::Demo, other("http://127.0.0.1:9")] {
            let connected = opened(&started, target).await.unwrap();
            assert!(connected.arrival.info.read_only && connected.arrival.samples.is_empty());
            connected.handle.close().await;
        }
    }

    #[test]
    fn the_samples_are_plants_without_slips_in_every_language() {
        let in_file: Vec<Plant> = serde_json::from_str(SAMPLES).unwrap();
        assert_eq!(samples(Language::En), in_file);
        for samples in Language::ALL.map(samples) {
            assert_eq!(samples.len(), in_file.len());
            assert!(samples.iter().all(|plant| plant.slips().is_empty()), "{samples:?}");
        }
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;

        #[track_caller]
        fn assert_fails(opened: eyre::Result<Connected>, part: &str) {
            let why = opened.err().expect("the store must not open").to_string();
            assert!(why.contains(part) && !why.contains("canary"), "{why}");
        }

        #[tokio::test]
        async fn a_store_that_cannot_be_opened_or_has_no_token_reports_the_reason_without_a_token() {
            let profiles = "
    [profile.failing]
    base_url = 'https://plants.example'
    token_command = ['sh', '-c', 'echo no such entry >&2; exit 3']
    [profile.missing]
    base_url = 'https://plants.example'
    token_file = 'nowhere'
    ";
            let (home, started) = started(Flags::default(), profiles);
            let profile = |name: &str| ConnectionTarget::Profile(name.to_owned());
            assert_fails(opened(&started, profile("nobody")).await, "there is no profile");
            let in_clear = opened(&started, other("http://10.0.0.9")).await;
            assert_fails(in_clear, "plain http would send the token unencrypted");
            // A file where the journal's folder is to be.
            std::fs::create_dir_all(home.path().join(".local/share")).unwrap();
            std::fs::write(home.path().join(".local/share/plants"), "").unwrap();
            assert_fails(opened(&started, other("http://127.0.0.1:9")).await, "Nothing was sent.");
            std::fs::remove_file(home.path().join(".local/share/plants")).unwrap();
            for (name, why) in [("failing", "said: no such entry"), ("missing", "cannot be read")] {
                let Connected { arrival, handle } = opened(&started, profile(name)).await.unwrap();
                let says = |notice: &Notice| notice.text.contains(why) && !notice.text.contains("canary");
                assert!(arrival.token.is_none() && arrival.notices.iter().all(says), "{:?}", arrival.notices);
                handle.close().await;
            }
        }

        #[tokio::test]
        async fn cancelling_a_connection_does_not_wait_for_the_token() {
            let profiles = "[profile.slow]\nbase_url = 'https://plants.example'\ntoken_command = ['sleep', '3600']\n";
            let (_home, started) = started(Flags::default(), profiles);
            let cancelled = CancellationToken::new();
            cancelled.cancel();
            assert_fails(
                connect(started, ConnectionTarget::Profile("slow".to_owned()), cancelled).await,
                "was cancelled",
            );
        }
    }
}
