//! Snapshots of a team's plants, in its stream: for members who cannot read the entries before them.
//!
//! Parts have a subject of their own, and so has the message that completes them: the last complete snapshot is found by
//! its subject. A server lets the keeper alone publish there.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Info, RawMessageErrorKind, Stream};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::server::{self, NoTeam, shown};
use super::{subject, wire};
use crate::config::TeamSettings;
use crate::domain::{Author, MemberId, Timestamp};
use crate::journal::{Journal, SnapshotPart, SnapshotPlant};

/// The number of plants that are read at once.
const PLANTS: usize = 1000;

/// The largest message in bytes, if the team takes it; and that of its text, which is not compressed.
const LARGEST: usize = 512 * 1024;
const LARGEST_READ: usize = 64 << 20;

/// The message that completes a snapshot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Snapshot {
    v: u32,
    /// Who made it, as they say.
    pub(super) author: Author,
    /// The number of the last message that is folded in it.
    pub(super) folded: u64,
    /// The number of the message with the first part.
    pub(super) first: u64,
    pub(super) parts: u64,
    members: Vec<(MemberId, Author, u64)>,
}

const VERSION: u32 = 1;

impl Snapshot {
    /// Reads the message that completes a snapshot; `None` if it is not one of this release.
    pub(super) fn read(payload: &[u8]) -> Option<Self> {
        let is_possible = |(_, _, last): &(_, _, u64)| i64::try_from(*last).is_ok();
        let is_usable = |snapshot: &Self| snapshot.v == VERSION && snapshot.members.iter().all(is_possible);
        unpacked(payload).filter(is_usable)
    }

    /// Reads one of its parts; `None` if that is not one.
    pub(super) fn part(&self, payload: &[u8]) -> Option<SnapshotPart> {
        let plants = unpacked(payload)?;
        Some(SnapshotPart { folded: self.folded, members: self.members.clone(), plants })
    }
}

fn unpacked<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    serde_json::from_slice(&decompress_to_vec_zlib_with_limit(payload, LARGEST_READ).ok()?).ok()
}

/// What compacting a stream did, or would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Compacted {
    /// The number of plants of the list in the snapshot.
    pub plants: usize,
    /// The number of messages that are removed.
    pub removed: u64,
}

/// Publishes a snapshot of a journal that has read its whole stream, and removes the messages that are folded in it and,
/// by the server's clock, older than `age`; without one, all of them. Or only counts them.
///
/// # Errors
///
/// The team cannot be reached, or its server does not allow it. The messages are removed last.
pub async fn compact(
    team: &TeamSettings,
    journal: &Journal,
    age: Option<Duration>,
    only_count: bool,
) -> Result<Compacted, NoTeam> {
    let connection = team.connect().await?;
    let context = server::context(&connection.client);
    let compact = async {
        let stream = server::stream(&context, &team.store).await?;
        let most = LARGEST.min(server::largest(&connection.client, &stream));
        let (plants, folded) = publish(&context, team, most, journal, only_count).await?;
        let kept = match age {
            Some(age) => oldest_since(&stream, now(&context, &stream).await?.before(age)).await?,
            None => stream.cached_info().state.last_sequence + 1,
        };
        let kept = kept.min(folded.saturating_sub(server::earlier(&stream)) + 1);
        let state = &stream.cached_info().state;
        let removed = kept.saturating_sub(state.first_sequence.max(1)).min(state.messages);
        if removed > 0 && !only_count {
            stream.purge().sequence(kept).await.map_err(|why| NoTeam::Stream(shown(&why)))?;
        }
        Ok(Compacted { plants, removed })
    };
    connection.unless_refused(NoTeam::NotKeeper, compact).await
}

/// Publishes a snapshot, or only counts; returns its plants, and the number of the last message that is folded in it.
async fn publish(
    context: &Context,
    team: &TeamSettings,
    most: usize,
    journal: &Journal,
    only_count: bool,
) -> Result<(usize, u64), NoTeam> {
    let no_json = |why: serde_json::Error| NoTeam::Stream(why.to_string());
    let (sender, mut receiver) = mpsc::channel(1);
    let reading = journal.snapshot(PLANTS, move |part| sender.blocking_send(part).is_ok());
    let publishing = async {
        let (author, members) = (team.author.clone(), Vec::new());
        let mut snapshot = Snapshot { v: VERSION, author, folded: 0, first: 0, parts: 0, members };
        let mut count = 0;
        while let Some(SnapshotPart { folded, members, plants }) = receiver.recv().await {
            (snapshot.folded, snapshot.members) = (folded, members);
            count += plants.iter().filter(|(_, fold)| fold.state().is_some()).count();
            let mut left = plants.as_slice();
            while !left.is_empty() && !only_count {
                let (payload, fit) = fitting(left, most).map_err(no_json)?;
                let sequence = send(context, subject::of(&team.store, subject::PART), payload).await?;
                snapshot.first = if snapshot.parts == 0 { sequence } else { snapshot.first };
                snapshot.parts += 1;
                left = left.get(fit..).unwrap_or_default();
            }
        }
        if snapshot.parts > 0 {
            let payload = wire::fitted(&snapshot, most).map_err(no_json)?;
            send(context, subject::of(&team.store, subject::SNAPSHOT), payload).await?;
        }
        Ok((count, snapshot.folded))
    };
    let (read, published) = tokio::join!(reading, publishing);
    read?;
    published
}

/// Packs as many plants as fit into a message of `most` bytes, at least one.
fn fitting(mut plants: &[SnapshotPlant], most: usize) -> serde_json::Result<(Vec<u8>, usize)> {
    while plants.len() > 1 {
        if let Some(payload) = wire::compressed(&plants, most)? {
            return Ok((payload, plants.len()));
        }
        plants = plants.split_at(plants.len() / 2).0;
    }
    Ok((wire::fitted(&plants, most)?, plants.len()))
}

async fn send(context: &Context, subject: String, payload: Vec<u8>) -> Result<u64, NoTeam> {
    let failed = |why: &(dyn std::error::Error + 'static)| NoTeam::NoSnapshot(shown(why));
    let sent = context.publish(subject, payload.into()).await.map_err(|why| failed(&why))?;
    Ok(sent.await.map_err(|why| failed(&why))?.sequence)
}

/// Returns the server's time; of a release that says none, that of the last message.
async fn now(context: &Context, stream: &Stream) -> Result<Timestamp, NoTeam> {
    let Info { config, state, .. } = stream.cached_info();
    let about: serde_json::Value = context
        .request(format!("STREAM.INFO.{}", config.name), &())
        .await
        .map_err(|why| NoTeam::Stream(shown(&why)))?;
    let said = about["ts"].as_str().and_then(|time| time.parse::<jiff::Timestamp>().ok());
    let last = || state.last_timestamp.unix_timestamp() * 1000;
    Ok(Timestamp(said.map_or_else(last, jiff::Timestamp::as_millisecond)))
}

/// Returns the number of the first message that is not from before a time; one after the last if all are.
async fn oldest_since(stream: &Stream, before: Timestamp) -> Result<u64, NoTeam> {
    let state = &stream.cached_info().state;
    let (mut low, mut high) = (state.first_sequence, state.last_sequence + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let found = stream.get_raw_message(middle).await;
        let is_old = match found {
            Ok(message) => message.time.unix_timestamp() * 1000 < before.0,
            // Removed already.
            Err(why) if why.kind() == RawMessageErrorKind::NoMessageFound => true,
            Err(why) => return Err(NoTeam::Stream(shown(&why))),
        };
        (low, high) = if is_old { (middle + 1, high) } else { (low, middle) };
    }
    Ok(low)
}
