//! Sends operations of a verb, one or many, prints each outcome, and returns the exit code of the gravest.

use std::collections::HashMap;

use color_eyre::eyre::{self, bail};

use super::error::{Exit, Failure, NOTHING_SENT, OrExit as _};
use super::json::JsonLines;
use super::open::Ready;
use super::operate::{print_dry, print_end};
use super::sender::{Sender, Sent, Wanted};
use super::stop::Stops;
use super::when_unknown::WhenUnknown;
use super::{exchange_text, print};
use crate::domain::{OperationKind, Plant, Row, Seen};
use crate::import::OutcomeCounts;
use crate::text::number_format::{counted, grouped};
use crate::worker::{Ended, Feed};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BatchOptions {
    pub(super) json: bool,
    pub(super) verbose: bool,
    /// Prints what would be sent.
    pub(super) dry_run: bool,
}

pub(super) struct Batch<'a> {
    pub(super) ready: &'a Ready,
    options: BatchOptions,
    pub(super) json: JsonLines,
    exit: Exit,
    stops: Stops,
    when_unknown: WhenUnknown<'a>,
    sender: Option<Sender>,
    /// Ends that are not recorded yet, with the rows of their plants before: printed once the worker has ended.
    unrecorded: Vec<(Ended, Option<Row>)>,
    /// The outcomes that were printed.
    outcomes: OutcomeCounts,
    feed: Feed<Wanted>,
    /// The id of an add was chosen for it: the add is not sent at that id if another program has taken it by now.
    pub(super) is_id_chosen: bool,
    /// The plant that was not sent for that.
    overtaken: Option<Plant>,
}

/// How often an id is chosen for one plant: each time, one of the other programs has got the id before.
const CHOICES: usize = 200;

impl<'a> Batch<'a> {
    /// Listens from here on, so that no request to stop is missed.
    pub(super) fn new(ready: &'a Ready, options: BatchOptions, when_unknown: WhenUnknown<'a>) -> Self {
        let feed = Feed::of([], when_unknown.brake());
        let (json, stops) = (JsonLines::new(options.json), Stops::listen());
        let (exit, sender, is_id_chosen, overtaken) = (Exit::Done, None, false, None);
        let (unrecorded, outcomes) = (Vec::new(), OutcomeCounts::default());
        Self {
            ready,
            options,
            json,
            exit,
            stops,
            when_unknown,
            sender,
            unrecorded,
            outcomes,
            feed,
            is_id_chosen,
            overtaken,
        }
    }

    pub(super) fn add_exit(&mut self, exit: Exit) {
        self.exit = self.exit.or_graver(exit);
    }

    /// Sends operations, each with the row of its plant before, and waits for their outcomes. A request to stop cancels
    /// them; their outcomes are still printed.
    pub(super) async fn send(&mut self, operations: Vec<(OperationKind, Option<Row>)>) -> eyre::Result<Sent> {
        if self.options.dry_run {
            for (kind, row) in operations {
                let summary = print_dry(&kind, row.as_ref());
                self.json.print(|| summary);
            }
            return Ok(Sent::All);
        }
        let wanted = |(kind, row): &(OperationKind, Option<Row>)| {
            let was_looked_up = self.is_id_chosen || matches!(kind, OperationKind::Delete(_));
            (kind.clone(), row.as_ref().map(Row::seen).or(was_looked_up.then_some(Seen::NotListed)))
        };
        self.feed.extend(operations.iter().map(wanted));
        let rows: HashMap<_, _> = operations.into_iter().filter_map(|(_, row)| row).map(|row| (row.id, row)).collect();
        let mut sender = self.sender.take().unwrap_or_else(|| self.ready.start_worker());
        let (json, unrecorded, outcomes, mut exit) = (&self.json, &mut self.unrecorded, &mut self.outcomes, self.exit);
        let (verbose, is_id_chosen, overtaken) = (self.options.verbose, self.is_id_chosen, &mut self.overtaken);
        let take_end = |ended: Ended| {
            if is_id_chosen && ended.is_overtaken() {
                *overtaken = ended.exchange.operation.kind.plant().cloned();
                return;
            }
            if verbose {
                exchange_text::lines(&ended.exchange).iter().for_each(print::message);
            }
            let row = rows.get(&ended.exchange.operation.kind.plant_id());
            if ended.may_be_recorded() {
                return unrecorded.push((ended, row.cloned()));
            }
            exit = exit.or_graver(print_one(&ended, row, json, outcomes));
        };
        let sent = sender.carry_out(&mut self.feed, &mut self.stops, &mut self.when_unknown, take_end).await;
        self.exit = exit;
        self.sender = Some(sender);
        sent
    }

    /// Sends all of the operations. Returns the exit code of the gravest outcome.
    pub(super) async fn send_all(mut self, operations: Vec<(OperationKind, Option<Row>)>) -> eyre::Result<Exit> {
        let mut sent = self.send(operations).await?;
        for _ in 1..CHOICES {
            let Some(Plant { id: taken, name, tag }) = self.overtaken.take() else { break };
            let id = self.ready.journal.next_free_id().await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
            print::message(format!("Id {taken} was taken by another program: {id} is the next free one."));
            sent = self.send(vec![(OperationKind::add(Plant { name, id, tag }), None)]).await?;
        }
        if self.overtaken.is_some() {
            bail!(Failure::new(Exit::NotSent, format!("other programs took each free id. {NOTHING_SENT}")));
        }
        if sent != Sent::All {
            self.stopped(sent, 0);
        }
        if self.options.dry_run {
            print::message("This was a dry run. Nothing was sent.");
        }
        Ok(self.end().await)
    }

    /// Says why the rest was not sent, besides these `left` plants what the worker did not take.
    pub(super) fn stopped(&mut self, sent: Sent, left: usize) {
        if sent == Sent::Interrupted {
            self.exit = Exit::Interrupted;
        }
        let left = left + self.feed.waiting().len();
        if left > 0 {
            let plants = counted(left as u64, "plant is", "plants are");
            let why = if sent == Sent::Interrupted {
                "Stopped."
            } else {
                "Stopped after five unknown outcomes in a row; --keep-going goes on."
            };
            print::message(format!("{why} {plants} left as before: nothing more was sent."));
        }
    }

    /// Waits until everything is recorded. Returns the exit code of the gravest outcome.
    pub(super) async fn end(mut self) -> Exit {
        let has_sent = self.sender.is_some();
        if let Some(sender) = self.sender {
            sender.end(self.unrecorded.iter_mut().map(|(ended, _)| ended)).await;
        }
        for (ended, row) in &self.unrecorded {
            let exit = print_one(ended, row.as_ref(), &self.json, &mut self.outcomes);
            self.exit = self.exit.or_graver(exit);
        }
        let all = self.outcomes.total();
        if all > 1 {
            let counts = self.outcomes.each().into_iter().filter(|(_, count)| *count > 0);
            let counts: Vec<_> =
                counts.map(|(outcome, count)| format!("{} {}", grouped(count), outcome.word())).collect();
            print::message(format!("Of {}: {}.", grouped(all), counts.join(", ")));
        }
        self.json.or_lost(self.exit, has_sent)
    }
}

/// Prints and counts an outcome; returns its exit code.
fn print_one(ended: &Ended, row: Option<&Row>, json: &JsonLines, outcomes: &mut OutcomeCounts) -> Exit {
    let (summary, exit) = print_end(ended, row);
    json.print(|| &summary);
    outcomes.count(ended.exchange.outcome());
    exit
}
