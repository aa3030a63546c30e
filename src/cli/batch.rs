//! Sends operations of a verb, one or many, prints each outcome, and returns the exit code of the gravest.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};

use color_eyre::eyre;
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio::time::{sleep, sleep_until};

use super::bar::{BETWEEN_SENTENCES, Bar};
use super::console::Console;
use super::error::{Exit, NOTHING_SENT, OrExit as _};
use super::json::JsonLines;
use super::open::Ready;
use super::print::Manner;
use super::sender::Sender;
use super::spoken::tagged;
use super::stop::Stops;
use super::{clock, exchange_text, print};
use crate::domain::retry_after::pause_before_next;
use crate::domain::sentence::{self, span, subject};
use crate::domain::{
    Exchange, FailureKind, Operation, OperationId, OperationKind, Outcome, OutcomeCounts, Plant, PlantId, Row, Seen,
};
use crate::import::{TOKEN_REJECTED, accepted_pages};
use crate::runtime::json;
use crate::text::capitalized;
use crate::text::number_format::{about, counted, grouped};
use crate::worker::{Brake, BrakeCause, Ended, Feed};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BatchOptions {
    pub(super) json: bool,
    pub(super) verbose: bool,
    /// Prints what would be sent.
    pub(super) dry_run: bool,
}

/// How [`Batch::send`] ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sent {
    All,
    /// After the brake; the rest was not sent.
    Braked(BrakeCause),
    /// For this reason, which would end the rest as well: see [`Ended::ends_all`].
    Halted(String),
    /// At a request to stop; the rest was not sent.
    Interrupted,
}

pub(super) struct Batch<'a> {
    pub(super) ready: &'a Ready,
    options: BatchOptions,
    pub(super) json: JsonLines,
    exit: Exit,
    stops: Stops,
    when_braked: WhenBraked<'a>,
    sender: Option<Sender>,
    /// The rows of the plants before.
    rows: HashMap<PlantId, Row>,
    /// Ends that are not recorded yet: printed once the worker has ended.
    unrecorded: Vec<Ended>,
    /// The outcomes that were printed.
    outcomes: OutcomeCounts,
    /// How many of the accepted ones came with a web page.
    pages: u64,
    is_token_rejected: bool,
    /// Operations that are not sent yet, each with what its person saw of the plant if they decided about it.
    feed: Feed<(OperationKind, Option<Seen>)>,
    /// The id of an add was chosen for it: the add is not sent at that id if another program has taken it by now.
    pub(super) is_id_chosen: bool,
    /// The plant that was not sent for that.
    overtaken: Option<Plant>,
}

impl<'a> Batch<'a> {
    /// Listens from here on, so that no request to stop is missed.
    pub(super) fn new(ready: &'a Ready, options: BatchOptions, when_braked: WhenBraked<'a>) -> Self {
        Self {
            ready,
            options,
            json: JsonLines::new(options.json),
            exit: Exit::Done,
            stops: Stops::listen(),
            feed: Feed::of([], when_braked.brake()),
            when_braked,
            sender: None,
            rows: HashMap::new(),
            unrecorded: Vec::new(),
            outcomes: OutcomeCounts::default(),
            pages: 0,
            is_token_rejected: false,
            is_id_chosen: false,
            overtaken: None,
        }
    }

    pub(super) fn add_exit(&mut self, exit: Exit) {
        self.exit = self.exit.or_graver(exit);
    }

