//! `plants team`: the status of a journal that a team shares, joining a team, and bringing both up to date.

use color_eyre::eyre::{self, OptionExt as _, bail};
use serde::Serialize;
use tokio::time::timeout;
use tracing::instrument;

use super::access::TokenNeed;
use super::bar::Bar;
use super::console::Console;
use super::error::{Exit, Failure, OrExit as _};
use super::open::{CATCHES_UP, Ready, STALLED};
use super::session::{Session, check_writable};
use super::stop::Stops;
use super::{json, print};
use crate::config::{Settings, TeamSettings};
use crate::team::{self, Cause, Compacted, Joined};
use crate::text::clean_fit;
use crate::text::number_format::{counted, grouped};
use crate::verbs::{CompactArguments, JoinArguments, TeamVerb};

const NOTHING_SHARED: &str = "Nothing was shared.";
const NOTHING_REMOVED: &str = "Nothing was removed.";

/// The output of `--json`.
#[derive(Debug, Serialize)]
struct Status {
    store: String,
    stream: String,
    author: String,
    member: bool,
    online: bool,
    people: usize,
    to_publish: usize,
    to_read: u64,
    problem: Option<String>,
    notices: Vec<String>,
}

/// Columns of a name of the team.
const NAME: usize = 120;

#[instrument(name = "team", skip_all)]
pub(super) async fn run(session: &mut Session, verb: TeamVerb, json: bool) -> eyre::Result<Exit> {
    let Some(connection) = &session.settings.connection else {
        bail!(Failure::usage("the demo store has no team: name a store with --base-url or --profile"));
    };
    let Some(team) = connection.team.clone() else {
        bail!(Failure::usage("no team is configured: give --team nats://SERVER, or team in the profile"));
    };
    let Session { settings, console, .. } = session;
    if matches!(&verb, TeamVerb::Join(_) | TeamVerb::Compact(CompactArguments { dry_run: false, .. })) {
        check_writable(settings)?;
    }
    match verb {
        TeamVerb::Status => status(settings, &team, json).await,
        TeamVerb::Sync => sync(settings, json).await,
        TeamVerb::Compact(arguments) => compact(settings, console, &team, &arguments, json).await,
        TeamVerb::Join(arguments) => join(settings, console, &team, &arguments, json).await,
    }
}

async fn status(settings: &Settings, team: &TeamSettings, json: bool) -> eyre::Result<Exit> {
    let mut ready = Ready::open(settings, TokenNeed::Never).await?;
    let link = ready.link.take().ok_or_eyre("the journal cannot be written")?;
    // Publishes, too, so that what prevents it is known.
    let _ = timeout(CATCHES_UP, link.sync(CATCHES_UP, |_| {})).await;
    let found = link.status();
    let membership = ready.journal.membership().await.or_exit(Exit::NotSent)?;
    let status = Status {
        store: clean_fit(&team.store, NAME),
        stream: team::stream_name(&team.store),
        author: clean_fit(team.author.name(), NAME),
        member: membership.is_some(),
        online: found.online,
        people: membership.map_or(0, |membership| membership.people),
        to_publish: link.to_publish().await.or_exit(Exit::NotSent)?,
        to_read: found.to_read(),
        problem: found.fault().cloned().or_else(|| (!found.is_in_sync).then(|| found.late().to_string())),
        notices: found.notices.sentences(),
    };
    if json {
        print::json(&status)?;
    } else {
        let Status { store, stream, author, .. } = &status;
        let online = match found.cause {
            _ if status.online => "online",
            Cause::NotReached => "offline",
            Cause::NotJoined => "not joined",
            Cause::NotAllowed => "takes no entries",
        };
        let people = counted(status.people as u64, "person with entries", "people with entries");
        let team =
            if status.member { format!("{online}, {people}") } else { "this journal is not in it yet".to_owned() };
        let to_send = counted(status.to_publish as u64, "entry", "entries");
        let to_read = counted(status.to_read, "message", "messages");
        print::result(&format!(
            "store    {store}\nstream   {stream}\nauthor   {author}\nteam     {team}\nto send  {to_send}\nto read  {to_read}"
        ))?;
        status.problem.iter().chain(&status.notices).for_each(print::message);
    }
    // Otherwise the end would say the problem again.
    ready.link = Some(link).filter(|_| status.problem.is_none());
    ready.close().await;
    Ok(if status.problem.is_none() { Exit::Done } else { Exit::NotSent })
}

async fn sync(settings: &Settings, json: bool) -> eyre::Result<Exit> {
    let mut stops = Stops::listen();
    let mut ready = Ready::open(settings, TokenNeed::Never).await?;
    let link = ready.link.take().ok_or_eyre("the journal cannot be written")?;
    let bar = Bar::begin();
    let moved = |status: &team::Status| {
        let done = status.received + status.published as u64;
        let left = status.to_read() + status.to_publish as u64;
        let left_to_read = counted(status.to_read(), "message", "messages");
        let left_to_publish = counted(status.to_publish as u64, "entry", "entries");
        bar.show(done, done + left, &format!("{left_to_read} to read, {left_to_publish} to publish"));
    };
    let ended = tokio::select! {
        biased;
        () = stops.next() => None,
        synced = link.sync(STALLED, moved) => Some(synced),
    };
    drop(bar);
    let status = link.status();
    let to_publish = link.to_publish().await.or_exit(Exit::NotSent)?;
    drop(link);
    ready.close().await;
    let notices = status.notices.sentences();
    notices.iter().for_each(print::message);
    print::message(format!(
        "Published {}, read {}.",
        counted(status.published as u64, "entry", "entries"),
        counted(status.received, "message", "messages")
    ));
    let exit = json::done(json, true, || {
        serde_json::json!({
            "published": status.published,
            "read": status.received,
            "to_publish": to_publish,
            "to_read": status.to_read(),
            "problem": ended.as_ref().and_then(|synced| synced.as_ref().err().map(ToString::to_string)),
            "notices": notices,
        })
    });
    let left = format!("{} to read, {} to publish", grouped(status.to_read()), grouped(to_publish as u64));
    match ended {
        Some(Ok(())) => Ok(exit),
        Some(Err(why)) => bail!(Failure::new(Exit::NotSent, format!("not in sync with the team: {why} ({left})"))),
        None => bail!(Failure::new(Exit::Interrupted, format!("interrupted: not in sync with the team ({left})"))),
    }
}