    /// Sends operations, each with the row of its plant before, and prints their outcomes. The first request to stop cancels
    /// those in flight, whose outcomes are still printed. What is not sent stays in the feed.
    pub(super) async fn send(&mut self, operations: Vec<(OperationKind, Option<Row>)>) -> eyre::Result<Sent> {
        if self.options.dry_run {
            for (kind, row) in operations {
                let summary = print_dry(&kind, row.as_ref());
                self.json.print(|| summary);
            }
            return Ok(Sent::All);
        }
        for (kind, row) in operations {
            let was_looked_up = self.is_id_chosen || matches!(kind, OperationKind::Delete(_));
            let seen = row.as_ref().map(Row::seen).or(was_looked_up.then_some(Seen::NotListed));
            self.feed.extend([(kind, seen)]);
            self.rows.extend(row.map(|row| (row.id, row)));
        }
        let mut sender = self.sender.take().unwrap_or_else(|| self.ready.start_worker());
        let (mut over, bar) = (None, Bar::Hidden);
        // Since when there may be no response, and when that is said.
        let (mut since, mut patience) = (clock::instant(), BETWEEN_SENTENCES);
        let mut pauses = FuturesUnordered::new();
        let has_person = print::manner() != Manner::Command || io::stderr().is_terminal();
        let sent = loop {
            let next = if over.is_none() { self.feed.take() } else { Vec::new() };
            if !next.is_empty() {
                (since, patience) = (clock::instant(), BETWEEN_SENTENCES);
            }
            for (kind, seen) in next {
                let operation = sender.operation(kind, seen);
                sender.worker.send(operation);
            }
            if self.feed.out() == 0 && (over.is_some() || self.feed.is_over()) {
                break over.unwrap_or(Sent::All);
            }
            if let Some(cause) = self.feed.braked().filter(|_| self.feed.out() == 0) {
                if !self.when_braked.goes_on(self.feed.waiting().len() as u64, cause).await? {
                    break Sent::Braked(cause);
                }
                self.feed.release();
                continue;
            }
            tokio::select! {
                end = sender.next_end(&bar), if self.feed.out() > 0 => {
                    let end = end?;
                    self.feed.ended(Some(&end.exchange));
                    over = over.or_else(|| end.ends_all().map(Sent::Halted));
                    let goes_on = over.is_none() && self.feed.waiting().len() > 0;
                    let response = end.exchange.response().filter(|_| goes_on);
                    if let Some(pause) = response.and_then(|response| pause_before_next(response, clock::now())) {
                        print::message(format!("The store asks to wait {}. Ctrl-C stops.", about(pause)));
                        self.feed.pause();
                        pauses.push(sleep(pause));
                    }
                    self.take_end(end);
                }
                Some(()) = pauses.next() => self.feed.pause_over(),
                // A person who sees no progress: each time after twice the time.
                () = sleep_until(since + patience), if has_person && self.feed.out() > 0 => {
                    let requests = counted(self.feed.out() as u64, "request", "requests");
                    let cancel = if over == Some(Sent::Interrupted) { "" } else { " Ctrl-C cancels." };
                    print::message(format!("No response yet to {requests} after {}.{cancel}", span(patience)));
                    patience *= 2;
                }
                () = self.stops.next(), if over != Some(Sent::Interrupted) => {
                    over = Some(Sent::Interrupted);
                    sender.worker.cancel_all();
                    self.ready.journal.hurry(true);
                }
            }
        };
        self.sender = Some(sender);
        Ok(sent)
    }

    fn take_end(&mut self, ended: Ended) {
        if self.is_id_chosen && ended.is_overtaken() {
            self.overtaken = ended.exchange.operation.kind.plant().cloned();
            return;
        }
        if self.options.verbose {
            exchange_text::lines(&ended.exchange, print::marks()).iter().for_each(print::message);
        }
        if ended.may_be_recorded() {
            self.unrecorded.push(ended);
        } else {
            self.print(&ended);
        }
    }

    /// Prints and counts an outcome.
    fn print(&mut self, ended: &Ended) {
        let row = self.rows.remove(&ended.exchange.operation.kind.plant_id());
        let (summary, exit) = print_end(ended, row.as_ref());
        self.json.print(|| &summary);
        self.outcomes.count(ended.exchange.outcome());
        self.pages += u64::from(ended.exchange.is_accepted_page());
        self.is_token_rejected |= ended.exchange.rejects_token();
        self.exit = self.exit.or_graver(exit);
    }

    /// Sends all of the operations. Returns the exit code of the gravest outcome.
    pub(super) async fn send_all(mut self, operations: Vec<(OperationKind, Option<Row>)>) -> eyre::Result<Exit> {
        let mut sent = self.send(operations).await?;
        // Each time, one of the other programs has got the id before.
        while sent != Sent::Interrupted
            && let Some(Plant { id: taken, name, tag }) = self.overtaken.take()
        {
            let id = self.ready.journal.next_free_id().await.or_exit_and_say(Exit::NotSent, NOTHING_SENT)?;
            print::message(format!("Id {taken} was taken by another program: {id} is the next free one."));
            sent = self.send(vec![(OperationKind::add(Plant { name, id, tag }), None)]).await?;
        }
        self.say_rest(sent, usize::from(self.overtaken.is_some()));
        if self.options.dry_run {
            print::message("This was a dry run. Nothing was sent.");
        }
        Ok(self.end().await)
    }

    /// Says why the rest was not sent, if so: besides these `left` plants what the worker did not take.
    pub(super) fn say_rest(&mut self, sent: Sent, left: usize) {
        let left = left + self.feed.waiting().len();
        let why = match sent {
            Sent::All => return,
            Sent::Braked(cause) => format!("{} Stopped; --keep-going goes on.", cause.sentence()),
            Sent::Halted(why) => format!("{}. Stopped.", capitalized(&why)),
            Sent::Interrupted => {
                self.exit = Exit::Interrupted;
                "Stopped.".to_owned()
            }
        };
        if left > 0 {
            self.add_exit(Exit::NotSent);
            let plants = counted(left as u64, "plant is", "plants are");
            print::message(format!("{why} {plants} left as before: nothing more was sent."));
        }
    }

    /// Waits until everything is recorded. Returns the exit code of the gravest outcome.
    pub(super) async fn end(mut self) -> Exit {
        if let Some(sender) = self.sender.take() {
            sender.end(&mut self.unrecorded).await;
        }
        for ended in std::mem::take(&mut self.unrecorded) {
            self.print(&ended);
        }
        let all = self.outcomes.total();
        if all > 1 {
            let counts = self.outcomes.there().map(|(outcome, count)| format!("{} {}", grouped(count), outcome.word()));
            let counts: Vec<_> = counts.collect();
            print::message(format!("Of {}: {}.", grouped(all), counts.join(", ")));
            accepted_pages(self.pages).iter().for_each(print::message);
        }
        if self.is_token_rejected {
            print::message(if print::manner() == Manner::Conversation { TOKEN_ASKS } else { TOKEN_REJECTED });
        }
        self.json.or_lost(self.exit, !self.options.dry_run)
    }
}

/// What to do about a rejected token in plain mode.
const TOKEN_ASKS: &str = "The store rejected the token: token asks for another one.";

/// What decides whether operations of many go on after the brake.
pub(super) enum WhenBraked<'a> {
    GoesOn,
    Halts,
    Asks(&'a mut Console),
}

impl<'a> WhenBraked<'a> {
    /// Asks, if that is possible and `--keep-going` is not given.
    pub(super) fn of(keep_going: bool, console: &'a mut Console) -> Self {
        match (keep_going, console.can_ask()) {
            (true, _) => Self::GoesOn,
            (false, true) => Self::Asks(console),
            (false, false) => Self::Halts,
        }
    }

    fn brake(&self) -> Brake {
        Brake::new(matches!(self, Self::GoesOn))
    }

    /// Returns whether this many `left` are to be sent, after the brake.
    pub(super) async fn goes_on(&mut self, left: u64, cause: BrakeCause) -> eyre::Result<bool> {
        match self {
            Self::GoesOn => Ok(true),
            Self::Halts => Ok(false),
            Self::Asks(console) => {
                let left = counted(left, "more operation", "more operations");
                let question = format!("{} Send {left} all the same?", cause.sentence());
                match console.confirm(&question, false, "Nothing more was sent.").await {
                    // A question of plain mode that is left, or whose input has ended.
                    Err(_) if console.is_conversation => Ok(false),
                    answered => answered,
                }
            }
        }
    }
}

/// Prints the JSON of an operation that never reached the worker.
pub(super) fn print_unsent(kind: FailureKind, operation: OperationKind, row: Option<&Row>) -> eyre::Result<bool> {
    let operation = Operation::new(OperationId { origin: 0, number: 0 }, operation, clock::now());
    let at = operation.requested_at;
    let exchange = Exchange::failed(operation, kind, String::new(), at);
    print::json(&as_json(&exchange, row))
}

/// Says what would be sent; returns the JSON for it. `row` is the row of the plant to delete.
fn print_dry<'a>(kind: &'a OperationKind, row: Option<&'a Row>) -> json::Operation<'a> {
    let plant = subject(kind, row.and_then(Row::name));
    let message = match kind {
        OperationKind::Add(added) => format!("To add: {plant}{}.", tagged(&added.tag)),
        OperationKind::Delete(_) => format!("To delete: {plant}."),
    };
    print::message(&message);
    json::Operation::dry(kind, row.and_then(Row::name), row.and_then(Row::tag), message)
}

/// Prints the outcome of an operation for people; returns it for `--json`, with the exit code. `row` is the
/// row of its plant before.
fn print_end<'a>(ended: &'a Ended, row: Option<&'a Row>) -> (json::Operation<'a>, Exit) {
    let unrecorded = ended.recorded.as_ref().err().filter(|_| ended.may_be_recorded());
    let mut summary = as_json(&ended.exchange, row);
    summary.recorded = unrecorded.is_none();
    summary.message = ended.sentence(row.and_then(Row::name));
    let resolve = print::command("resolve");
    let (exit, next) = match summary.outcome {
        Outcome::Accepted => (Exit::Done, String::new()),
        Outcome::Rejected => (Exit::Rejected, String::new()),
        Outcome::Unknown => {
            (Exit::Unknown, format!(" The plant stays in the list as unknown: decide about it with {resolve}."))
        }
        Outcome::NotSent => (Exit::NotSent, " Nothing reached the store: sending it again is safe.".to_owned()),
    };
    if !ended.is_overtaken() {
        summary.message.push_str(&next);
    }
    print::message(&summary.message);
    if matches!(summary.outcome, Outcome::Rejected | Outcome::Unknown)
        && let Some(quoted) = sentence::response_excerpt(&ended.exchange)
    {
        print::message(quoted);
    }
    for mismatch in &summary.mismatches {
        print::message(format!("Mismatch: {mismatch}."));
    }
    if let Some(unknown) = &ended.unknown {
        let explained = sentence::explain_rejection(&ended.exchange, &unknown.kind);
        print::message(format!("{explained} The plant stays unknown: decide about it with {resolve}."));
    }
    if let Some(why) = unrecorded {
        print::error(format!(
            "the journal could not record this response, so the plant may be unknown at the next start: {why}"
        ));
    }
    // The next start does not know this outcome.
    let is_lost = !summary.recorded && matches!(exit, Exit::Done | Exit::Rejected);
    let exit = if is_lost { Exit::Unknown } else { exit };
    (summary, exit)
}

fn as_json<'a>(exchange: &'a Exchange, row: Option<&'a Row>) -> json::Operation<'a> {
    json::Operation::new(exchange, row.and_then(Row::name), row.and_then(Row::tag))
}