async fn compact(
    settings: &Settings,
    console: &mut Console,
    team: &TeamSettings,
    arguments: &CompactArguments,
    json: bool,
) -> eyre::Result<Exit> {
    let dry_run = arguments.dry_run;
    console.check(!arguments.yes && !dry_run, "compact", NOTHING_REMOVED)?;
    let mut ready = Ready::open(settings, TokenNeed::Never).await?;
    let link = ready.link.take().ok_or_eyre("the journal cannot be written")?;
    let not_in_sync = |why| Failure::new(Exit::NotSent, format!("not in sync with the team: {why}. {NOTHING_REMOVED}"));
    link.sync(STALLED, |_| {}).await.map_err(not_in_sync)?;
    drop(link);
    let missing = ready.journal.gaps().await.or_exit(Exit::NotSent)?;
    if let (false, Some((author, count))) = (arguments.force, missing.first()) {
        let (entries, author) = (counted(*count, "entry", "entries"), clean_fit(author.name(), NAME));
        bail!(Failure::new(
            Exit::NotSent,
            format!(
                "missing in the team's stream: {entries} of {author}, who brings them back with plants team join. A \
                 snapshot would leave them out for good; --force makes it. {NOTHING_REMOVED}"
            )
        ));
    }
    let age = (!arguments.all).then(|| arguments.older_than.map_or(team.keep, |age| age.0));
    let compact = async |only_count| {
        let compacted = team::compact(team, &ready.journal, age, only_count).await;
        compacted.or_exit_and_say(Exit::NotSent, NOTHING_REMOVED)
    };
    let what = |found: Compacted| {
        (counted(found.plants as u64, "plant", "plants"), counted(found.removed, "message", "messages"))
    };
    if !dry_run && !arguments.yes {
        let (plants, messages) = what(compact(true).await?);
        let question =
            format!("Publish a snapshot of {plants}, and remove {messages} from the team's stream for good?");
        if !console.confirm(&question, false, NOTHING_REMOVED).await? {
            ready.close().await;
            bail!(Failure::new(Exit::Interrupted, format!("not compacted. {NOTHING_REMOVED}")));
        }
    }
    let found = compact(dry_run).await?;
    let (plants, messages) = what(found);
    print::message(if dry_run {
        format!("To compact: a snapshot of {plants}, and {messages} to remove. {NOTHING_REMOVED}")
    } else {
        format!("Compacted: published a snapshot of {plants}, removed {messages}.")
    });
    ready.close().await;
    Ok(json::done(json, !dry_run, || found))
}

async fn join(
    settings: &Settings,
    console: &mut Console,
    team: &TeamSettings,
    arguments: &JoinArguments,
    json: bool,
) -> eyre::Result<Exit> {
    console.check(!arguments.yes, "join", NOTHING_SHARED)?;
    let mut ready = Ready::open(settings, TokenNeed::Never).await?;
    let known = ready.journal.tally().await.or_exit(Exit::NotSent)?.total();
    let question = format!(
        "Share {} of {} with the team of {:?}, as {}? Everybody there sees names, tags and requests, without tokens.",
        counted(known as u64, "plant", "plants"),
        ready.store,
        clean_fit(&team.store, NAME),
        clean_fit(team.author.name(), NAME),
    );
    if !arguments.yes && !console.confirm(&question, false, NOTHING_SHARED).await? {
        ready.close().await;
        bail!(Failure::new(Exit::Interrupted, "not joined: nothing was shared"));
    }
    // It would say that nothing is published yet.
    drop(ready.link.take());
    let joined = team::join(team, &ready.journal, arguments.replicas.map(usize::from)).await;
    let Joined { to_publish: entries, copies } = joined.or_exit_and_say(Exit::NotSent, NOTHING_SHARED)?;
    ready.close().await;
    // A link that starts as a member publishes what is there.
    let mut ready = Ready::open(settings, TokenNeed::Never).await?;
    let link = ready.link.as_ref().ok_or_eyre("the journal cannot be written")?;
    let reached = link.sync(STALLED, |_| {}).await;
    let found = link.status();
    let membership = ready.journal.membership().await.or_exit(Exit::NotSent)?;
    let people = membership.map_or(0, |membership| membership.people);
    ready.close().await;
    reached.map_err(|why| Failure::new(Exit::NotSent, format!("joined, but not everything is shared yet: {why}")))?;
    found.notices.sentences().iter().for_each(print::message);
    print::message(format!(
        "Joined: shared {}; the team has {}; {} each entry.",
        counted(entries as u64, "entry", "entries"),
        counted(people as u64, "person with entries", "people with entries"),
        counted(copies as u64, "server keeps", "servers keep"),
    ));
    Ok(json::done(json, true, || serde_json::json!({ "shared": entries, "people": people, "copies": copies })))
}
